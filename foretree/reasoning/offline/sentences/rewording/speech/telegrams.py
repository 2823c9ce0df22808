"""Notes in telegraphic style, put as sentences: "Mug from the table: wash, into the cupboard"."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from foretree.reasoning.offline.lexicon import DEFINITE, INDEFINITE, NUMBERS, UNIVERSAL, tokens_of, word_set
from foretree.world_model.ontology import Ontology

#: A thing before a colon, or one that comes from somewhere, with what is to be done to it behind.
_HEADED = re.compile(r"(?P<thing>[^,.;:!?]+):\s*(?P<steps>[^.;:!?]+)")
_TAKEN = re.compile(r"(?P<thing>[^,.;:!?]+? (?:out of|off|from) [^,.;:!?]+),\s*(?P<steps>[^.;:!?]+)", re.I)
#: What announces a list of things.
_LISTED = re.compile(
    r"\b(?:these|the following)(?: (?:two|three|four|five|few))?(?: (?:things|items|objects|bits))?\s*:\s*"
    r"|(?:^|(?<=[.;!?]))\s*(?:and |so |right,? |ok,? )?(?:just )?"
    r"(?:two|three|four|five|six|a few|a couple of|some|several|\d)"
    r"(?: (?:little|quick|small|more|other))* (?:things|jobs|tasks|items|chores|favours|favors|steps)"
    r"(?: (?:for you|please|to do|today|from you))*\s*:\s*",
    re.I,
)
_SENTENCES = re.compile(r"[^.;!?]+")
_STEPS = re.compile(r"\s*,\s*(?:and\s+|then\s+)*|\s+(?:and|then)\s+(?:then\s+)?", re.I)
_DETERMINERS = frozenset(
    {*DEFINITE, *INDEFINITE, *NUMBERS, *UNIVERSAL, "my", "our", "your", "both", "some", "any"}
)
#: A thing that is named alone has none of these in its words.
_TELLING = word_set(
    """
    is are was were be been being has have had do does did will would can could should shall must may might
    need needs want wants goes go belongs i you we he she they it there here please if when step first
    then last to do list robot that's it's i'm let's who what where which
    """
)
_PLACING = word_set("in into inside on onto under underneath beside behind next over back to")
_SWITCHES = word_set("on off")
_STATES = word_set("shut closed open clean dry off on away full empty folded sliced locked hot cold")
_PRONOUNS = word_set("it them this that")
_MOST_WORDS = 8


def with_notes_told(text: str, verbs: Collection[str], ontology: Ontology) -> str:
    """Return an instruction with its notes put as requests; as it is where it has none.

    Args:
        text: what was said.
        verbs: the words that commands begin with.
        ontology: knows what things can be put in or on.
    """
    if ":" not in text and not re.search(r"\b(?:out of|off|from)\b[^.;!?]*,", text, re.I):
        return text
    return _SENTENCES.sub(lambda found: _told(found.group(), verbs, ontology), _LISTED.sub("", text))


def _told(sentence: str, verbs: Collection[str], ontology: Ontology) -> str:
    """Return a sentence with the note that it is put as requests."""
    for form in (_HEADED, _TAKEN):
        found = form.fullmatch(sentence.strip())
        if found is None:
            continue
        thing = tokens_of(found["thing"])
        if not _names_thing(thing, verbs):
            return sentence
        taken = form is _TAKEN
        named = " ".join(thing if thing[0] in _DETERMINERS else ("the", *thing))
        requests = [f"take {named}"] if taken else []
        for words in map(tokens_of, _STEPS.split(found["steps"])):
            first = not requests
            request = _request(words, named if first else "it", verbs)
            if first and not request and _is_furniture(words, ontology):
                request = f"move {named} to {' '.join(words)}"
            if not request or (first and request == " ".join(words)):
                return sentence
            requests.append(request)
        return f" {', then '.join(requests)}"
    return sentence


def _names_thing(words: Sequence[str], verbs: Collection[str]) -> bool:
    """Return whether words do no more than name a thing."""
    own = bool(words) and (words[0] not in verbs or words[1:2] in (["from"], ["off"], ["out"], []))
    return own and len(words) <= _MOST_WORDS and _TELLING.isdisjoint(words) and "," not in words


def _request(words: Sequence[str], thing: str, verbs: Collection[str]) -> str:
    """Return the request that a step makes for a thing; empty if it cannot be told."""
    if not words:
        return ""
    if len(words) == 1 and words[0] in _SWITCHES:
        return f"turn {thing} {words[0]}"
    if len(words) == 1 and words[0] in _STATES and words[0] not in verbs:
        return f"{thing} should be {words[0]}"
    if words[0] in _PLACING:
        return " ".join(("put", thing, *words)) if len(words) > 1 else ""
    if words[0] in verbs:
        rest = [*words[1:]]
        if rest[:1] and rest[0] in _PRONOUNS:
            return " ".join((words[0], thing, *rest[1:]))
        own = bool(rest) and rest[0] not in _PLACING | {"up", "down", "out", "off", "away", "with", "for"}
        return "" if own else " ".join((words[0], thing, *rest))
    if words[-1] in _STATES and len(words) > 1 and _TELLING.isdisjoint(words):
        return " ".join(words)  # "cupboard shut" is of another thing
    return ""


def _is_furniture(words: Sequence[str], ontology: Ontology) -> bool:
    """Return whether words do no more than name what a thing can be put to: "Coat: wardrobe."."""
    named = ontology.named(" ".join(words[words[0] in DEFINITE :])) if words else None
    return named is not None and not named.plural and ontology.type_of(named.class_name) == "asset"
