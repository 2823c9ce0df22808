"""Requests to look for things: "find the egg and put it on the table", "look in the drawer for my keys".

What is looked for is only named by them if a later request goes back to it; else it is to be brought.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from foretree.reasoning.offline.english._clause_words import Words
from foretree.reasoning.offline.sentences.statements import Statement

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
_FINDING_OUT: tuple[Words, ...] = (("find", "out"), ("work", "out"), ("figure", "out"), ("see",), ("check",))
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
    for opening in _FINDING_OUT:
        at = len(opening)
        if words[:at] == opening and words[at : at + 1] == ("where",):
            rest = words[at + 1 :]
            if rest[:1] in (("is",), ("are",)):
                return rest[1:]
            return rest[:-1] if rest[-1:] in (("is",), ("are",)) else None
    return None


def _looked_for(words: Words) -> Words | None:
    """Return the things that are looked for somewhere: "look in the drawer for the keys"."""
    if words[:1] and words[0] in _LOOKING and "for" in words[2:]:
        at = words.index("for", 2)
        place = words[1:at] if words[1] in _RELATIONS else ()
        return (*words[at + 1 :], *place)
    return None


def with_searches(statements: Sequence[Statement]) -> Iterator[Statement]:
    """Yield the statements; what no later one goes back to is to be brought, or gone to."""
    for at, statement in enumerate(statements):
        later = {word for one in statements[at + 1 :] for word in (*one.words, *one.condition)}
        yield statement
        if statement.sought and not _ANAPHORS & later:
            yield Statement(("bring", "me", "it"), shorter=(("go", "to", "it"),))
