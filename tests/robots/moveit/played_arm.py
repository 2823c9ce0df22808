"""An arm that a test plays, a kitchen for it, and the robot that has it."""

from __future__ import annotations

from math import pi

from fake_link import PlayedLink

from foretree.clock import SimulatedClock
from foretree.robots.moveit.arm import GripTo, MotionEnd
from foretree.robots.moveit.error_codes import MotionProblem
from foretree.robots.moveit.executor import MoveItExecutor
from foretree.robots.ros.exchange import RosExchange
from foretree.robots.ros.robot_file import RobotFile, SkillMapping
from foretree.skills.robot import Order, Target
from foretree.world_model.beliefs.belief import Belief
from foretree.world_model.beliefs.facts import Entity, PredicateInfo, Vocabulary

REFUSED = MotionEnd("failed", "no path was found", MotionProblem.NO_PATH, moved=False)
UNREACHABLE = MotionEnd("failed", "no posture", MotionProblem.OUT_OF_REACH, moved=False)
ABORTED = MotionEnd("failed", "the controller did not follow", MotionProblem.NOT_FOLLOWED)

SETTINGS = {
    "base_at": [0.0, 0.0, 0.8],
    "arms": {
        "hand": {
            "group": "arm",
            "tool": "hand_tcp",
            "touches": ["hand", "left_finger", "right_finger"],
            "hand": {"max_opening": 0.08, "finger_length": 0.045, "fingertip": 0.008},
            "gripper": {"action": "gripper/command"},
            "reach": 0.9,
        }
    },
    "sizes": {"mug": [0.06, 0.05, 0.1], "jug": [0.07, 0.07, 0.2], "anvil": [0.3, 0.3, 0.2]},
    "furniture": [
        {
            "place": [0.9, 1.0],
            "handle": [0.6, 0.8, 0.9],
            "into": [1, 0, 0],
            "across": [0, 1, 0],
            "grip": 0.02,
            "hinge": {"point": [0.6, 1.2, 0.9], "angle": -pi / 2},
        }
    ],
    "interiors": [{"place": [0.9, 1.0], "low": [0.7, 0.7, 0.85], "high": [1.1, 1.3, 1.2]}],
}

TABLE = (0.3, -0.6, 0.0, 1.2, 0.6, 0.8)
AT = {"mug1": (0.6, 0.0, 0.85), "mug2": (0.6, 0.3, 0.85), "jug1": (0.6, -0.3, 0.9)}
KINDS = {"mug1": "mug", "mug2": "mug", "jug1": "jug"}


class PlayedMotion:
    def __init__(self, arm, request):
        self.arm, self.request = arm, request
        self.end = None
        self.cancelled = 0

    def poll(self):
        return self.end

    def cancel(self):
        self.cancelled += 1
        if self.end is None and self.arm.obeys:
            self.end = MotionEnd("cancelled", "it was cancelled")


class PlayedArm:
    """Does what it is told, unless an answer was prepared for the request of that number or kind."""

    def __init__(self):
        self.requests = []
        self.answers = {}
        self.stays_at = None
        self.obeys = True
        self.in_hand = None
        self.last = None

    def begin(self, request):
        self.requests.append(request)
        self.last = motion = PlayedMotion(self, request)
        number = len(self.requests) - 1
        if number == self.stays_at:
            return motion
        motion.end = (
            self.answers.get(number) or self.answers.get(type(request).__name__) or self.usual(request)
        )
        return motion

    def usual(self, request):
        if isinstance(request, GripTo):
            return MotionEnd("done", width=request.width if self.in_hand is None else self.in_hand)
        return MotionEnd("done")

    def kinds(self):
        return [type(request).__name__ for request in self.requests]


class Kitchen:
    """A belief of a table with things on it, and the executor of an arm that stands before it."""

    def __init__(self, arm=None, link=None, clock=None, **settings):
        places = PredicateInfo(kind="place", observable=True, default=None, group="rests")
        self.belief = Belief(
            Vocabulary(
                {"on": places, "in": places, "holding": PredicateInfo("robot", group="rests", subject=3)}
            )
        )
        self.put("table1", "table", (0.75, 0.0, 0.4), TABLE)
        for name, at in AT.items():
            self.put(name, KINDS[name], at)
            self.belief.tell(("on", name, "table1"), confidence=0.95, source="look")
        self.arm = arm or PlayedArm()
        self.clock = clock or SimulatedClock()
        self.link = link or PlayedLink()
        self.exchange = RosExchange(self.link, self.clock)
        entry = SkillMapping(executor="a:B")
        file = RobotFile(robot="arm", hands=("hand",), skills={"*": entry})
        arms = {"hand": self.arm} if link is None else None
        self.executor = MoveItExecutor(self.exchange, file, arms_by_hand=arms, **{**SETTINGS, **settings})
        self.executor.watch(self.belief.snapshot)
        self.state = self.executor.hands["hand"]
        self._orders = 0

    def put(self, name, kind, at, extent=None):
        self.belief.put_entity(Entity(name, {kind: 0.9}, at, fixed=extent is not None, extent=extent))

    def target(self, name):
        entity = self.belief.entity(name)
        return Target(entity.classes, entity.pose, extent=entity.extent)

    def order(self, skill, parameters=None, **targets):
        told = {role: self.target(one) if isinstance(one, str) else one for role, one in targets.items()}
        self._orders += 1
        order = Order(skill, told, "hand", parameters or {})
        return self.executor.begin(order, f"x-{self._orders}")

    def pick(self, name="mug1"):
        self.arm.in_hand = 0.05 if name.startswith("mug") else 0.07
        return self.order("pick", item=name, place="table1")

    def holding(self, name="mug1"):
        """Have the hand hold a thing; returns the kitchen, its arm having done nothing so far."""
        assert self.pick(name).poll().outcome.value == "done"
        self.arm.requests.clear()
        self.arm.in_hand = None
        return self
