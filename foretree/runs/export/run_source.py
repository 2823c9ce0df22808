"""A run that is written out."""

from __future__ import annotations

import json
from collections.abc import Iterator

from foretree.runs._run_file import read_meta
from foretree.runs.events import Event, EventRow
from foretree.runs.reader import checked_rows
from foretree.runs.store import Run, RunError
from foretree.runs.views.run_state import RunState, replay


class RunSource:
    """A run up to its end, or to where its file is damaged.

    Damage ends the events instead of raising, so that each format can close its document; :attr:`damage` says
    afterwards what it was.

    Args:
        run: the run.
        at: the moment that is asked for, in seconds on the session's clock; None for its end.

    Attributes:
        started: when the session's clock was at zero, in seconds since the epoch.
        damage: why the events ended before the run does.

    Raises:
        RunError: the file cannot be read at all.
    """

    def __init__(self, run: Run, at: float | None = None) -> None:
        self.run = run
        self.at = at
        self.started = run.info().started
        self.damage: RunError | None = None

    def properties(self) -> dict[str, str]:
        """The properties of the run as a whole."""
        with self.run.reading() as connection:
            return read_meta(connection)

    def rows(self) -> Iterator[EventRow]:
        """The events up to the moment as they are on record, oldest first."""
        last, time = 0, 0.0
        try:
            for row in checked_rows(self.run):
                if self.at is not None and row.time > self.at:
                    return
                last, time = row.seq, row.time
                yield row
        except RunError as error:
            self.damage = RunError(
                f"Run {self.run.id} can be read up to event {last}, at {time:.1f} s. {error}"
            )

    def events(self) -> Iterator[Event]:
        """The events up to the moment, oldest first."""
        for row in self.rows():
            yield Event(row.seq, row.tick, row.time, row.kind, json.loads(row.data))

    def tree(self) -> RunState:
        """The state at the moment, with a tree in it.

        Raises:
            RunError: there is no tree then.
        """
        state = replay(self.events())
        if state.root is None:
            raise self.no_tree()
        return state

    def no_tree(self) -> RunError:
        """The error that there is no tree at the moment."""
        when = "" if self.at is None else f" at {self.at:g} s"
        return self.damage or RunError(f"Run {self.run.id} has no tree{when}.")

    def wall(self, time: float) -> float:
        """The seconds since the epoch at a time on the session's clock."""
        return self.started + time
