"""A robot that is a body with a camera: it moves by small steps, and is steered by what it sees."""

from __future__ import annotations

from collections.abc import Callable

from foretree.clock import Clock
from foretree.errors import ForetreeError, suggest
from foretree.skills.embodied._handling import HANDLING
from foretree.skills.embodied._looking import look
from foretree.skills.embodied._walking import AlreadyDone, ControlFeedback, LooksWrong, Routine, RoutineFailed
from foretree.skills.embodied.body import STEP_TIME, Body, Control
from foretree.skills.embodied.senses import FrameInterpreter, Senses
from foretree.skills.order_book import OrderBook
from foretree.skills.robot import End, Execution, LookRequest, Order, Outcome, RobotError
from foretree.world_model.camera_model import Stance
from foretree.world_model.observation import Observation
from foretree.world_model.occupancy.occupancy_grid import OccupancyGrid, OccupancySettings


class BodyExecution:
    """An order or a look that a body carries out.

    Attributes:
        id: its id.
        routine: its steps.
        is_look: whether it only looks.
        felt: the result of its last control, until the routine is told; None before the first.
        cancelled: whether it was asked to end.
        end: its end, once there is one.
    """

    def __init__(self, execution_id: str, routine: Routine, is_look: bool, robot: BodyRobot) -> None:
        self.id = execution_id
        self.routine = routine
        self.is_look = is_look
        self.felt: ControlFeedback | None = None
        self.cancelled = False
        self.end: End | None = None
        self._robot = robot

    def poll(self) -> End | None:
        """Return the end, once there is one."""
        self._robot.catch_up()
        return self.end

    def cancel(self) -> None:
        """Ask for an early end. It comes with the end of the step that the body is taking."""
        self._robot.catch_up()
        self._robot.break_off(self)


class BodyRobot:
    """Implements :class:`foretree.skills.robot.Robot` on a body with a camera.

    A body does one thing at a time. A look that is asked for while it does something else comes in between,
    from where the body is then; an order that comes during a look is carried out after it.

    Nothing moves by itself: every question first lets the body catch up with the clock. Each control
    takes :data:`~foretree.skills.embodied.body.STEP_TIME`, and what is seen after it is an observation.

    Args:
        body: what is steered; nothing but its frames is known of the world.
        eyes: what makes observations of frames; they say who the robot is and what its hand is called.
        clock: what time it is.
        occupancy: settings of the occupancy grid.
        careful: whether it makes sure that a thing looks as it should before it touches it. Otherwise it
            takes what is where the thing should be.
        sides: whether it looks from further sides then, where the first view shows something else. Otherwise
            the one view at the moment of touching decides.

    Attributes:
        name: what the agent calls the robot.
        hands: what it calls its hands.
        senses: what has been sensed so far, the occupancy grid among it.
    """

    def __init__(
        self,
        body: Body,
        eyes: FrameInterpreter,
        clock: Clock,
        occupancy: OccupancySettings | None = None,
        careful: bool = True,
        sides: bool = True,
    ) -> None:
        self.name, hand = eyes.hand
        self.hands: tuple[str, ...] = (hand,)
        self._body = body
        self._clock = clock
        self._gone = ""
        self._now = clock.now()
        self.senses = Senses(body, eyes, body.step(Control("wait")), self._now, occupancy, careful, sides)
        self._observed = [self.senses.sight]
        self._stack: list[BodyExecution] = []
        self._next: tuple[BodyExecution, Control] | None = None
        self._orders = OrderBook[BodyExecution]()

    # -- what has been found out of the way ---------------------------------------------------------
    @property
    def occupancy(self) -> OccupancyGrid:
        """The floor as far as it is known."""
        return self.senses.occupancy

    @property
    def stance(self) -> Stance:
        """Position, heading and pitch of the body."""
        return self.senses.stance

    # -- what every robot offers -------------------------------------------------------------------
    def start(self, order: Order, execution_id: str) -> Execution:
        """Begin to carry out *order*. Sending the same order under the same id again changes nothing.

        Raises:
            RobotError: the robot has no such skill, its body is gone, or the id belongs to another order.
        """
        handle = HANDLING.get(order.skill)
        if handle is None:
            raise RobotError(f"{self.name} has no skill {order.skill!r}. {suggest(order.skill, HANDLING)}")
        return self._begin(order, execution_id, lambda: handle(self.senses, order))

    def look(self, request: LookRequest, execution_id: str) -> Execution:
        """Begin a look; what it sees arrives through :meth:`observations`.

        Raises:
            RobotError: the robot's body is gone, or the id belongs to something else.
        """
        return self._begin(
            request, execution_id, lambda: look(self.senses, request, may_walk=not self._stack)
        )

    def observations(self) -> list[Observation]:
        """Return the observations after each control since the last call."""
        self.catch_up()
        observed, self._observed = self._observed, []
        return observed

    def attach(self, execution_id: str) -> Execution | None:
        """The execution of that id, if the robot knows it.

        Raises:
            RobotError: the robot's body is gone.
        """
        self._reach_body()
        return self._orders.find(execution_id)

    def stop(self) -> None:
        """Stop moving, now."""
        self.catch_up()
        self._end_all(Outcome.CANCELLED, "stopped")

    # -- time --------------------------------------------------------------------------------------
    def catch_up(self) -> None:
        """Do everything that is to be done by now."""
        now = self._clock.now()
        while self._next is not None and self._now + STEP_TIME <= now:
            self._now += STEP_TIME
            self._step(*self._next)
        if self._next is None:
            self._now = now

    def break_off(self, execution: BodyExecution) -> None:
        """End an execution as soon as the body is done with the step that it is taking."""
        execution.cancelled = True
        if execution in self._stack and (self._next is None or self._next[0] is not execution):
            self._end(execution, End(Outcome.CANCELLED, "cancelled"))

    def _step(self, execution: BodyExecution, control: Control) -> None:
        """Take a step, and decide on the next one."""
        try:
            frame = self._body.step(control)
        except ForetreeError as error:
            self._gone = str(error)
            self._end_all(Outcome.LOST, self._gone)
            return
        self.senses.take_in(control, frame, self._now, "look" if execution.is_look else "view")
        self._observed.append(self.senses.sight)
        execution.felt = ControlFeedback(frame.ok, frame.message)
        self._decide()

    def _decide(self) -> None:
        """Get the next control from the topmost routine; a routine that has come to its end is over."""
        self._next = None
        while self._stack and self._next is None:
            execution = self._stack[-1]
            felt, execution.felt = execution.felt, None
            try:
                control = next(execution.routine) if felt is None else execution.routine.send(felt)
            except StopIteration:
                self._end(execution, End(Outcome.DONE))
            except AlreadyDone as already:
                self._end(execution, End(Outcome.DONE, str(already)))
            except RoutineFailed as failed:
                self._end(execution, End(Outcome.FAILED, str(failed), unlike=isinstance(failed, LooksWrong)))
            else:
                if execution.cancelled:
                    self._end(execution, End(Outcome.CANCELLED, "cancelled"))
                else:
                    self._next = execution, control

    # -- beginning and ending ----------------------------------------------------------------------
    def _begin(
        self, order: Order | LookRequest, execution_id: str, begin: Callable[[], Routine]
    ) -> BodyExecution:
        self._reach_body()
        known = self._orders.find(execution_id)
        is_look = isinstance(order, LookRequest)
        execution = self._orders.begin(
            order, execution_id, lambda: BodyExecution(execution_id, begin(), is_look, self)
        )
        if execution is known:
            return execution
        if execution.is_look:
            self._stack.append(execution)
        elif all(other.is_look for other in self._stack):
            self._stack.insert(0, execution)
        else:
            execution.end = End(Outcome.FAILED, "the robot has to be done with what it does")
            return execution
        if self._next is None:
            self._decide()
        return execution

    def _end(self, execution: BodyExecution, end: End) -> None:
        self._stack.remove(execution)
        execution.routine.close()
        execution.end = end

    def _end_all(self, outcome: Outcome, reason: str) -> None:
        self._next = None
        while self._stack:
            self._end(self._stack[-1], End(outcome, reason))

    def _reach_body(self) -> None:
        self.catch_up()
        if self._gone:
            raise RobotError(f"The body of {self.name} is gone: {self._gone}")
