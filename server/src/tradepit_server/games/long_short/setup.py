"""Setting up a match: hands, piles, the start. Source: rules page, "Set-up"; labels: ``docs/chance.md``."""

from tradepit_server.games.long_short.board import Board
from tradepit_server.games.long_short.events import DayTradeCardTaken, Dealt, Started

PILES = 3


def set_up(board: Board) -> None:
    """Deal, lay the piles, roll for the start; then the starting seat's first turn is due."""
    _deal(board)
    _lay_piles(board)
    _give_initial_cards(board)
    _roll_for_start(board)
    board.decision = "turn"
    board.awaiting = (board.active,)


def take_day_trade_card(board: Board, seat: int, source: str) -> None:
    """*seat* takes a day-trade card, if the bank has one."""
    if board.bank_day_trade_cards:
        board.bank_day_trade_cards -= 1
        board.day_trade_cards[seat] += 1
        board.events.append(DayTradeCardTaken(seat, source))


def _deal(board: Board) -> None:
    edition = board.edition
    hands: list[list[int]] = [[] for _ in range(board.seats)]
    for colour, number in edition.deal.items():
        ids = [card.id for card, own in zip(edition.price_cards, edition.colours, strict=True) if own == colour]
        shuffled = board.chance.shuffle(f"long-short/price/{colour}", ids)
        for seat, hand in enumerate(hands):
            run = shuffled[seat * number : (seat + 1) * number]
            hand.extend(edition.price_card_of[card] for card in run)
    board.hands = [tuple(sorted(hand)) for hand in hands]
    for seat, cards in enumerate(board.hands):
        board.events.append(Dealt(seat, tuple(edition.price_cards[card].id for card in cards)))


def _lay_piles(board: Board) -> None:
    cards = board.edition.action_cards
    removed = board.options["end_of_game_card"] == "removed"
    ids = [card.id for card in cards if not (removed and card.effect == "end_of_game")]
    shuffled = board.chance.shuffle("long-short/action", ids)
    order = [board.edition.action_card_of[card] for card in shuffled]
    piles = []
    for size in pile_sizes(len(order)):
        piles.append(tuple(order[:size]))
        order = order[size:]
    board.piles = tuple(piles)
    board.drawn = [0] * PILES


def pile_sizes(cards: int) -> list[int]:
    """Ruling: 44 cards make piles of 15, 15 and 14: as even as possible, the larger first."""
    return [(cards + PILES - 1 - pile) // PILES for pile in range(PILES)]


def _give_initial_cards(board: Board) -> None:
    wanted = int(board.options["initial_day_trade_cards"])
    for seat in range(board.seats):
        for _ in range(min(wanted, board.edition.day_trade_cards // board.seats)):
            take_day_trade_card(board, seat, "initial")


def _roll_for_start(board: Board) -> None:
    """Ruling: in seat order from seat 0, again and again, until the green die shows a day trade."""
    faces = board.edition.green_faces
    rolls = 0
    while faces[board.chance.pick(f"long-short/start/{rolls}", len(faces))] != "day_trade":
        rolls += 1
    board.starting_seat = board.active = rolls % board.seats
    board.events.append(Started(board.starting_seat, rolls + 1))
    take_day_trade_card(board, board.starting_seat, "start")
