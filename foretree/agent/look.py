"""Looks of the robot: begun when the camera is free, recorded and taken note of once they have ended."""

from __future__ import annotations

from collections.abc import Iterable

from foretree.agent.context import AgentContext
from foretree.skills.executive.executive import Lease
from foretree.world_model.beliefs.facts import Atom


class Look:
    """One look at a time, as a node asks for it.

    Args:
        context: looks, and takes note of what was seen.
        takes_note: whether what a look was about and did not tell is taken for something that no look tells.

    Attributes:
        atoms: what the last look was about.
        since: when it began.
    """

    def __init__(self, context: AgentContext, *, takes_note: bool = True, robot: str = "") -> None:
        self.atoms: tuple[Atom, ...] = ()
        self.since = 0.0
        self._context = context
        self._takes_note = takes_note
        self._robot = robot
        self._lease: Lease | None = None

    @property
    def under_way(self) -> bool:
        """True if a look has begun, and its end has not been dealt with yet."""
        return self._lease is not None

    @property
    def waits(self) -> str:
        """The reason why it waits, in words of a person; empty if nothing keeps it."""
        return self._context.waits_to_look if self._lease is None else self._lease.delay_reason

    def begin(self, atoms: Iterable[Atom], why: str, *, widely: bool = False) -> bool:
        """Begin to look at what *atoms* speak of; returns False while the camera is busy.

        Args:
            atoms: what is in doubt; all around if nothing is.
            why: what for, in words of a person.
            widely: whether to look at all of what an object is said to be in or on, too.
        """
        self.atoms, self.since = tuple(atoms), self._context.clock.now()
        self._lease = self._context.look(self.atoms, why, widely=widely, robot=self._robot)
        return self._lease is not None

    def poll(self) -> bool:
        """Deal with the end of the look; returns whether it has come."""
        lease, context = self._lease, self._context
        assert lease is not None
        end = lease.poll()
        if end is None:
            return False
        context.recorder.record("look.ended", execution=lease.id, outcome=end.outcome.value)
        self._lease = None
        if self._takes_note:
            context.note_look(self.atoms, self.since)
        return True

    def request_end(self) -> None:
        """Ask the robot to break the look off; its end is still waited for."""
        if self._lease is not None:
            self._lease.cancel()

    def cancel(self) -> None:
        """Break the look off, if one is under way."""
        lease, self._lease = self._lease, None
        if lease is not None:
            lease.cancel()
