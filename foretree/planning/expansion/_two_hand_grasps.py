"""Things held in both hands, which one hand alone cannot let go of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from foretree.planning.expansion._agents import Agents, Embodiment, overlap
from foretree.planning.expansion._implied_literals import implied_literals
from foretree.planning.pddl.formula_reader import negated
from foretree.planning.pddl.syntax import Effect, Forall, Formula, Literal, Operator, Or, Typed
from foretree.planning.semantics.operator_index import index_of

HELD_IN_BOTH_HANDS = "held_in_both_hands"


class TwoHandGrasps:
    """Keeps operators that use one hand from letting go of what two hands hold.

    Most domains say by types or by a static predicate (``bulky``) which things take two hands; then nothing
    is added. Where an operator for one hand might get at such a thing, ``held_in_both_hands`` tells.

    Args:
        embodiment: how the domain speaks of hands, and which operators take two.
        agents: the robots and hands of each operator.
    """

    def __init__(self, embodiment: Embodiment, agents: Mapping[str, Agents]) -> None:
        self._embodiment = embodiment
        self._two = {n: o for n, o in embodiment.domain.operators.items() if n in embodiment.two_handed}
        self._lifted = [
            (operator, effect)
            for operator in self._two.values()
            for effect in _changes(embodiment, operator)
            if effect.literal.positive
        ]
        self._needed = any(True for each in agents.values() for _ in self._at_risk(each.operator))

    def predicates(self) -> dict[str, tuple[Typed, ...]]:
        """The predicates to be declared."""
        return {HELD_IN_BOTH_HANDS: (Typed("?o"),)} if self._needed else {}

    def guards(self, agents: Agents) -> Iterator[Formula]:
        """The conditions of an operator for one hand: it lets go of nothing that both hands hold."""
        for effect in self._at_risk(agents.operator):
            in_one = Literal((HELD_IN_BOTH_HANDS, _item(self._embodiment, effect.literal)), False)
            if effect.variables:
                # It lets go of whatever it holds: of that, nothing may be in two hands.
                not_held = negated(agents.condition(Literal(effect.literal.atom)))
                yield Forall(effect.variables, Or((not_held, in_one)))
            else:
                yield in_one

    def effects(self, agents: Agents) -> Iterator[Effect]:
        """The effects of an operator for two hands on what both hold."""
        if not self._needed or agents.operator.name not in self._two:
            return
        for effect in _changes(self._embodiment, agents.operator):
            held = (HELD_IN_BOTH_HANDS, _item(self._embodiment, effect.literal))
            condition = agents.condition(effect.condition)
            yield Effect(Literal(held, effect.literal.positive), condition, effect.variables)

    def _at_risk(self, operator: Operator) -> Iterator[Effect]:
        """The effects by which *operator* lets go with one hand of what may be in two."""
        if operator.name in self._two:
            return
        for effect in _changes(self._embodiment, operator):
            item = _item(self._embodiment, effect.literal)
            if not effect.literal.positive and any(
                self._same(operator, item, lifter, _item(self._embodiment, lifted.literal))
                for lifter, lifted in self._lifted
            ):
                yield effect

    def _same(self, one: Operator, item: str, other: Operator, lifted: str) -> bool:
        """True if *item* of the one operator can be *lifted* of the other."""
        domain = self._embodiment.domain
        if not overlap(
            domain, _type_of(domain.constants, one, item), _type_of(domain.constants, other, lifted)
        ):
            return False
        changing = index_of(domain).fluents
        others = _traits(other, lifted)
        return all(
            name in changing or others.get(name, value) == value for name, value in _traits(one, item).items()
        )


def _changes(embodiment: Embodiment, operator: Operator) -> list[Effect]:
    """The effects of *operator* on what is held."""
    return [effect for effect in operator.effects if embodiment.hand_predicates.holds(effect.literal.atom[0])]


def _item(embodiment: Embodiment, literal: Literal) -> str:
    return str(embodiment.hand_predicates.item_in(literal.atom))


def _traits(operator: Operator, term: str) -> dict[str, bool]:
    """The unary predicates that *operator* needs to be true or false of *term*."""
    return {
        literal.atom[0]: literal.positive
        for literal in implied_literals(operator.precondition)
        if literal.atom[1:] == (term,)
    }


def _type_of(constants: tuple[Typed, ...], operator: Operator, term: str) -> str:
    variables = [v for effect in operator.effects for v in effect.variables]
    return next((t.type for t in (*operator.parameters, *constants, *variables) if t.name == term), "object")
