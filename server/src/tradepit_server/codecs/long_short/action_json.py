"""Actions as JSON, in the format of ``docs/protocol.md``, "Replay"."""

from collections.abc import Mapping
from typing import Any

from tradepit_server.codecs.base import JsonObject, MalformedAction
from tradepit_server.codecs.entries import get
from tradepit_server.games.long_short.actions import Action, Buy, DayTrade, EndOfGame, Sell, Turn
from tradepit_server.games.quoting import quote


def to_json(action: Action) -> JsonObject:
    """*action* as a JSON object."""
    if isinstance(action, Turn):
        orders = [{"buy" if isinstance(order, Buy) else "sell": order._asdict()} for order in action.orders]
        return {"orders": orders, "price_card": action.price_card, "pile": action.pile}
    if isinstance(action, DayTrade):
        return {"sales": [sale._asdict() for sale in action.sales]}
    return {"cancel": action.cancel}


def from_json(kind: str, entry: Mapping[str, Any]) -> Action:
    """The action of a JSON entry of that *kind*. Raises MalformedAction, quoting what is wrong."""
    match kind:
        case "turn":
            orders = tuple(_order(order) for order in get(entry, "orders", list))
            pile = get(entry, "pile", int) if "pile" in entry else 1
            return Turn(orders, get(entry, "price_card", str), pile)
        case "day_trade":
            return DayTrade(tuple(_sale(sale) for sale in get(entry, "sales", list)))
        case "end_of_game":
            return EndOfGame(get(entry, "cancel", bool))
        case _:
            raise MalformedAction(f"kind {quote(kind)} is neither turn, day_trade nor end_of_game")


def _order(order: Any) -> Buy | Sell:
    match order:
        case {"buy": buy, **rest} if not rest:
            return Buy(get(buy, "good", str), get(buy, "side", str), get(buy, "contracts", int))
        case {"sell": sale, **rest} if not rest:
            return _sale(sale)
        case _:
            raise MalformedAction(f"order {quote(order)} is neither buy nor sell")


def _sale(sale: Any) -> Sell:
    return Sell(
        get(sale, "good", str), get(sale, "side", str), get(sale, "entry_level", int), get(sale, "contracts", int)
    )
