"""Rules page, "The chart"."""

from random import Random

import pytest
from buy_low_sell_high_play import Table, moments, random_match

from tradepit_server.games.buy_low_sell_high.actions import Buy, Sell
from tradepit_server.games.buy_low_sell_high.charts import below, lowest, moved
from tradepit_server.games.buy_low_sell_high.events import Bought, Sold

FIELDS = (2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30)
LAST = len(FIELDS) - 1


class Stones:
    """A chart as it lies on the table: the field that each share stands on. It knows the rules page, not the engine."""

    def __init__(self, top: int, number: int) -> None:
        self.on = [max(top - place, 0) for place in range(number)]

    def buy(self) -> int:
        """The lowest share is taken; its field."""
        return self.on.pop(self.on.index(min(self.on)))

    def sell(self) -> int:
        """The share goes on the highest empty field below the lowest share, or beside it on the first; that field."""
        self.on.append(max(min(self.on) - 1, 0))
        return self.on[-1]

    def rise(self) -> None:
        """The lowest share moves to the lowest empty field above the top share."""
        if max(self.on) < LAST:
            self.on.append(max(self.on) + 1)
            self.on.remove(min(self.on))

    def fall(self) -> None:
        """The top share moves to the highest empty field below the lowest share."""
        if min(self.on) > 0:
            self.on.append(min(self.on) - 1)
            self.on.remove(max(self.on))


@pytest.mark.parametrize("number", range(200))
def test_top_share_and_number_of_shares_tell_where_all_shares_stand(number: int) -> None:
    """Random buys, sales, rises and falls, beside stones that are moved one by one."""
    rng = Random(number)
    top, stock = rng.randint(0, LAST), rng.randint(1, 12)
    stones = Stones(top, stock)
    for _ in range(60):
        points = rng.randint(-6, 6)
        if points > 3 and stock > 1:
            assert lowest(top, stock) == stones.buy()
            stock -= 1
        elif points > 0 and stock < 12:
            assert below(top, stock) == stones.sell()
            stock += 1
        else:
            top = moved(FIELDS, top, stock, points)
            for _ in range(abs(points)):
                stones.rise() if points > 0 else stones.fall()
        assert sorted(max(top - place, 0) for place in range(stock)) == sorted(stones.on)


def test_chart_has_17_fields_from_2_to_30(table: Table) -> None:
    assert table.edition.chart == FIELDS


def test_buy_price_is_the_field_of_the_lowest_share_and_the_buyer_takes_it(table: Table) -> None:
    table.set_chart("oil", 24, 10)
    assert Bought(table.active, "oil", 6) in table.play([Buy("oil")])
    assert table.chart("oil") == (24, 9)
    assert Bought(table.active, "oil", 8) in table.play([Buy("oil")])


def test_last_share_on_a_chart_cannot_be_bought(table: Table) -> None:
    table.set_chart("oil", 24, 1)
    assert table.refused_trades(Buy("oil")) == "buy of oil: the last share on the chart cannot be bought"
    table.set_chart("oil", 24, 2)
    assert table.refused_trades(Buy("oil"), Buy("oil")).startswith("buy of oil: the last share")
    table.play([Buy("oil")])
    assert table.chart("oil") == (24, 1)


def test_last_share_can_be_bought_once_another_was_sold(table: Table) -> None:
    table.set_chart("oil", 24, 1)
    assert Sold(table.active, "oil", 22, "trade") in table.play([Sell("oil")])
    assert Bought(table.active, "oil", 22) in table.play([Buy("oil")])


def test_sale_is_to_the_highest_empty_field_below_the_lowest_share(table: Table) -> None:
    table.set_chart("oil", 24, 10)
    table.give(table.active, oil=2)
    sold = [event.received for event in table.play([Sell("oil"), Sell("oil")]) if isinstance(event, Sold)]
    assert sold == [5, 4]
    assert table.chart("oil") == (24, 12)


def test_with_the_lowest_share_on_2_a_sale_is_for_2_and_the_share_stands_beside_it(table: Table) -> None:
    table.set_chart("oil", 4, 3)
    table.give(table.active, oil=2)
    sold = [event.received for event in table.play([Sell("oil"), Sell("oil")]) if isinstance(event, Sold)]
    assert sold == [2, 2]
    assert table.chart("oil") == (4, 5)


def test_shares_beside_each_other_on_2_are_bought_for_2_one_after_another(table: Table) -> None:
    table.set_chart("oil", 4, 5)
    bought = [event.paid for event in table.play([Buy("oil"), Buy("oil")]) if isinstance(event, Bought)]
    assert bought == [2, 2]
    table.play()
    bought = [event.paid for event in table.play([Buy("oil"), Buy("oil")]) if isinstance(event, Bought)]
    assert bought == [2, 3]


@pytest.mark.parametrize(
    ("top", "shares", "points", "after"),
    [
        (24, 10, 1, 26),
        (24, 10, 2, 28),
        (24, 10, -1, 22),
        (24, 10, -3, 18),
        (5, 1, 2, 8),
        (5, 1, -2, 3),
    ],
)
def test_change_of_k_moves_k_shares(top: int, shares: int, points: int, after: int) -> None:
    """Ruling: +k moves k shares."""
    assert FIELDS[moved(FIELDS, FIELDS.index(top), shares, points)] == after


@pytest.mark.parametrize(("top", "points", "after"), [(30, 1, 30), (30, 5, 30), (28, 3, 30), (26, 2, 30)])
def test_with_the_top_share_on_30_nothing_rises(top: int, points: int, after: int) -> None:
    """Ruling: with the top share on 30 nothing rises."""
    assert FIELDS[moved(FIELDS, FIELDS.index(top), 10, points)] == after


@pytest.mark.parametrize(
    ("top", "shares", "points", "after"),
    [(4, 3, -1, 4), (4, 5, -2, 4), (5, 3, -3, 4), (2, 1, -1, 2), (24, 10, -9, 16)],
)
def test_with_the_lowest_share_on_2_nothing_falls(top: int, shares: int, points: int, after: int) -> None:
    """Ruling: with the lowest on 2 nothing falls."""
    assert FIELDS[moved(FIELDS, FIELDS.index(top), shares, points)] == after


def test_shares_beside_each_other_on_2_rise_one_by_one(table: Table) -> None:
    """Of five on 2, 2, 2, 3, 4 two rise: 2, 3, 4, 5, 6."""
    assert FIELDS[moved(FIELDS, FIELDS.index(4), 5, 2)] == 6
    table.set_chart("oil", 6, 5)
    bought = [event.paid for event in table.play([Buy("oil"), Buy("oil")]) if isinstance(event, Bought)]
    assert bought == [2, 3]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_industry_has_twelve_shares_at_every_moment(seats: int) -> None:
    for number in range(20):
        state, player = random_match(seats, number)
        for moment in moments(state, player):
            for industry, stock in enumerate(moment.stock):
                assert stock >= 1
                assert stock + sum(shares[industry] for shares in moment.shares) == 12
                assert all(shares[industry] >= 0 for shares in moment.shares)
        assert state.stock == [12, 12, 12]
