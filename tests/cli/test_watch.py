"""``tradepit watch`` at a referee of its own, with bots that write down what they see."""

import os
import pty
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from referee_process import TIMEOUT
from rich.console import Console
from watched_play import Arena

from tradepit.buy_low_sell_high.v1 import buy_low_sell_high_pb2
from tradepit.launch import Target
from tradepit.long_short.v1 import long_short_pb2
from tradepit.v1 import block_pb2, referee_pb2
from tradepit_cli import stage_lines, watching
from tradepit_cli.stage import Stage
from tradepit_cli.stage_rendering import Scene
from tradepit_cli.watching import Spectator, connected
from tradepit_server.games.long_short.game import RECONSTRUCTED
from tradepit_server.replay.telling import tell

Shell = Callable[..., "subprocess.CompletedProcess[str]"]
OBSERVATIONS: dict[str, Any] = {
    "long-short": long_short_pb2.Observation,
    "buy-low-sell-high": buy_low_sell_high_pb2.Observation,
}
BOTS = {"long-short": ("random", "greedy"), "buy-low-sell-high": ("random", "value")}
DELAY = 3


class Watched(NamedTuple):
    """A block that was played, as everybody saw it."""

    game: str
    shown: list[referee_pb2.WatchMatchResponse]
    observed: dict[str, list[bytes]]
    result: block_pb2.BlockResult
    stage: Stage
    lines: list[str]
    pictures: dict[tuple[str, int], str]
    """By match and decisions."""


def drawn(stage: Stage, width: int = 100, height: int = 40) -> str:
    with open(os.devnull, "w") as nowhere:
        screen = Console(record=True, file=nowhere, width=width, height=height, markup=False, highlight=False)
        screen.print(Scene(stage))
        return screen.export_text()


@pytest.fixture(scope="module", params=list(OBSERVATIONS))
def watched(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Watched:
    """A block of each game."""
    game = request.param
    with Arena(tmp_path_factory.mktemp(game), game, BOTS[game], "--watch-delay", str(DELAY)) as arena:
        target = Target(arena.referee.addresses[0], "the-token-of-the-hall")
        with connected(target) as spectator, spectator.watch((), ()) as messages:
            stage, pictures = Stage(spectator.playbill), {}
            shown: list[referee_pb2.WatchMatchResponse] = []
            lines: list[str] = []
            result = arena.play("friday/0")
            while sum(message.HasField("over") for message in shown) < 2:
                message = next(messages)
                shown.append(message)
                match = stage.take(message)
                lines += stage_lines.lines(match, message)
                if match is stage.selected and match.decisions is not None:
                    pictures[match.match.match_id, match.decisions] = drawn(stage)
        return Watched(game, shown, arena.observed(), result, stage, lines, pictures)


def snapshots(watched: Watched, match_id: str) -> list[referee_pb2.MatchSnapshot]:
    found = (message.snapshot for message in watched.shown if message.HasField("snapshot"))
    return [snapshot for snapshot in found if snapshot.match_id == match_id]


def test_everything_shown_is_the_public_part_of_what_bots_were_shown(watched: Watched) -> None:
    """And the end of the match, which no bot is asked about. Every moment is shown, in order."""
    observation = OBSERVATIONS[watched.game]
    assert len(watched.observed) == 2
    for match_id, seen in watched.observed.items():
        publics = {observation.FromString(data).public.SerializeToString(deterministic=True) for data in seen}
        shown = [snapshot.public for snapshot in snapshots(watched, match_id)]
        assert set(shown[:-1]) == publics
        assert shown[-1] not in publics
        decisions = [snapshot.decisions for snapshot in snapshots(watched, match_id)]
        assert decisions == sorted(set(decisions))


def test_what_is_told_is_what_every_seat_saw(watched: Watched) -> None:
    """Nothing that only some saw, as the cards that they were dealt, and all the rest, each as often as it happened."""
    for replay in watched.result.replays:
        seats = [Counter(sentences(replay, seat)) for seat in range(2)]
        told = [event.sentence for snapshot in snapshots(watched, replay.match_id) for event in snapshot.events]
        assert Counter(told) == seats[0] & seats[1]
        assert seats[0] - Counter(told), "something was hidden"


def sentences(replay: block_pb2.Replay, seat: int) -> Iterator[str]:
    """What a seat saw happen."""
    return (line.sentence for scene in tell(replay, seat) for line in scene.lines)


def test_the_end_is_that_of_the_replay(watched: Watched) -> None:
    over = {message.over.match_id: message.over for message in watched.shown if message.HasField("over")}
    for replay in watched.result.replays:
        assert list(over[replay.match_id].scores) == list(replay.result.scores)
        assert list(over[replay.match_id].placements) == list(replay.result.placements)
        assert list(watched.stage.matches[replay.match_id].match.bots) == list(replay.bots)


def test_the_picture_shows_prices_cash_as_bars_events_and_who_won(watched: Watched) -> None:
    watched.stage.press("1")
    picture = drawn(watched.stage)
    match = watched.stage.selected
    assert match is not None
    assert match.look is not None
    assert match.over is not None
    assert picture.startswith(f"{match.playbill.title}, match {match.match.match_id}: {match.look.clock}")
    assert all(f" {good} " in picture for good in match.look.goods)
    assert all(title in picture for title in match.look.prices)
    scores = list(match.over.scores)
    best = scores.index(max(scores))
    rows = [line for line in picture.splitlines() if line.startswith(f" seat {best} ")]
    assert "█" * 20 in rows[0]
    assert f"{match.look.cash[best]:,}" in rows[0]
    assert f"1. seat {best} {match.match.bots[best]}: {scores[best]:,}" in picture
    assert match.events[-1].sentence in picture
    assert picture.count("\n") <= 41


def test_a_picture_of_a_moment_shows_its_events_and_how_late_it_is(watched: Watched) -> None:
    (match_id, _), *_ = watched.pictures
    for snapshot in snapshots(watched, match_id)[1:-1]:
        picture = watched.pictures[match_id, snapshot.decisions]
        decisions = "1 decision" if snapshot.decisions == 1 else f"{snapshot.decisions} decisions"
        assert f"After {decisions}, shown {DELAY} decisions late\n" in picture
        for event in list(snapshot.events)[-3:]:
            assert event.sentence in picture


def test_plain_lines_tell_the_same(watched: Watched) -> None:
    text = "\n".join(watched.lines)
    told = [event.sentence for message in watched.shown for event in message.snapshot.events]
    assert all(sentence in text for sentence in told)
    assert ": over: 1. seat " in text
    assert all(line.startswith("friday/0/") for line in watched.lines)


class Screen:
    """A terminal in which ``tradepit watch`` runs."""

    def __init__(self, arena: Arena, *words: str) -> None:
        self._keyboard, terminal = pty.openpty()
        environment = {**os.environ, "COLUMNS": "100", "LINES": "40", "TERM": "xterm"}
        files = {"stdin": terminal, "stdout": terminal, "stderr": terminal}
        self.process = arena.spectator(*words, env=environment, **files)
        os.close(terminal)
        self._text = ""

    def wait_for(self, text: str) -> None:
        """Read until *text* is shown."""
        while text not in self._text:
            self._text += os.read(self._keyboard, 1 << 16).decode(errors="replace")
        self._text = self._text.partition(text)[2]

    def press(self, keys: str) -> None:
        os.write(self._keyboard, keys.encode())

    def left(self) -> int:
        """The exit status, once everything is read."""
        with suppress(OSError):  # the terminal is gone
            while os.read(self._keyboard, 1 << 16):
                pass
        os.close(self._keyboard)
        return self.process.wait(TIMEOUT)


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    """A referee with two bots of Long Short."""
    with Arena(tmp_path_factory.mktemp("arena"), "long-short", BOTS["long-short"]) as arena:
        yield arena


def test_keys_go_from_match_to_match_and_leave(arena: Arena) -> None:
    screen = Screen(arena)
    screen.wait_for("Waiting for a match to begin.")
    arena.play("keys/0")
    screen.wait_for("2 keys/0/1 (over)")
    for key, match in (("1", 0), ("\x1b[C", 1), ("\x1b[C", 0), ("\x1b[D", 1), ("x1", 0)):
        screen.press(key)
        screen.wait_for(f"Long Short, match keys/0/{match}: round ")
    screen.press("q")
    assert screen.left() == 0


def test_ctrl_c_leaves_too(arena: Arena) -> None:
    screen = Screen(arena)
    screen.wait_for("Waiting for a match to begin.")
    screen.process.send_signal(2)
    screen.wait_for("tradepit: stopped")
    assert screen.left() == 130


def test_a_pipe_gets_plain_lines(arena: Arena) -> None:
    """Blocks are played until it has come and told one to its end."""
    spectator = arena.spectator(stdout=subprocess.PIPE)
    assert spectator.stdout is not None
    pipe = spectator.stdout.fileno()
    os.set_blocking(pipe, False)
    told = ""
    for block in count():
        arena.play(f"pipe/{block}")
        with suppress(BlockingIOError):
            told += os.read(pipe, 1 << 16).decode()
        if "over: 2. seat " in told:
            break
    spectator.stdout.close()
    assert told.startswith("pipe/")
    assert "\x1b" not in told


def test_an_edition_of_the_organisers_own_is_drawn_as_long_as_the_referee_has_it(arena: Arena) -> None:
    """Before and afterwards a match is told by its events alone."""
    toml = RECONSTRUCTED.toml.replace(b'id = "reconstructed-1"', b'id = "mine"')
    edition = block_pb2.EditionReference(id="mine", sha256=sha256(toml).digest())
    match = referee_pb2.WatchedMatch(game="long-short", edition=edition)
    with arena.paused(), connected(Target(arena.access[1], "the-token-of-the-hall")) as spectator:
        assert spectator.playbill(match) == ("Long Short", None, None)
        call = arena.start("mine/0", toml)
        while (playbill := spectator.playbill(match)).edition is None:
            pass
    assert playbill.edition.toml == toml
    assert playbill.narration is not None
    assert arena.club.result(call).replays[0].edition.id == "mine"


def test_what_goes_wrong_is_told_in_one_line(arena: Arena, shell: Shell, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.token"
    wrong.write_text("a-token-of-nobody\n")
    address, right = arena.access[1], arena.access[3]
    a_bots = str(arena.folder / "greedy.token")
    for words, line in (
        ([address, wrong], f"the referee at {address} does not accept the token: the call carries no token that this"),
        ([address, a_bots], f"the referee at {address}: this token is a bot's; only spectators and organisers watch"),
        ([address, right, "nope/0"], f"the referee at {address}: no match 'nope/0' is being played"),
        ([address, right, "--block", "nope"], f"the referee at {address}: no block 'nope' is being played"),
    ):
        referee, token, *rest = map(str, words)
        done = shell("watch", "--referee", referee, "--token-file", token, *rest)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1), done.stderr
        assert done.stderr.startswith(f"tradepit: {line}")


def test_matches_in_play_are_listed(arena: Arena, cli: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cli("watch", "--list", *arena.access).stdout == ""
    match = referee_pb2.WatchedMatch(match_id="friday/0/0", game="long-short", bots=["ada", "b\x1bob"])
    monkeypatch.setattr(Spectator, "matches", lambda self: [match])
    listed = cli("watch", "--list", *arena.access).stdout
    assert listed == "friday/0/0: long-short with seat 0 ada, seat 1 b\\x1bob\n"


def test_the_referee_that_is_not_there(cli: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TRADEPIT_TOKEN", "a-token-of-nobody")
    monkeypatch.setattr(watching, "PATIENCE_SECONDS", 0.01)
    done = cli("watch", "--referee", f"unix:{tmp_path}/nobody")
    assert (done.exit_code, done.stderr) == (1, f"tradepit: no referee at unix:{tmp_path}/nobody within 0.01 s\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "no referee: give --referee or set TRADEPIT_REFEREE"),
        (["--referee", "localhost:1"], "no token: give --token-file or set TRADEPIT_TOKEN"),
        (["--referee", "localhost:1", "--token-file", "nowhere"], "cannot read --token-file 'nowhere'"),
    ],
)
def test_wrong_use(cli: Any, monkeypatch: pytest.MonkeyPatch, words: list[str], said: str) -> None:
    monkeypatch.delenv("TRADEPIT_REFEREE", raising=False)
    monkeypatch.delenv("TRADEPIT_TOKEN", raising=False)
    result = cli("watch", *words)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert said in result.stderr
