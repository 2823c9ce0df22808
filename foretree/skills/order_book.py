"""Orders that a robot was given, by execution ids: none is carried out twice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeAlias, TypeVar

from foretree.skills.robot import Execution, LookRequest, Order, Outcome, RobotError

#: What a robot can be told to do.
Wanted: TypeAlias = Order | LookRequest

Begun = TypeVar("Begun", bound=Execution)


class OrderBook(Generic[Begun]):
    """The execution of each order under its id. The same order under the same id is the same execution."""

    def __init__(self) -> None:
        self._begun: dict[str, tuple[Wanted | None, Begun]] = {}
        self._refused: set[str] = set()

    @property
    def executions(self) -> list[Begun]:
        """All executions, in the order in which they came."""
        return [execution for _, execution in self._begun.values()]

    def begin(self, wanted: Wanted, execution_id: str, begin: Callable[[], Begun]) -> Begun:
        """Return the execution of an order; one that is not known yet is what *begin* returns.

        Raises:
            RobotError: the id belongs to another order; or *begin* raises it, and nothing was begun.
        """
        if execution_id in self._begun:
            known, execution = self._begun[execution_id]
            if known != wanted:
                raise RobotError(f"The execution id {execution_id!r} is taken by another order.")
            return execution
        try:
            execution = begin()
        except RobotError:
            self._refused.add(execution_id)
            raise
        self._refused.discard(execution_id)
        self._begun[execution_id] = wanted, execution
        return execution

    def find(self, execution_id: str) -> Begun | None:
        """Return the execution of that id, if it is known."""
        found = self._begun.get(execution_id)
        return found[1] if found is not None else None

    def was_refused(self, execution_id: str) -> bool:
        """Return whether the order of that id was refused, so that nothing of it can run."""
        return execution_id in self._refused

    def put(self, execution_id: str, execution: Begun) -> None:
        """Keep *execution* under an id: in place of the one before, or as one that was found on the robot."""
        wanted = self._begun[execution_id][0] if execution_id in self._begun else None
        self._begun[execution_id] = wanted, execution


def not_lost(execution: Execution) -> Execution:
    """Return an execution, if it may still end otherwise: what is lost holds its part of the robot.

    Raises:
        RobotError: it was lost.
    """
    end = execution.poll()
    if end is not None and end.outcome is Outcome.LOST:
        raise RobotError(end.reason)
    return execution
