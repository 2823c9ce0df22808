"""Wordings of states, made of the domain: "the mug should be clean", "I want the lamp turned on".

People ask for a state as often as for a deed. Each predicate that an action changes gives the words for it,
and each phrase template of a skill its passive. :mod:`~foretree.reasoning.offline.sentences.wishes` has
brought the wish into the form that is read here: ``the mug be clean``, ``want the lamp turned on``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from foretree.planning.pddl.syntax import Domain, Operator
from foretree.planning.semantics.operator_index import index_of
from foretree.reasoning.offline import lexicon
from foretree.reasoning.offline.grammar.state_words import state_words
from foretree.reasoning.offline.grammar.verb_forms import participles
from foretree.reasoning.phrase_templates import PhraseTemplate
from foretree.world_model.beliefs.facts import WHEREABOUTS
from foretree.world_model.ontology import Ontology

#: Words that open a wish for a state without a copula: "get the table wiped".
_WISHING = "(want|get|have|make|keep|leave)"
#: What a wish may say of how a thing shall get there, but not a description of where it is.
_GETTING_THERE = (("into", "in"), ("onto", "on"), ("to", "in"), ("to", "on"))
#: The same for what people get.
_TO_PEOPLE = ("to", "with", "given to", "brought to", "handed to")
_SLOT = re.compile(r"\{(\w+)")
#: The name, the type and the static predicates of each of some slots.
_Requirements: TypeAlias = "frozenset[tuple[str, str, frozenset[str]]]"
_ACTIVE = re.compile(r"^(\((?P<choice>[^()]*)\)|(?P<word>\w+)) (?P<slot>\{\w+\})(?P<rest>.*)$")


def state_templates(
    forms: Iterable[PhraseTemplate], domain: Domain, ontology: Ontology
) -> Iterator[PhraseTemplate]:
    """The templates by which people ask for the states that the actions of a domain bring about."""
    found: dict[tuple[str, str, _Requirements], PhraseTemplate] = {}
    for template in (*_of_predicates(domain, ontology), *_passives(forms)):
        names = _SLOT.findall(template.say)
        required = _requirements(domain, template.skill, names)
        found.setdefault((template.say, template.goal, required), template)
    yield from found.values()


def _requirements(domain: Domain, skill: str, names: Iterable[str]) -> _Requirements:
    """Kinds that the things in some slots must be of: a lamp is switched on otherwise than a kettle."""
    operator = domain.operators[skill]
    types = {parameter.name[1:]: parameter.type for parameter in operator.parameters}
    static = [part.atom for part in index_of(domain).parts(operator).static if part.positive]
    return frozenset(
        (name, types[name], frozenset(atom[0] for atom in static if atom[1:] == (f"?{name}",)))
        for name in names
    )


def _of_predicates(domain: Domain, ontology: Ontology) -> Iterator[PhraseTemplate]:
    index = index_of(domain)
    for predicate, parameters in domain.predicates.items():
        info = ontology.vocabulary[predicate]
        about = len(parameters) == 1 or (
            len(parameters) == 2 and info.group == WHEREABOUTS and info.subject == 1
        )
        if predicate not in index.fluents or info.kind == "robot" or not about:
            continue
        says_where = len(parameters) > 1
        words, opposites = state_words(predicate, ontology)
        said = [one for one in words if one.split()[0] not in lexicon.SOURCES]
        said += [into for into, relation in _GETTING_THERE if relation in said]
        if says_where and parameters[1].type == "person":
            said += _TO_PEOPLE
        for positive, same, contrary in ((True, said, opposites), (False, opposites, said)):
            slots: set[tuple[tuple[str, ...], _Requirements]] = set()
            achievers = index.achievers(predicate, positive)
            if not says_where:
                # What no action undoes can still be a condition: "if the mug is dirty". But where a thing can
                # be taken from says nothing of where it can be put.
                achievers = (*achievers, *index.achievers(predicate, not positive))
            for operator, effect in achievers:
                names = tuple(term[1:] for term in effect.literal.atom[1:])
                if not _are_parameters(effect.literal.atom[1:], operator):
                    continue
                same_slots = (names, _requirements(domain, operator.name, names))
                if same_slots in slots:
                    continue
                slots.add(same_slots)
                goal = f"({predicate} {' '.join(f'{{{name}}}' for name in names)})"
                goal = goal if positive else f"(not {goal})"
                yield from _templates(operator.name, goal, names, same, contrary)
                if index.achievers(predicate, positive) and same:
                    # "Lamp on, please"; but "mug dirty" is no wish.
                    thing, *places = (f"{{{name}}}" for name in names)
                    say = " ".join((thing, f"({'|'.join(same)})", *places))
                    yield _wish(say, goal, operator.name)


def _are_parameters(terms: tuple[str, ...], operator: Operator) -> bool:
    names = {parameter.name for parameter in operator.parameters}
    return len({*terms}) == len(terms) and {*terms} <= names


def _templates(
    skill: str, goal: str, names: tuple[str, ...], same: Iterable[str], contrary: Iterable[str]
) -> Iterator[PhraseTemplate]:
    thing, *places = (f"{{{name}}}" for name in names)
    if same := "|".join(same):
        yield _wish(" ".join((thing, "(be|be kept)", f"({same})", *places)), goal, skill)
        yield _wish(" ".join((_WISHING, thing, f"({same})", *places)), goal, skill)
    if contrary := "|".join(contrary):
        yield _wish(" ".join((thing, "be not", f"({contrary})", *places)), goal, skill)


def _passives(forms: Iterable[PhraseTemplate]) -> Iterator[PhraseTemplate]:
    """Return "{item} be (washed|washed up)" for "(wash|wash up) {item}"."""
    for form in forms:
        active = _ACTIVE.match(form.say.lower())
        if active is None:
            continue
        verbs = (active["choice"] or active["word"]).split("|")
        done = "|".join(" ".join(one) for verb in verbs for one in participles(tuple(verb.split())))
        for say in (
            f"{active['slot']} be ({done}){active['rest']}",
            f"{_WISHING} {active['slot']} ({done}){active['rest']}",
        ):
            yield PhraseTemplate(say, form.goal, form.skill, form.operators, form.wish)


def _wish(say: str, goal: str, skill: str) -> PhraseTemplate:
    return PhraseTemplate(say, goal, skill, wish=True)
