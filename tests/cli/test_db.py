"""``tradepit db``."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tradepit_ladder import schema
from tradepit_ladder.database import Database

Cli = Callable[..., Any]


@pytest.fixture
def ladder(cli: Cli) -> None:
    """A ladder of the user's own, with one bot."""
    assert cli("bot", "add", "mine", "python mine.py").exit_code == 0


@pytest.fixture
def old(folder: Path) -> Path:
    """A ladder that the first version of tradepit made."""
    (folder / "home").mkdir()
    database = Database(f"sqlite:///{folder / 'home' / 'ladder.db'}", unchecked=True)
    database.migrating(lambda connection: schema.migrate(connection, "0001"))
    database.close()
    return folder / "home" / "ladder.db"


def told(result: Any) -> list[str]:
    assert result.exit_code == 0, result.output
    return list(result.output.splitlines())


@pytest.mark.usefixtures("ladder")
def test_the_status(cli: Cli, folder: Path) -> None:
    assert told(cli("db", "status")) == [
        f"sqlite:///{folder}/home/ladder.db",
        f"schema {schema.head()} (up to date)",
        "1 bot, 0 tournaments, 0 blocks, 0 matches",
    ]


@pytest.mark.usefixtures("ladder")
def test_a_backup_and_a_ladder_made_of_it(cli: Cli, folder: Path) -> None:
    (line,) = told(cli("db", "backup", "friday.backup"))
    assert line == f"Wrote 2 rows (schema {schema.head()}) to friday.backup"
    url = f"sqlite:///{folder}/again.db"
    assert told(cli("db", "restore", "friday.backup", "--db", url)) == [f"{url} has the 2 rows of friday.backup"]
    assert any("mine.py" in line for line in told(cli("bot", "list", "--db", url)))


@pytest.mark.usefixtures("old")
def test_an_older_ladder_is_refused_until_it_is_brought_up_to_date(cli: Cli) -> None:
    for command in (["ratings"], ["bot", "list"], ["bot", "add", "mine", "python mine.py"]):
        refused = cli(*command)
        assert (refused.exit_code, refused.stdout) == (1, ""), command
        assert "has schema '0001', older than this tradepit's" in refused.stderr
        assert "tradepit db upgrade (a copy first: tradepit db backup FILE)" in refused.stderr
        assert refused.stderr.count("\n") == 1
    assert told(cli("db", "status"))[1] == f"schema 0001 (this tradepit has {schema.head()}: run tradepit db upgrade)"
    assert told(cli("db", "backup", "before"))[0].startswith("Wrote 0 rows (schema 0001)")
    (line,) = told(cli("db", "upgrade"))
    assert line.endswith(f"ladder.db: schema 0001 is {schema.head()} now")
    (line,) = told(cli("db", "upgrade"))
    assert line.endswith(f"ladder.db was up to date: schema {schema.head()}")
    told(cli("bot", "add", "mine", "python mine.py"))


@pytest.mark.parametrize(
    ("command", "refused"),
    [
        (["db", "backup", "x"], "there is no ladder yet: '"),
        (["db", "status"], "there is no ladder yet: '"),
        (["db", "upgrade"], "there is no ladder yet: '"),
        (["db", "upgrade", "--db", "sqlite:///nowhere.db"], "there is no such file"),
        (["db", "restore", "nowhere"], "there is no backup 'nowhere'"),
        (["db", "status", "--db", "ladder.db"], "is not a database URL"),
        (["db", "status", "--db", "postgresql://me:secret@127.0.0.1:1/x"], "onnection refused"),
        (["db", "status", "--db", "postgresql:me:secret@host/x"], "--db is not given a database URL"),
        (["db", "status", "--db", "postgresql://me:secret@host:port/x"], "is not given by a URL such as"),
    ],
)
def test_what_cannot_be_done_is_told_in_one_line(cli: Cli, folder: Path, command: list[str], refused: str) -> None:
    result = cli(*command)
    assert result.exit_code in (1, 2)
    assert refused in result.stderr
    assert result.stderr.count("\n") == 1
    assert "secret" not in result.stderr
    assert list(folder.glob("*.db")) == []
