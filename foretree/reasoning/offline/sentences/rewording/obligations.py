"""Obligations in relative clauses: "put it in the fridge, *which must be closed afterwards*"."""

from __future__ import annotations

import re

from foretree.reasoning.instruction_errors import NotUnderstoodError

_MUST = r"must|should|shall|has to|have to|needs to|need to|ought to|is to|are to"
_IN_THE_END = (
    r"afterwards?|after that|in the end|at the end"
    r"|(?:when|once) (?:you(?: are|'re)|that(?: is|'s)|it(?: is|'s)) done"
)
_OBLIGED = re.compile(
    rf",? (?:which|that) (?P<said>(?:{_MUST}) (?:then )?be [^,.;:?]*?\b(?:{_IN_THE_END}))"
    r"(?=\s*(?:$|[.,;!?]|and ))",
    re.IGNORECASE,
)
#: A thing at the end of some words, which belongs to no other.
_THING = re.compile(
    r"\b(?:in|into|on|onto|from|off|under|to|of|open|close)\s+"
    r"((?:the|my|our|your|this|that) (?:[\w'-]+ )?[\w'-]+)$",
    re.IGNORECASE,
)


def with_obligations_told(text: str) -> str:
    """Return an instruction with what a relative clause asks for as a clause of its own.

    Raises:
        NotUnderstoodError: it is not clear of what it is asked.
    """
    if (found := _OBLIGED.search(text)) is None:
        return text
    before = text[: found.start()]
    thing = _THING.search(before)
    if thing is None or " of " in before[thing.start() - 1 : thing.start(1)]:
        raise NotUnderstoodError(
            f'What "{found["said"]}" is said of is not clear. Say it as a sentence of its own, with its name.'
        )
    return f"{before}, and {thing[1]} {found['said']}{text[found.end() :]}"
