"""Things that are told by what is said of them elsewhere, or loosely, put plainly.

"Chop the apple, then bring me *all you chopped*"; "*whatever is dirty among the plates* must be washed".
"""

from __future__ import annotations

import re

from foretree.reasoning.instruction_errors import NotUnderstoodError
from foretree.reasoning.offline.word_lists import word_lists

_TOLD = re.compile(
    r"\b(?:everything|anything|all|whatever|what|the things|the ones|those)(?: that| which)?"
    r" you(?:'ve| have| had)?(?: just| already)?"
    r" (?:(?P<apart>took|taken|got|picked|pulled|cut|chopped) (?:out|up|off)|(?P<verb>[a-z]+))\b(?! to\b)",
    re.IGNORECASE,
)
_AMONG = re.compile(
    r"\b(?:whatever|everything|anything|all|those)(?:(?: that| which)? (?:is|are)|'s)? (?P<state>[a-z]+)"
    r" (?:from )?among(?:st)? the\b",
    re.IGNORECASE,
)
#: Things of whatever kind, and a part of a drink, as people call them.
_OF_ALL_KINDS = re.compile(
    r"\b(?:bits and (?:bobs|pieces)|bits 'n' bobs|odds and (?:ends|sods))\b", re.IGNORECASE
)
_A_LITTLE = re.compile(
    r"\ba (?:wee |tiny |small )?(?:little|tad|smidgen|smidge|dab|dollop|wee bit)(?: bit)? of "
    r"(?=(?:the|my|our|that|this)\b)",
    re.IGNORECASE,
)
#: What is done to clothes, as a deed; "put the washing on the rack" is another one.
_LAUNDRY = re.compile(
    r"\b(?:put|get|stick|pop|bung|whack|set|start|run) (?:a|the|another|my|our)(?: load of| quick)?"
    r" (?:wash|washing|laundry) (?:on|going|started|done|running)"
    r"(?=\s*(?:[.,;:!?–-]|$)|\s+(?:and|then|please|for me|now)\b)",
    re.IGNORECASE,
)


def with_things_named(instruction: str) -> str:
    """Return an instruction with nouns and pronouns for such things.

    Raises:
        NotUnderstoodError: what was done with them was not said before.
    """
    plain = _A_LITTLE.sub("a bit of ", _OF_ALL_KINDS.sub("things", instruction))
    plain = _LAUNDRY.sub("do the laundry", plain)
    return _with_things_done(_AMONG.sub(_of_all, plain))


def _of_all(found: re.Match[str]) -> str:
    """Return "all dirty" for "whatever is dirty among the"."""
    known = (word for said, more in word_lists("adjectives").items() for word in (said, *more))
    return f"all {found['state']}" if found["state"].lower() in known else found.group()


def _with_things_done(instruction: str) -> str:
    """Return an instruction with "them" for what an earlier part of it is done with.

    Raises:
        NotUnderstoodError: no earlier part says what was done so.
    """
    found = _TOLD.search(instruction)
    if found is None:
        return instruction
    # Dear to load: plain requests do without.
    from foretree.reasoning.offline.english.lexicon.lexicon_file import english_words

    forms = english_words().verb_form
    verb = (found["apart"] or found["verb"]).lower()
    done = {base for base, kind in forms(verb) if kind in ("past", "participle")}
    if not done:
        return instruction
    before = re.findall(r"[a-z]+", instruction[: found.start()].lower())
    if done.isdisjoint(base for word in before for base, _ in forms(word)):
        if verb in done:
            return instruction  # "what you put": it may be no past
        raise NotUnderstoodError(f'What is meant by "{found.group()}" was not said before. Name the things.')
    return f"{instruction[: found.start()]}them{_with_things_done(instruction[found.end() :])}"
