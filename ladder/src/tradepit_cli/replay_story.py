"""A replay in words, shared by its rich and its plain form."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tradepit.v1.block_pb2 import Replay
    from tradepit_server.codecs.narration import Look
    from tradepit_server.replay.telling import Asked, Scene


class Story:
    """How a replay calls things, from one seat's knowledge (None: from everybody's)."""

    def __init__(self, replay: "Replay", seat: int | None) -> None:
        self.replay = replay
        self.seat = seat

    def bot(self, seat: int) -> str:
        """The name of the bot in *seat*; bots do not know each other's."""
        return self.replay.bots[seat] if self.seat in (None, seat) else "?"

    def heading(self) -> Iterator[str]:
        """What is played, line by line. Raises ReplayError if it cannot be."""
        from tradepit_server.replay.execution import find_plugin, start

        replay, game = self.replay, find_plugin(self.replay.game).game
        start(game, replay)
        info = game.info
        options = ", ".join(f"{name} {value}" for name, value in info.resolve(dict(replay.options)).items())
        yield f"{info.title}: {f'match {replay.match_id}' if replay.match_id else 'a match'}"
        yield f"edition {replay.edition.id}; {options or 'no options'}"
        if replay.time_control.strikes:
            yield f"time control {replay.time_control.name or 'by value'}; {_chance(replay)}"
        if self.seat is None:
            yield "; ".join(f"seat {seat} is {bot}" for seat, bot in enumerate(replay.bots))
        else:
            yield f"told from what seat {self.seat} ({self.bot(self.seat)}) knew, one of {len(replay.bots)} seats"

    def scene(self, scene: "Scene") -> str:
        """The title of a *scene*."""
        if not scene.asked:
            return "The match is set up"
        asked = ", ".join(f"{each.kind.replace('_', ' ')} of {self._who(each)}" for each in scene.asked)
        title = asked if scene.before is None else f"{scene.before.clock}: {asked}"
        return f"{title[:1].upper()}{title[1:]}"

    def _who(self, asked: "Asked") -> str:
        name = self.bot(asked.seat)
        seat = f"seat {asked.seat}" if name == "?" else f"seat {asked.seat} ({name})"
        return seat if asked.thought is None else f"{seat}, {asked.thought:.3f} s"

    def troubles(self, scene: "Scene") -> Iterator[str]:
        """What went wrong for whom."""
        for trouble in scene.troubles:
            yield f"seat {trouble.seat}: {trouble.kind.replace('_', ' ')}: {trouble.message}"
        for asked in scene.asked:
            if asked.fault:
                yield f"seat {asked.seat}: the default was played ({asked.fault.replace('_', ' ')})"

    def notes(self, scene: "Scene") -> Iterator[str]:
        """What bots noted of their decisions."""
        for asked in scene.asked:
            if asked.note:
                yield f"seat {asked.seat} notes: {asked.note}"

    def results(self) -> Iterator[list[str]]:
        """The final table, best first: seat, bot, score, placement, ending, faults, time to think."""
        from tradepit.v1.block_pb2 import Termination
        from tradepit_server.replay.base import word

        result = self.replay.result
        # As many as are told of every part: a replay that was tampered with may tell less.
        endings = zip(result.placements, result.scores, result.terminations, range(len(self.replay.bots)), strict=False)
        for placement, score, termination, seat in sorted(endings, key=lambda ending: ending[0]):
            yield [
                str(seat),
                self.bot(seat),
                f"{score:,}",
                str(placement),
                word(Termination, termination).replace("_", " "),
                self._of_seat(seat, self._faults(seat)),
                self._of_seat(seat, self._thought(seat)),
            ]

    def _of_seat(self, seat: int, text: str) -> str:
        return text if self.seat in (None, seat) else "?"

    def _faults(self, seat: int) -> str:
        return str(sum(fault.seat == seat for fault in self.replay.result.faults))

    def _thought(self, seat: int) -> str:
        """Seconds in all its decisions."""
        mine = (decision.thought.ToNanoseconds() for decision in self.replay.decisions if decision.seat == seat)
        return f"{sum(mine) / 1e9:.2f} s"


RESULT_COLUMNS = ("seat", "bot", "score", "placement", "ending", "faults", "thought")
"""Of the final table."""


def _chance(replay: "Replay") -> str:
    return "reproducible from a published seed" if replay.reproducible else "chance was drawn"


def movement(before: Sequence[int | None] | None, after: Sequence[int | None]) -> list[int]:
    """By how much each value has changed; where there was none before, by 0."""
    if before is None:
        return [0] * len(after)
    pairs = zip(before, after, strict=True)
    return [0 if old is None or new is None else new - old for old, new in pairs]


def moved_seats(before: "Look | None", after: "Look") -> list[int]:
    """The seats whose cash or holdings have changed; all, when there is nothing to compare with."""
    seats = range(len(after.cash))
    if before is None:
        return list(seats)
    return [
        seat for seat in seats if (before.cash[seat], before.holdings[seat]) != (after.cash[seat], after.holdings[seat])
    ]
