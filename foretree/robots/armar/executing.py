"""Executions on ARMAR: skills of its skill manager one after the other, and what their ends mean."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from foretree.robots.armar.armar_file import ArmarStep
from foretree.robots.armar.exchange import ArmarExchange, CallEnd, SkillCall
from foretree.robots.ros.steps import field_of, fits
from foretree.skills.robot import End, Outcome


@dataclass(frozen=True, slots=True)
class PreparedCall:
    """A step of one order, ready to be begun: nothing of it can be refused for what the order lacks.

    Attributes:
        step: what the robot file says.
        id: the id of the call.
        provider, skill: whose, and which.
        params: its parameters.
    """

    step: ArmarStep
    id: str
    provider: str
    skill: str
    params: Mapping[str, Any]

    def begin(self, exchange: ArmarExchange) -> SkillCallStep:
        """Begin it; raises RobotError if nothing could be sent."""
        return SkillCallStep(exchange.begin(self.id, self.provider, self.skill, self.params), self.step)


def end_of_call(end: CallEnd, step: ArmarStep, cancelled: bool) -> End:
    """Return what the end of a call means for its step."""
    name = f"{step.provider}/{step.skill}"
    if end.status == "Unknown":
        return End(Outcome.LOST, f"{name}: {end.why}")
    if end.status in ("Refused", "Replaced"):
        return End(Outcome.FAILED, f"{name} was {end.status.lower()}: {end.why}")
    meaning = next((each for each in step.failures if fits(end.data, each.if_)), None)
    if meaning is not None:
        return End(Outcome.LOST if meaning.lost else Outcome.FAILED, meaning.says)
    if end.status == "Succeeded":
        if not step.done_if or any(fits(end.data, values) for values in step.done_if):
            return End(Outcome.DONE)
        return End(
            Outcome.FAILED, _said(end, step) or f"{name} has succeeded, but not as the robot file asks"
        )
    if end.status == "Aborted" and cancelled:
        return End(Outcome.CANCELLED)
    if end.status in ("Failed", "Aborted"):
        return End(Outcome.FAILED, _said(end, step) or f"{name} has {end.status.lower()}")
    return End(Outcome.LOST, f"{name} ended with the status {end.status}, which is not known here")


def _said(end: CallEnd, step: ArmarStep) -> str:
    """The reason that the skill's data gives."""
    found = field_of(end.data, step.reason) if step.reason else ""
    return found if isinstance(found, str) else end.why


class SkillCallStep:
    """A call of a skill, as a step."""

    def __init__(self, call: SkillCall, step: ArmarStep) -> None:
        self._call = call
        self._step = step

    def poll(self) -> End | None:
        ended = self._call.poll()
        return None if ended is None else end_of_call(ended, self._step, self._call.cancelled)

    def cancel(self) -> None:
        self._call.cancel()


@dataclass(frozen=True, slots=True)
class PossibleCall:
    """A call that an execution from before a crash can have consisted of.

    Attributes:
        call: the call, which is being looked for.
        step: what the robot file says of it.
        index: the number of the step.
        last: whether it is the last step of its skill.
    """

    call: SkillCall
    step: ArmarStep
    index: int
    last: bool

    def end(self, ended: CallEnd) -> End:
        """Return what the end of the call means for the execution."""
        end = end_of_call(ended, self.step, self.call.cancelled)
        if end.outcome is Outcome.DONE and not self.last:
            return End(Outcome.CANCELLED, "interrupted between two skills")
        return end


class FoundCallsExecution:
    """An execution from before a crash: whichever of the calls that it can have consisted of is known.

    The last of them counts. Of which of its skills the robot file has it as a step, nothing tells: where that
    makes a difference, it is not done.

    Args:
        execution_id: its id.
        calls: the calls.
    """

    def __init__(self, execution_id: str, calls: Iterable[PossibleCall]) -> None:
        self.id = execution_id
        self._calls = list(calls)
        self._end: End | None = None

    def poll(self) -> End | None:
        """Return the end; see :class:`~foretree.skills.robot.Execution`."""
        if self._end is None:
            self._end = self._find_end()
        return self._end

    def cancel(self) -> None:
        """Ask for an early end of whatever call of it runs."""
        for each in self._calls:
            each.call.cancel()

    def _find_end(self) -> End | None:
        ended = [(each, each.call.poll()) for each in self._calls]
        if any(end is None for _, end in ended):
            return None
        known = [
            (each, end)
            for each, end in ended
            if end is not None and end.status not in ("Unknown", "Replaced")
        ]
        if not known:
            return End(
                Outcome.FAILED,
                "the skill manager has no record of it, and says that none of its skills is carried out for "
                "it; what has become of it is not known",
            )
        last = max(each.index for each, _ in known)
        ends = [each.end(end) for each, end in known if each.index == last]
        return next((end for end in ends if end.outcome is not Outcome.DONE), ends[0])
