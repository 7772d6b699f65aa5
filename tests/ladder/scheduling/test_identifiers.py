"""Names and ids."""

import pytest

from tradepit_ladder.scheduling.identifiers import block_id, is_name, match_id, reproducible_tournament_id

ROOT = bytes(range(32))


@pytest.mark.parametrize("name", ["a", "0", "hand_reader", "v1.2-rc", "x" * 40])
def test_names(name: str) -> None:
    assert is_name(name)


@pytest.mark.parametrize("name", ["", "A", "_a", ".", "-a", "a b", "a/b", "a\n", "é", "x" * 41, "a#2"])
def test_no_names(name: str) -> None:
    assert not is_name(name)


def test_ids_follow_from_one_another() -> None:
    assert block_id("cup", 3, None) == "cup/3"
    assert block_id("cup", 3, 1) == "cup/3/1"
    assert match_id("cup/3/1", 0) == "cup/3/1/0"


def test_a_reproducible_tournaments_id_follows_from_root_and_arguments() -> None:
    first = reproducible_tournament_id("toy", ROOT, "{}")
    assert first == "toy-7392b5b6b1ebd0fc"
    assert reproducible_tournament_id("toy", ROOT, "{1}") != first
    assert reproducible_tournament_id("toy", bytes(32), "{}") != first
