"""Charts of ratings."""

import pytest

from tradepit_cli.rating_chart import chart
from tradepit_ladder.rating_reports import RatingPoint

WIDTH = 60


def points(*mus: float, sigma: float = 1.0, versions: tuple[int, ...] = ()) -> list[RatingPoint]:
    known = versions or (1,) * len(mus)
    return [RatingPoint("m/0/0", 1, version, mu, sigma) for mu, version in zip(mus, known, strict=True)]


def column(lines: list[str], index: int) -> str:
    """A column of the chart from the top."""
    return "".join(line.ljust(WIDTH)[10 + index] for line in lines[:-3])


def test_a_column_is_the_mean_within_its_range() -> None:
    lines = list(chart(points(10.0, 20.0), WIDTH))
    assert lines[0].startswith("   22.00 |")
    assert lines[12].startswith("    8.00 |")
    left, right = column(lines, 0), column(lines, 1)
    assert left.strip("░ ") == right.strip("░ ") == "█"
    assert left.index("█") > right.index("█")
    assert "░█" in left
    assert left.startswith("        ")
    assert right.endswith("        ")


def test_every_version_is_marked_where_it_began() -> None:
    lines = list(chart(points(*[10.0] * 9, versions=(1, 1, 1, 1, 2, 2, 2, 2, 3)), WIDTH))
    assert lines[-3] == " version  |1  |2  |"
    assert lines[-2] == "   match  1       9"


@pytest.mark.parametrize("count", [1, 2, 49, 50, 1_000, 12_345])
def test_any_number_of_matches_fits(count: int) -> None:
    lines = list(chart(points(*map(float, range(count))), WIDTH))
    assert max(map(len, lines)) <= WIDTH
    assert lines[-2].split() == (["match", "1"] if count == 1 else ["match", "1", f"{count:,}"])


def test_of_matches_that_share_a_column_the_last_is_shown() -> None:
    lines = list(chart(points(*[0.0] * 999, 100.0), WIDTH))
    last = max(len(line) for line in lines[:-3]) - 11
    assert "█" in column(lines, last)[:3]
    assert "█" in column(lines, last - 1)[-3:]


def test_versions_that_change_with_every_match_do_not_run_out_of_the_chart() -> None:
    lines = list(chart(points(*[1.0] * 100, versions=tuple(range(1, 101))), WIDTH))
    assert max(map(len, lines)) <= WIDTH
