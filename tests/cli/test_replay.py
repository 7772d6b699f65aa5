"""``tradepit replay``: what it shows, exports and verifies."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from faulty_play import replay_of
from typer.testing import Result

from tradepit.v1 import block_pb2
from tradepit_ladder.replays import ReplayStore
from tradepit_server.replay import to_json
from tradepit_server.replay.files import packed

Cli = Callable[..., Result]
GOLDEN = Path(__file__).parents[1] / "golden"
GAMES = ["long-short", "buy-low-sell-high"]


@pytest.fixture(params=GAMES)
def replay(request: pytest.FixtureRequest) -> block_pb2.Replay:
    """A match with faults and notes."""
    return replay_of(request.param, 3, 1, trouble=0.3)


@pytest.fixture
def file(replay: block_pb2.Replay, folder: Path) -> str:
    """The match in a packed file."""
    (folder / "match.replay.zst").write_bytes(packed(replay))
    return "match.replay.zst"


def spoilt(file: str, replay: block_pb2.Replay) -> str:
    """A copy of the *file* with one more point for seat 1."""
    copy = block_pb2.Replay()
    copy.CopyFrom(replay)
    copy.result.scores[1] += 1
    Path("spoilt").write_bytes(packed(copy))
    return "spoilt"


def test_show_tells_prices_trades_faults_times_and_the_result(cli: Cli, file: str, replay: block_pb2.Replay) -> None:
    done = cli("replay", "show", file)
    assert done.exit_code == 0
    for bot in replay.bots:
        assert bot in done.stdout
    words = ["is dealt", "buys", "plays", "▲", "▼", "the default was played", "notes:", " s\n", "The end", "forfeited"]
    assert [word for word in words if word not in done.stdout] == []
    scores = [f"{score:,}" for score in replay.result.scores]
    end = done.stdout.partition("The end")[2]
    assert [score for score in scores if score not in end] == []


def test_plain_is_plain(cli: Cli, file: str) -> None:
    done = cli("replay", "show", file, "--plain")
    assert done.exit_code == 0
    assert done.stdout.isascii()
    assert "\x1b" not in done.stdout
    assert re.search(r"^== .* of seat \d \(bot-\d\)", done.stdout, re.MULTILINE)
    assert re.search(r"^seat \d bot-\d: cash -?\d+ \([+-]\d+\), holds ", done.stdout, re.MULTILINE)


@pytest.mark.parametrize("style", [[], ["--plain"], ["--plot"], ["--plain", "--plot"]], ids=" ".join)
def test_from_a_seat_nothing_of_others_shows(cli: Cli, file: str, replay: block_pb2.Replay, style: list[str]) -> None:
    """No names, notes, faults or times of others, and no card that it did not hold or see played."""
    done = cli("replay", "show", file, "--seat", "0", *style)
    assert done.exit_code == 0
    assert replay.bots[0] in done.stdout
    for other in (1, 2):
        for secret in (replay.bots[other], f"note of seat {other}", f"fault of seat {other}", f"Seat {other} is dealt"):
            assert secret not in done.stdout
    times = {f"{d.thought.ToNanoseconds() / 1e9:.3f} s" for d in replay.decisions if d.seat and d.HasField("thought")}
    mine = {f"{d.thought.ToNanoseconds() / 1e9:.3f} s" for d in replay.decisions if not d.seat}
    assert [time for time in times - mine if time in done.stdout] == []
    if "--plot" not in style:
        everything = cli("replay", "show", file, *style).stdout
        assert "note of seat 1" in everything
        assert "Seat 1 is dealt" in everything


def test_plot_draws_prices_and_cash_on_one_scale_each(cli: Cli, file: str, replay: block_pb2.Replay) -> None:
    done = cli("replay", "show", file, "--plot")
    assert done.exit_code == 0
    prices, _, cash = done.stdout.partition("Cash, moment by moment")
    assert "Prices (" in prices
    assert {"█", "▁"} <= set(prices)
    for bot, score in zip(replay.bots, replay.result.scores, strict=True):
        assert re.search(rf"{bot} .*\| {score:,}$", cash, re.MULTILINE)
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_plain_plot_is_numbers(cli: Cli, file: str, replay: block_pb2.Replay) -> None:
    done = cli("replay", "show", file, "--plot", "--plain")
    series = re.findall(r"^Cash, seat \d bot-\d: ([-\d ]+)$", done.stdout, re.MULTILINE)
    assert [int(values.split()[-1]) for values in series] == list(replay.result.scores)


def test_a_seat_that_is_not_there_is_refused(cli: Cli, file: str) -> None:
    for seat in ("3", "1000"):
        done = cli("replay", "show", file, "--seat", seat)
        assert (done.exit_code, done.stderr) == (2, f"tradepit: --seat {seat} is none of the seats 0 to 2\n")


def test_what_is_shown_of_a_spoilt_replay_ends_with_what_is_wrong(
    cli: Cli, file: str, replay: block_pb2.Replay
) -> None:
    done = cli("replay", "show", spoilt(file, replay))
    assert done.exit_code == 1
    assert "The end" in done.stdout
    assert done.stderr.startswith("tradepit: spoilt: result.scores: seat 1 has ")


def test_export_gives_the_published_json_which_verifies_too(cli: Cli, file: str, replay: block_pb2.Replay) -> None:
    done = cli("replay", "export", file)
    assert json.loads(done.stdout) == json.loads(json.dumps(to_json(replay)))
    Path("match.json").write_text(done.stdout)
    assert cli("replay", "verify", "match.json").stdout == "verified match.json\n"
    assert cli("replay", "export", "match.json").stdout == done.stdout


def test_verify_tells_of_every_file_and_repeats_the_first_that_differs(
    cli: Cli, file: str, replay: block_pb2.Replay
) -> None:
    example = str(GOLDEN / "long-short-2p.json")
    done = cli("replay", "verify", file, spoilt(file, replay), example, "nowhere")
    assert done.exit_code == 1
    lines = done.stdout.splitlines()
    assert lines[0] == f"verified {file}"
    assert lines[1].startswith("DIFFERS  spoilt: result.scores: seat 1 has ")
    assert lines[2] == f"verified {example} (absent: secret, content_sha256)"
    assert lines[3] == "DIFFERS  nowhere: cannot be read: No such file or directory"
    assert done.stderr.startswith("tradepit: 2 replays of 4 not verified; spoilt: result.scores: seat 1 has ")


def test_examples_verify(cli: Cli) -> None:
    examples = [str(path) for game in GAMES for path in GOLDEN.glob(f"{game}-*.json")]
    done = cli("replay", "verify", *examples)
    assert (done.exit_code, done.stdout.count("verified ")) == (0, 9)


@pytest.mark.parametrize("command", ["show", "export", "verify"])
@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"{}", b'{"format": "tradepit-replay/1"}', bytes(1000)])
def test_what_is_no_replay_is_one_line(cli: Cli, folder: Path, command: str, content: bytes) -> None:
    (folder / "junk").write_bytes(content)
    done = cli("replay", command, "junk")
    assert done.exit_code == 1
    assert "unexpected" not in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_folder_is_no_replay(cli: Cli, folder: Path) -> None:
    done = cli("replay", "verify", str(folder))
    assert done.exit_code == 1
    assert "Is a directory" in done.stderr


def test_a_file_of_the_ladders_is_a_replay_like_any_other(cli: Cli, folder: Path, replay: block_pb2.Replay) -> None:
    ReplayStore(folder / "replays").keep(replay.SerializeToString(deterministic=True))
    (path,) = (folder / "replays").rglob("*.replay.zst")
    assert cli("replay", "verify", str(path)).exit_code == 0


def test_notes_cannot_command_the_terminal(cli: Cli, folder: Path) -> None:
    replay: Any = replay_of("long-short", 2, trouble=0)
    replay.decisions[0].note = "\x1b[2J[bold]hi"
    (folder / "match").write_bytes(packed(replay))
    for style in ([], ["--plain"]):
        done = cli("replay", "show", "match", *style)
        assert "\x1b" not in done.stdout
        assert "\\x1b[2J[bold]hi" in done.stdout


def test_played_for_real_it_is_exported_in_both_forms_and_verified(shell: Any, folder: Path) -> None:
    assert shell("play", "buy-low-sell-high", "random", "random", "--export", "out").returncode == 0
    names = sorted(path.name for path in (folder / "out").iterdir())
    assert [name.partition(".")[2] for name in names] == ["json", "replay.zst"] * 2
    done = shell("replay", "verify", *(f"out/{name}" for name in names))
    assert (done.returncode, done.stdout.count("verified "), done.stderr) == (0, 4, "")
