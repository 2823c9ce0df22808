"""Problems on the compressed map, and their plans refined to the whole map.

Dropped are the nodes that no operator needs for anything but passing, the doors that need not be opened (see
:mod:`foretree.world_model.maps.compressed_map` for why that costs nothing), and, if the caller says which
nodes matter, all other nodes with the things there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, MutableMapping
from dataclasses import dataclass, replace
from itertools import pairwise

from foretree.planning._closure import closure
from foretree.planning.maps.navigation import Navigation, NavigationError
from foretree.planning.pddl.syntax import (
    Domain,
    Formula,
    PlanStep,
    Problem,
    atoms_of,
    constants_of,
    variables_in,
)
from foretree.planning.semantics.operator_index import index_of
from foretree.world_model.beliefs.facts import Atom
from foretree.world_model.maps.compressed_map import CompressedMap, Roadmap
from foretree.world_model.maps.places import Passage, PassageState, PlaceGraph


@dataclass(frozen=True)
class Compressed:
    """A problem on a compressed map.

    Attributes:
        problem: what a solver gets.
        layout: the map that it is on.
        navigation: how its domain speaks of moving about.
    """

    problem: Problem
    layout: Roadmap
    navigation: Navigation

    def refine(self, steps: Iterable[PlanStep]) -> tuple[PlanStep, ...]:
        """The same plan on the whole map: each move becomes one move for each passage of its way.

        Raises:
            MapError: a step moves where the compressed map has no way.
        """
        refined: list[PlanStep] = []
        for name, arguments in steps:
            move = self.navigation.moves.get(name)
            if move is None:
                refined.append((name, tuple(arguments)))
                continue
            for here, there in pairwise(self.layout.way(arguments[move.start], arguments[move.goal])):
                step = list(arguments)
                step[move.start], step[move.goal] = here, there
                refined.append((name, tuple(step)))
        return tuple(refined)


def map_facts(layout: Roadmap, navigation: Navigation) -> frozenset[Atom]:
    """The connections of a compressed map, and its doors as far as anything can open or close them."""
    names = navigation.names
    facts: set[Atom] = {
        (names.connected, *way) for one, other in layout.ways for way in ((one, other), (other, one))
    }
    facts.update((names.connected, *way[1:]) for p in layout.closable for way in p.connections())
    for passage in _doorways(layout, navigation):
        assert passage.door is not None
        facts.add((names.has_door, passage.door, passage.one, passage.other))
        facts.add((names.has_door, passage.door, passage.other, passage.one))
    return frozenset(facts)


def map_costs(layout: Roadmap, navigation: Navigation) -> dict[Atom, int]:
    """The travel costs of a compressed map, those through doors included."""
    name = navigation.names.travel_cost
    costs: dict[Atom, int] = {}
    for (one, other), path in layout.ways.items():
        costs[name, one, other] = costs[name, other, one] = path.cost
    for passage in _doorways(layout, navigation):
        costs[name, passage.one, passage.other] = costs[name, passage.other, passage.one] = passage.cost
    return costs


def _doorways(layout: Roadmap, navigation: Navigation) -> tuple[Passage, ...]:
    """The passages of a compressed map that a door may open or close."""
    return (*(layout.closed if navigation.openers else ()), *layout.closable)


def compress(
    problem: Problem,
    floor: CompressedMap,
    navigation: Navigation,
    keep: Iterable[str] | None = None,
    rests: Collection[str] = (),
    known: MutableMapping[Hashable, Roadmap] | None = None,
) -> Compressed:
    """*problem* on the compressed map.

    The cheapest plan costs the same as that of the uncompressed problem with the same nodes to act at.

    Args:
        problem: it says which doors are open and which passages are free.
        floor: the map of the same places, which is brought in step with the problem.
        navigation: how the domain speaks of moving about.
        keep: the nodes that matter. Those of robots are kept anyway, and those of the things that the goal
            names or quantifies over. By default, every node about which the problem says more than how to
            get there.
        rests: the predicates that say what a thing rests at; what rests at something that is dropped is
            dropped as well.
        known: layouts by the situation that each is of. What is not among them is added.

    Raises:
        MapError: a node that matters is not on the map.
        NavigationError: the goal is about the map itself.
    """
    _follow(floor, problem, navigation)
    nodes, doors = goal_places(
        problem.goal, problem.domain, navigation, floor.places, lambda: _objects(problem)
    )
    stated = _StatedPlaces(problem, floor.places, navigation, rests)
    if keep is None:
        nodes |= stated.nodes
        for name, type_name in _objects(problem):
            if name in floor.places and any(problem.domain.is_a(type_name, t) for t in navigation.anywhere):
                nodes.add(name)
    else:
        nodes |= {*keep, *stated.places_under(_named(problem) | _quantified(problem))}
    floor.set_terminals(sorted(nodes))
    closing = any(name in problem.domain.operators for name in navigation.closers)
    floor.keep_doors(sorted(doors), closing=closing)
    floor.robot_at(*sorted(stated.robots))
    situation, layouts = floor.situation(), {} if known is None else known
    if situation not in layouts:
        layouts[situation] = floor.roadmap()
    layout = layouts[situation]
    kept = {*layout.nodes, *doors, *(passage.door for passage in layout.closed)}
    places = [*(place.name for place in floor.places.places()), *floor.places.doors()]
    gone = stated.with_contents({name for name in places if name not in kept})
    return Compressed(_without(problem, gone, layout, navigation), layout, navigation)


def _without(problem: Problem, gone: set[str], layout: Roadmap, navigation: Navigation) -> Problem:
    """*problem* without what is gone, and with the map that is left."""
    names = navigation.names
    map_says = (names.connected, names.has_door)
    init = {atom for atom in problem.init if atom[0] not in map_says and gone.isdisjoint(atom[1:])}
    costs = {
        term: value
        for term, value in problem.functions.items()
        if term[0] != names.travel_cost and gone.isdisjoint(term[1:])
    }
    return replace(
        problem,
        objects={name: type_name for name, type_name in problem.objects.items() if name not in gone},
        init=map_facts(layout, navigation) | init,
        functions={**costs, **map_costs(layout, navigation)},
    )


def _follow(floor: CompressedMap, problem: Problem, navigation: Navigation) -> None:
    """Bring the map in step with what *problem* says about its passages."""
    connected, has_door, init = navigation.names.connected, navigation.names.has_door, problem.init

    def state_of(passage: Passage) -> PassageState:
        one, other = passage.one, passage.other
        if (connected, one, other) in init and (connected, other, one) in init:
            return PassageState.FREE
        if passage.door is not None and (has_door, passage.door, one, other) in init:
            return PassageState.CLOSED
        return PassageState.BLOCKED

    floor.follow(state_of)


def _objects(problem: Problem) -> Iterator[tuple[str, str]]:
    yield from problem.objects.items()
    yield from ((constant.name, constant.type) for constant in problem.domain.constants)


def _quantified(problem: Problem) -> set[str]:
    """The things of a type that the goal quantifies over."""
    types = {variable.type for variable in variables_in(problem.goal)} - {"object"}
    return {name for name, kind in _objects(problem) if any(problem.domain.is_a(kind, t) for t in types)}


def _named(problem: Problem) -> frozenset[str]:
    """The objects that the goal or the operators name."""
    return constants_of(problem.goal) | index_of(problem.domain).named


def goal_places(
    goal: Formula,
    domain: Domain,
    navigation: Navigation,
    places: PlaceGraph,
    types: Callable[[], Iterable[tuple[str, str]]],
) -> tuple[set[str], set[str]]:
    """The nodes and the doors that *goal* is about: those it names, and those of a type it quantifies over.

    With them come those that the operators name.

    A goal that quantifies over all objects whatever is about nodes only if it asks where a robot is, or what
    is a node.

    Args:
        types: gives the type of each object; asked for only if the goal quantifies.

    Raises:
        NavigationError: the goal is about the map itself.
    """
    names = navigation.names
    for atom in atoms_of(goal):
        if atom[0] in (names.connected, names.has_door):
            raise NavigationError(
                f"The goal asks for ({' '.join(atom)}): what is connected with what is up to the map. Valid "
                "is a goal about where robots and things are and how they are, an open door for one."
            )
    found = constants_of(goal) | index_of(domain).named
    wanted = {variable.type for variable in variables_in(goal)}
    about_nodes = (names.robot_at, *navigation.node_kinds)
    if not any(atom[0] in about_nodes and atom[-1].startswith("?") for atom in atoms_of(goal)):
        wanted.discard("object")
    if wanted:
        found |= {name for name, kind in types() if any(domain.is_a(kind, t) for t in wanted)}
    nodes = {name for name in found if name in places}
    return nodes, {name for name in found - nodes if places.door_edges(name)}


class _StatedPlaces:
    """The places that a problem's initial state speaks of."""

    def __init__(
        self, problem: Problem, places: PlaceGraph, navigation: Navigation, rests: Collection[str]
    ) -> None:
        names = navigation.names
        #: Where robots are.
        self.robots: set[str] = set()
        #: The nodes about which it says more than how to get there.
        self.nodes: set[str] = set()
        self._at: dict[str, list[str]] = {}
        self._things: dict[str, list[str]] = {}
        self._places = places
        silent = {names.robot_at, names.connected, names.has_door, *navigation.node_kinds}
        rests = {names.object_at, *rests}
        for atom in problem.init:
            if atom[0] == names.robot_at:
                self.robots.add(atom[-1])
            elif atom[0] not in silent:
                self.nodes.update(term for term in atom[1:] if term in places)
            if atom[0] in rests:
                thing, place = atom[1:]
                self._at.setdefault(thing, []).append(place)
                self._things.setdefault(place, []).append(thing)

    def places_under(self, things: Iterable[str]) -> set[str]:
        """The nodes at which *things* are, however many other things are in between."""
        return {name for name in closure(things, self._at) if name in self._places}

    def with_contents(self, places: set[str]) -> set[str]:
        """*places* with all that rests there."""
        return closure(places, self._things)
