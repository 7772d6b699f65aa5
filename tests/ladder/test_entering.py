"""In which version a bot plays."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from sqlmodel import Session, col, select

from tradepit_ladder.application import Ladder
from tradepit_ladder.client import EntrantSpec, LadderError, TournamentOrder
from tradepit_ladder.database import Database
from tradepit_ladder.entering import enter
from tradepit_ladder.models import Bot, BotVersion, Entrant, Tournament

Enter = Callable[..., int]
MINE = EntrantSpec("mine", ("./mine",), "", house=False)


@pytest.fixture
def enter_mine(ladder: Ladder, database: Database, make_order: Callable[..., TournamentOrder]) -> Enter:
    """Enters the bot "mine", with a digest, in a tournament, and tells in which version it then plays."""
    ladder.add_bot("mine", ["./mine"], "")

    def enter_mine(tournament: str, digest: str, **changes: object) -> int:
        mine = replace(MINE, program_sha256=digest, **changes)  # type: ignore[arg-type]  # as the tests give them
        order = make_order(name=tournament)
        order = replace(order, entrants=(*order.entrants, mine))
        return database.write(lambda session: version(session, enter(session, order)))

    return enter_mine


def version(session: Session, tournament: Tournament) -> int:
    entered = select(Entrant.bot_version).join(Bot, col(Bot.id) == col(Entrant.bot_id))
    return session.exec(entered.where(Entrant.tournament_id == tournament.id, Bot.name == "mine")).one()


def test_another_file_under_the_same_name_is_a_new_version_in_a_new_tournament(enter_mine: Enter) -> None:
    entered = [enter_mine(*each) for each in (("one", "00"), ("two", "00"), ("three", "11"), ("four", "22"))]
    assert entered == [1, 1, 2, 3]
    assert enter_mine("three", "11") == 2  # goes on in the version that it was begun with
    with pytest.raises(LadderError, match="'mine' has changed since tournament 'three' was begun with it"):
        enter_mine("three", "22")


def test_a_file_that_cannot_be_read_is_taken_for_the_one_of_before(enter_mine: Enter, database: Database) -> None:
    assert [enter_mine("one", ""), enter_mine("two", "00"), enter_mine("three", "")] == [1, 1, 1]
    assert enter_mine("four", "11") == 2
    digests = database.read(lambda session: session.exec(select(BotVersion.program_sha256)).all())
    assert [digest for digest in digests if digest] == ["00", "11"]


def test_a_tournament_that_goes_on_with_a_bot_that_was_moved_plays_its_new_version(
    ladder: Ladder, enter_mine: Enter
) -> None:
    assert enter_mine("one", "00") == 1
    ladder.set_bot("mine", ["./moved"], "")
    assert enter_mine("one", "00", command=("./moved",)) == 2
    assert enter_mine("two", "00", command=("./moved",)) == 2


def test_house_bots_have_one_version(enter_mine: Enter, database: Database) -> None:
    for name in ("one", "two"):
        enter_mine(name, "00")
    house = select(BotVersion.number).join(Bot).where(col(Bot.house).is_(True))
    assert set(database.read(lambda session: session.exec(house).all())) == {1}


def test_an_order_that_is_refused_leaves_no_version(enter_mine: Enter, database: Database) -> None:
    enter_mine("one", "00")
    with pytest.raises(LadderError, match="has changed"):
        enter_mine("one", "11")
    assert enter_mine("two", "00") == 1
