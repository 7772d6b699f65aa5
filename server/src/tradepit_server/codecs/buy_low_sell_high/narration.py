"""How a match of Buy Low Sell High is told."""

from tradepit.buy_low_sell_high.v1 import buy_low_sell_high_pb2 as pb
from tradepit_server.codecs.narration import Look
from tradepit_server.games.buy_low_sell_high.edition import BuyLowSellHighEdition, Card
from tradepit_server.games.buy_low_sell_high.events import CardPlayed, Dealt, Event


class BuyLowSellHighNarration:
    """What ``codecs.narration.Narration`` asks for."""

    def look(self, public: bytes, edition: BuyLowSellHighEdition) -> Look:
        """What a share of each industry fetches and costs, cash or debt, and shares."""
        state = pb.PublicState.FromString(public)
        return Look(
            clock=f"year {state.year} of {edition.years}",
            goods=edition.industries,
            prices={
                "sells for $": tuple(chart.sell_price for chart in state.charts),
                "costs $": tuple(chart.buy_price or None for chart in state.charts),
            },
            cash=tuple(seat.cash - seat.fee_owed for seat in state.seats),
            holdings=tuple(_holdings(seat, edition) for seat in state.seats),
        )

    def remark(self, event: Event, edition: BuyLowSellHighEdition) -> str:
        """What the cards are."""
        if isinstance(event, Dealt):
            return ", ".join(_card(edition, card) for card in event.cards)
        if isinstance(event, CardPlayed):
            over = f" over {_card(edition, event.over)}" if event.over else ""
            return f"{_card(edition, event.card)}{over}"
        return ""


def _holdings(seat: pb.SeatState, edition: BuyLowSellHighEdition) -> str:
    held = zip(edition.industries, seat.shares, strict=True)
    return ", ".join(f"{shares} {industry}" for industry, shares in held if shares)


def _card(edition: BuyLowSellHighEdition, name: str) -> str:
    card: Card = edition.cards[edition.card_of[name]]
    points = f" {card.points:+}" if card.points else ""
    return f"{edition.industries[card.industry]} {card.kind}{points}"


NARRATION = BuyLowSellHighNarration()
