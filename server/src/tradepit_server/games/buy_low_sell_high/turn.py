"""A turn: trades or sales for a fee, then cards. Source: rules page, "A turn"."""

from tradepit_server.games.buy_low_sell_high.actions import Turn
from tradepit_server.games.buy_low_sell_high.board import Board
from tradepit_server.games.buy_low_sell_high.playing import draw, judge_cards, play_cards
from tradepit_server.games.buy_low_sell_high.trading import judge_fee_sales, judge_trades, sell_for_fee, trade
from tradepit_server.games.buy_low_sell_high.years import end_year, year_is_over


def judge_turn(board: Board, seat: int, turn: Turn) -> None:
    """Raises IllegalAction unless *seat* can take this *turn*."""
    judge_trades(board, seat, turn.trades)
    judge_fee_sales(board, seat, turn.fee_sales)
    judge_cards(board, seat, turn.cards)


def take_turn(board: Board, turn: Turn) -> None:
    """The active seat's *turn*; when it was the year's last, the year ends."""
    seat = board.active
    if board.cash[seat] < 0:
        sell_for_fee(board, seat, turn.fee_sales)
    else:
        trade(board, seat, turn.trades)
    play_cards(board, seat, turn.cards)
    draw(board, seat, board.edition.hand_size - len(board.hands[seat]))
    board.turn += 1
    if year_is_over(board):
        end_year(board)
    else:
        board.ask(board.next_in_turn, "turn")
