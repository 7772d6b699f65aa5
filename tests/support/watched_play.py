"""A block of a real game between processes, as its bots saw it and as a spectator saw it."""

import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Self

from referee_process import SPECTATOR, TIMEOUT, Call, Club, RefereeProcess

from tradepit.v1 import block_pb2, referee_pb2

RECORDER = Path(__file__).parents[1] / "bots" / "recording_bot.py"


class Arena:
    """A referee with bots that are connected. Inside ``with`` they are there."""

    def __init__(self, folder: Path, game: str, bots: Sequence[str], *options: str) -> None:
        self.folder = folder
        self.game = game
        self._bots = bots
        self._ends = ExitStack()
        self.referee = RefereeProcess(folder, bots, "--listen", f"unix:{folder}/referee", *options)
        (folder / "hall.token").write_text(f"{SPECTATOR[0][1].removeprefix('Bearer ')}\n")
        self.sessions: dict[str, str] = {}
        self._processes: list[subprocess.Popen[str]] = []

    def __enter__(self) -> Self:
        self._ends.enter_context(self.referee)
        for bot in self._bots:
            record = [sys.executable, str(RECORDER), str(self.folder / f"{bot}.seen"), self.game, bot]
            self._processes.append(self.referee.start_bot(bot, record))
        self.club = Club(self.referee.channel())
        self.sessions = self.club.sessions(len(self._bots))
        return self

    def __exit__(self, *error: Any) -> None:
        self._ends.close()

    @property
    def access(self) -> list[str]:
        """The options by which a spectator gets in."""
        return ["--referee", self.referee.addresses[0], "--token-file", str(self.folder / "hall.token")]

    def spectator(self, *words: str, **more: Any) -> "subprocess.Popen[str]":
        """``tradepit watch``, in a process of its own, that is ended with the rest."""
        command = [sys.executable, "-m", "tradepit", "watch", *self.access, *words]
        process = subprocess.Popen(command, text=True, **{"stdin": subprocess.DEVNULL, **more})
        self._ends.callback(process.wait)
        self._ends.callback(process.kill)
        return process

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Inside the block, bots do nothing, so that no match begins."""
        for process in self._processes:
            process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            for process in self._processes:
                process.send_signal(signal.SIGCONT)

    def start(self, block_id: str, edition_toml: bytes = b"") -> Call:
        """Have a block begin."""
        block = self.club.block(block_id, self.sessions, edition_toml=edition_toml)
        block.game, block.named_entrants = self.game, True
        return self.club.start(block)

    def play(self, block_id: str, edition_toml: bytes = b"") -> block_pb2.BlockResult:
        """Have a block played."""
        return self.club.result(self.start(block_id, edition_toml))

    def watch(self) -> Any:
        """Everything, for a spectator in this process who is there when this returns."""
        call: Any = self.club.stub.WatchMatch(referee_pb2.WatchMatchRequest(), metadata=SPECTATOR, timeout=TIMEOUT)
        call.initial_metadata()
        return call

    def observed(self) -> dict[str, list[bytes]]:
        """By match, the observations that bots have got so far."""
        found: dict[str, list[bytes]] = {}
        for bot in self._bots:
            for line in (self.folder / f"{bot}.seen").read_text().splitlines():
                match_id, observation = line.split()
                found.setdefault(match_id, []).append(bytes.fromhex(observation))
        return found
