"""Words of a sentence, each with the parts of speech that it may be.

Which of them it is shows only when phrases and clauses are read: "water" is a thing after "the" and a deed
before it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

from foretree.reasoning.offline.english.lexicon.lexicon_file import EnglishWords

#: A part of speech.
Tag = str


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[^\s,]+", text))


DETERMINERS = _words(
    """the a an this that these those my your his her its our their some any no every each all both either
    neither another many much few several most more enough such"""
)
SUBJECT_PRONOUNS = _words(
    """i you he she it we they this that these those someone somebody everyone everybody anyone anybody
    nobody something everything anything nothing one who there none mine yours ones others another all both"""
)
OBJECT_PRONOUNS = _words("me you him her it us them myself yourself itself themselves himself herself")
_PRONOUNS = SUBJECT_PRONOUNS | OBJECT_PRONOUNS | _words("mine yours hers theirs ours")
PREPOSITIONS = _words(
    """in on at to from into onto inside outside under underneath beneath below above over behind beside
    between by near next of off with without for about across along through around against towards toward
    upon within among during like than as besides past despite via per"""
)
PARTICLES = _words("up down off out away back over in on together apart around along through aside forward")
MODALS = _words("can could will would shall should may might must")
BE = _words("am is are was were be been being")
FINITE_BE = _words("am is are was were")
HAVE = _words("have has had having")
DO = _words("do does did")
_NUMBERS = _words("one two three four five six seven eight nine ten eleven twelve dozen")
#: Words for no more and no fewer than a number that follows.
EXACTLY = _words("exactly only just precisely")
CONJUNCTIONS = _words("and or but nor so then plus")
SUBORDINATORS = _words(
    """if unless when whenever while whilst because since though although before after until till once whereas
    provided assuming lest cos"""
)
RELATIVES = _words("that which who whom whose where whoever whichever")
QUESTION_WORDS = _words("what where which who whom whose why how when")
_CLOSED: dict[str, frozenset[Tag]] = {}
for _tag, _list in (
    ("det", DETERMINERS),
    ("pron", _PRONOUNS),
    ("prep", PREPOSITIONS),
    ("part", PARTICLES),
    ("modal", MODALS),
    ("be", BE),
    ("have", HAVE),
    ("do", DO),
    ("num", _NUMBERS),
    ("and", CONJUNCTIONS),
    ("sub", SUBORDINATORS),
    ("rel", RELATIVES),
    ("wh", QUESTION_WORDS),
    ("to", _words("to")),
    ("not", _words("not never")),
):
    for _word in _list:
        _CLOSED[_word] = _CLOSED.get(_word, frozenset()) | {_tag}

_CONTRACTED = {
    "i'm": "i am", "can't": "can not", "cannot": "can not", "won't": "will not", "shan't": "shall not",
    "let's": "let us", "gonna": "going to", "wanna": "want to", "gotta": "have to", "lemme": "let me",
    "gimme": "give me", "dont": "do not", "y'all": "you", "u": "you", "n": "and", "pls": "please",
    "plz": "please", "cuz": "because", "cause": "because", "'cause": "because", "'cos": "because",
    "coz": "because", "cos": "because", "ain't": "is not", "thats": "that is", "whats": "what is",
    "ya": "you", "im": "i am", "ive": "i have", "d'you": "do you", "kinda": "kind of", "outta": "out of",
    "'em": "them", "em": "them", "ur": "your", "til": "until", "'til": "until", "thru": "through",
}  # fmt: skip
#: Words for which others stand.
_PLAIN: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (("if", "not", ","), ("otherwise",)),
    (("or", "else"), ("otherwise",)),
    (("in", "any", "other", "case"), ("otherwise",)),
    (("if", "so", ","), ("then",)),
    (("and", "that", "the"), ("and", "the")),
    (("otherwise", ","), ("otherwise",)),
    *(
        (tuple(f"{room} {am}".split()), ("me",))
        for room in ("the room that", "the room", "the room where", "where")
        for am in ("i am in", "i am", "i am sitting", "i am standing", "i sit", "i stand")
    ),
    *((("over", "here"), ("here",)), (("right", "here"), ("here",))),
    (("and", "perhaps"), ("and",)),
    (("and", "maybe"), ("and",)),
    (("and", "possibly"), ("and",)),
    (("off", "you", "go"), ("go",)),
    (("off", "you", "pop"), ("pop",)),
    (("off", "you", "trot"), ("go",)),
    (("away", "you", "go"), ("go",)),
    (("might", "as", "well"), ("should",)),
    (("may", "as", "well"), ("should",)),
    (("can", "just", "as", "well"), ("should",)),
)
_ENDINGS = {"'re": "are", "'ve": "have", "'ll": "will"}
#: They own what is of that time: "*today's* paper", "last *week's* shirt".
_TIMES = _words(
    """today yesterday tomorrow tonight morning afternoon evening night week month year weekend
    monday tuesday wednesday thursday friday saturday sunday"""
)
#: Words before which "'s" is "is".
_TELLING = _words("still already not now just always all right over")
#: After these "'s" is "is" or "has", and "'d" is "would" or "had"; after other words it may be possessive.
_NO_OWNERS = _words(
    """he she it that there here what where who how this everything nothing nobody everybody somebody someone
    everyone something anything whatever whichever when why"""
)


def written_out(tokens: Sequence[str], lexicon: EnglishWords) -> list[str]:
    """Return the words with short forms written out: "it's" is "it is"."""
    found: list[str] = []
    tokens = _with_counts(_plainly(tokens))
    for at, token in enumerate(tokens):
        following = tokens[at + 1] if at + 1 < len(tokens) else ""
        after = tokens[at + 2] if at + 2 < len(tokens) else ""
        found.extend(_written_out(token, following, after, lexicon))
    return found


def _plainly(tokens: Sequence[str]) -> Sequence[str]:
    """Return the words with one word for "if not" and its like, and without "if so"."""
    found: list[str] = []
    at = 0
    while at < len(tokens):
        length, plain = next(
            ((len(words), plain) for words, plain in _PLAIN if (*tokens[at : at + len(words)],) == words),
            (1, (tokens[at],)),
        )
        found.extend(plain)
        at += length
    return found


def _with_counts(tokens: Sequence[str]) -> Sequence[str]:
    """Return the words with "only" right before a number: "there should *only* be one" means "only one"."""
    found = list(tokens)
    for at in range(len(found) - 2):
        counted = found[at + 2] in _NUMBERS or (found[at + 2] == "the" and found[at + 3 : at + 4] == ["one"])
        if found[at] in EXACTLY and found[at + 1] not in _NUMBERS and found[at + 1] not in DETERMINERS:
            found[at : at + 2] = reversed(found[at : at + 2]) if counted else found[at : at + 2]
    return found


def _written_out(token: str, following: str, after: str, lexicon: EnglishWords) -> list[str]:
    if token in _CONTRACTED:
        return _CONTRACTED[token].split()
    if "'" not in token:
        return [token]
    stem, _, ending = token.partition("'")
    if token.endswith("n't"):
        return [token[:-3], "not"]
    if f"'{ending}" in _ENDINGS:
        return [stem, _ENDINGS[f"'{ending}"]]
    participle = any(kind == "participle" for _, kind in lexicon.verb_form(following))
    if ending == "d":
        return [stem, "had" if participle or following == "better" else "would"]
    if ending == "s":
        got = following in ("got", "been", "gone", "run", "become")
        if stem in _NO_OWNERS:
            return [stem, "has" if got else "is"]
        done = participle and "noun" not in lexicon.parts_of_speech(after)
        going_on = (
            done
            or following in ("gonna", "gotta")
            or any(kind == "ing" for _, kind in lexicon.verb_form(following))
        )
        said_of = following in DETERMINERS | PREPOSITIONS | _words(
            "still already not now just always all right over"
        )
        parts = lexicon.parts_of_speech(following)
        if stem in _TIMES and not said_of and "noun" in parts:
            return [token]
        alone = not after or after in CONJUNCTIONS | {",", ".", "now", "already"}
        described = (
            "adjective" in parts
            and ("noun" not in parts or alone)
            and "noun" not in lexicon.parts_of_speech(after)
        )
        hedged = "adverb" in parts and not parts & {"noun", "adjective", "verb"}  # "the cake's nearly ready"
        if got or going_on or said_of or described or hedged or following in _words("too very really so"):
            return [stem, "has" if got else "is"]
    return [token]


@dataclass(frozen=True)
class Sentence:
    """The words of one sentence; commas are words.

    Attributes:
        words: they, in lower case and with short forms written out.
        lexicon: the parts of speech of words.
        verbs: the words that commands begin with.
        nouns: the words that name things here.
    """

    words: tuple[str, ...]
    lexicon: EnglishWords
    verbs: Collection[str]
    nouns: Collection[str]

    @cached_property
    def tags(self) -> tuple[frozenset[Tag], ...]:
        """The parts of speech that each word may be."""
        return tuple(self._tags(word) for word in self.words)

    def _tags(self, word: str) -> frozenset[Tag]:
        if word == ",":
            return frozenset({"comma"})
        closed = _CLOSED.get(word, frozenset())
        if closed - {"part"} and word not in ("like", "past", "one"):
            return closed
        found = {*closed, *(_PARTS[part] for part in self.lexicon.parts_of_speech(word) if part in _PARTS)}
        found |= {_KINDS[kind] for _, kind in self.lexicon.verb_form(word)}
        if word in self.verbs:
            found.add("verb")
        if word in self.nouns or not found:
            found.add("noun")
        if word.isdecimal():
            found = {"num"}
        return frozenset(found)

    def word(self, at: int) -> str:
        """Return the word at a position; empty beyond the ends."""
        return self.words[at] if 0 <= at < len(self.words) else ""

    def has(self, at: int, *tags: Tag) -> bool:
        """Return whether the word at a position may be one of some parts of speech."""
        return 0 <= at < len(self.words) and not self.tags[at].isdisjoint(tags)

    def base(self, at: int, *kinds: str) -> str:
        """Return the base form of the verb at a position, if it is of one of some kinds; else empty."""
        forms = self.lexicon.verb_form(self.word(at))
        word = self.word(at)
        found = next((base for base, kind in forms if kind in kinds), "")
        return found or (word if "base" in kinds and word in self.verbs else "")


_PARTS = {"noun": "noun", "adjective": "adj", "adverb": "adv", "interjection": "intj"}
_KINDS = {"base": "verb", "s": "verb-s", "past": "past", "participle": "participle", "ing": "ing"}
