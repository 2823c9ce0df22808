"""A gripper's action server that does what each goal says: for tests that want a server in any mood.

The goal's position says what it does, its effort how many seconds that takes. Every beginning and end of a
goal is a line on standard output.
"""

from __future__ import annotations

import os
import sys
import time
import uuid
from contextlib import suppress

import rclpy
from control_msgs.action import GripperCommand
from rclpy.action import ActionServer, CancelResponse, GoalResponse
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.executors import ExternalShutdownException, MultiThreadedExecutor

DO, REJECT, ABORT, ACCEPT_LATE, REFUSE_CANCEL, DIE, DIE_UNANSWERED = map(float, range(7))


class MoodyGripper:
    def __init__(self, node, name):
        self.server = ActionServer(
            node,
            GripperCommand,
            name,
            self.execute,
            callback_group=ReentrantCallbackGroup(),
            goal_callback=self.answer,
            cancel_callback=self.answer_cancel,
        )

    def answer(self, goal):
        mood = goal.command.position
        if mood == ACCEPT_LATE:
            time.sleep(goal.command.max_effort)
        if mood == DIE_UNANSWERED:
            os._exit(9)
        return GoalResponse.REJECT if mood == REJECT else GoalResponse.ACCEPT

    def answer_cancel(self, handle):
        refused = handle.request.command.position == REFUSE_CANCEL
        return CancelResponse.REJECT if refused else CancelResponse.ACCEPT

    def execute(self, handle):
        mood = handle.request.command.position
        known = uuid.UUID(bytes=bytes(handle.goal_id.uuid))
        say("begin", known)
        end = time.monotonic() + (0.0 if mood == ACCEPT_LATE else handle.request.command.max_effort)
        while time.monotonic() < end:
            if handle.is_cancel_requested:
                handle.canceled()
                say("canceled", known)
                return GripperCommand.Result()
            time.sleep(0.001)
        if mood == DIE:
            os._exit(9)
        handle.abort() if mood == ABORT else handle.succeed()
        say("aborted" if mood == ABORT else "succeeded", known)
        return GripperCommand.Result(reached_goal=mood != ABORT)


def say(what, known):
    print(what, known, f"{time.monotonic():.6f}", flush=True)


def main(name):
    rclpy.init()
    node = rclpy.create_node(f"moody_{name.replace('/', '_')}")
    gripper = MoodyGripper(node, name)
    executor = MultiThreadedExecutor(num_threads=4)
    executor.add_node(node)
    print("ready", flush=True)
    with suppress(KeyboardInterrupt, ExternalShutdownException):
        executor.spin()
    del gripper


if __name__ == "__main__":
    main(sys.argv[1])
