"""From a problem on a tabletop to one in a building."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from foretree.errors import suggest
from foretree.planning.expansion._agents import Embodiment, fresh, quantified_over_hands
from foretree.planning.expansion._hand_predicates import HandPredicate
from foretree.planning.expansion.added_operators import DOOR_OPEN
from foretree.planning.expansion.expand import ExpandedDomain
from foretree.planning.expansion.expansion_errors import ProblemExpansionError
from foretree.planning.pddl.formula_reader import negated
from foretree.planning.pddl.syntax import And, Count, Exists, Forall, Formula, Literal, Not, Or, Problem
from foretree.world_model.beliefs.facts import Atom
from foretree.world_model.builtin_predicates import (
    CONNECTED,
    HAND_FREE,
    HAS_DOOR,
    HAS_HAND,
    OBJECT_AT,
    ROBOT_AT,
    TRAVEL_COST,
)


@dataclass(frozen=True, slots=True)
class Building:
    """Where a problem takes place.

    Attributes:
        robots: each robot with its hands. Robots and hands that the problem itself has keep their names.
        nodes: the places to stand.
        edges: what the way from one node to the next costs, also through a door; each direction is an edge of
            its own.
        doors: each door with the two nodes that it is between.
        closed: the doors that are closed.
        where: the node of each thing that is neither held nor carried by another; what is not named is at
            the first node.
        stands: the node of each robot; the first node where nothing is said.
    """

    robots: Mapping[str, Sequence[str]] = field(default_factory=lambda: {"robot1": ("hand1",)})
    nodes: Sequence[str] = ("node1",)
    edges: Mapping[tuple[str, str], int] = field(default_factory=dict)
    doors: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    closed: Collection[str] = ()
    where: Mapping[str, str] = field(default_factory=dict)
    stands: Mapping[str, str] = field(default_factory=dict)


def usual_building(domain: ExpandedDomain, problem: Problem) -> Building:
    """One node, and as many robots and hands as the domain was expanded for; those of *problem* first."""
    own = _own(domain, problem, "robot")
    names = own or [f"robot{number}" for number in range(1, (domain.options.robots or 1) + 1)]
    hands = _own(domain, problem, "hand")
    if hands and len(names) == 1:
        return Building({names[0]: tuple(hands)})
    if hands:
        pairs = sorted(_pairs(domain, problem))
        return Building({name: tuple(hand for robot, hand in pairs if robot == name) for name in names})
    each = range(1, (domain.options.hands_each or 1) + 1)
    if len(names) == 1:
        return Building({names[0]: tuple(f"hand{number}" for number in each)})
    return Building({name: tuple(f"{name}_hand{number}" for number in each) for name in names})


def expand_problem(problem: Problem, domain: ExpandedDomain, building: Building | None = None) -> Problem:
    """*problem*, which is of the domain that *domain* was made from, in a building.

    Raises:
        LiftingError: the building names what the problem does not have, or the other way round.
    """
    building = building or usual_building(domain, problem)
    if domain.bodies is None:
        return replace(problem, domain=domain, minimise_cost=True)
    lift = _Lift(problem, domain, domain.bodies, building)
    return Problem(
        problem.name,
        domain,
        lift.objects(),
        frozenset(lift.facts()),
        lift.goal(problem.goal),
        {**problem.functions, **lift.values()},
        problem.minimise_cost or domain.options.costs,
    )


def _own(domain: ExpandedDomain, problem: Problem, role: str) -> list[str]:
    """The robots or hands that the problem itself has."""
    if domain.bodies is None:
        return []
    anchors, kinds = domain.bodies.anchors, domain.bodies.kinds
    if not anchors.speak_of(role):
        return []
    kind = kinds.robot if role == "robot" else kinds.hand
    if kinds.typed and kind != "object":
        return list(problem.of_type(kind))
    found = {atom[1] for atom in problem.init if atom[0] == kind}
    for atom in problem.init:
        anchor = anchors.of(atom[0])
        if anchor is not None:
            found.add((anchor.robot_in(atom) if role == "robot" else anchor.hand_in(atom)) or "")
    return sorted(found - {""})


def _pairs(domain: ExpandedDomain, problem: Problem) -> set[tuple[str, str]]:
    """The robots and hands of the problem that its own facts name together."""
    found = set()
    for atom in problem.init:
        anchor = domain.bodies and domain.bodies.anchors.of(atom[0])
        if anchor:
            robot, hand = anchor.robot_in(atom), anchor.hand_in(atom)
            if robot is not None and hand is not None:
                found.add((robot, hand))
    return found


class _Lift:
    def __init__(
        self, problem: Problem, domain: ExpandedDomain, bodies: Embodiment, building: Building
    ) -> None:
        self._problem = problem
        self._domain = domain
        self._bodies = bodies
        self._building = building
        self._hands = {robot: tuple(hands) for robot, hands in building.robots.items()}
        self._things = sorted({*problem.objects, *(constant.name for constant in problem.domain.constants)})
        self._check()

    def _check(self) -> None:
        nodes = self._building.nodes
        ends = [node for edge in (*self._building.edges, *self._building.doors.values()) for node in edge]
        for node in (*ends, *self._building.where.values(), *self._building.stands.values()):
            if node not in nodes:
                raise ProblemExpansionError(f'"{node}" is not a node of the building. {suggest(node, nodes)}')
        for door in self._building.closed:
            if door not in self._building.doors:
                doors = self._building.doors
                raise ProblemExpansionError(f'"{door}" is not a door of the building. {suggest(door, doors)}')
        for thing in self._building.where:
            if thing not in self._things:
                problem = self._problem.name
                raise ProblemExpansionError(
                    f'"{thing}" is not an object of the problem "{problem}". {suggest(thing, self._things)}'
                )
        for name, _ in self._new():
            if name in self._things and name not in self._own_bodies():
                raise ProblemExpansionError(
                    f'"{name}" is the name of an object of the problem "{self._problem.name}" already: give '
                    "what the building adds another name."
                )
        for robot in self._building.stands:
            if robot not in self._hands:
                raise ProblemExpansionError(f'"{robot}" is not a robot here. {suggest(robot, self._hands)}')

    def _own_bodies(self) -> set[str]:
        """The robots and hands that the problem itself has."""
        own = (_own(self._domain, self._problem, role) for role in ("robot", "hand"))
        return {name for names in own for name in names}

    # -- objects -------------------------------------------------------------------------------------
    def _new(self) -> Iterator[tuple[str, str]]:
        """The things that the building adds, with their kinds."""
        kinds, options = self._bodies.kinds, self._domain.options
        for robot, hands in self._hands.items():
            yield robot, kinds.robot
            if self._bodies.hands:
                for hand in hands:
                    yield hand, kinds.hand
        if options.navigates:
            for node in self._building.nodes:
                yield node, kinds.node
        if options.doors:
            for door in self._building.doors:
                yield door, kinds.door

    def objects(self) -> dict[str, str]:
        typed = self._bodies.kinds.typed
        objects = dict(self._problem.objects)
        for name, kind in self._new():
            if name not in self._things:
                objects[name] = kind if typed else "object"
        return objects

    # -- facts ---------------------------------------------------------------------------------------
    def facts(self) -> Iterator[Atom]:
        if not self._bodies.kinds.typed:
            for name, kind in self._new():
                yield kind, name
        if self._bodies.hands:
            for robot, hands in self._hands.items():
                for hand in hands:
                    yield HAS_HAND, robot, hand
        yield from self._anchored()
        if self._domain.options.navigates:
            yield from self._places()

    def _anchored(self) -> Iterator[Atom]:
        """The problem's facts, with the anchors as they are after expansion."""
        busy: set[tuple[str, ...]] = set()
        for atom in sorted(self._problem.init):
            anchor = self._bodies.anchors.of(atom[0])
            if anchor is None:
                yield atom
            elif anchor.item is not None:
                place = self._place_of(anchor, atom, busy)
                busy.add(place)
                yield self._bodies.name_of(anchor), *place, str(anchor.item_in(atom))
        for atom in sorted(self._problem.init):
            anchor = self._bodies.anchors.of(atom[0])
            if anchor is not None and anchor.item is None:
                for place in self._fitting(anchor, atom):
                    if place not in busy:
                        yield HAND_FREE, *place
        # Further hands are free although the one that the problem knows of is not.
        if busy and self._bodies.anchors.hand_free.hand is None:
            robots = {place[0] for place in busy}
            for place in self._all_places():
                known = self._bodies.anchors.speak_of("robot") and place[0] not in robots
                if place not in busy and not known:
                    yield HAND_FREE, *place

    def _all_places(self) -> Iterator[tuple[str, ...]]:
        for robot, hands in self._hands.items():
            if self._bodies.hands:
                yield from ((robot, hand) for hand in hands)
            else:
                yield (robot,)

    def _fitting(self, anchor: HandPredicate, atom: Atom) -> Iterator[tuple[str, ...]]:
        """The robots and hands that *atom* can be about."""
        robot, hand = anchor.robot_in(atom), anchor.hand_in(atom)
        for place in self._all_places():
            if robot in (None, place[0]) and hand in (None, place[-1]):
                yield place

    def _place_of(self, anchor: HandPredicate, atom: Atom, busy: set[tuple[str, ...]]) -> tuple[str, ...]:
        place = next((place for place in self._fitting(anchor, atom) if place not in busy), None)
        if place is None:
            raise ProblemExpansionError(
                f'({" ".join(atom)}) holds in the problem "{self._problem.name}", and no hand is left '
                "for it: give the building a robot with a hand more."
            )
        return place

    def _places(self) -> Iterator[Atom]:
        first = self._building.nodes[0]
        for robot in self._hands:
            yield ROBOT_AT, robot, self._building.stands.get(robot, first)
        carry = self._domain.options.carry
        fixed = {atom[1] for atom in self._problem.init if atom[0] in carry}
        for atom in self._problem.init:
            anchor = self._bodies.anchors.of(atom[0])
            if anchor is not None and anchor.item is not None:
                fixed.add(str(anchor.item_in(atom)))
        bodies = {name for name, _ in self._new()}
        for thing in self._things:
            if thing not in fixed and thing not in bodies and not self._is_nowhere(thing):
                yield OBJECT_AT, thing, self._building.where.get(thing, first)
        shut = [set(self._building.doors[door]) for door in self._building.closed]
        for edge in self._building.edges:
            if set(edge) not in shut:
                yield CONNECTED, *edge
        if self._domain.options.doors:
            for door, (one, other) in self._building.doors.items():
                yield HAS_DOOR, door, one, other
                yield HAS_DOOR, door, other, one
                if door not in self._building.closed:
                    yield self._domain.options.door_open or DOOR_OPEN, door

    def _is_nowhere(self, thing: str) -> bool:
        nowhere = self._domain.options.placeless
        types = {**{c.name: c.type for c in self._problem.domain.constants}, **self._problem.objects}
        return (
            thing in nowhere
            or any(self._problem.domain.is_a(types[thing], name) for name in nowhere)
            or any((name, thing) in self._problem.init for name in nowhere)
        )

    def values(self) -> dict[Atom, int]:
        """What the ways cost."""
        if TRAVEL_COST not in self._domain.functions:
            return {}
        return {(TRAVEL_COST, *edge): cost for edge, cost in self._building.edges.items()}

    # -- the goal ------------------------------------------------------------------------------------
    def goal(self, formula: Formula) -> Formula:
        """*formula* with its anchors as they are after expansion.

        A thing is held when any hand holds it; "the hand is free" means that all hands are.
        """
        match formula:
            case Literal():
                return self._goal_literal(formula)
            case Not(part):
                return negated(self.goal(part))
            case And(parts) | Or(parts):
                return type(formula)(tuple(self.goal(part) for part in parts))
            case Exists(variables, body) | Forall(variables, body):
                return type(formula)(variables, self.goal(body))
            case Count(variable, body, at_least, at_most):
                return Count(variable, self.goal(body), at_least, at_most)
        return formula

    def _goal_literal(self, literal: Literal) -> Formula:
        anchor = self._bodies.anchors.of(literal.atom[0])
        if anchor is None:
            return literal
        if anchor.item is not None:
            variables, atom = quantified_over_hands(self._bodies, anchor, literal.atom, set(literal.atom[1:]))
            held: Formula = Exists(variables, Literal(atom)) if variables else Literal(atom)
        else:
            held = self._all_free(anchor, literal.atom)
        return held if literal.positive else negated(held)

    def _all_free(self, anchor: HandPredicate, atom: Atom) -> Formula:
        """All hands are free that *atom*, which may name a robot or a hand, is about."""
        robot, hand = anchor.robot_in(atom), anchor.hand_in(atom)
        if all(term is None or term[0] != "?" for term in (robot, hand)):
            free = tuple(Literal((HAND_FREE, *place)) for place in self._fitting(anchor, atom))
            return free[0] if len(free) == 1 else And(free)
        kinds = self._bodies.kinds
        taken = set(atom[1:])
        variables = []
        if robot is None:
            robot = fresh("?any_robot", taken)
            variables.append(kinds.variable(robot, kinds.robot))
        if self._bodies.hands and hand is None:
            hand = fresh("?any_hand", taken)
            variables.append(kinds.variable(hand, kinds.hand))
        place = (robot,) if hand is None else (robot, hand)
        is_free = Literal((HAND_FREE, *place))
        if not variables:
            return is_free
        return Forall(tuple(variables), Or((Literal((HAS_HAND, *place), False), is_free)))
