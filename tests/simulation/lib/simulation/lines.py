"""Lines between bots and the referee: delay, order within one, loss that both ends notice at different times."""

from typing import TYPE_CHECKING, Any

from tradepit.v1 import play_pb2

if TYPE_CHECKING:
    from simulation.bots import Bot
    from simulation.world import World


class Line:
    """One stream, from the moment at which a bot opens it."""

    def __init__(self, world: "World", bot: "Bot", number: int) -> None:
        self.number = number
        self.bot = bot
        self.reserved = bot.reserved
        self.ended_by_referee = False
        self.read_after = 0
        """The instant before which the referee's shell reads nothing from it."""
        self.held: list[tuple[str, Any]] = []
        """What has arrived meanwhile."""
        self._world = world
        self._deaf = False
        """Nothing reaches the bot any more."""
        self._dumb = False
        """Nothing reaches the referee any more."""
        self._last_up = self._last_down = 0
        self._up("connect", None)

    def send(self, frame: bytes) -> None:
        """From the bot to the referee."""
        self._up("frame", frame)

    def hang_up(self) -> None:
        """The bot ends its half, in order."""
        self._up("end", "the bot ended the stream")

    def deliver(self, frame: play_pb2.PlayResponse) -> None:
        """From the referee to the bot."""
        self._down(self.bot.received, frame)

    def end(self, ending: str) -> None:
        """The referee ends the stream, behind what it has sent."""
        self.ended_by_referee = True
        self._down(self.bot.closed, ending)

    def lose(self, bot_notices: int, referee_notices: int, *, up_first: int = 0) -> None:
        """The line is lost, and with it what is on its way; the ends notice so many nanoseconds later.

        What the bot sends is lost from now on, what the referee sends only *up_first* nanoseconds later.
        """
        world = self._world
        self._dumb = True
        world.after(up_first, self._fall_deaf)
        world.after(max(bot_notices, up_first), self.bot.closed, self, "lost")
        world.after(referee_notices, world.shell.arrived, self, "end", "the line was lost")

    def _fall_deaf(self) -> None:
        self._deaf = True

    def _up(self, what: str, load: Any) -> None:
        world = self._world
        self._last_up = max(self._last_up + 1, world.now + world.delay(self.bot))
        world.at(self._last_up, self._arrive, what, load)

    def _arrive(self, what: str, load: Any) -> None:
        if not self._dumb:
            self._world.shell.arrived(self, what, load)

    def _down(self, take: Any, load: Any) -> None:
        world = self._world
        self._last_down = max(self._last_down + 1, world.now + world.delay(self.bot))
        world.at(self._last_down, self._reach, take, load)

    def _reach(self, take: Any, load: Any) -> None:
        if not self._deaf:
            take(self, load)
