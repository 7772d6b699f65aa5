"""A turn: orders, price change card, dice, passing the dice, the end. Source: rules page, "A round", "End"."""

from collections.abc import Mapping
from functools import lru_cache

from tradepit_server.games.base import IllegalAction
from tradepit_server.games.long_short.actions import Buy, DayTrade, EndOfGame, Sell, Turn
from tradepit_server.games.long_short.board import Board, Roll
from tradepit_server.games.long_short.contracts import cover_all, move_goods, settle_all
from tradepit_server.games.long_short.edition import ActionCard, Moves
from tradepit_server.games.long_short.events import (
    ActionCardDrawn,
    CashMoved,
    DayTradeCardReturned,
    Ended,
    card_played,
    rolled,
)
from tradepit_server.games.long_short.orders import carry_out, judge
from tradepit_server.games.long_short.setup import take_day_trade_card
from tradepit_server.games.quoting import quote

LIMIT_POINTS = {"limit_up": 2, "limit_down": -2}
"""What a limit on the green die does to the good on the red one, in points."""

CANCELLATION_PRICE = 10_000
"""What going on after the end-of-game card costs with the option, in dollars."""


def judge_turn(board: Board, seat: int, turn: Turn) -> None:
    """Raises IllegalAction unless *seat* can take this *turn*."""
    judge(board, seat, turn.orders, (Buy, Sell))
    card = board.edition.price_card_of.get(turn.price_card) if type(turn.price_card) is str else None
    if card not in board.hands[seat]:
        raise IllegalAction(f"price change card {quote(turn.price_card)} is not in the hand")
    if type(turn.pile) is not int or not 1 <= turn.pile <= len(board.piles):
        raise IllegalAction(f"pile {quote(turn.pile)} is not one of 1 to {len(board.piles)}")


def judge_end_of_game(answer: EndOfGame) -> None:
    """Raises IllegalAction unless *answer* is a plain yes or no."""
    if type(answer.cancel) is not bool:
        raise IllegalAction(f"cancel {quote(answer.cancel)} is neither true nor false")


def take_turn(board: Board, turn: Turn) -> None:
    """The active seat's *turn*, as far as it goes without asking anybody."""
    carry_out(board, board.active, turn.orders, "order")
    _play_card(board, turn.price_card)
    _roll_dice(board, turn.pile)
    if board.decision == "turn":
        _pass_dice(board)


def _play_card(board: Board, card_id: str) -> None:
    seat = board.active
    card = board.edition.price_card_of[card_id]
    hand = board.hands[seat]
    place = hand.index(card)
    board.hands[seat] = hand[:place] + hand[place + 1 :]
    board.played.append(card)
    board.events.append(card_played(seat, card_id))
    move_goods(board, board.edition.price_cards[card].moves, "price_card")


def _roll_dice(board: Board, pile: int) -> None:
    edition = board.edition
    label = f"long-short/turn/{board.turn}"
    red = edition.red_faces[board.chance.pick(f"{label}/red", len(edition.red_faces))]
    green = edition.green_faces[board.chance.pick(f"{label}/green", len(edition.green_faces))]
    board.last_roll = Roll(board.active, red, green)
    board.events.append(rolled(board.active, edition.goods[red], green))
    if green == "action_card":
        _draw(board, pile - 1, red)
    elif green != "day_trade":
        move_goods(board, ((red, LIMIT_POINTS[green]),), "limit")
    elif board.options["day_trade_face"] == "card":
        take_day_trade_card(board, board.active, "die")


def _draw(board: Board, pile: int, red: int) -> None:
    """Carry out the top card of *pile*, from 0; an edition of one or two action cards leaves piles empty."""
    cards = board.piles[pile]
    if not cards:
        return
    card = board.edition.action_cards[cards[board.drawn[pile] % len(cards)]]
    board.drawn[pile] += 1
    board.events.append(ActionCardDrawn(board.active, pile + 1, card.id))
    _carry_out_card(board, card, red)


def _carry_out_card(board: Board, card: ActionCard, red: int) -> None:
    if card.effect == "move_goods":
        move_goods(board, _cut(board, card.moves), "action_card")
    elif card.effect == "move_rolled_good":
        move_goods(board, _cut(board, ((red, card.points),)), "action_card")
    elif card.effect == "cash":
        _pay(board, board.active, card.dollars, "action_card")
    elif card.effect == "day_trade_card":
        take_day_trade_card(board, board.active, "action_card")
    else:
        _draw_end_of_game(board)


def _cut(board: Board, moves: Moves) -> Moves:
    return _cut_to(int(board.options["max_action_points"]), moves)


@lru_cache(maxsize=1024)
def _cut_to(most: int, moves: Moves) -> Moves:
    return tuple((good, max(-most, min(most, points))) for good, points in moves)


def _pay(board: Board, seat: int, dollars: int, reason: str) -> None:
    board.cash[seat] += dollars
    board.events.append(CashMoved(seat, dollars, reason))
    cover_all(board)


def _draw_end_of_game(board: Board) -> None:
    """Ruling: the price of going on is paid from cash, so who has less is not asked."""
    cancellable = board.options["end_of_game_card"] == "cancellable"
    if cancellable and board.cash[board.active] >= CANCELLATION_PRICE:
        board.decision = "end_of_game"
    else:
        _end(board, "card")


def answer_end_of_game(board: Board, answer: EndOfGame) -> None:
    """The active seat pays and the dice are passed, or the game ends."""
    if answer.cancel:
        _pay(board, board.active, -CANCELLATION_PRICE, "cancellation")
        _pass_dice(board)
    else:
        _end(board, "card")


def _pass_dice(board: Board) -> None:
    if board.turn + 1 == board.edition.rounds * board.seats:
        _end(board, "rounds")
        return
    clockwise = (*range(board.active + 1, board.seats), *range(board.active))
    cards, positions = board.day_trade_cards, board.positions
    board.awaiting = tuple([seat for seat in clockwise if cards[seat] and positions[seat]])
    board.decision = "day_trade"
    if not board.awaiting:
        _next_turn(board)


def day_trades(board: Board, answers: Mapping[int, DayTrade]) -> None:
    """Everybody's day trades, in seat order from the active seat; sales do not move prices."""
    for seat in board.awaiting:
        if answers[seat].sales:
            board.day_trade_cards[seat] -= 1
            board.bank_day_trade_cards += 1
            board.events.append(DayTradeCardReturned(seat))
            carry_out(board, seat, answers[seat].sales, "day_trade")
    _next_turn(board)


def _next_turn(board: Board) -> None:
    board.turn += 1
    board.active = (board.active + 1) % board.seats
    board.decision = "turn"
    board.awaiting = (board.active,)


def _end(board: Board, reason: str) -> None:
    board.events.append(Ended(reason))
    settle_all(board)
    board.decision = ""
    board.awaiting = ()
