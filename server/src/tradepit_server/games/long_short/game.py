"""The game object of Long Short."""

from collections.abc import Mapping
from importlib.resources import files

from tradepit.chance import Chance
from tradepit_server.games.base import Edition, EditionError, GameError, GameInfo, OptionValue
from tradepit_server.games.long_short.edition import LongShortEdition, load
from tradepit_server.games.long_short.options import INFO
from tradepit_server.games.long_short.setup import set_up
from tradepit_server.games.long_short.state import State

RECONSTRUCTED = load(files(__package__).joinpath("reconstructed-1.toml").read_bytes())
"""The edition that comes with the game."""


class LongShort:
    """The rules of Long Short: what ``games.base.Game`` asks for."""

    info: GameInfo = INFO
    editions: tuple[LongShortEdition, ...] = (RECONSTRUCTED,)

    def load_edition(self, toml: bytes) -> LongShortEdition:
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

    def edition(self, edition: Edition | None) -> LongShortEdition:
        """*edition*, or the first when there is none. Raises EditionError when it is another game's."""
        if edition is None:
            return self.editions[0]
        if not isinstance(edition, LongShortEdition):
            raise EditionError(f"edition {edition.id} is none of Long Short")
        return edition

    def decision_bound(self, seats: int, edition: Edition | None = None) -> int:
        """A turn, an end-of-game card and the others' day trades, for every turn."""
        return self.edition(edition).rounds * seats * (1 + 1 + seats - 1)


GAME = LongShort()
