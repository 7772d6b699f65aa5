"""What an author sees of Buy Low Sell High, with units, and how it prints."""

from datetime import timedelta
from typing import Any

import pytest

from tradepit.buy_low_sell_high import (
    Bought,
    BuyLowSellHighView,
    CardPlayed,
    CardsDrawn,
    Chart,
    ChartMoved,
    Dealt,
    Discarded,
    DividendPaid,
    FeeCharged,
    Sold,
    Space,
    Standing,
    Started,
    YearEnded,
)
from tradepit.buy_low_sell_high.events import KINDS
from tradepit.buy_low_sell_high.testing import Seat, Situation, view_of
from tradepit.buy_low_sell_high.v1 import buy_low_sell_high_pb2 as pb

FIELDS = (2, 3, 4, 5, 6, 8)

HAPPENED = (
    Sold(1, "oil", 6, "fee"),
    CardPlayed(0, "oil-14", "oil-12"),
    FeeCharged(0, "retail", 2, 4, 3),
)

SEEN = Situation(
    seat=1,
    year=2,
    others=[Seat(fee_owed=3, shares={"retail": 2}), Seat(hand_size=4)],
    hand=["oil-15", "technology-01", "retail-14"],
    shares={"technology": 3},
    charts={"oil": (10, 1)},
    spaces=[(0, "oil-03"), (1, "oil-12", 0, "oil-14"), (2, "oil-07"), (0, "retail-12"), (1, "oil-08")],
    events=HAPPENED,
    time_left=timedelta(seconds=2),
)


@pytest.fixture
def view() -> BuyLowSellHighView:
    """In year 2 of a game for three."""
    return view_of(SEEN)


def test_it_says_who_when_and_what_is_asked(view: BuyLowSellHighView) -> None:
    assert (view.seat, view.year, view.years_left, view.turn) == (1, 2, 1, 16)
    assert (view.active_seat, view.starting_seat) == (1, 0)
    assert view.decision == "turn"
    assert view.time_left == timedelta(seconds=2)


def test_prices_are_those_of_the_next_share(view: BuyLowSellHighView) -> None:
    assert view.charts["technology"] == Chart("technology", view.edition.fields, 13, 7)
    assert view.buy_prices == {"oil": None, "technology": 12, "retail": 10}
    assert view.sell_prices == {"oil": 8, "technology": 10, "retail": 8}
    assert view.charts["oil"].top == 10


def test_shares_are_valued_as_the_bank_would_pay_for_all_of_them(view: BuyLowSellHighView) -> None:
    """Each sold share lowers the price of the next."""
    assert view.shares == {"oil": 1, "technology": 3, "retail": 1}
    assert view.own.values == {"oil": 8, "technology": 10 + 8 + 6, "retail": 8}
    assert view.own.worth == 50 + 8 + 24 + 8


def test_the_others_are_seen_as_well(view: BuyLowSellHighView) -> None:
    first, last = view.others
    assert (first.seat, first.cash, first.fee_owed, first.hand_size) == (0, 0, 3, 5)
    assert (last.seat, last.cash, last.hand_size) == (2, 50, 4)
    assert first.worth == 8 + 10 + (8 + 6) - 3
    assert (view.cash, view.fee_owed) == (50, 0)
    assert view.seats == (first, view.own, last)


def test_the_standing_cards_add_up_and_covered_ones_do_not_count(view: BuyLowSellHighView) -> None:
    assert view.standing == {
        "oil": Standing("oil", 2, 2, 2),
        "technology": Standing("technology", 0, 0, 0),
        "retail": Standing("retail", 0, 0, 0),
    }
    covered = view_of(Situation(spaces=[(0, "oil-03", 1, "oil-14"), (0, "oil-04")]))
    assert covered.standing["oil"].points == -1


def test_spaces_show_the_news_over_a_card_and_who_played_what(view: BuyLowSellHighView) -> None:
    cards = view.cards
    assert view.spaces[:2] == (Space(cards["oil-03"], 0), Space(cards["oil-12"], 1, cards["oil-14"], 0))
    assert (view.card_spaces, view.spaces_left) == (10, 5)
    assert (view.draw_pile, view.discards) == (45 - 5 - 3 - 4 - 5 - 1, 0)


def test_the_cards_that_can_be_played_name_their_targets(view: BuyLowSellHighView) -> None:
    cards = view.cards
    assert view.playable() == {
        cards["oil-15"]: (cards["oil-03"], cards["oil-07"], cards["oil-08"]),
        cards["technology-01"]: (),
        cards["retail-14"]: (cards["retail-12"],),
    }
    assert len(view.legal_plays()) == 5


def test_the_seat_without_shares_of_an_industry_cannot_sell_it_in_the_end() -> None:
    assert view_of(Situation(decision="final_sale", shares={"oil": 0})).legal_final_sales() == ["technology", "retail"]


@pytest.mark.parametrize(
    ("top", "shares", "buy_price", "sell_price"),
    [(8, 3, 5, 4), (8, 1, None, 6), (4, 3, 2, 2), (4, 5, 2, 2), (2, 2, 2, 2)],
)
def test_a_chart_tells_both_prices(top: int, shares: int, buy_price: int | None, sell_price: int) -> None:
    chart = Chart("oil", FIELDS, FIELDS.index(top), shares)
    assert (chart.buy_price, chart.sell_price) == (buy_price, sell_price)


def test_a_chart_shows_what_would_be() -> None:
    chart = Chart("oil", FIELDS, 3, 2)
    assert (chart.bought().shares, chart.sold().shares) == (1, 3)
    assert [chart.moved(points).top for points in (-9, -2, -1, 1, 2, 9)] == [3, 3, 4, 6, 8, 8]
    assert chart.sale_value(3) == 3 + 2 + 2
    with pytest.raises(ValueError, match="the last share of oil cannot be bought"):
        chart.bought().bought()


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (Dealt(0, ("oil-01", "oil-02")), "seat 0 is dealt oil-01, oil-02"),
        (Started(1), "seat 1 begins"),
        (Bought(0, "oil", 6), "seat 0 buys oil for 6 $"),
        (Sold(1, "oil", 6, "fee"), "seat 1 sells oil for 6 $ (fee)"),
        (CardPlayed(0, "oil-01", ""), "seat 0 plays oil-01"),
        (CardPlayed(0, "oil-14", "oil-01"), "seat 0 plays oil-14 over oil-01"),
        (FeeCharged(0, "oil", 2, 4, 0), "seat 0 is charged 4 $ for 2 oil"),
        (FeeCharged(0, "oil", 2, 4, 3), "seat 0 is charged 4 $ for 2 oil; it owes 3 $"),
        (CardsDrawn(0, 1), "seat 0 draws 1 card"),
        (YearEnded(2), "year 2 ends"),
        (ChartMoved("oil", 3, 28, 30), "oil moves by +3: the top share from 28 $ to 30 $"),
        (DividendPaid(0, "oil", 2, 8), "seat 0 gets a dividend of 8 $ for 2 oil"),
        (Discarded(1, 0), "seat 1 discards 0 cards"),
    ],
)
def test_events_are_typed_and_print_as_sentences(event: Any, sentence: str) -> None:
    assert view_of(Situation(events=[event])).events == (event,)
    assert str(event) == sentence


def test_every_kind_of_event_of_the_schema_can_be_read() -> None:
    for field in pb.Event.DESCRIPTOR.oneofs_by_name["kind"].fields:
        message = pb.Event()
        getattr(message, field.name).SetInParent()
        (event,) = KINDS.read([message])
        assert str(event)
        assert KINDS.message(event).WhichOneof("kind") == field.name


PRINTED = """\
Buy Low Sell High, year 2 of 3, turn 16; you are seat 1, asked for: turn
time left: 2 s
industry            oil  technology      retail
buy $                 -          12          10
sell $                8          10           8
top share $          10          24          24
in the bank           1           7           8
will move            +2          +0          +0
dividend $            2           0           0
your hand:
  oil-15 (oil news) over oil-03, oil-07, oil-08
  technology-01 (technology market +1)
  retail-14 (retail news) over retail-12
  seat 0: worth 29 $, cash 0 $, owes 3 $, 5 cards, \
1 oil (worth 8 $), 1 technology (worth 10 $), 2 retail (worth 14 $)
* seat 1: worth 90 $, cash 50 $, 3 cards, 1 oil (worth 8 $), 3 technology (worth 24 $), 1 retail (worth 8 $)
  seat 2: worth 76 $, cash 50 $, 4 cards, 1 oil (worth 8 $), 1 technology (worth 10 $), 1 retail (worth 8 $)
card spaces taken, 5 of 10: \
oil-03 (seat 0), oil-12 (seat 1) under oil-14 (seat 0), oil-07 (seat 2), retail-12 (seat 0), oil-08 (seat 1)
draw pile of 27 cards
since your last decision:
  seat 1 sells oil for 6 $ (fee)
  seat 0 plays oil-14 over oil-12
  seat 0 is charged 4 $ for 2 retail; it owes 3 $"""


def test_a_view_prints_itself_as_a_table_and_sentences(view: BuyLowSellHighView) -> None:
    assert str(view) == PRINTED


def test_a_view_prints_what_is_not_there_in_words() -> None:
    broke = Seat(shares={"oil": 0, "technology": 0, "retail": 0})
    text = str(view_of(Situation(decision="discard", hand=(), discards=1, others=[broke])))
    for words in ("your hand is empty", "7: none", ", 1 discard set aside", "no shares", "nothing has happened"):
        assert words in text


def test_the_pieces_of_a_view_print_themselves(view: BuyLowSellHighView) -> None:
    assert repr(view) == "<BuyLowSellHighView seat 1, turn in year 2, turn 16>"
    assert str(view.charts["oil"]) == "oil: no share to buy, sell for 8 $ (1 share from 10 $ down)"
    assert str(view.charts["retail"]) == "retail: buy for 10 $, sell for 8 $ (8 shares from 24 $ down)"
    assert str(view.standing["oil"]) == "oil: +2, dividend 2 $"
    assert str(view.cards["oil-03"]) == "oil-03 (oil market +2)"
    assert repr(view.edition) == "<Buy Low Sell High edition 'reconstructed-1'>"
