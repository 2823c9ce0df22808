"""Wishes about an exception, as sentences of their own: "all but the mug, *which should be washed*"."""

from __future__ import annotations

import re

_THE = r"(?:the|my|our|your|his|her|this|that|these|those)"
_EXCEPT = (
    r"(?:(?:except|save)(?: for)?|apart from|other than|with the exception of|excluding|but(?: not)?|bar)"
)
_NOUN = r"(?:[\w'-]+ ){0,2}?[\w'-]+"
_MUST = r"should|must|shall|has to|have to|needs? to|ought to|is to|are to|can|may"
_FINITE = rf"{_MUST}|stays?|remains?|goes|go|gets?|belongs?|needs?|wants?"
#: What describes an exception has none of these verbs: "except the mug that is on the table".
_ASKED = re.compile(
    rf"\b{_EXCEPT} (?P<thing>{_THE} {_NOUN})(?P<place> (?:on|in|from|under) {_THE} [\w'-]+)?"
    rf",? (?:which|and (?:that|this)(?: one)?|that one) (?P<said>(?:{_FINITE})\b)",
    re.IGNORECASE,
)
#: What stays where it is, though something is done with it there.
_STAYING = re.compile(
    rf"\b(?P<thing>{_THE} {_NOUN}) (?:(?:{_MUST}) )?(?:stays?|remains?) (?:where it is|in its place|put)"
    r",? (?:only|just|but|albeit|though)(?: it)?(?: (?:should be|must be|is|gets))? (?P<state>\w+)"
    r"(?=\s*(?:$|[.,;!?]))",
    re.IGNORECASE,
)
#: The same the other way round.
_DONE_THERE = re.compile(
    r"\b(?P<be>(?:should|must|shall|ought to|has to|needs to|is to) be) (?P<state>\w+),? (?:and|but) "
    r"(?:(?:to|should|must) )?(?:stay|remain|be left|be kept) (?:exactly |just |right )?where it is\b",
    re.IGNORECASE,
)
#: What is asked for like the things before it, and then need not be.
_NEED_NOT = (
    r"(?:you (?:needn't|need not|don't (?:have|need) to|do not (?:have|need) to)"
    r"|(?:(?:there is|there's) )?no need to)"
)
_NEEDLESS = re.compile(
    r"^(?:(?:first|firstly|first of all),? )?(?P<before>.+?)(?:,| and|, and)?"
    rf" (?:(?:then|after that|finally|lastly),? )?(?P<thing>{_THE} {_NOUN}),?"
    rf" (?:except|but|only|though|although)(?: that)? {_NEED_NOT} (?:give|bring|hand|fetch|get|pass)(?: me)?"
    r" (?:those|them|it|that)(?: ones?)?(?: to me)?\W+(?:(?:just|simply|only|please|but) )*"
    r"(?P<verb>leave|put|place|set|lay|keep|drop) (?:those|them|it|that)\b",
    re.IGNORECASE,
)
_NAMES_THING = re.compile(rf"{_THE}\b", re.IGNORECASE)
_BACK = ". Put it back where it was"


def with_exceptions_told(text: str) -> str:
    """Return an instruction in which what an exception should be is asked for by itself.

    So is what shall be done with a thing in place of what need not be done.
    """
    told = _NEEDLESS.sub(_without_needless, _ASKED.sub(_by_itself, text))
    told = _STAYING.sub(rf"\g<thing> should be \g<state>{_BACK}", told)
    return _DONE_THERE.sub(rf"\g<be> \g<state>{_BACK}", told)


def _by_itself(found: re.Match[str]) -> str:
    of = f"{found['thing']}{found['place'] or ''}"
    excepted = found.group()[: found.start("thing") - found.start()]
    return f"{excepted}{of}. {found['thing']} {found['said']}"


def _without_needless(found: re.Match[str]) -> str:
    """Return what is to be brought, and apart from it what is to be done with the last thing instead."""
    before = found["before"].removesuffix(",").removesuffix(" and")
    asked = f"bring me {before}" if _NAMES_THING.match(before) else before
    return f"{asked}. {found['verb']} {found['thing']}"
