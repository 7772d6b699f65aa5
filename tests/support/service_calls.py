"""Bots and calls at a referee over gRPC, in the loop of the test."""

from collections.abc import Awaitable
from typing import Any

import grpc
import pytest
from google.protobuf.wrappers_pb2 import Int64Value
from wire_bot import PLAY

from tradepit.v1 import block_pb2, play_pb2
from tradepit_server.referee import Identity
from tradepit_server.service import Organiser, Spectator, Tokens

ADA, BOB, CUP, EVE = (
    (("authorization", "Bearer ada's"),),
    (("authorization", "Bearer bob's"),),
    (("authorization", "Bearer cup's"),),
    (("authorization", "Bearer eve's"),),
)
HELLO = play_pb2.BotMessage(hello=play_pb2.Hello(protocol_revision=1, max_concurrent_matches=8))


def tokens() -> Tokens:
    known = Tokens()
    known.grant("ada's", Identity("ada"))
    known.grant("bob's", Identity("bob"))
    known.grant("cup's", Organiser("cup"))
    known.grant("eve's", Spectator("eve"))
    return known


class Bot:
    """An honest bot on a stream, in this loop."""

    def __init__(self, channel: grpc.aio.Channel, metadata: Any) -> None:
        self.stream: grpc.aio.StreamStreamCall[bytes, bytes] = channel.stream_stream(PLAY)(metadata=metadata)
        self.sent = 0
        self.acknowledged = 0
        self.last_frame: list[play_pb2.RefereeMessage] = []

    async def read(self) -> play_pb2.RefereeMessage:
        """The first message of the next frame."""
        frame = await self.stream.read()
        assert isinstance(frame, bytes)
        self._take(frame)
        return self.last_frame[0]

    def _take(self, frame: bytes) -> None:
        response = play_pb2.PlayResponse.FromString(frame)
        self.acknowledged = response.sequence
        self.last_frame = list(response.messages)

    async def send(self, message: play_pb2.BotMessage) -> None:
        self.sent += 1
        frame = play_pb2.PlayRequest(sequence=self.sent, acknowledged_sequence=self.acknowledged, messages=[message])
        await self.stream.write(frame.SerializeToString())

    async def join(self) -> str:
        """Say Hello; the session."""
        await self.send(HELLO)
        return (await self.read()).welcome.session_id

    async def play(self) -> None:
        """Accept and answer everything until the stream ends."""
        while isinstance(frame := await self.stream.read(), bytes):
            self._take(frame)
            for message in self.last_frame:
                await self.answer(message)

    async def answer(self, message: play_pb2.RefereeMessage) -> None:
        if message.HasField("block_invitation"):
            block_id = message.block_invitation.block_id
            await self.send(play_pb2.BotMessage(block_acceptance=play_pb2.BlockAcceptance(block_id=block_id)))
        if message.HasField("decision_request"):
            request = message.decision_request
            decision = play_pb2.Decision(match_id=request.match_id, decision_id=request.decision_id)
            decision.action.Pack(Int64Value(value=7))
            await self.send(play_pb2.BotMessage(decision=decision))


async def refusal(call: Awaitable[Any]) -> tuple[grpc.StatusCode, str | None]:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    return caught.value.code(), caught.value.details()


def connected(bot: str, session_id: str) -> block_pb2.Entrant:
    return block_pb2.Entrant(bot=bot, connected=block_pb2.Connected(session_id=session_id))
