"""Requests to look for things: "find the egg and put it on the table", "look in the drawer for my keys".

What is looked for is only named by them if a later request goes back to it; else it is to be brought.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from foretree.reasoning.offline.english._clause_words import Words
from foretree.reasoning.offline.sentences.statements import Statement
from foretree.reasoning.offline.word_lists import word_lists

#: They open a search, before what is looked for.
_SEARCHING: tuple[Words, ...] = tuple(
    tuple(words.split())
    for words in re.split(
        r",\s+",
        """go and find, go find, go and look for, go look for, go and search for, go search for, go hunt for,
        find, locate, seek out, seek, spot, look around for, look for, search around for, search for,
        hunt around for, hunt for, hunt down, hunt out, hunt up, track down, trace, sniff out, ferret out,
        dig out, dig up, root out, scout out, rummage for, keep looking for, have a look for,
        have a look around for, take a look for, take a look around for, do a search for""",
    )
)
#: They may stand behind what is looked for, too: "hunt my keys down".
_PARTICLES = frozenset({"down", "out", "up"})
#: What asks where a thing is: "find out where my keys are".
_FINDING_OUT: tuple[Words, ...] = tuple(
    tuple(words.split())
    for words in (
        "find out", "work out", "figure out", "see", "check", "look", "have a look", "take a look", "find",
        "have a look to see", "look and see", "go and see", "go and look", "go and check",
    )
)  # fmt: skip
#: Behind what is asked for: "where the fork *has got to*".
_BEING = frozenset(
    {"is", "are", "was", "were", "has", "have", "might", "may", "could", "went", "ended", "got"}
)
_KEEPERS = frozenset({"i", "we", "you", "he", "she", "they", "someone", "somebody"})
#: What they have done with it: "where I *left* it".
_LEAVING = frozenset(
    {
        "left",
        "put",
        "stored",
        "kept",
        "hid",
        "placed",
        "laid",
        "dropped",
        "saw",
        "have",
        "had",
        "last",
        "keep",
    }
)
#: Verbs of looking somewhere for something.
_LOOKING = frozenset({"look", "search", "check", "rummage", "hunt"})
_RELATIONS = frozenset({"in", "on", "under", "inside"})
#: Words for whom it is found say that it is to be brought, as "find" itself may do.
_RECEIVING = frozenset({"me", "us", "him", "her", "someone", "somebody", "everyone"})
#: What may be found and is no thing.
_NO_THINGS = frozenset(
    {"out", "way", "place", "spot", "room", "space", "time", "home", "somewhere", "your", "if"}
)
#: What goes back to a thing that was looked for.
_ANAPHORS = frozenset({"it", "them", "one", "they"})


def sought(words: Words) -> Words:
    """Return the things that a deed looks for, with where that is done; nothing if it is no search."""
    found = _found_out(words) or _looked_for(words)
    if found is None:
        if words[-1:] and words[-1] in _PARTICLES:  # "hunt my keys down"
            words = (words[0], words[-1], *words[1:-1])
        opening = max((one for one in _SEARCHING if words[: len(one)] == one), key=len, default=())
        found = words[len(opening) :] if opening else ()
    to_somebody = _RECEIVING & {*found[:1]} or found[-2:-1] in (("for",), ("to",))
    return () if to_somebody or _NO_THINGS & {*found[:2]} else found


def _found_out(words: Words) -> Words | None:
    """Return the things of which is asked where they are."""
    at = max((len(one) for one in _FINDING_OUT if words[: len(one)] == one), default=0)
    if not at or words[at : at + 1] != ("where",):
        return None
    rest = words[at + 1 :]
    if rest[:1] and rest[0] in _BEING:
        return rest[1:]
    if rest[:1] and rest[0] in _KEEPERS:
        begin = next((n for n, word in enumerate(rest[1:], 1) if word not in _LEAVING), len(rest))
        return rest[begin:] if begin > 1 else None
    end = next((n for n, word in enumerate(rest) if word in _BEING), 0)
    return rest[:end] or None


def _looked_for(words: Words) -> Words | None:
    """Return the things that are looked for somewhere: "look in the drawer for the keys"."""
    if words[:1] and words[0] in _LOOKING and "for" in words[2:]:
        at = words.index("for", 2)
        place = words[1:at] if words[1] in _RELATIONS else ()
        return (*words[at + 1 :], *place)
    return None


def puts_it(statement: Statement) -> bool:
    """Return whether a thing that was spoken of is to be put somewhere."""
    puts = {"put", "hang", *word_lists("verbs").get("put", ())}
    return bool(statement.words[2:]) and statement.words[0] in puts and statement.words[1] in _ANAPHORS


def with_searches(statements: Sequence[Statement]) -> Iterator[Statement]:
    """Yield the statements; what no later one goes back to is to be brought, or gone to.

    What is found for the speaker, and then put somewhere, is only looked for: "find me a fork and put it …".
    """
    for at, statement in enumerate(statements):
        later = statements[at + 1 :]
        for_speaker = statement.words[:1] == ("find",) and statement.words[1:2] in (("me",), ("us",))
        if for_speaker and any(map(puts_it, later)):
            yield Statement((), sought=statement.words[2:])
            continue
        yield statement
        goes_back = _ANAPHORS & {word for one in later for word in (*one.words, *one.condition)}
        if statement.sought and not goes_back:
            yield Statement(("bring", "me", "it"), shorter=(("go", "to", "it"),))
