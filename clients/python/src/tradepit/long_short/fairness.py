"""Checks what a match of Long Short has shown against its revealed chance.

Works on whatever observations there are: none, a few, or all.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import cycle, pairwise
from typing import NamedTuple

from tradepit.chance import Chance
from tradepit.errors import FairnessError
from tradepit.long_short.edition import LongShortEdition, read_edition
from tradepit.long_short.v1 import long_short_pb2 as pb
from tradepit.match import Match

_PILES = 3
_START_FACE = "day_trade"


class _Table(NamedTuple):
    """What chance laid on the table."""

    hands: list[list[str]]
    """By seat, sorted."""
    owners: Mapping[str, int]
    """The seat to which each card was dealt."""
    starting_seat: int
    start_rolls: int
    piles: list[list[str]]


def check_match(match: Match, chance: Chance) -> None:
    """Raises FairnessError naming the first thing in *match* that is not as *chance* says."""
    edition = read_edition(match.edition.toml)
    hands = _hands(edition, match.seats, chance)
    table = _Table(
        hands,
        {card: seat for seat, hand in enumerate(hands) for card in hand},
        *_start(edition, match.seats, chance),
        _piles(edition, match.options.get("end_of_game_card", ""), chance),
    )
    dice = _Dice(edition, chance)
    for data in match.observations:
        observation = pb.Observation.FromString(data)
        for differs in _differences(match.seat, table, observation, dice):
            raise FairnessError(f"match {match.match_id}, turn {observation.public.turn}: {differs}")


class _Dice:
    """The rolls of a match, each drawn once however often it was seen."""

    def __init__(self, edition: LongShortEdition, chance: Chance) -> None:
        self._red, self._green = edition.red_faces, edition.green_faces
        self._chance = chance
        self._rolls: dict[int, tuple[str, str]] = {}

    def differences(self, turn: int, roll: pb.Roll) -> Iterator[str]:
        """What is wrong with the *roll* that was shown in a *turn*."""
        if turn not in self._rolls:
            red = self._red[self._chance.pick(f"long-short/turn/{turn}/red", len(self._red))]
            green = self._green[self._chance.pick(f"long-short/turn/{turn}/green", len(self._green))]
            self._rolls[turn] = red, green
        if (roll.red, roll.green) != self._rolls[turn]:
            red, green = self._rolls[turn]
            yield f"the dice of turn {turn} showed {roll.red}, {roll.green}, not {red}, {green}"


@lru_cache(maxsize=64)
def _ids_of_colours(edition: LongShortEdition) -> Mapping[str, tuple[str, ...]]:
    """The price change cards of each colour that is dealt, in order."""
    return {
        colour: tuple(card.id for card in edition.price_cards.values() if card.colour == colour)
        for colour in edition.deal
    }


def _hands(edition: LongShortEdition, seats: int, chance: Chance) -> list[list[str]]:
    hands: list[list[str]] = [[] for _ in range(seats)]
    for colour, count in edition.deal.items():
        cards = chance.shuffle(f"long-short/price/{colour}", _ids_of_colours(edition)[colour])
        for seat, hand in enumerate(hands):
            hand += cards[seat * count : (seat + 1) * count]
    return [sorted(hand) for hand in hands]


def _start(edition: LongShortEdition, seats: int, chance: Chance) -> tuple[int, int]:
    """The starting seat, and how many rolls of the green die found it."""
    faces = edition.green_faces
    roll = 0
    while faces[chance.pick(f"long-short/start/{roll}", len(faces))] != _START_FACE:
        roll += 1
    return roll % seats, roll + 1


def _piles(edition: LongShortEdition, end_of_game_card: str, chance: Chance) -> list[list[str]]:
    """Top first; as even as possible, the larger first."""
    removed = end_of_game_card == "removed"
    ids = [card.id for card in edition.action_cards.values() if not (removed and card.effect == "end_of_game")]
    cards = chance.shuffle("long-short/action", ids)
    size, larger = divmod(len(cards), _PILES)
    cuts = [pile * size + min(pile, larger) for pile in range(_PILES + 1)]
    return [cards[low:high] for low, high in pairwise(cuts)]


def _differences(seat: int, table: _Table, observation: pb.Observation, dice: _Dice) -> Iterator[str]:
    public, private = observation.public, observation.private
    if public.starting_seat != table.starting_seat:
        yield f"the starting seat was {public.starting_seat}, not {table.starting_seat}"
    own = []
    for played in public.played_cards:
        if table.owners.get(played.card) != played.seat:
            yield f"seat {played.seat} played {played.card}, which it was not dealt"
        if played.seat == seat:
            own.append(played.card)
    yield from _hand_differences("the own hand with the cards played", [*private.hand, *own], table.hands[seat])
    events = _by_kind(private.events)
    draws = [event.action_card_drawn for event in events["action_card_drawn"]]
    yield from _piles_differences(public.piles, draws, table.piles)
    yield from _event_differences(seat, table, public, events, dice)


def _by_kind(events: Iterable[pb.Event]) -> Mapping[str | None, list[pb.Event]]:
    found: defaultdict[str | None, list[pb.Event]] = defaultdict(list)
    for event in events:
        found[event.WhichOneof("kind")].append(event)
    return found


def _hand_differences(what: str, shown: Iterable[str], dealt: list[str]) -> Iterator[str]:
    cards = sorted(shown)
    if cards != dealt:
        yield f"{what} was {', '.join(cards)}, not {', '.join(dealt)}"


def _piles_differences(
    piles: Sequence[pb.Pile], draws: Sequence[pb.ActionCardDrawn], table: Sequence[Sequence[str]]
) -> Iterator[str]:
    if len(piles) != len(table):
        yield f"there were {len(piles)} piles, not {len(table)}"
    for number, (pile, cards) in enumerate(zip(piles, table, strict=False), 1):
        yield from _pile_differences(number, pile, cards)
        seen = [draw.card for draw in draws if draw.pile == number] if draws else []
        last = list(pile.drawn[len(pile.drawn) - len(seen) :]) if seen else []
        if seen != last:
            yield f"the last draws from pile {number} were {', '.join(seen)}, not {', '.join(last)}"


def _pile_differences(number: int, pile: pb.Pile, cards: Sequence[str]) -> Iterator[str]:
    if pile.size != len(cards):
        yield f"pile {number} had {pile.size} cards, not {len(cards)}"
    for draw, (card, expected) in enumerate(zip(pile.drawn, cycle(cards), strict=False)):
        if card != expected:  # a card drawn goes back under its pile
            yield f"draw {draw} from pile {number} was {card}, not {expected}"


def _event_differences(
    seat: int,
    table: _Table,
    public: pb.PublicState,
    events: Mapping[str | None, Sequence[pb.Event]],
    dice: _Dice,
) -> Iterator[str]:
    rolls = events["rolled"]
    # One roll a turn, after the card: the last one seen is that of the last card played.
    for turn, event in enumerate(rolls, len(public.played_cards) - len(rolls)):
        yield from dice.differences(turn, event.rolled)
    if public.HasField("last_roll"):
        yield from dice.differences(len(public.played_cards) - 1, public.last_roll)
    for event in events["dealt"]:
        yield from _hand_differences("the deal to the own seat", event.dealt.cards, table.hands[seat])
    for event in events["started"]:
        if event.started.rolls != table.start_rolls:
            yield f"the start took {event.started.rolls} rolls, not {table.start_rolls}"
