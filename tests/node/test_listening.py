"""Addresses to listen on: which are any, and which need TLS."""

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import pytest

from tradepit import transport
from tradepit_server.service import server
from tradepit_server.service.listening import AddressError, ExposedAddress, check_address, needs_tls

LOCAL = ["localhost:7070", "127.0.0.1:0", "127.8.8.8:65535", "[::1]:7070", "unix:/run/referee"]
REMOTE = ["0.0.0.0:7070", "[::]:7070", "10.0.0.1:7070", "referee.example:443", "[fe80::1%eth0]:7070"]


@pytest.mark.parametrize("address", LOCAL)
def test_a_local_address_needs_no_tls(address: str) -> None:
    check_address(address, protected=False)
    assert not needs_tls(address)


@pytest.mark.parametrize("address", REMOTE)
def test_any_other_address_needs_protection(address: str) -> None:
    assert needs_tls(address)
    check_address(address, protected=True)
    with pytest.raises(ExposedAddress, match="can be reached from elsewhere") as refused:
        check_address(address, protected=False)
    assert repr(address) in str(refused.value)


@pytest.mark.parametrize(
    "address",
    ["", "localhost", ":7070", "localhost:", "localhost:http", "localhost:65536", "localhost:-1", "::1:7070",
     "a b:7070", "unix:", "unix:relative", "unix:/run\n", "tcp://localhost:7070", "localhost:7070:7071"],
)  # fmt: skip
def test_what_is_no_address_is_quoted(address: str) -> None:
    with pytest.raises(AddressError) as refused:
        check_address(address, protected=True)
    assert repr(address) in str(refused.value)


@pytest.mark.parametrize("options", [server._OPTIONS, transport._OPTIONS], ids=["server", "client"])
def test_grpc_knows_every_option_of_a_connection(options: Sequence[tuple[str, object]]) -> None:
    """What it does not know it ignores; a misspelt name made it cut off bots that had been waiting for a minute."""
    extension = find_spec("grpc._cython.cygrpc")
    assert extension is not None
    assert extension.origin is not None
    known = Path(extension.origin).read_bytes()
    assert [name for name, _ in options if name.encode() not in known] == []
