"""Robots that plan their motions around what is believed are told where to ask for it."""

from __future__ import annotations

from foretree.bringup.embedded import open_robot
from foretree.bringup.options import Wish


class Watching:
    name, hands = "robot1", ("hand",)

    def __init__(self):
        self.beliefs = None

    def watch(self, beliefs):
        self.beliefs = beliefs

    def start(self, order, execution_id):
        raise NotImplementedError

    look = start

    def observations(self):
        return []

    def attach(self, execution_id):
        return None

    def stop(self):
        pass


def test_a_session_tells_its_robot_where_to_ask_for_the_belief():
    robot = Watching()
    session = open_robot(robot, "kitchen", Wish(goal="(on mug1 table2)"))
    assert robot.beliefs() is session.context.belief.snapshot()
    assert robot.beliefs().entity("mug1") is not None
