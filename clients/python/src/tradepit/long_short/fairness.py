"""Checks what a match of Long Short has shown against its revealed chance.

Works on whatever observations there are: none, a few, or all.
"""

from collections.abc import Iterator
from itertools import pairwise
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
    starting_seat: int
    start_rolls: int
    piles: list[list[str]]


def check_match(match: Match, chance: Chance) -> None:
    """Raises FairnessError naming the first thing in *match* that is not as *chance* says."""
    edition = read_edition(match.edition.toml)
    table = _Table(
        _hands(edition, match.seats, chance),
        *_start(edition, match.seats, chance),
        _piles(edition, match.options.get("end_of_game_card", ""), chance),
    )
    for data in match.observations:
        observation = pb.Observation.FromString(data)
        for differs in _differences(edition, match.seat, table, observation, chance):
            raise FairnessError(f"match {match.match_id}, turn {observation.public.turn}: {differs}")


def _hands(edition: LongShortEdition, seats: int, chance: Chance) -> list[list[str]]:
    hands: list[list[str]] = [[] for _ in range(seats)]
    for colour, count in edition.deal.items():
        ids = [card.id for card in edition.price_cards.values() if card.colour == colour]
        cards = chance.shuffle(f"long-short/price/{colour}", ids)
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


def _differences(
    edition: LongShortEdition, seat: int, table: _Table, observation: pb.Observation, chance: Chance
) -> Iterator[str]:
    public, private = observation.public, observation.private
    if public.starting_seat != table.starting_seat:
        yield f"the starting seat was {public.starting_seat}, not {table.starting_seat}"
    own = [played.card for played in public.played_cards if played.seat == seat]
    yield from _hand_differences("the own hand with the cards played", [*private.hand, *own], table.hands[seat])
    hands = dict(enumerate(table.hands))
    for played in public.played_cards:
        if played.card not in hands.get(played.seat, ()):
            yield f"seat {played.seat} played {played.card}, which it was not dealt"
    yield from _piles_differences(observation, table.piles)
    yield from _event_differences(edition, seat, table, observation, chance)


def _hand_differences(what: str, shown: list[str], dealt: list[str]) -> Iterator[str]:
    if sorted(shown) != dealt:
        yield f"{what} was {', '.join(sorted(shown))}, not {', '.join(dealt)}"


def _piles_differences(observation: pb.Observation, table: list[list[str]]) -> Iterator[str]:
    piles = observation.public.piles
    if len(piles) != len(table):
        yield f"there were {len(piles)} piles, not {len(table)}"
    drawn = [event.action_card_drawn for event in observation.private.events if event.HasField("action_card_drawn")]
    for number, (pile, cards) in enumerate(zip(piles, table, strict=False), 1):
        yield from _pile_differences(number, pile, cards)
        seen = [draw.card for draw in drawn if draw.pile == number]
        last = list(pile.drawn[len(pile.drawn) - len(seen) :])
        if seen != last:
            yield f"the last draws from pile {number} were {', '.join(seen)}, not {', '.join(last)}"


def _pile_differences(number: int, pile: pb.Pile, cards: list[str]) -> Iterator[str]:
    if pile.size != len(cards):
        yield f"pile {number} had {pile.size} cards, not {len(cards)}"
    for draw, card in enumerate(pile.drawn):
        expected = cards[draw % len(cards)]  # a card drawn goes back under its pile
        if card != expected:
            yield f"draw {draw} from pile {number} was {card}, not {expected}"


def _event_differences(
    edition: LongShortEdition, seat: int, table: _Table, observation: pb.Observation, chance: Chance
) -> Iterator[str]:
    public, events = observation.public, observation.private.events
    rolls = [event.rolled for event in events if event.HasField("rolled")]
    # One roll a turn, after the card: the last one seen is that of the last card played.
    first_turn = len(public.played_cards) - len(rolls)
    for turn, roll in enumerate(rolls, first_turn):
        yield from _roll_differences(edition, turn, roll, chance)
    if public.HasField("last_roll"):
        yield from _roll_differences(edition, len(public.played_cards) - 1, public.last_roll, chance)
    for event in events:
        if event.HasField("dealt"):
            yield from _hand_differences("the deal to the own seat", list(event.dealt.cards), table.hands[seat])
        if event.HasField("started") and event.started.rolls != table.start_rolls:
            yield f"the start took {event.started.rolls} rolls, not {table.start_rolls}"


def _roll_differences(edition: LongShortEdition, turn: int, roll: pb.Roll, chance: Chance) -> Iterator[str]:
    red = edition.red_faces[chance.pick(f"long-short/turn/{turn}/red", len(edition.red_faces))]
    green = edition.green_faces[chance.pick(f"long-short/turn/{turn}/green", len(edition.green_faces))]
    if (roll.red, roll.green) != (red, green):
        yield f"the dice of turn {turn} showed {roll.red}, {roll.green}, not {red}, {green}"
