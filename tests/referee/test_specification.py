"""What cannot be played is refused before the block begins: later it would be the referee's failure."""

import pytest

from tradepit.v1 import block_pb2
from tradepit_server.games.long_short.game import RECONSTRUCTED
from tradepit_server.referee import BlockSpec, SpecificationError


def test_an_edition_that_seats_fewer_than_the_game_is_asked() -> None:
    small = RECONSTRUCTED.toml.replace(b"max = 6", b"max = 3")
    block = block_pb2.BlockSpecification(block_id="test/0", game="long-short", edition_toml=small)
    block.time_control.strikes = 3
    block.entrants.extend(block_pb2.Entrant(bot=name) for name in ("ada", "bob", "cid"))
    assert BlockSpec.from_message(block, ["1", "2", "3"]).edition.toml == small
    block.entrants.add(bot="dot")
    with pytest.raises(SpecificationError, match="edition reconstructed-1 is for 2 to 3 players, not 4"):
        BlockSpec.from_message(block, ["1", "2", "3", "4"])
