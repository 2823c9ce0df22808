"""A link to a simulation in the same process: the node without ROS.

What is sent is dealt with at once, but what comes of it arrives bit by bit, and a response before the messages
that were published with it.
"""

from __future__ import annotations

from functools import partial
from uuid import UUID

from foretree.clock import SimulatedClock
from foretree.errors import ForetreeError
from foretree.robots.ros.link import (
    Answered,
    CancelAnswer,
    CancelAnswered,
    GoalStatus,
    Heard,
    Responded,
    Resulted,
)
from foretree.robots.simulated.client import connected_topic, observations_topic
from foretree.robots.simulated.host import SimulationHost
from foretree.robots.simulated.messages import end_fields, look_of, observation_fields, order_of
from foretree.simulation.household.world import HouseholdWorld
from foretree.skills.robot import End, Outcome


class HostedLink:
    """Implements RosLink on a household; :meth:`die` ends it, :meth:`restart` puts a new one in its place."""

    def __init__(self, scene, faults=None, seed=0):
        self.scene, self.faults, self.seed = scene, faults, seed
        self.lives = 0
        self.calls = []
        self._arrived: list = []
        self._listened: set[str] = set()
        self.restart()

    def restart(self):
        self.lives += 1
        clock = SimulatedClock()
        self.world = HouseholdWorld(self.scene, clock, self.faults, self.seed)
        self.host = SimulationHost([self.world, *self.world.teammates], clock)
        self.goals: dict[UUID, object] = {}
        self.ends: dict[UUID, End] = {}
        self._asked: set[UUID] = set()
        self._ended: list[UUID] = []
        self._published = 0
        self._messages: list = []
        self._unreachable: set[str] = set()
        self.alive = True

    def die(self):
        self.alive = False
        self._arrived.clear()

    # -- what every link offers --------------------------------------------------------------------------
    def check(self, interface, fields, answer=False):
        return ""

    def servers(self, interface):
        return frozenset([f"life {self.lives}"] if self.alive else [])

    def send_goal(self, action, goal_id, goal):
        robot, skill = action.name.split("/")
        if not self.alive:
            return
        accepted = goal_id not in self.goals
        self._arrived.append(Answered(goal_id, accepted))
        if not accepted:
            return
        self.goals[goal_id] = None
        ended = partial(self._end, goal_id)
        try:
            wanted = look_of(goal) if skill == "look" else order_of(goal)
            self.goals[goal_id] = self.host.begin(robot, wanted, goal["execution"], ended)
        except ForetreeError as error:
            ended(End(Outcome.FAILED, str(error)))

    def ask_result(self, action, goal_id):
        if not self.alive:
            return
        if goal_id not in self.goals:
            self._arrived.append(Resulted(goal_id, GoalStatus.UNKNOWN, {}))
        self._asked.add(goal_id)
        self._report(goal_id)

    def cancel_goal(self, action, goal_id):
        if not self.alive:
            return
        goal = self.goals.get(goal_id)
        answer = CancelAnswer.UNKNOWN_GOAL_ID
        if goal is not None and goal_id not in self.ends:
            answer = CancelAnswer.ACCEPTED
            goal.execution.cancel()
        self._arrived.append(CancelAnswered(goal_id, answer))

    def cancel_all(self, action):
        raise AssertionError("a simulation is stopped by its service")

    def call(self, service, call_id, request):
        self.calls.append((service.name, request))
        if not self.alive:
            return
        response = Responded(call_id, self._respond(service.name, request))
        self._arrived += [response, *self._messages]
        self._messages.clear()

    def publish(self, topic, message):
        raise AssertionError("nothing is published")

    def listen(self, topic):
        self._listened.add(topic.name)

    def arrivals(self):
        half = -(-len(self._arrived) // 2)
        arrived, self._arrived = self._arrived[:half], self._arrived[half:]
        return arrived

    # -- the node ----------------------------------------------------------------------------------------
    def _respond(self, service, request):
        if service == "list_robots":
            return {
                "robots": [
                    {"name": name, "hands": list(world.robot.hands), "skills": list(world.skills)}
                    for name, world in self.host.worlds.items()
                ]
            }
        if service == "advance":
            return self._advance(request["time"], request["look"])
        self.host.stop(service.split("/")[0])
        return {"success": True, "message": ""}

    def _advance(self, time, look):
        if time >= 0:
            seen = self.host.advance(time, look)
            unreachable = set(self.host.unreachable())
            for name in unreachable ^ self._unreachable:
                self._tell(connected_topic(name), {"data": name not in unreachable})
            self._unreachable = unreachable
            for robot, observation in seen:
                self._tell(observations_topic(robot), observation_fields(observation))
        ended, self._ended = self._ended, []
        return {
            "time": self.host.now,
            "published": self._published,
            "ended": [str(each) for each in ended],
            "listeners": len([name for name in self._listened if name.endswith("/observations")]),
        }

    def _tell(self, topic, fields):
        self._published += 1
        self._messages.append(Heard(topic, fields))

    def _end(self, goal_id, end):
        self.ends[goal_id] = end
        self._ended.append(goal_id)
        self._report(goal_id)

    def _report(self, goal_id):
        if goal_id in self._asked and goal_id in self.ends:
            self._asked.discard(goal_id)
            status = {Outcome.DONE: GoalStatus.SUCCEEDED, Outcome.CANCELLED: GoalStatus.CANCELED}
            end = self.ends[goal_id]
            result = Resulted(goal_id, status.get(end.outcome, GoalStatus.ABORTED), end_fields(end))
            self._arrived.append(result)
