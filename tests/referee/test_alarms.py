"""Alarms ring in order, once, and leave nothing behind when they are taken back."""

import weakref

from tradepit_server.referee.alarms import Alarms


class Keepsake:
    """Something that a callback keeps alive."""

    def ring(self, now: int) -> None:
        """Nothing to do."""


def test_alarms_ring_in_the_order_of_their_instants_and_no_sooner() -> None:
    alarms, rung = Alarms(), list[int]()
    for when in (30, 10, 20, 20, 40):
        alarms.set(when, lambda _, when=when: rung.append(when))  # type: ignore[misc]  # the lambda's own when
    assert alarms.next() == 10
    alarms.due(9)
    assert rung == []
    alarms.due(30)
    assert rung == [10, 20, 20, 30]
    assert alarms.next() == 40


def test_an_alarm_that_is_taken_back_neither_rings_nor_shows() -> None:
    alarms, rung = Alarms(), list[int]()
    first = alarms.set(10, rung.append)
    alarms.set(20, rung.append)
    alarms.cancel(first)
    alarms.cancel(first)
    alarms.cancel(None)
    assert alarms.next() == 20
    alarms.due(25)
    assert rung == [25]
    assert alarms.next() is None


def test_an_alarm_that_has_rung_cannot_be_taken_back() -> None:
    """Were it counted as one that is still in the heap, the count would drift."""
    alarms = Alarms()
    rung = [alarms.set(1, lambda _: None) for _ in range(200)]
    alarms.due(1)
    for alarm in rung:
        alarms.cancel(alarm)
    kept = alarms.set(5, lambda _: None)
    for _ in range(70):
        alarms.cancel(alarms.set(6, lambda _: None))
    assert (alarms.next(), kept.ring is None) == (5, False)
    assert len(alarms) < 70


def test_an_alarm_may_set_and_take_back_others_while_it_rings() -> None:
    alarms, rung = Alarms(), list[str]()
    second = alarms.set(2, lambda _: rung.append("second"))

    def first(now: int) -> None:
        alarms.cancel(second)
        alarms.set(now, lambda _: rung.append("third"))

    alarms.set(1, first)
    alarms.due(2)
    assert rung == ["third"]


def test_alarms_taken_back_do_not_pile_up_and_keep_nothing_alive() -> None:
    """Each limit of an hour would otherwise be kept for an hour."""
    alarms = Alarms()
    alarms.set(1, lambda _: None)
    keepsake = Keepsake()
    gone = weakref.ref(keepsake)
    alarms.cancel(alarms.set(3600, keepsake.ring))
    del keepsake
    assert gone() is None
    for _ in range(10_000):
        alarms.cancel(alarms.set(3600, lambda _: None))
        assert len(alarms) <= 130
    assert alarms.next() == 1
