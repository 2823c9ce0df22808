"""Problems put together from parts, each of which says only what is its own to say.

The robot says where it is and what its hands hold. The grounding of a node says what is there and in which
state: simulated, out of a belief, or by a model that looks at a picture of it. The map says what is
connected, where doors are and what ways cost. So each can be replaced, and a mistake has one author. A part
that says what is another's to say is refused, with its name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

from foretree.errors import ForetreeError, suggest
from foretree.planning.maps.compression import Compressed, goal_places, map_costs, map_facts
from foretree.planning.maps.navigation import Navigation
from foretree.planning.pddl.syntax import Domain, Formula, Problem, Typed, atoms_of, constants_of
from foretree.planning.task.problems import ProblemError
from foretree.world_model.beliefs.facts import HAND_FREE, HAS_HAND, HOLDING, ROBOT_AT, Atom
from foretree.world_model.maps.compressed_map import CompressedMap, Roadmap
from foretree.world_model.maps.places import PlaceGraph

#: The kinds of components that a problem is made of.
Owner: TypeAlias = Literal["robot", "map", "grounding"]

#: What a robot says of itself, under the canonical names.
ROBOT_SAYS = frozenset((ROBOT_AT, HAS_HAND, HAND_FREE, HOLDING))


class OwnershipError(ForetreeError):
    """A part of a problem says what is another one's to say."""


class PartError(ForetreeError):
    """A part of a problem does not fit the domain, or contradicts another one."""


@dataclass(frozen=True)
class Contents:
    """The statements of a component.

    Attributes:
        objects: the objects it knows of, with their types.
        facts: what is true; what is not said is false.
        functions: the values of functions.
    """

    objects: Mapping[str, str] = field(default_factory=dict)
    facts: frozenset[Atom] = frozenset()
    functions: Mapping[Atom, int] = field(default_factory=dict)


class NodeGrounding(Protocol):
    """Says what is at a node."""

    def ground(self, node: str) -> Contents:
        """The things at *node*, with their states and how they rest on each other."""
        ...


class RobotState(Protocol):
    """Says how a robot is."""

    @property
    def name(self) -> str:
        """The robot's name."""
        ...

    def state(self) -> Contents:
        """Return where the robot is, its hands, and what they hold."""
        ...


@dataclass(frozen=True)
class ProblemPart:
    """The statements of one component, with its name.

    Attributes:
        owner: which kind of component it is.
        author: its name in messages.
        node: the node that a grounding is of.
        doors: the doors that a map has.
    """

    owner: Owner
    author: str
    contents: Contents
    node: str | None = None
    doors: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Ownership:
    """Ownership of statements: the robot's and the map's as listed, and everything else the groundings'.

    What is said of a door is the map's, whatever the predicate.
    """

    robot: frozenset[str]
    map: frozenset[str]
    object_at: str

    def of(self, atom: Atom, doors: frozenset[str]) -> Owner:
        """Return the owner of *atom*."""
        if atom[0] in self.robot:
            return "robot"
        if atom[0] in self.map or not doors.isdisjoint(atom[1:]):
            return "map"
        return "grounding"


def usual_ownership(navigation: Navigation) -> Ownership:
    """The ownership that goes with a domain's navigation."""
    names = navigation.names
    return Ownership(
        frozenset((names.robot_at, *ROBOT_SAYS)),
        frozenset((names.connected, names.has_door, names.travel_cost, *navigation.node_kinds)),
        names.object_at,
    )


def assemble(
    domain: Domain,
    goal: Formula,
    parts: Sequence[ProblemPart],
    ownership: Ownership,
    name: str = "problem",
) -> Problem:
    """The problem that the *parts* describe together.

    The work grows with the parts, not with the building.

    Raises:
        OwnershipError: a part says what is another's to say.
        PartError: a part does not fit the domain, speaks of unknown objects, or contradicts another one.
        ProblemError: the goal names something that no part knows of.
    """
    constants = {constant.name: constant.type for constant in domain.constants}
    objects = _objects(domain, parts, constants)
    known = {**constants, **objects}
    doors = frozenset[str]().union(*(part.doors for part in parts))
    init: set[Atom] = set()
    functions: dict[Atom, int] = {}
    for part in parts:
        for atom in sorted(part.contents.facts):
            _check(part, atom, domain, domain.predicates, known)
            _check_owner(part, atom, ownership, doors)
            init.add(atom)
        for term, value in part.contents.functions.items():
            _check(part, term, domain, domain.functions, known)
            _check_owner(part, term, ownership, doors)
            if functions.setdefault(term, value) != value:
                raise PartError(
                    f"{part.author} says that ({' '.join(term)}) is {value}, but another part says it is "
                    f"{functions[term]}. Each value of a function has one author."
                )
    check_goal(goal, domain, known)
    return Problem(name, domain, objects, frozenset(init), goal, functions)


def check_goal(goal: Formula, domain: Domain, known: Mapping[str, str]) -> None:
    """Check that *goal* speaks only of what there is.

    Raises:
        ProblemError: it names an object that is not *known*, or a predicate that the domain does not have.
    """
    for atom in atoms_of(goal):
        if atom[0] not in domain.predicates:
            raise ProblemError(
                f"The goal says {atom[0]}, which is no predicate of the domain {domain.name}. "
                f"{suggest(atom[0], domain.predicates)}"
            )
    for term in sorted(constants_of(goal)):
        if term not in known:
            raise ProblemError(
                f'The goal names "{term}", which neither the robot nor the map nor the grounding of any node '
                f"that matters knows of. {suggest(term, known)}"
            )


def _objects(domain: Domain, parts: Sequence[ProblemPart], constants: Mapping[str, str]) -> dict[str, str]:
    """All objects with their types; of two types of the same object, the one that says more."""
    objects: dict[str, str] = {}
    authors: dict[str, str] = {}
    for part in parts:
        for name, type_name in part.contents.objects.items():
            if type_name != "object" and type_name not in domain.types:
                raise PartError(
                    f'{part.author} says that "{name}" is of type {type_name}, which the domain '
                    f"{domain.name} does not have. {suggest(type_name, [*domain.types, 'object'])}"
                )
            former = objects.get(name, constants.get(name))
            if former is not None and not domain.is_a(type_name, former):
                if not domain.is_a(former, type_name):
                    author = authors.get(name, f"the domain {domain.name}")
                    raise PartError(
                        f'{part.author} says that "{name}" is of type {type_name}, but {author} says it is '
                        f"of type {former}. Two parts may speak of the same object if the type of one is "
                        "that of the other, or below it."
                    )
                continue
            authors[name] = part.author
            if name not in constants:
                objects[name] = type_name
    return objects


def _check(
    part: ProblemPart,
    atom: Atom,
    domain: Domain,
    declared: Mapping[str, tuple[Typed, ...]],
    known: Mapping[str, str],
) -> None:
    """Check that the domain has such atoms, about such objects."""
    said = f"{part.author} says ({' '.join(atom)})"
    parameters = declared.get(atom[0])
    if parameters is None:
        raise PartError(
            f"{said}, but the domain {domain.name} has no {atom[0]}. {suggest(atom[0], declared)}"
        )
    if len(parameters) != len(atom) - 1:
        signature = " ".join((atom[0], *(f"{p.name} - {p.type}" for p in parameters)))
        raise PartError(f"{said}, but that takes {len(parameters)} arguments: ({signature}).")
    for term, parameter in zip(atom[1:], parameters, strict=True):
        if term not in known:
            raise PartError(f'{said}, but no part knows of "{term}". {suggest(term, known)}')
        if not domain.is_a(known[term], parameter.type):
            raise PartError(
                f'{said}, but "{term}" is of type {known[term]}, and {parameter.name} must be of type '
                f"{parameter.type}."
            )


def _check_owner(part: ProblemPart, atom: Atom, ownership: Ownership, doors: frozenset[str]) -> None:
    """Check that it is this part's to say so."""
    owner = ownership.of(atom, doors)
    said = f"{part.author} says ({' '.join(atom)})"
    if owner != part.owner:
        of_a_door = atom[0] not in ownership.map and not doors.isdisjoint(atom[1:])
        raise OwnershipError(
            f"{said}, but {atom[0]}{' of a door' if of_a_door else ''} belongs to {_OWNERS[owner]}. "
            f"{part.author} may say {_allowed_statements(part.owner, ownership)}."
        )
    if part.node is not None and atom[0] == ownership.object_at and atom[-1] != part.node:
        raise OwnershipError(
            f"{said}, but {ownership.object_at} at {atom[-1]} belongs to the grounding of {atom[-1]}. "
            f"{part.author} may say what is at {part.node}."
        )


_OWNERS: Mapping[Owner, str] = {
    "robot": "the robot",
    "map": "the map",
    "grounding": "the groundings of the nodes",
}


def _allowed_statements(owner: Owner, ownership: Ownership) -> str:
    if owner == "grounding":
        return f"anything but {', '.join(sorted(ownership.robot | ownership.map))} and what is said of doors"
    if owner == "robot":
        return ", ".join(sorted(ownership.robot))
    return f"{', '.join(sorted(ownership.map))} and what is said of doors"


# -- the usual parts -----------------------------------------------------------------------------------------


def map_part(layout: Roadmap, domain: Domain, navigation: Navigation) -> ProblemPart:
    """Return the statements of a compressed map."""
    names = navigation.names
    node_type = domain.predicates[names.connected][0].type
    objects = dict.fromkeys(layout.nodes, node_type)
    facts = set(map_facts(layout, navigation))
    facts |= {(kind, node) for kind in navigation.node_kinds for node in layout.nodes}
    doors: tuple[str, ...] = ()
    if names.has_door in domain.predicates:
        doors = (*layout.opened, *(passage.door for passage in layout.closed if passage.door is not None))
        objects |= dict.fromkeys(doors, domain.predicates[names.has_door][0].type)
        facts |= {(kind, door) for kind in navigation.door_kinds for door in doors}
        facts |= {(state, door) for state in navigation.door_states for door in layout.opened}
    contents = Contents(objects, frozenset(facts), map_costs(layout, navigation))
    return ProblemPart("map", "The map", contents, doors=frozenset(doors))


def factored_problem(
    domain: Domain,
    goal: Formula,
    robots: Sequence[RobotState],
    grounding: NodeGrounding,
    floor: CompressedMap,
    navigation: Navigation,
    keep: Iterable[str],
    ownership: Ownership | None = None,
) -> Compressed:
    """The problem of reaching *goal* where only the nodes *keep* matter, each of which is grounded.

    Nodes that the goal names, and those where robots are, are kept and grounded as well. A goal about all
    things of a kind is about those at these nodes.

    Args:
        robots: who acts.
        grounding: says what is at each of the nodes.
        floor: says how they are connected; doors and blocked passages are as it was told.
        ownership: whose it is to say what; by default, under the canonical names.

    Raises:
        OwnershipError: a part says what is another's to say.
        PartError: a part does not fit the domain, speaks of unknown objects, or contradicts another one.
        ProblemError: the goal names something that no part knows of.
        MapError: a node is not on the map.
    """
    ownership = ownership or usual_ownership(navigation)
    places = floor.places
    parts = [ProblemPart("robot", robot.name, robot.state()) for robot in robots]
    here = {atom[-1] for p in parts for atom in p.contents.facts if atom[0] == navigation.names.robot_at}
    nodes, doors = goal_places(goal, domain, navigation, places, lambda: _types(domain, navigation, places))
    nodes.update(keep)
    floor.set_terminals(sorted(nodes))
    floor.keep_doors(sorted(doors))
    floor.robot_at(*sorted(here))
    layout = floor.roadmap()
    parts.append(map_part(layout, domain, navigation))
    for node in sorted(nodes | here):
        parts.append(ProblemPart("grounding", f"The grounding of {node}", grounding.ground(node), node))
    return Compressed(assemble(domain, goal, parts, ownership), layout, navigation)


def _types(domain: Domain, navigation: Navigation, places: PlaceGraph) -> Iterator[tuple[str, str]]:
    """The type of each node and door of the map."""
    names = navigation.names
    for place in places.places():
        yield place.name, domain.predicates[names.connected][0].type
    for door in places.doors() if names.has_door in domain.predicates else ():
        yield door, domain.predicates[names.has_door][0].type
