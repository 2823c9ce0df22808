"""Arms by ``moveit_py``, which runs in a process of its own.

It has no planning of straight paths: each piece of one is planned by a pipeline that plans straight lines,
and ends at rest. Nor does it tell what touches what: a motion that is refused for a collision says no more.
"""

from __future__ import annotations

import pickle
import tempfile
from collections.abc import Generator, Mapping
from itertools import count
from typing import Any, TypeAlias
from weakref import finalize

from foretree.children import Child
from foretree.clock import Clock
from foretree.robots.moveit.arm import (
    Arm,
    ChangeScene,
    GripTo,
    Motion,
    MotionEnd,
    MotionRequest,
    PassingTime,
    Pause,
    Straight,
    ToJoints,
    ToPose,
)
from foretree.robots.moveit.error_codes import SUCCESS, MotionProblem, meaning_of
from foretree.robots.moveit.messages import Tool, at_joints, at_pose, pose_fields, scene_fields
from foretree.robots.moveit.move_group import MoveGroupArm
from foretree.robots.moveit.moveit_file import MoveItFile
from foretree.robots.ros.exchange import RosExchange
from foretree.robots.ros.link import Fields
from foretree.skills.manipulation.transforms import RigidTransform
from foretree.skills.robot import RobotError

#: Seconds that the process has to end by itself.
_FAREWELL = 5.0
_MAKER = "foretree.robots.moveit.moveit_py_worker:make_worker"

_Answer: TypeAlias = Mapping[str, Any]
_Requests: TypeAlias = Generator[Mapping[str, Any], _Answer, MotionEnd]


def moveit_py_arms(exchange: RosExchange, file: MoveItFile, frame: str) -> dict[str, Arm]:
    """Start MoveIt, and return an arm for each hand."""
    groups = sorted({arm.group for arm in file.arms.values()})
    process = MoveItProcess(
        _MAKER,
        {
            "node_name": "foretree_moveit",
            "namespace": file.namespace,
            "parameter_files": list(file.parameter_files),
            "groups": groups,
        },
    )
    return {hand: MoveItPyArm(process, exchange, file, hand, frame) for hand in file.arms}


class MoveItProcess:
    """The process that MoveIt runs in.

    Args:
        maker: what makes the worker there, as ``module:function``.
        arguments: what that is called with.
    """

    def __init__(self, maker: str, arguments: Mapping[str, Any]) -> None:
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the process
        serve = "foretree.robots.moveit.moveit_py_worker:serve"
        self._child = Child(serve, maker, dict(arguments), errors=self._errors, fork=False)
        self._numbers = count(1)
        self._answers: dict[int, _Answer] = {}
        self._gone = ""
        self._end = finalize(self, _end_of, self._child, self._errors)

    def ask(self, request: Mapping[str, Any]) -> int:
        """Send a request; returns its number.

        Raises:
            RobotError: the process has ended.
        """
        number = next(self._numbers)
        self._check()
        self._send({"number": number, **request})
        return number

    def stop(self) -> None:
        """Have the motion under way stopped, and what was planned not executed."""
        if not self._gone:
            self._send({"number": next(self._numbers), "do": "stop"})

    def answer(self, number: int) -> _Answer | None:
        """Return the answer to a request, once it is there.

        Raises:
            RobotError: the process has ended.
        """
        self._check()
        return self._answers.pop(number, None)

    def close(self) -> None:
        """End the process."""
        self._end()

    def _send(self, request: Mapping[str, Any]) -> None:
        try:
            self._child.channel.send(pickle.dumps(request))
        except (BrokenPipeError, ValueError, OSError) as error:
            self._gone = self._gone or str(error)
            self._check()

    def _check(self) -> None:
        if not self._gone:
            self._take_in()
            started = self._answers.get(0, {})
            self._gone = str(started.get("error", "")) or self._gone
        if self._gone:
            raise RobotError(f"MoveIt has ended: {self._gone}")

    def _take_in(self) -> None:
        """Take in the answers that have come."""
        try:
            while (message := self._child.channel.receive(0.0)) is not None:
                answer = pickle.loads(message)
                self._answers[answer["number"]] = answer
        except TimeoutError:
            return  # there are no more yet
        except (OSError, ValueError) as error:
            self._gone = str(error)
            return
        self._gone = self._last_words()

    def _last_words(self) -> str:
        if self._errors.closed:
            return "it was closed"
        self._errors.seek(0)
        said = self._errors.read().decode(errors="replace").strip().splitlines()
        return said[-1] if said else f"exit code {self._child.exit_code()}"


def _end_of(child: Child, errors: Any) -> None:
    child.end(_FAREWELL)
    errors.close()


class _PyMotion:
    """A motion of some requests, one after the other."""

    def __init__(self, process: MoveItProcess, requests: _Requests) -> None:
        self._process = process
        self._requests = requests
        self._end: MotionEnd | None = None
        self._cancelled = False
        self._executing = False
        self._moved = False
        self._number = self._ask(next(requests))

    def poll(self) -> MotionEnd | None:
        """Return the end, once there is one. Raises RobotError if MoveIt has ended."""
        while self._end is None:
            answer = self._process.answer(self._number)
            if answer is None:
                return None
            self._moved |= bool(answer.get("moved"))
            if self._cancelled and not self._executing:
                self._requests.close()
                self._end = MotionEnd("cancelled", "it was cancelled", moved=self._moved)
                break
            try:
                self._number = self._ask(self._requests.send(answer))
            except StopIteration as stop:
                self._end = stop.value
        return self._end

    def cancel(self) -> None:
        """Ask for an early end."""
        self._cancelled = True
        if self._end is None:
            self._process.stop()

    def _ask(self, request: Mapping[str, Any]) -> int:
        self._executing = request["do"] == "execute"
        return self._process.ask(request)


class MoveItPyArm:
    """Implements :class:`~foretree.robots.moveit.arm.Arm` by ``moveit_py``; the hand by its own action."""

    def __init__(
        self, process: MoveItProcess, exchange: RosExchange, file: MoveItFile, hand: str, frame: str
    ) -> None:
        self._process = process
        self._clock: Clock = exchange.clock
        self._file = file
        self._arm = file.arms[hand]
        self._frame = frame
        self._tools = {name: Tool(arm.tool, arm.touches) for name, arm in file.arms.items()}
        self._gripping = MoveGroupArm(exchange, file, hand, frame)

    def begin(self, request: MotionRequest) -> Motion:
        """Begin a motion. Raises RobotError if MoveIt has ended, or the gripper is not there."""
        match request:
            case GripTo():
                return self._gripping.begin(request)
            case Pause(seconds):
                return PassingTime(self._clock, seconds)
            case ToPose(tool):
                return _PyMotion(self._process, self._to([self._pose(tool)]))
            case ToJoints(joints):
                return _PyMotion(self._process, self._to([self._goal(at_joints(joints))]))
            case Straight(tools):
                lines = [self._pose(tool, straight=True) for tool in tools]
                return _PyMotion(self._process, self._to(lines))
            case ChangeScene():
                return _PyMotion(self._process, self._show(request))

    def _pose(self, tool: RigidTransform, *, straight: bool = False) -> Mapping[str, Any]:
        planning = self._file.planning
        goal = at_pose(tool, self._frame, self._arm.tool, planning.near, planning.turn)
        return {**self._goal(goal, straight=straight), "pose": pose_fields(tool)}

    def _goal(self, goal: Fields, *, straight: bool = False) -> Mapping[str, Any]:
        planning = self._file.planning
        pipeline, planner = planning.straight if straight else (planning.pipeline, planning.planner)
        parameters: dict[str, object] = {
            "planning_time": planning.time,
            "planning_attempts": planning.attempts,
            "max_velocity_scaling_factor": planning.velocity,
            "max_acceleration_scaling_factor": planning.acceleration,
        }
        if pipeline:
            parameters |= {"planning_pipeline": pipeline, "planner_id": planner}
        return {
            "do": "plan",
            "group": self._arm.group,
            "tool": self._arm.tool,
            "frame": self._frame,
            "goal": goal,
            "parameters": parameters,
        }

    def _to(self, goals: list[Mapping[str, Any]]) -> _Requests:
        moved = False
        for goal in goals:
            planned = yield goal
            refusal = _refused(planned, moved)
            if refusal is not None:
                return refusal
            executed = yield {"do": "execute"}
            if "error" in executed:
                return MotionEnd("lost", executed["error"])
            moved |= executed["moved"]
            end = _EXECUTED.get(executed["status"], MotionEnd("lost", f"MoveIt says {executed['status']}"))
            if end.outcome != "done":
                return MotionEnd(end.outcome, end.says, end.problem, moved=moved)
        return MotionEnd("done")

    def _show(self, show: ChangeScene) -> _Requests:
        answer = yield {
            "do": "show",
            "scene": scene_fields(show.diff, self._frame, self._tools),
            "clear_octomap": self._file.scene.octomap and show.diff.covers_more,
        }
        if answer.get("shown"):
            return MotionEnd("done", moved=False)
        why = answer.get("error", "MoveIt did not take the change of its planning scene")
        return MotionEnd("failed", why, MotionProblem.TROUBLE, moved=False)


#: What the values of ``ExecutionStatus`` mean.
_EXECUTED: Mapping[str, MotionEnd] = {
    "SUCCEEDED": MotionEnd("done"),
    "PREEMPTED": MotionEnd("cancelled", "the motion was stopped"),
    "TIMED_OUT": MotionEnd("failed", "the motion took too long", MotionProblem.NOT_FOLLOWED),
    "ABORTED": MotionEnd("failed", "the controller gave up", MotionProblem.NOT_FOLLOWED),
    "FAILED": MotionEnd("failed", "the controller did not follow the path", MotionProblem.NOT_FOLLOWED),
}


def _refused(planned: _Answer, moved: bool) -> MotionEnd | None:
    """Return why there is no plan; None if there is one."""
    if "error" in planned:
        return MotionEnd("failed", planned["error"], MotionProblem.TROUBLE, moved=moved)
    if planned["code"] == SUCCESS:
        return None
    meaning = meaning_of(planned["code"])
    if planned.get("problem") == MotionProblem.OUT_OF_REACH.value:
        meaning = meaning_of(-31)
    return MotionEnd("failed", f"{meaning.says} ({meaning.name})", meaning.problem, moved=moved)
