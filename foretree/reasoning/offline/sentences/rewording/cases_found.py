"""Cases that are to be found out first, put as conditions: "look at the plate: if it's dirty, wash it"."""

from __future__ import annotations

import re

_THING = r"(?P<thing>(?:the|my|our|that|this|your|those|these) [^,.:;!?–]+?)"
_LOOKING = (
    r"(?:go and |go )?(?:(?:have|take) a (?:quick |good |close |closer )?look (?:at|over)|"
    r"check(?: on| out| up on)?|look at|inspect|examine)"
)
_PERSON = r"(?:somebody|someone|anyone|anybody|he|she|they|we|i|(?:my|our|the) \w+)"
_STATE = r"(?:(?:wide )?open|(?:turned |switched )?on|running|dirty|unlocked|closed|shut|empty)"
_PLACE = r"(?:in|on|under|inside) (?:the|my|our|that|this) [^,.:;!?]+?"
#: A look at a thing, which a condition then goes back to.
_LOOK = re.compile(
    rf"\b{_LOOKING} {_THING}\s*(?:[,.:;–-]\s*)?(?:and |then )*\b"
    r"(?P<marker>if|in case|should) (?:it|they|that)(?P<be>'s|'re)?\b",
    re.I,
)
#: That somebody left a thing as it is.
_LEFT = re.compile(
    rf"\b(?P<marker>if|in case|when|whenever|unless) {_PERSON}(?:'s| has| have|'ve| had)?"
    r"(?: \w+ly| gone and| just)? (?:left|forgotten|kept) "
    rf"(?P<thing>(?:the|my|our|that|this|a|any) [^,.:;!?]+?) (?:(?P<state>{_STATE})|(?P<where>{_PLACE}))"
    r"(?: again| once more| yet again)?(?=\s*[,.;]|$)",
    re.I,
)
#: The other case of a condition, without what was said of the thing.
_ELSE = re.compile(
    r"(?:\band |\bbut )?\bif (?:it|they|that|those)"
    r"(?: (?:is|are|was|were|does|do) not|'s not|'re not| (?:is|are|was|were|does|do)n't)(?=\s*,|\s+then\b)",
    re.I,
)
#: A case that is left out of the request before it, or the only one that it is meant for.
_BUT_NOT_IF = re.compile(
    r",? (?:but|though|although|only)(?: please)?(?: you)? "
    r"(?:not|(?:don't|do not|needn't|need not|don't (?:have|need) to|do not (?:have|need) to)"
    r"(?: bother)?(?: do (?:so|it|that))?"
    r"|(?:leave|skip) (?:it|them|that)(?: be| alone| there| (?:as|where) (?:it is|they are))?"
    r"|there(?:'s| is) no need(?: to)?|no need(?: to)?),? if\b",
    re.I,
)
_BUT_ONLY_IF = re.compile(r",? (?:but|and|though) (?:please )?(?:only|just) if\b", re.I)
_SIGNS = re.compile(r"\b(?:if|in case|when|whenever|should|unless)\b", re.I)


def with_cases_put_plainly(text: str) -> str:
    """Return an instruction in which the thing that is looked at stands in the condition itself."""
    if not _SIGNS.search(text):
        return text
    plain = text.replace("’", "'")
    found = _LOOK.sub(_as_condition, plain)
    found = _LEFT.sub(_as_state, found)
    found = _BUT_ONLY_IF.sub(" if", _BUT_NOT_IF.sub(" unless", found))
    first = _SIGNS.search(found)
    if first is not None:
        found = found[: first.end()] + _ELSE.sub("otherwise", found[first.end() :])
    return text if found == plain else found


def _as_condition(found: re.Match[str]) -> str:
    copula = {"'s": " is", "'re": " are"}.get((found["be"] or "").lower(), "")
    return f"{found['marker']} {found['thing']}{copula}"


def _as_state(found: re.Match[str]) -> str:
    thing, state = found["thing"], found["state"] or ""
    if found["where"] and thing.split()[0].lower() in ("a", "any"):
        return f"{found['marker']} there is {thing} {found['where']}"
    state = "on" if state.lower() == "running" else state
    return f"{found['marker']} {thing} is {state or found['where']}"
