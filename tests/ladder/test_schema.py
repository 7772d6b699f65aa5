"""The tables: those of the models, brought up to date with everything in them, and refused where they do not fit."""

import json
import threading
from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from raw_database import Raw, raw
from recording import of_game
from sqlalchemy import Engine, create_engine, inspect, text

from tradepit_ladder import rating_models, record, schema, store, upkeep
from tradepit_ladder.client import LadderError
from tradepit_ladder.database import Database
from tradepit_ladder.engines import parse
from tradepit_ladder.models import METADATA, BotVersion, Tournament

TABLES = {*METADATA.tables}
assert rating_models.FoldRow.__tablename__ in TABLES  # the ratings' too

OLD_BLOCKS = [
    # id, tournament, index, number, attempts, public id, outcome, reason
    (1, 1, 0, 1, 1, "cup/0/1", "complete", ""),
    (2, 1, 1, 2, 3, "cup/1/3", "void", "the roof fell in"),
    (3, 1, 2, 3, 1, None, None, ""),
    (4, 1, 3, None, 1, "cup/3/1", "complete", ""),
    (5, 2, 0, 4, 1, "late/0/1", "complete", ""),
]


@pytest.fixture
def old(new_database: Callable[..., str]) -> str:
    """The URL of a database of revision 0001 with two tournaments in it, the first of them not finished."""
    url = new_database()
    database = Database(url, unchecked=True)
    database.migrating(lambda connection: schema.migrate(connection, "0001"))
    database.close()
    with raw(url) as old:
        old.insert("bots", id=1, name="ann", house=True, command=[], working_directory="")
        old.insert("bots", id=2, name="mine", house=False, command=["./mine"], working_directory="/home/me")
        programs = {"bots": ["mine", "ann"], "programs": {"mine": "ab" * 32}}
        for key, (name, game, arguments) in enumerate(
            [("cup", "toy", programs), ("late", "other", {"bots": ["ann", "mine"]})], start=1
        ):
            order = {"id": key, "public_id": name, "name": name, "game": game, "reproducible": False}
            old.insert("tournaments", **order, arguments=arguments)
        for key, tournament, index, number, attempts, public_id, outcome, reason in OLD_BLOCKS:
            place = {"id": key, "tournament_id": tournament, "block_index": index, "number": number}
            result = {"public_id": public_id, "outcome": outcome, "reason": reason, "attempts": attempts}
            old.insert("blocks", **place, **result, entrants=["ann", "mine"])
            if outcome == "complete":
                insert_matches(old, key, str(public_id))
    return url


def insert_matches(old: Raw, block: int, public_id: str) -> None:
    for index in range(2):
        key = 2 * block + index
        identity = {"id": key, "block_id": block, "match_index": index, "public_id": f"{public_id}/{index}"}
        old.insert("matches", **identity, replay_sha256=f"{key:064}")
        for seat, bot in enumerate((1, 2) if index == 0 else (2, 1)):
            came_of_it = {"score": 10**12 * seat, "placement": seat + 1, "termination": "completed", "faults": seat}
            old.insert("seats", match_id=key, seat=seat, bot_id=bot, **came_of_it)


def test_the_migrated_schema_is_the_models(database_url: str) -> None:
    engine = create_engine(parse(database_url))
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        assert compare_metadata(context, METADATA) == []
    engine.dispose()


@pytest.mark.parametrize("upgraded", [False, True])
def test_the_migrated_constraints_are_the_models(
    new_database: Callable[..., str], request: pytest.FixtureRequest, upgraded: bool
) -> None:
    """Alembic does not compare checks and names, so both schemas are made and read back."""
    url = request.getfixturevalue("old") if upgraded else new_database(prepared=True)
    if upgraded:
        upgrade(url)
    migrated, modelled = (create_engine(parse(each)) for each in (url, new_database("modelled")))
    METADATA.create_all(modelled)
    for table in TABLES:
        for read in ("get_check_constraints", "get_unique_constraints", "get_foreign_keys", "get_pk_constraint"):
            ours, theirs = (getattr(inspect(engine), read)(table) for engine in (migrated, modelled))
            assert sorted(map(str, ours)) == sorted(map(str, theirs))
        assert indexes(migrated, table) == indexes(modelled, table)
    migrated.dispose()
    modelled.dispose()


def indexes(engine: Engine, table: str) -> list[tuple[Any, ...]]:
    """What there is to compare: conditions are objects, equal only in words."""
    return sorted(
        (each["name"], each["column_names"], each["unique"], sorted(map(str, each["dialect_options"].values())))
        for each in inspect(engine).get_indexes(table)
    )


def upgrade(url: str) -> tuple[str, str]:
    with closing(Database(url, unchecked=True)) as database:
        return upkeep.upgrade(database)


def rows(url: str, table: str, columns: str) -> list[tuple[Any, ...]]:
    with raw(url) as connection:
        return connection.rows(f"SELECT {columns} FROM {table} ORDER BY 1, 2")  # noqa: S608  # names of ours


def test_an_old_record_is_kept_to_the_last_row(old: str) -> None:
    kept = {
        "bots": "id, name",
        "tournaments": "id, public_id, name, game",
        "blocks": "id, tournament_id, block_index, number, attempts, public_id, outcome, reason",
        "matches": "id, block_id, match_index, public_id, replay_sha256",
        "seats": "match_id, seat, bot_id, score, placement, termination, faults",
    }
    before = {table: rows(old, table, columns) for table, columns in kept.items()}
    assert upgrade(old) == ("0001", schema.head())
    assert {table: rows(old, table, columns) for table, columns in kept.items()} == before
    assert before["blocks"] == OLD_BLOCKS
    assert upgrade(old) == (schema.head(), schema.head())


def test_an_old_record_gets_what_it_lacked(old: str) -> None:
    upgrade(old)
    database = Database(old)
    with database.reading() as session:
        versions = [session.get_one(BotVersion, (bot, 1)) for bot in (1, 2)]
        tournaments = [session.get_one(Tournament, key) for key in (1, 2)]
    database.close()
    assert [(version.command, version.program_sha256) for version in versions] == [([], ""), (["./mine"], "ab" * 32)]
    assert [(each.state, each.root_seed) for each in tournaments] == [("open", "")] * 2
    assert rows(old, "entrants", "*") == [(1, 1, 1), (1, 2, 1), (2, 1, 1), (2, 2, 1)]
    assert {game for game, _ in rows(old, "blocks", "game, id")} == {"toy", "other"}
    assert {version for version, _ in rows(old, "seats", "bot_version, seat")} == {1}


def test_results_of_an_old_record_count_and_its_open_blocks_go_on(old: str) -> None:
    upgrade(old)
    database = Database(old)
    with database.writing() as session:
        toy, other = of_game(session, "toy"), of_game(session, "other")
        assert [block.public_id for block in toy.counted] == ["cup/0/1", "cup/1/3"]
        assert toy.waiting == ["cup/3/1"]
        assert [len(each.matches) for each in (toy, other)] == [2, 2]
        store.enqueue(session, 1)
        assert [block.number for block in record.finished_after(session, "other", 0, 9)] == [4]
    assert rows(old, "blocks", "number, id") == [(1, 1), (2, 2), (3, 3), (4, 4), (4, 5)]
    database.close()


@pytest.mark.parametrize("read_only", [False, True])
def test_an_older_database_is_refused_with_the_command_that_brings_it_up_to_date(old: str, read_only: bool) -> None:
    with pytest.raises(
        LadderError, match=r"has schema '0001', older than .*: tradepit db upgrade .* backup FILE"
    ) as no:
        Database(old, read_only=read_only)
    assert "\n" not in str(no.value)
    assert rows(old, "alembic_version", "version_num, 1") == [("0001", 1)]


@pytest.mark.parametrize("options", [{}, {"read_only": True}])
def test_a_database_of_a_newer_version_is_refused_with_both_schemas(database_url: str, options: dict[str, Any]) -> None:
    with raw(database_url) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    told = rf"has schema '9999', of a newer version of tradepit; this one knows schemas up to '{schema.head()}'"
    with pytest.raises(LadderError, match=told):
        Database(database_url, **options)
    with pytest.raises(LadderError, match=told):
        upgrade(database_url)


def test_a_failed_upgrade_leaves_everything_as_it_was(old: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("the power failed")

    monkeypatch.setattr("alembic.op.create_index", fail)
    with pytest.raises(RuntimeError, match="the power failed"):
        upgrade(old)
    monkeypatch.undo()
    assert len(rows(old, "blocks", "id, number")) == len(OLD_BLOCKS)
    assert upgrade(old) == ("0001", schema.head())


def test_nothing_is_no_record_to_upgrade(new_database: Callable[..., str]) -> None:
    with pytest.raises(LadderError, match="is empty: there is nothing to upgrade"):
        upgrade(new_database())


@pytest.mark.parametrize("programs", [2, 4])
def test_programs_that_open_an_empty_database_at_once_make_it_once(
    new_database: Callable[..., str], programs: int
) -> None:
    url = new_database()
    start = threading.Barrier(programs)
    opened: list[str | None] = []

    def open_it() -> None:
        start.wait()
        database = Database(url)
        opened.append(database.revision())
        database.close()

    threads = [threading.Thread(target=open_it) for _ in range(programs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert opened == [schema.head()] * programs


@pytest.mark.parametrize("options", [{}, {"read_only": True}, {"unchecked": True}])
def test_a_database_of_another_program_is_refused_and_left_as_it_is(
    new_database: Callable[..., str], options: dict[str, Any]
) -> None:
    url = new_database()
    with raw(url) as foreign:
        foreign.execute("CREATE TABLE customers (id INTEGER PRIMARY KEY)")
        foreign.execute("CREATE TABLE alembic_version (version_num VARCHAR(32))")
    with pytest.raises(LadderError, match=r"is refused: it holds other tables \(.*customers\) and is no ladder's"):
        Database(url, **options)
    with raw(url) as foreign:
        assert set(inspect(foreign.connection).get_table_names()) == {"customers", "alembic_version"}


def test_the_tables_of_a_revision_are_those_that_its_steps_make() -> None:
    assert schema.tables("0001") == {"bots", "tournaments", "blocks", "matches", "seats"}
    assert schema.tables("head") == TABLES


def test_arguments_survive_as_they_were_written(old: str) -> None:
    upgrade(old)
    with raw(old) as connection:
        stored = connection.connection.execute(text("SELECT arguments FROM tournaments WHERE id = 1")).scalar_one()
    assert (json.loads(stored) if isinstance(stored, str) else stored)["bots"] == ["mine", "ann"]
