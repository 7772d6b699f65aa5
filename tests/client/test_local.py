"""Local play: the referee's own core in this process."""

import pytest

from tradepit.local import play
from tradepit.long_short import LongShortBot, LongShortView, Match, MatchResult, Turn, buy
from tradepit.v1 import block_pb2

SEED = "5a" * 32


class Momentum(LongShortBot):
    """Buys gold while it can."""

    def take_turn(self, view: LongShortView) -> Turn:
        """Another contract."""
        orders = [buy("gold", "long", 1)] if view.can_buy("gold", "long", 1) else []
        return Turn(orders=orders, price_card=view.hand[0])


class Idle(LongShortBot):
    """Buys nothing."""

    def take_turn(self, view: LongShortView) -> Turn:
        """A card, because it must."""
        return Turn(orders=[], price_card=view.hand[0])


class Raising(Idle):
    """Its author made a mistake."""

    def take_turn(self, view: LongShortView) -> Turn:
        """Fails."""
        raise ZeroDivisionError(f"round {view.round}")


def test_a_block_is_all_cyclic_seatings_and_the_same_bot_may_come_twice() -> None:
    matches = play([Momentum(), Idle(), Momentum()], game="long-short", seed=SEED)
    assert [match.bots for match in matches] == [
        ("Momentum", "Idle", "Momentum#2"),
        ("Momentum#2", "Momentum", "Idle"),
        ("Idle", "Momentum#2", "Momentum"),
    ]
    assert all(set(match.result.terminations) == {"completed"} for match in matches)


def test_equal_seeds_give_equal_matches() -> None:
    first, second, other = (
        [match.result for match in play([Momentum(), Idle()], game="long-short", blocks=3, seed=seed)]
        for seed in (SEED, bytes.fromhex(SEED), "00" * 32)
    )
    assert first == second != other


def test_blocks_are_played_at_the_same_time_if_all_bots_want_that_and_come_in_order() -> None:
    started: list[str] = []

    class Busy(Idle):
        max_concurrent_matches = 4

        def match_started(self, match: Match) -> None:
            """Begun."""
            started.append(match.match_id)

        def match_ended(self, match: Match, result: MatchResult) -> None:
            """Over."""
            started.append("an end")

    matches = play([Busy(), Busy()], game="long-short", blocks=5, seed=SEED)
    assert started.index("an end") == 8  # four matches, two bots
    assert [match.replay.match_id for match in matches] == [
        f"local/{block}/{index}" for block in range(5) for index in range(2)
    ]
    assert [match.result for match in matches] == [
        match.result for match in play([Idle(), Idle()], game="long-short", blocks=5, seed=SEED)
    ]


def test_a_match_gives_its_replay_in_the_published_form_and_does_not_print_it() -> None:
    match = play([Momentum(), Idle()], game="long-short", seed=SEED)[0]
    assert match.json()["format"] == "tradepit-replay/1"
    assert match.json()["result"]["scores"] == list(match.result.scores)
    assert str(match) == f"LocalMatch(bots=('Momentum', 'Idle'), result={match.result})"


def test_an_exception_of_the_authors_is_shown_and_costs_only_that_bot(capsys: pytest.CaptureFixture[str]) -> None:
    match = play([Raising(), Idle()], game="long-short", seed=SEED)[0]
    assert match.result.terminations == ("forfeited_illegal", "completed")
    assert match.result.placements == (2, 1)
    assert {fault.kind for fault in match.replay.result.faults} == {block_pb2.FAULT_KIND_BOT_ERROR}
    assert "ZeroDivisionError: round 1" in capsys.readouterr().err


def test_options_are_the_games_own() -> None:
    match = play([Idle(), Idle()], game="long-short", seed=SEED, options={"end_of_game_card": "removed"})[0]
    assert len(match.replay.decisions) == 20


@pytest.mark.parametrize(
    ("arguments", "quoted"),
    [
        ({"seed": "12"}, "'12'"),
        ({"seed": "zz" * 32}, "'zzzz"),
        ({"seed": b"short"}, "b'short'"),
        ({"game": "chess"}, "'chess'"),
        ({"options": {"bankruptcy": "never"}}, "'never'"),
    ],
)
def test_what_cannot_be_played_is_quoted(arguments: dict[str, object], quoted: str) -> None:
    with pytest.raises(ValueError, match=quoted):
        play([Idle(), Idle()], **{"game": "long-short", **arguments})  # type: ignore[arg-type]  # that is the point


def test_a_table_that_is_too_small_is_refused() -> None:
    with pytest.raises(ValueError, match="2 to 6 bots, not 1"):
        play([Idle()], game="long-short")
