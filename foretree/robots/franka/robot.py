"""A Franka driven without ROS: orders become routines, which one thread carries out beside the tick."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from foretree.clock import Clock
from foretree.errors import ForetreeError
from foretree.robots.franka.driver import ArmState, ContactLostError, FrankaDriver, MotionFailedError
from foretree.robots.franka.franka_file import FrankaFile
from foretree.robots.franka.routines import (
    GoToJoints,
    HandGrip,
    OutOfReachError,
    Rise,
    Routine,
    routine_for,
)
from foretree.robots.franka.running import RoutineRun
from foretree.robots.ros.robot import RobotSenses
from foretree.skills.order_book import OrderBook
from foretree.skills.robot import End, Execution, LookRequest, Order, Outcome, RobotError
from foretree.world_model.beliefs.facts import hand_free
from foretree.world_model.observation import Observation

#: Seconds between two questions to the arm, and between two attempts to reach it.
_PERIOD, _ATTEMPT = 0.01, 1.0


@dataclass(slots=True)
class _Shared:
    """State that the threads share, under the robot's lock."""

    trouble: str = ""
    gripped: bool | None = None
    grip: HandGrip | None = None


class FrankaRobot:
    """Implements :class:`foretree.skills.robot.Robot` for one Franka arm with its hand.

    Only this process knows what the arm does: the arm stops by itself when the process ends, and no
    execution of an earlier one can be attached to.

    Args:
        file: the robot file.
        driver: the arm.
        clock: the session's clock, for the times of observations.
        senses: what it sees; without any, a look fails and says so.
        hold: why nothing may begin now, for example that a supervisor has stopped the robot; empty if it may.
    """

    def __init__(
        self,
        file: FrankaFile,
        driver: FrankaDriver,
        clock: Clock,
        senses: RobotSenses | None = None,
        hold: Callable[[], str] = lambda: "",
    ) -> None:
        self.name = file.robot
        self.hands: tuple[str, ...] = (file.hand,)
        self._file, self._driver, self._clock = file, driver, clock
        self._senses, self._hold = senses, hold
        self._orders = OrderBook[_ArmExecution]()
        self._shared = _Shared(trouble="The arm was not connected to yet.")
        self._felt: list[Observation] = []
        self._lock = threading.Lock()
        self._news = threading.Event()
        self._given: _ArmExecution | None = None
        self._closed = False
        self._worker = threading.Thread(target=self._work, name=f"{self.name} arm", daemon=True)

    def connect(self) -> None:
        """Connect to the arm, and begin to take orders. Blocks until the arm has answered.

        Raises:
            RobotError: it cannot be reached.
        """
        self._driver.connect()
        self._feel()
        self._shared.trouble = ""
        self._worker.start()

    def close(self) -> None:
        """Stop the arm, and end the thread that speaks with it."""
        self._closed = True
        if self._worker.is_alive():
            self.stop()
            self._news.set()
            self._worker.join(timeout=10)

    # -- what every robot offers -------------------------------------------------------------------------
    def start(self, order: Order, execution_id: str) -> Execution:
        """Begin to carry out *order*. The same order under the same id again changes nothing.

        Raises:
            RobotError: the arm is held or out of contact, has no such skill, the order lacks what it takes,
                another order is under way, or the id belongs to another order.
        """
        return self._begin(order, execution_id, lambda: routine_for(order, self._file, self._shared.grip))

    def look(self, request: LookRequest, execution_id: str) -> Execution:
        """Begin a look; what it sees arrives through :meth:`observations`.

        Raises:
            RobotError: as for :meth:`start`, or the robot has no senses.
        """
        if self._senses is None:
            raise RobotError(f"{self.name} has no senses: nothing in its setup reports what it sees.")
        if self._file.look_from is None:
            return self._senses.look(request, execution_id)
        steps = (Rise(), GoToJoints(self._file.poses[self._file.look_from]))
        senses = self._senses
        turning = self._begin(request, execution_id, lambda: Routine(steps, self._shared.grip))
        turning.follow = turning.follow or (lambda: senses.look(request, execution_id))
        return turning

    def observations(self) -> list[Observation]:
        """Return what was seen, and what the hand has felt, since the last call."""
        with self._lock:
            felt, self._felt = self._felt, []
        return [*felt, *(self._senses.observations() if self._senses is not None else [])]

    def attach(self, execution_id: str) -> Execution | None:
        """Return the execution of that id; None if this process has not begun it.

        What was lost has failed once the arm is known to stand still.

        Raises:
            RobotError: it was lost, and there is still nothing to be known of the arm.
        """
        execution = self._orders.find(execution_id)
        if execution is None:
            return None
        if execution.end is not None and execution.end.outcome is Outcome.LOST:
            if self._shared.trouble:
                raise RobotError(self._shared.trouble)
            stands = End(Outcome.FAILED, f"{execution.end.reason} The arm stands still now.")
            return _ArmExecution(execution_id, execution.run, self._shared, self._news, stands)
        return execution

    def stop(self) -> None:
        """Stop arm and hand, now, and cancel every execution.

        Nothing waits here: the arm is told on a thread of its own, which no motion holds up.
        """
        threading.Thread(target=self._tell_to_stop, name=f"{self.name} stop", daemon=True).start()
        for execution in self._orders.executions:
            execution.cancel()

    # -- within ------------------------------------------------------------------------------------------
    def _begin(
        self, wanted: Order | LookRequest, execution_id: str, plan: Callable[[], Routine]
    ) -> _ArmExecution:
        return self._orders.begin(wanted, execution_id, lambda: self._give(execution_id, plan))

    def _give(self, execution_id: str, plan: Callable[[], Routine]) -> _ArmExecution:
        if why := self._hold() or self._shared.trouble:
            raise RobotError(why)
        if any(not execution.is_over for execution in self._orders.executions):
            raise RobotError(f"{self.name} has one arm, which still carries out another order.")
        end = None
        try:
            routine = plan()
        except OutOfReachError as error:
            routine = Routine(())
            end = End(Outcome.FAILED, str(error), out_of_reach=True, without_effect=True)
        run = RoutineRun(routine, self._driver, self._file)
        execution = _ArmExecution(execution_id, run, self._shared, self._news, end)
        if end is None:
            self._given = execution
        self._news.set()
        return execution

    def _tell_to_stop(self) -> None:
        try:
            self._driver.stop()
        except MotionFailedError:
            pass  # there was nothing to stop
        except ForetreeError as error:
            self._shared.trouble = str(error)

    def _work(self) -> None:
        """Carry out what is given, and keep in touch with the arm in between."""
        while not self._closed:
            given, self._given = self._given, None
            if given is not None:
                self._carry_out(given)
            elif self._shared.trouble:
                self._come_back()
            else:
                self._keep_in_touch()
                self._news.wait(_ATTEMPT)
                self._news.clear()

    def _carry_out(self, execution: _ArmExecution) -> None:
        run, end = execution.run, None
        while end is None:
            try:
                end = run.advance()
            except ContactLostError as error:
                self._shared.trouble = str(error)
                if not self._come_back():
                    return  # closed: it stays open, for what the arm does is not known
                end = run.after_contact()
            except Exception as error:  # a mistake of ours must not leave an execution without an end
                end = End(Outcome.LOST, f"{type(error).__name__}: {error}")
            if end is None:
                self._news.wait(_PERIOD)
                self._news.clear()
        if end.outcome is Outcome.LOST:
            self._shared.trouble = end.reason
        else:
            if run.routine.uses_hand and end.outcome is Outcome.DONE:
                self._shared.grip = run.routine.grip
            self._keep_in_touch()
        execution.end = end

    def _come_back(self) -> bool:
        """Connect anew, however long it takes, and see that nothing moves; False if closed before."""
        while not self._closed:
            try:
                self._driver.connect()
                if self._feel().mode != "Move" and not self._driver.is_moving():
                    self._shared.trouble = ""
                    return True
            except ForetreeError as error:
                self._shared.trouble = str(error)
            self._news.wait(_ATTEMPT)
            self._news.clear()
        return False

    def _keep_in_touch(self) -> None:
        try:
            self._feel()
        except ForetreeError as error:
            self._shared.trouble = str(error)

    def _feel(self) -> ArmState:
        state = self._driver.state()
        gripped = state.grasped
        if not gripped:
            self._shared.grip = None
        if gripped != self._shared.gripped:
            self._shared.gripped = gripped
            free = {hand_free((self.name, self._file.hand)): not gripped}
            with self._lock:
                self._felt.append(Observation(self._clock.now(), "view", body=free))
        return state


class _ArmExecution:
    """An order, or a look, that the arm carries out."""

    def __init__(
        self,
        execution_id: str,
        run: RoutineRun,
        shared: _Shared,
        news: threading.Event,
        end: End | None = None,
    ) -> None:
        self.id = execution_id
        self.run = run
        self.end = end
        self.follow: Callable[[], Execution] | None = None
        self._shared, self._news = shared, news
        self._following: Execution | None = None

    @property
    def is_over(self) -> bool:
        """Return whether the arm has finished with it."""
        return self.end is not None

    def poll(self) -> End | None:
        end = self.end
        if end is None:
            if self._shared.trouble:
                raise RobotError(self._shared.trouble)
            return None
        if self.follow is None or end.outcome is not Outcome.DONE:
            return end
        if self._following is None:
            self._following = self.follow()
        return self._following.poll()

    def cancel(self) -> None:
        if self._following is not None:
            self._following.cancel()
        self.run.cancelled.set()
        self._news.set()
