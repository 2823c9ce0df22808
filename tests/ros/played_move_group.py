"""A move_group and a gripper for tests: the real messages, and no planning at all.

What it does is a parameter each: a box named ``wall`` in the planning scene is in the way of every pose goal,
and a goal beyond two metres is out of reach. Whatever it is shown, it keeps.
"""

from __future__ import annotations

import threading
import time

from control_msgs.action import GripperCommand
from moveit_msgs.action import ExecuteTrajectory, MoveGroup
from moveit_msgs.msg import CollisionObject, ContactInformation, MoveItErrorCodes
from moveit_msgs.srv import ApplyPlanningScene, GetCartesianPath, GetPositionIK, GetStateValidity
from rclpy.action import ActionServer, CancelResponse
from rclpy.callback_groups import ReentrantCallbackGroup
from trajectory_msgs.msg import JointTrajectoryPoint


class PlayedMoveGroup:
    def __init__(self, node):
        group = ReentrantCallbackGroup()
        self.node = node
        self.world, self.held, self.tools, self.executed = {}, {}, [], []
        self.gap, self.thing = 0.08, None
        self.slow, self.executing = threading.Event(), threading.Event()

        def action(type_, name, execute):
            return ActionServer(
                node,
                type_,
                name,
                execute,
                callback_group=group,
                cancel_callback=lambda _: CancelResponse.ACCEPT,
            )

        self.actions = [
            action(MoveGroup, "move_action", self.plan),
            action(ExecuteTrajectory, "execute_trajectory", self.execute),
            action(GripperCommand, "gripper/command", self.grip),
        ]
        for type_, name, call in (
            (GetCartesianPath, "compute_cartesian_path", self.straight),
            (GetPositionIK, "compute_ik", self.ik),
            (GetStateValidity, "check_state_validity", self.validity),
            (ApplyPlanningScene, "apply_planning_scene", self.show),
        ):
            node.create_service(type_, name, call, callback_group=group)

    def plan(self, handle):
        request = handle.request.request
        result = MoveGroup.Result()
        position = request.goal_constraints[0].position_constraints[0]
        at = position.constraint_region.primitive_poses[0].position
        self.tools.append(
            (request.group_name, position.link_name, position.header.frame_id, at.x, at.y, at.z)
        )
        far = at.x * at.x + at.y * at.y > 4.0
        blocked = "wall" in self.world
        result.error_code.val = (
            MoveItErrorCodes.PLANNING_FAILED if far or blocked else MoveItErrorCodes.SUCCESS
        )
        result.planned_trajectory.joint_trajectory.joint_names = ["a", "b"]
        point = JointTrajectoryPoint(positions=[at.x, at.y])
        point.time_from_start.sec = 1
        result.planned_trajectory.joint_trajectory.points = [point]
        handle.abort() if far or blocked else handle.succeed()
        return result

    def execute(self, handle):
        result = ExecuteTrajectory.Result()
        self.executing.set()
        while self.slow.is_set():
            if handle.is_cancel_requested:
                result.error_code.val = MoveItErrorCodes.PREEMPTED
                handle.canceled()
                return result
            time.sleep(0.001)
        trajectory = handle.request.trajectory.joint_trajectory
        self.executed.append((list(trajectory.joint_names), [list(p.positions) for p in trajectory.points]))
        result.error_code.val = MoveItErrorCodes.SUCCESS
        handle.succeed()
        return result

    def grip(self, handle):
        wanted = handle.request.command.position
        self.gap = wanted if self.thing is None else max(wanted, self.thing)
        handle.succeed()
        return GripperCommand.Result(
            position=self.gap, reached_goal=self.gap == wanted, stalled=self.gap != wanted
        )

    def straight(self, request, response):
        assert request.max_step > 0
        response.error_code.val = MoveItErrorCodes.SUCCESS
        response.fraction = 1.0
        response.solution.joint_trajectory.joint_names = ["a", "b"]
        response.solution.joint_trajectory.points = [
            JointTrajectoryPoint(positions=[way.position.x, way.position.z]) for way in request.waypoints
        ]
        return response

    def ik(self, request, response):
        at = request.ik_request.pose_stamped.pose.position
        far = at.x * at.x + at.y * at.y > 4.0
        response.error_code.val = MoveItErrorCodes.NO_IK_SOLUTION if far else MoveItErrorCodes.SUCCESS
        response.solution.joint_state.name = ["a"]
        response.solution.joint_state.position = [0.5]
        return response

    def validity(self, request, response):
        response.valid = False
        assert list(request.robot_state.joint_state.name) == ["a"]
        response.contacts = [
            ContactInformation(
                contact_body_1="link5", body_type_1=0, contact_body_2="wall", body_type_2=1, depth=0.01
            )
        ]
        return response

    def show(self, request, response):
        assert request.scene.is_diff
        for attached in request.scene.robot_state.attached_collision_objects:
            thing = attached.object
            if thing.operation == CollisionObject.REMOVE:
                self.world[thing.id] = self.held.pop(thing.id)
            else:
                self.world.pop(thing.id, None)
                self.held[thing.id] = (attached.link_name, list(attached.touch_links))
        for thing in request.scene.world.collision_objects:
            if thing.operation == CollisionObject.REMOVE:
                del self.world[thing.id]
            elif thing.operation == CollisionObject.MOVE:
                assert not thing.primitives
                self.world[thing.id] = thing
            else:
                assert len(thing.primitives) == len(thing.primitive_poses) == 1
                self.world[thing.id] = thing
        response.success = True
        return response
