"""The scripted referee for authors' own tests, and the situations of Long Short that it asks about."""

from collections.abc import Sequence
from datetime import timedelta
from random import Random
from typing import Any

import pytest

from tradepit.chance import Chance
from tradepit.long_short import (
    Action,
    ActionCardDrawn,
    Bought,
    CardPlayed,
    CashMoved,
    DayTradeCardReturned,
    DayTradeCardTaken,
    Dealt,
    Ended,
    Event,
    LongShortBot,
    LongShortView,
    Match,
    MatchResult,
    PriceMoved,
    PriceReset,
    Rolled,
    Sale,
    Side,
    Sold,
    Started,
    Turn,
    buy,
    sell,
)
from tradepit.long_short.edition import read_edition
from tradepit.long_short.events import KINDS
from tradepit.long_short.testing import LongShortReferee, Seat, Situation, view_of
from tradepit.long_short.v1 import long_short_pb2 as pb
from tradepit.testing import packaged_edition
from tradepit_server.games.base import IllegalAction
from tradepit_server.games.long_short import actions as engine
from tradepit_server.registry import get

PLUGIN = get("long-short")
GAME, CODEC = PLUGIN.game, PLUGIN.codec
EDITION = read_edition(GAME.editions[0].toml)
SIDES: tuple[Side, Side] = ("long", "short")


class Puppet(LongShortBot):
    """Answers what a test tells it to, and remembers what it was told."""

    max_concurrent_matches = 8

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.views: list[LongShortView] = []
        self.heard: list[object] = []

    def decide(self, view: LongShortView) -> Action:
        """The next answer."""
        view.note = f"answer {len(self.views)}"
        self.views.append(view)
        answer: Action = self.answers.pop(0)
        return answer

    def take_turn(self, view: LongShortView) -> Turn:
        """Not asked: ``decide`` is."""
        raise NotImplementedError

    def match_started(self, match: Match) -> None:
        """Remembers."""
        self.heard.append(match.match_id)

    def match_ended(self, match: Match, result: MatchResult) -> None:
        """Remembers."""
        self.heard.append((match.match_id, result))


def idle(card: str = "yellow-01") -> Turn:
    """A turn without orders."""
    return Turn(price_card=card)


def refusal(situation: Situation, *answers: Any) -> str:
    """Why the referee does not take the first of *answers*."""
    with pytest.raises(AssertionError) as caught:
        LongShortReferee(Puppet(*answers)).ask([situation])
    return str(caught.value)


def test_a_situation_that_says_nothing_is_the_beginning_of_a_game_for_two() -> None:
    """What everybody sees is what the engine shows."""
    games = (GAME.new(2, GAME.info.resolve({}), Chance(bytes([number]) * 32)) for number in range(99))
    begun = next(state for state in games if list(state.awaiting) == [0])
    real = pb.Observation.FromString(CODEC.observation(begun, 0))
    assert Situation().observation(EDITION).public == real.public


def test_a_situation_shows_the_bot_all_that_it_says() -> None:
    rolled = Rolled(1, "gold", "limit_up")
    view = view_of(
        Situation(
            seat=1,
            others=[Seat(cash=-5, contracts=[("soya", "short", 4, 1)], day_trade_cards=2), Seat(cash=7)],
            round=9,
            levels={"gold": 12},
            hand=["green-09", EDITION.price_cards["yellow-25"]],
            cash=4_000,
            contracts=[("gold", "short", 9, 1), ("wheat", "long", 10, 2), ("gold", "long", 10, 3)],
            active_seat=2,
            starting_seat=1,
            played=[(0, "red-17")],
            last_roll=rolled,
            events=[rolled],
            options={"end_of_game_card": "removed", "max_action_points": 3},
            time_left=timedelta(seconds=2),
        )
    )
    assert (view.seat, view.match.seat, view.match.seats, view.active_seat, view.starting_seat) == (1, 1, 3, 2, 1)
    assert (view.round, view.levels["gold"], view.levels["wheat"], view.cash) == (9, 12, 10, 4_000)
    assert [seat.cash for seat in view.others] == [-5, 7]
    assert view.others[0].positions[0].field == ("soya", "short", 4)
    assert [str(held.sell()) for held in view.positions] == [
        "sell 2 wheat long @10",
        "sell 3 gold long @10",
        "sell 1 gold short @9",
    ]
    assert [card.id for card in view.hand] == ["green-09", "yellow-25"]
    assert [card.card.id for card in view.played] == ["red-17"]
    assert (view.last_roll, view.events, view.time_left) == (rolled, (rolled,), timedelta(seconds=2))
    assert (view.options.end_of_game_card, view.options.max_action_points) == ("removed", 3)
    assert view.match.options["max_action_points"] == "3"
    assert [pile.size for pile in view.piles] == [15, 14, 14]
    assert view.bank_day_trade_cards == 13


def test_a_day_trade_is_asked_for_in_the_turn_of_the_next_seat() -> None:
    view = view_of(Situation(decision="day_trade", contracts=[("gold", "long", 10, 1)], round=3, seat=1))
    assert (view.decision, view.active_seat, view.turn) == ("day_trade", 0, 4)
    view = view_of(Situation(decision="end_of_game", round=3, seat=1))
    assert (view.decision, view.active_seat, view.turn) == ("end_of_game", 1, 5)


@pytest.mark.parametrize(
    "event",
    [
        Started(1, 2),
        Dealt(0, ("red-17", "blue-09")),
        Bought(1, "gold", "short", 9, 2, 12_000),
        Sold(0, "soya", "long", 9, 11, 2, -10_000, "cover"),
        CardPlayed(1, "red-17"),
        Rolled(1, "gold", "day_trade"),
        PriceMoved("gold", 8, 10, "price_card"),
        PriceReset("gold", 10),
        ActionCardDrawn(1, 2, "action-25"),
        DayTradeCardTaken(1, "die"),
        DayTradeCardReturned(1),
        CashMoved(0, -500, "action_card"),
        Ended("rounds"),
    ],
    ids=lambda event: type(event).__name__,
)
def test_every_event_can_be_told(event: Event) -> None:
    assert view_of(Situation(events=[event])).events == (event,)
    assert KINDS.message(event).WhichOneof("kind")


@pytest.mark.parametrize(
    ("situation", "quoted"),
    [
        (Situation(levels={"silver": 3}), "no good 'silver'"),
        (Situation(levels={"gold": 18}), "level 18 of gold is not on the table, 3 to 17"),
        (Situation(hand=["red-99"]), "no price change card 'red-99'"),
        (Situation(contracts=[("gold", "up", 3, 1)]), "side is 'up'"),  # type: ignore[list-item]  # that is the point
        (Situation(options={"chips": 3}), "no option 'chips'; there are: end_of_game_card,"),
        (Situation(options={"bankruptcy": "never"}), "BANKRUPTCY_NEVER"),
        (Situation(seat=2), "seat is 2, but there are 2 seats"),
        (Situation(decision="day_trade"), "without contracts and a day-trade card"),
    ],
)
def test_a_situation_that_cannot_be_is_quoted(situation: Situation, quoted: str) -> None:
    with pytest.raises(ValueError, match=quoted):
        situation.observation(EDITION)


def test_answers_come_back_as_the_author_gave_them_with_their_notes() -> None:
    turn = Turn([sell("gold", "long", 10, 1), buy("gold", "short", 1)], price_card="green-09", pile=3)
    sale = sell("gold", "long", 10, 2)
    referee = LongShortReferee(Puppet(turn, [sale], True))
    held = Situation(hand=["green-09"], contracts=[("gold", "long", 10, 2)], cash=0)
    answer = referee.turn(held)
    assert (answer.orders, answer.price_card, answer.pile) == (turn.orders, "green-09", 3)
    assert referee.notes == ["answer 0"]
    assert referee.day_trade(held) == (sale,)
    assert referee.cancel_end_of_game(held) is True


@pytest.mark.parametrize(
    ("situation", "answer", "reason"),
    [
        (
            Situation(cash=7_000),
            Turn([buy("gold", "long", 1), buy("gold", "long", 1)], price_card="yellow-01"),
            "order 2 is illegal: 1 gold long cannot be bought now: the margin is 6,000 $, the cash 1,000 $",
        ),
        (Situation(round=10), Turn([buy("wheat", "long", 1)], price_card="yellow-01"), "or in the last round"),
        (Situation(cash=90_000), Turn([buy("wheat", "long", 31)], price_card="yellow-01"), "the chips do not suffice"),
        (Situation(), Turn([sell("gold", "long", 9, 1)], price_card="yellow-01"), "0 are held"),
        (
            Situation(cash=0, contracts=[("gold", "short", 9, 1)], levels={"gold": 13}),
            Turn([sell("gold", "short", 9, 1)], price_card="yellow-01"),
            "it would leave a cash of -2,000 $",
        ),
        (Situation(hand=["red-17"]), idle("red-18"), "the card 'red-18' is not in the hand"),
        (Situation(), Turn([buy("tin", "long", 1)], price_card="yellow-01"), "there is no good 'tin'"),
        (
            Situation(decision="day_trade", contracts=[("gold", "long", 9, 1)]),
            [sell("gold", "long", 9, 2)],
            "order 1 is illegal: 2 gold long @9 cannot be sold now: 1 are held",
        ),
    ],
)
def test_an_illegal_answer_is_refused_with_the_reason_the_answer_and_the_view(
    situation: Situation, answer: Any, reason: str
) -> None:
    explained = refusal(situation, answer)
    first, answered, view = explained.split("\n", 2)
    assert reason in first
    assert answered == f"the bot answered: {answer if isinstance(answer, Turn) else ', '.join(map(str, answer))}"
    assert view.startswith(f"to: {view_of(situation)}")


def test_an_exception_of_the_bots_is_a_failed_assertion(capsys: pytest.CaptureFixture[str]) -> None:
    assert "the bot raised IndexError: pop from empty list (the traceback" in refusal(Situation())
    assert "in decide" in capsys.readouterr().err


def test_a_bot_for_another_game_is_told_so(capsys: pytest.CaptureFixture[str]) -> None:
    bot = Puppet(idle())
    bot.games = ("chess",)  # type: ignore[misc]  # of this one bot
    with pytest.raises(AssertionError, match="the bot refused to play: Puppet does not play 'long-short'"):
        LongShortReferee(bot).turn(Situation())
    capsys.readouterr()


def test_questions_go_on_with_a_match_until_the_seats_or_options_are_others() -> None:
    bot = Puppet(*[idle()] * 5)
    referee = LongShortReferee(bot)
    for situation in (
        Situation(),
        Situation(round=2),
        Situation(seat=1),
        Situation(options={"bankruptcy": "restart"}),
        Situation(round=3),
    ):
        referee.turn(situation)
    ids = [view.match.match_id for view in bot.views]
    assert ids == [f"scripted/{number}/0" for number in (0, 0, 1, 2, 0)]
    assert bot.heard == [f"scripted/{number}/0" for number in range(3)]


def test_the_end_of_the_match_asked_about_last_is_told_and_the_next_question_begins_another() -> None:
    bot = Puppet(idle(), idle())
    referee = LongShortReferee(bot)
    referee.turn(Situation())
    referee.end([3_000, 5_000])
    referee.turn(Situation())
    result = MatchResult((3_000, 5_000), (2, 1), ("completed", "completed"))
    assert bot.heard == ["scripted/0/0", ("scripted/0/0", result), "scripted/1/0"]


def test_a_frame_of_questions_comes_to_decide_many_together_each_from_a_match_of_its_own() -> None:
    class Batched(Puppet):
        def decide_many(self, views: Sequence[LongShortView]) -> list[Turn]:
            """Each the last card of its hand."""
            self.views += views
            return [Turn(price_card=view.hand[-1]) for view in views]

    bot = Batched()
    answers = LongShortReferee(bot).ask([Situation(), Situation(hand=["red-17"])])
    assert [answer.price_card for answer in answers if isinstance(answer, Turn)] == ["yellow-10", "red-17"]
    assert len({view.match.match_id for view in bot.views}) == 2


def test_equal_questions_find_equal_chance() -> None:
    def drawn() -> float:
        bot = Puppet(idle())
        LongShortReferee(bot).turn(Situation())
        return bot.views[0].rng.random()

    assert drawn() == drawn()


def test_an_edition_that_is_not_there_is_named() -> None:
    with pytest.raises(FileNotFoundError, match="chess"):
        packaged_edition("games/chess.toml")


def test_what_it_allows_is_what_the_referee_allows() -> None:
    """Situations of whole matches, and orders at random, many of them illegal."""
    rng = Random(7)
    state = GAME.new(3, {"end_of_game_card": "removed"}, Chance(rng.randbytes(32)))
    allowed = []
    while state.awaiting:
        actions = {seat: state.default_action(seat) for seat in state.awaiting}
        for seat in [] if state.decision == "end_of_game" else state.awaiting:
            seen = view_from(state, seat)
            answer, action = answers(seen, rng)
            allowed.append(takes(seen, answer))
            assert allowed[-1] == is_legal(state, seat, action), (seen, answer)
            actions[seat] = action if allowed[-1] else actions[seat]
        state.apply(actions)
    assert 0.2 < sum(allowed) / len(allowed) < 0.9


def view_from(state: Any, seat: int) -> Situation:
    """What *seat* sees in *state*, as somebody would write it by hand."""
    seen = pb.Observation.FromString(CODEC.observation(state, seat))
    own = seen.public.seats[seat]
    others = [Seat(cash=other.cash) for index, other in enumerate(seen.public.seats) if index != seat]
    return Situation(
        decision=state.decision,
        round=seen.public.round,
        levels=dict(zip(EDITION.goods, seen.public.levels, strict=True)),
        hand=list(seen.private.hand),
        cash=own.cash,
        contracts=[(held.good, SIDES[held.side - 1], held.entry_level, held.contracts) for held in own.positions],
        day_trade_cards=own.day_trade_cards,
        others=others,
        seat=seat,
    )


def answers(seen: Situation, rng: Random) -> tuple[Any, Any]:
    """An answer at random, for the author and for the engine."""
    sales = [sell(*held[:3], rng.randint(1, held[3] + 1)) for held in seen.contracts if rng.random() < 0.5]
    if seen.decision == "day_trade":
        return sales, engine.DayTrade(tuple(engine.Sell(*sale) for sale in sales))
    goods = list(EDITION.goods)
    bought = [buy(rng.choice(goods), rng.choice(SIDES), rng.randint(1, 4)) for _ in range(rng.randint(0, 2))]
    orders = sales + bought
    card = str(rng.choice(seen.hand or ["none"])) if rng.random() < 0.9 else "green-09"
    moved = tuple(engine.Sell(*order) if isinstance(order, Sale) else engine.Buy(*order) for order in orders)
    return Turn(orders, price_card=card), engine.Turn(moved, card)


def takes(situation: Situation, answer: Any) -> bool:
    """Whether the scripted referee takes *answer*."""
    try:
        LongShortReferee(Puppet(answer)).ask([situation])
    except AssertionError:
        return False
    return True


def is_legal(state: Any, seat: int, action: Any) -> bool:
    """Whether the engine takes *action*."""
    try:
        state.validate(seat, action)
    except IllegalAction:
        return False
    return True
