"""Attendance of people at viewers: a run that they steer is told once the last of them has gone."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from foretree.runs.store import Run, RunError

#: Seconds within which a viewer may come back: a page that is loaded again, a connection that is mended.
GRACE = 5.0


class Attendance:
    """Viewers of one server: how many watch each run, and which runs they have asked for something."""

    def __init__(self) -> None:
        self._here: Counter[str] = Counter()
        #: The runs that were asked for something, with the names under which they were.
        self._steered: dict[str, set[str]] = {}
        self._leaving: set[asyncio.Task[None]] = set()  # a task without a reference may be collected

    def steered(self, run: Run, name: str) -> None:
        """A viewer has asked *run* for something, by that name."""
        self._steered.setdefault(run.id, set()).add(name)

    @asynccontextmanager
    async def of_viewer(self, run: Run) -> AsyncIterator[None]:
        """A viewer watches *run* during the body."""
        self._here[run.id] += 1
        try:
            yield
        finally:
            self._here[run.id] -= 1
            if not self._here[run.id] and run.id in self._steered:
                leaving = asyncio.create_task(self._leave(run))
                self._leaving.add(leaving)
                leaving.add_done_callback(self._leaving.discard)

    async def _leave(self, run: Run) -> None:
        try:
            await asyncio.sleep(GRACE)
        finally:  # the server may end meanwhile: then no browser comes back
            if not self._here[run.id]:
                for name in self._steered.pop(run.id, ()):
                    with suppress(RunError):  # it has ended
                        run.request("leave", name, run=run.id)
