"""Actions as JSON, in the format of ``docs/protocol.md``, "Replay"."""

from collections.abc import Mapping
from typing import Any

from tradepit_server.codecs.base import JsonObject, MalformedAction
from tradepit_server.codecs.entries import check, get, texts
from tradepit_server.games.buy_low_sell_high.actions import Action, Buy, CardPlay, Discard, FinalSale, Sell, Turn
from tradepit_server.games.quoting import quote


def to_json(action: Action) -> JsonObject:
    """*action* as a JSON object."""
    if isinstance(action, Turn):
        trades = [{"buy" if isinstance(trade, Buy) else "sell": trade.industry} for trade in action.trades]
        cards = [{"card": play.card, **({"over": play.over} if play.over else {})} for play in action.cards]
        return {"trades": trades, "fee_sales": list(action.fee_sales), "cards": cards}
    if isinstance(action, Discard):
        return {"cards": list(action.cards)}
    return {"industry": action.industry}


def from_json(kind: str, entry: Mapping[str, Any]) -> Action:
    """The action of a JSON entry of that *kind*. Raises MalformedAction, quoting what is wrong."""
    match kind:
        case "turn":
            trades = tuple(_trade(trade) for trade in get(entry, "trades", list))
            cards = tuple(_card(card) for card in get(entry, "cards", list))
            return Turn(trades, cards, texts(entry, "fee_sales") if "fee_sales" in entry else ())
        case "discard":
            return Discard(texts(entry, "cards"))
        case "final_sale":
            return FinalSale(get(entry, "industry", str))
        case _:
            raise MalformedAction(f"kind {quote(kind)} is neither turn, discard nor final_sale")


def _trade(trade: Any) -> Buy | Sell:
    match trade:
        case {"buy": industry, **rest} if not rest:
            return Buy(check("buy", industry, str))
        case {"sell": industry, **rest} if not rest:
            return Sell(check("sell", industry, str))
        case _:
            raise MalformedAction(f"trade {quote(trade)} is neither buy nor sell")


def _card(card: Any) -> CardPlay:
    return CardPlay(get(card, "card", str), get(card, "over", str) if "over" in card else "")
