"""How a bot's process reads where it plays and as whom; what is wrong is one clear line and exit status 2."""

from pathlib import Path

import pytest
from long_short_frames import Idle

from tradepit.errors import UsageError
from tradepit.launch import Target, read_target

ENVIRONMENT = {"TRADEPIT_REFEREE": "unix:/run/referee", "TRADEPIT_TOKEN": "from-the-environment\n"}


def test_the_environment_says_where_and_as_whom() -> None:
    assert read_target("Idle", [], ENVIRONMENT) == Target("unix:/run/referee", "from-the-environment", hosted=True)


def test_options_come_first(tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text("from-a-file\n")
    options = ["--referee", "localhost:7070", "--token-file", str(token)]
    assert read_target("Idle", options, ENVIRONMENT) == Target("localhost:7070", "from-a-file", hosted=False)


@pytest.mark.parametrize(
    ("options", "environment", "line"),
    [
        ([], {}, "no referee: give --referee or set TRADEPIT_REFEREE"),
        (["--referee", "h:1"], {}, "no token: give --token-file or set TRADEPIT_TOKEN"),
        ([], {**ENVIRONMENT, "TRADEPIT_TOKEN": " \n"}, "no token"),
        (["--token-file", "/no/such/file"], ENVIRONMENT, "cannot read --token-file '/no/such/file': No such file"),
        (["--token-file", "/"], ENVIRONMENT, "cannot read --token-file '/': Is a directory"),
        (["--token-file", "/bin/true"], ENVIRONMENT, "cannot read --token-file '/bin/true': it is no text"),
        (["--refree", "h:1"], ENVIRONMENT, "unrecognized arguments: --refree h:1"),
        (["--referee"], ENVIRONMENT, "argument --referee: expected one argument"),
    ],
)
def test_what_cannot_be_used_is_quoted(options: list[str], environment: dict[str, str], line: str) -> None:
    with pytest.raises(UsageError) as raised:
        read_target("Idle", options, environment)
    assert line in str(raised.value)


@pytest.mark.parametrize("token", ["two words", "two\nlines", "tökén", "bell\x07"])
def test_a_token_that_cannot_be_one_is_refused_but_not_shown(token: str) -> None:
    with pytest.raises(UsageError) as raised:
        read_target("Idle", [], {**ENVIRONMENT, "TRADEPIT_TOKEN": token})
    assert str(raised.value) == "the token has characters that no token has"


def test_wrong_use_of_a_bot_is_one_line_and_status_2(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TRADEPIT_REFEREE", raising=False)
    with pytest.raises(SystemExit) as raised:
        Idle().run(["--token-file", "/no/such/file"])
    shown = capsys.readouterr()
    assert raised.value.code == 2
    assert shown.err.count("\n") == 1
    assert shown.err.startswith("Idle: no referee")
    assert shown.out == ""


def test_help_shows_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as raised:
        Idle().run(["--help"])
    assert raised.value.code == 0
    assert "--referee localhost:7070 --token-file token.txt" in capsys.readouterr().out
