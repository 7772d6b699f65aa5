"""The suite for games: it passes what is right, and each of its checks finds what is wrong."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest
import spoilt_bids
from google.protobuf.message import DecodeError
from sealed_bids.rules import State
from sealed_bids.trials import SealedBidsTrials

from tradepit_server.games.buy_low_sell_high.state import State as BuyLowSellHighState
from tradepit_server.games.long_short.game import LongShort
from tradepit_server.games.long_short.state import State as LongShortState
from tradepit_server.testing import Case, Nonconformity, NoTrials, checks, find, messages, privacy
from tradepit_server.testing.games.long_short import LongShortTrials
from tradepit_server.testing.records import cases, further_cases
from tradepit_server.testing.suite import OF_A_CASE, OF_A_GAME

CASE = Case(4, "long")

PER_CASE = {check.__name__: check for check in OF_A_CASE}
PER_GAME = {check.__name__: check for check in OF_A_GAME}

SPOILT = [
    ("determinism", spoilt_bids.Lucky, "is played again"),
    ("determinism", spoilt_bids.Moody(), "something else than its rng"),
    ("shape", spoilt_bids.NeverOver, "decision of moment 8 is 'bid'"),
    ("shape", spoilt_bids.Twice, "awaits a seat twice"),
    ("shape", spoilt_bids.Wordless, "is described as ''"),
    ("events", spoilt_bids.Forgetful, "has changed earlier events"),
    ("events", spoilt_bids.Repetitive, r"events_since\(2\)"),
    ("clones", spoilt_bids.SharedCoins, "has changed the original"),
    ("clones", spoilt_bids.SharedBids, "has changed the original"),
    ("clones", spoilt_bids.Shuffled, "otherwise than its original"),
    ("legality", spoilt_bids.Greedy(), "is illegal"),
    ("defaults", spoilt_bids.BadDefault, "the default of seat 0 at moment 0 is illegal"),
    ("bound", spoilt_bids.Impatient(), "takes 32 decisions; the declared bound is 4"),
    ("ledger", spoilt_bids.SilentlyPaid, "by the events they are"),
    ("ledger", spoilt_bids.CarelessLedger(), "by the events they are"),
    ("placements", spoilt_bids.UpsideDown, "is placed no worse"),
    ("placements", spoilt_bids.WithoutTies, "is behind"),
    ("illegal", spoilt_bids.Curt, "without naming -1: no"),
    ("illegal", spoilt_bids.Punishing, "has changed moment 0"),
    ("illegal", spoilt_bids.Lenient, "not one of the actions"),
    ("uninvited", spoilt_bids.Lenient, "seat 4 may act"),
    ("uninvited", spoilt_bids.Curt, "without naming it"),
    ("answers_of_another_kind", spoilt_bids.Punishing, "has changed moment 0"),
    ("garbage", spoilt_bids.Punishing, "has changed moment 0"),
    ("garbage", spoilt_bids.Fragile(), "Error parsing message"),
    ("schema", spoilt_bids.PrivatePublic(), "is not the public part"),
    ("schema", spoilt_bids.Sloppy(), "not as protobuf writes it"),
    ("actions", spoilt_bids.Lossy(), "a way through its message"),
    ("actions", spoilt_bids.LossyJson(), "a way through JSON"),
    ("actions", spoilt_bids.OccupiedKey(), "a replay's own keys"),
    ("hidden", spoilt_bids.Leaking(), "the observation is another"),
    ("hidden", spoilt_bids.PublicLeak(), "the public part is another"),
    ("hidden", spoilt_bids.Telltale, "legality tells what is hidden"),
    ("samples", spoilt_bids.AlwaysTheSame(), "are alike"),
    ("secrets", spoilt_bids.Gossiping(), "seat 1 sees by moment 0 all that seat 0 sees"),
]

STATES = [("long-short", LongShortState), ("buy-low-sell-high", BuyLowSellHighState)]

SPOILT_GAMES = [
    ("information", spoilt_bids.Alias(), "calls itself 'bids'"),
    ("editions", spoilt_bids.AnyEdition(), "is taken for an edition"),
    ("wrong_tables", spoilt_bids.AnyTable(), "1 seats and options {} are accepted"),
]


class OtherTrials(LongShortTrials):
    """Plays otherwise than the trials that another process finds."""

    def random_action(self, state: Any, seat: int, rng: Random) -> Any:
        """The default."""
        return state.default_action(seat)


class OpenTrials(SealedBidsTrials):
    """Says that seats know nothing of their own."""

    secrets = False


class SmallGame(LongShort):
    """Long Short for two, so that not much is played."""

    info = replace(LongShort.info, max_seats=2, presets={"classic": {}})


@pytest.mark.parametrize("check", PER_CASE)
def test_a_check_passes_what_is_right(check: str) -> None:
    PER_CASE[check](spoilt_bids.spoilt(State), CASE)


@pytest.mark.parametrize(("check", "part", "complaint"), SPOILT)
def test_a_check_finds_what_is_wrong(check: str, part: object, complaint: str) -> None:
    with pytest.raises((Nonconformity, DecodeError), match=complaint):
        PER_CASE[check](spoilt_bids.spoilt(part), CASE)


@pytest.mark.parametrize(("name", "state"), STATES)
def test_cards_that_are_dealt_before_everybody_are_found(
    name: str, state: type[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    subject = find(name)._replace(name=f"open-{name}")  # what is recorded under this name, no other test looks at
    monkeypatch.setattr(state, "audience", lambda self, event: None)
    messages.hidden(subject, Case(2, "classic"))
    with pytest.raises(Nonconformity, match="is noticed by seat 0 alone"):
        privacy.secrets(subject, Case(2, "classic"))


def test_seats_without_secrets_are_said_to_have_none() -> None:
    subject = spoilt_bids.spoilt(spoilt_bids.Gossiping())._replace(trials=OpenTrials())
    privacy.secrets(subject, CASE)


@pytest.mark.parametrize(("check", "part", "complaint"), SPOILT_GAMES)
def test_a_check_of_the_game_finds_what_is_wrong(check: str, part: object, complaint: str) -> None:
    PER_GAME[check](spoilt_bids.spoilt(State))
    with pytest.raises(Nonconformity, match=complaint):
        PER_GAME[check](spoilt_bids.spoilt(part))


@pytest.mark.parametrize(
    ("check", "complaint"), [("another_process", "2p-classic.txt differs"), ("wire", "goes otherwise over gRPC")]
)
def test_a_process_that_plays_otherwise_is_found(check: str, complaint: str) -> None:
    subject = find("long-short")._replace(game=SmallGame(), trials=OtherTrials())
    with pytest.raises(Nonconformity, match=complaint):
        PER_GAME[check](subject)


def test_every_check_is_shown_to_be_able_to_fail() -> None:
    shown = [check for check, _, _ in SPOILT + SPOILT_GAMES]
    assert {*shown, "another_process", "wire"} == {*PER_CASE, *PER_GAME}


def test_every_seat_count_and_preset_is_a_case() -> None:
    assert [str(case) for case in cases(spoilt_bids.spoilt(State))] == [
        "2p-classic", "2p-long", "3p-classic", "3p-long", "4p-classic", "4p-long",
    ]  # fmt: skip


def test_every_value_of_an_option_is_in_a_case() -> None:
    assert further_cases(spoilt_bids.spoilt(State)) == []
    further = [str(case) for case in further_cases(find("long-short"))]
    assert "6p-end_of_game_card=cancellable" in further
    assert further[-4:] == [f"6p-max_action_points={points}" for points in (1, 2, 4, 5)]


def test_a_game_without_trials_is_told_how_to_bring_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tradepit_server.testing.trials.GROUP", "tradepit.no-such-group")
    with pytest.raises(NoTrials, match="long-short brings no trials: give it an entry point 'long-short' in the group"):
        checks("long-short")
