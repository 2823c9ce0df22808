"""The conversation with the person of a session: what was said, what was asked, what is meant by it."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Literal, TypeAlias

#: What words of a person can be, besides an instruction in its own right.
Intent: TypeAlias = Literal["stop", "wait", "proceed", "extend", "instruct"]

_STOP = re.compile(
    r"([\w-]+, )?(please )?"
    r"(stop|halt|cancel|abort|never ?mind|forget (it|about it|that)|leave it( be)?|that'?s enough|"
    r"(do not|don'?t|no don'?t)( do)?)"
    r"( it| that| this| now| everything)?( please)?"
)
_POLITELY = r"(?:(?:please|ok|okay|robot|now|hey)\b,? *)*"
_WHILE = r"(?:a|one) (?:moment|second|minute|sec|bit|while)"
_WAIT = re.compile(
    rf"{_POLITELY}(?:wait|pause|hold on|hang on|stand by|not yet|(?:just |only )?{_WHILE})"
    rf"(?: there| here| now| please| (?:for )?(?:just )?{_WHILE})*"
)
_PROCEED = re.compile(
    rf"{_POLITELY}(?:you (?:can|may) )?"
    r"(?:go on|go ahead|continue|carry on|keep going|proceed|resume|move on|go)"
    r"(?: now| please| then| again| with (?:it|that|what you were doing))*"
)
#: What says that each of the choices will do.
_ANY = re.compile(
    r"(?:either|any|whichever|whatever)(?: (?:one|way|of (?:them|those|these|the two)|will do"
    r"|is (?:fine|ok|okay|good)|you (?:like|want|prefer)))*"
    r"|(?:i )?do(?:n't|nt| not) (?:care|mind)(?: which(?: one)?)?"
    r"|(?:it )?(?:does(?:n't|nt| not) matter|makes no difference)(?: to me)?|no matter(?: which(?: one)?)?"
    r"|you (?:choose|decide|pick)|(?:it'?s )?(?:up to you|all the same(?: to me)?|your choice)"
    r"|both (?:are|will|would) (?:fine|ok|okay|do|good)"
)
_FURTHER = re.compile(r"(?:and also|also|and then|and|then|plus|besides)\b,? *")
_TOO = re.compile(r",? *(?:too|as well|also)$")
#: Said of an order, that it comes after what is being done: "close the fridge afterwards".
_DONE = (
    r"(?:when|once|as soon as|after) "
    r"(?:you(?:'re| are| have|'ve)?|(?:all )?(?:that|this)(?:'s| is| has been)?|everything(?:'s| is)) "
    r"(?:all )?(?:done|finished|finish|ready|through|over)(?: (?:with )?(?:that|this|it))?"
)
_LATER = (
    rf"after(?:wards?| that| this)|thereafter|subsequently|later(?: on)?|finally|lastly|last of all|"
    rf"(?:at|in) the (?:very )?end|as (?:the|a) (?:last|final|next) (?:thing|step)|{_DONE}"
)
_LATER_FIRST = re.compile(rf"(?:please |but |so )?(?:{_LATER}|next(?= ?,))(?:,|\b) *")
_LATER_LAST = re.compile(rf",? *\b(?:{_LATER}|next)(?: (?:please|too|as well))*$")
#: It opens an order of its own, which has an order of its parts.
_FIRST = re.compile(r"\bfirst\b")
#: What is to be kept so is so beside all else that is wanted.
_KEEP = re.compile(
    r"(?:please |but |just |always |you (?:must|should|have to) )*"
    r"(?:keep\b|leave (?=.* (?:open|closed|shut|on|off|there|alone|as (?:it|they)|where (?:it|they))\b)).*"
    r"|(?:make|be) sure (?:that )?.*\b(?:stays?|remains?|is kept|are kept)\b.*"
    r"|.*\b(?:(?:must|should|has to|have to|shall|needs? to|(?:is|are) to) (?:always |please )?"
    r"(?:stay|remain|be kept|be left)|stays|remains)\b.*"
)
_INSTEAD = re.compile(r"(?:no|nope|wait|actually|sorry|rather|instead|i mean|i meant)\b[,:;]? *")
_BARE = re.compile(
    r"(?:the|a|an|my|your|our|this|that|these|those|both|all|every|another|one|two|three)\b.+|\w+?_?\d+", re.I
)
_YES = frozenset(["yes", "yeah", "yep", "sure", "ok", "okay", "fine", "please", "do"])
_NO = frozenset(["no", "nope", "neither", "none", "nothing", "don't", "dont"])
#: Words of an answer that tell none of the choices from the others.
_TELLING_NOTHING = frozenset(
    {
        "the",
        "a",
        "an",
        "one",
        "ones",
        "that",
        "this",
        "it",
        "in",
        "on",
        "at",
        "of",
        "to",
        "from",
        "by",
        "with",
    }
    | {"under", "is", "which", "please", "i", "mean", "want", "take"}
)
_ORDINALS = {
    "first": 0,
    "1st": 0,
    "second": 1,
    "2nd": 1,
    "third": 2,
    "3rd": 2,
    "fourth": 3,
    "4th": 3,
    "fifth": 4,
    "5th": 4,
    "sixth": 5,
    "6th": 5,
    "last": -1,
    "latter": -1,
    "former": 0,
}


#: Numbers of choices.
_NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
#: What is said for something other than a thing to be done.
_ORDERS: tuple[tuple[Intent, re.Pattern[str]], ...] = (
    ("stop", _STOP),
    ("wait", _WAIT),
    ("proceed", _PROCEED),
)


@dataclass(frozen=True, slots=True)
class Utterance:
    """Words of a person.

    Attributes:
        words: what was said.
        by: the name of who said it; empty where that is not known.
    """

    words: str
    by: str = ""


@dataclass(frozen=True, slots=True)
class PersonalQuestion:
    """A question to the person.

    Attributes:
        text: the question.
        choices: what can be answered, in words; empty where it is yes or no.
    """

    text: str
    choices: tuple[str, ...] = ()


class Conversation:
    """Words that wait to be heard, from any thread, and the question that waits for an answer.

    Attributes:
        attended: whether a person is there to answer questions. What a careful agent does without being told
            is not asked where no one is; what it cannot do without is asked in any case.
        question: what was asked last and not answered yet.
        reply: what the agent has said to the last words, where it could do nothing with them.
    """

    def __init__(self) -> None:
        self.attended = False
        self.question: PersonalQuestion | None = None
        self.reply = ""
        self._words: deque[Utterance] = deque()
        self._lock = Lock()

    def say(self, words: str, by: str = "") -> None:
        """Take in what a person says. May be called from any thread."""
        with self._lock:
            self._words.append(Utterance(words, by))

    def hear(self) -> Utterance | None:
        """Return the next words that were not heard yet; None if there are none."""
        with self._lock:
            return self._words.popleft() if self._words else None

    def put_back(self, words: Utterance) -> None:
        """Have words be heard once more, before all others."""
        with self._lock:
            self._words.appendleft(words)

    @property
    def waiting(self) -> bool:
        """True if words wait to be heard."""
        return bool(self._words)


def intent_of(words: str) -> tuple[Intent, str]:
    """Return what *words* are, and the instruction in them."""
    said = " ".join(words.split()).strip(" .!")
    plain = said.lower().replace(",", "")
    for intent, form in _ORDERS:
        if form.fullmatch(plain):
            return intent, ""
    further = _FURTHER.match(said.lower())
    if further is not None:
        return "extend", _TOO.sub("", said[further.end() :])
    if _TOO.search(said.lower()):
        return "extend", _TOO.sub("", said)
    later = _afterwards(said)
    if later:
        return "extend", later
    if _KEEP.fullmatch(said.lower()):
        return "extend", said
    while (instead := _INSTEAD.match(said.lower())) is not None and instead.end() < len(said):
        said = said[instead.end() :]
    if _STOP.fullmatch(said.lower()):
        return "stop", ""
    return "instruct", said


def _afterwards(said: str) -> str:
    """Return the order that is to come after what is done, without the words for that; empty if none."""
    plain = said.lower()
    if _FIRST.search(plain):
        return ""
    first, last = _LATER_FIRST.match(plain), _LATER_LAST.search(plain)
    if first is not None:
        return said[first.end() :]
    return said[: last.start()] if last is not None else ""


def follows(words: str) -> bool:
    """Return whether *words* take up what was said before: "and the plate too", "no, the other one"."""
    said = " ".join(words.split()).strip(" .!").lower()
    if intent_of(words)[0] == "extend" or _INSTEAD.match(said) is not None:
        return True
    from foretree.reasoning.offline.said_anew import denies  # dear to load

    return denies(said)


def names_a_thing(words: str) -> bool:
    """Return whether *words* begin as the name or the description of a thing does, not as a request."""
    return _BARE.fullmatch(words) is not None


def any_will_do(words: str) -> bool:
    """Return whether *words* say that each of the choices will do."""
    return _ANY.fullmatch(" ".join(words.lower().split()).strip(" .!,")) is not None


def numbered(words: str, choices: int) -> int | None:
    """Return which of so many *choices* is meant by its number: "2", "number two", "the last one"."""
    said = _tokens(words)
    named = len(said) > 1 and said[-2] in ("number", "option", "choice", "no")
    if named and said[-1] in _NUMBERS and _NUMBERS[said[-1]] <= choices:
        return _NUMBERS[said[-1]] - 1
    for word in said:
        if word in _ORDINALS and -choices <= _ORDINALS[word] < choices:
            return _ORDINALS[word] % choices
        if word.isdigit() and 0 < int(word) <= choices:
            return int(word) - 1
    return None


def is_yes(words: str) -> bool | None:
    """Return whether *words* are a yes or a no; None if they are neither."""
    said = _tokens(words)
    if not said:
        return None
    if said[0] in _NO:
        return False
    return True if said[0] in _YES else None


def chosen(words: str, choices: Sequence[str]) -> int | None:
    """Return which of *choices* an answer means; None if it means none of them, or several alike."""
    number = numbered(words, len(choices))
    if number is not None:
        return number
    said = _tokens(words)
    # "Table1" is also the table.
    told = [
        {form for word in _tokens(choice) for form in (word, word.rstrip("0123456789"))} for choice in choices
    ]
    common = set.intersection(*told) if told else set()
    telling = {word for word in said if word not in _TELLING_NOTHING}
    hits = [len((one - common) & telling) for one in told]
    best = max(hits, default=0)
    if not best or hits.count(best) > 1:
        return None
    # "The one on the shelf" is none of those on the table, though both are on something.
    meant = hits.index(best)
    return meant if telling <= told[meant] else None


def _tokens(words: str) -> list[str]:
    return re.findall(r"[^\W_]+(?:'\w+)?", words.lower())
