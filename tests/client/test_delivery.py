"""The numbers of a bot's frames, and what is sent again when a stream is lost."""

from collections.abc import Iterable

from tradepit.delivery import Delivery
from tradepit.v1 import play_pb2

NEW = play_pb2.Hello()
AGAIN = play_pb2.Hello(resume_session_id="a session")


def answer(number: int) -> play_pb2.BotMessage:
    """A message that can be told from others."""
    return play_pb2.BotMessage(decision=play_pb2.Decision(decision_id=number))


def sent(frames: Iterable[bytes]) -> list[tuple[int, list[int]]]:
    """Each frame's own number, and its decisions."""
    requests = [play_pb2.PlayRequest.FromString(frame) for frame in frames]
    return [(frame.sequence, [message.decision.decision_id for message in frame.messages]) for frame in requests]


def begun(*answers: int) -> Delivery:
    """Hello, and then a frame for each of *answers*: number 2 and so on."""
    delivery = Delivery()
    delivery.hello(NEW)
    for number in answers:
        delivery.frame(answer(number))
    return delivery


def test_frames_count_on_across_streams_and_say_what_has_arrived() -> None:
    delivery = begun(1)
    delivery.arrived(7, 2)
    frame = play_pb2.PlayRequest.FromString(delivery.hello(AGAIN))
    assert (frame.sequence, frame.acknowledged_sequence) == (3, 7)


def test_what_was_not_received_is_sent_again_under_new_numbers() -> None:
    delivery = begun(1, 2, 3)
    delivery.hello(AGAIN)
    assert sent(delivery.welcomed(3)) == [(6, [2 + 1])]


def test_a_referee_that_does_not_say_gets_all_that_it_has_not_acknowledged() -> None:
    delivery = begun(1, 2, 3)
    delivery.arrived(1, 2)
    delivery.hello(AGAIN)
    assert sent(delivery.welcomed(0)) == [(6, [2]), (7, [3])]


def test_what_was_acknowledged_is_forgotten() -> None:
    delivery = begun(1, 2)
    delivery.arrived(1, 3)
    delivery.hello(AGAIN)
    assert delivery.welcomed(0) == []


def test_messages_of_a_frame_stay_together() -> None:
    delivery = begun()
    delivery.frame(answer(1), answer(2))
    delivery.hello(AGAIN)
    assert sent(delivery.welcomed(1)) == [(4, [1, 2])]


def test_what_was_sent_again_and_lost_again_is_sent_again() -> None:
    delivery = begun(1, 2)
    delivery.hello(AGAIN)  # 4
    assert sent(delivery.welcomed(2)) == [(5, [2])]
    delivery.hello(AGAIN)  # 6
    assert sent(delivery.welcomed(2)) == [(7, [2])]
    delivery.hello(AGAIN)  # 8
    assert delivery.welcomed(7) == []


def test_a_hello_that_brought_no_welcome_hides_nothing() -> None:
    """A referee that counts the number of a Hello says nothing about the frames before it."""
    delivery = begun(1, 2)
    delivery.hello(AGAIN)  # 4, whose stream breaks before its Welcome
    delivery.hello(AGAIN)
    assert sent(delivery.welcomed(4)) == [(6, [1]), (7, [2])]


def test_a_number_from_before_the_return_drops_nothing_sent_after_it() -> None:
    """The frame that brings Welcome may acknowledge the Hello."""
    delivery = begun(1, 2)
    delivery.hello(AGAIN)  # 4
    delivery.arrived(1, 4)
    assert sent(delivery.welcomed(2)) == [(5, [2])]
    delivery.arrived(2, 4)
    delivery.hello(AGAIN)
    assert sent(delivery.welcomed(4)) == [(7, [2])]
