"""Hesitation, left out: "put it by the, uh, the sink", "the thing you, whatchamacallit, boil water in"."""

from __future__ import annotations

import re

#: Sounds that say nothing, wherever they stand.
_SOUND = r"(?:u+h+|u+m+|e+r+|e+r+m+|e+h+m+|h+m+|m+h*m+|uhm+|idk|idek)"
#: What is said while a word is looked for.
_SEARCH = (
    rf"(?:{_SOUND}|i (?:don't|do not|dont) know|dunno|what(?:'s| is) (?:it|that) called(?: again)?|"
    r"what(?:'s| is) its name|what(?:'s| is) the word|what do you call it|how do you say|let me think|"
    r"whatsit|whatchamacallit|you know|oh what is it)"
)
_DETERMINER = r"(?:the|an?|my|our|your|his|her|their|that|this|those|these|some)"
_PAUSE = r"[\s,…–—-]*(?:\.{2,}[\s,…–—-]*)?"
#: Behind a determiner, which may be said again.
_WITHIN = re.compile(
    rf"\b(?P<det>{_DETERMINER})\b{_PAUSE}(?<=[\s,…–—.-])(?:{_SEARCH}\b{_PAUSE})+(?:(?P=det)\b\s*)?(?=\w)",
    re.I,
)
_STUTTER = re.compile(rf"\b(?P<det>{_DETERMINER})(?:\s*(?:[,…–—-]|\.{{2,}})+\s*(?P=det)\b)+", re.I)
_BEHIND = r"(?:in|on|into|onto|to|at|by|from|under|with|of|off|and|or|then|me|us)"
#: Between words that belong together: what leads to more, or goes on.
_LEADING = re.compile(rf"\b(?P<lead>{_BEHIND})\b{_PAUSE}\b(?:{_SOUND}\b{_PAUSE})+(?=\w)", re.I)
_GOING_ON = re.compile(rf"(?<=\w){_PAUSE}\b(?:{_SOUND}\b{_PAUSE})+(?=(?:{_BEHIND})\b)", re.I)
_BARE = re.compile(rf"(?<=\w) (?:{_SOUND} )+(?!{_DETERMINER}\b)(?=\w)", re.I)
_HESITATES = re.compile(rf"\b{_SEARCH}\b|{_DETERMINER}\s*(?:[,…–—-]|\.{{2,}})", re.I)


def without_hesitation(text: str) -> str:
    """Return an instruction without what is said while words are looked for.

    What stands between two things is left: "the mug, er, the plate" may be put right by it.
    """
    plain = text.replace("’", "'")
    if not _HESITATES.search(plain):
        return text
    found = _WITHIN.sub(r"\g<det> ", plain)
    found = _STUTTER.sub(r"\g<det>", found)
    found = _LEADING.sub(r"\g<lead> ", found)
    found = _BARE.sub(" ", _GOING_ON.sub(" ", found))
    return text if found == plain else found
