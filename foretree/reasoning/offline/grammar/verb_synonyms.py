"""Other verbs for those of the skills' phrases: ``configs/language/verbs.yaml``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from foretree.reasoning.phrase_templates import PhraseTemplate

#: "(put|place) {item} (in|into) {place}".
_PLACING = re.compile(
    r"^(?P<verbs>\([^()]*\)|\w+) (?P<thing>\{\w+\}) (?P<link>\([^()]*\)|\w+) (?P<place>\{\w+\})$"
)
#: "(turn on|switch on) {place}", with what follows it.
_THING = re.compile(r"^(?:\([^()]*\)|\w+) (?P<thing>\{\w+\})(?P<rest>.*)$")
_A = "a|a good|a quick|another|a little|a bit of a|a proper|a thorough"
_PARTICLES = frozenset({"on", "off", "up", "down", "out", "away", "over", "along", "back"})
_VERBS = re.compile(r"^(?:\((?P<choice>[^()]*)\)|(?P<word>[^\s(){}]+))")


def with_synonyms(
    forms: Iterable[PhraseTemplate], synonyms: Mapping[str, tuple[str, ...]]
) -> Iterator[PhraseTemplate]:
    """Yield *forms* with all that people say for their verbs; their own come first.

    A verb that another skill's form has of its own, before the same words, is left to that one.
    """
    own: dict[tuple[str, str], set[str]] = {}
    split = [(form, *_verbs_and_rest(form)) for form in forms]
    for form, verbs, rest in split:
        for verb in verbs:
            own.setdefault((verb, rest), set()).add(form.skill)
    for form, verbs, rest in split:
        more = (other for verb in verbs for other in synonyms.get(verb, ()))
        free = (other for other in more if own.get((other, rest), {form.skill}) == {form.skill})
        said = f"({'|'.join(dict.fromkeys((*verbs, *free)))}){rest}"
        yield replace(form, say=said) if verbs else form


def _verbs_and_rest(form: PhraseTemplate) -> tuple[tuple[str, ...], str]:
    """The verbs that a form begins with, and what follows them; no verbs if it begins otherwise."""
    said = form.say.lower()
    verbs = _VERBS.match(said)
    if verbs is None:
        return (), said
    return tuple((verbs["choice"] or verbs["word"]).split("|")), said[verbs.end() :]


def separated(forms: Iterable[PhraseTemplate]) -> Iterator[PhraseTemplate]:
    """Yield the templates with the particle of the verb behind the thing: "turn the lamp on"."""
    for form in forms:
        verbs, thing = _VERBS.match(form.say.lower()), _THING.match(form.say.lower())
        if verbs is None or thing is None:
            continue
        by_particle: dict[str, list[str]] = {}
        for verb in (verbs["choice"] or verbs["word"]).split("|"):
            first, _, particle = verb.partition(" ")
            if particle in _PARTICLES:
                by_particle.setdefault(particle, []).append(first)
        for particle, firsts in by_particle.items():
            say = f"({'|'.join(dict.fromkeys(firsts))}) {thing['thing']} {particle}{thing['rest']}"
            yield replace(form, say=say)


def given(forms: Iterable[PhraseTemplate]) -> Iterator[PhraseTemplate]:
    """Yield the templates with the verb as a noun: "give the plate a wash"."""
    for form in forms:
        verbs, thing = _VERBS.match(form.say.lower()), _THING.match(form.say.lower())
        if verbs is None or thing is None or thing["rest"]:
            continue
        nouns = [verb for verb in (verbs["choice"] or verbs["word"]).split("|") if " " not in verb]
        if nouns:
            yield replace(form, say=f"give {thing['thing']} ({_A}) ({'|'.join(nouns)})")


def turned_round(forms: Iterable[PhraseTemplate]) -> Iterator[PhraseTemplate]:
    """Yield the templates with the place said before the thing: "put into the fridge the mango"."""
    for form in forms:
        if placing := _PLACING.match(form.say.lower()):
            verbs, thing, link, place = placing.group("verbs", "thing", "link", "place")
            yield replace(form, say=f"{verbs} {link} {place} {thing}")
