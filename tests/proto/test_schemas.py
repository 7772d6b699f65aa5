"""The schemas keep buf's rules and the promise of the baseline; each check is shown to be able to fail."""

from collections.abc import Callable
from pathlib import Path

import pytest

Buf = Callable[..., str]

PLAY = "tradepit/v1/play.proto"


def breaking(buf: Buf, schemas: Path) -> str:
    return buf(schemas, "breaking", "--against", "baseline.binpb")


def rewrite(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {path.name}"
    path.write_text(text.replace(old, new))


def test_schemas_pass_the_linter(buf: Buf, proto: Path) -> None:
    assert buf(proto, "lint") == ""


def test_a_name_against_the_style_fails_the_linter(buf: Buf, schemas: Path) -> None:
    rewrite(schemas / PLAY, "string resume_session_id = 6;", "string resumeSessionId = 6;")
    assert 'Field name "resumeSessionId" should be lower_snake_case' in buf(schemas, "lint")


@pytest.mark.parametrize(
    ("comment", "element"),
    [
        ("  // The session to go on with after a dropped stream; empty for a new one.\n", "Field"),
        ("// Introduces a bot.\n", "Message"),
        ("    // Introduces the bot: the first message of a stream, sent once.\n", "Field"),
    ],
)
def test_an_element_without_comment_fails_the_linter(buf: Buf, schemas: Path, comment: str, element: str) -> None:
    rewrite(schemas / PLAY, comment, "")
    complaint = buf(schemas, "lint")
    assert f"{element} " in complaint
    assert "should have a non-empty comment" in complaint


def test_an_enum_value_without_comment_fails_the_linter(buf: Buf, schemas: Path) -> None:
    rewrite(schemas / "tradepit/v1/block.proto", "  // No answer within the time allowed.\n", "")
    assert 'Enum value "FAULT_KIND_TIMEOUT" should have a non-empty comment' in buf(schemas, "lint")


def test_an_rpc_without_comment_fails_the_linter(buf: Buf, schemas: Path) -> None:
    rewrite(schemas / "tradepit/v1/referee.proto", "  // The games that this referee plays.\n", "")
    assert 'RPC "ListGames" should have a non-empty comment' in buf(schemas, "lint")


def test_schemas_break_nothing_of_the_baseline(buf: Buf, proto: Path) -> None:
    assert breaking(buf, proto) == ""


@pytest.mark.parametrize(
    ("new", "complaint"),
    [
        ("", 'Previously present field "6" with name "resume_session_id" on message "Hello" was deleted.'),
        ("string resume_id = 6;", 'changed name from "resume_session_id" to "resume_id"'),
        ("bytes resume_session_id = 6;", 'changed type from "string" to "bytes"'),
        ("string resume_session_id = 7;", 'Previously present field "6"'),
    ],
    ids=["deleted", "renamed", "retyped", "renumbered"],
)
def test_a_changed_field_breaks_the_baseline(buf: Buf, schemas: Path, new: str, complaint: str) -> None:
    rewrite(schemas / PLAY, "string resume_session_id = 6;", new)
    assert complaint in breaking(buf, schemas)


def test_a_new_field_breaks_nothing(buf: Buf, schemas: Path) -> None:
    rewrite(schemas / PLAY, "string resume_session_id = 6;", "string resume_session_id = 6; string more = 7;")
    assert breaking(buf, schemas) == ""


def test_the_baseline_holds_every_schema(buf: Buf, schemas: Path) -> None:
    """A file that the baseline lacks could be broken unseen: `make baseline` takes it in."""
    held = set(buf(schemas, "ls-files", "baseline.binpb").splitlines())
    assert {str(schema.relative_to(schemas)) for schema in schemas.glob("tradepit/**/*.proto")} <= held
