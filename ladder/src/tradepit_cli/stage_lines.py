"""Tells what a spectator is shown line by line, for pipes."""

from collections.abc import Iterator

from tradepit.v1.referee_pb2 import WatchMatchResponse
from tradepit_cli.replay_rendering import plain_change
from tradepit_cli.replay_story import movement
from tradepit_cli.stage import Watched
from tradepit_cli.stage_rendering import placed
from tradepit_cli.text import plural


def lines(watched: Watched, message: WatchMatchResponse) -> Iterator[str]:
    """What *message* tells about *watched*, which has taken it; each line begins with the match's id."""
    told = {"match": _match, "snapshot": _snapshot, "over": _over}[message.WhichOneof("kind") or ""]
    for line in told(watched, message):
        yield f"{watched.match.match_id}: {line}"


def _match(watched: Watched, message: WatchMatchResponse) -> Iterator[str]:
    if message.match.matches_skipped:
        yield f"{plural(message.match.matches_skipped, 'match')} before this missed"
    bots = ", ".join(map(watched.seat, range(len(watched.match.bots))))
    yield f"{watched.playbill.title} with {bots}; shown {plural(watched.match.delay, 'decision')} late"


def _snapshot(watched: Watched, message: WatchMatchResponse) -> Iterator[str]:
    if message.snapshot.skipped:
        yield f"{plural(message.snapshot.skipped, 'moment')} missed"
    for event in message.snapshot.events:
        yield f"{event.sentence}{f' ({event.remark})' if event.remark else ''}"
    look, before = watched.look, watched.before
    if look is None:
        return
    yield f"after {plural(message.snapshot.decisions, 'decision')}, {look.clock}"
    for title, values in look.prices.items():
        if before is None or before.prices[title] != values:
            cells = zip(look.goods, values, movement(before.prices[title] if before else None, values), strict=True)
            yield f"{title}: {', '.join(f'{good} {plain_change(value, by)}' for good, value, by in cells)}"
    if before is None or before.cash != look.cash:
        cash = zip(look.cash, movement(before.cash if before else None, look.cash), strict=True)
        yield f"cash: {', '.join(f'{watched.seat(seat)} {plain_change(*each)}' for seat, each in enumerate(cash))}"


def _over(watched: Watched, message: WatchMatchResponse) -> Iterator[str]:
    if message.over.void_reason:
        yield f"over, and does not count: {message.over.void_reason}"
    for line in placed(watched, message.over):
        yield f"over: {line}"
