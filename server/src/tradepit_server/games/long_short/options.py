"""What can be chosen about Long Short. Source: rules page, "Options"."""

from tradepit_server.games.base import GameInfo, Option

MAX_CARDS_EACH = 3
"""The most day-trade cards that a seat can begin with by the option."""

OPTIONS = (
    Option(
        "end_of_game_card",
        "What the end-of-game card does: it is in the piles, it is removed, or who draws it may pay to go on.",
        ("in", "removed", "cancellable"),
        "in",
    ),
    Option(
        "initial_day_trade_cards",
        "Day-trade cards that each seat begins with, as far as they suffice for all.",
        tuple(range(MAX_CARDS_EACH + 1)),
        0,
    ),
    Option(
        "day_trade_face",
        "What the day-trade face of the green die does: the roller takes a card, or nothing.",
        ("card", "nothing"),
        "card",
    ),
    Option(
        "max_action_points",
        "The most points by which an action card moves a good.",
        (1, 2, 3, 4, 5, 6),
        6,
    ),
    Option(
        "bankruptcy",
        "What happens to a seat that is below zero when it has covered: it is in debt, or starts again.",
        ("debt", "restart"),
        "debt",
    ),
)

INFO = GameInfo(
    name="long-short",
    title="Long Short",
    min_seats=2,
    max_seats=6,
    options=OPTIONS,
    presets={
        "classic": {},
        "ranked": {"end_of_game_card": "removed"},
        "balanced": {
            "initial_day_trade_cards": 3,
            "day_trade_face": "nothing",
            "max_action_points": 3,
            "bankruptcy": "restart",
        },
    },
)
