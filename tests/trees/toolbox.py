"""What the tests of trees share: small domains, leaves with a script, a context without surprises."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from foretree.agent.context import AgentContext
from foretree.agent.settings import Settings
from foretree.clock import SimulatedClock
from foretree.planning.pddl.parser import parse_domain
from foretree.planning.pddl.syntax import And, Domain, Formula, Literal
from foretree.planning.plan import Action, Plan
from foretree.runs.events import Tape
from foretree.skills.catalogue import Catalogue
from foretree.skills.robot import End, Outcome, RobotError
from foretree.trees.compiler import ActionNodes
from foretree.world_model.beliefs.belief import Belief
from foretree.world_model.beliefs.facts import Vocabulary
from foretree.world_model.maps.places import PlaceGraph

S, F, R = Status.SUCCESS, Status.FAILURE, Status.RUNNING


class NoRobot:
    """A robot that must not be told anything: the leaves of these tests act by themselves."""

    name = "robot"
    hands: tuple[str, ...] = ()

    def start(self, order, execution_id):
        raise RobotError("there is no robot")

    def look(self, request, execution_id):
        raise RobotError("there is no robot")

    def observations(self):
        return []

    def attach(self, execution_id):
        return None

    def stop(self):
        pass


class Strings:
    """An execution whose end the test decides."""

    def __init__(self, execution_id: str, order) -> None:
        self.id = execution_id
        self.order = order
        self.ended: End | None = None
        self.cancels = 0

    def poll(self):
        return self.ended

    def cancel(self):
        self.cancels += 1

    def end(self, outcome: Outcome, reason: str = "") -> None:
        self.ended = End(outcome, reason)


class Puppet(NoRobot):
    """A robot that does as the test says; ``told`` has every execution, oldest first."""

    def __init__(self) -> None:
        self.told: list[Strings] = []
        self.seen: list = []

    def start(self, order, execution_id):
        self.told.append(Strings(execution_id, order))
        return self.told[-1]

    look = start

    def observations(self):
        seen, self.seen = self.seen, []
        return seen

    def attach(self, execution_id):
        return next((execution for execution in self.told if execution.id == execution_id), None)

    @property
    def skills(self) -> list[str]:
        """The skills that it was told to carry out."""
        return [execution.order.skill for execution in self.told]


class Scripted(Behaviour):
    """A leaf that returns one status after the other, and keeps count of what is done to it."""

    def __init__(self, name: str, statuses: Iterable[Status] = (S,)) -> None:
        super().__init__(name)
        self.script = list(statuses)
        self.updates = 0
        self.initialised = 0
        self.stopped: list[Status] = []
        self.set_up = 0

    def setup(self, **kwargs):
        self.set_up += 1

    def initialise(self):
        self.initialised += 1

    def update(self):
        self.updates += 1
        return self.script.pop(0) if len(self.script) > 1 else self.script[0]

    def terminate(self, new_status):
        self.stopped.append(new_status)


class Leaves:
    """A builder whose leaves follow scripts; ``made`` has every leaf by action id."""

    def __init__(self, scripts: dict[str, Sequence[Status]] | None = None) -> None:
        self.scripts = scripts or {}
        self.made: dict[str, Scripted] = {}

    def build(self, action: Action, products, classes) -> ActionNodes:
        script = self.scripts.get(action.id) or self.scripts.get(action.skill) or (S,)
        leaf = Scripted(str(action), script)
        self.made[action.id] = leaf
        return ActionNodes(leaf, leaf)


def domain_of(operators: dict[str, tuple[str, str]]) -> Domain:
    """A propositional domain: name → (needs, makes), each like ``"a !b"``."""
    facts: set[str] = set()
    blocks = []
    for name, (needs, makes) in operators.items():
        facts.update(word.lstrip("!") for word in f"{needs} {makes}".split())
        blocks.append(f"(:action {name} :parameters () :precondition {_pddl(needs)} :effect {_pddl(makes)})")
    predicates = " ".join(f"({fact})" for fact in sorted(facts))
    return parse_domain(f"(define (domain toy) (:predicates {predicates}) {' '.join(blocks)})", "toy")


def _pddl(words: str) -> str:
    parts = [f"(not ({w[1:]}))" if w.startswith("!") else f"({w})" for w in words.split()]
    return f"(and {' '.join(parts)})"


def lits(words: str) -> Formula:
    parts = tuple(Literal((word.lstrip("!"),), not word.startswith("!")) for word in words.split())
    return parts[0] if len(parts) == 1 else And(parts)


def context_for(
    domain: Domain,
    true: str = "",
    robot=None,
    revisers=(),
    seen: dict[str, bool | None] | None = None,
    **settings,
) -> AgentContext:
    """A context in which *true* holds; what is *seen* is unknown until then, with what is assumed meanwhile."""
    catalogue = Catalogue.from_domain(domain)
    known = dict(catalogue.vocabulary.predicates)
    for name, default in (seen or {}).items():
        known[name] = replace(known[name], observable=True, default=default)
    catalogue = replace(catalogue, vocabulary=Vocabulary(known))
    belief = Belief(catalogue.vocabulary)
    for word in true.split():
        belief.tell((word,))
    return AgentContext(
        robot or NoRobot(),
        catalogue,
        belief,
        PlaceGraph(),
        SimulatedClock(),
        Tape(),
        Settings(**settings),
        revisers,
    )


def plan_of(skills: str, goal: str) -> Plan:
    actions = tuple(Action(f"a{i}", skill, ()) for i, skill in enumerate(skills.split(), 1))
    return Plan(lits(goal), actions)


def tick(node, times: int = 1) -> list[Status]:
    result = []
    for _ in range(times):
        node.tick_once()
        result.append(node.status)
    return result
