"""Other wordings of commands, put plainly: "putting the mug back in the sink" is "put the mug in the sink".

What is left out or replaced says nothing about the goal.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cache
from typing import TypeAlias

from foretree.reasoning.offline import lexicon
from foretree.reasoning.offline.grammar.verb_forms import base_form
from foretree.reasoning.offline.lexicon import Phrase, Phrases, after_any, starts_with
from foretree.reasoning.offline.sentences.wishes import wish
from foretree.reasoning.offline.word_lists import fetching_verbs, word_lists

#: Said before where a thing is put.
_PARTICLES = frozenset({"back", "away", "down", "over", "together"})
_PREPOSITIONS = frozenset({"in", "on", "into", "onto", "inside", "to", "at", "under", "upon", "underneath"})
#: Verbs that go with a particle, wherever it stands.
_PLACING = frozenset({"put", "place", "set", "lay", "bring", "move", "store", "drop", "return"})
#: Verbs of looking for something, which need not be brought.
_SEARCHING = frozenset({"find", "look", "search", "seek", "hunt", "track"})
#: Said between a verb with the speaker and what is asked for.
_INSERTED = frozenset(
    {"also", "please", "now", "quickly", "quick", "just", "then", "too", "maybe", "perhaps"}
)
#: Deeds that bring back what was before: "close it again".
_UNDOING = _PLACING | {"close", "shut", "open", "turn", "switch", "hang", "fill", "lock"}
#: Deeds by which a thing ends in a bin.
_DISCARDING = lexicon.phrases(
    """
    throw away, throw out, get rid of, dispose of, discard, bin, trash, scrap, ditch, toss out, toss away,
    chuck out, chuck away, recycle
    """
)
#: Last words of what things are thrown into.
_BINS = frozenset(
    {
        "bin",
        "can",
        "trash",
        "garbage",
        "rubbish",
        "trashcan",
        "wastebasket",
        "basket",
        "dustbin",
        "dumpster",
        "recycling",
    }
)
_THROWING = frozenset({"throw", "toss", "chuck"})
_INTO_A_BIN = ("put", "in", "a", "bin")
#: A part of a thing, where another one is put: "on the *back of* the toilet".
_PARTS = frozenset({"back", "top", "edge", "side", "seat", "end", "middle", "center", "centre", "surface"})
#: What else is said for the same.
_SAME: dict[Phrase, Phrase] = {
    ("wherever",): ("where",),
    ("its", "door"): ("the", "door", "of", "it"),
    ("their", "doors"): ("the", "doors", "of", "them"),
    **{(door, "behind", "you"): (door,) for door in ("door", "doors")},
    ("inside", "of"): ("inside",),
    ("off", "of"): ("off",),
    ("on", "to"): ("onto",),
    ("in", "to"): ("into",),
    ("upon",): ("on",),
    ("plus",): ("and",),
    ("that", "which"): ("what",),
    **{
        (hidden, "away"): ("stored",)
        for hidden in ("shut", "tucked", "hidden", "locked", "stowed", "packed", "put")
    },
    ("both", "of", "the"): ("both",),
    ("them", "both"): ("them",),
    ("on", "top", "the"): ("on", "the"),
    ("do", "the", "dishes"): ("wash", "the", "dishes"),
    ("do", "the", "washing", "up"): ("wash", "the", "dishes"),
    ("do", "the", "washing-up"): ("wash", "the", "dishes"),
    ("get", "the", "dishes", "done"): ("wash", "the", "dishes"),
    ("have", "the", "dishes", "done"): ("wash", "the", "dishes"),
}
_SAME_PHRASES = Phrases(_SAME)
#: They number a deed behind its verb: "take *first* the mug".
_IN_ORDER = frozenset({"first", "then", "next", "finally", "lastly"})
#: Verbs of putting something where another thing just was, or is.
_ADDING = frozenset({"add", "insert"})
_IN_HAND = lexicon.phrases(
    "in hand, in your hand, in your hands, in one hand, in its hand, in the other hand"
)
#: How several things are put somewhere, which leaves them there all the same.
_ARRANGED = lexicon.phrases(
    """
    next to each other, next to one another, beside each other, beside one another, side by side, one by one,
    one at a time, one after the other, one after another, in a row, in a line
    """
)
_MEANWHILE = frozenset({"while", "whilst"})
#: What a command for a thing goes on with: "to put *it* away", "to turn *on* the lamp".
_OBJECTS = frozenset({"it", "them", "the", "a", "an", "two", "both", "on", "off"})
#: What food comes in: "a *slice* of cooked bread" is a cooked slice of bread.
_PORTIONS = frozenset({"slice", "slices", "piece", "pieces", "chunk", "chunks", "loaf", "loaves"})
#: So many words are looked at for the noun behind "whichever".
_LONGEST_NOUN = 7
#: Words with "'s" that are neither plurals nor possessive.
_IS = frozenset({"let's", "it's", "that's", "what's", "where's", "who's"})

#: The words that stand instead of some, and the position after these; None where a rule does not hold.
_Change: TypeAlias = "tuple[Sequence[str], int] | None"


def put_plainly(
    tokens: Sequence[str],
    verbs: Collection[str],
    openings: Collection[Phrase] = (),
    nouns: Collection[str] | None = None,
) -> list[str]:
    """The words of an instruction in the wording that the grammar knows.

    Args:
        tokens: the words as they were said.
        verbs: the words that commands begin with.
        openings: the phrases that commands begin with: what the skills say themselves is left as it is.
        nouns: the words that name things here: the possessives of others are people's. None if not known.
    """
    found: list[str] = []
    at = 0
    tokens = _exception_last(tokens)
    while at < len(tokens):
        owner = nouns is not None and tokens[at].endswith("'s") and _is_name(tokens, at, nouns)
        changes = (rule(tokens, at, found, verbs) for rule in (_RULES[:-1] if owner else _RULES))
        discarded = _discarding(tokens, at, found, openings)
        words, at = discarded or next(filter(None, changes), ([tokens[at]], at + 1))
        found.extend(words)
    return _with_pronouns(found)


def _same(tokens: Sequence[str], at: int, found: Sequence[str], verbs: Collection[str]) -> _Change:
    """Another word for the same: "inside of" is "inside"."""
    if starts_with(tokens, at, ("as", "well", "as")) and base_form(_word(tokens, at + 3), verbs):
        return ["and"], at + 3
    length = _SAME_PHRASES.longest(tokens, at)
    return (_SAME[tuple(tokens[at : at + length])], at + length) if length else None


def _meanwhile(tokens: Sequence[str], at: int, found: Sequence[str], verbs: Collection[str]) -> _Change:
    """Wording for what is so at the same time: it holds in the end, too: "while holding the mug"."""
    following = _word(tokens, at + 1)
    if tokens[at] in _MEANWHILE and following.endswith("ing") and base_form(following, verbs):
        return ["and" if found else "then"], at + 1
    if tokens[at] in _MEANWHILE and found and following == "you" and _word(tokens, at + 2) in verbs:
        return ["and"], at + 2
    if tokens[at] == "with":
        ends = ((i, after_any(tokens, i, _IN_HAND)) for i in range(at + 2, at + 6))
        hand, end = next((found for found in ends if found[1] is not None), (0, None))
        if end is not None:
            return ["and", "hold", *tokens[at + 1 : hand]], end
    return None


def _arranged(tokens: Sequence[str], at: int, found: Sequence[str], verbs: Collection[str]) -> _Change:
    """No words for how several things are put somewhere: "put both on the table *side by side*"."""
    begin = at + (tokens[at] == ",")
    end = after_any(tokens, begin, _ARRANGED)
    return ([], end) if end is not None and not _PLACING.isdisjoint(found) else None


def _another_form(tokens: Sequence[str], at: int, found: Sequence[str], verbs: Collection[str]) -> _Change:
    """A verb in another form: "to put", "putting", "… to put it there"."""
    word, following = tokens[at], _word(tokens, at + 1)
    if not found or found[-1] in lexicon.CONNECTIVES:
        if word == "to" and base_form(following, verbs):
            return [], at + 1
        return ([verb], at + 1) if (verb := base_form(word, verbs)) else None
    after = _word(tokens, at + 2)
    purpose = word == "to" and following in verbs and after in _OBJECTS
    purpose |= word == "to" and following in _PLACING and (after in _PREPOSITIONS or after in _PARTICLES)
    return ([","], at + 1) if purpose and found[-1] != "you" else None


def _left_out(tokens: Sequence[str], at: int, found: Sequence[str], verbs: Collection[str]) -> _Change:
    """Words beside a place: "*back* in the sink", "on *the back of* the toilet"."""
    word, following = tokens[at], _word(tokens, at + 1)
    last = found[-1] if found else ""
    if (
        word in _INSERTED
        and last in lexicon.SPEAKER
        and following in (*lexicon.DEFINITE, *lexicon.INDEFINITE)
    ):
        return [], at + 1  # "give me *also* the bowl"
    if word == "after" and last in lexicon.CONNECTIVES and following in verbs:
        return [], at + 1
    if word == "," and following in _PREPOSITIONS:
        return [], at + 1
    if word in _PARTICLES and (following in _PREPOSITIONS or last in _PLACING):
        return [], at + 1
    if word in _IN_ORDER and last in verbs and following in (*lexicon.DEFINITE, *lexicon.INDEFINITE):
        return [], at + 1
    part = at + (word in ("the", "a", "an"))
    whole = last in _PREPOSITIONS and _word(tokens, part) in _PARTS and _word(tokens, part + 1) == "of"
    whole &= last != "in"  # "in the middle of the table" is on it
    return ([], part + 2) if whole and "room" not in tokens[part + 2 : part + 4] else None


@cache
def _said_of_things() -> frozenset[str]:
    """The words that say how or where things are, and may follow "is"."""
    return frozenset({"still", "already", "not", "been", "so", "too", *_PREPOSITIONS, *_states()})


@cache
def _states() -> frozenset[str]:
    """The words for states of things."""
    return frozenset(word for said, more in word_lists("adjectives").items() for word in (said, *more))


def _elsewhere(tokens: Sequence[str], at: int, found: Sequence[str], verbs: Collection[str]) -> _Change:
    """Words left out because it was just said: "put the mango *in* and close it", "pass the milk"."""
    word, following = tokens[at], _word(tokens, at + 1)
    ends = not following or following in lexicon.CONNECTIVES
    clause = _clause(found)
    placing = (len(clause) > 1 and clause[0] in _PLACING) or _lists_placed(found)
    told = bool(clause) and clause[-1] in lexicon.COPULA  # "the table that the plate is on"
    if word in ("in", "inside", "under") and ends and placing and not told:
        return [word, "it"], at + 1
    undone = clause[:1] and (clause[0] in _UNDOING or lexicon.BE in clause or clause[-1] in _said_of_things())
    if not clause and word in _ADDING and (end := _end_of_thing(tokens, at, verbs)) is not None:
        return ["put", *tokens[at + 1 : end], "there"], end
    if word == "again" and ends and undone:
        return [], at + 1
    if not clause and word in ("pass", "hand") and following in (*lexicon.DEFINITE, *lexicon.INDEFINITE):
        rest = tokens[at + 1 :]
        end = next((i for i, other in enumerate(rest) if other in lexicon.CONNECTIVES), len(rest))
        return None if "to" in rest[:end] else ([word, "me"], at + 1)
    return None


def _lists_placed(found: Sequence[str]) -> bool:
    """Return whether several things are to be put somewhere that is not said: "put the fork, the knife"."""
    begin = next((at for at in range(len(found) - 1, -1, -1) if found[at] in _PLACING), None)
    if begin is None or (begin and found[begin - 1] not in lexicon.CONNECTIVES):
        return False
    listed = found[begin + 1 :]
    begins = (_word(listed, at + 1) in lexicon.DEFINITE for at, word in enumerate(listed) if word == "and")
    return any(begins) and _PREPOSITIONS.isdisjoint(listed)


@cache
def _fetching() -> Phrases:
    """The verbs of fetching something, which goes to the person it is for."""
    return lexicon.listed(verb for verb in fetching_verbs() if verb.split()[0] not in _SEARCHING)


def _for_owner(tokens: Sequence[str], at: int, found: Sequence[str], verbs: Collection[str]) -> _Change:
    """Wording for what the speaker has fetched last, if it is the speaker's: "get my coat"."""
    length = 0 if _clause(found) else lexicon.opening(tokens, _fetching(), at)
    rest = tokens[at + length :]
    if not length or _word(rest, 0) not in ("my", "our") or "bring" not in verbs:
        return None
    taken = (
        word in _PREPOSITIONS and _word(rest, i - 1) not in lexicon.SOURCES for i, word in enumerate(rest)
    )
    goes_on = any(
        word in lexicon.CONNECTIVES and (word not in ("and", ",") or _word(rest, i + 1) in verbs)
        for i, word in enumerate(rest)
    )
    return None if any(taken) or goes_on else (["bring", "me"], at + length)


def _end_of_thing(tokens: Sequence[str], at: int, verbs: Collection[str]) -> int | None:
    """The end of what a verb goes with, up to the next command; None if a place is said."""
    end = at + 1
    while end < len(tokens) and tokens[end] not in (".", ";", "then"):
        begins = _word(tokens, end + 1) in verbs or _word(tokens, end + 1) in ("then", "and")
        if tokens[end] in (",", "and") and begins:
            break
        if tokens[end] in _PREPOSITIONS or tokens[end] in ("with", "next", "beside", "there"):
            return None
        end += 1
    return end if end > at + 1 else None


def _whichever(tokens: Sequence[str], at: int, found: Sequence[str], verbs: Collection[str]) -> _Change:
    """A definite phrase for the one that is told of: "whichever mug is clean" is "the mug that is clean"."""
    every = tokens[at] == "whatever" and _word(tokens, at + 1) not in (*lexicon.COPULA, *lexicon.IT, "you")
    if tokens[at] not in ("whichever", "whichever's") and not every:
        return None
    for end in range(at + 1, min(at + _LONGEST_NOUN, len(tokens))):
        word = tokens[end]
        if word in lexicon.COPULA or word in ("has", "have"):
            noun = tokens[at + 1 : end]
            if not noun or noun[0] in ("of", "one"):
                noun = ["one", *noun[noun[:1] == ["one"] :]]
            return ["all" if every else "the", *noun, "that"], end
        if word in lexicon.CONNECTIVES or word in _PREPOSITIONS or word in verbs:
            return None
    return None


def _same_place(tokens: Sequence[str], at: int, found: Sequence[str], verbs: Collection[str]) -> _Change:
    """One preposition for two places to choose from: "on the bed or *on* the sofa"."""
    following = _word(tokens, at + 1)
    if tokens[at] != "or" or following not in _PREPOSITIONS:
        return None
    last = next((word for word in reversed(_clause(found)) if word in _PREPOSITIONS), "")
    return (["or"], at + 2) if last == following else None


def _portion(tokens: Sequence[str], at: int, found: Sequence[str], verbs: Collection[str]) -> _Change:
    """The state of a portion before it: "a slice of cooked bread" is "a cooked slice of bread"."""
    state = _word(tokens, at + 2)
    told = tokens[at] in _PORTIONS and _word(tokens, at + 1) == "of" and state in _states()
    return ([state, tokens[at], "of"], at + 3) if told and _word(tokens, at + 3) else None


def _discarding(
    tokens: Sequence[str], at: int, found: Sequence[str], openings: Collection[Phrase]
) -> _Change:
    """Wording for throwing away, into a bin: "get rid of the egg", "throw the egg away"."""
    if _clause(found):
        return None
    if length := lexicon.opening(tokens, _DISCARDING, at):
        if _names_bin(tokens, at + length):
            return ["put"], at + length
        return None if tuple(tokens[at : at + length]) in openings else (_INTO_A_BIN, at + length)
    if tokens[at] not in _THROWING:
        return None
    end = next((i for i in range(at, len(tokens)) if tokens[i] in lexicon.CONNECTIVES), len(tokens))
    away = next((i for i in range(at + 1, end) if tokens[i] in ("away", "out")), None)
    if away is None or away + 1 < end or (tokens[at], tokens[away]) in openings:
        return None
    return [*_INTO_A_BIN, *tokens[at + 1 : away]], end


def _names_bin(tokens: Sequence[str], at: int) -> bool:
    """True if a clause ends with the bin that something is thrown into: "the egg in the black trash can"."""
    rest = tokens[at:]
    end = next((i for i, word in enumerate(rest) if word in lexicon.CONNECTIVES), len(rest))
    into = max((i for i, word in enumerate(rest[:end]) if word in ("in", "into", "inside")), default=0)
    named = rest[into + 1 : end]
    return into > 0 and len(named) <= _LONGEST_NOUN and named[-1:] != [] and named[-1] in _BINS


def _clause(found: Sequence[str]) -> Sequence[str]:
    """The words of the clause that *found* ends with, without fillers before it."""
    ends = (at for at in range(len(found), 0, -1) if found[at - 1] in lexicon.CONNECTIVES)
    return found[lexicon.skip_fillers(found, next(ends, 0)) :]


def _apostrophe(tokens: Sequence[str], at: int, found: Sequence[str], verbs: Collection[str]) -> _Change:
    """A plural or possessive without its apostrophe: "two cd's", "the toilet's tank"."""
    word = tokens[at]
    if not word.endswith("'s") or word in _IS:
        return None
    plural = bool(found) and (found[-1] in lexicon.NUMBERS or found[-1] == lexicon.BOTH)
    following = _word(tokens, at + 1)
    if not plural and following in _PREPOSITIONS and found:
        return [word[:-2], "is"], at + 1  # "the table that the plate's on"
    if not plural and following in _said_of_things():
        return None  # "the plate's dirty" says how it is
    return [word[:-2] + ("s" if plural else "")], at + 1


def _is_name(tokens: Sequence[str], at: int, nouns: Collection[str]) -> bool:
    """True for the owner in "Tom's mug", which is none of the things here, and for part of a name."""
    if tokens[at] in nouns:
        return True  # "the chef's knife"
    begins = at > 0 and tokens[at - 1] not in lexicon.DEFINITE
    return begins and tokens[at] not in _IS and tokens[at][:-2] not in nouns


#: In the order in which they are tried; the last is not for owners.
_RULES: tuple[Callable[[Sequence[str], int, Sequence[str], Collection[str]], _Change], ...] = (
    _same,
    wish,
    _meanwhile,
    _arranged,
    _portion,
    _whichever,
    _same_place,
    _for_owner,
    _elsewhere,
    _another_form,
    _left_out,
    _apostrophe,
)


def _exception_last(tokens: Sequence[str]) -> Sequence[str]:
    """The words with an exception behind what it is from: "except for the bread, eat everything"."""
    comma = tokens.index(",") if "," in tokens else 0
    opens = lexicon.after_any(tokens, 0, lexicon.EXCEPT) is not None
    return (*tokens[comma + 1 :], *tokens[:comma]) if opens and comma else tokens


def resting_on_it(tokens: Sequence[str]) -> list[str] | None:
    """The plain words with "it" after an "on" that a later clause ends with; None if none does.

    "Take the tray and put the mug on" goes on with the tray, but "put the lamp on" does not.
    """
    found: list[str] = []
    for at, word in enumerate(tokens):
        ends = at + 1 == len(tokens) or tokens[at + 1] in lexicon.CONNECTIVES
        clause = _clause(found)
        placing = len(clause) > 1 and clause[0] in _PLACING and clause[-1] not in lexicon.COPULA
        later = placing and len(clause) < len(found)
        found += ["on", "it"] if word == "on" and ends and later else [word]
    return found if len(found) > len(tokens) else None


def _with_pronouns(tokens: Sequence[str]) -> list[str]:
    """The words with "it" where that is left out: "wash a fork and put in the drawer"."""
    found: list[str] = []
    for at, word in enumerate(tokens):
        begins = at > 1 and tokens[at - 2] in lexicon.CONNECTIVES and tokens[at - 1] in _PLACING
        found += ["it", word] if begins and word in _PREPOSITIONS else [word]
    return found


def _word(tokens: Sequence[str], at: int) -> str:
    """The word at a position; empty after the last."""
    return tokens[at] if at < len(tokens) else ""
