"""Addresses to listen on, and what protects them.

Errors::

    ListenError(OSError)         an address that cannot be listened on now
    AddressError(ValueError)     an address that is none
    +-- ExposedAddress           one that nothing would protect
    CertificateError(ValueError) certificate and key cannot be used
"""

import re
import socket
import ssl
from pathlib import Path

import grpc

from tradepit.transport import is_local

_UNIX = "unix:"
_HOST_AND_PORT = re.compile(r"(\[[0-9a-fA-F:.%\w]+\]|[^\s:\[\]]+):([0-9]{1,5})")


class ListenError(OSError):
    """An address that cannot be listened on; the message quotes it."""


class AddressError(ValueError):
    """An address that is none; the message quotes it."""


class ExposedAddress(AddressError):
    """An address that others can reach, and that nothing would protect; the message quotes it."""


class CertificateError(ValueError):
    """A certificate and a key that cannot be used; the message names the files."""


def needs_tls(address: str) -> bool:
    """Whether who connects to *address* expects TLS: by the same predicate by which bots do."""
    return not is_local(address)


def check_address(address: str, *, protected: bool) -> None:
    """Raises AddressError unless *address* is ``host:port`` or ``unix:/path``, ExposedAddress unless local or
    *protected*.
    """
    if address.startswith(_UNIX):
        if not address.startswith(f"{_UNIX}/") or not address.isprintable():
            raise AddressError(f"{address!r} names no socket: after unix: comes an absolute path")
        return
    matched = _HOST_AND_PORT.fullmatch(address)
    if matched is None or int(matched[2]) > 65_535:
        raise AddressError(f"{address!r} is neither host:port, with a port from 0 to 65535, nor unix:/path")
    if needs_tls(address) and not protected:
        raise ExposedAddress(f"{address!r} can be reached from elsewhere, where tokens must not travel in the clear")


def check_unused(address: str) -> None:
    """Raises ListenError if somebody listens on a unix socket already: gRPC would take it away from them."""
    if not address.startswith(_UNIX):
        return
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(address.removeprefix(_UNIX))
        except OSError:
            return  # nobody there, or no place for a socket: binding tells
    raise ListenError(f"cannot listen on {address!r}: somebody does already")


def credentials(certificate: Path, key: Path) -> grpc.ServerCredentials:
    """TLS with the chain in *certificate* and the private *key*, both PEM. Raises CertificateError."""
    try:
        # gRPC would say no more than that the port cannot be bound.
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key, password="")
        return grpc.ssl_server_credentials([(key.read_bytes(), certificate.read_bytes())])
    except ssl.SSLError as error:
        reason = (error.reason or "not in PEM form").lower().replace("_", " ")
        raise CertificateError(f"{str(certificate)!r} and {str(key)!r} are no pair: {reason}") from error
    except OSError as error:
        raise CertificateError(f"cannot read {str(certificate)!r} and {str(key)!r}: {error.strerror}") from error
