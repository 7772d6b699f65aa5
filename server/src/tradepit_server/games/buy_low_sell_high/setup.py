"""Setting up a match: starting player, hands, draw pile. Source: rules page, "Set-up"; labels: ``docs/chance.md``."""

from collections.abc import Sequence

from tradepit_server.games.buy_low_sell_high.board import Board
from tradepit_server.games.buy_low_sell_high.events import Dealt, Started


def set_up(board: Board) -> None:
    """Deal and draw the starting player; then its first turn is due."""
    edition = board.edition
    order = shuffled(board, "deck/1", range(len(edition.cards)))
    size = edition.hand_size
    for seat in range(board.seats):
        board.hands[seat] = tuple(sorted(order[seat * size : (seat + 1) * size]))
        board.events.append(Dealt(seat, tuple(edition.cards[card].id for card in board.hands[seat])))
    board.pile = order[: board.seats * size - 1 : -1]
    # Ruling: the starting player is drawn by chance.
    board.starting_seat = board.chance.pick("buy-low-sell-high/start", board.seats)
    board.events.append(Started(board.starting_seat))
    board.ask(board.starting_seat, "turn")


def shuffled(board: Board, name: str, cards: Sequence[int]) -> list[int]:
    """*cards* in an order drawn by chance, the first on top."""
    edition = board.edition
    ids = [edition.cards[card].id for card in cards]
    return [edition.card_of[card] for card in board.chance.shuffle(f"buy-low-sell-high/{name}", ids)]
