"""Bots for the toy game by the client library.

    python library_bot.py BEHAVIOUR

The referee and the token come from the environment, as for any hosted bot.
"""

import os
import sys
from threading import Event
from typing import ClassVar

from google.protobuf.wrappers_pb2 import Int64Value

from tradepit.bot import Bot
from tradepit.match import Request


class LibraryBot(Bot):
    """Honest."""

    games: ClassVar = ("toy",)
    max_concurrent_matches = 256

    def answer(self, request: Request) -> Int64Value:
        """Name 7."""
        return Int64Value(value=7)


class Raises(LibraryBot):
    """Its author has made a mistake."""

    def answer(self, request: Request) -> Int64Value:
        """None."""
        return Int64Value(value=7 // (request.match.seats - request.match.seats))


class Waits(LibraryBot):
    """Says when it is asked, and thinks until the file that GO names is there."""

    def answer(self, request: Request) -> Int64Value:
        """The right answer, in time."""
        print("asked", flush=True)
        while not os.path.exists(os.environ["GO"]):
            Event().wait(0.01)
        return super().answer(request)


class Refuses(LibraryBot):
    """Was entered for a game that it does not play."""

    games: ClassVar = ("chess",)


BEHAVIOURS: dict[str, type[LibraryBot]] = {"library": LibraryBot, "raises": Raises, "refuses": Refuses, "waits": Waits}

if __name__ == "__main__":
    BEHAVIOURS[sys.argv[1]]().run([])
