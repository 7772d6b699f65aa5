"""Orders for tournaments: judged before anything is stored, compared with what is stored, and restored. Pure."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from google.protobuf.json_format import MessageToDict, ParseDict

from tradepit.chance import SEED_BYTES
from tradepit.v1 import block_pb2
from tradepit_ladder.client import EntrantSpec, LadderError, TournamentOrder
from tradepit_ladder.scheduling.identifiers import NAME_RULE, is_name
from tradepit_ladder.scheduling.tables import tables

MAX_BOTS = 100
"""Bots in a round robin; with more, every two of them meet too seldom to learn from it."""

MAX_BLOCKS = 100_000
"""Blocks in a tournament: days of play, so more is a slip of the finger."""


def check_order(order: TournamentOrder) -> None:
    """Raises LadderError unless *order* can be carried out, as far as can be seen without the record."""
    check_name("game", order.game)
    if order.name is not None:
        check_name("tournament", order.name)
    _check_entrants(order)
    _check_sizes(order)
    if order.deal == block_pb2.DEAL_DUPLICATE:
        raise LadderError(
            "deal 'duplicate' is refused: a bot that sits in two matches with the same cards reads one in the other, "
            "and no bot can be isolated from itself yet"
        )
    if order.root_seed is not None and len(order.root_seed) != SEED_BYTES:
        raise LadderError(f"a root seed has {SEED_BYTES} bytes, this one has {len(order.root_seed)}")


def check_name(what: str, name: str) -> None:
    """Raises LadderError unless *name* may name a bot, a game or a tournament."""
    if not is_name(name):
        raise LadderError(f"{what} name {name!r} is refused: a name is {NAME_RULE}")


def check_command(bot: str, command: tuple[str, ...], working_directory: str) -> None:
    """Raises LadderError unless *command* could be a program and its arguments."""
    if not command or not command[0]:
        raise LadderError(f"bot {bot!r} has no command to start it with: {list(command)}")
    for text in (*command, working_directory):
        if "\0" in text or not _is_unicode(text):
            raise LadderError(f"bot {bot!r} cannot be started with {text!r}: commands and folders are Unicode text")


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _check_entrants(order: TournamentOrder) -> None:
    names = [entrant.bot for entrant in order.entrants]
    if len(names) < 2:
        raise LadderError(f"a tournament needs 2 bots or more, not {names}")
    if len(names) > MAX_BOTS:
        raise LadderError(f"a tournament has at most {MAX_BOTS} bots, not {len(names)}")
    for entrant in order.entrants:
        check_name("bot", entrant.bot)
        if names.count(entrant.bot) > 1:
            raise LadderError(f"bot {entrant.bot!r} is entered {names.count(entrant.bot)} times; once is possible")
        if not entrant.command:
            raise LadderError(_not_hosted(entrant.bot, reproducible=order.root_seed is not None))
        check_command(entrant.bot, entrant.command, entrant.working_directory)


def _not_hosted(bot: str, *, reproducible: bool) -> str:
    if reproducible:
        return f"bot {bot!r} connects by itself: a root seed makes chance known, so only bots that we start may play"
    return f"bot {bot!r} connects by itself: a tournament can only be played by bots that it starts"


def _check_sizes(order: TournamentOrder) -> None:
    bots, size = len(order.entrants), order.table_size
    if not max(2, order.min_seats) <= size <= order.max_seats:
        raise LadderError(f"table size {size}: {order.game} is played by {order.min_seats} to {order.max_seats} bots")
    if size > bots:
        raise LadderError(f"table size {size} is more than the {bots} bots of the tournament")
    if order.blocks < 1:
        raise LadderError(f"{order.blocks} blocks a table: it must be 1 or more")
    blocks = order.blocks * len(tables(bots, size))
    if blocks > MAX_BLOCKS:
        raise LadderError(f"{order.blocks} blocks a table make {blocks:,}; a tournament has at most {MAX_BLOCKS:,}")


PROGRAMS = "programs"
"""The argument of a tournament that holds the digests of its bots' files, by bot."""


def programs(order: TournamentOrder) -> dict[str, object]:
    """The digests of the bots' files, where there are any, to tell whether a bot has changed."""
    known = {entrant.bot: entrant.program_sha256 for entrant in order.entrants if entrant.program_sha256}
    return {PROGRAMS: known} if known else {}


REST = "rest"
"""The argument of a tournament that holds what else its order said, so that it can be given again."""


def rest(order: TournamentOrder) -> dict[str, object]:
    """What neither ``arguments`` nor the other columns of a tournament hold, as JSON values."""
    kept: dict[str, object] = {
        "min_seats": order.min_seats,
        "max_seats": order.max_seats,
        "time_control_name": order.time_control.name,
    }
    return {REST: kept}


def restored(
    name: str, stored: Mapping[str, Any], entrants: Sequence[EntrantSpec], edition_toml: str, root_seed: str
) -> TournamentOrder:
    """The order that the tournament *name* was begun with, from its *stored* arguments and columns.

    *root_seed* is in hex; empty: chance was drawn. Raises LadderError.
    """
    if REST not in stored:
        raise LadderError(
            f"tournament {name!r} was begun by an older version, which did not keep its whole order: "
            "go on with it by the command that began it"
        )
    kept = stored[REST]
    time_control = block_pb2.TimeControl(name=kept["time_control_name"])
    return TournamentOrder(
        game=stored["game"],
        min_seats=kept["min_seats"],
        max_seats=kept["max_seats"],
        entrants=tuple(entrants),
        blocks=stored["blocks"],
        table_size=stored["table_size"],
        options=stored["options"],
        time_control=ParseDict(stored["time_control"], time_control),
        deal=block_pb2.Deal.Value(stored["deal"]),
        edition_toml=edition_toml.encode(),
        root_seed=bytes.fromhex(root_seed) if root_seed else None,
        name=name,
    )


def in_words(value: object) -> str:
    """An argument of a tournament for a message: ``speed=high``, ``ann, bob``, ``nothing``."""
    if isinstance(value, dict):
        return ", ".join(f"{name}={in_words(each)}" for name, each in value.items()) or "nothing"
    if isinstance(value, list):
        return ", ".join(map(in_words, value))
    return str(value)


def arguments(order: TournamentOrder) -> dict[str, object]:
    """What makes two orders the same, as JSON values: everything but the name, how bots are started, and the root."""
    time_control = block_pb2.TimeControl()
    time_control.CopyFrom(order.time_control)
    time_control.name = ""  # the clocks count, not what they are called
    # By its digest, and only where there is one of its own: tournaments without keep the ids that they have.
    edition = {"edition": hashlib.sha256(order.edition_toml).hexdigest()} if order.edition_toml else {}
    return {
        **edition,
        "game": order.game,
        "bots": [entrant.bot for entrant in order.entrants],
        "blocks": order.blocks,
        "table_size": order.table_size,
        "options": dict(sorted(order.options.items())),
        "time_control": MessageToDict(time_control, preserving_proto_field_name=True),
        "deal": block_pb2.Deal.Name(order.deal or block_pb2.DEAL_INDEPENDENT),
    }
