"""What somebody who watches the sessions has not been told yet."""

import asyncio
from collections.abc import Iterable

SessionChange = tuple[str, str, bool]
"""A session, its bot, and whether a stream carries it now."""


class SessionWatch:
    """The newest news of each session, so that a watcher who is slow has never more to read than there are sessions."""

    def __init__(self, sessions: Iterable[SessionChange]) -> None:
        """Of *sessions*, those that are connected are the first news."""
        self._news = {session[0]: session for session in sessions if session[2]}
        self._closed = False
        self._told = asyncio.Event()
        self._told.set()  # the first answer comes at once, also when nobody is connected

    def changed(self, changes: Iterable[SessionChange]) -> None:
        """Something has come or gone."""
        self._news.update((change[0], change) for change in changes)
        self._told.set()

    @property
    def waiting(self) -> list[SessionChange]:
        """What has not been told."""
        return list(self._news.values())

    def close(self) -> None:
        """There will be no more."""
        self._closed = True
        self._told.set()

    async def news(self) -> list[SessionChange] | None:
        """Wait for something new; at first, everybody who is connected. None: there will be no more."""
        await self._told.wait()
        if self._closed:
            return None
        self._told.clear()
        news, self._news = self.waiting, {}
        return news
