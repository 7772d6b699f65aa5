"""The game object of Buy Low Sell High."""

from collections.abc import Mapping
from importlib.resources import files

from tradepit.chance import Chance
from tradepit_server.games.base import Edition, EditionError, GameError, GameInfo, OptionValue
from tradepit_server.games.buy_low_sell_high.edition import BuyLowSellHighEdition, load
from tradepit_server.games.buy_low_sell_high.options import INFO
from tradepit_server.games.buy_low_sell_high.setup import set_up
from tradepit_server.games.buy_low_sell_high.state import State

RECONSTRUCTED = load(files(__package__).joinpath("reconstructed-1.toml").read_bytes())
"""The edition that comes with the game."""


class BuyLowSellHigh:
    """The rules of Buy Low Sell High: what ``games.base.Game`` asks for."""

    info: GameInfo = INFO
    editions: tuple[BuyLowSellHighEdition, ...] = (RECONSTRUCTED,)

    def load_edition(self, toml: bytes) -> BuyLowSellHighEdition:
        """Read and check an edition file. Raises EditionError."""
        return load(toml)

    def new(
        self, seats: int, options: Mapping[str, OptionValue], chance: Chance, edition: Edition | None = None
    ) -> State:
        """A match about to begin, set up and dealt. Raises GameError."""
        box = self.edition(edition)
        self.info.check_seats(seats)
        if not box.min_seats <= seats <= box.max_seats:
            raise GameError(f"edition {box.id} is for {box.min_seats} to {box.max_seats} players, not {seats}")
        state = State(box, seats, self.info.resolve(options), chance)
        set_up(state)
        return state

    def edition(self, edition: Edition | None) -> BuyLowSellHighEdition:
        """*edition*, or the first when there is none. Raises EditionError when it is another game's."""
        if edition is None:
            return self.editions[0]
        if not isinstance(edition, BuyLowSellHighEdition):
            raise EditionError(f"edition {edition.id} is none of Buy Low Sell High")
        return edition

    def decision_bound(self, seats: int, edition: Edition | None = None) -> int:
        """The turns and discards of all years, and a final sale for every share that seats can hold."""
        box = self.edition(edition)
        # A turn plays a card, on a space or as news. Where cards are few a seat may have none to play, but not
        # everybody again and again: the year would be over.
        cards = box.card_spaces[seats] + sum(box.is_news)
        hands = seats * box.hand_size
        scarce = len(box.cards) < hands + max(hands, cards)
        turns = (seats + 1) * (cards + 1) if scarce else cards
        # The last share on a chart cannot be bought.
        sales = len(box.industries) * (box.shares_per_industry - 1)
        return box.years * (turns + seats) + sales


GAME = BuyLowSellHigh()
