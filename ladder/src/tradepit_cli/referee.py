"""``tradepit referee``."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tradepit_cli import arguments as arg
from tradepit_cli.errors import CommandError, Misuse

if TYPE_CHECKING:
    import grpc

    from tradepit_server.service import Tokens

EXAMPLES = arg.examples(
    "tradepit referee --tokens tokens.txt",
    "tradepit referee --tokens tokens.txt --listen 0.0.0.0:7070 --cert cert.pem --key key.pem",
    "tradepit referee --tokens tokens.txt --listen localhost:7070 --listen unix:/run/tradepit/referee",
)

DEFAULT_ADDRESS = "localhost:7070"
"""Where a referee listens that is not told."""

MOST_DRAIN_SECONDS = 86_400
"""A day."""

MOST_WATCH_DELAY = 48
"""Decisions; more than that a spectator's queue would not hold at the end of a match."""

LOG_LEVELS = ("warning", "info", "debug")


def _log_level(text: str) -> str:
    if text not in LOG_LEVELS:
        raise Misuse(f"--log {text!r} is none of {', '.join(LOG_LEVELS)}")
    return text


TokensOption = Annotated[
    str,
    typer.Option(
        "--tokens", metavar="FILE", help="Who may connect: lines of 'bot', 'organiser' or 'spectator', NAME, TOKEN."
    ),
]
ListenOption = Annotated[
    list[str] | None,
    typer.Option(
        "--listen",
        metavar="ADDRESS",
        help=f"host:port or unix:/path; may be given several times; default: {DEFAULT_ADDRESS}.",
    ),
]
CertOption = Annotated[
    str | None, typer.Option("--cert", metavar="FILE", help="The certificate chain for TLS, in PEM form.")
]
KeyOption = Annotated[
    str | None, typer.Option("--key", metavar="FILE", help="The private key of the certificate, in PEM form.")
]
InsecureOption = Annotated[
    bool, typer.Option("--insecure", help="Listen without TLS even where others can reach it; tokens can be read.")
]
DrainOption = Annotated[
    int,
    typer.Option(
        "--drain-seconds",
        metavar="N",
        parser=arg.whole_number("--drain-seconds", MOST_DRAIN_SECONDS, least=0),
        help="How long running blocks may go on after SIGTERM; then they are void.",
    ),
]
ReconnectOption = Annotated[
    str,
    typer.Option(
        "--reconnect-to",
        metavar="ADDRESS",
        help="Where bots are told to go when this referee goes away: host:port or unix:/path; default: nowhere.",
    ),
]
WatchDelayOption = Annotated[
    int,
    typer.Option(
        "--watch-delay",
        metavar="N",
        parser=arg.whole_number("--watch-delay", MOST_WATCH_DELAY, least=0),
        help="Spectators see each moment of a match when N more decisions have been played.",
    ),
]


LogOption = Annotated[
    str,
    typer.Option(
        "--log",
        metavar="LEVEL",
        parser=_log_level,
        help="What is told on standard error: warning; info, each block that ends; debug, each late answer too.",
    ),
]


def referee(
    tokens: TokensOption,
    listen: ListenOption = None,
    cert: CertOption = None,
    key: KeyOption = None,
    insecure: InsecureOption = False,
    drain_seconds: DrainOption = 60,
    reconnect_to: ReconnectOption = "",
    watch_delay: WatchDelayOption = 6,
    log: LogOption = "info",
) -> None:
    """Run a referee for bots that connect by themselves and organisers who have blocks played.

    Everything is encrypted but unix sockets and the loopback interface. SIGTERM and Ctrl-C let it end in good
    order: no block begins any more, and those that run may end. Twice, and they are void.
    """
    import os

    os.environ.setdefault(
        "GRPC_VERBOSITY", "NONE"
    )  # before gRPC is there: what goes wrong is ours to tell, in one line
    addresses = listen or [DEFAULT_ADDRESS]
    tls = _tls(cert, key)
    _check_addresses("--listen", addresses, protected=tls is not None or insecure)
    _check_addresses("--reconnect-to", [reconnect_to] if reconnect_to else [], protected=True)
    known = _tokens(tokens)
    _log_to_standard_error(log)
    _run(addresses, known, tls, drain_seconds, reconnect_to, watch_delay)


def _log_to_standard_error(level: str) -> None:
    import logging

    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
    ours = logging.getLogger("tradepit_server")
    ours.addHandler(handler)
    ours.setLevel(level.upper())
    ours.propagate = False


def _tls(cert: str | None, key: str | None) -> "grpc.ServerCredentials | None":
    from tradepit_server.service import listening

    if cert is None and key is None:
        return None
    if cert is None or key is None:
        raise Misuse("TLS takes both a certificate and its key: --cert FILE --key FILE")
    try:
        return listening.credentials(Path(cert), Path(key))
    except listening.CertificateError as error:
        raise Misuse(f"--cert, --key: {error}") from error


def _check_addresses(option: str, addresses: list[str], *, protected: bool) -> None:
    from tradepit_server.service import listening

    for address in addresses:
        try:
            listening.check_address(address, protected=protected)
        except listening.ExposedAddress as error:
            raise Misuse(f"{option} {error}; give --cert and --key, or --insecure") from error
        except listening.AddressError as error:
            raise Misuse(f"{option} {error}") from error


def _tokens(name: str) -> "Tokens":
    from tradepit_server.service import token_file

    path = Path(name)
    try:
        tokens = token_file.read(path)
        if token_file.is_exposed(path):
            typer.echo(f"tradepit: warning: every user of this machine may read --tokens {name!r}", err=True)
    except (token_file.TokenFileError, OSError) as error:
        raise Misuse(f"--tokens {name!r}: {error}") from error
    return tokens


def _run(
    addresses: list[str],
    tokens: "Tokens",
    tls: "grpc.ServerCredentials | None",
    drain_seconds: int,
    reconnect_to: str,
    watch_delay: int,
) -> None:
    from tradepit_server.service.daemon import Daemon
    from tradepit_server.service.driver import CoreFailure
    from tradepit_server.service.listening import ListenError, needs_tls

    def ready(address: str) -> None:
        encrypted = tls is not None and needs_tls(address)
        typer.echo(f"listening on {address}{' (TLS)' if encrypted else ''}")

    try:
        Daemon(addresses, tokens, tls, drain_seconds, reconnect_to, watch_delay).run(ready)
    except (ListenError, CoreFailure) as error:
        raise CommandError(str(error)) from error
