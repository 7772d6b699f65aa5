"""What bots do wrong, and how a match then ends for their seat."""

from typing import NamedTuple, TypeAlias

from tradepit.v1 import block_pb2

Kind: TypeAlias = block_pb2.FaultKind.ValueType

TIMEOUT = block_pb2.FAULT_KIND_TIMEOUT
ILLEGAL_ACTION = block_pb2.FAULT_KIND_ILLEGAL_ACTION
MALFORMED = block_pb2.FAULT_KIND_MALFORMED
BOT_ERROR = block_pb2.FAULT_KIND_BOT_ERROR
DISCONNECTED = block_pb2.FAULT_KIND_DISCONNECTED
NO_SHOW = block_pb2.FAULT_KIND_NO_SHOW
CRASHED = block_pb2.FAULT_KIND_CRASHED

TERMINATIONS = {
    TIMEOUT: block_pb2.TERMINATION_FORFEITED_TIME,
    ILLEGAL_ACTION: block_pb2.TERMINATION_FORFEITED_ILLEGAL,
    MALFORMED: block_pb2.TERMINATION_FORFEITED_ILLEGAL,
    BOT_ERROR: block_pb2.TERMINATION_FORFEITED_ILLEGAL,
    DISCONNECTED: block_pb2.TERMINATION_FORFEITED_DISCONNECTED,
    CRASHED: block_pb2.TERMINATION_FORFEITED_DISCONNECTED,
    NO_SHOW: block_pb2.TERMINATION_FORFEITED_NO_SHOW,
}
"""How a match ends for a seat whose last strike, or loss, was of this kind."""


class Loss(NamedTuple):
    """Why a bot is lost to all the matches of a block that are not over."""

    kind: Kind
    """DISCONNECTED, CRASHED or NO_SHOW."""
    message: str
    """A sentence."""
