"""The suite in one call, and from a terminal."""

from collections.abc import Sequence

import pytest

from tradepit_server.testing import Check, Nonconformity, check_game, suite
from tradepit_server.testing import __main__ as terminal


def fine() -> None:
    """A check that passes."""


def broken() -> None:
    """A check that fails."""
    raise Nonconformity("seat 3 has 5 coins")


@pytest.fixture
def half_right(monkeypatch: pytest.MonkeyPatch) -> Sequence[Check]:
    """Every game passes one check and fails two."""
    checks = [Check("fine 2p", fine), Check("broken 2p", broken), Check("broken 3p", broken)]
    for module in (suite, terminal):
        monkeypatch.setattr(module, "checks", lambda game: checks)
    return checks


def test_one_call_tells_all_that_is_wrong(half_right: Sequence[Check]) -> None:
    with pytest.raises(ExceptionGroup, match="my-game does not conform: 2 checks failed") as caught:
        check_game("my-game")
    assert [error.__notes__ for error in caught.value.exceptions] == [["check: broken 2p"], ["check: broken 3p"]]


def test_the_terminal_shows_a_line_for_each_check(
    half_right: Sequence[Check], capsys: pytest.CaptureFixture[str]
) -> None:
    assert terminal.main(["check", "my-game"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "fine 2p: passed",
        "broken 2p: FAILED",
        "    Nonconformity: seat 3 has 5 coins",
        "broken 3p: FAILED",
        "    Nonconformity: seat 3 has 5 coins",
        "my-game: 2 checks failed",
    ]


@pytest.mark.parametrize("arguments", [[], ["check"], ["transcripts"], ["play", "long-short"]])
def test_wrong_use_is_told_what_can_be_used(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert terminal.main(arguments) == 2
    assert capsys.readouterr().err.startswith("usage: python -m tradepit_server.testing check GAME...")


def test_an_unknown_game_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert terminal.main(["check", "chess"]) == 2
    assert "no game 'chess' is installed" in capsys.readouterr().err
