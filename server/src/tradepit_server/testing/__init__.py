"""A suite that every game must pass, for the games that come with Tradepit and for everybody else's.

In one call, or with pytest a test a check::

    from tradepit_server.testing import check_game, checks

    check_game("my-game")

    @pytest.mark.parametrize("check", checks("my-game"), ids=str)
    def test_conforms(check):
        check()

From a terminal: ``python -m tradepit_server.testing check my-game``. The game is found by its entry point, and so are
its :class:`Trials`, which tell the suite how to play it and how to read its events.
"""

from tradepit_server.testing.records import Case, Nonconformity, cases
from tradepit_server.testing.suite import Check, check_game, checks
from tradepit_server.testing.transcripts import transcript, transcripts
from tradepit_server.testing.trials import NoTrials, Subject, Trials, find

__all__ = [
    "Case",
    "Check",
    "NoTrials",
    "Nonconformity",
    "Subject",
    "Trials",
    "cases",
    "check_game",
    "checks",
    "find",
    "transcript",
    "transcripts",
]
