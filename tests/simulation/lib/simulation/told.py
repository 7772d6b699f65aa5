"""What bots must be told, as messages."""

import hashlib

from google.protobuf.any_pb2 import Any as AnyMessage

from simulation.accounts import Ask, Block
from simulation.twin import Kind, Twin
from tradepit import chance
from tradepit.v1 import block_pb2, play_pb2

Message = play_pb2.RefereeMessage


def invitation(block: Block, entrant: int) -> Message:
    """The invitation of one entrant."""
    plan, game = block.plan, block.plugin.game
    edition = game.editions[0]
    return Message(
        block_invitation=play_pb2.BlockInvitation(
            block_id=plan.block_id,
            game=plan.game,
            edition=block_pb2.EditionReference(id=edition.id, sha256=hashlib.sha256(edition.toml).digest()),
            options={name: str(value) for name, value in game.info.resolve(plan.options).items()},
            deal=block_pb2.DEAL_DUPLICATE if plan.duplicate else block_pb2.DEAL_INDEPENDENT,
            matches=plan.matches,
            entrants=plan.bots if plan.named else [f"entrant {index}" for index in range(len(plan.bots))],
            entrant=entrant,
            time_control=plan.clocks.message(),
            commitment=hashlib.sha256(block.secret).digest(),
            reproducible=bool(plan.reproducible),
        )
    )


def started(block: Block, twin: Twin, seat: int) -> Message:
    """That a match begins."""
    return Message(
        match_started=play_pb2.MatchStarted(
            match_id=twin.id,
            block_id=block.id,
            match_index=twin.index,
            seat=seat,
            seats=len(block.accounts),
            bot_seed=chance.bot_seed(block.seeds[twin.index], seat),
        )
    )


def rejected(ask: Ask, kind: Kind, played: bytes) -> Message:
    """That an answer did not count; the sentence is the referee's."""
    return Message(
        decision_rejected=play_pb2.DecisionRejected(
            match_id=ask.twin.id,
            decision_id=ask.id,
            fault=kind,
            played=AnyMessage(type_url=ask.twin.type_url, value=played),
        )
    )


def ended(twin: Twin) -> Message:
    """That a match is over."""
    return Message(
        match_ended=play_pb2.MatchEnded(
            match_id=twin.id,
            scores=twin.state.scores(),
            placements=twin.placements(),
            terminations=twin.terminations(),
        )
    )


def block_ended(block: Block) -> Message:
    """That a block is over, with its chance."""
    return Message(
        block_ended=play_pb2.BlockEnded(
            block_id=block.id,
            outcome=block.outcome,
            reason=block.reason,
            secret=block.secret,
            nonces=block.known_nonces(),
        )
    )


def drain() -> Message:
    """That the referee goes away."""
    return Message(drain=play_pb2.Drain())
