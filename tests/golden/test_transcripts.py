"""Whole matches of every registered game read as they did: `make golden` writes them anew."""

from itertools import zip_longest
from pathlib import Path

import pytest

from tradepit_server import registry
from tradepit_server.testing import Case, cases, find, transcript
from tradepit_server.testing.transcripts import write

GOLDEN = Path(__file__).parent
MATCHES = [pytest.param(game, case, id=f"{game} {case}") for game in registry.names() for case in cases(find(game))]


def first_difference(found: str, known: str) -> str:
    """The first lines that differ; empty when there are none."""
    for number, (new, old) in enumerate(zip_longest(found.splitlines(), known.splitlines()), 1):
        if new != old:
            return f"line {number} is\n{new}\nand was\n{old}\n`make golden` writes it anew"
    return ""


@pytest.mark.parametrize(("game", "case"), MATCHES)
def test_it_reads_as_it_did(game: str, case: Case) -> None:
    path = GOLDEN / game / f"{case}.txt"
    assert path.exists(), f"there is no {path.relative_to(GOLDEN)}: `make golden` writes it"
    known = path.read_text(encoding="utf-8")
    assert first_difference(transcript(find(game), case), known) == ""


def test_every_transcript_is_of_a_registered_game() -> None:
    expected = {f"{game}/{case}.txt" for game in registry.names() for case in cases(find(game))}
    assert {str(path.relative_to(GOLDEN)) for path in GOLDEN.glob("*/*.txt")} == expected


def test_a_changed_line_is_shown() -> None:
    assert first_difference("one\ntwo\n", "one\ntwo\n") == ""
    assert first_difference("one\ntwo\n", "one\nthree\n").startswith("line 2 is\ntwo\nand was\nthree\n")
    assert first_difference("one\n", "one\ntwo\n").startswith("line 2 is\nNone\nand was\ntwo\n")


def test_writing_removes_what_is_no_longer_played(tmp_path: Path) -> None:
    subject = find("long-short")
    (tmp_path / "9p-classic.txt").write_text("old")
    write(subject, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(f"{case}.txt" for case in cases(subject))
