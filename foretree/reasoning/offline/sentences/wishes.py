"""Wishes for a state, put plainly: "the mug should be clean" is "the mug be clean".

The opening of a wish becomes ``want``, what says that something shall be so becomes ``be``: "please make sure
that the window is closed" is "please want the window be closed".
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import product

from foretree.reasoning.offline.grammar.verb_forms import base_form, participle
from foretree.reasoning.offline.lexicon import (
    BE,
    CONNECTIVES,
    DEFINITE,
    WANT,
    Phrases,
    opening,
    phrases,
    skip_fillers,
    word_set,
)

#: The words that stand instead of some, and the position after these.
Change = tuple[Sequence[str], int]


_WELCOME = product(
    ("it would be", "it'd be", "would be"),
    word_set("nice good great lovely wonderful fantastic brilliant perfect super ideal best awesome cool"),
)
#: Openings of a wish; "that" may follow each.
_OPENINGS = phrases(
    ",".join(f"{be} {welcome} if" for be, welcome in _WELCOME)
    + """,
    i want, i wish, i need, i would like, i'd like, i would love, i'd love, i prefer, i would prefer,
    i'd prefer, i expect, we want, we need, we would like, we'd like, make sure, make certain, be sure,
    ensure, see, see to it, take care, check, verify, guarantee, arrange, let, could i have, can i have,
    may i have, could we have, can we have, could i get, can i get,
    would you have, i would like to have, i'd like to have, i want to have, i would like to see,
    i'd like to see, i want to see, i would love it if, i'd love it if, i would like it if, i'd like it if,
    i would be glad if, i'd be glad if, i would be grateful if, i'd be grateful if, i would be happy if,
    i'd be happy if, i would appreciate it if, i'd appreciate it if, it is important,
    it is important to me, it
    is important for me, it matters to me, it is essential, it is necessary, it is crucial, i insist,
    it's important, what i want is, i would rather have, i'd rather have, my wish is, i am looking to
    have, i'm looking to have
    """
)
_MODALS = phrases(
    """
    should, must, shall, ought to, has to, have to, has got to, have got to, needs to, need to, is to, are to,
    is supposed to, are supposed to, is meant to, are meant to, had better, 'd better, would better, better,
    will have to, is required to, are required to, wants to, want to, is expected to, are expected to, to
    """
)
#: The same within a wish: "it would be good if the mug *could* be clean".
_MAY = frozenset({"could", "can", "might", "would"})
_NOT = frozenset({"not", "never"})
_RELATIVE = frozenset({"that", "which", "who"})
_CONTRACTED = {
    "shouldn't": ("should", "not"),
    "mustn't": ("must", "not"),
    "oughtn't": ("ought", "not"),
    "isn't": ("is", "not"),
    "aren't": ("are", "not"),
    "needn't": ("need", "not"),
}
#: What a thing does that is somewhere or somehow.
_STAYING = word_set(
    """be become get go end sit stand lie rest live stay remain hang belong come appear look
    move"""
)
_PLACED = frozenset({"belongs", "belong", "goes", "lives", "live", "moves"})
#: After these the copula belongs to a relative clause: "the mug *that* is on the table".
_RELATIVE = frozenset({"that", "which", "who", "what", "whatever"})
#: "Could the knife go into the drawer?"
_ASKING = word_set("could can should may might shall must")
_DETERMINERS = DEFINITE | word_set("a an some both all")
#: What a person does with a thing that they have.
_ENJOYING = word_set("eat drink have read use wear hold see get munch sip taste try borrow play")
_IS = frozenset({"is", "are", "gets", "get", "being", "was", "were", "ends", "go", "be", "goes"})
_PREPOSITIONS = word_set("to in on into onto inside under underneath below beneath upon over")
#: "To end up in the drawer", but not "to end table".
_ENDING = _PREPOSITIONS | {"up"}
_LACKING = (
    "wants",
    "want",
    "needs",
    "need",
    "requires",
    "require",
    "could use",
    "could do with",
    "deserves",
)
#: "It needs a wash".
_NEEDING = phrases(
    ",".join(f"{word}{end}" for word, end in product(_LACKING, ("", " a", " a good", " some")))
)


def wish(tokens: Sequence[str], at: int, found: Sequence[str], verbs: Collection[str]) -> Change | None:
    """Return the plain wording of what opens a wish or says that something shall be so.

    Args:
        tokens: the words as they were said.
        at: the position of the words in question.
        found: the plain wording of the words before.
        verbs: the words that commands begin with.
    """
    if _begins(found):
        if tokens[at] in _ASKING and _word(tokens, at + 1) in _DETERMINERS:
            return [WANT], at + 1
        after = _after(tokens, at, _OPENINGS)
        if after is None or tokens[at : after + 1] == ["let", "go"]:
            return None
        return _opened(tokens, after + (_word(tokens, after) == "that"), verbs)
    if found[-1] in _RELATIVE and tokens[at] in ("needs", "need", "wants"):
        return None  # "The mug that needs washing" tells which one, not what shall be so.
    return _needed(tokens, at, verbs) or _shall_be(tokens, at, found)


def _begins(found: Sequence[str]) -> bool:
    """Return whether the words so far end with a clause, or a filler after it."""
    ends = (at for at in range(len(found), 0, -1) if found[at - 1] in CONNECTIVES)
    return skip_fillers(found, next(ends, 0)) == len(found)


def _opened(tokens: Sequence[str], at: int, verbs: Collection[str]) -> Change | None:
    """Return the opening of a wish for a state; of one for a deed, nothing is left of it."""
    if _word(tokens, at) == "you" or not _word(tokens, at):
        return None
    if _word(tokens, at) == "to" and _word(tokens, at + 1) in _ENJOYING:
        after = at + 2 + (_word(tokens, at + 2) in ("from", "with", "on", "out"))
        return ["bring", "me"], after
    if _word(tokens, at) == "to":
        return ([], at + 1) if _word(tokens, at + 1) in verbs else None
    return [WANT], at


def _needed(tokens: Sequence[str], at: int, verbs: Collection[str]) -> Change | None:
    """Return "be washed" for "needs washing" and "needs a wash"."""
    after = _after(tokens, at, _NEEDING)
    if after is None:
        return None
    word = _word(tokens, after)
    if word == "to" or not word:
        return None
    verb = base_form(word, verbs)
    of_noun = verb == word and tokens[after - 1] in ("need", "needs", "want", "wants")
    return None if not verb or of_noun else ([BE, participle(verb)], after + 1)


def _shall_be(tokens: Sequence[str], at: int, found: Sequence[str]) -> Change | None:
    """Return "be" or "be not" for what says that something shall be so or not."""
    words = list(_CONTRACTED.get(tokens[at], (tokens[at],))) + list(tokens[at + 1 : at + 7])
    longer = len(words) - len(tokens[at : at + 7])
    after = _after(words, 0, _MODALS)
    if after is None and words[0] in _MAY and found[-1] not in _RELATIVE and _is_wished(found):
        after = 1
    if after is not None:
        denied = _word(words, after) in _NOT
        after += denied
        after += _word(words, after) in ("always", "all", "both", "each", "really", "also", "only", "now")
        verb = _word(words, after)
        following = _word(words, after + 1)
        if (verb == "look" and following == "at") or (verb == "end" and following not in _ENDING):
            return None
        if verb in _STAYING:
            after += 1
            after += verb == "end" and _word(words, after) == "up"
            after += _word(words, after) in ("back", "being")
            kept = ["kept"] if verb in ("stay", "remain") and not denied else []
            return [BE, *(["not"] if denied else []), *kept], at + after - longer
        return None
    if tokens[at] in _PLACED and _word(tokens, at + 1 + (_word(tokens, at + 1) == "back")) in _PREPOSITIONS:
        return [BE], at + 1 + (_word(tokens, at + 1) == "back")
    if words[0] in ("stays", "remains", "stay", "remain") and _is_wished(found):
        return [BE, "kept"], at + 1
    if words[0] in _IS and _is_wished(found) and found[-1] not in _RELATIVE:
        denied = _word(words, 1) in _NOT
        after = 1 + denied + (_word(words, 1 + denied) in ("both", "all", "each"))
        return [BE, *(["not"] if denied else [])], at + after - longer
    if tokens[at] in ("has", "have") and _word(tokens, at + 1) == "been" and _is_wished(found):
        return [BE], at + 2
    return None


def _is_wished(found: Sequence[str]) -> bool:
    """Return whether the clause so far opens a wish that has no copula yet."""
    for word in reversed(found):
        if word == WANT:
            return True
        if word == BE or word in (",", ".", ";", "then"):
            return False
    return False


def _after(tokens: Sequence[str], at: int, markers: Phrases) -> int | None:
    length = opening(tokens, markers, at)
    return at + length if length else None


def _word(tokens: Sequence[str], at: int) -> str:
    """The word at a position; empty after the last."""
    return tokens[at] if at < len(tokens) else ""
