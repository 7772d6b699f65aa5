"""Edition files: the packaged one is read whole, and a wrong one is refused with key and value."""

from collections import Counter

import pytest

from tradepit_server.games.base import EditionError
from tradepit_server.games.buy_low_sell_high.edition import load
from tradepit_server.games.buy_low_sell_high.game import GAME, RECONSTRUCTED

TOML = RECONSTRUCTED.toml.decode()
INDUSTRIES = 'industries = ["oil", "technology", "retail"]'
CHART = "chart = [2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30]"
SPACES = 'card_spaces = { "2" = 7, "3" = 10, "4" = 13 }'
DIVIDENDS = "dividends = [0, 1, 2, 4, 8, 12]"


def changed(*edits: tuple[str, str]) -> bytes:
    """The packaged edition with texts replaced; each must be there."""
    text = TOML
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text.encode()


def without_cards(number: int) -> bytes:
    """The packaged edition without its last *number* cards."""
    return "[[cards]]".join(TOML.split("[[cards]]")[:-number]).encode()


def test_packaged_edition_is_the_games_first() -> None:
    assert GAME.editions == (RECONSTRUCTED,)
    assert GAME.load_edition(RECONSTRUCTED.toml) == RECONSTRUCTED
    assert RECONSTRUCTED.id == "reconstructed-1"


def test_packaged_edition_has_the_figures_of_the_rules() -> None:
    box = RECONSTRUCTED
    assert box.industries == ("oil", "technology", "retail")
    assert (box.years, box.starting_cash, box.shares_per_industry, box.starting_shares) == (3, 50, 12, 1)
    assert (box.hand_size, box.fee_per_share, box.dividends) == (5, 2, (0, 1, 2, 4, 8, 12))
    assert (box.chart[0], box.chart[-1], len(box.chart), box.chart[box.first_share_on]) == (2, 30, 17, 24)
    assert box.card_spaces == {2: 7, 3: 10, 4: 13}
    assert (box.min_seats, box.max_seats) == (2, 4)


def test_packaged_edition_has_45_cards_of_four_kinds() -> None:
    cards = RECONSTRUCTED.cards
    assert len(cards) == 45
    assert Counter(card.kind for card in cards) == {"market": 24, "dividend": 9, "expense": 5, "news": 7}
    assert Counter(card.industry for card in cards) == {0: 15, 1: 15, 2: 15}
    assert {card.points for card in cards if card.kind == "market"} == {-3, -2, -1, 1, 2, 3}
    assert {card.points for card in cards if card.kind != "market"} == {0}


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("years = 3", "years = 3\ncolour = 'red'", "colour = 'red' is not a key"),
        ("years = 3", "", "years is missing"),
        ("players = { min = 2, max = 4 }", "players = { min = 2 }", "players.max is missing"),
        ("players = { min = 2, max = 4 }", "players = { min = 2, max = 4, best = 3 }", "players.best = 3 is not a key"),
        ('industry = "oil"\n', "", "cards.0.industry is missing"),
        ('kind = "market"\n', "", "cards.0.kind is missing"),
        ('kind = "dividend"\n', 'kind = "dividend"\npoints = 1\n', "cards.6.points = 1 is not a key"),
        ('kind = "market"\n', 'kind = "market"\ncolour = 7\n', "cards.0.colour = 7 is not a key"),
    ],
)
def test_unknown_and_missing_keys_are_refused(old: str, new: str, words: str) -> None:
    with pytest.raises(EditionError, match=words):
        load(changed((old, new)))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('id = "oil-02"', 'id = "oil-01"', "cards.id = 'oil-01' stands twice"),
        (INDUSTRIES, 'industries = ["oil", "technology", "retail", "oil"]', "industries = 'oil' stands twice"),
    ],
)
def test_duplicate_ids_are_refused(old: str, new: str, words: str) -> None:
    with pytest.raises(EditionError, match=words):
        load(changed((old, new)))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('industry = "oil"', 'industry = "gas"', "cards.0.industry = 'gas' is none of: oil, technology, retail"),
        ('kind = "market"', 'kind = "bull"', "cards.0.kind = 'bull' is none of: market, dividend, expense, news"),
        (INDUSTRIES, 'industries = ["oil", "technology"]', "cards.30.industry = 'retail' is none of: oil, technology"),
    ],
)
def test_unknown_industries_and_kinds_are_refused(old: str, new: str, words: str) -> None:
    with pytest.raises(EditionError, match=words):
        load(changed((old, new)))


@pytest.mark.parametrize(
    ("points", "words"),
    [
        ("points = 0\n", "cards.0.points = 0 changes nothing"),
        ("", "cards.0.points is missing"),
        ("points = 1.5\n", "cards.0.points = 1.5 is not a whole number"),
        ("points = true\n", "cards.0.points = True is not a whole number"),
    ],
)
def test_market_card_of_zero_or_without_points_is_refused(points: str, words: str) -> None:
    with pytest.raises(EditionError, match=words):
        load(changed(("points = 1\n", points)))


@pytest.mark.parametrize(
    ("chart", "words"),
    [
        ("chart = [2, 4, 3, 24]", r"chart = \[2, 4, 3, 24\] does not rise from 4 to 3"),
        ("chart = [2, 3, 3, 24]", r"chart = \[2, 3, 3, 24\] does not rise from 3 to 3"),
        ("chart = [0, 3, 24]", "chart.0 = 0 is not from 1 to 1000000"),
        ("chart = []", r"chart = \[\] is not a list with something in it"),
        ("chart = 24", "chart = 24 is not a list with something in it"),
    ],
)
def test_chart_that_does_not_rise_is_refused(chart: str, words: str) -> None:
    with pytest.raises(EditionError, match=words):
        load(changed((CHART, chart)))


def test_first_share_that_is_not_on_the_chart_is_refused() -> None:
    with pytest.raises(EditionError, match=r"first_share_on = 23 is not on the chart \[2, 3, .*, 30\]"):
        load(changed(("first_share_on = 24", "first_share_on = 23")))


def test_first_share_too_low_for_the_shares_is_refused() -> None:
    """At a table of two, ten shares of each industry stand on ten fields: from 16 dollars down."""
    with pytest.raises(EditionError, match="first_share_on = 14 is too low: 10 shares need a field each, it has 9"):
        load(changed(("first_share_on = 24", "first_share_on = 14")))
    assert load(changed(("first_share_on = 24", "first_share_on = 16"))).first_share_on == 9


def test_shares_that_leave_none_on_a_chart_are_refused() -> None:
    with pytest.raises(EditionError, match="shares_per_industry = 4 leaves none on a chart: 4 players start with 4"):
        load(changed(("shares_per_industry = 12", "shares_per_industry = 4")))
    assert load(changed(("shares_per_industry = 12", "shares_per_industry = 5"))).shares_per_industry == 5


def test_fewer_dividends_than_dividend_cards_plus_one_are_refused() -> None:
    words = r"dividends = \[0, 1, 2, 4, 8\] are too few: oil has 5 dividend cards, which need 6"
    with pytest.raises(EditionError, match=words):
        load(changed((DIVIDENDS, "dividends = [0, 1, 2, 4, 8]")))


def test_fewer_cards_than_the_hands_of_all_players_are_refused() -> None:
    words = r"cards = 19 are too few: the hands of 4 players need 20 \(hand_size = 5\)"
    with pytest.raises(EditionError, match=words):
        load(without_cards(26))
    assert len(load(without_cards(25)).cards) == 20


@pytest.mark.parametrize(
    ("spaces", "words"),
    [
        ('card_spaces = { "2" = 7, "4" = 13 }', "card_spaces.3 is missing"),
        ('card_spaces = { "2" = 7, "3" = 10, "4" = 13, "5" = 16 }', "card_spaces.5 = 16 is not a key"),
        ('card_spaces = { "2" = 0, "3" = 10, "4" = 13 }', "card_spaces.2 = 0 is not from 1"),
        ("card_spaces = 7", "card_spaces = 7 is not a table"),
    ],
)
def test_card_spaces_missing_for_a_number_of_players_are_refused(spaces: str, words: str) -> None:
    with pytest.raises(EditionError, match=words):
        load(changed((SPACES, spaces)))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('game = "buy-low-sell-high"', 'game = "long-short"', "game = 'long-short' is none of: buy-low-sell-high"),
        ('id = "reconstructed-1"', 'id = ""', "id = '' is not a text"),
        ("years = 3", "years = 0", "years = 0 is not from 1 to 1000000"),
        ("hand_size = 5", "hand_size = 5.0", "hand_size = 5.0 is not a whole number"),
        ("starting_cash = 50", "starting_cash = -1", "starting_cash = -1 is not from 0"),
        ("fee_per_share = 2", "fee_per_share = '2'", "fee_per_share = '2' is not a whole number"),
        ("min = 2, max = 4", "min = 4, max = 3", "players.max = 3 is not from 4"),
        (DIVIDENDS, "dividends = [0, -1]", "dividends.1 = -1 is not from 0"),
        (INDUSTRIES, "industries = []", r"industries = \[\] is not a list with something in it"),
        (INDUSTRIES, 'industries = ["oil", 7]', "industries.1 = 7 is not a text"),
    ],
)
def test_values_of_the_wrong_kind_are_refused(old: str, new: str, words: str) -> None:
    with pytest.raises(EditionError, match=words):
        load(changed((old, new)))


@pytest.mark.parametrize("toml", [b"years = ", b"\xff\xfe", b"id = 1\nid = 2"])
def test_what_is_no_toml_is_refused(toml: bytes) -> None:
    with pytest.raises(EditionError, match="the edition file is no TOML"):
        load(toml)


def test_edition_of_an_owner_may_have_other_figures() -> None:
    box = load(changed(("starting_cash = 50", "starting_cash = 80"), ("years = 3", "years = 5")))
    assert (box.starting_cash, box.years) == (80, 5)
    assert box != RECONSTRUCTED
