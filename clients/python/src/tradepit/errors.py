"""What can go wrong, as a tree; every message is one line that quotes the value::

TradepitError
+-- UsageError         options of a bot's command line that cannot be used
+-- ConnectionFailed   the referee cannot be reached, refuses the bot, or was lost
+-- ProtocolError      bytes from the referee that are no frame
+-- EditionError       an edition that the referee does not give, or gives wrongly
+-- FairnessError      a block's revealed chance disagrees with what was sent while it was played
"""


class TradepitError(Exception):
    """Anything that the client library reports about the world outside the bot."""


class UsageError(TradepitError):
    """Options of a bot's command line that cannot be used."""


class ConnectionFailed(TradepitError):
    """The referee cannot be reached, refuses the bot, or was lost."""


class ProtocolError(TradepitError):
    """Bytes from the referee that are no frame."""


class EditionError(TradepitError):
    """An edition that the referee does not give, or whose text does not have the digest announced."""


class FairnessError(TradepitError):
    """A block's revealed chance disagrees with what was sent while it was played; the message names what differs."""
