"""Hand-written messages of a referee that plays Long Short, for tests of one side alone."""

import hashlib
from collections.abc import Sequence

from google.protobuf.any_pb2 import Any as AnyMessage

from tradepit.bot import Bot
from tradepit.long_short import LongShortBot, LongShortView, Turn
from tradepit.long_short.edition import read_edition
from tradepit.long_short.v1 import long_short_pb2 as pb
from tradepit.match import Block, Edition, Match, Request, TimeControl
from tradepit.session import ClientSession
from tradepit.v1 import block_pb2, play_pb2
from tradepit_server.registry import get

TOML = get("long-short").game.editions[0].toml
SHA256 = hashlib.sha256(TOML).digest()
BLOCK_ID = "cup/3/0"
MATCH_ID = "cup/3/0/0"
BOT_SEED = bytes(range(32))
HAND = ("yellow-25", "red-17", "blue-09", "green-09")


class Idle(LongShortBot):
    """Plays its first card."""

    def take_turn(self, view: LongShortView) -> Turn:
        """No orders."""
        return Turn(price_card=view.hand[0])


def observation(
    decision: pb.DecisionKind.ValueType = pb.DECISION_KIND_TURN,
    *,
    cash: int = 10_000,
    positions: Sequence[pb.Position] = (),
    levels: Sequence[int] = (10, 10, 10, 10, 10, 10),
    round_number: int = 1,
    hand: Sequence[str] = HAND,
    events: Sequence[pb.Event] = (),
) -> pb.Observation:
    """What seat 0 of two sees; the other seat has 10,000 $ and a gold contract, short at 9."""
    other = pb.SeatState(cash=10_000, positions=[position("gold", pb.SIDE_SHORT, 9, 1)], day_trade_cards=1)
    public = pb.PublicState(
        options=pb.Options(
            end_of_game_card=pb.END_OF_GAME_CARD_IN,
            day_trade_face=pb.DAY_TRADE_FACE_CARD,
            max_action_points=6,
            bankruptcy=pb.BANKRUPTCY_DEBT,
        ),
        decision=decision,
        awaited_seats=[0],
        round=round_number,
        turn=2 * round_number - 2,
        levels=levels,
        seats=[pb.SeatState(cash=cash, positions=positions), other],
        bank_day_trade_cards=15,
        piles=[pb.Pile(size=15), pb.Pile(size=15), pb.Pile(size=14)],
    )
    return pb.Observation(public=public, private=pb.PrivateState(seat=0, hand=hand, events=events))


def position(good: str, side: pb.Side.ValueType, entry_level: int, contracts: int) -> pb.Position:
    """Contracts of a seat on one field."""
    return pb.Position(good=good, side=side, entry_level=entry_level, contracts=contracts)


def view(seen: pb.Observation) -> LongShortView:
    """The view of *seen*, as a bot gets it."""
    return LongShortView(Request(match(), request(seen)), read_edition(TOML))


def match() -> Match:
    """The match of ``started``, of the block that ``invitation`` announces."""
    announced = invitation()
    block = Block(
        block_id=BLOCK_ID,
        game="long-short",
        edition=Edition("reconstructed-1", SHA256, TOML, {}),
        options=dict(announced.options),
        duplicate=False,
        matches=2,
        entrants=("anonymous", "anonymous"),
        entrant=0,
        time_control=TimeControl.from_message(announced.time_control),
        commitment=announced.commitment,
        reproducible=False,
        nonce=b"",
    )
    return Match(block, started())


def invitation(**changes: object) -> play_pb2.BlockInvitation:
    """An invitation to a block of two matches of two seats; *changes* by field."""
    message = play_pb2.BlockInvitation(
        block_id=BLOCK_ID,
        game="long-short",
        edition=block_pb2.EditionReference(id="reconstructed-1", sha256=SHA256),
        options={"end_of_game_card": "in"},
        deal=block_pb2.DEAL_INDEPENDENT,
        matches=2,
        entrants=["anonymous", "anonymous"],
        commitment=hashlib.sha256(bytes(32)).digest(),
    )
    message.time_control.decision.FromSeconds(2)
    message.MergeFrom(play_pb2.BlockInvitation(**changes))  # type: ignore[arg-type]  # the caller names fields
    return message


def started() -> play_pb2.MatchStarted:
    """Match 0 of the block begins, the bot in seat 0 of two."""
    return play_pb2.MatchStarted(match_id=MATCH_ID, block_id=BLOCK_ID, seat=0, seats=2, bot_seed=BOT_SEED)


def request(seen: pb.Observation, decision_id: int = 1) -> play_pb2.DecisionRequest:
    """A request with two seconds on the clock."""
    packed = AnyMessage()
    packed.Pack(seen)
    message = play_pb2.DecisionRequest(match_id=MATCH_ID, decision_id=decision_id, observation=packed)
    message.time_left.FromSeconds(2)
    return message


def frame(*messages: object, sequence: int = 1) -> bytes:
    """A frame of the referee's, each message under its kind."""
    kinds = {field.message_type.full_name: name for name, field in _KINDS.items() if field.message_type}
    wrapped = [
        play_pb2.RefereeMessage(**{kinds[message.DESCRIPTOR.full_name]: message})  # type: ignore[arg-type, attr-defined]  # by kind
        for message in messages
    ]
    return play_pb2.PlayResponse(sequence=sequence, messages=wrapped).SerializeToString()


def answers(session: ClientSession, *messages: object, sequence: int = 1) -> list[play_pb2.BotMessage]:
    """What *session* answers to one frame with *messages*."""
    frames = [play_pb2.PlayRequest.FromString(sent) for sent in session.received(frame(*messages, sequence=sequence))]
    return [message for sent in frames for message in sent.messages]


def session(bot: Bot) -> ClientSession:
    """A session of *bot* that has said hello and can have the edition."""
    made = ClientSession(bot)
    made.edition_source = lambda game, sha256: TOML
    made.hello()
    return made


def playing(bot: Bot) -> ClientSession:
    """A session of *bot* whose match has started."""
    made = session(bot)
    answers(made, invitation(), started())
    return made


_KINDS = play_pb2.RefereeMessage.DESCRIPTOR.fields_by_name
