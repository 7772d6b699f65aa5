"""The end of a year and of the game. Source: rules page, "End of a year" and "End of the game"."""

from tradepit_server.games.base import IllegalAction
from tradepit_server.games.buy_low_sell_high.actions import Discard, FinalSale
from tradepit_server.games.buy_low_sell_high.board import NONE, Board
from tradepit_server.games.buy_low_sell_high.charts import moved
from tradepit_server.games.buy_low_sell_high.edition import Card
from tradepit_server.games.buy_low_sell_high.events import ChartMoved, Discarded, DividendPaid, Ended, YearEnded
from tradepit_server.games.buy_low_sell_high.playing import draw, hand_card
from tradepit_server.games.buy_low_sell_high.setup import shuffled
from tradepit_server.games.buy_low_sell_high.trading import industry_of, sell, sell_price
from tradepit_server.games.quoting import quote


def year_is_over(board: Board) -> bool:
    """Whether all card spaces are full, or, in an edition with few cards, nobody has a card and none can be drawn."""
    if len(board.spaces) == board.edition.card_spaces[board.seats]:
        return True
    return not board.pile and not any(board.hands)


def end_year(board: Board) -> None:
    """Move the charts, pay the dividends; then the discards are due, or after the last year the final sales."""
    board.events.append(YearEnded(board.year))
    standing = standing_cards(board)
    _move_charts(board, standing)
    _pay_dividends(board, standing)
    if board.year == board.edition.years:
        _ask_for_sale(board, board.next_in_turn)
    else:
        _gather(board)
        board.ask(board.next_in_turn, "discard")


def standing_cards(board: Board) -> list[Card]:
    """The cards that count: those that no news covers."""
    return [board.edition.cards[space.card] for space in board.spaces if space.news == NONE]


def _move_charts(board: Board, standing: list[Card]) -> None:
    chart = board.edition.chart
    for industry, name in enumerate(board.edition.industries):
        if points := sum(card.points for card in standing if card.industry == industry):
            before = board.tops[industry]
            board.tops[industry] = moved(chart, before, board.stock[industry], points)
            board.events.append(ChartMoved(name, points, chart[before], chart[board.tops[industry]]))


def _pay_dividends(board: Board, standing: list[Card]) -> None:
    for industry, name in enumerate(board.edition.industries):
        number = sum(card.kind == "dividend" and card.industry == industry for card in standing)
        dividend = board.edition.dividends[number]
        for seat, shares in enumerate(board.shares):
            if dividend and shares[industry]:
                received = shares[industry] * dividend
                board.cash[seat] += received
                board.events.append(DividendPaid(seat, name, shares[industry], received))


def _gather(board: Board) -> None:
    """Ruling: every card played this year, covered cards and news included, goes into the draw pile."""
    for space in board.spaces:
        board.pile.append(space.card)
        if space.news != NONE:
            board.pile.append(space.news)
    board.spaces.clear()
    _shuffle_pile(board, f"deck/{board.year + 1}")


def _shuffle_pile(board: Board, name: str) -> None:
    board.pile = shuffled(board, name, board.pile)[::-1]


def judge_discard(board: Board, seat: int, discard: Discard) -> None:
    """Raises IllegalAction unless *seat* holds the cards of *discard*, each named once."""
    if not isinstance(discard.cards, (tuple, list)):
        raise IllegalAction(f"{quote(discard.cards)} is no list of cards")
    left = list(board.hands[seat])
    for name in discard.cards:
        left.remove(hand_card(board, left, name))


def discard_cards(board: Board, discard: Discard) -> None:
    """The active seat's exchange; when all have been asked the discards join the pile and the next year begins."""
    seat = board.active
    cards = [board.edition.card_of[name] for name in discard.cards]
    board.hands[seat] = tuple(card for card in board.hands[seat] if card not in cards)
    board.discards.extend(cards)
    board.events.append(Discarded(seat, len(cards)))
    draw(board, seat, len(cards))
    following = (seat + 1) % board.seats
    if following != board.next_in_turn:
        board.ask(following, "discard")
    else:
        _begin_year(board)


def _begin_year(board: Board) -> None:
    board.pile.extend(board.discards)
    board.discards.clear()
    _shuffle_pile(board, f"deck/{board.year + 1}/again")
    board.year += 1
    board.ask(board.next_in_turn, "turn")


def judge_final_sale(board: Board, seat: int, sale: FinalSale) -> None:
    """Raises IllegalAction unless *seat* holds a share of the industry."""
    if not board.shares[seat][industry_of(board.edition, sale.industry)]:
        raise IllegalAction(f"final sale of {sale.industry}: no share of it is held")


def best_sale(board: Board, seat: int) -> FinalSale:
    """The sale with the highest price, among equals the first in chart order."""
    held = [industry for industry, number in enumerate(board.shares[seat]) if number]
    return FinalSale(board.edition.industries[max(held, key=lambda industry: sell_price(board, industry))])


def final_sale(board: Board, sale: FinalSale) -> None:
    """The active seat's sale; then those of the others, until somebody has a choice or nobody a share."""
    sell(board, board.active, board.edition.industry_of[sale.industry], "final")
    _ask_for_sale(board, (board.active + 1) % board.seats)


def _ask_for_sale(board: Board, seat: int) -> None:
    """From *seat* on, who has no share is passed over, and who holds a single industry is not asked."""
    while any(map(any, board.shares)):
        held = [industry for industry, number in enumerate(board.shares[seat]) if number]
        if len(held) > 1:
            board.ask(seat, "final_sale")
            return
        if held:
            sell(board, seat, held[0], "final")
        seat = (seat + 1) % board.seats
    board.events.append(Ended())
    board.decision = ""
    board.awaiting = ()
