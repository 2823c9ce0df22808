"""Leave to do without what is not there: "whatever is missing you can skip", "as far as you can find them".

It is what is done anyway: what cannot be done is left out where the rest can be. So the words say nothing
about what shall be done.
"""

from __future__ import annotations

import re

_LEAD = (
    r"(?:just |simply |then |please |you (?:can|may|could|should) |feel free to |"
    r"(?:that|it)(?: is|'s) (?:ok|okay|fine|all right|alright|no problem)(?: if you| to)? )*"
)
_THING = (
    r"(?:anything|something|any|one|some|a thing|an item|things|items|they|it|all|not all|not everything|"
    r"everything|what(?:ever)?|whichever|those|the (?:ones|things|items)|these)"
    r"(?: of (?:it|them|these|those|that)| (?:from|on) (?:the|my) list| else)?(?: (?:that|which|you))?"
)
_FINDING = rf"(?:find|get|see|locate|reach|have|spot|get hold of)(?: {_THING})?"
_NOT = r"(?:can ?not|can'?t|could not|couldn't|do not|don't|does not|doesn't|did not|didn't)"
_AROUND = r"(?: (?:here|there|anywhere|at home|in the (?:house|flat|kitchen|room)|right now|at the moment))?"
_HERE = (
    r"(?:there|here|available|around|at hand|present|in stock|in the (?:house|flat|kitchen|room)|to be found|"
    r"found|at home)"
)
_MISSING = (
    r"(?:(?:is|are|should be|turns out to be) (?:missing|unavailable|gone|lacking|absent)"
    rf"|(?:is|are) not {_HERE}|(?:is|are)n't {_HERE}|(?:can ?not|can'?t) be found|{_NOT} {_FINDING}"
    rf"|{_NOT} exist){_AROUND}"
)
_SKIPPED = (
    r"(?:leave (?:it|that|them|those|this|that one) (?:out|away|off|aside|be)|leave out|"
    r"(?:skip|ignore|omit|forget(?: about)?|drop|(?:do|go on|carry on|continue|proceed|do it|manage) without)"
    r"(?: (?:it|that|them|those|this|that one))?|"
    r"(?:never|do not|don't) (?:mind|worry|bother)(?: about (?:it|that|them))?|"
    r"(?:that|it)(?: is|'s) (?:fine|ok|okay|all right|alright|no problem)|"
    r"it does(?: not|n't) matter|no problem|no worries)"
)
#: They are clauses of their own.
_CLAUSES = (
    rf"(?:if|in case|when|whenever|should|where) (?:{_THING}|you) {_MISSING}[,;]? {_LEAD}{_SKIPPED}",
    rf"{_LEAD}{_SKIPPED},? (?:if )?(?:{_THING}|you) {_MISSING}",
    rf"{_THING} {_MISSING}[,;]? (?:can|may|could|is to|are to|should) be "
    r"(?:skipped|left out|omitted|ignored)",
    rf"{_THING} {_MISSING}[,;]? {_LEAD}{_SKIPPED}",
)
_PHRASES = (
    r"(?:as|so) (?:far|long|much|many|well) (?:of (?:it|them|those|these) )?as "
    rf"(?:you can(?: (?:find|get|see)(?: (?:it|them|any|any of them))?)?|"
    rf"(?:they|it|these|those) (?:are|is|can be) {_HERE}|there (?:are|is)(?: any)?|"
    r"(?:is |are )?available|possible)",
    r"(?:if|where|when|whenever) (?:they are |it is |they're |it's )?(?:available|at hand)",
)
#: Few sentences need it compiled.
_LEAVE = (
    rf"(?:(?:^|[,;:.!–-]\s*|\s(?=and |but ))(?:and |but )?(?:{'|'.join(_CLAUSES)})"
    rf"|(?:^|[,;:(]?\s*)\b(?:{'|'.join(_PHRASES)}))\)?(?=\s*(?:[.,;!?]|$))"
)
#: One of these is in each of the forms: what has none need not be looked at closely.
_SIGNS = re.compile(
    r"\b(?:find|found|missing|there|here|available|unavailable|exist|around|present|get|gone|hand|possible|have)\b",
    re.I,
)


def without_permissions(text: str) -> str:
    """Return an instruction without leave to do without what is not there, unless nothing else is said."""
    if not _SIGNS.search(text):
        return text
    plain = text.replace("’", "'")
    rest, number = re.subn(_LEAVE, " ", plain, flags=re.IGNORECASE)
    rest = rest.strip(" ,;:.!")
    if not number or not re.search(r"\w", rest):
        return text
    return re.sub(r"\s+([.,;!?)])", r"\1", re.sub(r"\s{2,}|\s?\(\s*$", " ", rest)).strip()
