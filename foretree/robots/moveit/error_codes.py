"""Meaning of MoveIt's error codes: what kind of problem each one is, and how it is said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

#: The code that says that all went well.
SUCCESS = 1


class MotionProblem(Enum):
    """Kind of a problem with a motion. What it calls for depends on it."""

    OUT_OF_REACH = "out of reach"
    COLLISION_AT_START = "collision at the start"
    COLLISION_AT_GOAL = "collision at the goal"
    NO_PATH = "no path"
    TOO_LONG = "planning took too long"
    CHANGED = "the surroundings changed"
    NOT_FOLLOWED = "the controller did not follow"
    STOPPED = "stopped"
    NO_STATE = "the robot's state is not known"
    BAD_REQUEST = "a request that MoveIt does not take"
    TROUBLE = "trouble within MoveIt"


@dataclass(frozen=True, slots=True)
class CodeMeaning:
    """The meaning of one code.

    Attributes:
        name: as ``moveit_msgs/msg/MoveItErrorCodes`` has it.
        problem: the kind of problem.
        says: in words for a person.
    """

    name: str
    problem: MotionProblem
    says: str


_P = MotionProblem

#: All codes of ``moveit_msgs/msg/MoveItErrorCodes`` but SUCCESS.
CODES: Mapping[int, CodeMeaning] = {
    0: CodeMeaning("UNDEFINED", _P.TROUBLE, "MoveIt gave no result"),
    -1: CodeMeaning("PLANNING_FAILED", _P.NO_PATH, "no path was found"),
    -2: CodeMeaning("INVALID_MOTION_PLAN", _P.NO_PATH, "the path that was found is not valid"),
    -3: CodeMeaning(
        "MOTION_PLAN_INVALIDATED_BY_ENVIRONMENT_CHANGE",
        _P.CHANGED,
        "something came into the way of the motion",
    ),
    -4: CodeMeaning("CONTROL_FAILED", _P.NOT_FOLLOWED, "the controller did not follow the path"),
    -5: CodeMeaning("UNABLE_TO_AQUIRE_SENSOR_DATA", _P.NO_STATE, "MoveIt got no sensor data"),
    -6: CodeMeaning("TIMED_OUT", _P.TOO_LONG, "no path was found within the time allowed"),
    -7: CodeMeaning("PREEMPTED", _P.STOPPED, "the motion was stopped"),
    -10: CodeMeaning("START_STATE_IN_COLLISION", _P.COLLISION_AT_START, "the arm touches something already"),
    -11: CodeMeaning(
        "START_STATE_VIOLATES_PATH_CONSTRAINTS", _P.BAD_REQUEST, "the arm stands where the path may not lead"
    ),
    -12: CodeMeaning("GOAL_IN_COLLISION", _P.COLLISION_AT_GOAL, "the arm would touch something at the goal"),
    -13: CodeMeaning(
        "GOAL_VIOLATES_PATH_CONSTRAINTS", _P.BAD_REQUEST, "the goal is where the path may not lead"
    ),
    -14: CodeMeaning("GOAL_CONSTRAINTS_VIOLATED", _P.NO_PATH, "the path does not end at the goal"),
    -15: CodeMeaning("INVALID_GROUP_NAME", _P.BAD_REQUEST, "MoveIt knows no such planning group"),
    -16: CodeMeaning("INVALID_GOAL_CONSTRAINTS", _P.BAD_REQUEST, "MoveIt does not take the goal"),
    -17: CodeMeaning("INVALID_ROBOT_STATE", _P.NO_STATE, "the state of the robot is not valid"),
    -18: CodeMeaning("INVALID_LINK_NAME", _P.BAD_REQUEST, "MoveIt knows no such link"),
    -19: CodeMeaning("INVALID_OBJECT_NAME", _P.BAD_REQUEST, "MoveIt knows no such object"),
    -21: CodeMeaning("FRAME_TRANSFORM_FAILURE", _P.BAD_REQUEST, "a frame is not known to MoveIt"),
    -22: CodeMeaning("COLLISION_CHECKING_UNAVAILABLE", _P.TROUBLE, "MoveIt cannot check for collisions"),
    -23: CodeMeaning("ROBOT_STATE_STALE", _P.NO_STATE, "the last known state of the robot is too old"),
    -24: CodeMeaning("SENSOR_INFO_STALE", _P.NO_STATE, "the last sensor data are too old"),
    -25: CodeMeaning("COMMUNICATION_FAILURE", _P.TROUBLE, "MoveIt cannot reach a part that it needs"),
    -26: CodeMeaning("START_STATE_INVALID", _P.NO_STATE, "the arm stands beyond its limits"),
    -27: CodeMeaning("GOAL_STATE_INVALID", _P.NO_PATH, "no valid posture was found at the goal"),
    -28: CodeMeaning("UNRECOGNIZED_GOAL_TYPE", _P.BAD_REQUEST, "the planner does not take this kind of goal"),
    -29: CodeMeaning("CRASH", _P.TROUBLE, "a part of MoveIt has crashed"),
    -30: CodeMeaning("ABORT", _P.TROUBLE, "MoveIt gave up"),
    -31: CodeMeaning("NO_IK_SOLUTION", _P.OUT_OF_REACH, "no posture of the arm reaches that"),
    99999: CodeMeaning("FAILURE", _P.NO_PATH, "planning failed"),
}

#: Problems with the planning of a motion: the arm has not moved, and another motion may be possible.
OF_PLANNING = frozenset(
    {_P.OUT_OF_REACH, _P.COLLISION_AT_START, _P.COLLISION_AT_GOAL, _P.NO_PATH, _P.TOO_LONG}
)


def meaning_of(code: int) -> CodeMeaning:
    """Return the meaning of a code; one that is not known counts as trouble."""
    unknown = CodeMeaning(f"{code}", MotionProblem.TROUBLE, f"MoveIt gave the error code {code}")
    return CODES.get(code, unknown)
