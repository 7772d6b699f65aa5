"""Buy Low Sell High at a table that a test arranges, and random matches in which much happens."""

from collections.abc import Callable, Iterator, Sequence
from random import Random

from tradepit.chance import Chance
from tradepit_server.games.base import IllegalAction
from tradepit_server.games.buy_low_sell_high.actions import Action, Buy, CardPlay, Sell, Turn
from tradepit_server.games.buy_low_sell_high.board import NONE, Board, Space
from tradepit_server.games.buy_low_sell_high.edition import BuyLowSellHighEdition
from tradepit_server.games.buy_low_sell_high.events import Event
from tradepit_server.games.buy_low_sell_high.game import GAME
from tradepit_server.games.buy_low_sell_high.state import State
from tradepit_server.testing.games.buy_low_sell_high import TRIALS

SEED = bytes(range(32))

Player = Callable[[State, int], Action]
"""Decides for an awaited seat."""


class Table:
    """A match that a test arranges: it sets cash, charts, shares and cards, and plays turns."""

    def __init__(self, seats: int = 2, *, edition: BuyLowSellHighEdition | None = None, seed: bytes = SEED) -> None:
        self.state: State = GAME.new(seats, {}, Chance(seed), edition)
        self.edition = self.state.edition

    @property
    def active(self) -> int:
        """The seat that is asked."""
        return self.state.active

    @property
    def other(self) -> int:
        """The seat after it."""
        return (self.state.active + 1) % self.state.seats

    def past_first_turns(self) -> None:
        """Go to a turn of the active seat without the limits of the game's first turns."""
        self.state.turn += 2 * self.state.seats

    def hold_cards(self, seat: int, *cards: str) -> None:
        """Let *seat* hold these cards and no others; they are taken from the draw pile or another hand."""
        wanted = self._take(cards)
        self.state.pile[:0] = self.state.hands[seat]
        self.state.hands[seat] = tuple(sorted(wanted))

    def lay(self, *cards: str, seat: int = 0) -> None:
        """Let these cards stand on card spaces, played by *seat*; they are taken from the draw pile or a hand."""
        self.state.spaces.extend(Space(card, seat) for card in self._take(cards))

    def _take(self, cards: Sequence[str]) -> list[int]:
        taken = [self.edition.card_of[card] for card in cards]
        self.state.pile = [card for card in self.state.pile if card not in taken]
        self.state.hands = [tuple(card for card in hand if card not in taken) for hand in self.state.hands]
        return taken

    def standing(self) -> list[tuple[str, str]]:
        """Cards on card spaces and the news over them, by id; "" for none."""
        ids = [card.id for card in self.edition.cards]
        return [(ids[s.card], "" if s.news == NONE else ids[s.news]) for s in self.state.spaces]

    def fill_spaces(self, left: int = 1) -> None:
        """Let cards that do nothing at the end of a year stand on all card spaces but *left*: news, then expenses."""
        number = self.edition.card_spaces[self.state.seats] - len(self.state.spaces) - left
        laid = {card for space in self.state.spaces for card in (space.card, space.news)}
        taken = laid.union(self.state.hands[self.active])
        free = [card for index, card in enumerate(self.edition.cards) if index not in taken]
        fillers = [card.id for kind in ("news", "expense") for card in reversed(free) if card.kind == kind]
        assert len(fillers) >= number
        self.lay(*fillers[:number])

    def hand(self, seat: int) -> list[str]:
        """The cards of *seat*, by id."""
        return [self.edition.cards[card].id for card in self.state.hands[seat]]

    def set_chart(self, industry: str, top: int, shares: int) -> None:
        """Put the top share on the field of so many dollars, and so many shares on the chart."""
        index = self.edition.industry_of[industry]
        self.state.tops[index] = self.edition.chart.index(top)
        self.state.stock[index] = shares

    def chart(self, industry: str) -> tuple[int, int]:
        """The field of the top share in dollars, and the number of shares."""
        index = self.edition.industry_of[industry]
        return self.edition.chart[self.state.tops[index]], self.state.stock[index]

    def give(self, seat: int, **shares: int) -> None:
        """Let *seat* hold these shares and no others; the bank keeps what it has."""
        self.state.shares[seat] = [shares.get(name, 0) for name in self.edition.industries]

    def shares(self, seat: int) -> dict[str, int]:
        """What *seat* holds, by industry."""
        return dict(zip(self.edition.industries, self.state.shares[seat], strict=True))

    def act(self, action: Action) -> list[Event]:
        """The active seat's legal action; what has come of it."""
        before = self.state.event_count
        self.state.validate(self.active, action)
        self.state.apply({self.active: action})
        return list(self.state.events_since(before))

    def turn(
        self,
        trades: Sequence[Buy | Sell] = (),
        cards: Sequence[str | tuple[str, str]] | None = None,
        fee_sales: Sequence[str] = (),
    ) -> Turn:
        """A turn of the active seat; without *cards*, those of the default; news as a pair of card and target."""
        if cards is None:
            default = self.state.default_action(self.active)
            assert isinstance(default, Turn)
            return Turn(tuple(trades), default.cards, tuple(fee_sales))
        plays = tuple(CardPlay(card) if isinstance(card, str) else CardPlay(*card) for card in cards)
        return Turn(tuple(trades), plays, tuple(fee_sales))

    def play(
        self,
        trades: Sequence[Buy | Sell] = (),
        cards: Sequence[str | tuple[str, str]] | None = None,
        fee_sales: Sequence[str] = (),
    ) -> list[Event]:
        """Take that turn; what has come of it."""
        return self.act(self.turn(trades, cards, fee_sales))

    def refusal(self, action: Action, seat: int | None = None) -> str:
        """The sentence with which an action is refused; it must leave the state as it was."""
        before = snapshot(self.state)
        try:
            self.state.validate(self.active if seat is None else seat, action)
        except IllegalAction as error:
            assert snapshot(self.state) == before
            return str(error)
        raise AssertionError(f"{action} is legal")

    def refused_trades(self, *trades: Buy | Sell) -> str:
        """The sentence with which a turn with these trades is refused."""
        return self.refusal(self.turn(trades))

    def refused_cards(self, *cards: str | tuple[str, str]) -> str:
        """The sentence with which a turn with these cards is refused."""
        return self.refusal(self.turn((), cards))


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


def random_match(seats: int, number: int) -> tuple[State, RandomPlayer]:
    """The *number*-th match of so many seats, about to begin, and who plays it."""
    player = RandomPlayer(1000 * seats + number)
    return GAME.new(seats, {}, Chance(player.rng.randbytes(32))), player


def moments(state: State, player: Player) -> Iterator[State]:
    """*state* before each decision; between two of them *player* decides for all."""
    while state.awaiting:
        yield state
        state.apply({seat: player(state, seat) for seat in state.awaiting})
