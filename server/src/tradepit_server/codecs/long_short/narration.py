"""How a match of Long Short is told."""

from tradepit.long_short.v1 import long_short_pb2 as pb
from tradepit_server.codecs.long_short.words import SIDE_WORDS
from tradepit_server.codecs.narration import Look
from tradepit_server.games.long_short.edition import LongShortEdition
from tradepit_server.games.long_short.events import Event


class LongShortNarration:
    """What ``codecs.narration.Narration`` asks for."""

    def look(self, public: bytes, edition: LongShortEdition) -> Look:
        """Levels, cash, contracts and day-trade cards."""
        state = pb.PublicState.FromString(public)
        return Look(
            clock=f"round {min(state.round, edition.rounds)} of {edition.rounds}",
            goods=edition.goods,
            prices={"level": tuple(state.levels)},
            cash=tuple(seat.cash for seat in state.seats),
            holdings=tuple(map(_holdings, state.seats)),
        )

    def remark(self, event: Event, edition: LongShortEdition) -> str:
        """Nothing: what a card does is told by the events after it."""
        return ""


def _holdings(seat: pb.SeatState) -> str:
    stacks = [
        f"{position.contracts} {position.good} {SIDE_WORDS[position.side]} from {position.entry_level}"
        for position in seat.positions
    ]
    if cards := seat.day_trade_cards:
        stacks.append(f"{cards} day-trade card{'' if cards == 1 else 's'}")
    return ", ".join(stacks)


NARRATION = LongShortNarration()
