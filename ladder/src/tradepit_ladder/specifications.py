"""What a referee must know to play the blocks of an order. Pure."""

from collections.abc import Mapping, Sequence

from tradepit.chance import reproducible_secret
from tradepit.v1 import block_pb2
from tradepit_ladder.client import EntrantSpec, TournamentOrder
from tradepit_ladder.scheduling.identifiers import block_id


class Specifications:
    """Makes them for one tournament."""

    def __init__(self, order: TournamentOrder, tournament_id: str) -> None:
        """*tournament_id* is what its block ids begin with."""
        self._order = order
        self._tournament_id = tournament_id
        self._entrants: Mapping[str, EntrantSpec] = {entrant.bot: entrant for entrant in order.entrants}

    def make(self, index: int, bots: Sequence[str], attempt: int) -> block_pb2.BlockSpecification:
        """The block at *index* of the tournament, between *bots*, for its *attempt*, from 1."""
        root = self._order.root_seed
        return block_pb2.BlockSpecification(
            block_id=block_id(self._tournament_id, index, attempt if root is None else None),
            game=self._order.game,
            edition_toml=self._order.edition_toml,
            options=self._order.options,
            deal=self._order.deal,
            entrants=[_entrant(self._entrants[bot]) for bot in bots],
            time_control=self._order.time_control,
            reproducible_secret=b"" if root is None else reproducible_secret(root, index),
        )


def _entrant(spec: EntrantSpec) -> block_pb2.Entrant:
    command = block_pb2.Command(arguments=spec.command, working_directory=spec.working_directory)
    return block_pb2.Entrant(bot=spec.bot, command=command)
