"""What becomes of contracts once they are bought: sale, settlement, covering. Source: rules page, "Movement ..."."""

from tradepit_server.games.long_short.board import Board
from tradepit_server.games.long_short.events import CashMoved, PriceReset, Sold, price_moved


def sell(board: Board, seat: int, field: int, contracts: int, reason: str) -> None:
    """Sell *contracts* on *field* at the current level; the cash may fall below zero."""
    level = board.levels[field // (2 * board.edition.span)]
    received = contracts * board.edition.value(field, level)
    board.cash[seat] += received
    remove(board.positions[seat], field, contracts)
    good, side, entry_level = board.edition.name_field(field)
    board.events.append(Sold(seat, good, side, entry_level, level, contracts, received, reason))


def remove(positions: dict[int, int], field: int, contracts: int) -> None:
    """Take *contracts*, at most all, off *field*."""
    left = positions[field] - contracts
    if left:
        positions[field] = left
    else:
        del positions[field]


def move_goods(board: Board, moves: tuple[tuple[int, int], ...], cause: str) -> None:
    """Move each good by its whole amount at once, in the order of the goods list; then all cover."""
    for good, points in moves:
        _move(board, good, points, cause)
    cover_all(board)


def _move(board: Board, good: int, points: int, cause: str) -> None:
    edition = board.edition
    before = board.levels[good]
    after = before + points
    leaves = not edition.min_level <= after <= edition.max_level
    if leaves:
        after = edition.min_level if points < 0 else edition.max_level
    board.levels[good] = after
    board.events.append(price_moved(edition.goods[good], before, after, cause))
    if leaves:
        _leave_table(board, good)


def _leave_table(board: Board, good: int) -> None:
    # Rulebook, "Special notes": settlement before the marker returns. Ruling: at the last field.
    edition = board.edition
    fields = range(2 * good * edition.span, 2 * (good + 1) * edition.span)
    for seat, positions in enumerate(board.positions):
        for field in sorted(field for field in positions if field in fields):
            sell(board, seat, field, positions[field], "settlement")
    board.levels[good] = edition.start_level
    board.events.append(PriceReset(edition.goods[good], edition.start_level))


def cover_all(board: Board) -> None:
    """Every seat below zero covers, in seat order; with the option, a seat still below zero starts again."""
    for seat, cash in enumerate(board.cash):
        if cash < 0:
            _cover(board, seat)
            if board.options["bankruptcy"] == "restart" and board.cash[seat] < 0:
                _restart(board, seat)


def _cover(board: Board, seat: int) -> None:
    """Ruling: one contract at a time, most valuable first, while below zero and the best is worth something.

    Levels do not change meanwhile, so the contracts of a field are sold in one go, as many as it takes.
    """
    positions = board.positions[seat]
    values = {field: current_value(board, field) for field in positions}
    # Fields rise by good, then long before short, then entry: the order of ties.
    for field in sorted(values, key=lambda field: (-values[field], field)):
        missing = -board.cash[seat]
        if missing <= 0 or values[field] <= 0:
            return
        needed = -(-missing // values[field])
        sell(board, seat, field, min(needed, positions[field]), "cover")


def current_value(board: Board, field: int) -> int:
    """What a contract on *field* is worth now, in dollars; perhaps below zero."""
    return board.edition.value(field, board.levels[field // (2 * board.edition.span)])


def _restart(board: Board, seat: int) -> None:
    received = board.edition.starting_cash - board.cash[seat]
    board.cash[seat] += received
    board.events.append(CashMoved(seat, received, "restart"))


def settle_all(board: Board) -> None:
    """Ruling: at the end all contracts are settled at the current levels; nobody covers or starts again."""
    for seat, positions in enumerate(board.positions):
        for field in sorted(positions):
            sell(board, seat, field, positions[field], "final")
