"""The file of tokens: what it grants, and what is wrong with it, by line and without any token."""

from pathlib import Path

import pytest

from tradepit_server.referee import Identity
from tradepit_server.service import Organiser, Spectator, Tokens, token_file

SECRET = "a-token-that-nobody-may-see"


def holder(tokens: Tokens, token: str) -> object:
    return tokens.holder([("authorization", f"Bearer {token}")])


def test_each_line_grants_a_token(tmp_path: Path) -> None:
    """One bot may have several: each is another process of it."""
    path = tmp_path / "tokens.txt"
    path.write_text(
        "# the bots\n\nbot ada ada-ada-ada-ada-1\n  bot\tada   ada-ada-ada-ada-2 \r\norganiser club club-club-club-club"
        "\nspectator hall hall-hall-hall-hall"
    )
    tokens = token_file.read(path)
    assert holder(tokens, "ada-ada-ada-ada-1") == holder(tokens, "ada-ada-ada-ada-2") == Identity("ada")
    assert holder(tokens, "club-club-club-club") == Organiser("club")
    assert holder(tokens, "hall-hall-hall-hall") == Spectator("hall")
    assert holder(tokens, "") is None


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "it grants no token: a line is 'bot', 'organiser' or 'spectator', NAME, TOKEN"),
        ("# nobody\n\n", "it grants no token"),
        (f"\nbot {SECRET}", "line 2: it has 2 words, not 3"),
        (f"bot ada {SECRET} more", "line 1: it has 4 words, not 3"),
        (f"{SECRET} ada {SECRET}", "line 1: it begins with neither 'bot' nor 'organiser' nor 'spectator'"),
        (f"bot ada {SECRET[:15]}", "line 1: the token has 15 characters; 16 is the least"),
        (f"bot ada {SECRET}\x07", "line 1: the token has characters that no token has"),
        (f"bot ada {SECRET}ö", "line 1: the token has characters that no token has"),
        (f"bot a\x1bda {SECRET}", "line 1: the name has characters that cannot be shown"),
        (f"bot ada {SECRET}\n#\nbot bob {SECRET}", "line 3: the token of line 1 again; each needs one of its own"),
        (f"bot ada {SECRET}\n\udcff{SECRET}", "line 2: it is not UTF-8"),
        ("#" * (1024 * 1024 + 1), "it has more than 1048576 bytes"),
    ],
)
def test_what_is_wrong_is_told_by_its_line_without_a_token(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "tokens.txt"
    path.write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(token_file.TokenFileError) as refused:
        token_file.read(path)
    assert complaint in str(refused.value)
    assert SECRET[:15] not in str(refused.value)


def test_a_file_that_everybody_may_read_is_exposed(tmp_path: Path) -> None:
    path = tmp_path / "tokens.txt"
    path.touch(mode=0o600)
    assert not token_file.is_exposed(path)
    path.chmod(0o640)
    assert not token_file.is_exposed(path)
    path.chmod(0o644)
    assert token_file.is_exposed(path)
