"""An arm behind a running move_group node, by its actions and services.

A motion is planned first and then executed, each an action of its own: so it is known whether the arm has
moved. Where there is no plan, move_group is asked for the reason: an inverse kinematics without regard to
collisions says whether the arm gets there at all, and the contacts of that posture say what it would touch.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias
from uuid import uuid4

from foretree.robots.moveit.arm import (
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
from foretree.robots.moveit.grippers import grip_end, grip_goal, gripper_actions
from foretree.robots.moveit.messages import (
    Tool,
    at_joints,
    at_pose,
    obstacle_among,
    pose_fields,
    scene_fields,
)
from foretree.robots.moveit.moveit_file import ArmEntry, MoveItFile
from foretree.robots.ros.exchange import Call, Goal, GoalEnd, RosExchange
from foretree.robots.ros.link import Fields, Interface
from foretree.skills.manipulation.transforms import RigidTransform
from foretree.skills.robot import RobotError

_CANCELLED = MotionEnd("cancelled", "it was cancelled before the arm moved", moved=False)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A goal that was sent or a service that was called, and whether that moves anything."""

    of: Goal | Call
    moves: bool = False


#: An exchange with servers: what was asked is yielded, and its end comes back.
_Dialogue: TypeAlias = Generator[_Asked, Any, MotionEnd]


class DialogueMotion:
    """A motion that is a dialogue with servers, one goal or call after the other."""

    def __init__(self, dialogue: _Dialogue) -> None:
        self._dialogue = dialogue
        self._end: MotionEnd | None = None
        self._cancelled = False
        self._asked: _Asked | None = next(dialogue)

    def poll(self) -> MotionEnd | None:
        """Return the end, once there is one. Raises RobotError if a server cannot be reached."""
        while self._end is None:
            assert self._asked is not None
            answer = self._asked.of.poll()
            if answer is None:
                return None
            if self._cancelled and not self._asked.moves:
                # What was asked for moves nothing; what would follow might.
                self._dialogue.close()
                self._end = _CANCELLED
                break
            try:
                self._asked = self._dialogue.send(answer)
            except StopIteration as stop:
                self._end = stop.value
            except RobotError as error:
                # The next server is not there: nothing more was begun.
                self._end = MotionEnd("failed", str(error), MotionProblem.TROUBLE, moved=self._asked.moves)
        return self._end

    def cancel(self) -> None:
        """Ask for an early end."""
        self._cancelled = True
        if self._end is None and self._asked is not None and isinstance(self._asked.of, Goal):
            self._asked.of.cancel()


class MoveGroupArm:
    """Implements :class:`~foretree.robots.moveit.arm.Arm` by move_group.

    Args:
        exchange: the exchange with the servers.
        file: the settings.
        hand: the hand, by its name in the settings.
        frame: the frame of poses.
    """

    def __init__(self, exchange: RosExchange, file: MoveItFile, hand: str, frame: str) -> None:
        self._exchange = exchange
        self._file = file
        self._arm: ArmEntry = file.arms[hand]
        self._frame = frame
        self._tools = {name: Tool(arm.tool, arm.touches) for name, arm in file.arms.items()}
        self._gave_up = False

    def begin(self, request: MotionRequest) -> Motion:
        """Begin a motion. Raises RobotError if the first server that it takes is not there."""
        if isinstance(request, Pause):
            return PassingTime(self._exchange.clock, request.seconds)
        dialogue = self._dialogue(request)
        recovers = self._gave_up and self._file.recovery is not None
        if recovers and isinstance(request, (ToPose, ToJoints, Straight)):
            dialogue = self._after_recovery(dialogue)
        return DialogueMotion(dialogue)

    def _after_recovery(self, dialogue: _Dialogue) -> _Dialogue:
        """Have the robot take orders again after its controller has given up, then go on."""
        recovery = self._file.recovery
        assert recovery is not None
        ended: GoalEnd = yield self._begin(Interface(recovery.action, recovery.type), {}, moves=False)
        if ended.outcome != "succeeded":
            why = f"{recovery.action}: the robot did not recover: {ended.outcome}"
            return MotionEnd("failed", why, MotionProblem.TROUBLE, moved=False)
        self._gave_up = False
        return (yield from dialogue)

    def _dialogue(self, request: ToPose | ToJoints | Straight | GripTo | ChangeScene) -> _Dialogue:
        match request:
            case ToPose(tool):
                planning = self._file.planning
                there = at_pose(tool, self._frame, self._arm.tool, planning.near, planning.turn)
                return self._to(there, tool)
            case ToJoints(joints):
                return self._to(at_joints(joints), None)
            case Straight(tools):
                return self._straight(tools)
            case GripTo():
                return self._grip(request)
            case ChangeScene():
                return self._show(request)

    # -- motions of the arm --------------------------------------------------------------------------------
    def _to(self, constraints: Fields, tool: RigidTransform | None) -> _Dialogue:
        planning = self._file.planning
        request = {
            "start_state": {"is_diff": True},
            "goal_constraints": [constraints],
            "pipeline_id": planning.pipeline,
            "planner_id": planning.planner,
            "group_name": self._arm.group,
            "num_planning_attempts": planning.attempts,
            "allowed_planning_time": planning.time,
            "max_velocity_scaling_factor": planning.velocity,
            "max_acceleration_scaling_factor": planning.acceleration,
        }
        options = {
            "plan_only": True,
            "planning_scene_diff": {"is_diff": True, "robot_state": {"is_diff": True}},
        }
        planned: GoalEnd = yield self._send(
            "move_action", "moveit_msgs/action/MoveGroup", {"request": request, "planning_options": options}
        )
        refusal = _refusal(planned, "planning")
        if refusal is not None:
            return (yield from self._explained(refusal, tool))
        return (yield from self._execute(planned.result["planned_trajectory"]))

    def _straight(self, tools: tuple[RigidTransform, ...]) -> _Dialogue:
        planning = self._file.planning
        call = self._call(
            "compute_cartesian_path",
            "moveit_msgs/srv/GetCartesianPath",
            {
                "header": {"frame_id": self._frame},
                "start_state": {"is_diff": True},
                "group_name": self._arm.group,
                "link_name": self._arm.tool,
                "waypoints": [pose_fields(tool) for tool in tools],
                "max_step": planning.step,
                "jump_threshold": planning.jump,
                "avoid_collisions": True,
                "max_velocity_scaling_factor": planning.velocity,
                "max_acceleration_scaling_factor": planning.acceleration,
            },
        )
        answer = yield call
        if answer.error:
            return _trouble(answer.error)
        code = int(answer.response["error_code"]["val"])
        fraction = float(answer.response["fraction"])
        if code != SUCCESS:
            refusal = _failure(code, str(answer.response["error_code"].get("message", "")))
            return (yield from self._explained(refusal, tools[-1]))
        if fraction < planning.least:
            says = f"only {max(0.0, fraction):.0%} of the straight way is free"
            refusal = MotionEnd("failed", says, MotionProblem.NO_PATH, moved=False)
            return (yield from self._explained(refusal, tools[-1]))
        return (yield from self._execute(answer.response["solution"]))

    def _execute(self, trajectory: Mapping[str, Any]) -> _Dialogue:
        executed: GoalEnd = yield self._send(
            "execute_trajectory",
            "moveit_msgs/action/ExecuteTrajectory",
            {"trajectory": trajectory},
            moves=True,
        )
        refusal = _refusal(executed, "the motion")
        if refusal is None:
            return MotionEnd("done")
        moved = executed.outcome != "rejected"
        self._gave_up |= refusal.problem is MotionProblem.NOT_FOLLOWED
        return MotionEnd(refusal.outcome, refusal.says, refusal.problem, moved=moved)

    # -- reasons -------------------------------------------------------------------------------------------
    def _explained(self, refusal: MotionEnd, tool: RigidTransform | None) -> _Dialogue:
        """*refusal* with what is in the way, or that it is out of reach, if move_group can tell."""
        if refusal.outcome != "failed":
            return refusal
        try:
            if refusal.problem is MotionProblem.COLLISION_AT_START or tool is None:
                return (yield from self._met(refusal, {"is_diff": True}))
            return (yield from self._reasoned(refusal, tool))
        except RobotError:  # the reason is of use, but not what the motion has failed of
            return refusal

    def _reasoned(self, refusal: MotionEnd, tool: RigidTransform) -> _Dialogue:
        request = {
            "group_name": self._arm.group,
            "robot_state": {"is_diff": True},
            "avoid_collisions": False,
            "ik_link_name": self._arm.tool,
            "pose_stamped": {"header": {"frame_id": self._frame}, "pose": pose_fields(tool)},
            "timeout": {"sec": 0, "nanosec": 200_000_000},
        }
        answer = yield self._call("compute_ik", "moveit_msgs/srv/GetPositionIK", {"ik_request": request})
        if answer.error:
            return refusal
        code = int(answer.response["error_code"]["val"])
        if code == SUCCESS:
            return (yield from self._met(refusal, answer.response["solution"]))
        if meaning_of(code).problem is MotionProblem.OUT_OF_REACH:
            says = meaning_of(code).says
            return MotionEnd("failed", says, MotionProblem.OUT_OF_REACH, moved=False)
        return refusal

    def _met(self, refusal: MotionEnd, state: Fields) -> _Dialogue:
        """*refusal* with what the arm touches in a state."""
        answer = yield self._call(
            "check_state_validity",
            "moveit_msgs/srv/GetStateValidity",
            {"robot_state": state, "group_name": self._arm.group},
        )
        if answer.error or answer.response["valid"]:
            return refusal
        obstacle = obstacle_among(answer.response["contacts"])
        start = refusal.problem is MotionProblem.COLLISION_AT_START
        problem = MotionProblem.COLLISION_AT_START if start else MotionProblem.COLLISION_AT_GOAL
        return MotionEnd("failed", refusal.says, problem, obstacle, moved=False)

    # -- the hand and the scene ----------------------------------------------------------------------------
    def _grip(self, grip: GripTo) -> _Dialogue:
        interface, goal = grip_goal(self._arm.gripper, grip)
        ended: GoalEnd = yield self._begin(interface, goal, moves=True)
        return grip_end(self._arm.gripper, grip, ended)

    def _show(self, show: ChangeScene) -> _Dialogue:
        scene = scene_fields(show.diff, self._frame, self._tools)
        answer = yield self._call(
            "apply_planning_scene", "moveit_msgs/srv/ApplyPlanningScene", {"scene": scene}
        )
        if answer.error or not answer.response["success"]:
            why = answer.error or "MoveIt did not take the change of its planning scene"
            return MotionEnd("failed", why, MotionProblem.TROUBLE, moved=False)
        if self._file.scene.octomap and show.diff.covers_more:
            answer = yield self._call("clear_octomap", "std_srvs/srv/Empty", {})
            if answer.error:
                return MotionEnd("failed", answer.error, MotionProblem.TROUBLE, moved=False)
        return MotionEnd("done", moved=False)

    # -- servers -------------------------------------------------------------------------------------------
    def _named(self, name: str, type_name: str) -> Interface:
        namespace = self._file.namespace.strip("/")
        return Interface(f"{namespace}/{name}" if namespace else name, type_name)

    def _send(self, name: str, type_name: str, goal: Fields, *, moves: bool = False) -> _Asked:
        return self._begin(self._named(name, type_name), goal, moves=moves)

    def _begin(self, interface: Interface, goal: Fields, *, moves: bool) -> _Asked:
        return _Asked(self._exchange.send(interface, goal, uuid4()), moves)

    def _call(self, name: str, type_name: str, request: Fields) -> _Asked:
        return _Asked(self._exchange.call(self._named(name, type_name), request))


def _refusal(end: GoalEnd, what: str) -> MotionEnd | None:
    """Return why a goal has not done it; None if it has."""
    if end.outcome == "unknown":
        return MotionEnd("lost", f"move_group does not know any more what has become of {what}")
    if end.outcome == "rejected":
        return MotionEnd("failed", f"move_group rejected {what}", MotionProblem.TROUBLE, moved=False)
    code = end.result.get("error_code", {})
    value = int(code.get("val", 0))
    if end.outcome == "canceled":
        return MotionEnd("cancelled", f"{what} was cancelled")
    if end.outcome == "succeeded" and value == SUCCESS:
        return None
    return _failure(value, str(code.get("message", "")))


def _failure(code: int, message: str) -> MotionEnd:
    meaning = meaning_of(code)
    says = f"{meaning.says} ({meaning.name}{': ' if message else ''}{message})"
    return MotionEnd("failed", says, meaning.problem, moved=False)


def _trouble(error: str) -> MotionEnd:
    return MotionEnd("failed", error, MotionProblem.TROUBLE, moved=False)


def stop_all(exchange: RosExchange, file: MoveItFile) -> None:
    """Ask for the end of every motion of move_group and of the grippers."""
    namespace = file.namespace.strip("/")
    before = f"{namespace}/" if namespace else ""
    interfaces = [
        Interface(f"{before}execute_trajectory", "moveit_msgs/action/ExecuteTrajectory"),
        Interface(f"{before}move_action", "moveit_msgs/action/MoveGroup"),
    ]
    for arm in file.arms.values():
        interfaces += gripper_actions(arm.gripper)
    for interface in dict.fromkeys(interfaces):
        exchange.link.cancel_all(interface)
