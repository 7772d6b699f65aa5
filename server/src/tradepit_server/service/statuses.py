"""With which gRPC status a stream of Play ends: what a bot needs to know is whether to come back, or to stay away.

The status is given by the table below, or by gRPC itself; the sentence beside it is for people::

    OK                   the bot left, or its session is over. After a Drain: go to its address, if it names one
    UNAVAILABLE          nobody is there, or the line broke: come back, and go on with the session
    UNKNOWN, CANCELLED   the line broke: the same
    INTERNAL             the referee failed, and its sessions are gone: come back in a while
    NOT_FOUND            the session to go on with is over: come back without it, as a new one
    ABORTED              a newer stream carries the session: stay away, for two would take it from each other for ever
    RESOURCE_EXHAUSTED   the bot does not read, or sent a frame that is too large: stay away, it would happen again
    INVALID_ARGUMENT     what the bot sent is not the protocol: stay away
    FAILED_PRECONDITION  it speaks another revision of the protocol: stay away
    UNAUTHENTICATED      the token is unknown: stay away
    PERMISSION_DENIED    the token is not a bot's: stay away
"""

from collections.abc import Mapping
from types import MappingProxyType

from grpc import StatusCode

from tradepit_server.referee.endings import Ending

STATUS: Mapping[Ending, StatusCode] = MappingProxyType(
    {
        Ending.ORDERLY: StatusCode.OK,
        Ending.MISUSE: StatusCode.INVALID_ARGUMENT,
        Ending.WRONG_REVISION: StatusCode.FAILED_PRECONDITION,
        Ending.NO_SESSION: StatusCode.NOT_FOUND,
        Ending.SUPERSEDED: StatusCode.ABORTED,
        Ending.UNREAD: StatusCode.RESOURCE_EXHAUSTED,
    }
)
"""How each kind of end is told."""
