"""The messages with which a session answers, and what it tells the bot's author meanwhile."""

import sys
import traceback

from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import Message

from tradepit.match import Request
from tradepit.v1 import play_pb2

_REASON_CHARACTERS = 1000


def decision(request: Request, action: Message, note_bytes: int) -> play_pb2.BotMessage:
    """What the bot decided, with as much of its note as the referee takes."""
    message = play_pb2.Decision(
        match_id=request.match.match_id,
        decision_id=request.decision_id,
        action=AnyMessage(
            type_url=f"type.googleapis.com/{action.DESCRIPTOR.full_name}", value=action.SerializeToString()
        ),
    )
    if request.note:
        message.note = request.note.encode()[:note_bytes].decode(errors="ignore")
    return play_pb2.BotMessage(decision=message)


def unknown_match(message: play_pb2.DecisionRequest) -> play_pb2.BotMessage:
    """A request that belongs to no match."""
    return failure(message, f"no match {message.match_id!r} has started")


def failure(request: Request | play_pb2.DecisionRequest, reason: str) -> play_pb2.BotMessage:
    """The author's code did not decide."""
    sendable = reason[:_REASON_CHARACTERS].encode(errors="replace").decode()
    failed = play_pb2.DecisionFailure(match_id=request.match_id, decision_id=request.decision_id, reason=sendable)
    return play_pb2.BotMessage(decision_failure=failed)


def show_exception(error: Exception) -> str:
    """Show the author's mistake to the author, and return it as one line."""
    traceback.print_exception(error)
    return traceback.format_exception_only(error)[-1].strip()


def show(line: str) -> None:
    """To the bot's author, who reads standard error."""
    print(f"tradepit: {line}", file=sys.stderr, flush=True)
