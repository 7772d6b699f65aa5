"""Long Short at a table that a test arranges, and random matches in which much happens."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random

from tradepit.chance import Chance
from tradepit_server.games.base import IllegalAction, OptionValue
from tradepit_server.games.long_short.actions import Action, Buy, Sell, Turn
from tradepit_server.games.long_short.board import Board
from tradepit_server.games.long_short.edition import LongShortEdition
from tradepit_server.games.long_short.events import Event
from tradepit_server.games.long_short.game import GAME
from tradepit_server.games.long_short.state import State
from tradepit_server.testing.games.long_short import TRIALS

SEED = bytes(range(32))

Player = Callable[[State, int], Action]
"""Decides for an awaited seat."""


class LoadedDice(Chance):
    """Chance whose two dice always fall alike; everything else follows the seed."""

    __slots__ = ("green", "red")

    def __init__(self, seed: bytes, red: str, green: str, edition: LongShortEdition) -> None:
        super().__init__(seed)
        self.red = [edition.goods[good] for good in edition.red_faces].index(red)
        self.green = edition.green_faces.index(green)

    def pick(self, label: str, k: int) -> int:
        """The loaded face of a die; of anything else what the seed says."""
        if label.endswith("/red"):
            return self.red
        return self.green if label.endswith("/green") else super().pick(label, k)


class Table:
    """A match that a test arranges: it sets cash, levels, contracts and cards, and plays turns."""

    def __init__(
        self,
        seats: int = 2,
        options: Mapping[str, OptionValue] | None = None,
        *,
        edition: LongShortEdition | None = None,
        seed: bytes = SEED,
    ) -> None:
        self.state: State = GAME.new(seats, options or {}, Chance(seed), edition)
        self.edition = self.state.edition
        self.load_dice()

    @property
    def active(self) -> int:
        """The seat whose turn it is."""
        return self.state.active

    @property
    def other(self) -> int:
        """The seat after it."""
        return (self.state.active + 1) % self.state.seats

    def load_dice(self, green: str = "day_trade", red: str = "wheat") -> None:
        """From now on the dice fall like this."""
        self.state.chance = LoadedDice(self.state.chance.seed, red, green, self.edition)

    def next_action_card(self, card: str, red: str = "wheat") -> None:
        """Put *card* on top of pile 1, and let the dice draw it; the red one shows *red*."""
        index = self.edition.action_card_of[card]
        self.state.piles = ((index, *self.state.piles[0][1:]), *self.state.piles[1:])
        self.state.drawn[0] = 0
        self.load_dice("action_card", red)

    def hold_cards(self, seat: int, *cards: str) -> None:
        """Let *seat* hold these price change cards and no others."""
        self.state.hands[seat] = tuple(sorted(self.edition.price_card_of[card] for card in cards))

    def give(self, seat: int, good: str, side: str, entry_level: int, contracts: int) -> None:
        """Put contracts of *seat* on a field, unpaid."""
        field = self.edition.field(self.edition.line_of[good, side], entry_level)
        self.state.positions[seat][field] = contracts

    def contracts(self, seat: int) -> dict[tuple[str, str, int], int]:
        """What *seat* holds, by good, side and entry level."""
        return {self.edition.name_field(field): n for field, n in self.state.positions[seat].items()}

    def set_level(self, good: str, level: int) -> None:
        """Put the marker of *good* on *level*."""
        self.state.levels[self.edition.good_of[good]] = level

    def level(self, good: str) -> int:
        """Where the marker of *good* stands."""
        return self.state.levels[self.edition.good_of[good]]

    def to_round(self, number: int) -> None:
        """Go to the first turn of round *number*, as if nothing had happened until then."""
        self.state.turn = (number - 1) * self.state.seats

    def act(self, seat: int, action: Action) -> list[Event]:
        """One awaited seat's legal action, the others' being the defaults; what has come of it."""
        before = self.state.event_count
        actions = {other: self.state.default_action(other) for other in self.state.awaiting}
        self.state.validate(seat, action)
        self.state.apply({**actions, seat: action})
        return list(self.state.events_since(before))

    def play(self, orders: Sequence[Buy | Sell] = (), card: str | None = None, pile: int = 1) -> list[Event]:
        """The active seat's turn; without a *card* named, the first of its hand."""
        first = self.edition.price_cards[self.state.hands[self.active][0]].id
        return self.act(self.active, Turn(tuple(orders), card or first, pile))

    def refusal(self, action: Action, seat: int | None = None) -> str:
        """The sentence with which an action is refused; it must leave the state as it was."""
        before = snapshot(self.state)
        try:
            self.state.validate(self.active if seat is None else seat, action)
        except IllegalAction as error:
            assert snapshot(self.state) == before
            return str(error)
        raise AssertionError(f"{action} is legal")

    def refused_order(self, order: Buy | Sell) -> str:
        """The sentence with which a turn with this one order is refused."""
        return self.refusal(Turn((order,), self.edition.price_cards[self.state.hands[self.active][0]].id))


def snapshot(state: State) -> str:
    """Everything in *state* but a codec's notes, as a value to compare."""
    parts = {name: getattr(state, name) for name in Board.__slots__ if name not in ("memo", "edition", "chance")}
    return repr((parts, state.chance.seed, state.edition.id))


class RandomPlayer:
    """Legal actions at random, from a seed: those of the game's trials."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)

    def __call__(self, state: State, seat: int) -> Action:
        """What an awaited *seat* does."""
        return TRIALS.random_action(state, seat, self.rng)


def random_options(rng: Random) -> dict[str, OptionValue]:
    """A value for every option."""
    return {option.name: rng.choice(option.values) for option in GAME.info.options}


def random_match(seats: int, number: int) -> tuple[State, RandomPlayer]:
    """The *number*-th match of so many seats, about to begin, and who plays it."""
    player = RandomPlayer(1000 * seats + number)
    return GAME.new(seats, random_options(player.rng), Chance(player.rng.randbytes(32))), player


def moments(state: State, player: Player) -> Iterator[State]:
    """*state* before each decision; between two of them *player* decides for all."""
    while state.awaiting:
        yield state
        state.apply({seat: player(state, seat) for seat in state.awaiting})
