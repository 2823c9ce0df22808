"""Expansion of a problem on a tabletop to one in a building."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from foretree.errors import suggest
from foretree.planning.expansion._agents import Embodiment, for_any_hand
from foretree.planning.expansion.added_operators import DOOR_OPEN
from foretree.planning.expansion.expand import ExpandedDomain
from foretree.planning.expansion.expansion_errors import ProblemExpansionError
from foretree.planning.expansion.hand_predicates import HandPredicate
from foretree.planning.pddl.formula_reader import negated
from foretree.planning.pddl.syntax import (
    Exists,
    Forall,
    Formula,
    Literal,
    Not,
    Or,
    Problem,
    rebuild,
    types_of,
)
from foretree.planning.semantics.evaluation import conjunction
from foretree.world_model.beliefs.facts import (
    CONNECTED,
    HAND_FREE,
    HAS_DOOR,
    HAS_HAND,
    OBJECT_AT,
    ROBOT_AT,
    TRAVEL_COST,
    Atom,
)


@dataclass(frozen=True, slots=True)
class Building:
    """The building in which a problem takes place.

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
    embodiment, options = domain.embodiment, domain.options
    own = [] if embodiment is None else _own(embodiment, problem, "robot")
    names = own or [f"robot{number}" for number in range(1, (options.robots or 1) + 1)]
    if embodiment is not None and (hands := _own(embodiment, problem, "hand")):
        return Building(_own_hands(embodiment, problem, names, hands))
    each = range(1, (options.hands_each or 1) + 1)
    if len(names) == 1:
        return Building({names[0]: tuple(f"hand{number}" for number in each)})
    return Building({name: tuple(f"{name}_hand{number}" for number in each) for name in names})


def _own_hands(
    embodiment: Embodiment, problem: Problem, robots: Sequence[str], hands: Sequence[str]
) -> dict[str, Sequence[str]]:
    """The hands of each robot, as far as the problem's facts name them together."""
    if len(robots) == 1:
        return {robots[0]: tuple(hands)}
    pairs = {(p.term("robot", atom), p.term("hand", atom)) for p, atom in _hand_facts(embodiment, problem)}
    return {name: tuple(sorted(hand for robot, hand in pairs if robot == name and hand)) for name in robots}


def expand_problem(problem: Problem, domain: ExpandedDomain, building: Building | None = None) -> Problem:
    """*problem*, which is of the domain that *domain* was made from, in a building.

    Raises:
        ProblemExpansionError: the building names what the problem does not have, or the other way round.
    """
    building = building or usual_building(domain, problem)
    if domain.embodiment is None:
        return replace(problem, domain=domain, minimise_cost=True)
    expansion = _ProblemExpansion(problem, domain, domain.embodiment, building)
    return Problem(
        problem.name,
        domain,
        expansion.objects(),
        frozenset(expansion.facts()),
        expansion.goal(problem.goal),
        {**problem.functions, **expansion.values()},
        problem.minimise_cost or domain.options.costs,
    )


def _hand_facts(embodiment: Embodiment, problem: Problem) -> Iterator[tuple[HandPredicate, Atom]]:
    """The facts of the problem that are about hands, sorted."""
    for atom in sorted(problem.init):
        predicate = embodiment.hand_predicates.of(atom[0])
        if predicate is not None:
            yield predicate, atom


def _own(embodiment: Embodiment, problem: Problem, role: str) -> list[str]:
    """The robots or hands that the problem itself has."""
    kinds = embodiment.kinds
    if not embodiment.hand_predicates.speak_of(role):
        return []
    kind = kinds.robot if role == "robot" else kinds.hand
    if kinds.typed and kind != "object":
        return list(problem.of_type(kind))
    found = {atom[1] for atom in problem.init if atom[0] == kind}
    for predicate, atom in _hand_facts(embodiment, problem):
        found.add(predicate.term(role, atom) or "")
    return sorted(found - {""})


class _ProblemExpansion:
    def __init__(
        self, problem: Problem, domain: ExpandedDomain, embodiment: Embodiment, building: Building
    ) -> None:
        self._problem = problem
        self._domain = domain
        self._embodiment = embodiment
        self._building = building
        self._hands = {robot: tuple(hands) for robot, hands in building.robots.items()}
        self._things = sorted({*problem.objects, *(constant.name for constant in problem.domain.constants)})
        self._check()

    def _check(self) -> None:
        building, problem = self._building, f'the problem "{self._problem.name}"'
        own = {name for role in ("robot", "hand") for name in _own(self._embodiment, self._problem, role)}
        for name, _ in self._new():
            if name in self._things and name not in own:
                raise ProblemExpansionError(
                    f'"{name}" is the name of an object of {problem} already: give what the building adds '
                    "another name."
                )
        ends = [node for edge in (*building.edges, *building.doors.values()) for node in edge]
        nodes = (*ends, *building.where.values(), *building.stands.values())
        for names, valid, kind in (
            (nodes, building.nodes, "a node of the building"),
            (building.closed, building.doors, "a door of the building"),
            (building.where, self._things, f"an object of {problem}"),
            (building.stands, self._hands, "a robot here"),
        ):
            for name in names:
                if name not in valid:
                    raise ProblemExpansionError(f'"{name}" is not {kind}. {suggest(name, valid)}')

    # -- objects -------------------------------------------------------------------------------------
    def _new(self) -> Iterator[tuple[str, str]]:
        """The things that the building adds, with their kinds."""
        kinds, options = self._embodiment.kinds, self._domain.options
        for robot, hands in self._hands.items():
            yield robot, kinds.robot
            if self._embodiment.hands:
                for hand in hands:
                    yield hand, kinds.hand
        if options.navigates:
            for node in self._building.nodes:
                yield node, kinds.node
        if options.doors:
            for door in self._building.doors:
                yield door, kinds.door

    def objects(self) -> dict[str, str]:
        typed = self._embodiment.kinds.typed
        added = {n: kind if typed else "object" for n, kind in self._new() if n not in self._things}
        return {**self._problem.objects, **added}

    # -- facts ---------------------------------------------------------------------------------------
    def facts(self) -> Iterator[Atom]:
        if not self._embodiment.kinds.typed:
            for name, kind in self._new():
                yield kind, name
        if self._embodiment.hands:
            yield from ((HAS_HAND, *place) for place in self._all_places())
        yield from self._hand_facts()
        if self._domain.options.navigates:
            yield from self._places()

    def _hand_facts(self) -> Iterator[Atom]:
        """The problem's facts, with the hand predicates as they are after expansion."""
        hand_predicates = self._embodiment.hand_predicates
        yield from (atom for atom in sorted(self._problem.init) if hand_predicates.of(atom[0]) is None)
        busy: set[tuple[str, ...]] = set()
        free = []
        for predicate, atom in _hand_facts(self._embodiment, self._problem):
            if predicate.item is None:
                free.append((predicate, atom))
            else:
                place = self._place_of(predicate, atom, busy)
                busy.add(place)
                yield self._embodiment.name_of(predicate), *place, str(predicate.term("item", atom))
        idle = [place for predicate, atom in free for place in self._fitting(predicate, atom)]
        # Further hands are free although the one that the problem knows of is not.
        if busy and hand_predicates.hand_free.hand is None:
            known = {place[0] for place in busy} if hand_predicates.speak_of("robot") else {*self._hands}
            idle += [place for place in self._all_places() if place[0] in known]
        yield from ((HAND_FREE, *place) for place in idle if place not in busy)

    def _all_places(self) -> list[tuple[str, ...]]:
        """Each robot, with each of its hands where these are told apart."""
        if not self._embodiment.hands:
            return [(robot,) for robot in self._hands]
        return [(robot, hand) for robot, hands in self._hands.items() for hand in hands]

    def _fitting(self, predicate: HandPredicate, atom: Atom) -> list[tuple[str, ...]]:
        """The robots and hands that *atom* can be about."""
        robot, hand = predicate.term("robot", atom), predicate.term("hand", atom)
        return [p for p in self._all_places() if robot in (None, p[0]) and hand in (None, p[-1])]

    def _place_of(self, predicate: HandPredicate, atom: Atom, busy: set[tuple[str, ...]]) -> tuple[str, ...]:
        place = next((place for place in self._fitting(predicate, atom) if place not in busy), None)
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
        fixed |= {str(p.term("item", atom)) for p, atom in _hand_facts(self._embodiment, self._problem)}
        new = {name for name, _ in self._new()}
        for thing in self._things:
            if thing not in fixed and thing not in new and not self._is_nowhere(thing):
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
        types = {**types_of(self._problem.domain.constants), **self._problem.objects}
        return (
            thing in nowhere
            or any(self._problem.domain.is_a(types[thing], name) for name in nowhere)
            or any((name, thing) in self._problem.init for name in nowhere)
        )

    def values(self) -> dict[Atom, int]:
        """The costs of the ways."""
        if TRAVEL_COST not in self._domain.functions:
            return {}
        return {(TRAVEL_COST, *edge): cost for edge, cost in self._building.edges.items()}

    # -- the goal ------------------------------------------------------------------------------------
    def goal(self, formula: Formula) -> Formula:
        """*formula* with its hand predicates as they are after expansion.

        A thing is held when any hand holds it; "the hand is free" means that all hands are.
        """
        if isinstance(formula, Literal):
            return self._goal_literal(formula)
        if isinstance(formula, Not):
            return negated(self.goal(formula.part))
        return rebuild(formula, self.goal)

    def _goal_literal(self, literal: Literal) -> Formula:
        predicate = self._embodiment.hand_predicates.of(literal.atom[0])
        if predicate is None:
            return literal
        if predicate.item is not None:
            variables, atom = for_any_hand(self._embodiment, predicate, literal.atom, set(literal.atom[1:]))
            held: Formula = Exists(variables, Literal(atom)) if variables else Literal(atom)
        else:
            held = self._all_free(predicate, literal.atom)
        return held if literal.positive else negated(held)

    def _all_free(self, predicate: HandPredicate, atom: Atom) -> Formula:
        """All hands are free that *atom*, which may name a robot or a hand, is about."""
        robot, hand = predicate.term("robot", atom), predicate.term("hand", atom)
        if all(term is None or term[0] != "?" for term in (robot, hand)):
            return conjunction(*(Literal((HAND_FREE, *place)) for place in self._fitting(predicate, atom)))
        # Without a thing to hold, "held by any hand" is "any hand is free".
        variables, is_free = for_any_hand(self._embodiment, predicate, atom, set(atom[1:]))
        if not variables:
            return Literal(is_free)
        return Forall(variables, Or((Literal((HAS_HAND, *is_free[1:]), False), Literal(is_free))))
