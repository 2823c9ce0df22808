"""A workshop whose planners answer what the name of a task says, for suites that plan nothing."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field

from foretree.planning.pddl.parser import parse_domain
from foretree.planning.pddl.syntax import Formula
from foretree.regression.planning.measured_planning import Planned
from foretree.regression.planning.suite import TaskVocabulary
from foretree.simulation.household.plan_execution import WorldStep
from foretree.world_model.beliefs.facts import PredicateInfo, Vocabulary
from foretree.world_model.ontology import ObjectClass, Ontology

DOMAIN = parse_domain(
    "(define (domain little) (:requirements :typing)"
    " (:types asset item - object table fridge - asset mango cup - item)"
    " (:predicates (on ?i - item ?p - asset) (in ?i - item ?p - asset) (hot ?i - item)))"
)
CLASSES = Ontology(
    {
        "table": ObjectClass("table", "asset", ("surface",)),
        "fridge": ObjectClass("fridge", "asset", ("container", "openable")),
        "mango": ObjectClass("mango", "item"),
        "cup": ObjectClass("cup", "item", ("fillable",)),
    },
    Vocabulary({"hot": PredicateInfo(), "open": PredicateInfo()}),
)


def ground(scene: str) -> TaskVocabulary:
    return TaskVocabulary(CLASSES, DOMAIN, {"table1": "table", "table2": "table", "fridge1": "fridge"})


LITTLE = """\
suite: little
kind: planning
says: Little to do.
scene: nowhere
seeds: 3
closed: 0.5
settings:
  dual: {says: two hands, hands: 2}
  single: {hands: 1}
  dual-doors: {hands: 2, doors: true}
variants:
  full: {says: all of it}
  without-expansion: {without: expansion, seeds: 1}
  without-incremental-map: {without: incremental-map, seconds: 5}
places:
  tables: [table1, table2]
tasks:
  mango-cooled:
    level: simple
    instruction: Put the mango into the fridge.
    otherwise: The mango has to be kept cool.
    items:
      mango1: {class: mango, on: tables}
    assets: {fridge1: [open]}
    goal: (in mango1 fridge1)
  refused:
    level: moderate
    instruction: Bring the cup to table 2.
    items:
      cup1: {class: cup, on: table1, states: [hot]}
    goal: (on cup1 table2)
    success: (and (hot cup1) (on cup1 table2))
"""


def step(does: str, to: str = "") -> WorldStep:
    return WorldStep(does, {"to": to} if to else {})


#: Three ways, between the last two of which is a door, and two manipulations: six actions, five moves.
PLAN = (
    step("move", "hall"),
    step("move", "table1"),
    step("pick"),
    step("move", "hall"),
    step("open_door"),
    step("move", "kitchen"),
    step("move", "fridge1"),
    step("place_in"),
)


@dataclass
class PretendedWorld:
    """It refuses what a task called ``refused`` does."""

    task: str
    setting: str
    happened: list[object] = field(default_factory=list)

    def carry_out(self, steps):
        self.happened.append(len(steps))
        return "pick: hand-free" if self.task == "refused" else ""

    def disturb(self, rng, doors) -> None:
        self.happened.append((rng.random(), doors))

    def holds(self, goal: Formula) -> bool:
        return self.task != "pointless"


@dataclass
class PretendedPlanner:
    """Needs one action more with one hand, and is asked for nothing twice."""

    task: str
    hands: int
    doors: bool
    without: str
    asked: int = 0

    def plan(self, world, limit, prove=True):
        self.asked += 1
        if self.task == "crashes":
            raise ZeroDivisionError("somebody has divided by nothing")
        if self.task == "vanishes":
            os._exit(3)
        if self.task == "sleeps":
            time.sleep(600)
        if self.task == "impossible":
            return Planned(False, why="there is no way to the fridge")
        steps = PLAN if self.hands == 2 else (*PLAN, step("close"))
        proved = prove and self.task != "hard"
        parts = {"retrieve": 0.01, "map": 0.002 if self.asked > 1 and not self.without else 0.02}
        return Planned(
            True,
            steps,
            cost=100 * (3 - self.hands) + 10 * self.doors,
            first_cost=300,
            lower_bound=100,
            proved=proved,
            first=0.1,
            proof=0.5,
            search=0.3,
            parts=parts,
            asked={"goal": 1, "grounding": 2},
            why="" if proved else "the time was up",
        )


class PretendedFactory:
    """Makes the above. It remembers what it made, for tests that look."""

    def __init__(self) -> None:
        self.worlds: list[PretendedWorld] = []
        self.starts = []

    def nodes(self, suite):
        return ("hall", "kitchen", "office")

    def doors(self, suite):
        return tuple(f"door{number}" for number in range(20))

    def open(self, suite, start):
        task = next(n for n, t in suite.tasks.items() if set(t.props) == set(start.items))
        self.starts.append(start)
        self.worlds.append(PretendedWorld(task, ""))
        return self.worlds[-1]

    def planner(self, suite, trial):
        setting = suite.settings[trial.setting]
        without = suite.variants[trial.variant].without
        return PretendedPlanner(suite.tasks[trial.task].name, setting.hands, setting.doors, without)
