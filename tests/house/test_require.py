"""A missing part of the system skips a test, but never under TRADEPIT_REQUIRE=all."""

from collections.abc import Callable

import pytest

Require = Callable[[object, str], object]


def test_a_part_that_is_there_is_returned(require: Require) -> None:
    assert require("/usr/bin/setpriv", "setpriv, from util-linux") == "/usr/bin/setpriv"


def test_a_missing_part_skips_and_says_what_to_install(require: Require, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TRADEPIT_REQUIRE", raising=False)
    with pytest.raises(pytest.skip.Exception, match="needs setpriv, from util-linux"):
        require(None, "setpriv, from util-linux")


def test_a_missing_part_fails_where_all_is_required(require: Require, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRADEPIT_REQUIRE", "all")
    # A skip that escaped from here would skip this very test.
    with pytest.raises((pytest.fail.Exception, pytest.skip.Exception), match="needs setpriv") as caught:
        require(None, "setpriv, from util-linux")
    assert caught.type is pytest.fail.Exception
