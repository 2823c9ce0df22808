"""Towers, put plainly: "stack the blocks: red, blue, green from top to bottom" says what goes onto what."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from foretree.reasoning.offline.lexicon import NUMBERS, tokens_of
from foretree.world_model.ontology import Ontology

#: Words of which an instruction for a tower has one each.
_TOWER = re.compile(r"\b(?:tower|stack|stacked|pile|piled)\b", re.I)
_HEIGHT = re.compile(r"\b(?:top|bottom|base)\b", re.I)
_BUILDING = (
    r"(?:build|make|stack up|stack|pile up|pile|assemble|create|construct|set up|arrange|put up|erect|form)"
)
_POLITE = r"(?:please|kindly|now|first|then|and|could you|can you|would you|will you|go and)"
_WISH = r"(?:(?:i|we) (?:want|need|would like)|i'd like|we'd like|let there be|there should be)"
_ALL = r"(?:all|the|my|our|these|those|of|a|an|coloured|colored|colourful|toy|wooden|building)"
_FETCHING = r"(?:collect|gather|get|fetch|bring|take|find)"
_SEPARATOR = re.compile(r"\s*(?:[,;:]|\band\b|\bthen\b|\bfollowed by\b|\bnext\b|\bfinally\b)\s*")
_DOWN = re.compile(r"\b(?:from )?(?:the )?top to (?:the )?bottom\b|\btop down\b|\bfrom the top(?: down)?\b")
_UP = re.compile(r"\b(?:from )?(?:the )?bottom to (?:the )?top\b|\bbottom up\b|\bfrom the bottom(?: up)?\b")
#: Words around the order that say no more than that it is one.
_ORDERING = re.compile(
    r"\b(?:so that|such that|with|where|in this order|in the order|the order|order|the colours|the colors"
    r"|colours|colors|should be|shall be|must be|are|is|be|going|it)\b"
)
_AT_TOP = r"(?:(?:on|at|to) (?:the )?(?:very )?top|uppermost|topmost|the top one)"
_AT_BOTTOM = r"(?:(?:at|on|as|in) (?:the )?(?:very )?(?:bottom|base)|lowest|bottommost|the bottom one)"


def is_tower(text: str) -> bool:
    """Return whether a text may ask for a tower and say in which order."""
    return _TOWER.search(text) is not None and _HEIGHT.search(text) is not None


def with_towers_put_plainly(text: str, ontology: Ontology) -> str:
    """Return an instruction with what goes onto what in place of the order of a tower.

    It stays as it is where not all words of the order are understood.
    """
    sentences = [part.strip() for part in " ".join(tokens_of(text)).split(".") if part.strip()]
    for noun, plural in _stackable(sentences, ontology):
        opening = _opening(noun, plural)
        for at, sentence in enumerate(sentences):
            found = opening.fullmatch(sentence)
            if found is None:
                continue
            for end in (at + 1, at + 2):  # the order may be told in the next sentence
                told = " , ".join(filter(None, (found["order"], *sentences[at + 1 : end])))
                tower = _in_order(told, noun, ontology)
                if tower and len(tower) == _number(found["number"], len(tower)):
                    where = found["front"] or found["place"] or _goal_of(found["fetched"])
                    plain = _requests(tower, where)
                    return ". ".join((*sentences[:at], plain, *sentences[end:]))
    return text


def _stackable(sentences: Sequence[str], ontology: Ontology) -> list[tuple[str, str]]:
    """Return the nouns of which there is a kind with each of several adjectives: a block is red, or green."""
    said = {word for sentence in sentences for word in sentence.split()}
    nouns = {name.split("_")[-1] for name in ontology.classes if "_" in name}
    return [(noun, f"{noun}s") for noun in sorted(nouns) if said & {noun, f"{noun}s"}]


def _opening(noun: str, plural: str) -> re.Pattern[str]:
    number = rf"(?:(?P<number>{'|'.join(NUMBERS)}|\d+) )?"
    things = rf"(?:{_ALL} )*{number}(?:{_ALL} )*{plural}"
    again = things.replace("?P<number>", "?:")
    made_of = rf"(?: (?:of|from|out of|with|using) {again})?"
    tower = rf"(?:(?:a|one|the|high|tall) )*(?:{noun} )?(?:tower|stack|pile){made_of}"
    brought = r"(?: (?:from|in|to|over to|together)[\w ,]*?)?(?: ,| and| then)+ "
    place = r"(?:in|on|at|onto|upon) [\w ]+?"
    return re.compile(
        rf"(?:(?P<front>{place}) ?,? )?(?:{_POLITE} )*"
        rf"(?P<fetched>{_FETCHING} (?:{again}|them){brought})?"
        rf"(?:{_POLITE} )*(?:{_BUILDING}|{_WISH}) (?:{tower}|{things}|them)(?: up)?(?: (?P<place>{place}))?"
        rf"(?P<order>(?: [,:;]| so that| such that| with| from (?:the )?(?:top|bottom)).*)?"
    )


def _number(word: str | None, otherwise: int) -> int:
    if word is None:
        return otherwise
    return int(word) if word.isdecimal() else NUMBERS[word]


def _goal_of(fetched: str | None) -> str:
    """Return where things are brought first: "bring all blocks to office 608 and"."""
    found = re.search(r"\bto ((?:(?!\band\b|\bthen\b|,)[\w ])+)", fetched or "")
    return f"in {found[1].strip()}" if found else ""


def _in_order(told: str, noun: str, ontology: Ontology) -> list[str]:
    """Return the things of a tower, the lowest first; none if the order is not understood."""
    down, up = _DOWN.search(told), _UP.search(told)
    if down and up:
        return []
    told = _DOWN.sub(" , ", _UP.sub(" , ", told))
    pieces = [piece for piece in _SEPARATOR.split(_ORDERING.sub(" ", told)) if piece.strip()]
    item = re.compile(
        rf"(?:the |a )?(?P<adjective>\w+)(?: one| {noun}| ones)?(?: goes| comes)?"
        rf"(?: (?:(?P<top>{_AT_TOP})|(?P<bottom>{_AT_BOTTOM})"
        rf"|(?:on|above|onto) (?:the )?(?P<on>\w+)(?: one| {noun})?))?"
    )
    found = [item.fullmatch(" ".join(piece.split())) for piece in pieces]
    items = [match for match in found if match is not None]
    if len(items) < len(pieces) or len(items) < 2:
        return []
    names = [match["adjective"] for match in items]
    if len({*names}) < len(names) or any(ontology.named(f"{name} {noun}") is None for name in names):
        return []
    first, last = items[0], items[-1]
    if any(match["top"] or match["bottom"] for match in items[1:-1]):
        return []
    falling = bool(down or first["top"] or last["bottom"])
    rising = bool(up or first["bottom"] or last["top"])
    if falling is rising:
        return []
    rising_names = names[::-1] if falling else names
    below = {upper: lower for lower, upper in pairwise(rising_names)}
    if any(match["on"] not in (None, "it", "that", below.get(match["adjective"])) for match in items):
        return []
    return [f"the {name} {noun}" for name in rising_names]


def _requests(tower: Sequence[str], where: str) -> str:
    """Return the requests for a tower, whose lowest thing comes first."""
    onto = [f"put {upper} onto {lower}" for lower, upper in pairwise(tower)]
    return " and ".join(([f"put {tower[0]} {where}"] if where else []) + onto)
