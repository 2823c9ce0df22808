"""People in the household who are asked to do something: they do it, refuse, or do not answer."""

from __future__ import annotations

from dataclasses import replace

from foretree.simulation.action_timing import SimulatedAction
from foretree.simulation.household.household_state import House
from foretree.simulation.household.rules._conditions import stands_at
from foretree.simulation.household.rules.ability import PERSON, Ability, resolve_order
from foretree.skills.robot import Order

#: Being asked: a robot stands by the person.
ASKING = Ability({"person": PERSON}, stands_at("person"), lambda house, order: None, uses_hand=False)
#: Rules about the body of the robot, which an asked person has no need of.
_BODY_RULES = frozenset({"standing", "hand-free"})
#: Seconds until a person says no.
_REFUSAL_TIME = 2.0
#: Longer than any session waits.
_FOR_EVER = 1e9


class PersonActs(SimulatedAction):
    """A person does what was asked for, by the rules of the household.

    Args:
        house: the truth.
        ability: what is done.
        order: with the targets of the robot's question.
        seconds: how long it takes.
    """

    def __init__(self, house: House, ability: Ability, order: Order, seconds: float) -> None:
        self.duration = seconds
        self._house = house
        rules = tuple(
            rule for rule in ability.rules if rule.name not in _BODY_RULES and not rule.name.startswith("at-")
        )
        self._ability = replace(ability, rules=rules, uses_hand=False)
        self._order = order

    def finish(self, half: bool = False) -> str:
        """Change the house, if that is possible."""
        resolved = resolve_order(self._house, self._ability, self._order)
        broken = self._ability.broken(self._house, resolved)
        if broken is not None:
            return f"the person could not do it: {broken.says}"
        effect = self._ability.half if half else self._ability.effect
        if effect is not None:
            effect(self._house, resolved)
        return ""


class PersonRefuses(SimulatedAction):
    """A person says no."""

    duration = _REFUSAL_TIME

    def finish(self, half: bool = False) -> str:
        """Return the answer."""
        return "the person said no"


class NoAnswer(SimulatedAction):
    """A person does not answer."""

    duration = _FOR_EVER
