"""Words that say what is wanted in place of a thing that is not there.

Nothing: "put an egg on the counter, *if you can find one*"; what is like it: "bring me my scarf *or something
like it*"; a certain other thing: "get me an orange, *or an apple if there is none*".
"""

from __future__ import annotations

import re
from typing import NamedTuple

from foretree.reasoning.offline.sentences.rewording.whereabouts import END, IT, tidied
from foretree.reasoning.reasoner import InPlace

#: Few sentences need these compiled.
_OR_LIKE_IT = (
    r",? or (?:(?:something|anything|some(?:thing)? such|some other thing)"
    r"(?: (?:like (?:it|that|this|one)|similar|of the (?:sort|kind)|along those lines|to that effect))?"
    r"|the like|similar|whatever(?: (?:you (?:can find|have|find|see)|there is|we(?:'ve| have)(?: got)?))?"
    r"|the nearest thing(?: to it| you can find)?|the next best thing)(?=\s*(?:[.,;:!?]|$))"
)
_ANY = (
    r"(?:one|any|some|it|them|one of (?:them|those)|any of (?:it|them)|a few)"
    r"(?: (?:left|still|there|here|around|about|somewhere|in there|in the house|at all|to be found|over))*"
)
_IF_THERE = (
    r",?\s*\(?\b(?:if|provided|assuming|as long as|in case) (?:"
    r"(?:you|we|i) (?:can |could |still |happen to |should )*"
    rf"(?:find|see|spot|locate|come across|get hold of) {_ANY}"
    rf"|there(?:'s| is| are|'re| should be| happens? to be)(?: still)? {_ANY}"
    rf"|(?:we|you|i)(?:'ve| have)(?: still)?(?: got)? {_ANY}"
    rf"|{IT}(?:'s| is| are|'re)(?: still)? (?:there|around|to be found|available|left)"
    r"|(?:there's|there is|we have|we've got|you have|you've got) such a (?:thing|one)"
    rf")\)?{END}"
)
#: Another case follows, which the condition is needed for.
_OTHERWISE = re.compile(r"\b(?:otherwise|else|if not|failing|instead|none)\b", re.I)
#: A condition that is read as such, by which nothing is wanted in place of what is not there either.
_IF_ANY = re.compile(
    r"\b(?:if|provided|assuming|in case) "
    r"(?:there(?:'s| is| are|'re)|(?:you|we|i)(?:'ve| have| (?:can )?find))\b(?! (?:no|none|not)\b)",
    re.I,
)
_NONE = (
    r"(?:if (?:there(?:'s| is| are| isn't| aren't) (?:no(?:ne| more)?|not|any|one)[^.,;!?]*?|not|"
    r"(?:you|we|i) (?:cannot|can't|do not|don't) (?:find|have|see|get)[^.,;!?]*?|"
    r"(?:we're|we are|you're|we've|we have) (?:out|run out)[^.,;!?]*?)|failing that|in (?:its|their) absence)"
)
_DOES = (
    r"(?: (?:will|would|'ll|might) (?:do|be (?:fine|ok|okay|good|alright))"
    r"(?: (?:too|instead|as well|nicely))?|(?:'s| is) (?:fine|ok|okay|good)(?: too)?| instead)"
)
_OTHER = r"(?:an?|some|any|the) (?:(?!\b(?:if|and|or)\b)[^.,;!?])+?"
_FALLBACK = (
    r"\b(?P<verb>(?:bring|get|fetch|give|hand|pass|find|grab) (?:me|us)|i would like|i'd like|i want) "
    r"(?P<thing>(?:an?|some|any) (?:(?!\b(?:and|or|if|then)\b)[^.,;!?])+?)(?:,? please)?"
    rf"(?:\s*[.,;]\s*(?:and |but )?{_NONE},? (?P<apart>{_OTHER}){_DOES}?"
    rf"|,? or (?:else |otherwise )?(?P<other>{_OTHER}){_DOES}? {_NONE})(?=\s*(?:[.,;:!?]|$))"
)
#: One of these is in each of the forms.
_SIGNS = re.compile(r"\b(?:if|or|provided|assuming|in case|as long as|failing|absence)\b", re.I)


class ReplacementsTold(NamedTuple):
    """An instruction without what it says of other things in place of those that are not there.

    Attributes:
        text: the rest of it.
        in_place: whether another thing is wanted then.
    """

    text: str
    in_place: InPlace = "usual"


def with_replacements_told(text: str) -> ReplacementsTold:
    """Return an instruction without such words, or with two cases in place of them."""
    if not _SIGNS.search(text):
        return ReplacementsTold(text)
    said = text.replace("’", "'")
    rest, alike = re.subn(_OR_LIKE_IT, "", said, flags=re.I)
    rest = re.sub(_FALLBACK, _in_two_cases, rest, flags=re.I)
    rest, certain = (rest, 0) if _OTHERWISE.search(rest) else re.subn(_IF_THERE, "", rest, flags=re.I)
    rest = text if rest == said or not re.search(r"\w", rest) else tidied(rest)
    if alike:
        return ReplacementsTold(rest, "welcome")
    return ReplacementsTold(rest, "none" if certain or _IF_ANY.search(rest) else "usual")


def _in_two_cases(found: re.Match[str]) -> str:
    """Return "if there is an orange, bring me an orange; otherwise …" for "an orange or, failing that, …"."""
    verb, thing, other = found["verb"], found["thing"], found["apart"] or found["other"]
    return f"if there is {thing}, {verb} {thing}; otherwise {verb} {other}"
