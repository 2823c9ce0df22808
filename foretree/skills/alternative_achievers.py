"""Operators that achieve the goal of a phrase without the action that its words ask for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from foretree.planning.pddl.syntax import And, Domain, Exists, Formula, Literal, Operator, substitute_atom
from foretree.planning.semantics.operator_index import index_of
from foretree.planning.task.goals import parse_goal
from foretree.reasoning.phrase_templates import PhraseTemplate
from foretree.skills.catalogue import Catalogue

_BRACED = re.compile(r"\{(\w+)\}")


def alternative_achievers(form: PhraseTemplate, catalogue: Catalogue) -> tuple[str, ...]:
    """Return operators that can make the goal of *form* true in place of those that it asks for.

    A goal takes an action for each of its literals that is false. The phrase is safe if one of them can only
    be achieved by the operators that it asks for, applied to the things that it names; then nothing is
    returned. Otherwise the result is all other achievers of one literal, that with the fewest.
    """
    skills = catalogue.skills.values()
    same = (f for skill in skills for f in skill.forms if (f.say, f.goal) == (form.say, form.goal))
    asked = frozenset(name for each in (form, *same) for name in each.operators)
    goal = _goal(form, catalogue)
    others = (_others(literal, goal, form, asked, catalogue) for literal in goal)
    return min((names for names in others if names is not None), key=len, default=())


def _goal(form: PhraseTemplate, catalogue: Catalogue) -> list[Literal]:
    """Return the literals of the goal, over stand-ins for the things named."""
    operator = catalogue.domain.operators[form.skill]
    objects = {f"_{p.name[1:]}_": p.type for p in operator.parameters if f"{{{p.name[1:]}}}" in form.say}
    goal = parse_goal(_BRACED.sub(r"_\1_", form.goal), catalogue.domain, objects).formula
    return list(_literals(goal))


def _literals(goal: Formula) -> Iterator[Literal]:
    """Iterate over the literals that must all hold; a disjunction has none."""
    if isinstance(goal, Literal):
        yield goal
    elif isinstance(goal, And):
        for part in goal.parts:
            yield from _literals(part)
    elif isinstance(goal, Exists):
        yield from _literals(goal.body)


def _others(
    literal: Literal, goal: list[Literal], form: PhraseTemplate, asked: frozenset[str], catalogue: Catalogue
) -> tuple[str, ...] | None:
    """Return the operators that make *literal* true otherwise; None if nothing makes it true at all."""
    domain = catalogue.domain
    types = {f"_{p.name[1:]}_": p.type for p in domain.operators[form.skill].parameters}
    named = _BRACED.findall(form.say)
    others: dict[str, None] = {}
    achieved = False
    for operator, effect in index_of(domain).achievers(literal.atom[0], literal.positive):
        binding = dict(zip(effect.literal.atom[1:], literal.atom[1:], strict=True))
        if not _fits(binding, operator, types, domain):
            continue
        achieved = True
        slots = _slots(form, operator.name, catalogue)
        is_asked = operator.name in asked and all(binding.get(slots[slot]) == f"_{slot}_" for slot in named)
        if not is_asked and not _spoils(operator, binding, goal, domain):
            others[operator.name] = None
    return tuple(others) if achieved else None


def _fits(binding: Mapping[str, str], operator: Operator, types: Mapping[str, str], domain: Domain) -> bool:
    """Return whether the things named, of these *types*, may be what *operator* takes."""
    taken = {p.name: p.type for p in operator.parameters}
    return all(
        term not in types
        or domain.is_a(types[term], taken.get(parameter, "object"))
        or domain.is_a(taken.get(parameter, "object"), types[term])
        for parameter, term in binding.items()
    )


def _slots(form: PhraseTemplate, operator: str, catalogue: Catalogue) -> Mapping[str, str]:
    """Return the parameter of an operator with the role of each parameter of the phrase."""
    roles = catalogue.skills[form.skill].roles
    parts = {role: parameter for parameter, role in catalogue.skills[operator].roles.items()}
    names = (p.name[1:] for p in catalogue.domain.operators[form.skill].parameters)
    return {name: f"?{parts.get(roles.get(name, ''), name)}" for name in names}


def _spoils(operator: Operator, binding: Mapping[str, str], goal: list[Literal], domain: Domain) -> bool:
    """Return whether an action also makes another part of the goal false, for good."""
    after = {
        Literal(substitute_atom(effect.literal.atom, binding), effect.literal.positive)
        for effect in operator.effects
    }
    index = index_of(domain)
    return any(~part in after and not index.achievers(part.atom[0], part.positive) for part in goal)
