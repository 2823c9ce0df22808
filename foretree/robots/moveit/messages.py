"""Messages of ``moveit_msgs`` as mappings: goals, states, and changes of the planning scene."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from foretree.robots.moveit.scene.scene_objects import AttachedObject, SceneDiff
from foretree.robots.ros.link import Fields
from foretree.skills.manipulation.cuboids import Cuboid
from foretree.skills.manipulation.transforms import RigidTransform

#: Numbers of ``shape_msgs/msg/SolidPrimitive``.
_BOX, _SPHERE = 1, 2
#: Operations of ``moveit_msgs/msg/CollisionObject``; bytes, as its type is ``byte``.
ADD, REMOVE, MOVE = b"\x00", b"\x01", b"\x03"
#: A body of ``moveit_msgs/msg/ContactInformation`` that belongs to the world, or is attached to the robot.
WORLD_OBJECT, ROBOT_ATTACHED = 1, 2


def pose_fields(pose: RigidTransform) -> Fields:
    """``geometry_msgs/msg/Pose``."""
    (x, y, z), (a, b, c, w) = pose.position, pose.rotation
    return {
        "position": {"x": float(x), "y": float(y), "z": float(z)},
        "orientation": {"x": float(a), "y": float(b), "z": float(c), "w": float(w)},
    }


def at_pose(tool: RigidTransform, frame: str, link: str, near: float, turn: float) -> Fields:
    """``moveit_msgs/msg/Constraints``: a link at a pose, up to *near* (metres) and *turn* (radians)."""
    header = {"frame_id": frame}
    pose = pose_fields(tool)
    sphere = {"type": _SPHERE, "dimensions": [near]}
    point = {"position": pose["position"], "orientation": {"w": 1.0}}
    return {
        "position_constraints": [
            {
                "header": header,
                "link_name": link,
                "constraint_region": {"primitives": [sphere], "primitive_poses": [point]},
                "weight": 1.0,
            }
        ],
        "orientation_constraints": [
            {
                "header": header,
                "link_name": link,
                "orientation": pose["orientation"],
                "absolute_x_axis_tolerance": turn,
                "absolute_y_axis_tolerance": turn,
                "absolute_z_axis_tolerance": turn,
                "weight": 1.0,
            }
        ],
    }


def at_joints(joints: Mapping[str, float], near: float = 0.001) -> Fields:
    """``moveit_msgs/msg/Constraints``: joints at values (radians or metres)."""
    return {
        "joint_constraints": [
            {
                "joint_name": name,
                "position": float(value),
                "tolerance_above": near,
                "tolerance_below": near,
                "weight": 1.0,
            }
            for name, value in joints.items()
        ]
    }


def scene_fields(diff: SceneDiff, frame: str, tools: Mapping[str, Tool]) -> Fields:
    """``moveit_msgs/msg/PlanningScene`` with the changes; *tools* are by hand."""
    detached: list[Fields] = [
        {"link_name": tools[hand].link, "object": {"id": name, "operation": REMOVE}}
        for name, hand in diff.detach.items()
    ]
    attached = [_attached(name, held, tools[held.hand]) for name, held in diff.attach.items()]
    world: list[Fields] = [{"id": name, "operation": REMOVE} for name in diff.remove]
    world += [_collision_object(name, box, frame, ADD) for name, box in diff.add.items()]
    world += [
        {"id": name, "header": {"frame_id": frame}, "pose": pose_fields(box.pose), "operation": MOVE}
        for name, box in diff.move.items()
    ]
    return {
        "is_diff": True,
        "robot_state": {"is_diff": True, "attached_collision_objects": [*detached, *attached]},
        "world": {"collision_objects": world},
    }


class Tool:
    """The tool of a hand.

    Attributes:
        link: the link that it is.
        touches: links that may touch what the hand holds.
    """

    __slots__ = ("link", "touches")

    def __init__(self, link: str, touches: Sequence[str]) -> None:
        self.link = link
        self.touches = tuple(touches)


def _attached(name: str, held: AttachedObject, tool: Tool) -> Fields:
    box = _collision_object(name, Cuboid(held.pose, held.size), tool.link, ADD)
    return {"link_name": tool.link, "object": box, "touch_links": list(tool.touches)}


def _collision_object(name: str, box: Cuboid, frame: str, operation: bytes) -> Fields:
    return {
        "id": name,
        "header": {"frame_id": frame},
        "pose": pose_fields(box.pose),
        "primitives": [{"type": _BOX, "dimensions": [float(side) for side in box.size]}],
        "primitive_poses": [{"orientation": {"w": 1.0}}],
        "operation": operation,
    }


def obstacle_among(contacts: Sequence[Mapping[str, Any]]) -> str:
    """Return what of the world the robot touches, by the deepest of the contacts; empty if it is itself."""
    deepest, found = -1.0, ""
    for contact in contacts:
        depth = abs(float(contact.get("depth", 0.0)))
        for body, kind in (("contact_body_1", "body_type_1"), ("contact_body_2", "body_type_2")):
            if int(contact.get(kind, 0)) == WORLD_OBJECT and depth > deepest:
                deepest, found = depth, str(contact.get(body, ""))
    return found
