"""What the tests of sessions share: a world of three steps that needs no planner, and trees that misbehave."""

from __future__ import annotations

from dataclasses import replace

from py_trees.behaviour import Behaviour
from py_trees.composites import Sequence
from toolbox import R, S, lits, plan_of

from foretree.agent.context import AgentContext
from foretree.agent.mission import Mission
from foretree.agent.settings import Settings
from foretree.clock import SimulatedClock
from foretree.planning.pddl.parser import parse_domain, parse_problem
from foretree.runs.events import Tape
from foretree.simulation.pddl_world.world import PddlWorld
from foretree.skills.catalogue import Catalogue
from foretree.trees.plan_node import PlanNode
from foretree.trees.session import Session
from foretree.world_model.beliefs.belief import Belief
from foretree.world_model.beliefs.facts import Vocabulary
from foretree.world_model.maps.places import PlaceGraph

STEPS = """
(define (domain steps)
  (:predicates (one) (two) (three))
  (:action first :parameters () :precondition (and) :effect (one))
  (:action second :parameters () :precondition (one) :effect (two))
  (:action third :parameters () :precondition (two) :effect (three)))
"""
TASK = "(define (problem go) (:domain steps) (:init) (:goal (three)))"


class Rude(Behaviour):
    """A leaf that raises in one of its methods, and runs until told otherwise."""

    def __init__(self, name: str = "rude", where: str = "", after: int = 0) -> None:
        super().__init__(name)
        self.where = where
        self.after = after
        self.calls: list[str] = []

    def _maybe(self, where: str) -> None:
        self.calls.append(where)
        if where == self.where and self.calls.count(where) > self.after:
            raise ZeroDivisionError(f"in {where}")

    def setup(self, **kwargs):
        self._maybe("setup")

    def initialise(self):
        self._maybe("initialise")

    def update(self):
        self._maybe("update")
        return R

    def terminate(self, new_status):
        self._maybe("terminate")

    def shutdown(self):
        self._maybe("shutdown")


class Callback(Behaviour):
    """A leaf that calls something at every update, and succeeds when that returns True."""

    def __init__(self, call, name: str = "callback") -> None:
        super().__init__(name)
        self._call = call

    def update(self):
        return S if self._call() else R


class Steps:
    """A session of three steps in a PDDL world; its parts are attributes."""

    def __init__(
        self,
        *around,
        recorder=None,
        clock=None,
        robot=None,
        faults=(),
        skills=None,
        observable=False,
        **settings,
    ):
        self.clock = clock or SimulatedClock()
        self.recorder = recorder or Tape()
        domain = parse_domain(STEPS, "steps")
        task = parse_problem(TASK, domain, "task")
        self.world = PddlWorld(task, self.clock, faults)
        catalogue = Catalogue.from_domain(domain)
        known = catalogue.vocabulary.predicates.items()
        vocabulary = Vocabulary({name: replace(info, observable=observable) for name, info in known})
        catalogue = replace(catalogue, vocabulary=vocabulary)
        self.context = AgentContext(
            robot or self.world.robot,
            catalogue,
            Belief(catalogue.vocabulary),
            PlaceGraph(),
            self.clock,
            self.recorder,
            Settings(**settings),
        )
        self.plan = PlanNode(self.context, plan_of(skills or "first second third", "three"))
        root = Sequence("root", memory=True, children=[*around, self.plan]) if around else self.plan
        self.mission = Mission("go", lits("three"))
        self.session = Session(self.context, root, self.mission, {"instruction": "go"})


def running(session) -> list[str]:
    """The names of the nodes that are RUNNING."""
    return [node.name for node in session.tree.root.iterate() if node.status is R]


def until(session, tape, kind, number=1):
    """Step until so many events of a kind are recorded, which has to be before the end."""
    while len(tape.of(kind)) < number and session.result is None:
        session.step()
    assert session.result is None, session.result


def finished(session):
    """Step to the end, and return the result."""
    while session.result is None:
        session.step()
    return session.result
