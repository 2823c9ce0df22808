"""States that are told by another construction, put plainly.

"From now on the *plate's home is* the cupboard", "the mug should be *out of the sink and* on the table",
"*with the lamp off*, …", "*get the kitchen straight:* …".
"""

from __future__ import annotations

import re
from typing import NamedTuple

from foretree.reasoning.offline.word_lists import word_lists

_THE = r"(?:the|my|our|your|his|her|this|that|these|those)"
_NOUN = r"[a-z0-9][a-z0-9 -]*?"
_THING = rf"{_THE} {_NOUN}"
_FROM_NOW = (
    r"(?:from (?:now|this (?:day|moment|point)|here|today|tonight) (?:on(?:wards?)?|forwards?)|from today|"
    r"henceforth|in (?:the )?future|going forward|as of (?:now|today)|starting (?:now|today))"
)
_MODAL = (
    r"(?:should|must|shall|ought to|has to|have to|needs? to|is to|are to|can|could|may|had better|wants? to)"
)
#: What is so from now on, and what is said of moments that are to come.
_LASTING = re.compile(
    r"\b(?:goes|go|belongs?|lives?|stays?|kept|keep|stored|home|place|spot|is|are|be|should|must|not|never)\b|n't"
)
_TO_COME = re.compile(r"\b(?:after|before|every|each|when\w*|once|if|always|daily|until|while|during)\b")
#: Where a thing is kept.
_HOME = r"(?:new )?(?:home|place|spot)"
_IS = r"(?:is|will be|shall be|should be)"
#: What ends a part of a sentence.
_STOP = r"(?=\s*(?:[.,;:!?]|$))"
_AT = r"(?:in|on|under|inside|at|into|onto|upon|underneath)"

#: "From now on the plate's home is the cupboard".
_HOMES = (
    (rf"(?P<thing>{_THING}) ?'s {_HOME} {_IS} {_AT}? ?(?P<place>{_THING}){_STOP}"),
    rf"the {_HOME} (?:of|for) (?P<thing>{_THING}) {_IS} {_AT}? ?"
    rf"(?P<place>{_THING}){_STOP}",
    rf"(?P<place>{_THING}) {_IS} (?P<thing>{_THING}) ?'s {_HOME}{_STOP}",
    rf"(?P<place>{_THING}) {_IS} the {_HOME} (?:of|for) (?P<thing>{_THING}){_STOP}",
)
#: What goes from a place to another is in the first one now.
_OUT_AND_ON = re.compile(
    rf"\b(?P<thing>(?:{_THE}|everything|all|both) {_NOUN})(?P<be> {_MODAL}(?: be| come| go| get| move)?|"
    rf" (?:comes|goes|gets|moves))?,? (?:straight |right |back )?out of (?P<source>{_THING}),?"
    rf" (?:and|then) (?:back |straight |right )?(?P<on>on|onto|in|into|under)\b"
)
#: "Needs to come out and stand on the counter", "comes out onto the desk".
_COMING_OUT = re.compile(
    rf"(?P<be> {_MODAL})? (?:come|comes|go|goes|coming) out(?:(?: of it| of there)? and"
    rf"(?: (?:stand|go|be|sit|lie|end up))?|)(?= (?:on|onto|in|into|under) )"
)
#: "Leave that open".
_POINTED = re.compile(r"\b(leave|keep) (?:that|this)(?: one)? (?P<state>[a-z]+)" + _STOP)
#: "I want to find the plate washed".
_FOUND = re.compile(rf"\b((?:i|we)(?: want|'d like| would like|'d love| would love)) to find(?= {_THE} )")
#: "All that you can't eat".
_INEDIBLE = re.compile(
    r"\b(?:that|which) (?:(?:you|we|one|people|i|nobody|no one) )?"
    r"(?:can't|can not|cannot|can|is not|isn't|is)(?: be)? (?:eat|eaten|edible|inedible|for eating)\b"
)
_DENIED = re.compile(r"n't|\bnot\b|cannot|nobody|no one|\binedible")
#: "With the lamp off, …".
_WITH_STATE = re.compile(
    rf"(?:^|(?<=[.;:] ))with (?P<thing>{_THING}) (?P<state>(?:switched |turned |wide )?[a-z]+) ?, "
)
#: A vessel with something in it that is to be somewhere is put there.
_SERVED = re.compile(
    rf"\b(?:(?:there|i want there to|i'd like there to|i would like there to)(?: {_MODAL})? be) "
    r"(?=(?:a|an|one|two|three|some) (?:[a-z]+ )?[a-z]+ (?:of|with|full of) [a-z]+(?: [a-z]+)? (?:on|in) )"
)
_ROOM = (
    r"(?:kitchen|kitchenette|living room|lounge|sitting room|dining room|bedroom|bathroom|study|office|hall|"
    r"hallway|room|flat|house|apartment|home|studio|place|things|stuff|mess|chaos)"
)
#: What says in one what a list behind it says one by one: no more than that a room is to be seen to.
_HEADLINE = re.compile(
    r"^(?:please )?(?P<head>(?:let's |let us |time to |help me |i want to |i'd like to )?"
    r"(?:get|make|put|set|sort|tidy|straighten|clean|do|prepare|start|smarten|spruce)(?: up| out)? "
    rf"(?:(?:{_THE} )?(?:whole |entire )?{_ROOM}|ready|started|going|cracking|organised|organized|to work)"
    r"(?: up| out| straight| straightened| sorted| tidy| tidied| clean| ready| nice| presentable| shipshape|"
    r" in order| into shape| into order| back in order| to rights)*)\s*:\s*(?P<rest>\S.*)$",
    re.S,
)
_SEVERAL = re.compile(r"[,;.]|\band\b")


class Plainer(NamedTuple):
    """An instruction in plainer words.

    Attributes:
        text: the words.
        left_out: what is said of them besides.
    """

    text: str
    left_out: tuple[str, ...] = ()


def with_states_told(text: str) -> Plainer | None:
    """Return an instruction with such states put plainly; None if there are none."""
    left_out: list[str] = []
    plain = _with_homes(text, left_out)
    plain = _OUT_AND_ON.sub(_from_where_it_is, plain)
    plain = _COMING_OUT.sub(lambda found: f"{found['be']} be" if found["be"] else " goes", plain)
    plain = _SERVED.sub("put ", plain)
    plain = _POINTED.sub(lambda found: _of_state(found, f"{found[1]} it {found['state']}"), plain)
    plain = _FOUND.sub(r"\1", plain)
    plain = _INEDIBLE.sub(_of_food, plain)
    plain = _WITH_STATE.sub(
        lambda found: _of_state(found, f"{found['thing']} should be {found['state']}, and "), plain
    )
    head = _HEADLINE.match(plain)
    if head is not None and _SEVERAL.search(head["rest"].rstrip(".! ")):
        plain = head["rest"]
        left_out.append(head["head"])
    return None if plain == text else Plainer(plain, tuple(left_out))


def _with_homes(text: str, left_out: list[str]) -> str:
    """Return the text with where a thing shall be for where it lives "from now on"."""
    lasting = re.search(rf"\b{_FROM_NOW}\b", text)
    told = text if lasting is None else text.replace(lasting.group(), "")
    if lasting is None or not _LASTING.search(told) or _TO_COME.search(told):
        return text
    rest = f"{text[: lasting.start()]} {text[lasting.end() :]}".strip()
    plain = re.sub(r"^,\s*|\s+(?=[.,;:!?])|(?<=[.;:])\s*,", "", rest)
    for form in _HOMES:
        plain = re.sub(rf"\b{form}", r"\g<thing> goes in \g<place>", plain)
    left_out.append(lasting.group())
    return re.sub(r"\s{2,}", " ", plain)


def _from_where_it_is(found: re.Match[str]) -> str:
    be = found["be"] or ""
    shall = be if re.search(r"\b(?:be|come|go|get|move)$|s$", be) else f"{be} be" if be else ""
    shall = re.sub(r"(?:come|go|get|move)$", "be", shall)
    shall = re.sub(r" (?:comes|gets|moves)$", " goes", shall)
    return f"{found['thing']} that is in {found['source']}{shall} {found['on']}"


def _of_food(found: re.Match[str]) -> str:
    """Return that things are no food, where that is said of them."""
    said = found.group()
    return "that isn't food" if len(_DENIED.findall(said)) == 1 else said


def _of_state(found: re.Match[str], plain: str) -> str:
    """Return *plain* if the last word that was found names a state."""
    return plain if found["state"].split()[-1] in _states() else found.group()


def _states() -> frozenset[str]:
    known = {word for said, more in word_lists("adjectives").items() for word in (said, *more)}
    return frozenset(known | {"open", "closed", "shut", "on", "off", "ajar", "unlocked", "running"})
