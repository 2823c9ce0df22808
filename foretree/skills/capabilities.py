"""Capabilities of agents: which skills each robot has, and what people can be asked to do.

A skill that not every robot of a scene has gets the condition that the robot is able to do it. For each
skill that a person can be asked for there is another operator: a robot that stands by the person asks, and
the person does it. It has the effects of the skill, and none on the robot; and it costs what a person's time
is worth, so that a plan asks people for what robots cannot do, or not without far more effort.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from foretree.errors import ForetreeError, suggest
from foretree.planning.pddl.syntax import And, Cost, Domain, Literal, Operator, Typed, terms_of
from foretree.planning.semantics.evaluation import conjuncts
from foretree.skills.catalogue import Catalogue
from foretree.skills.skill import FailureFeedback, Skill
from foretree.world_model.beliefs.facts import HAND_FREE, HAS_HAND, ROBOT_AT, Atom

#: What the time of a person is worth, where robots' actions cost a few units each.
PERSON_COST = 1000
#: The function with the cost of asking a person.
ASKING_COST = "asking_cost"
#: Seconds after which a person who does not answer is not waited for any more.
PATIENCE = 60.0

#: Conditions that are about the body of the robot, which an asked person has no need of.
_BODY = frozenset({ROBOT_AT, HAS_HAND, HAND_FREE})
#: What is said of a person who has not done what was asked for.
_UNHELPFUL = ("said no", "took too long", "did not answer")


class CapabilityError(ForetreeError):
    """An agent has a skill that does not exist, or that people cannot be asked for."""


@dataclass(frozen=True, slots=True)
class Helper:
    """A person who can be asked.

    Attributes:
        skills: what for.
        cost: what the person's time is worth, per action.
    """

    skills: tuple[str, ...]
    cost: int = PERSON_COST


@dataclass(frozen=True)
class Capabilities:
    """A catalogue for certain agents, and what is so of them.

    Attributes:
        catalogue: with the conditions and operators that the agents call for.
        facts: what each agent can do.
        costs: what it costs to ask each person.
    """

    catalogue: Catalogue
    facts: tuple[Atom, ...] = ()
    costs: Mapping[Atom, int] = field(default_factory=dict)


def capabilities(
    catalogue: Catalogue, robots: Mapping[str, Collection[str] | None], helpers: Mapping[str, Helper]
) -> Capabilities:
    """Return the catalogue for robots and people.

    Args:
        catalogue: all skills.
        robots: the skills of each robot by name; None for all.
        helpers: the people who can be asked, by name.

    Raises:
        CapabilityError: an agent has a skill that does not exist, or that people cannot be asked for.
    """
    known_skills = {*catalogue.skills, *catalogue.joint}
    catalogue = catalogue.of_a_team if len(robots) > 1 else catalogue
    own = {name: skills for name, skills in robots.items() if skills is not None}
    asked = {name: helper.skills for name, helper in helpers.items()}
    for name, skills in (*own.items(), *asked.items()):
        for skill in skills:
            if skill not in known_skills:
                raise CapabilityError(
                    f"{name} has no skill {skill!r}: there is none of that name. "
                    f"{suggest(skill, known_skills)}"
                )
    restricted = [s for s in catalogue.skills if any(s not in skills for skills in own.values())]
    made = dict(catalogue.skills)
    for name in restricted:
        made[name] = _conditioned(made[name], catalogue.domain)
    for name in dict.fromkeys(skill for skills in asked.values() for skill in skills):
        asking = _asking(catalogue.skills[name], catalogue.domain)
        if asking is None:
            valid = [s for s, skill in catalogue.skills.items() if _asking(skill, catalogue.domain)]
            raise CapabilityError(
                f"People cannot be asked to {name}: that changes what the robot holds, or where it is. "
                f"Valid: {', '.join(sorted(valid))}."
            )
        made[asking.name] = asking
    if len(made) == len(catalogue.skills) and not restricted:
        return Capabilities(catalogue)
    facts = [
        (_able(s), r) for r, skills in robots.items() for s in restricted if skills is None or s in skills
    ]
    facts += [(_willing(skill), name) for name, skills in asked.items() for skill in skills]
    known = {*map(_able, restricted), *(_willing(s) for skills in asked.values() for s in skills)}
    return Capabilities(
        replace(catalogue, domain=_extended(catalogue.domain, made, known), skills=made),
        tuple(facts),
        {(ASKING_COST, name): helper.cost for name, helper in helpers.items()},
    )


def _able(skill: str) -> str:
    return f"able_to_{skill}"


def _willing(skill: str) -> str:
    return f"willing_to_{skill}"


def _extended(domain: Domain, skills: Mapping[str, Skill], predicates: Iterable[str]) -> Domain:
    agent = (Typed("?agent", "object"),)
    return replace(
        domain,
        operators={name: skill.operator for name, skill in skills.items()},
        predicates={**domain.predicates, **dict.fromkeys(sorted(predicates), agent)},
        functions={**domain.functions, ASKING_COST: (Typed("?person", "person"),)},
    )


def _conditioned(skill: Skill, domain: Domain) -> Skill:
    """The skill for robots that are able to do it, or to take part in it."""
    operator = skill.operator
    robots = [p.name for p in operator.parameters if domain.is_a(p.type, "robot")]
    if not robots:
        return skill
    able = [Literal((_able(skill.name), robot)) for robot in robots]
    needed = And((*conjuncts(operator.precondition), *able))
    return replace(skill, operator=replace(operator, precondition=needed))


def _asking(skill: Skill, domain: Domain) -> Skill | None:
    """The skill of asking a person to do it; None where that makes no sense."""
    operator = skill.operator
    body = [p.name for p in operator.parameters if any(domain.is_a(p.type, t) for t in ("robot", "hand"))]
    if "person" not in domain.types or operator.cost.function is not None:
        return None
    parts = [part for part in conjuncts(operator.precondition) if not _is_about_body(part, body)]
    effects = tuple(e for e in operator.effects if not _is_about_body(e.literal, body))
    kept = [set(terms_of(part)) for part in parts]
    kept += [{*effect.literal.atom[1:], *terms_of(effect.condition)} for effect in effects]
    if not effects or len(body) == len(operator.parameters) or any(not t.isdisjoint(body) for t in kept):
        return None
    about = tuple(parameter for parameter in operator.parameters if parameter.name not in body)
    needed = [Literal((ROBOT_AT, "?asking", "?asked")), Literal((_willing(skill.name), "?asked")), *parts]
    asking = Operator(
        f"ask_to_{skill.name}",
        (Typed("?asking", "robot"), Typed("?asked", "person"), *about),
        And(tuple(needed)),
        effects,
        Cost(operator.cost.constant, (ASKING_COST, "?asked")),
    )
    return Skill(
        name=asking.name,
        says=f"Ask a person. {skill.says}",
        operator=asking,
        executor="ask",
        resources=("voice",),
        time_out=PATIENCE,
        retries=0,
        confidence=skill.confidence,
        certainty=skill.certainty,
        irreversible=skill.irreversible,
        parameters={"action": skill.order, "words": _words(skill, about)},
        does="ask",
        roles={"asked": "person", **{p.name[1:]: skill.roles.get(p.name[1:], p.name[1:]) for p in about}},
        feedback=(FailureFeedback(_UNHELPFUL, (_willing(skill.name), "?asked"), holds=False),),
    )


def _is_about_body(part: object, body: Collection[str]) -> bool:
    """Return whether a condition or an effect is about where the robot is and whether its hands are free."""
    return isinstance(part, Literal) and part.atom[0] in _BODY and not set(part.atom[1:]).isdisjoint(body)


def _words(skill: Skill, about: Sequence[Typed]) -> str:
    """Question for a person, with the parameters in braces: the shortest words of a phrase for the skill."""
    names = {parameter.name[1:] for parameter in about}
    for form in skill.forms:
        if set(re.findall(r"{(.*?)}", form.say)) == names:
            return re.sub(r"\((.*?)\)", lambda words: min(words[1].split("|"), key=len), form.say)
    return " ".join([skill.name.replace("_", " "), *(f"{{{name}}}" for name in sorted(names))])
