"""Time controls by name and by value."""

import pytest

from tradepit.v1 import block_pb2
from tradepit_server.referee.time_control import NAMED, SECOND, TimeControl, parse


@pytest.mark.parametrize("name", NAMED)
def test_a_named_control_survives_the_wire(name: str) -> None:
    assert TimeControl.from_message(parse(name).to_message()) == NAMED[name]


def test_a_control_by_value() -> None:
    control = parse("decision=2s,bank=60s,increment=100ms,startup=10s")
    assert control == TimeControl(10 * SECOND, 2 * SECOND, 60 * SECOND, SECOND // 10)
    assert TimeControl.from_message(control.to_message()) == control


@pytest.mark.parametrize(
    ("decision", "bank", "left", "allowed"),
    [
        (None, None, None, None),
        (2, None, None, 2),
        (None, 10, 7, 8),
        (2, 10, 7, 2),
        (2, 10, 0, 1),
    ],
)
def test_the_time_allowed_is_the_smaller_of_limit_and_bank_with_increment(
    decision: int | None, bank: int | None, left: int | None, allowed: int | None
) -> None:
    assert TimeControl(decision=decision, bank=bank, increment=1).allowed(left) == allowed


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("", "''"),
        ("fast", "'fast'"),
        ("decision", "'decision'"),
        ("decision=", "''"),
        ("decision=2", "'2'"),
        ("decision=-2s", "'-2s'"),
        ("decision=1.5s", "'1.5s'"),
        ("decision=99999999h", "'99999999h'"),
        ("decision=1s,decision=2s", "decision is given twice, the second time as '2s'"),
        ("decision=\uff12s", "'\uff12s'"),
        ("strikes=\uff13", "'\uff13'"),
        ("decision=0s", "decision cannot be 0"),
        ("startup=0ms", "startup cannot be 0"),
        ("bank=0s", "bank cannot be 0 without an increment"),
        ("speed=1s", "'speed=1s'"),
        ("strikes=0", "'0'"),
        ("name=x", "'name=x'"),
    ],
)
def test_what_is_no_time_control_is_quoted(text: str, quoted: str) -> None:
    with pytest.raises(ValueError, match=r"cannot be|not understood|twice") as error:
        parse(text)
    assert quoted in str(error.value)


@pytest.mark.parametrize("field", ["decision", "startup"])
def test_a_message_whose_clocks_nobody_can_keep_is_refused(field: str) -> None:
    message = parse("blitz").to_message()
    getattr(message, field).FromSeconds(0)
    with pytest.raises(ValueError, match=f"{field} cannot be 0: no bot is so fast"):
        TimeControl.from_message(message)


def test_a_bank_that_begins_empty_is_filled_by_increments() -> None:
    control = parse("bank=0s,increment=100ms,resume_window=0s")
    assert (control.bank, control.allowed(0)) == (0, SECOND // 10)
    assert TimeControl.from_message(control.to_message()) == control


def test_a_message_without_strikes_is_refused() -> None:
    message = parse("blitz").to_message()
    message.strikes = 0
    with pytest.raises(ValueError, match="not 0"):
        TimeControl.from_message(message)


def test_a_negative_duration_is_refused() -> None:
    message = parse("blitz").to_message()
    message.decision.seconds = -1
    with pytest.raises(ValueError, match=r"decision must be from 0 to a year, not -1\.0 s"):
        TimeControl.from_message(message)


@pytest.mark.parametrize("name", NAMED)
def test_a_name_alone_stands_for_its_clocks(name: str) -> None:
    assert TimeControl.from_message(block_pb2.TimeControl(name=name)) == NAMED[name]


def test_a_name_that_nothing_has_is_quoted() -> None:
    with pytest.raises(ValueError, match="no time control is called 'bullet'; known: blitz, standard, training"):
        TimeControl.from_message(block_pb2.TimeControl(name="bullet"))


def test_a_name_beside_values_is_a_name_and_no_more() -> None:
    control = TimeControl.from_message(block_pb2.TimeControl(name="bullet", strikes=1))
    assert control == TimeControl(strikes=1, name="bullet")
