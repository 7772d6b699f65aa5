"""One block: invitation, chance, its matches, and what comes of them."""

from typing import NamedTuple

from tradepit import chance
from tradepit.v1 import block_pb2, play_pb2
from tradepit_server import registry
from tradepit_server.content import seal
from tradepit_server.referee import faults
from tradepit_server.referee.match import Match
from tradepit_server.referee.specification import BlockSpec

REPLAY_FORMAT = "tradepit-replay/1"


class Void(NamedTuple):
    """Why a block does not count."""

    cause: block_pb2.VoidCause.ValueType
    reason: str
    """A sentence."""


class Block:
    """A block in progress. Knows entrants, not sessions."""

    def __init__(self, spec: BlockSpec, secret: bytes) -> None:
        self.spec = spec
        self.matches: list[Match] = []
        """Empty until every entrant has accepted or is lost."""
        self.matches_ended = 0
        self.losses: list[faults.Loss | None] = [None] * len(spec.entrants)
        """Why an entrant is gone for good; None: it is not."""
        self.complaints = [""] * len(spec.entrants)
        """Why an entrant's last acceptance did not count; empty: none was wrong."""
        self.request_bytes = 0
        """The most that a request has taken in one of its matches."""
        self.plugin = registry.get(spec.game)
        """The game that is played."""
        self._secret = secret
        self._nonces: list[bytes | None] = [None] * len(spec.entrants)
        self._seeds: list[bytes] = []
        self._matches_by_id: dict[str, Match] = {}

    def invitation(self, entrant: int) -> play_pb2.RefereeMessage:
        """The invitation to *entrant*."""
        spec = self.spec
        invitation = play_pb2.BlockInvitation(
            block_id=spec.block_id,
            game=spec.game,
            edition=spec.edition_reference(),
            options=self.options(),
            deal=spec.deal(),
            matches=spec.matches,
            entrants=map(self.name, range(len(spec.entrants))),
            entrant=entrant,
            time_control=spec.time_control.to_message(),
            commitment=chance.commitment(self._secret),
            reproducible=spec.reproducible_secret is not None,
        )
        return play_pb2.RefereeMessage(block_invitation=invitation)

    def name(self, entrant: int) -> str:
        """What the others at the table, and spectators, know *entrant* by."""
        return self.spec.entrants[entrant].bot if self.spec.named_entrants else f"entrant {entrant}"

    def options(self) -> dict[str, str]:
        """Every option of the game and its value, as messages carry them."""
        return {name: str(value) for name, value in self.spec.options.items()}

    def match_ids(self) -> list[str]:
        """The ids of its matches, by index; also before they are laid out."""
        return [f"{self.spec.block_id}/{index}" for index in range(self.spec.matches)]

    def find_match(self, match_id: str) -> Match | None:
        """The match of this id; None: it is not laid out, or none of this block."""
        return self._matches_by_id.get(match_id)

    def answered(self, entrant: int) -> bool:
        """The entrant has accepted, or is lost."""
        return self._nonces[entrant] is not None or self.losses[entrant] is not None

    def accept(self, entrant: int, nonce: bytes) -> None:
        """The entrant takes part; in a reproducible block its *nonce* counts as empty."""
        self._nonces[entrant] = b"" if self.spec.reproducible_secret is not None else nonce

    @property
    def ready(self) -> bool:
        """Nothing more is awaited before the matches can begin."""
        return not self.matches and all(map(self.answered, range(len(self.losses))))

    def set_up(self) -> None:
        """Derive the seeds and lay out the matches."""
        spec = self.spec
        seed = chance.block_seed(self._secret, spec.block_id, self._known_nonces())
        for index, match_id in enumerate(self.match_ids()):
            self._seeds.append(chance.match_seed(seed, index, duplicate=spec.duplicate))
            state = self.plugin.game.new(
                len(spec.entrants), spec.options, chance.Chance(self._seeds[index]), spec.edition
            )
            self.matches.append(Match(match_id, index, state, self.plugin.codec, spec))
        self._matches_by_id = {match.id: match for match in self.matches}

    def _known_nonces(self) -> list[bytes]:
        return [nonce or b"" for nonce in self._nonces]

    def match_started(self, match: Match, seat: int) -> play_pb2.RefereeMessage:
        """What the bot in *seat* is told when *match* begins."""
        return play_pb2.RefereeMessage(
            match_started=play_pb2.MatchStarted(
                match_id=match.id,
                block_id=self.spec.block_id,
                match_index=match.index,
                seat=seat,
                seats=len(match.seats),
                bot_seed=chance.bot_seed(self._seeds[match.index], seat),
            )
        )

    def ended(self, void: Void | None) -> play_pb2.RefereeMessage:
        """What every bot is told when the block is over; *void* says why it does not count, None: it does."""
        return play_pb2.RefereeMessage(
            block_ended=play_pb2.BlockEnded(
                block_id=self.spec.block_id,
                outcome=_outcome(void),
                reason="" if void is None else void.reason,
                secret=self._secret,
                nonces=self._known_nonces(),
            )
        )

    def result(self, void: Void | None) -> block_pb2.BlockResult:
        """What came of the block; nothing of a void one counts."""
        result = block_pb2.BlockResult(block_id=self.spec.block_id, outcome=_outcome(void))
        if void is not None:
            result.void_cause, result.reason = void
        else:
            result.replays.extend(map(self._replay, self.matches))
            result.timings.extend(match.timing.to_message(match.id) for match in self.matches)
        return result

    def _replay(self, match: Match) -> block_pb2.Replay:
        spec = self.spec
        seats = range(len(match.seats))
        replay = block_pb2.Replay(
            format=REPLAY_FORMAT,
            match_id=match.id,
            block_id=spec.block_id,
            match_index=match.index,
            deal=spec.deal(),
            game=spec.game,
            edition=spec.edition_reference(),
            edition_toml=b"" if spec.packaged_edition else spec.edition.toml,
            options=self.options(),
            bots=[spec.entrants[spec.entrant(seat, match.index)].bot for seat in seats],
            time_control=spec.time_control.to_message(),
            reproducible=spec.reproducible_secret is not None,
            secret=self._secret,
            commitment=chance.commitment(self._secret),
            nonces=self._known_nonces(),
            seed=self._seeds[match.index],
            decisions=match.decisions,
            result=match.result(),
        )
        seal(replay)
        return replay


def _outcome(void: Void | None) -> block_pb2.BlockOutcome.ValueType:
    return block_pb2.BLOCK_OUTCOME_COMPLETE if void is None else block_pb2.BLOCK_OUTCOME_VOID
