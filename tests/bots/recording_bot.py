"""A house bot that writes down what it is shown.

    python recording_bot.py FILE GAME NAME [--referee TARGET] [--token-file FILE]

A line for each decision: the match, and the observation in hex.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

from tradepit.session import ClientSession
from tradepit.v1 import play_pb2
from tradepit_bots.__main__ import main

received = ClientSession.received


def recorded(session: ClientSession, frame: bytes) -> Iterator[bytes]:
    """Write down the requests of a frame, and go on as ever."""
    with FILE.open("a") as file:
        for message in play_pb2.PlayResponse.FromString(frame).messages:
            if message.HasField("decision_request"):
                request = message.decision_request
                print(request.match_id, request.observation.value.hex(), file=file)
    yield from received(session, frame)


if __name__ == "__main__":
    FILE = Path(sys.argv.pop(1))
    ClientSession.received = recorded  # type: ignore[method-assign,assignment]  # the point of this bot
    main()
