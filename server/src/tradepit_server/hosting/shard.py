"""Blocks that are played at the same time by processes started for them."""

import asyncio
import os
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tradepit.v1 import block_pb2
from tradepit_server.hosting.process import HostedProcess, describe_exit
from tradepit_server.referee import BlockSpec, Identity, SpecificationError
from tradepit_server.service import RefereeServer
from tradepit_server.service.driver import Progress
from tradepit_server.service.server import refuse_duplicate

_MISSED = {block_pb2.FAULT_KIND_NO_SHOW, block_pb2.FAULT_KIND_CRASHED, block_pb2.FAULT_KIND_DISCONNECTED}
"""What befalls a bot that does not find the referee."""

_Key = tuple[str, tuple[str, ...], str]
"""A bot's name, its command and its working directory: what makes two entrants the same process."""


@dataclass(slots=True)
class _Hosted:
    """A bot that is started for a shard."""

    key: _Key
    session_id: str
    token: str
    process: HostedProcess | None = None
    dismissed: bool = False
    """The bot is no longer needed: its process may end."""
    left: bool = False
    """The process still ran then."""

    def exit_status(self) -> int | None:
        """How its process ended; None: by us, or in good order when it was no longer needed."""
        if self.process is None or self.process.signalled:
            return None
        status = self.process.ended.result()
        return None if self.left and status == 0 else status


class Shard:
    """The blocks of one call, the processes of their bots, and their sessions."""

    def __init__(self, server: RefereeServer, target: str) -> None:
        """*target* is where the processes find *server*, as a gRPC target."""
        self._server = server
        self._target = target
        self._hosted: dict[_Key, _Hosted] = {}

    async def play(
        self, blocks: Sequence[block_pb2.BlockSpecification], progress: Progress, deadline_seconds: float | None
    ) -> list[block_pb2.BlockResult]:
        """Play *blocks* at the same time, each bot and command in one process for all of them.

        What has not ended after *deadline_seconds* (None: no limit) is void. Raises SpecificationError before
        anything is started, and CoreFailure.
        """
        begun = asyncio.get_running_loop().time()
        try:
            specs = self._specifications(blocks)
            await self._launch()
            with self._deadline(specs, begun, deadline_seconds):
                results = await self._results(specs, progress)
            if not is_reachable(self._target):
                results = [_void_if_missed(block, result) for block, result in zip(blocks, results, strict=True)]
        except OSError as error:
            results = [_void(block, f"infrastructure: no process could be started: {error}") for block in blocks]
        finally:
            await self._dismiss_all()
        for block, result in zip(blocks, results, strict=True):
            result.processes.extend(self._reports(block))
        return results

    def _specifications(self, blocks: Sequence[block_pb2.BlockSpecification]) -> list[BlockSpec]:
        ids = [block.block_id for block in blocks]
        for block in blocks:
            refuse_duplicate(block)
            if ids.count(block.block_id) > 1:
                raise SpecificationError(f"block {block.block_id!r} is asked for {ids.count(block.block_id)} times")
        return [self._specification(block) for block in blocks]

    def _specification(self, block: block_pb2.BlockSpecification) -> BlockSpec:
        for entrant in block.entrants:
            if not entrant.command.arguments:
                raise SpecificationError(f"block {block.block_id!r}: entrant {entrant.bot!r} has no command")
            if "\0" in "".join([*entrant.command.arguments, entrant.command.working_directory]):
                raise SpecificationError(f"block {block.block_id!r}: entrant {entrant.bot!r} has a NUL in its command")
        return BlockSpec.from_message(block, [self._host(entrant).session_id for entrant in block.entrants])

    def _host(self, entrant: block_pb2.Entrant) -> _Hosted:
        key = _key(entrant)
        if key not in self._hosted:
            session_id, token = self._server.driver.reserve_session(entrant.bot), secrets.token_urlsafe(32)
            self._server.tokens.grant(token, Identity(entrant.bot, session_id))
            self._hosted[key] = _Hosted(key, session_id, token)
        return self._hosted[key]

    async def _launch(self) -> None:
        for hosted in self._hosted.values():
            _, arguments, folder = hosted.key
            hosted.process = await HostedProcess.start(arguments, folder, self._environment(hosted.token))
            hosted.process.ended.add_done_callback(partial(self._process_ended, hosted, hosted.process))

    def _environment(self, token: str) -> dict[str, str]:
        # Whatever of ours is in the environment, a database with its password say, is not a bot's to read.
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("TRADEPIT_")}
        return inherited | {"TRADEPIT_REFEREE": self._target, "TRADEPIT_TOKEN": token}

    def _process_ended(self, hosted: _Hosted, process: HostedProcess, ended: asyncio.Future[int]) -> None:
        if not hosted.dismissed:
            self._server.driver.process_ended(hosted.session_id, describe_exit(ended.result(), process.last_output))

    async def _results(self, specs: Sequence[BlockSpec], progress: Progress) -> list[block_pb2.BlockResult]:
        playing = [asyncio.create_task(self._server.driver.play(spec, progress)) for spec in specs]
        try:
            return await asyncio.gather(*playing)
        finally:
            for block in playing:
                block.cancel()

    @contextmanager
    def _deadline(self, specs: Sequence[BlockSpec], begun: float, seconds: float | None) -> Iterator[None]:
        if seconds is None:
            yield
            return
        alarm = asyncio.get_running_loop().call_at(begun + seconds, self._expire, specs, seconds)
        try:
            yield
        finally:
            alarm.cancel()

    def _expire(self, specs: Sequence[BlockSpec], seconds: float) -> None:
        for spec in specs:
            reason = f"infrastructure: not ended after {seconds:g} seconds"
            self._server.driver.void(spec.block_id, block_pb2.VOID_CAUSE_INFRASTRUCTURE, reason)

    async def _dismiss_all(self) -> None:
        leaving = asyncio.ensure_future(asyncio.gather(*map(self._dismiss, self._hosted.values())))
        try:
            await asyncio.shield(leaving)
        except asyncio.CancelledError:
            await leaving  # who gave us up still wants no process left
            raise

    async def _dismiss(self, hosted: _Hosted) -> None:
        hosted.dismissed = True
        # Its stream is closed after its last frames, which it may want to check before it goes.
        self._server.driver.release_session(hosted.session_id)
        self._server.tokens.revoke(hosted.token)
        if hosted.process is not None:
            hosted.left = not hosted.process.ended.done()
            await hosted.process.end()

    def _reports(self, block: block_pb2.BlockSpecification) -> list[block_pb2.ProcessReport]:
        return [_report(index, self._hosted[_key(entrant)]) for index, entrant in enumerate(block.entrants)]


def is_reachable(target: str) -> bool:
    """Whether the unix socket that *target* names is there: any process of ours may have removed it."""
    return Path(target.removeprefix("unix:")).is_socket()


def _void_if_missed(block: block_pb2.BlockSpecification, result: block_pb2.BlockResult) -> block_pb2.BlockResult:
    """What comes of *block* when its bots could not reach the referee: nothing, if that may be why one was missed."""
    faults = (fault.kind for replay in result.replays for fault in replay.result.faults)
    if not any(kind in _MISSED for kind in faults):
        return result
    return _void(block, "infrastructure: the referee's socket was removed, and bots could not reach it")


def _key(entrant: block_pb2.Entrant) -> _Key:
    return entrant.bot, tuple(entrant.command.arguments), entrant.command.working_directory


def _report(entrant: int, hosted: _Hosted) -> block_pb2.ProcessReport:
    output = "" if hosted.process is None else hosted.process.last_output
    return block_pb2.ProcessReport(entrant=entrant, exit_status=hosted.exit_status(), last_output=output)


def _void(block: block_pb2.BlockSpecification, reason: str) -> block_pb2.BlockResult:
    return block_pb2.BlockResult(
        block_id=block.block_id,
        outcome=block_pb2.BLOCK_OUTCOME_VOID,
        reason=reason,
        void_cause=block_pb2.VOID_CAUSE_INFRASTRUCTURE,
    )
