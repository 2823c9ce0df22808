"""Remarks about what a thing affords: "this cup is broken", "the mug leaks", "you can't cut with that knife".

A remark asks for nothing. It says of a thing, or of a class, that it has an affordance or lacks it, or that
it is in a state in which things lose some.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from foretree.planning.pddl.syntax import TRUE
from foretree.reasoning.instruction_errors import AmbiguousError, NoSuchThingError
from foretree.reasoning.offline.lexicon import DEFINITE, DEGREES, tokens_of
from foretree.reasoning.offline.phrases.known_things import either
from foretree.reasoning.offline.phrases.noun_phrases import noun_phrases
from foretree.reasoning.offline.phrases.referents import ReferentResolver
from foretree.reasoning.reasoner import Situation, Understanding
from foretree.world_model.affordances.objects import Remark
from foretree.world_model.affordances.shipped import common_placer
from foretree.world_model.ontology import plain

_SHORT = {
    "can't": "can not",
    "cannot": "can not",
    "couldn't": "could not",
    "don't": "do not",
    "doesn't": "does not",
    "didn't": "did not",
    "won't": "will not",
    "isn't": "is not",
    "aren't": "are not",
    "wasn't": "was not",
    "it's": "it is",
    "there's": "there is",
    "that's": "that is",
    "you'll": "you will",
    "anymore": "any more",
}
#: Said before a remark, and meaning nothing for it.
_OPENING = re.compile(
    r"(?:(?:careful|attention|sorry|oh|ah|well|hey|look|listen|actually|unfortunately|sadly|fyi|by the way|"
    r"just so you know|be aware|note|notice|remember|mind|keep in mind|beware|i think|i am afraid|i'm afraid|"
    r"it seems|it looks like|you should know|for your information)(?: that)? ,? ?)+"
)
_CLOSING = re.compile(
    r"(?: (?:any more|any longer|now|at all|badly|a bit|a little|well|properly|right|correctly|"
    r"very well|as it should|too|either|though|by the way|unfortunately|sadly|i am afraid|i'm afraid|"
    r"you know|to be honest|again))+$"
)
#: What may be cut, poured or put, whichever it is; it says nothing of the thing that one does it with.
_ANYTHING = r"(?:anything|things|stuff|something|much|food|liquids?|water|drinks?|heavy things)"
_PEOPLE = r"(?:you|one|we|i|people|nobody|no one|robots?)"
#: Verbs for holding something in or on a thing.
_HOLD = r"(?:put|place|keep|store|stand|leave|set|lay|pack|carry|hold|pour|fill)"

_CANNOT = (
    rf"(?:{_PEOPLE} (?:can|could|should|will|would|must) (?:not|never|hardly|barely|no longer)(?: really)?|"
)
_CANNOT += r"(?:nobody|no one) can|it is (?:impossible|no use|not possible|no good) (?:to )?(?:trying to )?)"

_UNFIT = (
    "no good|no use|useless|hopeless|not good|not suitable|unsuitable|not fit|unfit|not made|not meant|not|"
    "no longer good|too blunt|too dull|too weak"
)
_LACKS = r"(?:does|do|will|would|can|could|did) (?:(?:just|simply) )?(?:not|no longer|hardly|barely)"

#: How a remark is put, with what stands for what: *verb* for an affordance, *thing* for what it is about.
_NEGATIVE = (
    rf"{_CANNOT} (?P<verb>[a-z]+)(?: [a-z ]+?)? with (?P<thing>.+)",
    rf"{_CANNOT} (?P<verb>drink|eat|pour|sip)(?: {_ANYTHING})? (?:from|out of|off|with) (?P<thing>.+)",
    rf"{_CANNOT} (?P<inside>{_HOLD}) {_ANYTHING} (?:in|into|inside) (?P<thing>.+)",
    rf"{_CANNOT} (?P<on>{_HOLD}) {_ANYTHING} (?:on|onto|on top of) (?P<thing>.+)",
    rf"{_CANNOT} (?P<verb>sit|lie|sleep|write|climb) (?:down )?(?:in|on|onto|up) (?P<thing>.+)",
    rf"(?P<thing>.+?)(?: just| simply)? {_LACKS} (?P<verb>[a-z]+)(?: {_ANYTHING})?",
    r"(?P<thing>.+?) (?:can|could) (?:not|no longer) be (?:used for )?(?P<verb>[a-z]+)(?: (?:up|on|off))?",
    rf"(?P<thing>.+?) (?:is|are) (?:{_UNFIT}) for (?P<verb>[a-z]+)(?: {_ANYTHING})?",
    rf"(?P<thing>.+?) no longer (?P<verb>[a-z]+?)s?(?: {_ANYTHING})?",
)
_POSITIVE = (
    rf"{_PEOPLE} can (?P<verb>[a-z]+)(?: {_ANYTHING})? with (?P<thing>.+)",
    r"(?P<thing>.+?) (?:is|are) (?:good|fine|suitable|fit|made|meant|all right|ok) for (?P<verb>[a-z]+)"
    rf"(?: {_ANYTHING})?",
)
_BE = r"(?:is|are|was|were|seems?|looks?|appears?|feels?|got|has been|have been|has become|gets)(?: to be)?"
_STATE = rf"(?P<thing>.+?)(?:'s| {_BE}) (?P<state>.+)"
_NO_STATE = r"(?P<thing>.+?) (?:is|are) (?:not|no longer|never)(?: really)? (?P<state>.+)"
_FIXED = (
    r"(?P<thing>.+?) (?:is|are|has been|have been|was|got) (?:fixed|repaired|mended|sharpened|sharp)",
    r"(?P<thing>.+?) (?:works?|is working)",
)
_NOT_WORKING = r"(?P<thing>.+?) (?:does not|do not|did not|no longer|will not) works?"
_LEAKS = (
    r"(?P<thing>.+?) (?:leaks?|drips?|(?:is|keeps) (?:leaking|dripping)|lets water through)",
    r"(?P<thing>.+?) (?:has|have|has got|had) (?:a |some |several )?(?:holes?|cracks?|leaks?)"
    r"(?: in (?:it|the bottom|its bottom|the side))?",
    r"there is (?:a|some) (?:hole|crack|leak)s? in (?P<thing>.+)",
)


def read_remark(instruction: str, situation: Situation) -> Understanding | None:
    """Return what a remark says of a thing; None if the words are no remark.

    Raises:
        AmbiguousError: several things may be meant.
    """
    text = _plain_text(instruction)
    if text is None:
        return None
    for words, said in _said(text, situation):
        about = _about(words, situation)
        if about is not None:
            thing, class_name = about
            kind = class_name or situation.beliefs.entities()[thing].best_class
            remarks = tuple(
                Remark(thing, class_name, _meant(affordances, kind), state, holds)
                for affordances, state, holds in said
            )
            answer = f"I keep in mind that {thing or plain(class_name)} {_told(remarks)}."
            return Understanding(TRUE, answer, answer=answer, remarks=remarks)
    return None


#: The affordances of which one is meant, or a state, and whether the thing has it.
_Claim = tuple[tuple[str, ...], str, bool]


def _plain_text(instruction: str) -> str | None:
    """The words of a single statement without what means nothing; None if there are several statements."""
    tokens = tokens_of(instruction)
    while tokens and tokens[-1] in (".", ","):
        tokens.pop()
    if "." in tokens or ";" in tokens:
        return None
    text = " ".join(_SHORT.get(token, token) for token in tokens)
    text = _CLOSING.sub("", _OPENING.sub("", text, count=1) if _OPENING.match(text) else text)
    return None if "," in text.split() else text


def _said(text: str, situation: Situation) -> Iterator[tuple[str, tuple[_Claim, ...]]]:
    """Iterate over the readings of a remark: the words for the thing, and what is said of it."""
    states = {s: words for s, words in _states().items() if s not in situation.domain.predicates}
    for pattern in _LEAKS:
        if "leaky" in states and (found := re.fullmatch(pattern, text)):
            yield found["thing"], (((), "leaky", True),)
    if "broken" in states and (found := re.fullmatch(_NOT_WORKING, text)):
        yield found["thing"], (((), "broken", True),)
    for pattern, holds in ((_NO_STATE, False), (_STATE, True)):
        found = re.fullmatch(pattern, text)
        if found and (state := _state(found["state"], states)):
            yield found["thing"], (((), state, holds),)
    for pattern in _FIXED:
        if states and (found := re.fullmatch(pattern, text)):
            yield found["thing"], tuple(((), state, False) for state in states)
    for patterns, holds in ((_NEGATIVE, False), (_POSITIVE, True)):
        for pattern in patterns:
            found = re.fullmatch(pattern, text)
            affordances = _affordances(found.groupdict()) if found else ()
            if found and affordances:
                yield found["thing"], ((affordances, "", holds),)


def _state(words: str, states: Mapping[str, frozenset[str]]) -> str:
    """The state that words name, with or without a degree before it."""
    parts = words.split()
    while parts and parts[0] in (*DEGREES, "completely", "totally", "too", "a", "bit", "rather", "so"):
        del parts[0]
    said = " ".join(parts)
    return next((state for state, known in states.items() if said in known), "")


def _states() -> Mapping[str, frozenset[str]]:
    """The states that a person may tell of, each with its words; those without words are no remarks."""
    mapping = common_placer().mapping
    return {name: frozenset({name, *words}) for name, words in mapping.state_words.items()}


def _affordances(found: Mapping[str, str | None]) -> tuple[str, ...]:
    """The affordances that may be spoken of; a verb for several means the one that the thing has."""
    if found.get("inside"):
        return ("contain",)
    if found.get("on"):
        return ("support",)
    verb = found.get("verb") or ""
    if verb in ("hold", "contain", "holding", "containing"):
        return ("contain",)
    return _verbs().get(verb, ())


def _meant(affordances: Sequence[str], kind: str) -> str:
    """The likeliest of some affordances for a thing of a class, uses first; empty if there are none."""
    listed = common_placer().mapping.affordances
    uses = [known for known in affordances if listed[known].is_use]
    return max(uses or affordances, key=lambda known: common_placer().probability(kind, known), default="")


@lru_cache(maxsize=1)
def _verbs() -> Mapping[str, tuple[str, ...]]:
    """The affordances by the forms of the verbs for them; a verb that names one means that one."""
    found: dict[str, tuple[str, ...]] = {}
    affordances = common_placer().mapping.affordances.values()
    for known in affordances:
        for word in known.words:
            for form in _forms(word):
                found[form] = tuple(dict.fromkeys((*found.get(form, ()), known.name)))
    for known in affordances:
        found.update(dict.fromkeys(_forms(known.name), (known.name,)))
    return found


def _forms(verb: str) -> Iterator[str]:
    """A verb, and its forms in -ing and -ed, with its last letter doubled or not, or without its e."""
    yield verb
    for stem in (verb, verb.removesuffix("e"), verb + verb[-1:]):
        yield f"{stem}ing"
        yield f"{stem}ed"


def _about(words: str, situation: Situation) -> tuple[str, str] | None:
    """The thing that words stand for, or the class; None if they stand for neither.

    Raises:
        AmbiguousError: several things may be meant.
        NoSuchThingError: there is none.
    """
    tokens = words.split()
    if words in ("it", "that", "this"):
        named = [group[0].term for group in situation.spoken_of if len(group) == 1]
        return (named[-1], "") if named and named[-1] in situation.beliefs.entities() else None
    if tokens[0] not in DEFINITE and words not in situation.beliefs.entities():
        return _of_a_class(tokens)
    resolver = ReferentResolver(situation)
    for phrase, end in noun_phrases(tokens, situation).at(0):
        if end != len(tokens) or phrase.also or phrase.alternatives:
            continue
        names = resolver.entities_meant(phrase)
        if len(names) == 1:
            return names[0], ""
        if not names and phrase.class_name and phrase.where is None and not phrase.states:
            raise NoSuchThingError(f"I know of no {plain(phrase.class_name)} here.")
        if len(names) > 1 and not phrase.plural:
            raise AmbiguousError(f'"{words}" could be {either(names)}: say which.', words, tuple(names))
    return None


def _of_a_class(tokens: Sequence[str]) -> tuple[str, str] | None:
    """The class that "a vase" or "spoons" stands for."""
    name = " ".join(tokens[1:] if tokens[0] in ("a", "an") else tokens)
    place = common_placer().place(name)
    if (
        place.confidence < 1.0
        or place.states
        or (tokens[0] not in ("a", "an") and name == plain(next(iter(place.classes))))
    ):
        return None
    return "", next(iter(place.classes))


def _told(remarks: Sequence[Remark]) -> str:
    """Words for what is kept in mind, after the name of the thing."""
    first = remarks[0]
    if first.affordance:
        return f"affords {first.affordance}" if first.holds else f"does not afford {first.affordance}"
    if first.holds:
        return f"is {first.state}"
    return f"is not {either([remark.state for remark in remarks])}"
