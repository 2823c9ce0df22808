"""What two hands hold together: one hand alone cannot let go of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from foretree.planning.expansion._agents import Agents, Embodiment
from foretree.planning.expansion._implied_literals import implied
from foretree.planning.expansion._kinds import overlap
from foretree.planning.pddl.formula_reader import negated
from foretree.planning.pddl.syntax import Effect, Forall, Formula, Literal, Operator, Or, Typed
from foretree.planning.semantics.operator_index import index_of

HELD_IN_BOTH_HANDS = "held_in_both_hands"


class TwoHandGrasps:
    """Keeps operators that use one hand from letting go of what two hands hold.

    Most domains say by types or by a static predicate (``bulky``) which things take two hands; then nothing
    is added. Where an operator for one hand might get at such a thing, ``held_in_both_hands`` tells.

    Args:
        bodies: how the domain speaks of hands, and which operators take two.
        casts: who acts in each operator.
    """

    def __init__(self, bodies: Embodiment, casts: Mapping[str, Agents]) -> None:
        self._bodies = bodies
        self._two = {n: o for n, o in bodies.domain.operators.items() if n in bodies.two_handed}
        self._lifted = [
            (operator, effect)
            for operator in self._two.values()
            for effect in _changes(bodies, operator)
            if effect.literal.positive
        ]
        self._needed = any(True for cast in casts.values() for _ in self._at_risk(cast.operator))

    def predicates(self) -> dict[str, tuple[Typed, ...]]:
        """What has to be declared."""
        return {HELD_IN_BOTH_HANDS: (Typed("?o"),)} if self._needed else {}

    def guards(self, cast: Agents) -> Iterator[Formula]:
        """What an operator for one hand must not find in both."""
        for effect in self._at_risk(cast.operator):
            in_one = Literal((HELD_IN_BOTH_HANDS, _item(self._bodies, effect.literal)), False)
            if effect.variables:
                # It lets go of whatever it holds: of that, nothing may be in two hands.
                not_held = negated(cast.condition(Literal(effect.literal.atom)))
                yield Forall(effect.variables, Or((not_held, in_one)))
            else:
                yield in_one

    def effects(self, cast: Agents) -> Iterator[Effect]:
        """What an operator for two hands lifts and puts down."""
        if not self._needed or cast.operator.name not in self._two:
            return
        for effect in _changes(self._bodies, cast.operator):
            held = (HELD_IN_BOTH_HANDS, _item(self._bodies, effect.literal))
            condition = cast.condition(effect.condition)
            yield Effect(Literal(held, effect.literal.positive), condition, effect.variables)

    def _at_risk(self, operator: Operator) -> Iterator[Effect]:
        """The effects by which *operator* lets go with one hand of what may be in two."""
        if operator.name in self._two:
            return
        for effect in _changes(self._bodies, operator):
            item = _item(self._bodies, effect.literal)
            if not effect.literal.positive and any(
                self._same(operator, item, lifter, _item(self._bodies, lifted.literal))
                for lifter, lifted in self._lifted
            ):
                yield effect

    def _same(self, one: Operator, item: str, other: Operator, lifted: str) -> bool:
        """Whether *item* of the one operator can be *lifted* of the other."""
        domain = self._bodies.domain
        if not overlap(
            domain, _type_of(domain.constants, one, item), _type_of(domain.constants, other, lifted)
        ):
            return False
        changing = index_of(domain).fluents
        needs = _traits(one, item)
        others = _traits(other, lifted)
        return not any(
            name not in changing and others.get(name, value) != value for name, value in needs.items()
        )


def _changes(bodies: Embodiment, operator: Operator) -> list[Effect]:
    """The effects of *operator* on what is held."""
    return [effect for effect in operator.effects if bodies.anchors.holds(effect.literal.atom[0])]


def _item(bodies: Embodiment, literal: Literal) -> str:
    anchor = bodies.anchors.of(literal.atom[0])
    assert anchor is not None
    assert anchor.item is not None
    return literal.atom[anchor.item + 1]


def _traits(operator: Operator, term: str) -> dict[str, bool]:
    """What *operator* needs to be true and false of *term* alone."""
    return {
        literal.atom[0]: literal.positive
        for literal in implied(operator.precondition, lambda literal: (literal,))
        if literal.atom[1:] == (term,)
    }


def _type_of(constants: tuple[Typed, ...], operator: Operator, term: str) -> str:
    variables = [v for effect in operator.effects for v in effect.variables]
    return next((t.type for t in (*operator.parameters, *constants, *variables) if t.name == term), "object")
