"""Routines: a skill as motions in turn, and the execution that drives one.

A routine is a generator. It yields steps and gets the end of each; what it raises, and what it has touched by
then, decides the end of the order. Where an order is cancelled, nothing more moves: the hand keeps what it
holds, and the execution says what that is.

====================================  ================  ======================================================
cancelled, or failed                  end               what is so afterwards
====================================  ================  ======================================================
before the hand has touched anything  without effect    nothing has changed
while the fingers close               effect unknown    they may hold the thing; it counts as held by none
while a thing is lifted or carried    effect unknown    the hand holds it, and the routine's hand says so
while it is set down, fingers closed  without effect    the hand holds it as before
while the fingers open                effect unknown    it may be there or in the hand; it counts as let go
after they have opened                effect unknown    it is where it was put
with a handle in the hand             effect unknown    the fingers let go before the hand's next order
====================================  ================  ======================================================
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import TypeAlias

from foretree.robots.moveit.arm import Arm, GripTo, Motion, MotionEnd, MotionRequest
from foretree.robots.moveit.error_codes import MotionProblem
from foretree.skills.manipulation.transforms import RigidTransform, Vector
from foretree.skills.robot import End, Outcome, RobotError, Target


@dataclass(frozen=True, slots=True)
class Held:
    """A thing in a hand.

    Attributes:
        size: along its own axes.
        tool: the pose of the tool in the frame of its middle.
        width: the gap at which the fingers hold it.
        name: its id in the planning scene.
        along: the direction of the approach, in the tool's frame that is z; kept for the way back.
    """

    size: Vector
    tool: RigidTransform
    width: float
    name: str


@dataclass
class HandState:
    """State of a hand between two orders, as far as it is known.

    Attributes:
        held: what it holds, if it was taken by a routine.
        grips_handle: whether the fingers are closed on a handle.
    """

    held: Held | None = None
    grips_handle: bool = False


@dataclass(frozen=True, slots=True)
class RoutineStep:
    """One motion of a routine.

    Attributes:
        does: what it is for, in words for a person ("reaching for it").
        request: the motion.
        touches: whether the world may be another one from here on.
        begun: called once the step has begun; an order that was cancelled does not get that far.
    """

    does: str
    request: MotionRequest
    touches: bool = False
    begun: Callable[[], None] = lambda: None


#: A skill under way: steps out, their ends in.
MotionRoutine: TypeAlias = Generator[RoutineStep, MotionEnd, None]


class StepFailed(Exception):  # noqa: N818 - it ends a routine, and is no mistake
    """A routine cannot go on.

    Attributes:
        says: why, in words for a person.
        end: the end of the motion that failed, if one did.
        out_of_reach: whether no posture of the arm reaches what it should.
        obstacle: the id of what is in the way.
    """

    def __init__(
        self, says: str, end: MotionEnd | None = None, *, out_of_reach: bool = False, obstacle: str = ""
    ) -> None:
        super().__init__(says)
        self.says = says
        self.end = end
        self.out_of_reach = out_of_reach or (end is not None and end.problem is MotionProblem.OUT_OF_REACH)
        self.obstacle = obstacle or (end.obstacle if end is not None else "")


def done(step: RoutineStep) -> Generator[RoutineStep, MotionEnd, MotionEnd]:
    """Take *step*, which has to be done.

    Raises:
        StepFailed: it is not.
    """
    end = yield step
    if end.outcome != "done":
        raise StepFailed(f"{step.does}: {end.says}", end)
    return end


def grip_thing(
    hold: GripTo, does: str, begun: Callable[[], None] = lambda: None
) -> Generator[RoutineStep, MotionEnd, float]:
    """Close the fingers on a thing, and make sure by the gap that they hold it; returns the gap.

    Raises:
        StepFailed: they hold nothing, or something else, or the gripper does not say.
    """
    end = yield from done(RoutineStep(does, hold, touches=True, begun=begun))
    if end.width is None:
        raise StepFailed(f"{does}: the gripper does not say how far it closed", end)
    if abs(end.width - hold.width) > hold.tolerance:
        raise StepFailed(
            f"{does}: the fingers are {end.width:.3f} m apart, and not {hold.width:.3f} m as with it", end
        )
    return end.width


class RoutineExecution:
    """Implements :class:`~foretree.skills.robot.Execution` for a routine on an arm.

    Args:
        execution_id: its id.
        arm: carries out the steps.
        routine: the steps.
        describe: returns what an id of the planning scene stands for, so that it can be told without it.
        noting: is told of each step that ended.
        closing: called once, with the end.
    """

    def __init__(
        self,
        execution_id: str,
        arm: Arm,
        routine: MotionRoutine,
        describe: Callable[[str], Target | None] = lambda _: None,
        noting: Callable[[RoutineStep, MotionEnd], None] = lambda _, __: None,
        closing: Callable[[End], None] = lambda _: None,
    ) -> None:
        self.id = execution_id
        self._arm = arm
        self._routine = routine
        self._describe = describe
        self._noting = noting
        self._closing = closing
        self._end: End | None = None
        self._cancelled = False
        self._touched = False
        self._step: RoutineStep | None = None
        self._motion: Motion | None = None
        self._go_on(None)

    def poll(self) -> End | None:
        """Return the end, once there is one. Raises RobotError if what moves the arm cannot be reached."""
        while self._end is None:
            assert self._motion is not None
            end = self._motion.poll()
            if end is None:
                return None
            self._note(end)
            self._go_on(end)
        return self._end

    def cancel(self) -> None:
        """Ask for an early end; asking again asks the servers again."""
        self._cancelled = True
        if self._end is None and self._motion is not None:
            self._motion.cancel()

    def _note(self, end: MotionEnd) -> None:
        if self._step is not None:
            self._touched |= self._step.touches and end.moved
            self._noting(self._step, end)

    def _go_on(self, ended: MotionEnd | None) -> None:
        """Tell the routine how its step ended, and begin the next one."""
        if ended is not None and ended.outcome == "lost":
            self._close(End(Outcome.LOST, ended.says))
            return
        if ended is not None and ended.outcome == "cancelled":
            self._close(self._stopped())
            return
        try:
            step = next(self._routine) if ended is None else self._routine.send(ended)
        except StopIteration:
            self._close(End(Outcome.DONE))
        except StepFailed as failed:
            self._close(self._stopped() if self._cancelled else self._failed(failed))
        else:
            if self._cancelled:
                self._step = step
                self._close(self._stopped())
                return
            self._begin(step)

    def _begin(self, step: RoutineStep) -> None:
        self._step = step
        try:
            self._motion = self._arm.begin(step.request)
        except RobotError as error:
            self._close(End(Outcome.FAILED, f"{step.does}: {error}", without_effect=not self._touched))
        else:
            step.begun()

    def _stopped(self) -> End:
        does = self._step.does if self._step is not None else "before the first step"
        return End(Outcome.CANCELLED, f"cancelled: {does}", without_effect=not self._touched)

    def _failed(self, failed: StepFailed) -> End:
        obstacle = self._describe(failed.obstacle) if failed.obstacle else None
        return End(
            Outcome.FAILED,
            failed.says,
            obstacle=obstacle,
            out_of_reach=failed.out_of_reach,
            without_effect=not self._touched,
        )

    def _close(self, end: End) -> None:
        self._end = end
        self._routine.close()
        self._closing(end)
