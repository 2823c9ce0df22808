"""The location of an operator: robots and things are at its node, and grasping takes a thing from there.

What rests on or in something has no node of its own when things are carried: it is where its support is. An
operator that names the support of a thing needs only the support to be at its node; of any other thing it
needs to be at its node, or to rest on something there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from foretree.planning.expansion._agents import Agents, Embodiment, fresh, overlap
from foretree.planning.expansion._implied_literals import implied, implied_atoms
from foretree.planning.expansion._role_words import traits
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
    Typed,
    constants_of,
    types_of,
)
from foretree.planning.semantics.evaluation import conjunction, disjunction
from foretree.world_model.beliefs.facts import CONNECTED, OBJECT_AT, ROBOT_AT, Atom


def navigation_predicates(embodiment: Embodiment) -> dict[str, tuple[Typed, ...]]:
    """The predicates for the nodes of robots and things, and for the ways between nodes."""
    kinds = embodiment.kinds
    robot, node = kinds.variable("?r", kinds.robot), kinds.variable("?n", kinds.node)
    ends = (kinds.variable("?from", kinds.node), kinds.variable("?to", kinds.node))
    return {ROBOT_AT: (robot, node), OBJECT_AT: (Typed("?o"), node), CONNECTED: ends}


class OperatorLocation:
    """The node at which one operator takes place.

    Args:
        agents: its robots and hands.
        options: what rests on what, and what is nowhere.
    """

    def __init__(self, agents: Agents, options: Expansion) -> None:
        self._agents = agents
        self._embodiment = agents.embodiment
        self._domain = agents.embodiment.domain
        self._options = options
        self._operator = agents.operator
        self._taken = agents.taken()
        self.node = fresh("?node", self._taken)
        self._taken.add(self.node)
        self._traits = traits(self._operator, self._embodiment.kinds.static)
        condition = self._operator.precondition
        self._sure = implied_atoms(condition)
        #: The operator says what the hand does, so that nothing else can be in it.
        hands = self._embodiment.hand_predicates
        self._hand_known = hands.exclusive and any(hands.of(atom[0]) for atom in self._sure)
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
        item = self._embodiment.hand_predicates.item_in(literal.atom)
        if item is not None and literal.positive == positive:
            yield item

    def _supports(self, literal: Literal) -> Iterator[tuple[str, str]]:
        """The thing that *literal* says rests on something, and what it rests on."""
        if literal.positive and literal.atom[0] in self._options.carry:
            yield literal.atom[1], literal.atom[2]

    # -- conditions ----------------------------------------------------------------------------------
    def parameter(self) -> Typed:
        """The node at which the operator takes place."""
        return self._embodiment.kinds.variable(self.node, self._embodiment.kinds.node)

    def guards(self) -> Iterator[Formula]:
        """The robots stand at the node."""
        yield from self._embodiment.kinds.guard(self.node, self._embodiment.kinds.node)
        for robot in self._agents.robots:
            yield Literal((ROBOT_AT, robot, self.node))

    def reach(self) -> Iterator[Formula]:
        """Everything that the operator works on and does not hold is at the node."""
        for thing in self._things:
            if thing.name not in self._held and thing.name not in self._placed:
                can_be_held = not self._hand_known and thing.name not in self._unheld
                yield self._within_reach(thing, self._options.nesting, can_be_held, set(self._taken))

    def is_redundant(self, part: Formula) -> bool:
        """True if *part* says that a thing is not held which must rest at the node anyway."""
        if not isinstance(part, Literal):
            return False
        return any(
            item not in self._held and any(thing.name == item for thing in self._things)
            for item in self._items(part, False)
        )

    def _find_things(self) -> list[Typed]:
        """The parameters and constants that are somewhere and are neither robots nor hands."""
        acting = {*self._agents.robots, *(hand for hands in self._agents.hands.values() for hand in hands)}
        operator = self._operator
        named = {term for effect in operator.effects for term in effect.literal.atom[1:]}
        named = named.union(*map(constants_of, operator.conditions))
        constants = [c for c in self._domain.constants if c.name in named]
        things = (*operator.parameters, *constants)
        return [thing for thing in things if thing.name not in acting and self._is_somewhere(thing)]

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
        return disjunction(ways)

    def _in_a_hand(self, thing: Typed, taken: set[str]) -> Iterator[Formula]:
        """A robot that acts holds *thing*, in whichever hand."""
        for predicate in self._embodiment.hand_predicates.holding:
            assert predicate.item is not None
            item = self._domain.predicates[predicate.name][predicate.item]
            if not overlap(self._domain, thing.type, item.type):
                continue
            inner = set(taken)
            alias, same = self._as_type(thing, item.type, inner)
            hands: tuple[Typed, ...] = ()
            if self._embodiment.hands:
                kinds = self._embodiment.kinds
                hands = (kinds.variable(fresh("?any_hand", inner), kinds.hand),)
            for robot in self._agents.robots:
                held = (self._embodiment.name_of(predicate), robot, *(hand.name for hand in hands), alias)
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
                disjunction(rests),
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
        """The effects on nodes: a thing that is grasped leaves the node, as does one put on a support.

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
        carried = atom[0] in self._options.carry
        return atom[1] if carried else self._embodiment.hand_predicates.item_in(atom)

    def _effects_on(self, thing: str) -> Iterator[Effect]:
        mine = [e for e in self._operator.effects if self._moved(e.literal.atom) == thing]
        fastened = [e for e in mine if e.literal.positive]
        at_node = Literal((OBJECT_AT, thing, self.node))
        for effect in fastened:
            bound = thing in types_of(effect.variables)
            if bound and all(self._moved(atom) != thing for atom in implied_atoms(effect.condition)):
                raise self._nowhere_known(thing)
            if thing not in self._held and thing not in self._resting:
                yield Effect(~at_node, self._agents.condition(effect.condition), effect.variables)
        if any(effect.condition == TRUE for effect in fastened):
            return
        held_again = [(effect.condition, effect.variables) for effect in fastened]
        for effect in mine:
            if not effect.literal.positive and (effect.condition, effect.variables) not in held_again:
                yield Effect(at_node, self._let_go(thing, effect, fastened), effect.variables)

    def _let_go(self, thing: str, effect: Effect, fastened: Sequence[Effect]) -> Formula:
        """The condition under which *effect* leaves *thing* neither held nor resting on anything."""
        predicate, *terms = atom = effect.literal.atom
        if predicate in self._options.carry and set(terms) <= types_of(effect.variables).keys():
            raise self._nowhere_known(thing)
        parts = [self._agents.condition(effect.condition)]
        if atom not in self._sure | implied_atoms(effect.condition):
            parts.append(self._agents.condition(Literal(atom)))
        for other in fastened:
            further = tuple(v for v in other.variables if v not in effect.variables)
            parts.append(negated(_exists(further, self._agents.condition(other.condition))))
        return conjunction(*parts)

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
