"""Tables on terminals of every width."""

import io

from rich.console import Console

from tradepit_cli.rendering import print_table


def shown(width: int) -> list[str]:
    screen = Console(file=io.StringIO(), width=width, markup=False, highlight=False)
    print_table(screen, "Ratings", ["rank", "bot", "mean\nplacement"], [["1", "hand_reader", "1.50"]], words={1})
    assert isinstance(screen.file, io.StringIO)
    return [line.strip() for line in screen.file.getvalue().splitlines()]


def test_on_a_narrow_terminal_every_row_is_told_below_the_other_with_names_in_one_piece() -> None:
    assert shown(20) == ["Ratings", "", "rank: 1", "bot: hand_reader", "mean placement: 1.50", ""]


def test_where_it_fits_a_table_is_a_table() -> None:
    assert "1  hand_reader       1.50" in shown(40)
    assert shown(80) == shown(40)
