"""Wordings: patterns of words, in which files say how people put something.

A wording is made of words; ``(one|another word)`` for a choice; ``?`` after a word or choice that may be left
out; ``<name>`` for the words of a list that the file gives; ``{thing}`` for the words of a noun phrase or a
state, ``{request}`` for any words, ``{stuff}`` for some without a preposition; and ``...`` for any words that
deny nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from foretree.errors import ForetreeError, suggest

_SHORT = {
    "can't": "cannot", "won't": "will not", "shan't": "shall not", "let's": "let us", "ain't": "is not",
    "gonna": "going to", "gotta": "got to", "wanna": "want to", "dunno": "do not know", "cuz": "because",
    "anybody": "anyone", "somebody": "someone", "nobody": "no one", "everybody": "everyone",
    "i'd": "i would", "we'd": "we would", "she'd": "she would", "he'd": "he would", "they'd": "they would",
    "you'd": "you would", "it'd": "it would", "dont": "do not", "cant": "cannot", "im": "i am",
    "doesnt": "does not", "isnt": "is not", "its": "its",
}  # fmt: skip
_ENDINGS = (("n't", " not"), ("'m", " am"), ("'re", " are"), ("'ve", " have"), ("'ll", " will"))
#: Words after which "'s" is the verb; after a noun it may be a genitive.
_WITH_IS = "it|that|there|what|who|where|how|he|she|here|everyone|anyone|someone|something"
#: Words that add nothing but stress or mood.
_STRESS = re.compile(
    r"""(?:^|(?<=\s))(?:
    (?:in|over|around|out|up|down)\shere|a\sbit|a\slittle(?:\sbit)?|kind\sof|sort\sof|way\stoo|right\snow|at\sthe\smoment|you\sknow|i\sthink|i\sguess
    |(?:it\s)?(?:looks|seems|appears|sounds)\s(?:like|as\sif|as\sthough|that)
     (?=\s(?:we|i|you|there|the|someone|somebody|my|our|it|all|no|this|that|every)\s)
    |i\s(?:believe|reckon|suppose|fear|notice|noticed|see|just\snoticed|have\sa\sfeeling|have\sto\ssay)\sthat
    |i\s(?:believe|reckon|suppose|fear)|it\sturns\sout(?:\sthat)?|turns\sout(?:\sthat)?|it\sappears
    |i\sam\safraid(?:\sthat)?|i\smust\ssay|i\sfeel\slike\si\sam|it\sseems(?:\sthat)?|it\slooks\slike|oh\sno|oh\sdear|my\sgod|oh\smy|for\sme
    |so\smuch|by\sthe\sway|of\scourse|do\snot\syou\sthink|is\snot\sit|are\snot\sthey|by\snow|as\susual|once\sagain
    |so|very|really|quite|rather|terribly|awfully|pretty|totally|absolutely|extremely|incredibly|completely
    |somewhat|super|too|just|already|again|oh|ah|ugh|eww|ew|yuck|brr|phew|god|gosh|dear|wow|hey|hi|hello|well
    |man|damn|yikes|ouch|ow|look|honestly|actually|seriously|literally|simply|now|today|tonight|here|please
    |sorry|oops|whoops|alas|hmm|er|um|robot|also|kinda|sorta|bloody|freaking|ever|even|certainly|definitely
    |apparently|obviously|suddenly|finally|currently|basically|unfortunately|probably|surely|truly|sure|thanks
    )(?=\s)""",
    re.VERBOSE,
)
#: Words that deny, doubt or condition what is said; the gaps of a wording have none of them.
_DENIED = (
    "not|never|no|none|without|neither|nor|nothing|if|unless|until|whether|was|were|had|yesterday|used|longer"
    "|should|must|shall|ought|important|insist|prefer|ensure|make sure|in case|when|once|before|after"
    "|pretend|imagine|suppose|wonder|say|tomorrow|anymore|stop|stopped|than|no one|instead|except|did"
)
#: Words of noun phrases: no verbs, save in "that is", no pronouns before verbs, no questions; articles only
#: where a noun phrase begins.
_ARTICLE = "the|a|an|my|our|your|his|her|their|this|these|those"
_BEFORE_ARTICLE = "|".join(
    rf"(?<=\b{word} )"
    for word in [
        "in",
        "on",
        "of",
        "from",
        "at",
        "by",
        "to",
        "with",
        "under",
        "behind",
        "near",
        "and",
        "all",
        "both",
        "off",
        "inside",
        "beside",
        "beneath",
    ]
)
_OF_NOUNS = (
    r"(?:(?:that|which) (?:is|are) |(?!(?:i|you|he|she|it|we|they|could|would|should|will|can|cannot|may"
    r"|might|must|how|why|who|where|when|is|are|was|were|be|been|am|has|have|had|do|does|did|because|if|not|but|so"
    rf"|there|since|anyone|someone|everyone|think|yet|what|which|whatever|{_ARTICLE}) )\S+ "
    rf"|(?:{_BEFORE_ARTICLE})(?:{_ARTICLE}) )"
)
_SLOT = rf"(?:it |they |(?:(?:{_ARTICLE}) )?{_OF_NOUNS}+?)"
#: What a noun phrase begins with where other words come before it.
_OPENING = rf"(?:{_ARTICLE}|that|all|every|both|it|they|some|any|two|three|\S*\d) "
_GAP = rf"(?:(?!(?:{_DENIED}) )\S+ )"
_ANY = r"(?:\S+ )+?"
#: What something is done to, without a place; it is not asked for.
_STUFF = r"(?:(?!(?:with|from|on|in|off|out|to|at|into|for|under|through|by|is|are|and) )\S+ ){1,4}?"
#: What a clause begins with that says which thing is meant.
_ENDS_IN_CLAUSE = re.compile(r"\S (?:that|which|who|whatever)$")
_PART = re.compile(r"\.\.\.|\{\w+\}|<[\w ]+>|[()|?]|[^\s()|?<>{}]+")


class WordingError(ForetreeError):
    """A wording that cannot be read."""


@dataclass(frozen=True)
class WordingPattern:
    """A wording, compiled.

    Attributes:
        text: as it was written.
        expression: matches the words, each with a blank after it.
        slots: the names in braces.
        needed: sets of words of which a sentence must have one each.
    """

    text: str
    expression: str
    slots: tuple[str, ...]
    needed: tuple[frozenset[str], ...]

    def matches(self, words: str) -> Iterator[Mapping[str, str]]:
        """Yield what the slots may stand for where all of *words* are put like this.

        Args:
            words: plain words, each with a blank after it.
        """
        said = words.split()
        if any(one.isdisjoint(said) for one in self.needed):
            return
        shortest = self._slots_of(self._shortest, words)
        if shortest is None:
            return
        yield shortest
        longest = self._slots_of(self._longest, words) if shortest else None
        if longest is not None and longest != shortest:
            yield longest

    @staticmethod
    def _slots_of(matcher: re.Pattern[str], words: str) -> Mapping[str, str] | None:
        """Return what the slots stand for; None if *words* are not put like this."""
        found = matcher.fullmatch(words)
        if found is None:
            return None
        said = {name: words.strip() for name, words in found.groupdict().items() if words}
        if any(_ENDS_IN_CLAUSE.search(words) for words in said.values()):
            return None  # "everything *that* is not clean goes in the sink" says of nothing how it is
        return {name: "them" if words == "they" else words for name, words in said.items()}

    @cached_property
    def _shortest(self) -> re.Pattern[str]:
        """The expression with the slots as short as may be."""
        return re.compile(self.expression)

    @cached_property
    def _longest(self) -> re.Pattern[str]:
        """The expression with the slots as long as may be: "the mug that is here is dirty"."""
        return re.compile(self.expression.replace("+?)", "+)"))


@dataclass(frozen=True)
class _Piece:
    """A part of a wording: what matches it, and the words of which it has one; None if it need not."""

    expression: str
    needed: frozenset[str] | None = None


class WordingCompiler:
    """Compiles wordings.

    Args:
        lists: the lists of words that wordings may name.
        forms: gives the forms in which a word may be said; by default as it is.
    """

    def __init__(
        self,
        lists: Mapping[str, Sequence[str]] | None = None,
        forms: Callable[[str], Sequence[str]] | None = None,
    ) -> None:
        self._lists = lists or {}
        self._forms = forms or (lambda word: (word,))
        self._compiled: dict[str, _Piece] = {}
        self._slots: list[str] = []

    def compile(self, text: str) -> WordingPattern:
        """Compile a wording.

        Raises:
            WordingError: parentheses do not match, or a list is unknown.
        """
        self._slots = []
        parts = _PART.findall(text.lower())
        pieces, end = self._sequence(parts, 0)
        if end < len(parts):
            raise WordingError(f"{text!r} has a {parts[end]!r} too many.")
        needed = tuple(piece.needed for piece in pieces if piece.needed is not None)
        return WordingPattern(text, "".join(p.expression for p in pieces), tuple(self._slots), needed)

    def _sequence(self, parts: Sequence[str], at: int) -> tuple[list[_Piece], int]:
        """The pieces up to the end, or to the end of a choice."""
        pieces: list[_Piece] = []
        while at < len(parts) and parts[at] not in ")|":
            part = parts[at]
            at += 1
            if part == "(":
                piece, at = self._choice(parts, at)
            elif part == "...":
                to_slot = at < len(parts) and parts[at][0] == "{"
                piece = _Piece(rf"(?:|{_GAP}+?(?={_OPENING}))" if to_slot else f"{_GAP}*?")
            elif part == "{stuff}":
                piece = _Piece(_STUFF)
            elif part[0] == "{":
                self._slots.append(part[1:-1])
                piece = _Piece(rf"(?P<{part[1:-1]}>{_ANY if part == '{request}' else _SLOT})")
            elif part[0] == "<":
                piece = self._listed(part[1:-1])
            else:
                forms = self._forms(part)
                piece = _Piece(f"(?:{'|'.join(map(re.escape, forms))}) ", frozenset(forms))
            if at < len(parts) and parts[at] == "?":
                piece = _Piece(f"(?:{piece.expression})?")
                at += 1
            pieces.append(piece)
        return pieces, at

    def _choice(self, parts: Sequence[str], at: int) -> tuple[_Piece, int]:
        """The alternatives up to the closing parenthesis."""
        choices: list[list[_Piece]] = []
        while True:
            pieces, at = self._sequence(parts, at)
            choices.append(pieces)
            if at == len(parts):
                raise WordingError(f"{' '.join(parts)!r} lacks a ')'.")
            at += 1
            if parts[at - 1] == ")":
                return _one_of(choices), at

    def _listed(self, name: str) -> _Piece:
        if name not in self._lists:
            raise WordingError(f"There is no list of words {name!r}. {suggest(name, self._lists)}")
        if name not in self._compiled:
            choices = [self._sequence(_PART.findall(one.lower()), 0)[0] for one in self._lists[name]]
            self._compiled[name] = _one_of(choices)
        return self._compiled[name]


def _one_of(choices: Sequence[Sequence[_Piece]]) -> _Piece:
    """The piece that is one of several sequences."""
    expression = "|".join("".join(piece.expression for piece in pieces) for pieces in choices)
    needed: set[str] = set()
    for pieces in choices:
        rarest = min((p.needed for p in pieces if p.needed is not None), key=len, default=None)
        if rarest is None:
            return _Piece(f"(?:{expression})")
        needed |= rarest
    return _Piece(f"(?:{expression})", frozenset(needed))


def plain_words(tokens: Sequence[str]) -> tuple[str, ...]:
    """The ways to write out words without short forms, stress and commas, each with a blank after each word.

    "The bread's gone mouldy" and "the dog's bowl" are told apart by what follows, so both are given.
    """
    words = " ".join(_SHORT.get(token, token) for token in tokens if token not in (",", ".", ";")) + " "
    for ending, long in _ENDINGS:
        words = words.replace(f"{ending} ", f"{long} ")
    words = re.sub(rf"(?<!\S)({_WITH_IS})'s ", r"\1 is ", words)
    ways = [words]
    if "'s " in words:
        ways = [words.replace("'s ", " is "), words.replace("'s ", " has "), words.replace("'s ", " ")]
    return tuple(dict.fromkeys(re.sub(r"\s+", " ", _STRESS.sub("", way)).lstrip() for way in ways))
