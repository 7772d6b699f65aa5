"""However a command ends, the user sees one line and no traceback."""

import sys
from pathlib import Path
from typing import Any

import pytest

import tradepit_server.registry
from tradepit_cli.errors import CommandError, Misuse, Stopped, told


@pytest.mark.parametrize(("error", "status"), [(CommandError, 1), (Misuse, 2), (Stopped, 130)])
def test_each_kind_of_end_has_its_exit_status(
    error: type[CommandError], status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended, told():
        raise error("seat 7 is taken")
    assert ended.value.code == status
    assert capsys.readouterr().err == "tradepit: seat 7 is taken\n"


def test_control_characters_in_a_message_never_reach_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit), told():
        raise CommandError("no bot \x1b[31mred\nline")
    assert capsys.readouterr().err == "tradepit: no bot \\x1b[31mred\\nline\n"


def _bug() -> list[str]:
    raise ZeroDivisionError("a\nbug")


def test_a_bug_is_one_line_that_says_how_to_report_it(cli: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tradepit_server.registry, "names", _bug)
    result = cli("ratings")
    assert result.exit_code == 1
    assert result.stderr.startswith("tradepit: unexpected ZeroDivisionError: a bug (")
    assert result.stderr.count("\n") == 1
    assert "TRADEPIT_DEBUG=1" in result.stderr


def test_a_bug_shows_its_traceback_when_asked_to(cli: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tradepit_server.registry, "names", _bug)
    monkeypatch.setenv("TRADEPIT_DEBUG", "1")
    assert "Traceback (most recent call last)" in cli("ratings").stderr


def test_ctrl_c_ends_with_one_line(cli: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> list[str]:
        raise KeyboardInterrupt

    monkeypatch.setattr(tradepit_server.registry, "names", interrupted)
    result = cli("ratings")
    assert (result.exit_code, result.stderr) == (130, "tradepit: stopped\n")


def test_a_node_without_the_ladder_names_the_extra(cli: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "tradepit_ladder.application", raising=False)
    monkeypatch.setitem(sys.modules, "sqlmodel", None)
    result = cli("ratings")
    assert result.exit_code == 1
    assert 'pip install "tradepit[ladder]"' in result.stderr


def test_a_home_that_cannot_be_made_is_named(cli: Any, folder: Path) -> None:
    (folder / "home").write_text("a file")
    (folder / "mine.py").touch()
    result = cli("bot", "add", "mine", "mine.py")
    assert result.exit_code == 1
    assert result.stderr.startswith("tradepit: cannot create the folder")
    assert result.stderr.count("\n") == 1
