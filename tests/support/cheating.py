"""Changes of what a scripted referee sends, with which it cheats."""

from collections.abc import Callable
from typing import Any

from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import Message
from scripted_referee import Change

from tradepit.v1 import play_pb2


def in_kind(kind: str, alter: Callable[[Any], None]) -> Change:
    """Alters every message of a *kind*."""

    def change(entrant: int, message: play_pb2.RefereeMessage) -> play_pb2.RefereeMessage:
        changed = play_pb2.RefereeMessage.FromString(message.SerializeToString())
        if changed.WhichOneof("kind") == kind:
            alter(getattr(changed, kind))
        return changed

    return change


def in_observations(kind: type[Message], alter: Callable[[Any], None]) -> Change:
    """Alters every observation, which is of a *kind*."""

    def repack(request: play_pb2.DecisionRequest) -> None:
        observation = kind.FromString(request.observation.value)
        alter(observation)
        request.observation.CopyFrom(AnyMessage(value=observation.SerializeToString()))

    return in_kind("decision_request", repack)


def only_for_entrant_0(change: Change) -> Change:
    """*change*, and honesty to the others."""
    return lambda entrant, message: change(entrant, message) if entrant == 0 else message
