"""What bots do, one small class a kind; ``KINDS`` lists them all."""

from typing import ClassVar

from simulation.bots import Bot
from simulation.clocks import MILLISECOND, SECOND
from tradepit.v1 import play_pb2


class Habit:
    """An honest bot; its children each do one thing otherwise."""

    name: ClassVar[str] = ""
    stirs: ClassVar[bool] = False
    """It also does something unasked, now and then."""

    def greet(self, bot: Bot) -> bool:
        """Begin a stream; whether that has been done in a way of its own."""
        return False

    def invited(self, bot: Bot, invitation: play_pb2.BlockInvitation) -> None:
        """An invitation has come."""
        nonce = bot.rng.randbytes(bot.rng.choice((16, 24, 32))) if bot.rng.random() < 0.8 else b""
        bot.later(bot.rng.randrange(MILLISECOND), bot.accept, invitation, nonce)

    def asked(self, bot: Bot, request: play_pb2.DecisionRequest) -> None:
        """A request has come."""
        bot.later(bot.pace.think(bot), bot.answer, request)

    def think(self, bot: Bot) -> int:
        """Nanoseconds that an honest answer takes."""
        return bot.rng.randrange(1, MILLISECOND)

    def acknowledge(self, bot: Bot) -> int:
        """The number of the last frame, as the bot gives it."""
        return bot.last_sequence

    def away(self, bot: Bot) -> int:
        """Nanoseconds before the bot comes back after its stream has ended."""
        return bot.rng.randrange(1, max(bot.outage // 2, MILLISECOND))

    def stir(self, bot: Bot) -> None:
        """Do something unasked."""

    def count(self, bot: Bot) -> None:
        """Something was done that an honest bot does not do."""
        bot.world.injected[self.name] += 1
        bot.world.note("fault", bot.name, self.name)


class Instant(Habit):
    """Answers at once."""

    name = "instant"


class Steady(Habit):
    """Takes its time, within the clock."""

    name = "steady"

    def think(self, bot: Bot) -> int:
        """Some milliseconds."""
        return bot.rng.randrange(1, bot.world.longest_thought)


class Batching(Habit):
    """Gathers answers and sends them in one frame."""

    name = "batching"

    def asked(self, bot: Bot, request: play_pb2.DecisionRequest) -> None:
        """The first of a batch sets the time at which all leave."""
        message = bot.answers[request.decision_id] = bot.decision(request)
        if not bot.batch:
            bot.later(bot.rng.randrange(1, 3 * MILLISECOND), self._flush, bot)
        bot.batch.append(message)

    @staticmethod
    def _flush(bot: Bot) -> None:
        messages, bot.batch = bot.batch, []
        if messages:
            bot.send(*messages)


class Silent(Habit):
    """Does not answer."""

    name = "silent"

    def asked(self, bot: Bot, request: play_pb2.DecisionRequest) -> None:
        """Say nothing."""
        self.count(bot)


class Slow(Habit):
    """Answers when the time is over."""

    name = "slow"

    def asked(self, bot: Bot, request: play_pb2.DecisionRequest) -> None:
        """A little late, or very."""
        if not request.HasField("time_left"):
            return super().asked(bot, request)
        self.count(bot)
        late = bot.rng.choice((1, MILLISECOND, 50 * MILLISECOND, SECOND))
        bot.later(request.time_left.ToNanoseconds() + bot.rng.randrange(late), bot.answer, request)
        return None


class Illegal(Habit):
    """Sends actions that the rules forbid."""

    name = "illegal"

    def asked(self, bot: Bot, request: play_pb2.DecisionRequest) -> None:
        """Too large a number."""
        self.count(bot)
        bot.send(bot.answer_with(request, bot.illegal(request)))


class Malformed(Habit):
    """Sends an action that is none."""

    name = "malformed"

    def asked(self, bot: Bot, request: play_pb2.DecisionRequest) -> None:
        """Of another type, of none, or of bytes that cannot be read."""
        self.count(bot)
        action = bot.illegal(request)
        spoilt = bot.rng.randrange(4)
        if spoilt == 0:
            action.type_url = "type.googleapis.com/tradepit.v1.Hello"
        elif spoilt == 1:
            action.type_url = ""
        elif spoilt == 2:
            action.value = b"\xff" * bot.rng.choice((1, 9, 2000))
        bot.send(bot.answer_with(request, None if spoilt == 3 else action))


class Garbage(Habit):
    """Sends bytes that are no frame."""

    name = "garbage"
    stirs = True

    def asked(self, bot: Bot, request: play_pb2.DecisionRequest) -> None:
        """Instead of an answer, or before it."""
        self.stir(bot)
        if bot.rng.random() < 0.5:
            super().asked(bot, request)

    def stir(self, bot: Bot) -> None:
        """Whatever is open suffers."""
        self.count(bot)
        bot.raw(b"\xff" + bot.rng.randbytes(bot.rng.choice((0, 7, 300))))


class Raising(Habit):
    """Its author's code fails."""

    name = "raising"

    def asked(self, bot: Bot, request: play_pb2.DecisionRequest) -> None:
        """Report it."""
        self.count(bot)
        failure = play_pb2.DecisionFailure(match_id=request.match_id, decision_id=request.decision_id)
        failure.reason = bot.rng.choice(("", "ZeroDivisionError", "x" * 3000))
        bot.send(play_pb2.BotMessage(decision_failure=failure))


class Duplicating(Habit):
    """Sends every answer twice, the second with another action."""

    name = "duplicating"

    def asked(self, bot: Bot, request: play_pb2.DecisionRequest) -> None:
        """The first counts."""
        self.count(bot)
        messages = [bot.decision(request), bot.decision(request)]
        if bot.rng.random() < 0.3:
            messages.append(bot.answer_with(request, bot.illegal(request)))
        if bot.rng.random() < 0.5:
            bot.send(*messages)
        else:
            for message in messages:
                bot.send(message)


class Reordering(Habit):
    """Holds its answers back and sends them in another order."""

    name = "reordering"

    def asked(self, bot: Bot, request: play_pb2.DecisionRequest) -> None:
        """Those that came within some milliseconds, the last first."""
        message = bot.answers[request.decision_id] = bot.decision(request)
        if not bot.batch:
            bot.later(bot.rng.randrange(1, 9 * MILLISECOND), self._flush, bot)
        bot.batch.append(message)

    def _flush(self, bot: Bot) -> None:
        messages, bot.batch = bot.batch[::-1], []
        if len(messages) > 1:
            self.count(bot)
        for message in messages:
            bot.send(message)


class Mistaken(Habit):
    """Confuses decision ids and match ids."""

    name = "mistaken"

    def asked(self, bot: Bot, request: play_pb2.DecisionRequest) -> None:
        """Then answers as it should, perhaps."""
        self.count(bot)
        wrong = play_pb2.DecisionRequest()
        wrong.CopyFrom(request)
        if bot.rng.random() < 0.5:
            wrong.match_id = bot.rng.choice((f"{request.match_id}0", "", "nowhere/1/0", *bot.other_matches(request)))
        else:
            wrong.decision_id = bot.rng.choice((0, request.decision_id + 1, request.decision_id + 7, 2**63, 1))
        bot.send(bot.answer_with(wrong, bot.illegal(request)))
        if bot.rng.random() < 0.7:
            super().asked(bot, request)


class Noting(Habit):
    """Writes long notes."""

    name = "noting"

    def asked(self, bot: Bot, request: play_pb2.DecisionRequest) -> None:
        """Of a byte too many, or a hundred thousand."""
        self.count(bot)
        bot.send(bot.decision(request, bot.rng.choice(("n" * 1024, "n" * 1025, "ü" * 600, "n" * 100_000))))
