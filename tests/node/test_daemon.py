"""``tradepit referee`` for real: it, its bots and its organiser are processes of their own."""

import itertools
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from referee_process import TIMEOUT, Call, Club, RefereeProcess, left

from tradepit.v1 import block_pb2
from tradepit_server.games.long_short.game import RECONSTRUCTED
from tradepit_server.replay import execute

COMPLETE, VOID = block_pb2.BLOCK_OUTCOME_COMPLETE, block_pb2.BLOCK_OUTCOME_VOID

THINKER = """
from threading import Event
from tradepit.long_short import LongShortBot

class Thinker(LongShortBot):
    def take_turn(self, view):
        print("asked", flush=True)
        Event().wait()

Thinker().run()
"""
"""Says when it is asked, and never answers."""


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., RefereeProcess]]:
    """``start("ada", "--listen", ...)``: a ready referee with tokens for bots, the words without a dash."""
    started: list[RefereeProcess] = []

    def start(*words: str, prelude: str = "") -> RefereeProcess:
        bots = list(itertools.takewhile(lambda word: not word.startswith("-"), words))
        options = words[len(bots) :] or ("--listen", f"unix:{tmp_path}/referee")
        started.append(RefereeProcess(tmp_path, bots, *options, prelude=prelude))
        return started[-1].__enter__()

    yield start
    for process in started:
        process.__exit__(None, None, None)


def thinking(referee: RefereeProcess, club: Club) -> tuple[Call, list[Any]]:
    """A block that never ends by itself, as soon as it runs; and its bots."""
    program = referee.folder / "thinker.py"
    program.write_text(THINKER)
    bots: list[Any] = [referee.start_bot("thinker", [sys.executable, str(program)]), referee.start_house_bot("random")]
    call = club.start(club.block("test/0", club.sessions(2), "training"))
    assert bots[0].stdout.readline() == "asked\n"
    return call, bots


def test_twenty_blocks_between_bots_that_connected_by_themselves(start: Callable[..., RefereeProcess]) -> None:
    referee = start("random", "greedy", "passive")
    bots = [referee.start_house_bot(name) for name in ("random", "greedy", "passive")]
    club = Club(referee.channel())
    sessions = club.sessions(3)
    calls = [club.start(club.block(f"test/{index}", sessions)) for index in range(20)]
    results = [club.result(call) for call in calls]
    assert [(result.outcome, len(result.replays)) for result in results] == [(COMPLETE, 3)] * 20
    for replay in (replay for result in results for replay in result.replays):
        assert sorted(replay.bots) == ["greedy", "passive", "random"]
        assert not replay.result.faults
        assert execute(replay).scores == list(replay.result.scores)
    referee.process.terminate()
    assert [left(bot) for bot in bots] == [(0, "tradepit: the referee is going away\n")] * 3
    assert left(referee.process) == (0, "")
    assert not (referee.folder / "referee").exists(), "the socket goes with it"


def organiser_of_the_documents(referee: RefereeProcess) -> list[str]:
    """The command that has a block played between two bots."""
    text = (Path(__file__).parents[2] / "docs" / "run-a-referee.md").read_text()
    (program,) = re.findall(r"^```python\n# organise.py\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [sys.executable, "-W", "error", "-c", program, referee.addresses[0], "the-token-of-the-club", "2"]


def test_the_organiser_of_the_documents_has_a_block_played(start: Callable[..., RefereeProcess]) -> None:
    referee = start("random", "greedy")
    for name in ("random", "greedy"):
        referee.start_house_bot(name)
    words = organiser_of_the_documents(referee)
    done = subprocess.run(words, capture_output=True, text=True, timeout=TIMEOUT, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["friday/0/1/0", "friday/0/1/1"]
    assert all("'greedy': " in line and "'random': " in line for line in done.stdout.splitlines())


def test_an_edition_of_the_organisers_own_reaches_bots_and_replays(start: Callable[..., RefereeProcess]) -> None:
    referee = start("random", "greedy")
    for name in ("random", "greedy"):
        referee.start_house_bot(name)
    club = Club(referee.channel())
    toml = RECONSTRUCTED.toml.replace(b"= 10000 ", b"= 12345 ")
    result = club.result(club.start(club.block("test/0", club.sessions(2), edition_toml=toml)))
    assert [replay.edition_toml for replay in result.replays] == [toml, toml]
    assert not any(replay.result.faults for replay in result.replays)


def test_sigterm_lets_a_block_go_on_for_so_long_and_then_voids_it(start: Callable[..., RefereeProcess]) -> None:
    referee = start("thinker", "random", "--listen", "localhost:0", "--drain-seconds", "1")
    club = Club(referee.channel())
    call, bots = thinking(referee, club)
    referee.process.terminate()
    result = club.result(call)
    reason = "infrastructure: the referee went away, and gave it no more than 1 seconds"
    assert (result.outcome, result.reason) == (VOID, reason)
    assert left(referee.process) == (0, "")
    assert left(bots[1])[0] == 0


def test_bots_go_where_a_referee_that_goes_away_sends_them(
    start: Callable[..., RefereeProcess], tmp_path: Path
) -> None:
    there = start("random", "--listen", f"unix:{tmp_path}/there")
    here = start("random", "--listen", f"unix:{tmp_path}/here", "--reconnect-to", there.addresses[0])
    here.start_house_bot("random")
    assert Club(here.channel()).sessions(1)
    here.process.terminate()
    assert left(here.process) == (0, "")
    assert list(Club(there.channel()).sessions(1)) == ["random"]


def test_who_has_a_block_played_by_a_referee_that_is_killed_sees_it_void(start: Callable[..., RefereeProcess]) -> None:
    referee = start("thinker", "random")
    program = referee.folder / "thinker.py"
    program.write_text(THINKER)
    bot = referee.start_bot("thinker", [sys.executable, str(program)])
    referee.start_house_bot("random")
    words = organiser_of_the_documents(referee)
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as organiser:
        assert bot.stdout is not None
        assert bot.stdout.readline() == "asked\n"
        referee.process.kill()
        status, told = left(organiser)
    assert status == 1
    assert told.startswith("friday/0/1 is void: the referee is lost: ")
    assert told.count("\n") == 1


def test_a_call_at_a_referee_that_is_killed_ends_as_unavailable(start: Callable[..., RefereeProcess]) -> None:
    referee = start("thinker", "random")
    call, _ = thinking(referee, Club(referee.channel()))
    referee.process.kill()
    with pytest.raises(grpc.RpcError) as caught:
        list(call)
    assert caught.value.code() is grpc.StatusCode.UNAVAILABLE


def test_the_log_has_a_line_for_each_block(start: Callable[..., RefereeProcess], tmp_path: Path) -> None:
    referee = start("random", "greedy", "--listen", f"unix:{tmp_path}/referee", "--log", "info")
    for name in ("random", "greedy"):
        referee.start_house_bot(name)
    club = Club(referee.channel())
    club.result(club.start(club.block("test/0", club.sessions(2))))
    referee.process.terminate()
    (line,) = left(referee.process)[1].splitlines()
    number = r"[0-9]+\.[0-9]+"
    overhead = f"mean {number} ms, 99% within {number} ms, longest {number} ms"
    assert re.search(f" block test/0: complete, 2 matches; from answer to next request: {overhead}$", line), line


def test_a_second_signal_ends_the_blocks_at_once(start: Callable[..., RefereeProcess]) -> None:
    referee = start("thinker", "random", "--listen", "localhost:0", "--drain-seconds", "86400")
    club = Club(referee.channel())
    call, bots = thinking(referee, club)
    referee.process.send_signal(signal.SIGINT)
    assert bots[1].stderr.readline() == "tradepit: the referee is going away\n"
    referee.process.terminate()
    result = club.result(call)
    assert (result.outcome, result.reason) == (VOID, "infrastructure: the referee was told twice to go away")
    assert left(referee.process) == (0, "")


def test_a_core_that_fails_ends_it_with_status_1_and_one_line_behind_the_log(
    start: Callable[..., RefereeProcess],
) -> None:
    prelude = "from tradepit_server.referee import Referee\nReferee.received = lambda *_: 1 // 0\n"
    referee = start("random", prelude=prelude)
    bot = referee.start_house_bot("random")
    status, told = left(referee.process)
    assert status == 1
    assert told.splitlines()[-1].startswith("tradepit: the referee failed: ZeroDivisionError(")
    assert left(bot)[0] == 1


@pytest.fixture
def certificate(tmp_path: Path, require: Any) -> tuple[str, str]:
    """The files of a certificate for 127.0.0.1 and of its key."""
    openssl = require(shutil.which("openssl"), "openssl")
    cert, key = str(tmp_path / "cert.pem"), str(tmp_path / "key.pem")
    words = "req -x509 -nodes -newkey ec -pkeyopt ec_paramgen_curve:P-256 -days 2 -subj /CN=referee"
    names = ["-addext", "subjectAltName=IP:127.0.0.1"]
    subprocess.run([openssl, *words.split(), *names, "-keyout", key, "-out", cert], check=True, capture_output=True)
    return cert, key


def test_what_others_can_reach_speaks_tls_and_nothing_else(
    start: Callable[..., RefereeProcess], certificate: tuple[str, str]
) -> None:
    cert, key = certificate
    socket_address = f"unix:{Path(cert).parent}/referee"
    addresses = ["--listen", socket_address, "--listen", "0.0.0.0:0", "--cert", cert, "--key", key]
    referee = start("random", "greedy", *addresses)
    # As gRPC writes it: in this form no client takes it for an address that needs no TLS.
    remote = f"ipv4:127.0.0.1:{referee.addresses[1].rpartition(':')[2]}"
    for name in ("random", "greedy"):
        referee.start_house_bot(name, remote, GRPC_DEFAULT_SSL_ROOTS_FILE_PATH=cert)
    club = Club(referee.channel())
    assert club.result(club.start(club.block("test/0", club.sessions(2)))).outcome == COMPLETE
    with grpc.insecure_channel(remote) as plain, pytest.raises(grpc.RpcError) as refused:
        Club(plain).sessions(0)
    assert refused.value.code() == grpc.StatusCode.UNAVAILABLE


def test_a_unix_socket_on_which_somebody_listens_is_not_taken_away(start: Callable[..., RefereeProcess]) -> None:
    first = start("random")
    with pytest.raises(AssertionError) as second:
        start("random")
    assert str(second.value) == f"tradepit: cannot listen on '{first.addresses[0]}': somebody does already\n"
    first.start_house_bot("random")
    assert Club(first.channel()).sessions(1)


def test_a_unix_socket_that_was_left_behind_is_replaced(start: Callable[..., RefereeProcess], tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(tmp_path / "referee"))
    referee = start("random")
    referee.start_house_bot("random")
    assert Club(referee.channel()).sessions(1)
