"""Leases of several robots for one action that they carry out together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from functools import partial
from typing import TypeAlias

from foretree.skills.executive.executive import Executive, Lease
from foretree.skills.robot import End, Execution, Outcome, Robot


class JointLease:
    """The leases of one action, one for each robot that takes part; offers what a lease offers.

    It is done when all of them are. As soon as one has ended otherwise, the others are cancelled, and it ends
    as that one once each has an end.
    """

    def __init__(self, leases: Sequence[Lease]) -> None:
        self.leases = tuple(leases)
        self.id = self.leases[0].id
        self.what = self.leases[0].what
        self._failure: End | None = None

    @property
    def confirmed(self) -> bool:
        """Return whether each robot has confirmed its end."""
        return all(lease.confirmed for lease in self.leases)

    @property
    def delay_reason(self) -> str:
        """The first reason why an end is not as near as it should be; empty while all is well."""
        return next((lease.delay_reason for lease in self.leases if lease.delay_reason), "")

    def poll(self) -> End | None:
        """The end, once there is one for each robot."""
        ends = [lease.poll() for lease in self.leases]
        if self._failure is None:
            others = (end for end in ends if end is not None and end.outcome is not Outcome.DONE)
            self._failure = next(others, None)
            if self._failure is not None:
                self.cancel()
        if any(end is None for end in ends):
            return None
        return self._failure or ends[0]

    def cancel(self) -> None:
        """Ask each robot for an early end."""
        for lease in self.leases:
            lease.cancel()


#: The lease of an action, however many robots carry it out.
AnyLease: TypeAlias = Lease | JointLease


def start_together(
    executives: Sequence[Executive],
    execution_id: str,
    begin: Callable[[Robot], Execution],
    resources: Iterable[str],
    time_out: float,
    what: str,
) -> AnyLease:
    """Lease *resources* of one robot, or of each of several, and have *begin* tell each of them.

    Whatever *begin* raises that is no matter of the robot passes through, and nothing is leased then.
    """
    wanted = tuple(resources)
    leases: list[Lease] = []
    with ExitStack() as begun:
        for executive in executives:
            tell = partial(begin, executive.robot)
            leases.append(executive.start(execution_id, tell, wanted, time_out, what))
            begun.callback(leases[-1].cancel)
        begun.pop_all()  # all have begun: none is broken off
    return leases[0] if len(leases) == 1 else JointLease(leases)
