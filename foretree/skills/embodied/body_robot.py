"""A robot that is a body with a camera: it moves by small steps, and is steered by what it sees."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from foretree.clock import Clock
from foretree.errors import ForetreeError, suggest
from foretree.skills.embodied._handling import HANDLING
from foretree.skills.embodied._looking import look
from foretree.skills.embodied._routine import AlreadyDone, ControlFeedback, LooksWrong, Routine, RoutineFailed
from foretree.skills.embodied.body import STEP_TIME, Body, Control
from foretree.skills.embodied.senses import FrameInterpreter, Senses
from foretree.skills.robot import End, Execution, LookRequest, Order, Outcome, RobotError
from foretree.world_model.camera_model import Stance
from foretree.world_model.observation import Observation
from foretree.world_model.occupancy.occupancy_grid import OccupancyGrid, OccupancySettings


@dataclass(slots=True, eq=False)
class _Doing:
    """A routine under way.

    Attributes:
        routine: what it does.
        is_look: whether it only looks.
        felt: what came of its last control, as long as it has not been told.
        begun: whether it has decided on a control yet.
        cancelled: whether it was asked to end.
        end: how it ended.
    """

    routine: Routine
    is_look: bool
    felt: ControlFeedback | None = None
    begun: bool = False
    cancelled: bool = False
    end: End | None = None


class BodyExecution:
    """Something that a body was told to do."""

    def __init__(self, execution_id: str, doing: _Doing, robot: BodyRobot) -> None:
        self.id = execution_id
        self._doing = doing
        self._robot = robot

    def poll(self) -> End | None:
        """The end, once there is one."""
        self._robot.catch_up()
        return self._doing.end

    def cancel(self) -> None:
        """Ask for an early end. It comes with the end of the step that the body is taking."""
        self._robot.catch_up()
        self._robot.break_off(self._doing)


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
    ) -> None:
        self.name, hand = eyes.hand
        self.hands: tuple[str, ...] = (hand,)
        self._body = body
        self._clock = clock
        self._gone = ""
        self._now = clock.now()
        self.senses = Senses(body, eyes, body.step(Control("wait")), self._now, occupancy, careful)
        self._observed = [self.senses.sight]
        self._stack: list[_Doing] = []
        self._next: tuple[_Doing, Control] | None = None
        self._executions: dict[str, tuple[Order | LookRequest, BodyExecution]] = {}

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
        return self._begin(order, execution_id, lambda: _Doing(handle(self.senses, order), is_look=False))

    def look(self, request: LookRequest, execution_id: str) -> Execution:
        """Begin a look; what it sees arrives through :meth:`observations`.

        Raises:
            RobotError: the robot's body is gone, or the id belongs to something else.
        """
        return self._begin(request, execution_id, lambda: self._look(request))

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
        known = self._executions.get(execution_id)
        return known[1] if known is not None else None

    def stop(self) -> None:
        """Stop moving, now."""
        self.catch_up()
        self._next = None
        while self._stack:
            self._ends(self._stack[-1], End(Outcome.CANCELLED, "stopped"))

    # -- time --------------------------------------------------------------------------------------
    def catch_up(self) -> None:
        """Do everything that is to be done by now."""
        now = self._clock.now()
        while self._next is not None and self._now + STEP_TIME <= now:
            self._now += STEP_TIME
            self._step(*self._next)
        if self._next is None:
            self._now = now

    def break_off(self, doing: _Doing) -> None:
        """For executions: end something as soon as the body is done with the step that it is taking."""
        doing.cancelled = True
        if doing in self._stack and (self._next is None or self._next[0] is not doing):
            self._ends(doing, End(Outcome.CANCELLED, "cancelled"))

    def _step(self, doing: _Doing, control: Control) -> None:
        """Take a step, and decide on the next one."""
        try:
            frame = self._body.step(control)
        except ForetreeError as error:
            self._lose_body(str(error))
            return
        source = "look" if doing.is_look else "view"
        self.senses.take_in(control, frame, self._now, source)
        self._observed.append(self.senses.sight)
        doing.felt = ControlFeedback(frame.ok, frame.message)
        self._decide()

    def _decide(self) -> None:
        """Let the uppermost routine say what to do next; what it has done by now is over."""
        self._next = None
        while self._stack and self._next is None:
            doing = self._stack[-1]
            try:
                if doing.begun:
                    assert doing.felt is not None
                    felt, doing.felt = doing.felt, None
                    control = doing.routine.send(felt)
                else:
                    doing.begun = True
                    control = next(doing.routine)
            except StopIteration:
                self._ends(doing, End(Outcome.DONE))
            except AlreadyDone as already:
                self._ends(doing, End(Outcome.DONE, str(already)))
            except RoutineFailed as unable:
                self._ends(doing, End(Outcome.FAILED, str(unable), unlike=isinstance(unable, LooksWrong)))
            else:
                if doing.cancelled:
                    self._ends(doing, End(Outcome.CANCELLED, "cancelled"))
                else:
                    self._next = doing, control

    # -- beginning and ending ----------------------------------------------------------------------
    def _begin(
        self, what: Order | LookRequest, execution_id: str, begin: Callable[[], _Doing]
    ) -> BodyExecution:
        self._reach_body()
        known = self._executions.get(execution_id)
        if known is not None:
            if known[0] != what:
                raise RobotError(f"The execution id {execution_id!r} is taken by another order.")
            return known[1]
        doing = begin()
        execution = BodyExecution(execution_id, doing, self)
        self._executions[execution_id] = what, execution
        if doing.is_look:
            self._stack.append(doing)
        elif all(other.is_look for other in self._stack):
            self._stack.insert(0, doing)
        else:
            doing.end = End(Outcome.FAILED, "the robot has to be done with what it does")
            return execution
        if self._next is None:
            self._decide()
        return execution

    def _look(self, request: LookRequest) -> _Doing:
        return _Doing(look(self.senses, request, may_walk=not self._stack), is_look=True)

    def _ends(self, doing: _Doing, end: End) -> None:
        self._stack.remove(doing)
        doing.routine.close()
        doing.end = end

    def _reach_body(self) -> None:
        self.catch_up()
        if self._gone:
            raise RobotError(f"The body of {self.name} is gone: {self._gone}")

    def _lose_body(self, why: str) -> None:
        self._gone = why
        self._next = None
        while self._stack:
            self._ends(self._stack[-1], End(Outcome.LOST, why))
