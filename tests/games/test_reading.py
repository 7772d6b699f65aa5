"""Edition files as every game reads them: what is no bearable TOML is refused in one line."""

import pytest

from tradepit_server.games.base import EditionError
from tradepit_server.games.reading import LARGEST_FILE, parse


@pytest.mark.parametrize(
    ("file", "refusal"),
    [
        (b"\xff", "is no TOML: 'utf-8' codec can't decode byte 0xff"),
        (b"= 1", "is no TOML: Invalid statement"),
        (b"a = " + b"9" * 5000, "is no TOML: Exceeds the limit"),
        (b"a = " + b"[" * 100_000, "is nested too deep"),
        (b"#" * (LARGEST_FILE + 1), "has more than 262144 bytes"),
    ],
    ids=["bytes", "syntax", "digits", "depth", "size"],
)
def test_what_is_no_toml_or_too_much_of_it_is_refused(file: bytes, refusal: str) -> None:
    with pytest.raises(EditionError, match=f"the edition file {refusal}") as refused:
        parse(file)
    assert "\n" not in str(refused.value)


def test_the_largest_file_is_read() -> None:
    text = b"a = 1\n"
    assert parse(text + b"#" * (LARGEST_FILE - len(text))).whole("a", 0) == 1
