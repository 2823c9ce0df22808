"""Requests for a thing that are put as questions after it, or as praise of it.

"Have you got a magazine *for me to read*?" asks for the magazine, unlike "have you got a magazine?"; "some
fruit *would do me good*" asks for fruit.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_HAVE = (
    r"(?:(?:do|would|might|don't|wouldn't) (?:you|we) (?:happen to |by any chance )?have|"
    r"(?:have|haven't) (?:you|we) got|(?:is|are|isn't|aren't) there)"
)
#: Of "anything I could rest my head on", what it is for says which thing is meant, so that is kept.
_THING = (
    r"(?!(?:any|some)thing\b)(?P<any>any|such a thing as|one of those)? ?"
    r"(?P<thing>(?:(?:an?|some|the|another) )?[^.,;:?!]+?)"
)
#: What people do with a thing that they were given.
_USING = (
    r"(?:borrow|use|have|hold|wear|put on|try on|read|look|leaf|flick|thumb|browse|skim|study|eat|drink|"
    r"nibble|munch|snack|chew|sip|taste|write|jot|note|draw|sketch|doodle|cut|slice|snip|peel|stir|scoop|"
    r"open|dry|wipe|mop|wrap|snuggle|cuddle|huddle|warm|sit|lie|lean|rest|sleep|nap|play|watch|listen|call|"
    r"ring|see|light|measure|fix|mend|dig|shield|cover|cool|fan)\b"
)
_FOR_USE = (
    rf"(?:for (?:me|us)(?: to {_USING}[^.,;:?!]*)?|"
    rf"(?:that |which )?(?:i|we) (?:could|can|might|may) {_USING}[^.,;:?!]*)"
)
_ASKED = re.compile(rf"(?P<start>^|[.;:!?,] )\s*{_HAVE} {_THING} {_FOR_USE}(?=[.,;:?!]|$)", re.I)
#: One of these is in each such question.
_SIGN = re.compile(r"\b(?:have|got|there)\b.*\b(?:for (?:me|us)|(?:could|can|might|may))\b", re.I | re.S)

_BEGINS = frozenset({"a", "an", "some", "the", "my", "our", "another", "one"})
_WELCOME = re.compile(
    r"(?:really |just |sure |certainly |definitely |probably )?"
    r"(?:be (?:so |very |really |quite |just |most |rather )*"
    r"(?:nice|lovely|great|good|grand|perfect|brilliant|wonderful|fantastic|marvellous|fabulous|ideal|handy|"
    r"useful|helpful|welcome|heaven|heavenly|bliss|divine|delightful|appreciated|a treat|a help|a blessing|"
    r"a godsend|the thing|the ticket|what i need|right|super|amazing|awesome|sweet|cool)"
    r"|hit the spot|come in handy|do (?:nicely|the trick)|go down (?:very |really )?(?:well|nicely|a treat)"
    r"|(?:cheer|warm|wake|perk|set) (?:me|us) up|cool (?:me|us) down|make my day"
    r"|make (?:me|us) (?:very |really |so )?happy"
    r"|do (?:me|us)(?: (?:some |a lot of |a world of |the world of )?good)?"
    r"|(?:suit|please) (?:me|us)|help(?: (?:me|us))?)"
    r"(?: (?:right now|just now|now|about now|today|tonight|too|as well|please|a bit|a lot|no end|immensely|"
    r"at the moment|in this (?:heat|cold|weather)))*"
)


def with_things_asked_for(text: str) -> str:
    """Return an instruction with "bring me a pen" for "have you got a pen I could borrow?"."""
    if not _SIGN.search(text):
        return text
    return _ASKED.sub(_brought, text.replace("’", "'"))


def _brought(found: re.Match[str]) -> str:
    some = "some " if (found["any"] or "").lower() == "any" else ""
    return f"{found['start']}bring me {some}{found['thing']}"


def with_welcome_thing_asked_for(tokens: Sequence[str], begin: int, end: int) -> list[str] | None:
    """Return the words with "bring me a blanket" for a sentence like "a blanket would be nice", if it is one.

    Args:
        tokens: the words.
        begin: where the sentence begins.
        end: where it ends.
    """
    said = [*tokens[begin:end]]
    while said[:1] in (["and"], ["oh"], ["so"], [","]):
        said, begin = said[1:], begin + 1
    if "would" not in said or said[0] not in _BEGINS:
        return None
    at = said.index("would")
    if at < 2 or not _WELCOME.fullmatch(" ".join(word for word in said[at + 1 :] if word != ",")):
        return None
    return [*tokens[:begin], "bring", "me", *said[:at], *tokens[end:]]
