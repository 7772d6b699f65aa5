"""A line to a PostgreSQL server that a test can cut: it hands on bytes between sockets, in threads of its own."""

import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

COMMIT = b"COMMIT\0"
"""How a statement that commits ends, in PostgreSQL's messages."""

_CHUNK = 65_536


class DatabaseLine:
    """Listens inside ``with`` and connects everybody to the server of *url*. All COMMITs are counted together."""

    def __init__(self, url: str, cut_at: int, *, before: bool, told: Callable[[], None]) -> None:
        """Cut itself at the *cut_at*-th COMMIT, from 1: *before* the server has it, or after it has answered.

        After an answer that nobody got, what was committed is. *told* is called when the line is cut.
        """
        parts = urlsplit(url)
        self._server = (parts.hostname or "", parts.port or 5432)
        self._cut_at = cut_at
        self._before = before
        self._told = told
        self._commits = 0
        self._cut = False
        self._lock = threading.Lock()
        self._sockets: set[socket.socket] = set()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.refused = 0
        """How many came while it was cut."""
        port = self._listener.getsockname()[1]
        self.url = parts._replace(netloc=f"{parts.netloc.rpartition('@')[0]}@127.0.0.1:{port}").geturl()
        """The same database by this line."""

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._listener.close()
        self.cut()

    def cut(self) -> None:
        """Reset every connection, and turn away who comes until it is mended."""
        with self._lock:
            self._cut = True
            for each in self._sockets:
                with suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)
            self._sockets.clear()

    def mend(self) -> None:
        """Connect again who comes from now on."""
        with self._lock:
            self._cut = False

    def _accept(self) -> None:
        with suppress(OSError):  # the listener is closed
            while True:
                client, _ = self._listener.accept()
                with self._lock:
                    if self._cut:
                        self.refused += 1
                        client.close()
                        continue
                    server = socket.create_connection(self._server)
                    self._sockets |= {client, server}
                swallow = threading.Event()
                for way in ((client, server, swallow, True), (server, client, swallow, False)):
                    threading.Thread(target=self._hand_on, args=way, daemon=True).start()

    def _hand_on(self, source: socket.socket, target: socket.socket, swallow: threading.Event, to_server: bool) -> None:
        try:
            with suppress(OSError):  # it is cut, or one end has gone
                while chunk := source.recv(_CHUNK):
                    if to_server and COMMIT in chunk and self._is_the_one():
                        if self._before:
                            self._break()
                            return
                        swallow.set()
                    elif not to_server and swallow.is_set():
                        self._break()
                        return
                    target.sendall(chunk)
        finally:
            for each in (source, target):
                with suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)
            source.close()  # the target is the other thread's source

    def _is_the_one(self) -> bool:
        with self._lock:
            self._commits += 1
            return self._commits == self._cut_at

    def _break(self) -> None:
        self.cut()
        self._told()
