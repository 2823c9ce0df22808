"""Obligations told besides a request, as clauses of their own.

"Put it in the fridge, *which must be closed afterwards*"; "I want the mango, *and the plate should be dry*".
"""

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
#: With one of these begins what is to be somehow.
_THE = r"(?:the|my|our|your|his|her|this|that|these|those|all|both|every|each)\b"
#: Wishes for a thing itself: "I want *that* the mango …" and "I'd like it *if* the mango …" have no end yet.
_WANTED = (
    r"(?:(?:i|we)(?: really| just)? (?:want|need|would (?:like|love)|could do with)|(?:i|we)'d (?:like|love)"
    r"|(?:can|could|may) (?:i|we) (?:have|get)) (?!that\b(?! [\w'-]+,? and)|(?:it )?if\b)"
)
_BESIDES = re.compile(
    rf"\b(?P<wish>{_WANTED}[^.;:?!]+?),? and "
    rf"(?P<must>{_THE}(?:(?! (?:and|that|which|who|there|i|we|you|{_MUST}) )[^.,;:?!])*? (?:{_MUST}) )",
    re.IGNORECASE,
)


def with_obligations_told(text: str) -> str:
    """Return an instruction with what is told besides to have to be so as a clause of its own.

    Raises:
        NotUnderstoodError: it is not clear of what it is asked.
    """
    text = _BESIDES.sub(r"\g<wish>. \g<must>", text)
    if (found := _OBLIGED.search(text)) is None:
        return text
    before = text[: found.start()]
    thing = _THING.search(before)
    if thing is None or " of " in before[thing.start() - 1 : thing.start(1)]:
        raise NotUnderstoodError(
            f'What "{found["said"]}" is said of is not clear. Say it as a sentence of its own, with its name.'
        )
    return f"{before}, and {thing[1]} {found['said']}{text[found.end() :]}"
