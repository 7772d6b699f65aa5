"""Child processes: started, watched, ended, reaped."""

import asyncio
import errno
import os
import select
import signal
import subprocess
from collections.abc import Callable, Coroutine
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

import pytest

from tradepit_server.hosting import process as module
from tradepit_server.hosting.process import HostedProcess, describe_exit

Script = Callable[[str], list[str]]
T = TypeVar("T")
ENVIRONMENT = {"PATH": os.environ["PATH"]}


def run(main: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(asyncio.wait_for(main, 30))


async def outcome(arguments: list[str], folder: str = "") -> tuple[int, str]:
    process = await HostedProcess.start(arguments, folder, ENVIRONMENT)
    return await process.ended, process.last_output


def test_a_process_leaves_its_status_and_what_it_wrote_to_both_outputs(script: Script) -> None:
    text = "import sys; print('out', flush=True); print('err', file=sys.stderr); sys.exit(3)"
    assert run(outcome(script(text))) == (3, "out\nerr\n")


def test_a_killed_process_has_a_status_below_zero(script: Script) -> None:
    assert run(outcome(script("import os; os.kill(os.getpid(), 9)"))) == (-9, "")


def test_only_the_last_4_kib_of_output_are_kept(script: Script) -> None:
    status, output = run(outcome(script("print('x' * 100_000 + 'the end', end='')")))
    assert (status, len(output), output[-7:]) == (0, 4096, "the end")


def test_a_process_that_writes_without_end_has_to_wait(script: Script) -> None:
    """A pipe holds 64 KiB; after each chunk nothing is read for 10 ms."""
    begun = monotonic()
    run(outcome(script("import os\nfor _ in range(20): os.write(1, bytes(65_536))")))
    assert monotonic() - begun > 18 * 0.01


def test_output_that_is_no_text_is_shown_as_well_as_it_goes(script: Script) -> None:
    assert run(outcome(script("import os; os.write(1, b'\\xff!')"))) == (0, "\ufffd!")


def test_a_process_has_a_session_no_input_its_folder_and_no_environment_but_what_it_is_given(
    script: Script, tmp_path: Path
) -> None:
    shell = {"PWD", "OLDPWD", "SHLVL", "_", "LC_CTYPE"}  # what sh and Python add of their own
    text = (
        "import os, sys; print(os.getsid(0) == os.getpid(), sys.stdin.read() == '', os.getcwd(),"
        f" *sorted(set(os.environ) - {shell!r}))"
    )
    assert run(outcome(script(text), str(tmp_path))) == (0, f"True True {tmp_path} PATH\n")


@pytest.mark.parametrize(
    ("arguments", "status", "complaint"),
    [
        (["no-such-program"], 127, "program 'no-such-program' is not found on the PATH"),
        (["./no-such-program"], 127, "program './no-such-program' does not exist"),
        (["./plain.txt"], 126, "program './plain.txt' is not an executable file"),
        (["./folder"], 126, "program './folder' is not an executable file"),
    ],
)
def test_a_program_that_cannot_run_has_ended_at_once_and_says_why(
    arguments: list[str], status: int, complaint: str, tmp_path: Path
) -> None:
    (tmp_path / "plain.txt").write_text("no program")
    (tmp_path / "folder").mkdir()
    assert run(outcome(arguments, str(tmp_path))) == (status, complaint)


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    folder = str(tmp_path / "gone")
    assert run(outcome(["true"], folder)) == (126, f"the working directory {folder!r} does not exist")


def test_a_file_that_the_kernel_refuses_has_ended_at_once(tmp_path: Path) -> None:
    program = tmp_path / "program"
    program.write_bytes(b"\x7fELF but not really")
    program.chmod(0o755)
    status, output = run(outcome([str(program)]))
    assert status in (126, 127)
    assert "program" in output


def test_a_machine_without_room_is_not_the_programs_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr(subprocess, "Popen", full)
    with pytest.raises(OSError, match="temporarily"):
        run(outcome(["true"]))


def test_a_process_that_leaves_by_itself_is_not_signalled(script: Script) -> None:
    async def main() -> None:
        process = await HostedProcess.start(script("pass"), "", ENVIRONMENT)
        await process.end()
        assert (await process.ended, process.signalled) == (0, False)

    run(main())


def test_sigterm_comes_first(script: Script) -> None:
    text = (
        "import signal, sys; signal.signal(signal.SIGTERM, lambda *_: sys.exit(print('caught')));"
        "print('ready', flush=True); signal.pause()"
    )

    async def main() -> None:
        process = await HostedProcess.start(script(text), "", ENVIRONMENT)
        while not process.last_output:
            await asyncio.sleep(0)
        await process.end(leave_seconds=0)
        assert (await process.ended, process.signalled) == (0, True)
        assert process.last_output == "ready\ncaught\n"

    run(main())


def test_sigkill_comes_for_a_process_that_ignores_sigterm(script: Script) -> None:
    text = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('ready', flush=True); signal.pause()"

    async def main() -> None:
        process = await HostedProcess.start(script(text), "", ENVIRONMENT)
        while not process.last_output:
            await asyncio.sleep(0)
        await process.end(leave_seconds=0, grace_seconds=0.01)
        assert await process.ended == -signal.SIGKILL

    run(main())


def test_a_process_that_has_ended_is_reaped(script: Script) -> None:
    _, output = run(outcome(script("import os; print(os.getpid())")))
    assert not Path(f"/proc/{int(output)}").exists(), "not even as a zombie"


def test_what_a_process_started_goes_with_it(script: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    # The grandchild holds the output open: without its death the end would be awaited for that long.
    monkeypatch.setattr(module, "_DRAIN_SECONDS", 1000)
    run(outcome(script("import subprocess; subprocess.Popen(['sleep', '1000'])")))


RUNAWAY = """
import os, signal, sys
ready, tell = os.pipe()
if os.fork():
    os.read(ready, 1)
    {then}
if os.fork():
    os._exit(0)
os.setsid()
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print(os.getpid(), flush=True)
os.write(tell, b"!")
signal.pause()
"""
"""Leaves a process behind whose parent is gone, with a session of its own, and then does what *then* says."""


def is_there(pid: str) -> bool:
    """Not even as a zombie otherwise."""
    return Path(f"/proc/{int(pid)}").exists()


@pytest.mark.parametrize("then", ["sys.exit()", "signal.pause()"])
def test_what_a_process_started_in_a_session_of_its_own_goes_with_it_alone(script: Script, then: str) -> None:
    """Whether it ends by itself or is made to."""

    async def main() -> None:
        other = await HostedProcess.start(script(RUNAWAY.format(then="signal.pause()")), "", ENVIRONMENT)
        while not other.last_output:
            await asyncio.sleep(0)
        process = await HostedProcess.start(script(RUNAWAY.format(then=then)), "", ENVIRONMENT)
        while not process.last_output:
            await asyncio.sleep(0)
        await process.end(30 if then == "sys.exit()" else 0, 0.01)
        assert not is_there(process.last_output)
        assert is_there(other.last_output)
        await other.end(0, 0.01)
        assert not is_there(other.last_output)

    run(main())


def test_a_process_and_what_it_started_die_with_us(script: Script) -> None:
    text = f"""
import asyncio, os, sys
from tradepit_server.hosting.process import HostedProcess
async def main():
    runaway = {RUNAWAY.format(then="signal.pause()")!r}
    process = await HostedProcess.start([sys.executable, "-c", runaway], "", dict(os.environ))
    while not process.last_output:
        await asyncio.sleep(0)
    print(process.last_output, flush=True)
    await asyncio.Event().wait()
asyncio.run(main())
"""
    with subprocess.Popen(script(text), stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        runaway = os.pidfd_open(int(parent.stdout.readline()))
        parent.kill()
        assert select.select([runaway], [], [], 30)[0], "readable when the process has ended"
        os.close(runaway)


def test_a_process_that_stops_its_keeper_is_ended_all_the_same(script: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_KEEPER_SECONDS", 1000)
    text = (
        "import os, signal; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
        "os.kill(os.getppid(), signal.SIGSTOP); print('stopped', flush=True); signal.pause()"
    )

    async def main() -> None:
        process = await HostedProcess.start(script(text), "", ENVIRONMENT)
        while not process.last_output:
            await asyncio.sleep(0)
        await process.end(0, 0.01)
        assert await process.ended == -signal.SIGKILL

    run(main())


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGUSR1, signal.SIGSEGV])
def test_a_keeper_ends_like_its_bot_whatever_signal_came_late(number: signal.Signals, script: Script) -> None:
    text = f"""
import os, signal
from tradepit_server.hosting import keeper
signal.pthread_sigmask(signal.SIG_BLOCK, keeper._SIGNALS)
os.kill(os.getpid(), signal.SIGTERM)
os.kill(os.getpid(), signal.SIGUSR1)
keeper._end_like({number:d})
"""
    assert subprocess.run(script(text), check=False).returncode == -number


@pytest.mark.parametrize(
    ("status", "output", "sentence"),
    [
        (1, "Traceback:\nValueError: no\n\n", "exit status 1: ValueError: no"),
        (0, "", "exit status 0"),
        (-9, "bye", "killed by SIGKILL: bye"),
        (-99, "", "killed by signal 99"),
        (1, "x" * 201, f"exit status 1: {'x' * 200}..."),
    ],
)
def test_an_end_is_one_sentence(status: int, output: str, sentence: str) -> None:
    assert describe_exit(status, output) == sentence
