"""Other verbs for those of the skills' phrases: ``configs/language/verbs.yaml`` and ``verb_nouns.yaml``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from foretree.reasoning.phrase_templates import PhraseTemplate

#: Verbs by the verb of the skills' phrases that they may stand for.
Synonyms = Mapping[str, tuple[str, ...]]

#: "(put|place) {item} (in|into) {place}".
_PLACING = re.compile(
    r"^(?P<verbs>\([^()]*\)|\w+) (?P<thing>\{\w+\}) (?P<link>\([^()]*\)|\w+) (?P<place>\{\w+\})$"
)
#: "(turn on|switch on) {place}", with what follows it.
_THING = re.compile(r"^(?:\([^()]*\)|\w+) (?P<thing>\{\w+\})(?P<rest>.*)$")
#: "(go|come) to {to}".
_GOING = re.compile(r"^(?:\([^()]*\)|\w+) (?:to|\(to\|[^()]*\)) (?P<place>\{\w+\})$")
_HOW = (
    *("good", "quick", "proper", "thorough", "nice", "little", "brief", "light", "gentle", "final", "rapid"),
    *("bit of a", "quick little", "nice quick", "really good", "good old"),
)
_A = "|".join(("a", "another", "some", "one more", *(f"a {how}" for how in _HOW)))
#: They stand before the thing or after it: "turn on the lamp", "push the drawer shut".
_PARTICLES = frozenset(
    re.findall(
        r"\w+",
        "on off up down out away over along back open shut closed clean through around going running",
    )
)
_VERBS = re.compile(
    r"^(?:\((?P<choice>[^()]*)\)|(?P<word>[^\s(){}]+))(?P<particle> (?:on|off|up|down|out)(?= \{))?"
)
#: What may follow the thing where the verb is said as a noun: "give the bread a blast in the microwave".
_GIVEN = re.compile(r"^$| (?:in|with|\((?:in|with)\|[^()]*\)) \{\w+\}$")
#: What follows the thing, of which the first word is a particle: "heat {item} up".
_PARTICLE_LAST = re.compile(rf"^ ?\{{\w+\}} (?:{'|'.join(sorted(_PARTICLES))})\b")
#: The lists of verbs that stand for no verb of a skill alone, but for one with a part of its phrase.
TO_ME, HERE, FROM = "bring to me", "come here", "take from somewhere"


def with_synonyms(forms: Iterable[PhraseTemplate], synonyms: Synonyms) -> Iterator[PhraseTemplate]:
    """Yield *forms* with all that people say for their verbs; their own come first.

    A verb that another skill's form has of its own, before the same words, is left to that one.
    """
    own: dict[tuple[str, str], set[str]] = {}
    split = [(form, *_verbs_and_rest(form)) for form in forms]
    for form, verbs, rest in split:
        for verb in verbs:
            own.setdefault((verb, rest), set()).add(form.skill)
    for form, verbs, rest in split:
        more = (other for verb in verbs for other in _said_for(verb, rest, synonyms))
        free = (other for other in more if own.get((other, rest), {form.skill}) == {form.skill})
        said = f"({'|'.join(dict.fromkeys((*verbs, *free)))}){rest}"
        yield replace(form, say=said) if verbs else form


def _said_for(verb: str, rest: str, synonyms: Synonyms) -> Iterator[str]:
    """Yield what people say for a verb before the rest of its phrase."""
    found = [*synonyms.get(verb, ())]
    first, _, particle = verb.rpartition(" ")
    if first and particle in _PARTICLES:
        found += (f"{other} {particle}" for other in synonyms.get(first, ()) if " " not in other)
    if _PARTICLE_LAST.match(rest):
        found = [other for other in found if other.rpartition(" ")[2] not in _PARTICLES]
    yield from found


def _verbs_and_rest(form: PhraseTemplate) -> tuple[tuple[str, ...], str]:
    """The verbs that a form begins with, and what follows them; no verbs if it begins otherwise."""
    said = form.say.lower()
    verbs = _VERBS.match(said)
    if verbs is None:
        return (), said
    particle = verbs["particle"] or ""
    return tuple(f"{verb}{particle}" for verb in _choices(verbs)), said[verbs.end() :]


def _choices(verbs: re.Match[str]) -> Sequence[str]:
    return (verbs["choice"] or verbs["word"]).split("|")


def separated(forms: Iterable[PhraseTemplate]) -> Iterator[PhraseTemplate]:
    """Yield the templates with the particle of the verb behind the thing: "turn the lamp on"."""
    for form in forms:
        verbs, thing = _VERBS.match(form.say.lower()), _THING.match(form.say.lower())
        if verbs is None or thing is None:
            continue
        by_particle: dict[str, list[str]] = {}
        for verb in _choices(verbs):
            first, _, particle = verb.rpartition(" ")
            if first and particle in _PARTICLES:
                by_particle.setdefault(particle, []).append(first)
        for particle, firsts in by_particle.items():
            say = f"({'|'.join(dict.fromkeys(firsts))}) {thing['thing']} {particle}{thing['rest']}"
            yield replace(form, say=say)


def given(forms: Iterable[PhraseTemplate], nouns: Synonyms) -> Iterator[PhraseTemplate]:
    """Yield the templates with the verb as a noun: "give the plate a wash"."""
    for form in forms:
        verbs, thing = _VERBS.match(form.say.lower()), _THING.match(form.say.lower())
        if verbs is None or thing is None or not _GIVEN.match(thing["rest"]):
            continue
        said = _choices(verbs)
        nouned = dict.fromkeys((*(noun for verb in said for noun in nouns.get(verb, ())), *said))
        if deeds := [deed for deed in nouned if " " not in deed]:
            item, rest = thing.group("thing", "rest")
            yield replace(form, say=f"give {item} ({_A}) ({'|'.join(deeds)}){rest}")


def turned_round(forms: Iterable[PhraseTemplate]) -> Iterator[PhraseTemplate]:
    """Yield the templates with the place said before the thing: "put into the fridge the mango"."""
    for form in forms:
        if placing := _PLACING.match(form.say.lower()):
            verbs, thing, link, place = placing.group("verbs", "thing", "link", "place")
            yield replace(form, say=f"{verbs} {link} {place} {thing}")


def left_out(forms: Iterable[PhraseTemplate], synonyms: Synonyms) -> Iterator[PhraseTemplate]:
    """Yield the templates in which what goes without saying is left out.

    "Hand over the apple" is to the speaker, as "come here" is; "fish the spoon out of the drawer" takes it,
    while "fish the spoon" makes no sense. The slots say so: ``{person:me}``, ``{item:from}``.
    """
    for form in forms:
        said = form.say.lower()
        verbs = _VERBS.match(said)
        if verbs is None:
            continue
        own = _choices(verbs)
        if (placing := _PLACING.match(said)) and placing["link"] == "to" and "bring" in own:
            to_me = f"({'|'.join(synonyms.get(TO_ME, ()))}) {placing['thing']} {_to_me(placing['place'])}"
            yield replace(form, say=to_me)
        if (going := _GOING.match(said)) and "come" in own:
            yield replace(form, say=f"({'|'.join(synonyms.get(HERE, ()))}) {_to_me(going['place'])}")
        thing = _THING.match(said)
        if thing and not thing["rest"] and "take out" in own:
            some = thing["thing"].replace("}", ":from}")
            yield replace(form, say=f"({'|'.join(synonyms.get(FROM, ()))}) {some}")


def _to_me(slot: str) -> str:
    return slot.replace("}", ":me}")
