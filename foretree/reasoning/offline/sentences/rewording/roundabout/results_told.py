"""Results of a deed that are told after it, put plainly.

"Move the towel *so that it ends up in the box*", "*arrange things so that* the apple is in the fridge".
"""

from __future__ import annotations

import re

_THE = r"(?:the|my|our|your|his|her|this|that|these|those|a|an|one of the)"
#: What stands before the thing says no place that it shall be at: "move the towel *in the bathroom*".
_THING = (
    rf"(?:{_THE}|both|all|every|each|everything)\b(?:(?!\b(?:so|to|into|onto|and|then|it|them)\b)[^.,;:!?])*?"
)
_MOVING = (
    r"(?:move|relocate|reposition|shift|transfer|transport|carry|take|bring|get|put|place|set|arrange|position|"
    r"slide|push|pull|shove|drag|turn|lay|leave)"
)
_RESTING = (
    r"(?:(?:is|are|ends? up|winds? up|finish(?:es)? up|lands?|comes? to rest|comes? to be|goes?|will be|"
    r"(?:can|should|will|may) end up)(?: (?:lying|standing|sitting|resting|placed|kept|stored|located))?|"
    r"lies?|stands?|sits?|rests?)"
)
_AT = r"(?:on(?: top of)?|in(?:side)?(?: of)?|under(?:neath)?|beneath|upon|into|onto|within|next to|beside)"
_RESULT = re.compile(
    rf"\b{_MOVING} (?P<thing>{_THING}),? so(?: that)? (?:it|they) {_RESTING}(?= {_AT} {_THE}\b)", re.I
)
#: "See to things so that …": whatever it takes shall be done.
_ARRANGED = re.compile(
    r"\b(?:(?:please )?(?:re-?arrange|organi[sz]e|arrange|fix|sort|set) "
    r"(?:things|stuff|matters|everything|it)(?: up| out)?|"
    r"(?:do|see to) (?:things|what(?:ever)? (?:you (?:must|can|need to|have to)|it takes|is needed))|"
    r"(?:make|fix|have) it) so that\b",
    re.I,
)


def with_results_told(text: str) -> str:
    """Return an instruction with a deed that brings a result about in place of that result."""
    return _ARRANGED.sub("make sure that", _RESULT.sub(r"put \g<thing>", text))
