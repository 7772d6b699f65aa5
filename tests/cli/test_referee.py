"""``tradepit referee`` used wrongly; how it runs is shown in tests/node/test_daemon.py."""

import shutil
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from referee_process import Club, RefereeProcess, left

TOKENS = "organiser club the-token-of-the-club\nbot ada the-token-of-ada-the-bot\n"
USE = ["referee", "--tokens", "tokens.txt"]
NOWHERE = "unix:/proc/nowhere"
"""Where nobody can listen: a referee that is told to ends at once."""

WRONG = [
    (["referee"], "--tokens"),
    (["referee", "--tokens", "missing.txt"], "--tokens 'missing.txt': No such file or directory"),
    (["referee", "--tokens", "."], "--tokens '.': Is a directory"),
    (["referee", "--tokens", "short.txt"], "--tokens 'short.txt': line 2: the token has 5 characters; 16 is the least"),
    ([*USE, "--listen", "0.0.0.0:7070"], "--listen '0.0.0.0:7070' can be reached from elsewhere"),
    ([*USE, "--listen", "localhost:0", "--listen", "[::]:0"], "give --cert and --key, or --insecure"),
    ([*USE, "--listen", "localhost"], "--listen 'localhost' is neither host:port"),
    ([*USE, "--listen", "unix:referee"], "--listen 'unix:referee' names no socket"),
    ([*USE, "--cert", "tokens.txt"], "--cert FILE --key FILE"),
    ([*USE, "--key", "tokens.txt"], "--cert FILE --key FILE"),
    ([*USE, "--cert", "a.pem", "--key", "b.pem"], "cannot read 'a.pem' and 'b.pem': No such file or directory"),
    ([*USE, "--cert", "tokens.txt", "--key", "tokens.txt"], "are no pair: not in pem form"),
    ([*USE, "--watch-delay", "49"], "--watch-delay '49' is not a whole number from 0 to 48"),
    ([*USE, "--log", "loud"], "--log 'loud' is none of warning, info, debug"),
    ([*USE, "--reconnect-to", "elsewhere"], "--reconnect-to 'elsewhere' is neither host:port"),
    ([*USE, "--reconnect-to", "unix:there"], "--reconnect-to 'unix:there' names no socket"),
    ([*USE, "--drain-seconds", "-1"], "--drain-seconds '-1' is not a whole number from 0 to 86400"),
]


@pytest.fixture(autouse=True)
def tokens(folder: Path) -> Path:
    """A file with two good lines, and one with a short token."""
    (folder / "short.txt").write_text("\nbot ada short\n")
    path = folder / "tokens.txt"
    path.write_text(TOKENS)
    path.chmod(0o600)
    return path


@pytest.mark.parametrize(("words", "said"), WRONG, ids=[" ".join(words) for words, _ in WRONG])
def test_wrong_use_is_told_in_one_line(words: list[str], said: str, cli: Any) -> None:
    # Were the use not refused, the referee would run on in this process.
    result = cli(*words, "--listen", NOWHERE)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert result.stderr.startswith("tradepit: ")
    assert result.stderr.count("\n") == 1
    assert said in result.stderr


def test_a_key_with_a_passphrase_is_not_asked_for_it(
    require: Any, shell: Callable[..., "subprocess.CompletedProcess[str]"]
) -> None:
    openssl = require(shutil.which("openssl"), "openssl")
    make = "req -x509 -newkey rsa:2048 -passout pass:secret -days 2 -subj /CN=referee -keyout key.pem -out cert.pem"
    subprocess.run([openssl, *make.split()], check=True, capture_output=True)
    done = shell(*USE, "--cert", "cert.pem", "--key", "key.pem")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "'cert.pem' and 'key.pem' are no pair: " in done.stderr


def test_an_address_that_is_taken_is_told_in_one_line(shell: Callable[..., Any]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        done = shell(*USE, "--listen", address)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"tradepit: cannot listen on '{address}'\n"


def test_who_says_insecure_may_listen_everywhere_in_the_clear(folder: Path) -> None:
    with RefereeProcess(folder, [], "--listen", "0.0.0.0:0", "--insecure") as referee:
        assert referee.addresses[0].startswith("0.0.0.0:")
        assert Club(referee.channel()).matches() == []
        referee.process.terminate()
        assert left(referee.process) == (0, "")


def test_a_file_of_tokens_that_everybody_may_read_is_warned_about(shell: Callable[..., Any], tokens: Path) -> None:
    tokens.chmod(0o644)
    done = shell(*USE, "--listen", NOWHERE)
    warning, error = done.stderr.splitlines()
    assert warning == "tradepit: warning: every user of this machine may read --tokens 'tokens.txt'"
    assert error == f"tradepit: cannot listen on '{NOWHERE}'"
