"""Goals for grippers, and what their results say of the gap between the fingers."""

from __future__ import annotations

from foretree.robots.moveit.arm import GripTo, MotionEnd
from foretree.robots.moveit.moveit_file import CommandGripper, FrankaGripper
from foretree.robots.ros.exchange import GoalEnd
from foretree.robots.ros.link import Fields, Interface

#: A gap that is no wider than it would be without a thing, up to this, holds none (metres).
_EMPTY = 0.0015


def grip_goal(gripper: CommandGripper | FrankaGripper, grip: GripTo) -> tuple[Interface, Fields]:
    """Return the action and the goal by which a gripper opens or closes."""
    if isinstance(gripper, CommandGripper):
        position = _commanded(gripper, grip) / gripper.width_per_position
        command = {"position": position, "max_effort": gripper.force}
        return Interface(gripper.action, "control_msgs/action/GripperCommand"), {"command": command}
    if not grip.holds:
        move = Interface(gripper.move, "franka_msgs/action/Move")
        return move, {"width": grip.width, "speed": gripper.speed}
    inner = min(grip.tolerance, max(0.0, grip.width - _EMPTY))
    goal = {
        "width": grip.width,
        "epsilon": {"inner": inner, "outer": grip.tolerance},
        "speed": gripper.speed,
        "force": gripper.force,
    }
    return Interface(gripper.grasp, "franka_msgs/action/Grasp"), goal


def grip_end(gripper: CommandGripper | FrankaGripper, grip: GripTo, end: GoalEnd) -> MotionEnd:
    """Return the end of a grip whose goal has an end.

    A gripper that stalls before it is closed holds something: some servers call that aborted. Whether it is
    the right thing, the gap says, as the gripper reports it. A Franka hand tells no gap, but whether it is as
    wide as it should be.
    """
    if end.outcome == "unknown":
        return MotionEnd("lost", "the gripper does not know any more what has become of the goal")
    if end.outcome == "rejected":
        return MotionEnd("failed", "the gripper rejected the goal", moved=False)
    if end.outcome == "canceled":
        return MotionEnd("cancelled", "the grip was cancelled")
    result = end.result
    if isinstance(gripper, CommandGripper):
        width = float(result.get("position", 0.0)) * gripper.width_per_position
        if grip.holds:
            # It got to where it was told to close, without anything in its way.
            unhindered = bool(result.get("reached_goal")) and not result.get("stalled")
            if unhindered or width <= _commanded(gripper, grip) + _EMPTY:
                return MotionEnd("failed", "the hand closed on nothing", width=width)
            return MotionEnd("done", width=width)
        if result.get("reached_goal") and end.outcome == "succeeded":
            return MotionEnd("done", width=width)
        return MotionEnd("failed", f"the hand opened {width:.3f} m and not {grip.width:.3f} m", width=width)
    if end.outcome == "succeeded" and result.get("success", False):
        return MotionEnd("done", width=grip.width)
    says = str(result.get("error", "")) or "the fingers did not get where they should"
    return MotionEnd("failed", says)


def _commanded(gripper: CommandGripper, grip: GripTo) -> float:
    """The gap that the fingers are told to close to."""
    return max(0.0, grip.width - gripper.squeeze) if grip.holds else grip.width


def gripper_actions(gripper: CommandGripper | FrankaGripper) -> list[Interface]:
    """Return the actions of a gripper."""
    if isinstance(gripper, CommandGripper):
        return [Interface(gripper.action, "control_msgs/action/GripperCommand")]
    return [
        Interface(gripper.grasp, "franka_msgs/action/Grasp"),
        Interface(gripper.move, "franka_msgs/action/Move"),
    ]
