"""The navigation of a domain: where a robot is, which nodes are connected, and the cost of getting there.

Only a domain whose moves can be strung together may be planned for on a compressed map.
:func:`find_navigation` checks the operators themselves:

- A *move* needs ``(connected ?from ?to)``, costs ``(travel_cost ?from ?to)`` and nothing else, and does
  nothing but carry over to ``?to`` what it needs at ``?from`` (that the robot is there; perhaps that a
  trolley is). So one move along a way of many passages means the same as one move for each of them.
- What makes nodes connected is a door that is opened, from one of its sides, and for both directions; what
  disconnects them is a door that is closed, likewise.
- Nothing else asks whether they are connected.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from foretree.errors import ForetreeError
from foretree.planning.pddl.syntax import (
    TRUE,
    Count,
    Domain,
    Effect,
    Equal,
    Exists,
    Forall,
    Formula,
    Literal,
    Not,
    Operator,
    atoms_of,
    parts_of,
    substitute_atom,
    terms_of,
    types_of,
)
from foretree.planning.semantics.evaluation import conjuncts
from foretree.planning.semantics.operator_index import index_of
from foretree.world_model.beliefs.facts import CONNECTED, HAS_DOOR, OBJECT_AT, ROBOT_AT, TRAVEL_COST, Atom


class NavigationError(ForetreeError):
    """A domain moves its robots in a way that cannot be planned for on a compressed map."""


@dataclass(frozen=True, slots=True)
class NavigationNames:
    """The names of a domain's predicates and its function for navigation."""

    robot_at: str = ROBOT_AT
    object_at: str = OBJECT_AT
    connected: str = CONNECTED
    has_door: str = HAS_DOOR
    travel_cost: str = TRAVEL_COST


@dataclass(frozen=True, slots=True)
class MoveParameters:
    """The positions of the nodes among a move's arguments."""

    start: int
    goal: int


@dataclass(frozen=True)
class Navigation:
    """The predicates and operators of a domain that are about moving.

    Attributes:
        names: its predicates and its function.
        moves: the operators that go from one node to the next.
        openers: the operators that open a door.
        closers: the operators that close one.
        node_kinds: unary predicates that moves need of nodes, as an untyped domain says what is a node.
        door_kinds: unary predicates that never change and that openers need of doors.
        door_states: unary predicates that openers make true of a door.
        anywhere: the types of nodes at which some operator does something that needs nothing else to be known
            about the node (handing something to a person; putting something on the floor, at any node): each
            node of these types may matter.
    """

    names: NavigationNames
    moves: Mapping[str, MoveParameters]
    openers: tuple[str, ...]
    closers: tuple[str, ...]
    node_kinds: frozenset[str]
    door_kinds: frozenset[str]
    door_states: frozenset[str]
    anywhere: tuple[str, ...]


def find_navigation(domain: Domain, names: NavigationNames = NavigationNames()) -> Navigation | None:
    """The navigation of *domain*; None if it has none, since it lacks one of the predicates or the function.

    Raises:
        NavigationError: it has one for which no map can be compressed; the message says why.
    """
    declared = {*domain.predicates, *domain.functions}
    if not {names.robot_at, names.connected, names.travel_cost} <= declared:
        return None
    moves: dict[str, MoveParameters] = {}
    openers: list[str] = []
    closers: list[str] = []
    anywhere, kinds, door_kinds, door_states = set[str](), set[str](), set[str](), set[str]()
    fluent = index_of(domain).fluents
    operators = [_Operator(operator, names, fluent) for operator in domain.operators.values()]
    for found in operators:
        found.check_conditions()
        if found.opens:
            opened = found.opened()
            door_kinds |= found.kinds(opened)
            door_states |= found.makes(opened)
            openers.append(found.operator.name)
        elif found.shuts:
            found.closed()
            closers.append(found.operator.name)
        elif found.passes is not None:
            moves[found.operator.name] = found.as_move()
            kinds |= found.kinds(found.passes[1:])
        else:
            found.check_other()
    if not moves:
        return None
    for found in operators:
        if found.operator.name not in moves:
            anywhere |= found.acts_anywhere(kinds)
    return Navigation(
        names,
        moves,
        tuple(openers),
        tuple(closers),
        frozenset(kinds),
        frozenset(door_kinds),
        frozenset(door_states),
        tuple(sorted(anywhere)),
    )


class _Operator:
    def __init__(self, operator: Operator, names: NavigationNames, fluent: Collection[str]) -> None:
        self.operator = operator
        self._names = names
        self._fluent = fluent
        self._parts = conjuncts(operator.precondition)
        self._literals = [part for part in self._parts if isinstance(part, Literal)]
        #: Conditions that are more than a literal, or that only some effects have.
        self._inside: list[Formula] = [part for part in self._parts if not isinstance(part, Literal)]
        self._inside += [effect.condition for effect in operator.effects]
        self.mentioned = {atom[0] for atom in atoms_of(operator.precondition)}
        self.opens, self.shuts = (
            [
                effect.literal.atom
                for effect in operator.effects
                if effect.literal.positive is positive and effect.literal.atom[0] == names.connected
            ]
            for positive in (True, False)
        )
        passes = [part.atom for part in self._literals if part.positive and part.atom[0] == names.connected]
        self.passes = passes[0] if passes else None

    def error(self, what: str) -> NavigationError:
        return NavigationError(
            f"The map cannot be compressed for this domain: its operator {self.operator.name} {what}. Valid "
            f"are moves along ({self._names.connected} ?from ?to) that cost ({self._names.travel_cost} ?from "
            "?to) and nothing else, and operators that open or close a door, from one of its sides."
        )

    def check_conditions(self) -> None:
        """Map predicates stand for themselves, and nothing depends on them but what happens."""
        connected, has_door = self._names.connected, self._names.has_door
        for formula in self._inside:
            for atom in atoms_of(formula):
                if atom[0] in (connected, has_door):
                    raise self.error(f"asks about {atom[0]} within a larger condition")
            for name, bound in _bound_atoms(formula):
                if name == self._names.robot_at and bound:
                    raise self.error(f"asks about all nodes that satisfy {name}")
        for effect in self.operator.effects:
            name = effect.literal.atom[0]
            if name == has_door:
                raise self.error(f"changes {name}")
            if name == connected and (_is_conditional(effect) or (self.opens and self.shuts)):
                raise self.error(f"changes {name} otherwise than by opening or closing a door")

    def check_other(self) -> None:
        """Refuse an operator that asks about the map, but neither moves nor opens a door."""
        for name in (self._names.connected, self._names.has_door):
            if name in self.mentioned:
                raise self.error(f"asks about {name} without moving or opening a door")
        cost = self.operator.cost.function
        if cost is not None and cost[0] == self._names.travel_cost:
            raise self.error(f"costs {self._names.travel_cost}, but does not move")

    def opened(self) -> set[str]:
        """The doors that it opens: what it connects are the two sides of a door, where the robot stands."""
        opened = self._doors("connects", "opens", self.opens)
        if self.passes is not None:
            raise self.error("opens a door and passes another one")
        return opened

    def closed(self) -> set[str]:
        """The doors that it closes, of which the same is true."""
        return self._doors("disconnects", "closes", self.shuts)

    def _doors(self, joins: str, turns: str, changed: Collection[Atom]) -> set[str]:
        """The doors whose two sides are those of the connections that it changes."""
        opened: set[str] = set()
        held = {literal.atom for literal in self._literals if literal.positive}
        for _, one, other in changed:
            doors = [a for a in held if a[0] == self._names.has_door and set(a[2:]) == {one, other}]
            here = [a for a in held if a[0] == self._names.robot_at and a[-1] in (one, other)]
            if not doors or not here or (self._names.connected, other, one) not in changed:
                raise self.error(
                    f"{joins} {one} with {other}, which are not the two sides of a door at which the robot "
                    "stands, or does so in one direction only"
                )
            opened |= {door[1] for door in doors}
            others = (e for e in self.operator.effects if e.literal.atom[0] != self._names.connected)
            if not all(set(effect.literal.atom) & {door[1] for door in doors} for effect in others):
                raise self.error(f"{turns} a door and does something else as well")
        return opened

    def makes(self, terms: Collection[str]) -> set[str]:
        """The unary predicates that it makes true of *terms*."""
        literals = [effect.literal for effect in self.operator.effects]
        return {e.atom[0] for e in literals if e.positive and len(e.atom) == 2 and e.atom[1] in terms}

    def as_move(self) -> MoveParameters:
        """The positions of its nodes, if it has the effects of a move, and no others."""
        operator = self.operator
        assert self.passes is not None
        _, start, goal = self.passes
        positions = [parameter.name for parameter in operator.parameters]
        if start not in positions or goal not in positions:
            raise self.error("moves between fixed nodes")
        if operator.cost.constant or operator.cost.function != (self._names.travel_cost, start, goal):
            raise self.error(f"moves from {start} to {goal}, but its cost is another one")
        carried = {atom for part in self._parts for atom in self._carried(part, start, goal)}
        if not any(atom[0] == self._names.robot_at for atom in carried):
            raise self.error(f"does not need the robot to be at {start}")
        arrives = {substitute_atom(atom, {start: goal}) for atom in carried}
        for effect in operator.effects:
            expected = arrives if effect.literal.positive else carried
            if _is_conditional(effect) or effect.literal.atom not in expected:
                raise self.error(f"moves from {start} to {goal}, but does something else as well")
        added = {effect.literal.atom for effect in operator.effects if effect.literal.positive}
        if arrives != added or len(operator.effects) != 2 * len(carried):
            raise self.error(f"does not carry over to {goal} all that it needs at {start}")
        return MoveParameters(positions.index(start), positions.index(goal))

    def _carried(self, part: Formula, start: str, goal: str) -> Iterator[Atom]:
        """The fact about *start* that a part of the precondition asks for, if it is about the nodes."""
        if isinstance(part, Not) and part.part in (Equal(start, goal), Equal(goal, start)):
            return
        if {start, goal}.isdisjoint(terms_of(part)) or part == Literal(self.passes or ()):
            return
        if isinstance(part, Literal) and part.positive and self._is_kind(part.atom):
            return
        if not isinstance(part, Literal) or not part.positive or goal in part.atom:
            raise self.error(
                f"asks for more of {start} and {goal} than what it carries from one to the other"
            )
        yield part.atom

    def kinds(self, terms: Collection[str]) -> set[str]:
        """The unary predicates that say what kind of thing *terms* are."""
        return {
            part.atom[0]
            for part in self._literals
            if part.positive and self._is_kind(part.atom) and part.atom[1] in terms
        }

    def acts_anywhere(self, kinds: set[str]) -> set[str]:
        """The types of the nodes at which it happens without anything else being known about them."""
        at = self._names.robot_at
        here = {part.atom[-1] for part in self._literals if part.positive and part.atom[0] == at}
        for literal in self._literals:
            if literal.positive and literal.atom[0] != at and literal.atom[0] not in kinds:
                here -= set(literal.atom[1:])
        for formula in self._inside:
            here |= {atom[-1] for atom in atoms_of(formula) if atom[0] == at}
        return {parameter.type for parameter in self.operator.parameters if parameter.name in here}

    def _is_kind(self, atom: Atom) -> bool:
        return len(atom) == 2 and atom[0] not in self._fluent


def _is_conditional(effect: Effect) -> bool:
    return effect.condition != TRUE or bool(effect.variables)


def _bound_atoms(formula: Formula, bound: frozenset[str] = frozenset()) -> Iterator[tuple[str, bool]]:
    """Each predicate that *formula* mentions, and whether its last argument is a quantified variable."""
    if isinstance(formula, Literal):
        yield formula.atom[0], formula.atom[-1] in bound
    if isinstance(formula, Exists | Forall | Count):
        bound |= types_of(formula.variables).keys()
    for part in parts_of(formula):
        yield from _bound_atoms(part, bound)
