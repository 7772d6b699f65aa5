"""A bot goes where its referee sends it: to another one for a block, and to another one for good."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import grpc
import long_short_frames as frames
import pytest
from wire_referee import TOKEN, Script, Stream, WireReferee

from tradepit import chance
from tradepit.chance import Chance
from tradepit.errors import ConnectionFailed, FairnessError
from tradepit.long_short import LongShortView, Match, Turn
from tradepit.transport import Player
from tradepit.v1 import play_pb2

Message = play_pb2.RefereeMessage
SECRET = bytes(32)
TICKET = "a-ticket"
ELSEWHERE = "cup/9/0"

Home = Callable[[Stream, str], Awaitable[None]]
"""A script of the first referee: what it says on a stream, given the address of the other."""


class Traveller(frames.Idle):
    """Remembers in which matches it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def take_turn(self, view: LongShortView) -> Turn:
        """The first card."""
        self.asked.append(view.match.block_id)
        return super().take_turn(view)

    def check_fairness(self, match: Match, chance: Chance) -> None:
        """What the scripts deal follows from no seed."""


class Referees:
    """Two of them, in the loop of a test, and what the bot says to each."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.bot = Traveller()
        self.heard: dict[str, list[str | None]] = {"home": [], "elsewhere": []}
        self.hellos: list[play_pb2.Hello] = []
        """Those that were heard elsewhere."""
        self.at_home = asyncio.Event()
        self.done_elsewhere = asyncio.Event()
        self.closed_well = False
        self.closed_at_home = False
        self.patience = 5.0

    async def hear(self, where: str, stream: Stream) -> play_pb2.BotMessage:
        """The only message of the bot's next frame."""
        (message,) = (await stream.receive()).messages
        self.heard[where].append(message.WhichOneof("kind"))
        return message

    async def play_block(
        self, where: str, stream: Stream, block_id: str, *news: Message, secret: bytes = SECRET
    ) -> None:
        """Invite, ask for one decision, tell *news*, and end the block."""
        await stream.send(Message(block_invitation=frames.invitation(block_id=block_id)))
        nonces = [(await self.hear(where, stream)).block_acceptance.nonce, b""]
        started, request = frames.started(), frames.request(frames.observation())
        started.block_id, started.match_id, request.match_id = block_id, f"{block_id}/0", f"{block_id}/0"
        started.bot_seed = chance.bot_seed(chance.match_seed(chance.block_seed(SECRET, block_id, nonces), 0), 0)
        await stream.send(Message(match_started=started), Message(decision_request=request), *news)
        await self.hear(where, stream)
        ended = play_pb2.BlockEnded(block_id=block_id, secret=secret, nonces=nonces)
        await stream.send(Message(block_ended=ended))

    async def elsewhere(self, stream: Stream) -> None:
        """Play a block, and wait until the bot leaves."""
        self.hellos.append((await self.hear("elsewhere", stream)).hello)
        await self.play_block("elsewhere", stream, ELSEWHERE)
        if not self.leaves:
            self.closed_well = await stream.closed()
            self.done_elsewhere.set()

    async def play(
        self,
        home: Home,
        elsewhere: Script | None = None,
        *,
        token: str = TICKET,
        hosted: bool = False,
        leaves: bool = False,
    ) -> None:
        """Let the bot play from *home* on until it ends.

        *token* is the one that they know elsewhere; whether that referee *leaves* first, when the block is played.
        """
        self.leaves = leaves
        (self.folder / "home").mkdir()
        editions = {frames.SHA256: frames.TOML}
        player = Player(self.bot, self.patience, hosted=hosted)
        async with (
            asyncio.timeout(30),
            WireReferee(self.folder, elsewhere or self.elsewhere, editions, token) as other,
            WireReferee(self.folder / "home", lambda stream: home(stream, other.address), editions) as first,
        ):
            await player.play(first.address, TOKEN)


def redirect(address: str) -> play_pb2.RefereeMessage:
    """To *address* for a block."""
    return Message(redirect=play_pb2.Redirect(address=address, ticket=TICKET, block_id=ELSEWHERE))


def drain(address: str) -> play_pb2.RefereeMessage:
    """The referee goes away; *address* is where the bot is to go."""
    return Message(drain=play_pb2.Drain(reconnect_address=address))


def test_a_redirected_block_is_played_elsewhere_while_the_stream_at_home_stays(tmp_path: Path) -> None:
    async def main() -> None:
        referees = Referees(tmp_path)

        async def home(stream: Stream, other: str) -> None:
            await referees.hear("home", stream)
            await stream.send(redirect(other), redirect(other))
            await referees.done_elsewhere.wait()
            await referees.play_block("home", stream, "cup/1/0")

        await referees.play(home)
        assert referees.heard["elsewhere"] == ["hello", "block_acceptance", "decision"]
        assert referees.heard["home"] == ["hello", "block_acceptance", "decision"]
        assert referees.bot.asked == [ELSEWHERE, "cup/1/0"]
        assert referees.closed_well

    asyncio.run(main())


def test_a_block_elsewhere_goes_on_when_the_stream_at_home_has_ended(tmp_path: Path) -> None:
    async def main() -> None:
        referees = Referees(tmp_path)

        async def home(stream: Stream, other: str) -> None:
            await referees.hear("home", stream)
            await stream.send(redirect(other))
            referees.at_home.set()

        async def elsewhere(stream: Stream) -> None:
            await referees.at_home.wait()
            await referees.elsewhere(stream)

        await referees.play(home, elsewhere)
        assert referees.bot.asked == [ELSEWHERE]

    asyncio.run(main())


@pytest.mark.parametrize("address", ["unix:/no/such/referee", "", "dns:", "nonsense"])
def test_a_block_that_cannot_be_reached_is_a_line_and_nothing_else(
    address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def main() -> None:
        referees = Referees(tmp_path)
        referees.patience = 0.1

        async def home(stream: Stream, other: str) -> None:
            await referees.hear("home", stream)
            await stream.send(redirect(address))
            await referees.play_block("home", stream, "cup/1/0")

        await referees.play(home)
        assert referees.bot.asked == ["cup/1/0"]

    asyncio.run(main())
    (line,) = capsys.readouterr().err.splitlines()
    failure = f"no referee at {address} within 0.1 s"
    assert line == f"tradepit: block {ELSEWHERE} is played elsewhere, without us: {failure}"


def test_a_ticket_that_is_not_accepted_is_a_line_that_does_not_show_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def main() -> None:
        referees = Referees(tmp_path)

        async def home(stream: Stream, other: str) -> None:
            await referees.hear("home", stream)
            await stream.send(redirect(other))
            await referees.play_block("home", stream, "cup/1/0")

        await referees.play(home, token="another")

    asyncio.run(main())
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"tradepit: block {ELSEWHERE} is played elsewhere, without us: the referee at unix:")
    assert line.endswith(" does not accept the token: unknown token")
    assert TICKET not in line


def test_a_cheat_elsewhere_ends_the_bot_everywhere(tmp_path: Path) -> None:
    async def main() -> None:
        referees = Referees(tmp_path)

        async def home(stream: Stream, other: str) -> None:
            await referees.hear("home", stream)
            await stream.send(redirect(other))
            await stream.closed()

        async def cheat(stream: Stream) -> None:
            await referees.hear("elsewhere", stream)
            await referees.play_block("elsewhere", stream, ELSEWHERE, secret=bytes(31) + b"x")
            await stream.closed()

        with pytest.raises(FairnessError, match=f"block {ELSEWHERE}: the commitment was"):
            await referees.play(home, cheat)

    asyncio.run(main())


def test_a_drained_bot_plays_to_the_end_and_begins_anew_where_it_is_sent(tmp_path: Path) -> None:
    async def main() -> None:
        referees = Referees(tmp_path)

        async def home(stream: Stream, other: str) -> None:
            await referees.hear("home", stream)
            await stream.send(Message(welcome=play_pb2.Welcome(session_id="home's")))
            await referees.play_block("home", stream, "cup/1/0", drain(other))
            referees.closed_at_home = await stream.closed()

        await referees.play(home, token=TOKEN, leaves=True)
        assert referees.bot.asked == ["cup/1/0", ELSEWHERE]
        assert referees.closed_at_home
        assert [hello.resume_session_id for hello in referees.hellos] == [""]

    asyncio.run(main())


@pytest.mark.parametrize("code", [grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.NOT_FOUND])
def test_a_draining_referee_that_is_lost_is_left(code: grpc.StatusCode, tmp_path: Path) -> None:
    """There is nothing to come back for, or nothing to come back to."""

    async def main() -> None:
        referees = Referees(tmp_path)
        streams: list[Stream] = []

        async def home(stream: Stream, other: str) -> None:
            streams.append(stream)
            await referees.hear("home", stream)
            if len(streams) > 1:
                await stream.context.abort(code, "gone")
            await stream.send(Message(welcome=play_pb2.Welcome(session_id="home's")))
            invitation = frames.invitation()
            invitation.time_control.resume_window.FromMilliseconds(300)
            await stream.send(Message(block_invitation=invitation), drain(other))
            await referees.hear("home", stream)
            await stream.context.abort(grpc.StatusCode.UNAVAILABLE, "cut")

        await referees.play(home, token=TOKEN, leaves=True)
        assert referees.heard["elsewhere"] == ["hello", "block_acceptance", "decision"]

    asyncio.run(main())


def test_where_it_is_sent_for_good_nobody_may_be(tmp_path: Path) -> None:
    async def main() -> None:
        referees = Referees(tmp_path)
        referees.patience = 0.1

        async def home(stream: Stream, other: str) -> None:
            await referees.hear("home", stream)
            await stream.send(drain("unix:/no/such/referee"))
            await stream.closed()

        with pytest.raises(ConnectionFailed, match=r"no referee at unix:/no/such/referee within 0\.1 s"):
            await referees.play(home)

    asyncio.run(main())


def test_a_hosted_bot_goes_nowhere_when_its_node_does(tmp_path: Path) -> None:
    async def main() -> None:
        referees = Referees(tmp_path)

        async def home(stream: Stream, other: str) -> None:
            await referees.hear("home", stream)
            await stream.send(drain(other))
            await stream.closed()

        await referees.play(home, token=TOKEN, hosted=True)
        assert referees.heard["elsewhere"] == []

    asyncio.run(main())
