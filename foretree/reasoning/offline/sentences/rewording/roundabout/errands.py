"""Errands, put plainly by what they are for.

"*Walk over to the keys, pick them up* and put them in the box", "*come here with* the towel", "*give* the
thing that you wash up with *to me*".
"""

from __future__ import annotations

import re

_THE = r"(?:the|my|our|your|his|her|this|that|these|those|a|an|some)"
_WORDS = r"(?:(?!\b(?:and|then|it|them|to me|for me)\b)[^.,;:!?])*?"
_GOING = (
    r"(?:go|walk|drive|head|move|run|roll|travel|proceed|navigate|get|pop|nip|hurry|step|come|make your way|"
    r"find your way)(?: (?:on|over|across|up|back|down|along|straight|right|out|off|there))*"
)
_JOINT = r"(?:, and then|, then|, and|,| and then| and| then|\.)"
#: Going to a thing is on the way to what is done with it.
_GONE = re.compile(
    rf"(?P<begin>^|[,.;:!?] |\b(?:and|then) ){_GOING} to "
    rf"(?:(?:the place |the spot )?where (?P<there>{_THE} {_WORDS}) "
    rf"(?:is|are|lies|lie|stands|stand|hangs|hang|sits|was|were)(?: (?:kept|now|lying|standing|stored))?|"
    rf"(?P<thing>{_THE} {_WORDS})) ?{_JOINT} (?P<verb>[a-z]+) (?P<it>it|them)\b",
    re.I,
)
_COMING = re.compile(
    r"(?P<begin>^|[,.;:!?] |\b(?:and|then) )"
    r"(?:come|return|walk|drive|roll|hurry|run|pop|turn up|show up|report)"
    r"(?: (?:on|over|across|back|straight|right|here|along|round))*(?: to me)? with "
    rf"(?P<thing>{_THE} (?:(?!\bto me\b)[^.,;:!?])+?)(?: to me)?(?=\s*(?:[.,;:!?]|$|\b(?:and|then) ))",
    re.I,
)
_GIVING = re.compile(
    r"(?P<begin>^|[,.;:!?] |\b(?:and|then) )(?:give|hand|deliver|bring|pass|fetch|carry|get|take|send)"
    rf"(?: over)? (?P<thing>{_THE} {_WORDS}) (?:over )?(?:to|for) me(?=\s*(?:[.,;:!?]|$|\b(?:and|then) ))",
    re.I,
)


def with_errands_told(text: str) -> str | None:
    """Return an instruction with its errands put plainly; None if there are none."""
    plain = _GONE.sub(_done_there, text)
    plain = _COMING.sub(r"\g<begin>bring me \g<thing>", plain)
    plain = _GIVING.sub(r"\g<begin>bring me \g<thing>", plain)
    return plain if plain != text else None


def _done_there(found: re.Match[str]) -> str:
    """Return what is done with a thing without the way to it."""
    return f"{found['begin']}{found['verb']} {found['there'] or found['thing']}"
