"""Kinds of predicates, inferred from the domain.

Guards are chosen by a predicate's kind. It is inferred from the signature, from whether any action ever
changes the predicate, and from its part in the actions.
"""

from __future__ import annotations

from collections.abc import Mapping

from foretree.planning.pddl.syntax import Domain, Operator, Typed
from foretree.planning.semantics.operator_index import index_of
from foretree.world_model.beliefs.facts import Kind

#: Types whose objects are the robot or parts of it.
_ROBOT_TYPES = ("agent", "arm", "gripper", "hand", "robot")


def infer_kinds(domain: Domain) -> dict[str, Kind]:
    """The kind of every predicate of a domain.

    * **robot**: it is about a robot or its hand. So is what changes but has no arguments (``handempty``): it
      can only be about the one who acts.
    * **class**: one argument, and no action ever changes it: what a thing is, or affords.
    * **attribute**: one argument, and actions change it: how a thing is.
    * **place**: several arguments, and some action gives its first argument this for something else, or the
      other way round, as one picks up what lay somewhere: where a thing is.
    * **relation**: the rest.
    """
    changeable = index_of(domain).fluents
    moving = {name for op in domain.operators.values() for name in _exchanged(op)}
    kinds: dict[str, Kind] = {}
    for name, parameters in domain.predicates.items():
        if _about_the_robot(domain, parameters) or (name in changeable and not parameters):
            kinds[name] = "robot"
        elif len(parameters) == 1:
            kinds[name] = "attribute" if name in changeable else "class"
        else:
            kinds[name] = "place" if name in moving else "relation"
    return kinds


def _about_the_robot(domain: Domain, parameters: tuple[Typed, ...]) -> bool:
    declared: Mapping[str, str] = domain.types
    names = [name for name in _ROBOT_TYPES if name in declared]
    return any(domain.is_a(parameter.type, name) for parameter in parameters for name in names)


def _exchanged(operator: Operator) -> set[str]:
    """The predicates of several arguments whose first one gains or loses another fact in exchange."""
    found = set()
    for effect in operator.effects:
        name, *arguments = effect.literal.atom
        if len(arguments) < 2:
            continue
        for other in operator.effects:
            opposite = other.literal.positive is not effect.literal.positive
            if opposite and arguments[0] in other.literal.atom[1:]:
                found.add(name)
    return found
