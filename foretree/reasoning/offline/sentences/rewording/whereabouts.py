"""Words that leave open where a thing is, left out: "get me a fork *from wherever they're hiding*".

What is not known is looked for anyway, so "find a battery *somewhere*", "*no idea where he has put it*" and
"*there should be one in the house*" say nothing about what shall be done.
"""

from __future__ import annotations

import re

#: The end of a part of a sentence.
END = r"(?=\s*(?:[.,;:!?)–-]|$|\b(?:and|then|so|but|would you|could you|will you|can you)\b))"
_START = r"(?:(?<=[.;:!?–])\s*|(?<=,)\s*|^\s*|\s(?=and |but ))(?:and |but |though |although )?"
#: They stand for the thing that is spoken of.
IT = r"(?:it|they|them|one|some|any|that one|those)"
_PERSON = r"(?:i|we|you|he|she|they|someone|somebody|(?:my|our|the) [a-z]+)"
_MODAL = (
    r"(?:should|must|ought to|might|may|could|will|would|'ll|has to|have to|has got to|have got to|"
    r"'s got to|is bound to|'s bound to|are bound to|'re bound to|is sure to|'s sure to|are sure to)"
)
_LYING = (
    r"(?:hiding|hidden|hanging|lying|sitting|standing|kept|stored|gone|got to|gotten to|ended up|gone to|"
    r"disappeared to|vanished to|wandered off to)"
)
_IS = (
    rf"(?:(?:'s|'re| is| are| was| were)(?: {_LYING})?|(?: has|'s| have|'ve| had) {_LYING}|"
    rf" {_MODAL} (?:be(?: {_LYING})?|have {_LYING})| went| ended up| got to| happens? to be)"
)
_PUT = (
    r"(?:put|left|leave|placed|laid|stored|kept|keep|keeps|stuck|stuffed|hid|hidden|stashed|find|found|"
    r"see|saw)"
)
_LATELY = (
    r"(?: (?:now|today|again|this time|these days|right now|at the moment|last|last time|in here|"
    r"around here))?"
)
#: Where the thing is: "it may be", "my husband has put it", "you can find one".
_WHEREABOUTS = (
    rf"(?:{IT}{_IS}|{_PERSON}(?:'ve|'s| have| has| had| may have| might have| can| could)?(?: last)? "
    rf"{_PUT} (?:{IT}|that)){_LATELY}"
)
_AROUND = (
    r"(?:somewhere or other|somewhere|(?:a)?round here|around|about|knocking about|lying around|"
    r"kicking around|lying about|at home|in (?:here|there|the (?:house|flat|kitchen|place|room))|here|left)"
)
_HERE = rf"(?!here\b|left\b|there\b){_AROUND}(?: {_AROUND})*"
_SOMEWHERE = rf"somewhere(?: or other| {_AROUND})*"
_UNSURE = (
    r"(?:(?:i(?:'ve| have)?|we(?:'ve| have)?) )?(?:got )?(?:no idea|no clue|not a clue|not the faintest|"
    r"not sure|(?:do not|don't|did not|didn't) (?:know|remember|recall)|"
    r"(?:cannot|can't|could not|couldn't) (?:remember|recall|say|tell|think)|dunno|forgot|forget|forgotten|"
    r"(?:god|goodness|heaven|lord|who) knows|no telling|haven't a clue|haven't the faintest|don't ask me)"
    r"(?: for sure| exactly)?"
)
_SEARCHING = r"find|fetch|get|grab|dig out|dig up|track down|hunt down|look for|locate"
_FOUND = r"(?:found|find|got|located|tracked down)"
#: What was asked for, however it is put, is brought from where it is.
_FETCHING = rf"{_SEARCHING}|bring|hand|need|want|like|take|have"
#: What ends with the person, or in a hand.
_HANDING = r"fetch|hunt down|track down|(?:bring|get|find|hand|give|pass) (?:me|us)"
_AT_PLACE = r"(?:in|on|at|under|behind|beside|by|near|next to|inside) [^.,;!?]*"
#: More words of the same request.
_OTHER = r"\b(?:(?!\band\b)[^.,;!?])*?"
#: What is left out; of a form with a group, all but that. Few sentences need it compiled.
_LEFT_OUT = (
    rf"\s*\(?\s+from where(?:ver)? (?:{_WHEREABOUTS}|(?:the|those|these|my|our|your) [a-z]+{_IS})"
    rf"{_LATELY}\)?{END}",
    rf"\s*[,(–-]\s*(?:and )?wherever {_WHEREABOUTS}\)?{END}",
    rf"\b(?P<brought>(?:{_SEARCHING}|bring){_OTHER}) wherever {_WHEREABOUTS}{END}",
    rf"{_START}{_UNSURE} (?:where|which [a-z]+) {_WHEREABOUTS}{END}",
    rf"{_START}{_UNSURE} (?:whether|if) {IT}{_IS} (?:in|on|at|under|behind) [^.,;!?]*{END}",
    rf"{_START}there(?:'s| is| are|'re| {_MODAL} be)(?: still)? {IT}(?: left)? {_HERE}{END}",
    rf"{_START}(?:it|they|one)(?:'s| is| are|'re| {_MODAL} be)(?: still)?(?: {_LYING})? {_HERE}{END}",
    rf"\b(?P<found>(?:{_SEARCHING}){_OTHER}) {_SOMEWHERE}{END}",
    rf"\b(?P<fetched>(?:{_FETCHING}){_OTHER}) from {_SOMEWHERE}{END}",
    # What is to be put somewhere is found before, however that is said.
    rf",? (?:when|once|as soon as|after) (?:you|you've|you have) {_FOUND} {IT}{END}",
    # What is brought is not to be left anywhere: so it is only said where it may be.
    rf"\b(?P<had>(?:{_HANDING}) {_OTHER}),? (?:it|they|that) {_MODAL} be(?: {_LYING})? {_AT_PLACE}{END}",
)
#: What is to be found out of a thing that a request then goes back to: it is to be found.
_FIND_OUT = (
    r"\b(?:(?:go and |go )?(?:see|check|look|find out)|(?:have|take) a (?:quick )?look(?: to see)?) "
    r"(?:if|whether) (?:there(?:'s| is| are|'re)|(?:we|i|you)(?:'ve| have)|"
    r"(?:we|you) (?:can|could) (?:find|see|spot|get|track down))(?: still)?(?: got)? "
    r"(?P<thing>(?:(?!\b(?:in|on|at|under|behind|by|beside|near|and|or)\b)[^.,;!?])+?)"
    r"(?: (?:left|somewhere|anywhere|around|about|here|at home))*"
    r"(?=(?:,| and\b)[^;]*\b(?:it|them|one|some)\b)"
)
#: One of these is in each of the forms.
_SIGNS = re.compile(
    r"\b(?:where|wherever|somewhere|there|around|about|here|home|if|whether|find|found|located|tracked|which|house|flat|it|they|that)\b",
    re.I,
)


def without_whereabouts(text: str) -> str:
    """Return an instruction without what leaves open where a thing is, unless nothing else is said."""
    if not _SIGNS.search(text):
        return text
    said = rest = text.replace("’", "'")
    for form in _LEFT_OUT:
        rest = re.sub(form, lambda found: next(iter(found.groupdict().values()), ""), rest, flags=re.I)
    rest = re.sub(_FIND_OUT, r"find \g<thing>", rest, flags=re.I)
    return text if rest == said or not re.search(r"\w", rest) else tidied(rest)


def tidied(text: str) -> str:
    """Return a text without the marks and spaces that stand beside what was left out of it."""
    plain = re.sub(r"\s*[,;–-]+\s*(?=[.,;!?]|$)|\s+(?=[.,;!?)])", "", text)
    return re.sub(r"\s{2,}", " ", plain).strip(" ,;:–-")
