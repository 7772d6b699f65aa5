"""Orders that cannot be carried out are refused in one line that quotes the value."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tradepit.v1 import block_pb2
from tradepit_ladder.application import Ladder
from tradepit_ladder.client import EntrantSpec, LadderError, TournamentOrder, TournamentReport

Run = Callable[[TournamentOrder], TournamentReport]
MakeOrder = Callable[..., TournamentOrder]
ROOT = bytes(range(32))


def told(call: Callable[..., object], *args: object) -> str:
    """The one line by which the call is refused."""
    with pytest.raises(LadderError) as error:
        call(*args)
    assert "\n" not in str(error.value)
    return str(error.value)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"blocks": 0}, "0 blocks a table"),
        ({"blocks": -3}, "-3 blocks a table"),
        ({"blocks": 40_000}, "40000 blocks a table make 120,000"),
        ({"table_size": 1}, "table size 1: toy is played by 2 to 4 bots"),
        ({"table_size": 5}, "table size 5: toy is played by 2 to 4 bots"),
        ({"table_size": 2, "min_seats": 3}, "table size 2: toy is played by 3 to 4 bots"),
        ({"table_size": 4}, "table size 4 is more than the 3 bots"),
        ({"deal": block_pb2.DEAL_DUPLICATE}, "deal 'duplicate' is refused: a bot that sits in two matches"),
        ({"root_seed": b"\x01" * 31}, "a root seed has 32 bytes, this one has 31"),
        ({"name": "My Cup"}, "tournament name 'My Cup'"),
        ({"name": "a/b"}, "tournament name 'a/b'"),
        ({"game": "../toy"}, "game name '../toy'"),
    ],
)
def test_a_wrong_order(run: Run, make_order: MakeOrder, change: dict[str, Any], expected: str) -> None:
    assert expected in told(run, make_order(**change))


@pytest.mark.parametrize(
    ("bots", "expected"),
    [
        (["ann"], "2 bots or more, not ['ann']"),
        (["ann", "bob", "ann"], "'ann' is entered 2 times"),
        (["ann", "Bob"], "bot name 'Bob'"),
        ([f"b{number}" for number in range(101)], "at most 100 bots, not 101"),
    ],
)
def test_wrong_entrants(run: Run, make_order: MakeOrder, bots: list[str], expected: str) -> None:
    assert expected in told(run, make_order(*bots))


def entering(order: TournamentOrder, entrant: EntrantSpec) -> TournamentOrder:
    return replace(order, entrants=(*order.entrants, entrant))


def test_a_bot_that_nobody_added_cannot_enter(run: Run, make_order: MakeOrder) -> None:
    order = entering(make_order(), EntrantSpec("mine", ("./mine",), "", house=False))
    assert "no bot 'mine'" in told(run, order)


def test_a_house_bot_cannot_be_entered_as_somebodys_own(run: Run, make_order: MakeOrder) -> None:
    run(make_order())
    order = make_order("ann", "bob")
    assert "no bot 'cid'" in told(run, entering(order, EntrantSpec("cid", ("./mine",), "", house=False)))


def test_a_bot_enters_with_the_command_that_it_was_added_with(ladder: Ladder, run: Run, make_order: MakeOrder) -> None:
    ladder.add_bot("mine", ["./mine"], "/home/me")
    order = make_order()
    for entrant in (("./other",), "/home/me"), (("./mine",), "/tmp"):  # noqa: S108  # only a name here
        assert "'./mine'" in told(run, entering(order, EntrantSpec("mine", *entrant, house=False)))
    run(entering(order, EntrantSpec("mine", ("./mine",), "/home/me", house=False)))


def test_an_added_bot_is_not_taken_for_a_house_bot_of_its_name(ladder: Ladder, run: Run, make_order: MakeOrder) -> None:
    ladder.add_bot("mine", ["./mine"], "")
    assert "'mine' was added by its owner" in told(
        run, entering(make_order(), EntrantSpec("mine", ("x",), "", house=True))
    )


def test_a_bot_that_connects_by_itself_cannot_play_and_with_a_root_seed_the_reason_is_fairness(
    run: Run, make_order: MakeOrder
) -> None:
    remote = EntrantSpec("far", (), "", house=False)
    assert "'far' connects by itself" in told(run, entering(make_order(), remote))
    assert "'far' connects by itself: a root seed makes chance known" in told(
        run, entering(make_order(root_seed=ROOT), remote)
    )


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"blocks": 2}, "begun with blocks 1, not 2"),
        ({"table_size": 3}, "begun with table size 2, not 3"),
        ({"options": {"speed": "high"}}, "begun with options nothing, not speed=high"),
        ({"time_control": block_pb2.TimeControl(strikes=1)}, "begun with time control strikes=3, not strikes=1"),
        ({"game": "other"}, "begun with game toy, not other"),
        ({"root_seed": ROOT}, "begun with another root seed, or without one"),
    ],
)
def test_a_name_is_taken_by_its_first_order(
    run: Run, make_order: MakeOrder, change: dict[str, Any], expected: str
) -> None:
    run(make_order(name="cup"))
    assert expected in told(run, make_order(name="cup", **change))


def test_the_bots_of_a_name_and_their_order_are_part_of_the_order(run: Run, make_order: MakeOrder) -> None:
    run(make_order("ann", "bob", name="cup"))
    assert "begun with bots ann, bob, not bob, ann" in told(run, make_order("bob", "ann", name="cup"))


@pytest.mark.parametrize(
    ("naming", "expected"),
    [
        ({"name": "cup"}, "'mine' has changed since tournament 'cup' was begun with it.*give another name"),
        ({"root_seed": ROOT}, "'mine' has changed since tournament 'toy-.*give another root seed"),
    ],
)
def test_a_bot_whose_file_has_changed_does_not_go_on_in_its_place(
    ladder: Ladder, run: Run, make_order: MakeOrder, naming: dict[str, Any], expected: str
) -> None:
    ladder.add_bot("mine", ["./mine"], "")

    def order(digest: str) -> TournamentOrder:
        mine = EntrantSpec("mine", ("./mine",), "", house=False, program_sha256=digest)
        return entering(make_order(**naming), mine)

    first = run(order("00" * 32))
    assert run(order("00" * 32)).id == first.id
    assert re.search(expected, told(run, order("11" * 32)))


def test_nor_where_a_seeded_tournament_had_a_name_and_is_ordered_without(
    ladder: Ladder, run: Run, make_order: MakeOrder
) -> None:
    ladder.add_bot("mine", ["./mine"], "")
    mine = EntrantSpec("mine", ("./mine",), "", house=False, program_sha256="00" * 32)
    run(entering(make_order(root_seed=ROOT, name="cup"), mine))
    changed = entering(make_order(root_seed=ROOT), replace(mine, program_sha256="11" * 32))
    assert "'mine' has changed since tournament 'cup'" in told(run, changed)


def test_chance_does_not_follow_from_the_file_of_a_bot(ladder: Ladder, run: Run, make_order: MakeOrder) -> None:
    ladder.add_bot("mine", ["./mine"], "")
    mine = EntrantSpec("mine", ("./mine",), "", house=False)
    order = entering(make_order(root_seed=ROOT), mine)
    plain = run(order)
    assert run(replace(order, entrants=(*order.entrants[:-1], replace(mine, program_sha256="00" * 32)))).id == plain.id


def test_a_refused_order_leaves_nothing_behind(ladder: Ladder, run: Run, make_order: MakeOrder) -> None:
    told(run, entering(make_order(name="cup"), EntrantSpec("mine", ("x",), "", house=False)))
    run(make_order("dot", "eve", name="cup"))
    assert [row.bot for row in ladder.leaderboard("toy").standings] != []


def test_an_added_bot_is_pointed_elsewhere_and_keeps_its_results(
    ladder: Ladder, run: Run, make_order: MakeOrder
) -> None:
    ladder.add_bot("mine", ["./mine"], "/here")
    run(entering(make_order(), EntrantSpec("mine", ("./mine",), "/here", house=False)))
    before = ladder.leaderboard("toy")
    moved = ladder.set_bot("mine", ["./mine2"], "/there")
    assert (ladder.bots(), ladder.leaderboard("toy")) == ([moved], before)
    run(entering(make_order(), EntrantSpec("mine", ("./mine2",), "/there", house=False)))
    for other in ("ann", "nobody"):
        assert f"no bot {other!r} that was added" in told(ladder.set_bot, other, ["x"], "")


def test_bots_are_added_and_listed_by_name(ladder: Ladder) -> None:
    zed = ladder.add_bot("zed", ["python3", "zed.py"], "/home/me")
    abe = ladder.add_bot("abe", ["./abe"], "")
    assert ladder.bots() == [abe, zed]
    assert (zed.command, zed.working_directory) == (("python3", "zed.py"), "/home/me")


@pytest.mark.parametrize(
    ("name", "command", "expected"),
    [
        ("zed", ["x"], "there is a bot 'zed' already"),
        ("ann", ["x"], "bot name 'ann' belongs to a house bot"),
        ("", ["x"], "bot name '' is refused"),
        ("Zed", ["x"], "bot name 'Zed' is refused"),
        ("random#2", ["x"], "bot name 'random#2' is refused"),
        ("x" * 41, ["x"], "x' is refused"),
        ("new", [], "bot 'new' has no command to start it with: []"),
        ("new", [""], "bot 'new' has no command to start it with: ['']"),
        ("new", ["x", "\0"], r"'\x00'"),
        ("new", ["\udc80"], r"'\udc80'"),
    ],
)
def test_a_bot_that_cannot_be_added(ladder: Ladder, name: str, command: list[str], expected: str) -> None:
    ladder.add_bot("zed", ["x"], "")
    assert expected in told(ladder.add_bot, name, command, "")
    assert [bot.name for bot in ladder.bots()] == ["zed"]
