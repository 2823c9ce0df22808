"""Where an operator takes place: robots and things are at its node, and grasping takes a thing from there.

What rests on or in something has no node of its own when things are carried: it is where its support is. An
operator that names the support of a thing needs only the support to be at its node; of any other thing it
needs to be at its node, or to rest on something there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from foretree.planning.expansion._agents import Agents, Embodiment, fresh
from foretree.planning.expansion._implied_literals import conjunction, implied, implied_atoms
from foretree.planning.expansion._kinds import overlap
from foretree.planning.expansion._roles import traits
from foretree.planning.expansion.expansion_errors import UnexpandableOperatorError
from foretree.planning.expansion.options import Expansion
from foretree.planning.pddl.formula_reader import negated
from foretree.planning.pddl.syntax import (
    TRUE,
    Effect,
    Equal,
    Exists,
    Formula,
    Literal,
    Or,
    Typed,
    constants_of,
)
from foretree.world_model.beliefs.facts import Atom
from foretree.world_model.builtin_predicates import CONNECTED, OBJECT_AT, ROBOT_AT


def navigation_predicates(bodies: Embodiment) -> dict[str, tuple[Typed, ...]]:
    """What says where robots and things are, and which way leads where."""
    kinds = bodies.kinds
    robot, node = kinds.variable("?r", kinds.robot), kinds.variable("?n", kinds.node)
    ends = (kinds.variable("?from", kinds.node), kinds.variable("?to", kinds.node))
    return {ROBOT_AT: (robot, node), OBJECT_AT: (Typed("?o"), node), CONNECTED: ends}


class OperatorLocation:
    """Where one operator takes place.

    Args:
        cast: its robots and hands.
        options: what rests on what, and what is nowhere.
    """

    def __init__(self, cast: Agents, options: Expansion) -> None:
        self._cast = cast
        self._bodies = cast.bodies
        self._domain = cast.bodies.domain
        self._options = options
        self._operator = cast.operator
        self._taken = cast.taken()
        self.node = fresh("?node", self._taken)
        self._taken.add(self.node)
        self._traits = traits(self._operator, self._bodies.kinds.static)
        condition = self._operator.precondition
        self._sure = implied_atoms(condition)
        anchors = self._bodies.anchors
        #: The operator says what the hand does, so that nothing else can be in it.
        self._hand_known = anchors.exclusive and any(anchors.of(atom[0]) for atom in self._sure)
        self._held = implied(condition, lambda literal: self._items(literal, True))
        self._unheld = implied(condition, lambda literal: self._items(literal, False))
        self._things = self._find_things()
        rests = implied(condition, self._supports)
        self._resting = {thing for thing, _ in rests}
        known = self._held | {thing.name for thing in self._things}
        #: The operator names what these rest on, so that they are where that is.
        self._placed = {thing for thing, support in rests if support in known}

    def _items(self, literal: Literal, positive: bool) -> Iterator[str]:
        """The thing that *literal* says is held, or is not."""
        for anchor in self._bodies.anchors.holding:
            item = anchor.item_in(literal.atom) if anchor.predicate == literal.atom[0] else None
            if item is not None and literal.positive == positive:
                yield item

    def _supports(self, literal: Literal) -> Iterator[tuple[str, str]]:
        """The thing that *literal* says rests on something, and what it rests on."""
        if literal.positive and literal.atom[0] in self._options.carry:
            yield literal.atom[1], literal.atom[2]

    # -- conditions ----------------------------------------------------------------------------------
    def parameter(self) -> Typed:
        """The node at which the operator takes place."""
        return self._bodies.kinds.variable(self.node, self._bodies.kinds.node)

    def guards(self) -> Iterator[Formula]:
        """The robots stand at the node."""
        yield from self._bodies.kinds.guard(self.node, self._bodies.kinds.node)
        for robot in self._cast.robots:
            yield Literal((ROBOT_AT, robot, self.node))

    def reach(self) -> Iterator[Formula]:
        """Everything that the operator works on and does not hold is at the node."""
        for thing in self._things:
            if thing.name not in self._held and thing.name not in self._placed:
                can_be_held = not self._hand_known and thing.name not in self._unheld
                yield self._within_reach(thing, self._options.nesting, can_be_held, set(self._taken))

    def goes_without_saying(self, part: Formula) -> bool:
        """Whether *part* says that a thing is not held which is said to rest at the node anyway."""
        if not isinstance(part, Literal) or part.positive:
            return False
        anchor = self._bodies.anchors.of(part.atom[0])
        if anchor is None or anchor.item is None:
            return False
        item = anchor.item_in(part.atom)
        return item not in self._held and any(thing.name == item for thing in self._things)

    def _find_things(self) -> list[Typed]:
        """The parameters and constants that are somewhere and are neither robots nor hands."""
        bodies = {*self._cast.robots, *(hand for hands in self._cast.hands.values() for hand in hands)}
        named = _constants(self._cast)
        constants = [c for c in self._domain.constants if c.name in named]
        return [
            t
            for t in (*self._operator.parameters, *constants)
            if t.name not in bodies and self._is_somewhere(t)
        ]

    def _is_somewhere(self, thing: Typed) -> bool:
        nowhere = self._options.placeless
        of_such_a_type = any(self._domain.is_a(thing.type, name) for name in nowhere)
        traits_of_it = self._traits.get(thing.name, frozenset())
        return thing.name not in nowhere and not of_such_a_type and traits_of_it.isdisjoint(nowhere)

    def _within_reach(self, thing: Typed, supports: int, can_be_held: bool, taken: set[str]) -> Formula:
        """*thing* is at the node, or rests on what is, or is held by the robot or rests on what is held."""
        ways: list[Formula] = [Literal((OBJECT_AT, thing.name, self.node))]
        if can_be_held:
            ways += self._in_a_hand(thing, taken)
        if supports > 0:
            ways += self._on_a_support(thing, supports, can_be_held, taken)
        return ways[0] if len(ways) == 1 else Or(tuple(ways))

    def _in_a_hand(self, thing: Typed, taken: set[str]) -> Iterator[Formula]:
        """A robot that acts holds *thing*, in whichever hand."""
        for anchor in self._bodies.anchors.holding:
            assert anchor.item is not None
            item = self._domain.predicates[anchor.predicate][anchor.item]
            if not overlap(self._domain, thing.type, item.type):
                continue
            inner = set(taken)
            alias, same = self._as_type(thing, item.type, inner)
            hands: tuple[Typed, ...] = ()
            if self._bodies.hands:
                kinds = self._bodies.kinds
                hands = (kinds.variable(fresh("?any_hand", inner), kinds.hand),)
            for robot in self._cast.robots:
                held = (self._bodies.name_of(anchor), robot, *(hand.name for hand in hands), alias)
                yield _exists((*same, *hands), *_equal(same, thing), Literal(held))

    def _on_a_support(
        self, thing: Typed, supports: int, can_be_held: bool, taken: set[str]
    ) -> Iterator[Formula]:
        by_types: dict[tuple[str, str], list[str]] = {}
        for predicate in self._options.carry:
            content, support = self._domain.predicates[predicate]
            if overlap(self._domain, thing.type, content.type):
                by_types.setdefault((content.type, support.type), []).append(predicate)
        for (content_type, support_type), predicates in by_types.items():
            inner = set(taken)
            alias, same = self._as_type(thing, content_type, inner)
            support = Typed(fresh("?support", inner), support_type)
            inner.add(support.name)
            rests = [Literal((predicate, alias, support.name)) for predicate in predicates]
            yield _exists(
                (*same, support),
                *_equal(same, thing),
                rests[0] if len(rests) == 1 else Or(tuple(rests)),
                self._within_reach(support, supports - 1, can_be_held, inner),
            )

    def _as_type(self, thing: Typed, type_name: str, taken: set[str]) -> tuple[str, tuple[Typed, ...]]:
        """*thing* as something of a narrower type, and the variable that it takes to say so."""
        if self._domain.is_a(thing.type, type_name):
            return thing.name, ()
        alias = Typed(fresh("?same", taken), type_name)
        taken.add(alias.name)
        return alias.name, (alias,)

    # -- effects -------------------------------------------------------------------------------------
    def effects(self) -> Iterator[Effect]:
        """What is grasped or put on a support is no longer at the node, what is neither any more is.

        Raises:
            UnexpandableOperatorError: it takes hold of things that are not among its arguments.
        """
        somewhere = {thing.name for thing in self._things}
        somewhere |= {v.name for e in self._operator.effects for v in e.variables if self._is_somewhere(v)}
        things = dict.fromkeys(self._moved(effect.literal.atom) for effect in self._operator.effects)
        for thing in things:
            if thing in somewhere:
                yield from dict.fromkeys(self._effects_on(thing))

    def _moved(self, atom: Atom) -> str | None:
        """The thing whose place *atom* decides: what is held, or what rests on something."""
        if atom[0] in self._options.carry:
            return atom[1]
        anchor = self._bodies.anchors.of(atom[0])
        return None if anchor is None else anchor.item_in(atom)

    def _effects_on(self, thing: str) -> Iterator[Effect]:
        mine = [e for e in self._operator.effects if self._moved(e.literal.atom) == thing]
        fastened = [e for e in mine if e.literal.positive]
        loosened = [e for e in mine if not e.literal.positive]
        for effect in fastened:
            if self._is_bound(thing, effect) and not self._fixed_by(effect.condition, thing):
                raise self._nowhere_known(thing)
            if thing not in self._held and thing not in self._resting:
                yield Effect(
                    Literal((OBJECT_AT, thing, self.node), False),
                    self._cast.condition(effect.condition),
                    effect.variables,
                )
        always = any(e.condition == TRUE for e in fastened)
        for effect in () if always else loosened:
            if any((e.condition, e.variables) == (effect.condition, effect.variables) for e in fastened):
                continue
            predicate, *terms = effect.literal.atom
            if predicate in self._options.carry and all(self._is_bound(term, effect) for term in terms):
                raise self._nowhere_known(thing)
            parts = [self._cast.condition(effect.condition)]
            if effect.literal.atom not in self._sure | implied_atoms(effect.condition):
                parts.append(self._cast.condition(Literal(effect.literal.atom)))
            for other in fastened:
                happens = self._cast.condition(other.condition)
                further = tuple(v for v in other.variables if v not in effect.variables)
                parts.append(negated(_exists(further, happens)))
            yield Effect(Literal((OBJECT_AT, thing, self.node)), conjunction(*parts), effect.variables)

    def _is_bound(self, term: str, effect: Effect) -> bool:
        return any(variable.name == term for variable in effect.variables)

    def _fixed_by(self, condition: Formula, thing: str) -> bool:
        """Whether *thing* is held or rests on something whenever *condition* holds."""
        return any(self._moved(atom) == thing for atom in implied_atoms(condition))

    def _nowhere_known(self, thing: str) -> UnexpandableOperatorError:
        name = self._operator.name
        return UnexpandableOperatorError(
            f'"{name}" moves things wherever they are, as {thing} stands for any: make {thing} a parameter '
            "of the action, so that it can be said where it is.",
            ("action", name),
        )


def _exists(variables: tuple[Typed, ...], *parts: Formula) -> Formula:
    body = conjunction(*parts)
    return Exists(variables, body) if variables else body


def _equal(same: Iterable[Typed], thing: Typed) -> Iterator[Formula]:
    for alias in same:
        yield Equal(alias.name, thing.name)


def _constants(cast: Agents) -> frozenset[str]:
    """The objects that the operator names."""
    operator = cast.operator
    found = set(constants_of(operator.precondition))
    for effect in operator.effects:
        found |= constants_of(effect.condition)
        found |= {term for term in effect.literal.atom[1:] if term[0] != "?"}
    return frozenset(found)
