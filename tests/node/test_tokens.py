"""Whom a token stands for."""

import pytest

from tradepit_server.referee import Identity
from tradepit_server.service import Organiser, Tokens

ADA = Identity("ada", "session")


def test_a_token_stands_for_its_holder_until_it_is_revoked() -> None:
    tokens = Tokens()
    tokens.grant("secret", ADA)
    tokens.grant("other", Organiser("cup"))
    assert tokens.holder([("user-agent", "x"), ("authorization", "Bearer secret")]) == ADA
    assert tokens.holder([("authorization", "Bearer other")]) == Organiser("cup")
    tokens.revoke("secret")
    assert tokens.holder([("authorization", "Bearer secret")]) is None


@pytest.mark.parametrize(
    "metadata",
    [
        [],
        [("authorization", "secret")],
        [("authorization", "Basic secret")],
        [("authorization", "Bearer secre")],
        [("authorization", "Bearer secret ")],
        [("authorization", "Bearer ")],
        [("authorization", b"Bearer secret")],
        [("token", "Bearer secret")],
    ],
)
def test_anything_else_stands_for_nobody(metadata: list[tuple[str, str | bytes]]) -> None:
    tokens = Tokens()
    tokens.grant("secret", ADA)
    assert tokens.holder(metadata) is None


def test_tokens_are_not_kept() -> None:
    tokens = Tokens()
    tokens.grant("secret", ADA)
    assert "secret" not in repr(vars(tokens))
