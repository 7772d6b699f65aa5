"""Charts of block elements."""

from tradepit_cli.charts import Series, panels


def test_the_scale_runs_from_the_least_to_the_greatest_of_all_series() -> None:
    lines = list(panels([Series("a", [0, 23]), Series("bb", [23, None])], width=24))
    assert lines == [
        "    23 |      ██████|",
        "       |      ██████|",
        "a    0 |▁▁▁▁▁▁██████| 23",
        "    23 |██████      |",
        "       |██████      |",
        "bb   0 |██████      | 23",
    ]


def test_equal_values_fill_the_panel_and_nothing_draws_nothing() -> None:
    assert set(next(iter(panels([Series("a", [5, 5])], 24))).partition("|")[2]) == {"█", "|"}
    assert list(panels([Series("a", [None])], 24)) == []
    assert list(panels([], 24)) == []


def test_more_values_than_columns_are_thinned_out_and_the_last_stays() -> None:
    lines = list(panels([Series("a", list(range(1000)))], width=60))
    assert all(len(line) <= 60 for line in lines)
    assert lines[0].endswith("█|")
    assert lines[2].startswith("a    0 |▁")


def test_debts_are_on_the_scale() -> None:
    lines = list(panels([Series("a", [-1000, 0])], width=30))
    assert lines[2].startswith("a  -1,000 |▁")
    assert lines[0].startswith("        0 |")
