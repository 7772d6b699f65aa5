"""What can be chosen about Buy Low Sell High: nothing. Source: rules page, "Options and editions"."""

from tradepit_server.games.base import GameInfo

INFO = GameInfo(
    name="buy-low-sell-high",
    title="Buy Low Sell High",
    min_seats=2,
    max_seats=4,
    options=(),
    presets={"classic": {}},
)
