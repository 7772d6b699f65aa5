"""In which cyclic order the bots of a table sit, block by block.

A block plays every cyclic seating, so every bot has every seat equally often whatever the order. What the
order decides is who acts directly after whom.
"""

from itertools import permutations


def cyclic_orders(size: int, number: int) -> list[tuple[int, ...]]:
    """*number* orders of *size* positions, the first (0, 1, 2, ...), each beginning with position 0.

    After any number of them the ordered pairs of positions that sat directly one after the other did so
    equally often, but for a difference of at most 2 (tested for sizes 2 to 6).
    """
    candidates = [(0, *rest) for rest in permutations(range(1, size))]
    followed = dict.fromkeys(permutations(range(size), 2), 0)
    orders = []
    for _ in range(number):
        order = min(candidates, key=lambda order: (sum(followed[pair] for pair in _neighbours(order)), order))
        for pair in _neighbours(order):
            followed[pair] += 1
        orders.append(order)
    return orders


def _neighbours(order: tuple[int, ...]) -> list[tuple[int, int]]:
    return list(zip(order, order[1:] + order[:1], strict=True))
