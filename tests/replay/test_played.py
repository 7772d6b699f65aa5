"""Every number of seats with every preset, and every value of every option, is played and then verified."""

import json
from collections.abc import Iterator

import pytest

from tradepit.local import play
from tradepit_server import registry
from tradepit_server.replay import to_json
from tradepit_server.replay.files import packed, parse
from tradepit_server.replay.verification import verify
from tradepit_server.testing.bot import trial_bot
from tradepit_server.testing.trials import find

Options = dict[str, str | int]


def tables() -> Iterator[tuple[str, int, Options]]:
    """Each as game, seats and options."""
    for game in registry.names():
        info = registry.get(game).game.info
        for seats in range(info.min_seats, info.max_seats + 1):
            for preset in info.presets:
                yield game, seats, info.resolve({}, preset)
        for option in info.options:
            for value in option.values:
                yield game, info.min_seats, {option.name: value}


@pytest.mark.parametrize(("game", "seats", "options"), list(tables()))
def test_what_was_played_verifies_in_both_forms(game: str, seats: int, options: Options) -> None:
    bots = [trial_bot(find(game)) for _ in range(seats)]
    matches = play(bots, game=game, seed="5a" * 32, options=options)
    assert len(matches) == seats
    for match in matches:
        assert verify(*parse(packed(match.replay))) == []
        assert verify(*parse(json.dumps(to_json(match.replay)).encode())) == []
