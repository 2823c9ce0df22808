"""What the tests of behaviours and revisions share: an agent's ground in the household, ticked by hand.

Plans are given, not made: which of several good plans a solver finds is no business of these tests.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml
from py_trees.common import Status

from foretree.agent.context import AgentContext
from foretree.bringup.embedded import open_household
from foretree.bringup.options import Options, Wish
from foretree.config import find_config
from foretree.planning.pddl.syntax import Formula
from foretree.planning.plan import Action, Plan
from foretree.planning.semantics.evaluation import evaluate
from foretree.planning.task.goals import parse_goal
from foretree.revision.revision import Reviser, RevisionRequest
from foretree.revision.rules.reviser import RuleReviser
from foretree.runs.events import Tape
from foretree.simulation.household import _disturbances as deeds
from foretree.simulation.household.scene import Scene
from foretree.simulation.household.scene_file import load_scene
from foretree.skills.catalogue import Catalogue
from foretree.skills.catalogue_file import load_catalogue
from foretree.skills.robot import End, LookRequest, Order, Outcome, RobotError
from foretree.trees.plan_node import PlanNode
from foretree.world_model.beliefs.entity_creation import add_entity, reclassify
from foretree.world_model.beliefs.facts import Entity, Truth
from foretree.world_model.observation import Observation

S, F, R = Status.SUCCESS, Status.FAILURE, Status.RUNNING

#: A kitchen, and a hall behind a door that stands open.
HOUSE: Mapping[str, Any] = {
    "scene": "house",
    "rooms": {"kitchen": {"from": [0, 0], "to": [6, 5]}, "hall": {"from": [6, 0], "to": [10, 5]}},
    "doors": {"door1": {"between": ["kitchen", "hall"], "at": [6, 2.5], "open": True}},
    "furniture": {
        "table1": {"class": "table", "room": "kitchen", "at": [1.5, 1.5]},
        "table2": {"class": "table", "room": "kitchen", "at": [3.5, 1.5]},
        "fridge1": {"class": "fridge", "room": "kitchen", "at": [1, 4]},
        "microwave1": {"class": "microwave", "room": "kitchen", "at": [2.2, 4]},
        "sink1": {"class": "sink", "room": "kitchen", "at": [3.4, 4]},
        "cupboard1": {"class": "cupboard", "room": "kitchen", "at": [4.6, 4]},
        "table3": {"class": "table", "room": "hall", "at": [8, 1]},
        "sofa1": {"class": "sofa", "room": "hall", "at": [8, 4]},
        "box1": {"class": "box", "room": "hall", "at": [9.3, 2.5]},
    },
    "items": {
        "mango1": {"class": "mango", "on": "table1"},
        "mug1": {"class": "mug", "on": "table1"},
        "knife1": {"class": "knife", "on": "table1", "states": ["clean"]},
        "apple1": {"class": "apple", "on": "table3"},
        "pillow1": {"class": "pillow", "on": "table1"},
        "pillow2": {"class": "pillow", "on": "table3"},
    },
    "people": {"person1": {"room": "kitchen", "at": [5.3, 0.6]}},
    "robot": {"name": "robot1", "hands": ["left", "right"], "at": "kitchen"},
}


@cache
def catalogue() -> Catalogue:
    """What the household robot can do; read once."""
    return load_catalogue()


def house(**changes: Any) -> Scene:
    """The scene above; ``items`` are added (None takes one away), other keys are replaced."""
    data = {**HOUSE, **changes}
    items = {**HOUSE["items"], **changes.get("items", {})}
    data["items"] = {name: item for name, item in items.items() if item is not None}
    with TemporaryDirectory() as folder:
        path = Path(folder) / "house.yaml"
        path.write_text(yaml.safe_dump(data, sort_keys=False))
        return load_scene(path, catalogue().ontology)


@cache
def shipped(name: str) -> Scene:
    """A scene that comes with Foretree."""
    return load_scene(find_config("scenes", name), catalogue().ontology)


class AtHome:
    """An agent's context in a household world, and a clock that its user moves tick by tick.

    Attributes:
        context: the shared ground of the nodes under test.
        world: the world, with its truth.
        tape: the record.
    """

    def __init__(
        self,
        scene: Scene | None = None,
        faults: Iterable[str] = (),
        revisers: Iterable[Reviser] | None = None,
        goal: str = "",
        **settings: Any,
    ) -> None:
        self.tape = Tape()
        session, self.world = open_household(
            scene or house(),
            Wish(goal=goal) if goal else Wish("stand by"),
            Options(faults=tuple(faults)),
            recorder=self.tape,
            catalogue=catalogue(),
        )
        self.mission = session.mission
        self.context: AgentContext = session.context
        self.context.settings = replace(self.context.settings, **settings)
        self.context.self_syncing = True
        self.context.revisers = tuple(revisers) if revisers is not None else (RuleReviser(),)
        self.clock = self.context.clock

    # -- saying things -------------------------------------------------------------------------------
    def goal(self, text: str) -> Formula:
        types = {name: entity.best_class for name, entity in self.context.belief.entities().items()}
        return parse_goal(text, self.context.catalogue.domain, types).formula

    def action(self, words: str) -> Action:
        skill, *arguments = words.split()
        action = Action(self.context.action_id(), skill, tuple(arguments))
        return replace(action, cost=self.context.task.ground(action).cost)

    def plan(self, goal: str, *steps: str) -> Plan:
        """A plan for *goal* from lines like ``pick robot1 left mug1 table1``; ids a1, a2 ..."""
        self.context.task.refresh(self.context.belief.snapshot())
        actions = tuple(self.action(step) for step in steps)
        classes = {
            name: entity.best_class
            for action in actions
            for name in action.arguments
            if (entity := self.context.belief.entity(name)) is not None and not entity.fixed
        }
        return Plan(self.goal(goal), actions, classes=classes)

    def node(self, goal: str, *steps: str) -> PlanNode:
        """A plan node that carries out these steps."""
        return PlanNode(self.context, self.plan(goal, *steps))

    def situation(
        self, goal: str, *steps: str, running: Iterable[Action] = (), **more: Any
    ) -> RevisionRequest:
        """What a reviser gets to see of a plan of these steps."""
        plan = self.plan(goal, *steps)
        return RevisionRequest(
            discrepancies=more.get("discrepancies", ()),
            remaining=plan.actions,
            running=tuple(running),
            beliefs=self.context.belief.snapshot(),
            goal=plan.goal,
            classes=more.get("classes", plan.classes),
            task=self.context.task,
        )

    def believe(self, *words: str, truth: bool | Truth = True, **more: Any) -> None:
        """Tell the belief ``on mug1 table2``; a leading ``not`` negates."""
        for line in words:
            atom = tuple(line.removeprefix("not ").split())
            value = truth if not line.startswith("not ") else False
            more.setdefault("time", self.clock.now())
            self.context.belief.tell(atom, value, **more)
        self.context.task.refresh(self.context.belief.snapshot())

    def forget(self, *words: str) -> None:
        for line in words:
            self.believe(line, truth=Truth.UNKNOWN, confidence=0.0)

    def take_for(self, name: str, class_name: str, **other: float) -> None:
        """Have the agent believe that *name* is of another class than it is."""
        belief, ontology = self.context.belief, self.context.catalogue.ontology
        before = belief.entity(name)
        assert before is not None
        entity = replace(before, classes={class_name: 0.6, **other})
        reclassify(belief, ontology, before.best_class, entity, time=self.clock.now(), source="told")
        self.context.task.refresh(belief.snapshot())

    def imagine(self, name: str, class_name: str, place: str) -> None:
        """Have the agent believe in an item that may not exist; *place* reads ``on table1``."""
        belief = self.context.belief
        relation, support = place.split()
        at = belief.entity(support)
        assert at is not None
        entity = Entity(name, {class_name: 0.95}, at.pose, self.clock.now())
        add_entity(belief, self.context.catalogue.ontology, entity, time=self.clock.now(), source="told")
        self.believe(f"{relation} {name} {support}", confidence=0.95)

    def do(self, deed: str) -> None:
        """Let somebody else do something: ``move mug1 table2``."""
        self.world.apply(deeds.parse_disturbance(deed.split(), self.world.scene))

    # -- going on ------------------------------------------------------------------------------------
    def wait(self, seconds: float = 0.1) -> None:
        self.clock.sleep_until(self.clock.now() + seconds)

    def tick(self, node: Any, times: int = 1) -> Status:
        for _ in range(times):
            self.tape.mark(self.tape._tick + 1, self.clock.now())
            node.tick_once()
            if node.status is not R:
                break
            self.wait()
        return node.status

    def run(self, node: Any, ticks: int = 1500) -> Status:
        return self.tick(node, ticks)

    def until(self, node: Any, kind: str, ticks: int = 1500) -> None:
        """Tick until something of that kind is on record."""
        before = len(self.tape.of(kind))
        for _ in range(ticks):
            if self.tick(node) is not R or len(self.tape.of(kind)) > before:
                break
        assert len(self.tape.of(kind)) > before, f"no {kind}"

    # -- what came of it -----------------------------------------------------------------------------
    def holds(self, goal: str) -> bool:
        """Whether it is so in the world."""
        return self.world.holds(self.goal(goal))

    def believes(self, goal: str) -> bool:
        objects = self.context.task.objects
        return evaluate(self.goal(goal), self.context.belief.truth, objects) is Truth.TRUE

    def told(self, outcome: str | None = "done") -> list[str]:
        """The actions that ended in a way, in order: ``pick mug1 table1`` (without the robot's parts)."""
        what = {e.data["action"]["id"]: e.data["action"] for e in self.tape.of("action.intent")}
        parts = {self.context.robot.name, *self.context.robot.hands}
        return [
            " ".join([what[i]["skill"], *(a for a in what[i]["arguments"] if a not in parts)])
            for e in self.tape.of("action.ended")
            if (outcome is None or e.data["outcome"] == outcome) and (i := e.data["action"]) in what
        ]

    def found(self) -> list[tuple[str, str]]:
        """The discrepancies: guard and sentence."""
        return [(e.data["guard"], e.data["sentence"]) for e in self.tape.of("discrepancy.found")]

    def looks(self) -> list[str]:
        """Why it looked."""
        return [e.data["why"] for e in self.tape.of("look.started")]

    def revisions(self) -> list[str]:
        return [e.data["why"] for e in self.tape.of("revision.made")]


class Puppet:
    """A robot whose executions end when the test says so; ``log`` has what it was told, in order."""

    def __init__(self, name: str = "robot1", hands: tuple[str, ...] = ("left", "right")) -> None:
        self.name = name
        self.hands = hands
        self.log: list[str] = []
        self.orders: list[Order] = []
        self.executions: dict[str, Strung] = {}
        self.seen: list[Observation] = []
        self.refusal = ""

    @property
    def last(self) -> Strung:
        """What it was told last."""
        return list(self.executions.values())[-1]

    def start(self, order: Order, execution_id: str) -> Strung:
        if self.refusal:
            raise RobotError(self.refusal)
        self.log.append(f"start {order.skill}")
        self.orders.append(order)
        return self._begin(execution_id)

    def look(self, request: LookRequest, execution_id: str) -> Strung:
        self.log.append("look")
        return self._begin(execution_id)

    def _begin(self, execution_id: str) -> Strung:
        execution = self.executions[execution_id] = Strung(execution_id)
        return execution

    def observations(self) -> list[Observation]:
        seen, self.seen = self.seen, []
        return seen

    def attach(self, execution_id: str) -> Strung | None:
        return self.executions.get(execution_id)

    def stop(self) -> None:
        self.log.append("stop")


class Strung:
    """An execution on a puppet's string."""

    def __init__(self, execution_id: str) -> None:
        self.id = execution_id
        self.end: End | None = None
        self.cancels = 0

    def poll(self) -> End | None:
        return self.end

    def cancel(self) -> None:
        self.cancels += 1

    def ends(self, outcome: str = "done", reason: str = "") -> None:
        self.end = End(Outcome(outcome), reason)


def with_puppet(home: AtHome, **settings: Any) -> tuple[AgentContext, Puppet]:
    """The same beliefs and record, with a puppet for a robot."""
    puppet = Puppet()
    context = AgentContext(
        puppet,
        home.context.catalogue,
        home.context.belief,
        home.context.places,
        home.clock,
        home.tape,
        replace(home.context.settings, **settings),
        home.context.revisers,
    )
    home.context = context
    return context, puppet
