"""Frames of questions: "can you tell me whether …", "I wonder where …", "…, isn't it?"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from foretree.reasoning.offline.lexicon import tokens_of

_SHORT: Mapping[str, tuple[str, ...]] = {
    "what's": ("what", "is"),
    "whats": ("what", "is"),
    "what're": ("what", "are"),
    "where's": ("where", "is"),
    "wheres": ("where", "is"),
    "where're": ("where", "are"),
    "who's": ("who", "is"),
    "how's": ("how", "is"),
    "when's": ("when", "is"),
    "there's": ("there", "is"),
    "that's": ("that", "is"),
    "it's": ("it", "is"),
    "they're": ("they", "are"),
    "you're": ("you", "are"),
    "i'm": ("i", "am"),
    "i'd": ("i", "would"),
    "i've": ("i", "have"),
    "we've": ("we", "have"),
    "you've": ("you", "have"),
    "you'll": ("you", "will"),
    "can't": ("can", "not"),
    "cannot": ("can", "not"),
    "won't": ("will", "not"),
}
_ENDING_IN_NOT = re.compile(r"(is|are|was|were|has|have|had|do|does|did|could|would|should)n['’]?t")

_GREETING = (
    r"(?:(?:hey|hi|hello|ok|okay|so|and|but|well|please|sorry|excuse me|now|right|robot|quick "
    r"question|by the way|then|oh|just)\b ?[,.]? ?)+"
)
_ADVERB = (
    r"(?:(?:please|kindly|maybe|perhaps|quickly|possibly|just|happen to|by any chance|still|even|also) )*"
)
_US = "(?:me|us)"
_ASKING = rf"""
(?:can|could|will|would) you {_ADVERB}(?:tell|remind|inform) {_US}
|(?:can|could|will|would) you {_ADVERB}let {_US} know
|(?:can|could|will|would) you {_ADVERB}say
|(?:do|would) you {_ADVERB}(?:know|remember|recall|think|reckon|believe)
|(?:do|would) you mind telling {_US}
|you (?:do|would) not {_ADVERB}know
|(?:tell|remind) {_US}(?: please)?
|let {_US} know
|say
|(?:do you |have you |would you )?(?:have |got )?(?:any|an|some) (?:idea|clue|thoughts)(?: of| about)?
|i would {_ADVERB}(?:like|love) to (?:know|hear)
|i (?:just )?(?:want|wanted|need|have|wish) to (?:know|ask|find out)
|i (?:just )?(?:wonder|am wondering|was wondering|am curious|am not sure|am asking)
|(?:can|could|may|might) i ask(?: you)?
|i (?:do not|can not|could not) (?:know|remember|recall|tell)
|i (?:forgot|forget|have forgotten)
|what i (?:want|would like) to know is
|is it (?:true|right|correct|so) that
"""
_AFTERTHOUGHT = (
    rf"(?:(?:can|could|would|will) you {_ADVERB}(?:tell|say|let)\b(?: me| us)?(?: know)?|do you know"
    r"|would you know|any idea|any clue|do you remember|if you know|if i may ask|tell me)"
)
_LAST = (
    r",? (?:please|now|just now|right now|at the moment|at present|currently|at this moment|by any chance"
    r"|then|exactly|anywhere|somewhere|right|mate|robot|these days|today|thanks|thank you|or not|you know"
    r"|if you do not mind|without (?:going|moving|looking|walking)\b[^.]*"
    rf"|{_AFTERTHOUGHT}(?: (?:without|with no|from|if|and do not)\b[^.]*)?)"
)
_TAG = r" ?, (?:is|are|was|were|has|have|does|do|did|can)(?: not)? (?:it|they|there|you|he|she|we|i)(?: not)?"


@dataclass(frozen=True, slots=True)
class Framed:
    """A question without its frame.

    Attributes:
        tokens: its words.
        declared: whether they have the order of a statement: "if *the mug is clean*".
    """

    tokens: tuple[str, ...]
    declared: bool = False


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    asking = "|".join(line.strip(" |") for line in _ASKING.strip().splitlines())
    return (
        re.compile(_GREETING),
        re.compile(rf"(?:{asking})\b(?: ,)? ?(?P<whether>(?:if|whether or not|whether|that)\b ?)?"),
        re.compile(rf"(?:{_LAST})$"),
        re.compile(rf"{_TAG}$"),
    )


def long_forms(tokens: Sequence[str]) -> list[str]:
    """Return *tokens* with their short forms written out."""
    found: list[str] = []
    for token in tokens:
        short = _ENDING_IN_NOT.fullmatch(token)
        found += [short[1], "not"] if short else _SHORT.get(token, (token,))
    return found


def framed(question: str) -> Framed:
    """Return what is asked, without the courtesies around it; no words where there is another sentence."""
    greeting, asking, last, tag = _patterns()
    text = " ".join(long_forms(tokens_of(question))).strip(" .,;")
    declared = question.rstrip().endswith("?")  # "the mug is clean?"
    while (shorter := last.sub("", text)) != text:
        text = shorter.rstrip(" ,")
    tagged = tag.search(text)
    if tagged is not None and tagged.start() > 0:
        text, declared = text[: tagged.start()], True
    while True:
        before = text
        text = greeting.sub("", text, count=1) if greeting.match(text) else text
        asked = asking.match(text)
        if asked is not None:
            rest = text[asked.end() :].lstrip(" ,")
            if not rest:
                break
            declared = declared or asked["whether"] is not None
            text = rest
        if text == before:
            break
    tokens = tuple(text.split())
    return Framed(() if {".", ";"} & {*tokens} else tokens, declared)
