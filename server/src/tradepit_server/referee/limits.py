"""What a bot may do, in numbers. A Welcome says them all."""

from tradepit.v1 import play_pb2

FRAME_BYTES = 1024 * 1024
"""The largest frame that a bot may send. Enforced by whoever reads the stream."""

FRAME_MESSAGES = 4096
"""So many messages of a frame are heard; what comes behind them is not."""

NOTE_BYTES = 1024
"""The longest note of a decision, in bytes of UTF-8."""

HELLO_WITHIN = 10_000_000_000
"""Nanoseconds for which a stream may be open without a Hello."""

STREAMS_BEFORE_HELLO = 1000
"""Streams that one identity may have open without a Hello: as many as a bot's instances may be started at once."""

BACKLOG_BYTES = 4 * 1024 * 1024
"""A bot that leaves more than this unread or unacknowledged is disconnected."""

VAIN = 1_000_000
"""Nanoseconds for which a bot is not read from: for each message in vain, and each KiB of a frame that held one."""

VAIN_FREE = 1_000_000_000
"""Nanoseconds of this that are forgiven: answers may come late, and twice, without bad intent."""

VAIN_MOST = 10_000_000_000
"""Nanoseconds for which a bot is not read from at most."""

IDLE_MOST = 1000
"""Frames without messages that a bot may have saved up; it gains one with each message that it is sent."""

NOTICES_MOST = 100
"""Notices that a session gets: a bot that floods gets no more, however much it sends."""

_SECOND = 1_000_000_000


def to_message() -> play_pb2.Limits:
    """The limits as a Welcome says them."""
    limits = play_pb2.Limits(
        frame_bytes=FRAME_BYTES,
        note_bytes=NOTE_BYTES,
        frame_messages=FRAME_MESSAGES,
        streams_before_hello=STREAMS_BEFORE_HELLO,
        backlog_bytes=BACKLOG_BYTES,
        vain_messages_per_second=_SECOND // VAIN,
    )
    limits.hello_within.FromNanoseconds(HELLO_WITHIN)
    return limits
