"""What bots do unasked, and to their lines and sessions."""

from simulation.bots import Bot
from simulation.clocks import MILLISECOND, SECOND
from simulation.habits import Habit
from tradepit.v1 import play_pb2


class Echoing(Habit):
    """Answers again, and late, what was decided long ago."""

    name = "late"
    stirs = True

    def stir(self, bot: Bot) -> None:
        """Whatever it was asked, with another action."""
        if bot.requests:
            self.count(bot)
            request = bot.rng.choice(list(bot.requests.values()))
            bot.send(bot.decision(request))


class Impostor(Habit):
    """Answers for others, and resumes what is not its own."""

    name = "impostor"
    stirs = True

    def stir(self, bot: Bot) -> None:
        """Another's request, block or session."""
        victim = bot.rng.choice(bot.world.bots)
        self.count(bot)
        if victim.session_id and bot.rng.random() < 0.3:
            line = bot.world.open_line(bot)
            hello = play_pb2.Hello(protocol_revision=1, resume_session_id=victim.session_id)
            frame = play_pb2.PlayRequest(sequence=1, messages=[play_pb2.BotMessage(hello=hello)])
            line.send(frame.SerializeToString())
        elif victim.requests:
            bot.send(victim.decision(bot.rng.choice(list(victim.requests.values()))))
        elif victim.games:
            name = bot.rng.choice(list(victim.games))
            bot.send(play_pb2.BotMessage(block_acceptance=play_pb2.BlockAcceptance(block_id=name, refusal="not me")))


class Flooding(Habit):
    """Sends much that says nothing."""

    name = "flooding"
    stirs = True

    def stir(self, bot: Bot) -> None:
        """Empty frames, or messages of no kind."""
        self.count(bot)
        if bot.rng.random() < 0.6:
            for _ in range(bot.rng.choice((5, 60))):
                bot.transmit([])
        else:
            bot.transmit([play_pb2.BotMessage()] * bot.rng.choice((20, 300, 5000 if bot.world.large else 300)))


class Strange(Habit):
    """Says what no revision of the protocol knows, or says Hello again."""

    name = "strange"
    stirs = True

    def stir(self, bot: Bot) -> None:
        """A second Hello, or a message of another kind."""
        self.count(bot)
        if bot.rng.random() < 0.5:
            bot.raw(b"\x08\x02\x1a\x02\x7a\x00")
        else:
            bot.transmit([play_pb2.BotMessage(hello=play_pb2.Hello(protocol_revision=1))])


class Dropping(Habit):
    """Loses its line and comes back in time."""

    name = "dropping"
    stirs = True

    def stir(self, bot: Bot) -> None:
        """A short outage."""
        if bot.session_id:
            bot.world.injected[self.name] += 1
            bot.world.lose_line(bot, bot.outage // 2)


class Overdue(Habit):
    """Loses its line and comes back when it is too late."""

    name = "overdue"
    stirs = True

    def stir(self, bot: Bot) -> None:
        """An outage longer than most windows."""
        if bot.line is not None:
            self.count(bot)
            bot.world.lose_line(bot, 100 * MILLISECOND)

    def away(self, bot: Bot) -> int:
        """Up to some seconds."""
        return bot.rng.randrange(30 * MILLISECOND, 6 * SECOND)


class Deserting(Habit):
    """Loses its line and never comes back."""

    name = "deserting"
    stirs = True

    def stir(self, bot: Bot) -> None:
        """Gone."""
        if bot.line is not None and bot.rng.random() < 0.3:
            self.count(bot)
            bot.gone = True
            bot.world.lose_line(bot, 20 * MILLISECOND)


class HalfClosing(Habit):
    """Ends its half of the stream, and comes back."""

    name = "half-closing"
    stirs = True

    def stir(self, bot: Bot) -> None:
        """The referee sees the end of what it reads."""
        if bot.line is not None and bot.session_id:
            self.count(bot)
            line = bot.line
            line.hang_up()
            bot.later(bot.rng.randrange(40 * MILLISECOND), bot.closed, line, "lost")


class Leaving(Habit):
    """Says goodbye in the middle."""

    name = "leaving"
    stirs = True

    def stir(self, bot: Bot) -> None:
        """And is gone, or comes back as another session."""
        if bot.line is not None and bot.rng.random() < 0.2:
            self.count(bot)
            bot.transmit([play_pb2.BotMessage(bye=play_pb2.Bye(reason=bot.rng.choice(("", "enough"))))])


class Doubling(Habit):
    """Opens a second stream for its session, or one more session."""

    name = "doubling"
    stirs = True

    def stir(self, bot: Bot) -> None:
        """The newer stream carries on."""
        if bot.line is not None:
            self.count(bot)
            if bot.rng.random() < 0.2:
                bot.forget()
            bot.connect()


class Unacknowledging(Habit):
    """Does not say what it has received."""

    name = "unacknowledging"

    def acknowledge(self, bot: Bot) -> int:
        """Nothing."""
        self.count(bot)
        return 0


class Boasting(Habit):
    """Says that it has received what was never sent."""

    name = "boasting"

    def acknowledge(self, bot: Bot) -> int:
        """Far too much; and it may be put to the test soon."""
        self.count(bot)
        if bot.session_id and bot.rng.random() < 0.2:
            bot.later(bot.rng.randrange(1, 30 * MILLISECOND), bot.world.lose_line, bot, 5 * MILLISECOND)
        return bot.last_sequence + bot.rng.choice((1, 5, 2**60))


class Refusing(Habit):
    """Refuses to take part."""

    name = "refusing"

    def invited(self, bot: Bot, invitation: play_pb2.BlockInvitation) -> None:
        """With a reason, or none."""
        self.count(bot)
        refusal = play_pb2.BlockAcceptance(block_id=invitation.block_id, refusal=bot.rng.choice(("", "no", "n" * 5000)))
        bot.send(play_pb2.BotMessage(block_acceptance=refusal))


class Withholding(Habit):
    """Gives no nonce, or one of the wrong length."""

    name = "withholding"

    def invited(self, bot: Bot, invitation: play_pb2.BlockInvitation) -> None:
        """Then perhaps a right one."""
        self.count(bot)
        bot.accept(invitation, bot.rng.choice((b"", b"n", b"n" * 15, b"n" * 33, b"n" * 5000)))
        if bot.rng.random() < 0.4:
            bot.accept(invitation, bot.rng.randbytes(20))


class Ignoring(Habit):
    """Does not answer invitations."""

    name = "ignoring"

    def invited(self, bot: Bot, invitation: play_pb2.BlockInvitation) -> None:
        """Say nothing."""
        self.count(bot)


class Rude(Habit):
    """Begins streams with anything but a Hello."""

    name = "rude"

    def greet(self, bot: Bot) -> bool:
        """Something else first, in another revision, or nothing at all."""
        self.count(bot)
        choice = bot.rng.randrange(6)
        if choice == 0:
            bot.raw(b"\xff\xff")
        elif choice == 1:
            bot.transmit([])
        elif choice == 2:
            bot.transmit([play_pb2.BotMessage(bye=play_pb2.Bye())])
        elif choice == 3:
            bot.hello(protocol_revision=bot.rng.choice((0, 2, 7)))
        return choice < 5  # the fifth says nothing at all, the sixth says Hello after all


class Crashing(Habit):
    """Its process ends by itself."""

    name = "crashing"
    stirs = True

    def stir(self, bot: Bot) -> None:
        """As its launcher reports; its line breaks too."""
        if bot.reserved and bot.rng.random() < 0.5:
            self.count(bot)
            bot.gone = True
            bot.world.lose_line(bot, MILLISECOND)
            bot.later(bot.rng.randrange(5 * MILLISECOND), bot.world.crash, bot)
