"""The words that need no configuration: determiners, numbers, pronouns, politeness, connectives."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

#: A phrase, as the tuple of its words.
Phrase = tuple[str, ...]


class Phrases(tuple[Phrase, ...]):
    """Phrases of which those that begin with a word are found at once."""

    @cached_property
    def by_first(self) -> Mapping[str, tuple[Phrase, ...]]:
        """The phrases by their first words, in order."""
        found: dict[str, list[Phrase]] = {}
        for phrase in self:
            found.setdefault(phrase[0], []).append(phrase)
        return {first: tuple(phrases) for first, phrases in found.items()}

    @cached_property
    def _lengths(self) -> Mapping[str, Sequence[int]]:
        """The lengths of the phrases by their first words."""
        return {first: sorted({len(one) for one in phrases}) for first, phrases in self.by_first.items()}

    @cached_property
    def _order(self) -> Mapping[Phrase, int]:
        return {phrase: index for index, phrase in enumerate(self)}

    def at(self, words: Sequence[str], at: int) -> Iterator[Phrase]:
        """Yield those that stand at a position, in order."""
        lengths = self._lengths.get(words[at], ()) if at < len(words) else ()
        if not lengths:
            return
        # Many begin with the same word: to look up the few that may stand there is quicker.
        said = (tuple(words[at : at + length]) for length in lengths)
        yield from sorted({phrase for phrase in said if phrase in self._order}, key=self._order.__getitem__)

    def longest(self, words: Sequence[str], at: int) -> int:
        """The number of words of the longest that stands at a position; 0 if there is none."""
        lengths = self._lengths.get(words[at]) if at < len(words) else None
        for length in reversed(lengths or ()):
            if at + length <= len(words) and tuple(words[at : at + length]) in self._order:
                return length
        return 0


def word_set(text: str) -> frozenset[str]:
    """The words of a list with blanks."""
    return frozenset(text.split())


def phrases(text: str) -> Phrases:
    """The phrases of a list with commas, longer ones first."""
    return listed(text.split(","))


def listed(texts: Iterable[str]) -> Phrases:
    """The phrases of *texts*, longer ones first."""
    return Phrases(sorted((tuple(text.split()) for text in texts), key=lambda phrase: (-len(phrase), phrase)))


#: They own what is of that time: "*today's* paper" is the one of today.
TIMES_OWNING = frozenset({"today's", "tonight's", "yesterday's", "tomorrow's"})
DEFINITE = TIMES_OWNING.union(
    ("the", "this", "that", "these", "those", "my", "your", "our", "his", "her", "their", "its")
)
#: What the speaker points at.
POINTING = frozenset({"this", "these"})
INDEFINITE = frozenset({"a", "an", "any", "another"})
SOME = frozenset({"some", "several"})
_NUMBERS = "one two three four five six seven eight nine ten eleven twelve"
NUMBERS = {word: number for number, word in enumerate(_NUMBERS.split(), 1)}
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth"
ORDINALS = {word: number for number, word in enumerate(_ORDINALS.split(), 1)}
UNIVERSAL = frozenset({"all", "every", "each"})
BOTH = "both"
IT = frozenset({"it", "this", "that"})
THEM = frozenset({"them", "they", "these", "those", "both"})
#: A place that was spoken of, or that the speaker is at.
THERE = frozenset({"there", "here"})
SPEAKER = frozenset({"me", "us", "myself"})
#: Things of whatever kind the sentence calls for, and whether there is one or many of them.
ANYTHING = {"something": "a", "anything": "a", "everything": "all"}
THING = frozenset({"thing", "item", "object"})
THINGS = frozenset({"things", "items", "objects", "stuff"})
#: Stand for a noun that was said before: "the clean *one*".
ONE = frozenset({"one"})
ONES = frozenset({"ones"})
OTHERS = frozenset({"others", "rest", "remainder"})
#: The first and the second of two things that were said before.
OF_TWO = {"former": 0, "latter": 1}
#: What things are cut into, and whether the word is plural: "cut the apple and put a *slice* on the plate".
PORTIONS = {
    word + ending: bool(ending) for word in ("slice", "piece", "chunk", "wedge") for ending in ("", "s")
}
#: Introduces a relative clause: "the mug *that* is on the table".
RELATIVE = frozenset({"that", "which", "who", "that's", "which's"})
#: Introduces what a place is told by: "the table *where* the apple is".
RELATIVE_PLACE = frozenset({"where", "that", "which"})
#: Stand for all that something is so of: "*what* is on the table".
WHATEVER = frozenset({"what", "whatever", "what's", "whatever's"})
COPULA = frozenset({"is", "are", "be", "was", "were"})
#: Said of where a thing is, and meaning no more than that it is there.
STAYING = frozenset(
    {
        "left",
        "kept",
        "stored",
        "waiting",
        "lying",
        "standing",
        "sitting",
        "resting",
        "located",
        "placed",
        "found",
        "currently",
        "hanging",
    }
)
#: The same as verbs: "the book that lies on the desk".
STAYS = frozenset({"lies", "lie", "stands", "stand", "sits", "sit", "rests", "rest", "hangs", "hang"})
#: Said between a copula and a state, and meaning nothing for it.
DEGREES = frozenset({"still", "already", "currently", "now", "all", "really", "quite", "very"})
#: They introduce what is left out.
EXCEPT = phrases(
    """
    except for, except, apart from, aside from, other than, with the exception of, excluding, save for, save,
    barring, bar, besides, but not, but for, not counting, not including, minus, leaving out, just not
    """
)
#: They introduce what is left out of all of something only.
EXCEPT_OF_ALL = phrases("but, not, without")

COLOURS = frozenset(
    re.findall(
        r"\w+",
        """
        black white green blue brown yellow red gray grey purple pink orange gold golden silver beige tan teal
        """,
    )
)
#: Words for what cannot be told of a thing yet, though it may be seen. They are right where only one
#: thing can be meant anyway.
QUALITIES = COLOURS | frozenset(
    re.findall(
        r"\w+",
        """
        dark bright plaid striped wooden metal metallic plastic ceramic leather stone electric
        small large big little tall short long tiny huge medium thin thick wide
        round square rectangular circular oval flat
        nearest closest farthest furthest highest lowest topmost bottommost
        left right bottom top upper lower middle far near leftmost rightmost opposite same first last second
        """,
    )
)
#: Words for being beside something, or in some part of the room.
BESIDE = phrases(
    """
    next to, by, near, beside, in front of, behind, above, across from, closest to, nearest to, close to,
    to the left of, to the right of, on the left of, on the right of, on the left side of,
    on the right side of, left of, right of, between, at the foot of
    """
)
REGIONS = phrases(
    """
    in the corner of the room, in the corner, on the left, on the right, on the floor, in the room,
    across the room, on the other side of the room, to the left, to the right, in the kitchen,
    in the living room, in the bedroom, in the bathroom, against the wall
    """
)
#: Parts of rooms, and what stays in them: where nothing is called so, they still say where a thing is.
LANDMARKS = frozenset(
    re.findall(
        r"\w+",
        """
        floor ground window windows wall walls door doorway doors corner corners entrance exit
        ceiling mirror mirrors fireplace mantle hearth curtain curtains blinds rug carpet mat
        radiator picture painting poster stairs balcony outlet socket backsplash windowsill vent
        """,
    )
)
#: Said between a thing and where it shall be, and meaning no more: "carry it *over* to the sink".
DIRECTIONS = frozenset(
    re.findall(r"\w+", "over across down up back out along through round around off straight right away")
)
#: Words for where a thing is to be taken from begin with these.
SOURCES = frozenset({"from", "out", "off"})
#: What a thing has in or on it: "the mug *with* a spoon in it".
WITH = phrases(
    """
    with, containing, holding, carrying, bearing, supporting, having, that has got, that have got, that's got,
    which has got, that has, that have, which has, which have, that holds, that hold, which holds, which hold,
    that contains, that contain, which contains, which contain, that carries, which carries, that bears,
    which bears, that is holding, that is carrying, that's holding, that's carrying, that supports
    """
)
WITHIN: tuple[tuple[Phrase, str], ...] = (
    (("in", "it"), "in"),
    (("inside", "it"), "in"),
    (("inside", "of", "it"), "in"),
    (("inside",), "in"),
    (("on", "it"), "on"),
    (("on", "top", "of", "it"), "on"),
    (("on", "top"), "on"),
)

#: They part the things of a list.
AND = Phrases(((",", "and"), (",",), ("and",)))
CONNECTIVES = frozenset({"and", "then", ",", ";", ".", "afterwards", "finally", "next", "also", "plus"})
#: Said before a command, or after it, and meaning nothing for the goal. Longest first.
_FILLERS = """
    please, kindly, now, just, second, third, fourth, fifth,
    ok, okay, hey, hi, hello, robot, first, too, quickly, carefully, thanks,
    thank you, for me, could you, can you, would you, will you, you, i want you to, i would like you to,
    i'd like you to, i need you to, go and, after that, only then, be so kind and, be so kind as to,
    help me and, let's, as well, right now, immediately, thank you very much, many thanks
"""
FILLERS = phrases(_FILLERS)

#: A wish for a state in plain wording: "want the mug clean", "the mug be clean".
WANT = "want"
BE = "be"

_DETERMINING = "of couple pair others rest half few least most more fewer less than exactly precisely only"

#: Every word of this module.
FUNCTION_WORDS: frozenset[str] = frozenset().union(
    *(
        DEFINITE,
        INDEFINITE,
        SOME,
        NUMBERS,
        UNIVERSAL,
        IT,
        THEM,
        SPEAKER,
        ANYTHING,
        THING,
        THINGS,
        CONNECTIVES,
    ),
    QUALITIES,
    RELATIVE,
    RELATIVE_PLACE,
    THERE,
    ONE,
    ONES,
    PORTIONS,
    OF_TWO,
    COPULA,
    STAYING,
    STAYS,
    *(*FILLERS, *BESIDE, *REGIONS, *WITH, *EXCEPT, *(words for words, _ in WITHIN)),
    (BOTH,),
    _DETERMINING.split(),
)

_TOKEN = re.compile(r"[^\W]+(?:['’\-][^\W]+)*|[,;.:?]")
#: Marks that end a sentence, or part its parts, as a full stop or a comma does.
_MARKS = str.maketrans({"!": ".", "…": ".", "–": ",", "—": ",", "(": ",", ")": ","})


def tokens_of(text: str, marks: bool = False) -> list[str]:
    """The words of *text* in lower case; commas, semicolons and full stops are words.

    Other marks are read as these, or left out; with *marks*, colons and question marks stay.
    """
    plain = text.lower().translate(_MARKS).replace("&", " and ").replace(" - ", " , ")
    plain = plain if marks else plain.replace(":", ",").replace("?", ".")
    return [token.replace("’", "'") for token in _TOKEN.findall(plain)]


def starts_with(tokens: Sequence[str], at: int, phrase: Phrase) -> bool:
    """True if *phrase* stands at a position."""
    # Most begin with another word: to compare that alone is quick.
    begins = not phrase or (at < len(tokens) and tokens[at] == phrase[0])
    return begins and tuple(tokens[at : at + len(phrase)]) == phrase


def opening(words: Sequence[str], markers: Phrases, at: int = 0) -> int:
    """The number of words of the longest of *markers* at a position; 0 if there is none."""
    return markers.longest(words, at)


def trimmed(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words without connectives at either end."""
    begin, end = 0, len(words)
    while begin < end and words[begin] in (",", "and", "but", "then", "so"):
        begin += 1
    while end > begin and words[end - 1] in (",", "and", "but", "then"):
        end -= 1
    return words[begin:end]


def sentences_of(
    words: Sequence[str], stops: Collection[str] = (".", ";", ":", "?")
) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the words of each sentence, with the mark at its end."""
    begin = 0
    for at, word in enumerate((*words, ".")):
        if word in stops:
            if begin < at:
                yield tuple(words[begin:at]), word
            begin = at + 1


def after_any(tokens: Sequence[str], at: int, choices: Phrases) -> int | None:
    """The position after the longest of *choices* that stands at a position; None if there is none."""
    length = choices.longest(tokens, at)
    return at + length if length else None


def skip_fillers(tokens: Sequence[str], at: int) -> int:
    """The first position from *at* on that is no filler."""
    while length := FILLERS.longest(tokens, at):
        if tokens[at] == "just" and tokens[at + 1 : at + 2] and tokens[at + 1] in NUMBERS:
            break  # "just one pillow" is no more than one
        at += length
    return at


def skip_between(tokens: Sequence[str], at: int) -> int:
    """The first position from *at* on that is neither a filler nor a connective."""
    while (after := skip_fillers(tokens, at)) < len(tokens) and tokens[after] in CONNECTIVES:
        at = after + 1
    return after
