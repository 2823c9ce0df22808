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


def with_synonyms(form: PhraseTemplate, synonyms: Mapping[str, tuple[str, ...]]) -> PhraseTemplate:
    """Return *form* with all that people say for its verbs; its own come first."""
    said = form.say.lower()
    verbs = _VERBS.match(said)
    if verbs is None:
        return form
    own = (verbs["choice"] or verbs["word"]).split("|")
    more = (other for verb in own for other in synonyms.get(verb, ()))
    return replace(form, say=f"({'|'.join(dict.fromkeys((*own, *more)))}){said[verbs.end() :]}")


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
