"""A routine on its way: one step after the other, until it is done, refused, broken off or cancelled."""

from __future__ import annotations

from contextlib import suppress
from threading import Event

from foretree.robots.franka.driver import (
    ArmState,
    FrankaDriver,
    MotionFailedError,
    MotionUnknownError,
)
from foretree.robots.franka.franka_file import FrankaFile
from foretree.robots.franka.routines import (
    ArmStep,
    CloseOn,
    GoStraight,
    GoToJoints,
    HoldsNothing,
    HoldsSomething,
    HomeFingers,
    MoveFingers,
    Rise,
    Routine,
)
from foretree.skills.robot import End, Outcome

#: Metres that the end of a straight motion may be off.
_OFF = 0.02


class RoutineRun:
    """A routine that the arm carries out. All but :attr:`cancelled` belongs to the thread that advances it.

    Args:
        routine: its steps.
        driver: the arm.
        file: the robot file.

    Attributes:
        cancelled: set by any thread to have it end early.
    """

    def __init__(self, routine: Routine, driver: FrankaDriver, file: FrankaFile) -> None:
        self.routine = routine
        self.cancelled = Event()
        self._ahead = list(routine.steps)
        self._driver = driver
        self._file = file
        self._running: ArmStep | None = None
        self._begun = False
        self._told_to_stop = False

    def advance(self) -> End | None:
        """Go on; return the end, once there is one.

        Raises:
            ContactLostError: the arm does not answer.
        """
        try:
            return self._advance()
        except MotionFailedError as error:
            if self.cancelled.is_set():
                return End(Outcome.CANCELLED)
            return End(Outcome.FAILED, str(error))
        except MotionUnknownError as error:
            return End(Outcome.LOST, f"The driver of the arm reports what it never should: {error}")

    def after_contact(self) -> End:
        """Return the end of a run during which the arm was out of contact, and answers now."""
        if self._running is None and not self._begun:
            return End(Outcome.FAILED, "the arm was out of contact before it began")
        return End(Outcome.FAILED, "the connection was lost on the way; the arm stands still now")

    def _advance(self) -> End | None:
        if self.cancelled.is_set() and not self._told_to_stop:
            if self._running is None:
                return End(Outcome.CANCELLED)
            with suppress(MotionFailedError):  # refused: told again the next time, while it still moves
                self._driver.stop()
                self._told_to_stop = True
        if not self._begun:
            self._begun = True
            if (refused := self._not_ready()) is not None:
                return refused
        if self._running is not None:
            if not self._is_over(self._running):
                return None
            failed = self._judge(self._running, self._driver.state())
            self._running = None
            if failed:
                return End(Outcome.CANCELLED if self.cancelled.is_set() else Outcome.FAILED, failed)
            if not self._ahead:
                return End(Outcome.DONE)
            if self.cancelled.is_set():
                return End(Outcome.CANCELLED)
        self._running = self._ahead.pop(0)
        return self._begin(self._running)

    def _not_ready(self) -> End | None:
        state = self._driver.state()
        if state.mode == "Reflex" and self._file.recover:
            self._driver.recover()
            state = self._driver.state()
        if state.mode != "Idle" or state.errors:
            errors = f", with errors: {', '.join(state.errors)}" if state.errors else ""
            why = f"the arm is not ready; its mode is {state.mode}{errors}"
            return End(Outcome.FAILED, why, without_effect=True)
        return None

    def _begin(self, step: ArmStep) -> End | None:
        """Begin a step; return an end if it cannot be begun."""
        driver, file = self._driver, self._file
        if isinstance(step, Rise):
            state = driver.state()
            here = state.position
            if not file.workspace.holds(here):
                return End(Outcome.FAILED, "the hand is outside the workspace; guide it back in by hand")
            if here[2] < file.travel_height:
                driver.move_straight((here[0], here[1], file.travel_height), state.orientation)
        elif isinstance(step, GoStraight):
            driver.move_straight(step.to, step.orientation)
        elif isinstance(step, GoToJoints):
            driver.move_joints(step.joints)
        elif isinstance(step, MoveFingers):
            driver.move_fingers(step.width)
        elif isinstance(step, HomeFingers):
            driver.home_fingers()
        elif isinstance(step, CloseOn):
            driver.grasp(step.width)
        return None

    def _is_over(self, step: ArmStep) -> bool:
        if isinstance(step, (Rise, GoStraight, GoToJoints)):
            return not self._driver.is_moving()
        if isinstance(step, (MoveFingers, HomeFingers, CloseOn)):
            answer = self._driver.fingers_done()
            if answer is False:
                raise MotionFailedError(
                    "the hand has closed on nothing of the expected width"
                    if isinstance(step, CloseOn)
                    else "the fingers did not do what they were told"
                )
            return answer is not None
        return True

    def _judge(self, step: ArmStep, state: ArmState) -> str:
        """Return why a step that is over has not done what it was for; empty if it has."""
        if isinstance(step, GoStraight):
            off = max(abs(a - b) for a, b in zip(step.to, state.position, strict=True))
            return f"the hand stopped {off * 100:.0f} cm away from where it was to go" if off > _OFF else ""
        if isinstance(step, Rise):
            low = state.position[2] < self._file.travel_height - _OFF
            return "the hand did not rise to the height of travel" if low else ""
        if isinstance(step, (CloseOn, HoldsSomething)):
            return self._not_held(step.width, state)
        if isinstance(step, HoldsNothing) and state.grasped:
            return "the hand holds something"
        return ""

    def _not_held(self, width: float | None, state: ArmState) -> str:
        if not state.grasped:
            return "the hand holds nothing"
        if width is not None and abs(state.width - width) > self._file.grasp_tolerance:
            held, expected = state.width * 100, width * 100
            return f"the hand holds something {held:.1f} cm wide, not {expected:.1f} cm"
        return ""
