"""Chaos for plan nodes: random worlds, leaves and a robot that misbehave, revisers good and bad.

A :class:`Lab` ticks a plan node among all of it and notes every breach of what must always hold. Everything
is drawn from one seed, so that a breach can be repeated.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from itertools import pairwise, product

from py_trees.behaviour import Behaviour
from py_trees.common import Status
from py_trees.composites import Selector
from py_trees.decorators import PassThrough
from toolbox import NoRobot

from foretree.agent.context import AgentContext
from foretree.agent.settings import Settings
from foretree.behaviours.act import Act
from foretree.clock import Deferred, SimulatedClock
from foretree.planning.pddl.parser import parse_domain
from foretree.planning.pddl.syntax import And, Domain, Formula, Literal, Or
from foretree.planning.plan import Action, Plan
from foretree.planning.semantics.actions import fired
from foretree.planning.semantics.evaluation import conjuncts, evaluate, state_oracle
from foretree.revision.expectation import GUARD_NAMES
from foretree.revision.plan_task import PlanTask
from foretree.revision.revision import NoRevisionError, Revision, RevisionRequest
from foretree.revision.rules.reviser import RuleReviser
from foretree.runs.events import Tape
from foretree.skills.catalogue import Catalogue
from foretree.skills.executive._lease import MOST_CANCELS
from foretree.skills.robot import End, Outcome, RobotError
from foretree.trees._node_error import NodeError
from foretree.trees.compiler import ActionNodes
from foretree.trees.plan_node import PlanNode
from foretree.world_model.beliefs.belief import Belief
from foretree.world_model.beliefs.facts import Atom, Entity, PredicateInfo, Truth, Vocabulary
from foretree.world_model.maps.places import PlaceGraph
from foretree.world_model.observation import Observation

S, F, R, I = Status.SUCCESS, Status.FAILURE, Status.RUNNING, Status.INVALID  # noqa: E741
#: Seconds per tick, and ticks after which a node must have come to an end.
PERIOD = 0.1
PATIENCE = 3000
KINDS = ("place", "class", "attribute", "relation", "robot")
PARTS = ("base", "left", "right", "camera")


# -- worlds --------------------------------------------------------------------------------------------------

YARD = """
(define (domain yard)
  (:types place thing truck - object)
  (:constants depot - place)
  (:predicates (at ?t - truck ?p - place) (lies ?x - thing ?p - place) (loaded ?x - thing ?t - truck)
               (road ?a ?b - place) (clean ?x - thing) (locked ?p - place) (counted ?x - thing))
  (:action drive :parameters (?t - truck ?a ?b - place)
    :precondition (and (at ?t ?a) (road ?a ?b) (not (locked ?b)))
    :effect (and (not (at ?t ?a)) (at ?t ?b)))
  (:action load :parameters (?x - thing ?t - truck ?p - place)
    :precondition (and (at ?t ?p) (lies ?x ?p)) :effect (and (not (lies ?x ?p)) (loaded ?x ?t)))
  (:action unload :parameters (?x - thing ?t - truck ?p - place)
    :precondition (and (at ?t ?p) (loaded ?x ?t))
    :effect (and (lies ?x ?p) (not (loaded ?x ?t)) (when (locked ?p) (not (clean ?x)))))
  (:action wash :parameters (?x - thing)
    :precondition (or (lies ?x depot) (exists (?t - truck) (and (loaded ?x ?t) (at ?t depot))))
    :effect (clean ?x))
  (:action unlock :parameters (?p - place) :precondition (locked ?p) :effect (not (locked ?p)))
  (:action count_all :parameters () :precondition (and)
    :effect (forall (?x - thing) (when (lies ?x depot) (counted ?x)))))
"""
YARD_OBJECTS = {
    "north": "place",
    "south": "place",
    "lorry": "truck",
    "van": "truck",
    "box": "thing",
    "crate": "thing",
}


@dataclass
class World:
    """A domain, its objects, what is true at first, and how predicates are treated."""

    domain: Domain
    objects: dict[str, str]
    true: frozenset[Atom]
    vocabulary: Vocabulary


def toggles(rng: random.Random, facts: int, actions: int) -> World:
    """A propositional world with conditional effects and disjunctions."""
    names = [f"p{number}" for number in range(facts)]

    def word(name: str) -> str:
        return f"({name})" if rng.random() < 0.6 else f"(not ({name}))"

    blocks = []
    for number in range(actions):
        needs = [word(name) for name in rng.sample(names, rng.randint(0, 2))]
        if rng.random() < 0.2:
            needs.append(f"(or {word(rng.choice(names))} {word(rng.choice(names))})")
        makes = [word(name) for name in rng.sample(names, rng.randint(1, min(3, facts)))]
        if rng.random() < 0.2:
            makes.append(f"(when {word(rng.choice(names))} {word(rng.choice(names))})")
        blocks.append(
            f"(:action o{number} :parameters () :precondition (and {' '.join(needs)})"
            f" :effect (and {' '.join(makes)}))"
        )
    predicates = " ".join(f"({name})" for name in names)
    domain = parse_domain(
        f"(define (domain toggles) (:predicates {predicates}) {' '.join(blocks)})", "toggles"
    )
    info = {name: _info(rng) for name in names}
    return World(domain, {}, frozenset((n,) for n in names if rng.random() < 0.5), Vocabulary(info))


def yard(rng: random.Random) -> World:
    """Trucks and things: a typed world with a constant, quantifiers and exclusive groups."""
    places = ["depot", "north", "south"]
    true = {("at", "lorry", rng.choice(places)), ("at", "van", rng.choice(places))}
    true |= {("lies", thing, rng.choice(places)) for thing in ("box", "crate")}
    true |= {("road", a, b) for a in places for b in places if a != b and rng.random() < 0.9}
    true |= {("locked", place) for place in places if rng.random() < 0.2}
    info = {name: _info(rng) for name in ("clean", "locked", "counted")}
    info["road"] = PredicateInfo("place")
    info["at"] = PredicateInfo("robot", group="body")
    info["class"] = PredicateInfo("class", observable=True, default=None, group="class")
    for name in ("lies", "loaded"):
        info[name] = PredicateInfo("place", observable=True, default=None, group="rests")
    return World(parse_domain(YARD, "yard"), YARD_OBJECTS, frozenset(true), Vocabulary(info))


def _info(rng: random.Random) -> PredicateInfo:
    observable = rng.random() < 0.5
    return PredicateInfo(
        kind=rng.choice(KINDS),
        observable=observable,
        default=rng.choice((None, False, True)) if observable else False,
        shelf_life=rng.choice((None, None, 0.5)) if observable else None,
    )


def ground_actions(task: PlanTask) -> list[Action]:
    """Every action there is."""
    found = []
    for operator in task.domain.operators.values():
        for arguments in product(*(task.objects.of_type(p.type) for p in operator.parameters)):
            found.append(Action("", operator.name, arguments))
    return found


def random_walk(
    rng: random.Random, task: PlanTask, state: frozenset[Atom], steps: int
) -> tuple[list[Action], Formula]:
    """A plan that holds together, and a goal that it reaches."""
    start, actions = state, []
    for _ in range(steps):
        possible = [
            a
            for a in ground_actions(task)
            if task.possible(state, task.ground(a)) and task.advance(state, task.ground(a)) != state
        ]
        if not possible:
            break
        action = rng.choice(possible)
        actions.append(replace(action, id=f"a{len(actions) + 1}"))
        state = task.advance(state, task.ground(action))
    changed = sorted((atom, True) for atom in state - start) + sorted((atom, False) for atom in start - state)
    kept = sorted((atom, True) for atom in state & start)
    rng.shuffle(changed)
    parts: list[Formula] = [Literal(*pair) for pair in changed[: rng.randint(1, 3)]]
    parts += [Literal(*pair) for pair in kept if rng.random() < 0.15]
    if not parts:
        parts = [Literal(("no", "such"), False)]
    if len(parts) > 1 and rng.random() < 0.2:
        parts = [Or((parts[0], ~parts[1])), *parts[1:]]
    return actions, parts[0] if len(parts) == 1 else And(tuple(parts))


# -- revisers ------------------------------------------------------------------------------------------------


class Search:
    """Finds the shortest new rest of the plan by brute force."""

    name = "search"
    time_out = 2.0

    def __init__(self, lab: Lab, cancels: bool = False) -> None:
        self.lab = lab
        self.cancels = cancels

    def propose(self, situation: RevisionRequest) -> Revision:
        task = situation.task
        state = task.state(situation.beliefs)
        flight = {}
        for action in situation.running:
            if self.cancels and self.lab.rng.random() < 0.5:
                flight[action.id] = "cancel"
            else:
                state = task.advance(state, task.ground(action))
        steps = shortest(task, state, situation.goal)
        if steps is None:
            raise NoRevisionError("there is no way")
        left = list(situation.remaining)
        actions = []
        for step in steps:
            known = next((a for a in left if (a.skill, a.arguments) == (step.skill, step.arguments)), None)
            if known is not None:
                del left[: left.index(known) + 1]
            actions.append(known or step)
        return Revision(tuple(actions), "searched", self.name, situation.beliefs.version, flight)


def shortest(task: PlanTask, state: frozenset[Atom], goal: Formula, limit: int = 400) -> list[Action] | None:
    """The fewest actions that lead from *state* to *goal*, if a small search finds them."""
    actions = [(action, task.ground(action)) for action in ground_actions(task)]
    queue: list[tuple[frozenset[Atom], tuple[Action, ...]]] = [(state, ())]
    seen = {state}
    while queue and len(seen) < limit:
        state, steps = queue.pop(0)
        if evaluate(goal, state_oracle(state), task.objects) is Truth.TRUE:
            return list(steps)
        for action, ground in actions:
            if task.possible(state, ground):
                after = task.advance(state, ground)
                if after not in seen:
                    seen.add(after)
                    queue.append((after, (*steps, action)))
    return None


class Thought(Deferred):
    """An answer on its way, or an error; keeps note of whether anybody still waits for it."""

    def __init__(self, lab: Lab, answer: Callable[[], Revision], latency: float) -> None:
        super().__init__(Future(), lab.clock, latency)
        self.answer = answer
        self.over = False

    def ready(self) -> bool:
        return self._clock.now() >= self._due

    def result(self) -> Revision:
        self.over = True
        return self.answer()

    def cancel(self) -> None:
        self.over = True


class Slow:
    """Takes its time over what another one proposes; sometimes longer than it is given."""

    def __init__(self, lab: Lab, inner) -> None:
        self.name = f"slow {inner.name}"
        self.time_out = 2.0
        self.lab = lab
        self.inner = inner

    def propose(self, situation: RevisionRequest) -> Thought:
        thought = Thought(
            self.lab, lambda: self.inner.propose(situation), self.lab.rng.choice((0.0, 0.3, 1.0, 5.0))
        )
        self.lab.thoughts.append(thought)
        return thought


class Rubbish:
    """Offers what makes no sense."""

    name = "rubbish"
    time_out = 1.0

    def __init__(self, lab: Lab) -> None:
        self.lab = lab

    def propose(self, situation: RevisionRequest) -> Revision:
        rng = self.lab.rng
        some = [*situation.remaining, *situation.running, *ground_actions(situation.task)[:6]]
        some += [
            Action("", "fly", ()),
            Action("a1", "o0", ("too", "many")),
            Action("a2", "wash", ("nobody",)),
        ]
        some += [Action("", "drive", ("box", "van", "depot"))]
        actions = tuple(rng.choice(some) for _ in range(rng.randint(0, 4)))
        flight = {
            a.id: rng.choice(("keep", "cancel", "pause")) for a in situation.running if rng.random() < 0.5
        }
        return Revision(actions, "", self.name, -7, {**flight, "nobody": "cancel"})


class Raises:
    """Breaks down over every question."""

    name = "raises"
    time_out = 1.0

    def propose(self, situation: RevisionRequest) -> Revision:
        raise ZeroDivisionError("the reviser broke down")


def revisers(lab: Lab) -> list:
    """A few revisers in random order."""
    rng = lab.rng
    makers = [
        RuleReviser,
        lambda: Search(lab),
        lambda: Search(lab, cancels=True),
        lambda: Slow(lab, Search(lab, cancels=rng.random() < 0.5)),
        lambda: Slow(lab, Raises()),
        lambda: Slow(lab, Rubbish(lab)),
        lambda: Rubbish(lab),
        Raises,
    ]
    return [make() for make in rng.sample(makers, rng.choice((0, 1, 1, 2, 2, 3, 4)))]


# -- leaves --------------------------------------------------------------------------------------------------


class BangError(Exception):
    """What a wild leaf raises."""


class Probe(Behaviour):
    """A leaf with a random script that notes how it is treated."""

    def __init__(self, lab: Lab, action: Action) -> None:
        super().__init__(f"{action.id}:{action}")
        self.lab = lab
        self.action = action
        self.top: Behaviour = self
        self.left: list[Status] = []
        self.active = False
        self.finished = False
        self.set_up = 0
        self.shut_down = 0
        self.ticked_at = -1
        self.starts = 0

    def setup(self, **kwargs) -> None:
        self.set_up += 1

    def shutdown(self) -> None:
        self.shut_down += 1

    def initialise(self) -> None:
        lab = self.lab
        lab.expect(not self.active, f"{self.name} was begun twice without a stop in between")
        lab.expect(not self.finished, f"{self.name} was begun again after it had finished")
        lab.check_start(self.action)
        self.active = True
        self.starts += 1
        self.left = [R] * lab.rng.choice((0, 0, 1, 2, 5)) + [F if lab.rng.random() < lab.failures else S]

    def update(self) -> Status:
        lab = self.lab
        lab.expect(self.ticked_at != lab.ticks, f"{self.name} was updated twice in a tick")
        lab.expect(lab.top_of(self.action) is self.top, f"{self.name} was updated, but has left")
        lab.expect(not self.finished, f"{self.name} was updated after it had finished")
        self.ticked_at = lab.ticks
        if lab.wild and lab.rng.random() < 0.05:
            lab.banged = True
            raise BangError(self.name)
        status = self.left.pop(0)
        if status is S:
            self.finished = True
            if lab.tells_belief and lab.rng.random() > lab.lies:
                for literal in fired(
                    lab.task.ground(self.action), lab.context.belief.truth, lab.task.objects
                ):
                    lab.context.belief.tell(literal.atom, literal.positive)
        return status

    def terminate(self, new_status: Status) -> None:
        self.lab.expect(self.active, f"{self.name} was stopped ({new_status.value}) without running")
        self.active = False
        if self.lab.wild and self.lab.rng.random() < 0.05:
            self.lab.banged = True
            raise BangError(f"{self.name} on its way out")


class Probes:
    """Builds probes, now and then below a decorator or two of the user's own."""

    def __init__(self, lab: Lab) -> None:
        self.lab = lab

    def build(self, action: Action, products, classes) -> ActionNodes:
        probe = Probe(self.lab, action)
        self.lab.probes.append(probe)
        while not self.lab.wild and self.lab.rng.random() < 0.2:
            probe.top = PassThrough(f"around {probe.top.name}", probe.top)
        return ActionNodes(probe.top, probe, tells_belief=self.lab.tells_belief)


class Alarm(Behaviour):
    """Interrupts the plan when it is told to."""

    def __init__(self) -> None:
        super().__init__("alarm")
        self.ringing = False

    def update(self) -> Status:
        return S if self.ringing else F


# -- the lab -------------------------------------------------------------------------------------------------


@dataclass
class Knobs:
    """How bad it gets."""

    seed: int = 0
    typed: bool = False
    facts: int = 4
    actions: int = 6
    steps: int = 4
    fault_ticks: int = 20
    fault_rate: float = 0.2
    failures: float = 0.15
    interrupts: float = 0.05
    unknown: float = 0.1
    irreversible: float = 0.2
    guards: tuple[str, ...] = GUARD_NAMES
    wild: bool = False
    lies: float = 0.0
    activations: int = 2


@dataclass
class Lab:
    """A plan node in the middle of it all."""

    knobs: Knobs
    breaches: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        knobs = self.knobs
        self.rng = rng = random.Random(knobs.seed)
        self.wild, self.lies, self.failures = knobs.wild, knobs.lies, knobs.failures
        self.clock = SimulatedClock()
        self.thoughts: list[Thought] = []
        self.probes: list[Probe] = []
        self.ticks = 0
        self.banged = False
        self.finished: set[str] = set()
        self.world = yard(rng) if knobs.typed else toggles(rng, knobs.facts, knobs.actions)
        self.tells_belief = rng.random() < 0.3 or knobs.lies > 0
        self.context = self._context()
        self.task = self.context.task
        self.true = set(self.world.true)
        state = self.task.state(self.context.belief.snapshot())
        actions, goal = random_walk(rng, self.task, state, knobs.steps)
        in_a_row = {later.id: frozenset({earlier.id}) for earlier, later in pairwise(actions)}
        order = in_a_row if rng.random() < 0.2 else {}
        self.plan = Plan(goal, tuple(actions), order, (), dict(self.world.objects))
        self.goal = goal
        self.node = PlanNode(self.context, self.plan, builder=self._builder())
        self.alarm = Alarm()
        self.bystander = Alarm()
        self.root = Selector("root", memory=False, children=[self.alarm, self.node, self.bystander])
        self.node.on_splice.append(self._spliced)
        self.was_set_up = rng.random() < 0.8
        if self.was_set_up:
            for node in self.root.iterate():
                node.setup(answer=42)

    def _context(self) -> AgentContext:
        world, rng = self.world, self.rng
        catalogue = Catalogue.from_domain(world.domain)
        skills = {
            name: replace(skill, retries=rng.choice((0, 0, 1, 2)), watch=rng.random() < 0.8)
            for name, skill in catalogue.skills.items()
        }
        catalogue = replace(catalogue, vocabulary=world.vocabulary, skills=skills)
        belief = Belief(world.vocabulary)
        for name, kind in sorted(world.objects.items()):
            belief.put_entity(Entity(name, {kind: 1.0}))
            belief.tell(("class", name, kind))
        for atom in sorted(self._atoms(catalogue)):
            observable = world.vocabulary[atom[0]].observable
            told = not observable or rng.random() >= self.knobs.unknown
            if told and (atom in world.true or observable):
                belief.tell(atom, atom in world.true)
        return AgentContext(
            self._robot(),
            catalogue,
            belief,
            PlaceGraph(),
            self.clock,
            Tape(),
            Settings(guards=self.knobs.guards, cancel_grace=1.0),
            revisers(self),
        )

    def _atoms(self, catalogue: Catalogue) -> list[Atom]:
        types: dict[str, list[str]] = {"object": []}
        for constant in self.world.domain.constants:
            types.setdefault(constant.type, []).append(constant.name)
        for name, kind in self.world.objects.items():
            types.setdefault(kind, []).append(name)
        return [
            (name, *arguments)
            for name, parameters in self.world.domain.predicates.items()
            for arguments in product(*(types[p.type] for p in parameters))
        ]

    def changing(self) -> list[Atom]:
        """The atoms that may change: all but those of a map that nobody ever alters or looks at."""
        domain, vocabulary = self.world.domain, self.world.vocabulary
        made = {effect.literal.atom[0] for o in domain.operators.values() for effect in o.effects}
        atoms = self._atoms(self.context.catalogue)
        return sorted(atom for atom in atoms if atom[0] in made or vocabulary[atom[0]].observable)

    def _robot(self):
        return NoRobot()

    def _builder(self):
        return Probes(self)

    # -- what must hold --------------------------------------------------------------------------------
    def expect(self, holds: bool, breach: str) -> None:
        if not holds:
            self.breaches.append(f"tick {self.ticks}: {breach}")

    def thinking(self) -> bool:
        return any(not t.over and not t.ready() for t in self.thoughts)

    def top_of(self, action: Action) -> Behaviour | None:
        return self.tops().get(action.id)

    def check_start(self, action: Action) -> None:
        """*action* is about to begin: may it?"""
        top = self.top_of(action)
        self.expect(not self.thinking(), f"{action.id} began while a reviser was thinking")
        for before, after in self.node.precedence():
            if after is top:
                self.expect(before.status is S, f"{action.id} began before {before.name} was through")
        if self.knobs.guards == GUARD_NAMES:
            ground = self.task.ground(action)
            truth = evaluate(ground.precondition, self.context.belief.truth, self.task.objects)
            self.expect(
                truth is not Truth.FALSE, f"{action.id} {action} began although what it needs is false"
            )

    def _spliced(self, removed, added) -> None:
        children = self.node.children
        self.expect(len({id(c) for c in children}) == len(children), "a child twice")
        for child in removed:
            self.expect(
                child not in children and child.parent is None, f"{child.name} was removed but is there"
            )
            self.expect(all(n.status is not R for n in child.iterate()), f"{child.name} was removed but runs")
        for child in added:
            self.expect(child in children, f"{child.name} was added but is not there")

    def check(self, before: dict[str, Behaviour], outside: list) -> None:
        """What must hold after every tick."""
        node = self.node
        children = node.children
        self.expect(len({id(c) for c in children}) == len(children), "a child twice")
        self.expect(all(c.parent is node for c in children), "a child with another parent")
        self.expect(self.outside() == outside, "something outside the plan changed")
        if node.status is not R:
            running = [n.name for n in node.iterate() if n is not node and n.status is R]
            self.expect(not running, f"{running} run although the plan is {node.status.value}")
            self.expect(not any(p.active for p in self.probes), "a leaf was not stopped")
            self.expect(all(t.over or t.ready() for t in self.thoughts), "somebody still thinks")
        if node.status is S and not self.alarm.ringing:
            truth = evaluate(self.goal, self.context.belief.snapshot().assumed, self.task.objects)
            self.expect(truth is Truth.TRUE, "it succeeded, but the goal is not believed")
        if node.status is F:
            self.expect(bool(node.reason), "it failed without a reason")
        for name, child in before.items():
            now = self.tops().get(name)
            self.expect(now is None or now is child, f"{name} has other nodes now")
            if node.status is R and name in self.finished:
                self.expect(now is child, f"{name} was finished, but has left")
        self.finished = {
            name for name, child in self.tops().items() if child.status is S and node.status is R
        }
        if self.knobs.guards == GUARD_NAMES and not self.alarm.ringing:
            for child in children:
                self.check_holds(child)
        for probe in self.probes:
            there = probe.top in children
            self.expect(there or not probe.active, f"{probe.name} has left but is active")
            expected = 1 if self.was_set_up else 0
            self.expect(
                probe.set_up == expected or not (there or probe.starts),
                f"{probe.name} was set up {probe.set_up} times",
            )
            self.expect(
                probe.active == (probe.status is R), f"{probe.name} is {probe.status} but {probe.active}"
            )

    def check_holds(self, top: Behaviour) -> None:
        """What an action that is under way relies on, and does not itself undo, must not be false."""
        action = action_of(top)
        leaf = top
        while leaf.children:
            leaf = leaf.children[0]
        skill = self.context.catalogue.skills[action.skill]
        if leaf.status is not R or not getattr(leaf, "started", True) or not skill.watch:
            return
        ground = self.task.ground(action)
        own = {effect.literal.atom for effect in ground.effects}
        for part in conjuncts(ground.precondition):
            if isinstance(part, Literal) and part.atom not in own:
                truth = evaluate(part, self.context.belief.truth, self.task.objects)
                self.expect(truth is not Truth.FALSE, f"{action.id} {action} goes on without {part.atom}")

    def outside(self) -> list:
        return [
            self.alarm.status in (S, F, I),
            [c.name for c in self.root.children],
            self.node.parent is self.root,
            self.alarm.name,
        ]

    def tops(self) -> dict[str, Behaviour]:
        """The outermost node of each action that the tree has."""
        return {action_of(child).id: child for child in self.node.children}

    # -- running ---------------------------------------------------------------------------------------
    def run(self) -> Status:
        """Tick until it is over, or for too long."""
        rng, knobs = self.rng, self.knobs
        activations = 0
        for _ in range(PATIENCE):
            self.ticks += 1
            rough = self.ticks <= knobs.fault_ticks
            if rough:
                self.faults()
            if rough and rng.random() < knobs.interrupts / 2:
                self.guarded(lambda: self.node.stop(I))
                self.interrupted()
            self.alarm.ringing = rough and rng.random() < knobs.interrupts
            before = self.tops() if self.node.status is R else {}
            outside = self.outside()
            self.guarded(self.root.tick_once)
            self.check(before, outside)
            if self.breaches:
                return self.node.status
            self.clock.sleep_until(self.clock.now() + PERIOD)
            if self.node.status in (S, F) and not self.alarm.ringing:
                activations += 1
                if activations >= knobs.activations:
                    return self.node.status
        self.breaches.append(f"no end after {PATIENCE} ticks: {self.node.reason}")
        return self.node.status

    def guarded(self, call: Callable[[], object]) -> None:
        self.banged = False
        try:
            call()
        except NodeError as error:
            self.expect(self.banged, f"it raised {error}, though no leaf did")
            self.expect(self.node.status is not R, "it raised and is still running")
        except Exception as error:
            self.breaches.append(f"tick {self.ticks}: {type(error).__name__} escaped: {error}")
            raise
        else:
            self.expect(not self.banged, "an exception of a leaf was swallowed")

    def interrupted(self) -> None:
        """The plan was stopped: what it has finished counts no more."""

    def faults(self) -> None:
        rng = self.rng
        belief = self.context.belief
        for atom in self.changing():
            if rng.random() < self.knobs.fault_rate / 4:
                observable = belief.vocabulary[atom[0]].observable
                values = (True, False, Truth.UNKNOWN) if observable else (True, False)
                belief.tell(atom, rng.choice(values), time=self.clock.now())


def action_of(top: Behaviour) -> Action:
    """The action that a child of the plan node carries out."""
    return next(node.action for node in top.iterate() if hasattr(node, "action"))


# -- a robot -------------------------------------------------------------------------------------------------


class Deed:
    """Something the robot was told to do; it has a mind of its own about how that ends."""

    def __init__(
        self, robot: Rogue, execution_id: str, resources: frozenset[str], seconds: float, outcome: Outcome
    ):
        self.id = execution_id
        self.robot = robot
        self.resources = resources
        self.outcome = outcome
        self.ends_at = robot.clock.now() + seconds
        self.cancelled = False
        self.cancels = 0
        self.reported: End | None = None
        self.on_end: Callable[[Outcome], None] = lambda outcome: None

    def poll(self) -> End | None:
        if self.robot.out_of_contact():
            raise RobotError("no contact")
        if self.reported is None and self.robot.clock.now() >= self.ends_at:
            self.reported = End(self.outcome, f"it ended as {self.outcome.value}")
            self.on_end(self.outcome)
        return self.reported

    def cancel(self) -> None:
        if self.robot.out_of_contact():
            raise RobotError("no contact")
        self.cancels += 1
        if self.reported is None and not self.cancelled and not self.robot.deaf:
            self.cancelled = True
            rng, now = self.robot.rng, self.robot.clock.now()
            delay = rng.choice((0.0, 0.1, 0.5, 0.9))
            if now + delay < self.ends_at and rng.random() < 0.9:
                self.ends_at, self.outcome = now + delay, Outcome.CANCELLED


class Rogue:
    """A robot that takes its time, fails, loses contact, confirms cancels late and sees things."""

    name = "robot"
    hands = ("left", "right")

    def __init__(self, lab: RobotLab) -> None:
        self.lab = lab
        self.rng = lab.rng
        self.clock = lab.clock
        self.deeds: dict[str, Deed] = {}
        self.silent_until = -1.0
        self.silences = 0
        self.deaf = False
        self.seen: list[Observation] = []

    def out_of_contact(self) -> bool:
        return self.clock.now() < self.silent_until

    def alive(self) -> list[Deed]:
        return [deed for deed in self.deeds.values() if deed.reported is None]

    def start(self, order, execution_id: str) -> Deed:
        lab = self.lab
        if self.out_of_contact():
            raise RobotError("no contact")
        if self.rng.random() < lab.failures / 4:
            raise RobotError("it refuses")
        action = lab.intents[execution_id]
        skill = lab.context.catalogue.skills[order.skill]
        outcome = Outcome.DONE
        if self.rng.random() < lab.failures:
            outcome = self.rng.choice((Outcome.FAILED, Outcome.FAILED, Outcome.CANCELLED, Outcome.LOST))
        deed = self.take_up(execution_id, skill.resources_of(action), outcome)
        lab.check_start(action)
        lab.expect(action.id not in lab.done, f"{action.id} was told again after it was done")
        deed.on_end = lambda outcome: lab.ended(action, outcome)
        return deed

    def look(self, request, execution_id: str) -> Deed:
        if self.out_of_contact():
            raise RobotError("no contact")
        deed = self.take_up(
            execution_id, frozenset({"camera"}), self.rng.choice((Outcome.DONE, Outcome.FAILED))
        )
        deed.on_end = lambda outcome: self.lab.show(0.7)
        return deed

    def take_up(self, execution_id: str, resources: frozenset[str], outcome: Outcome) -> Deed:
        for other in self.alive():
            both = sorted(resources & other.resources)
            self.lab.expect(not both, f"{execution_id} was begun while {other.id} has not given back {both}")
        seconds = self.rng.choice((0.0, 0.1, 0.3, 1.0, 1.0, 60.0 if self.rng.random() < 0.1 else 0.2))
        if not self.lab.failures:
            seconds = min(seconds, 0.3)  # who takes longer than a skill's time-out has failed
        deed = Deed(self, execution_id, resources, seconds, outcome)
        self.deeds[execution_id] = deed
        return deed

    def observations(self) -> list[Observation]:
        if self.out_of_contact():
            raise RobotError("no contact")
        seen, self.seen = self.seen, []
        return seen

    def attach(self, execution_id: str) -> Deed | None:
        if self.out_of_contact():
            raise RobotError("no contact")
        return self.deeds.get(execution_id)

    def stop(self) -> None:
        for deed in self.alive():
            deed.ends_at, deed.outcome = self.clock.now(), Outcome.CANCELLED


class RobotLab(Lab):
    """The same with guarded actions, as the compiler makes them, and a robot."""

    def __post_init__(self) -> None:
        self.done: set[str] = set()
        self.silent_ticks = 0
        self.intents: dict[str, Action] = {}
        super().__post_init__()
        self.context.in_sight = lambda atom: self.context.belief.vocabulary[atom[0]].observable
        commit = self.context.recorder.commit

        def noted(kind: str, /, **data) -> None:
            if kind == "action.intent":
                told = data["action"]
                action = Action(told["id"], told["skill"], tuple(told["arguments"]), told["cost"])
                self.intents[data["execution"]] = action
            commit(kind, **data)

        self.context.recorder.commit = noted

    def _context(self) -> AgentContext:
        context = super()._context()
        rng = self.rng
        skills = {
            name: replace(
                skill,
                resources=tuple(rng.sample(PARTS, rng.choice((0, 1, 1, 2)))),
                time_out=rng.choice((0.5, 3.0)),
                irreversible=rng.random() < self.knobs.irreversible,
                certainty=rng.choice((0.0, 0.6, 0.95)),
            )
            for name, skill in context.catalogue.skills.items()
        }
        context.catalogue = replace(context.catalogue, skills=skills)
        return context

    def _robot(self):
        return Rogue(self)

    def _builder(self):
        return None

    def ended(self, action: Action, outcome: Outcome) -> None:
        """The robot has come to an end with *action*: the world changes."""
        ground = self.task.ground(action)
        for literal in fired(ground, state_oracle(self.true), self.task.objects):
            if outcome is Outcome.DONE or self.rng.random() < 0.3:
                (self.true.add if literal.positive else self.true.discard)(literal.atom)

    def show(self, share: float) -> None:
        """The robot sees some of what is so."""
        atoms = [atom for atom in self.changing() if self.rng.random() < share]
        body = {atom: atom in self.true for atom in atoms}
        self.context.robot.seen.append(Observation(self.clock.now(), "view", body=body))

    def faults(self) -> None:
        rng, rate = self.rng, self.knobs.fault_rate
        if rng.random() < rate:
            atom = rng.choice(self.changing())
            self.true.symmetric_difference_update({atom})
        if rng.random() < rate:
            self.show(0.3)
        if rng.random() < rate / 10:
            self.context.robot.silences += 1
            self.context.robot.silent_until = self.clock.now() + rng.choice((0.3, 2.0, 20.0, 1e9))
        if rng.random() < rate / 10:
            self.context.robot.deaf = True
        if rng.random() < rate / 3:
            super().faults()

    def check(self, before: dict[str, Behaviour], outside: list) -> None:
        super().check(before, outside)
        node = self.node
        if node.status is not R:
            for deed in self.context.robot.alive():
                lease = next((x for x in self.context.executive._alive.values() if x.id == deed.id), None)
                asked = lease is not None and (lease.cancelling or lease.poll() is not None)
                self.expect(asked, f"{deed.id} goes on after the plan, and nobody has asked for its end")
        acts = [leaf for leaf in node.iterate() if isinstance(leaf, Act) and leaf.started]
        waits = node.status is R and all(act.lease.delay_reason for act in acts)
        # What begins in the next tick waits for nothing.
        self.silent_ticks = self.silent_ticks + 1 if waits and not node.reason else 0
        self.expect(self.silent_ticks < 3, "it waits and does not say what for")
        robot = self.context.robot
        cancels = max((deed.cancels for deed in robot.deeds.values()), default=0)
        self.expect(cancels <= MOST_CANCELS * (1 + robot.silences), "a cancel was sent too often")
        ended = self.context.recorder.of("action.ended")
        if node.status is R:
            finished = {action_of(c).id for c in node.children if c.status is S}
            self.done |= {e.data["action"] for e in ended if e.data["outcome"] == "done"} & finished
        else:
            self.interrupted()

    def interrupted(self) -> None:
        self.done.clear()
        self.context.recorder.events.clear()
