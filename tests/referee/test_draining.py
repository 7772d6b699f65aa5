"""A referee that goes away tells every bot, and it tells its shell who comes and goes."""

from typing import Any

SECOND = 1_000_000_000


def drains(bot: Any) -> list[int]:
    """The grace of each Drain that has come, in seconds."""
    return [message.drain.grace.seconds for message in bot.take("drain")]


def test_every_connected_bot_is_told_once_and_how_long_blocks_may_go_on(world: Any) -> None:
    ada, bob = world.join("ada"), world.join("bob")
    world.core.drain(90 * SECOND, world.now)
    world.turn()
    assert (drains(ada), drains(bob)) == ([90], [90])
    world.turn()
    assert (drains(ada), drains(bob)) == ([], [])


def test_a_bot_that_comes_or_comes_back_later_is_told_too(world: Any) -> None:
    ada, bob = world.join("ada"), world.join("bob")
    world.start("block", {"ada": ada, "bob": bob})
    ada.drop()
    world.core.drain(90 * SECOND, world.now)
    again = world.connect("ada")
    again.hello(resume=ada.session_id)
    world.turn()
    assert drains(again) == [90]
    assert drains(world.join("cid")) == [90]


def test_the_shell_hears_of_every_session_that_comes_or_goes(world: Any) -> None:
    ada = world.join("ada")
    assert world.core.effects(world.now).sessions_changed == []
    ada.drop()
    assert world.core.effects(world.now).sessions_changed == [(ada.session_id, "ada", False)]
    bob = world.connect("bob")
    assert world.core.effects(world.now).sessions_changed == [], "before its Hello a stream carries none"
    bob.hello()
    ((_, name, connected),) = world.core.effects(world.now).sessions_changed
    assert (name, connected) == ("bob", True)


def test_a_stream_that_takes_over_a_session_leaves_it_connected(world: Any) -> None:
    ada = world.join("ada")
    newer = world.connect("ada")
    newer.hello(resume=ada.session_id)
    changes = world.core.effects(world.now).sessions_changed
    assert changes[-1] == (ada.session_id, "ada", True)
