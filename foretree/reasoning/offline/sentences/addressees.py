"""Robots that are addressed: "robot2, wash the mug", "let robot1 bring the fork", "without the cart".

An instruction is split where a robot is addressed. Each part is the request as it would be put to the robot
itself, with the robots that are to do it, or are not to.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from foretree.reasoning.instruction_errors import NotUnderstoodError
from foretree.reasoning.offline.english.lexicon.lexicon_file import english_words
from foretree.reasoning.offline.lexicon import NUMBERS
from foretree.reasoning.offline.phrases.known_things import conjoined
from foretree.reasoning.offline.sentences.prohibitions import ANY_DEED

_PLEASE = r"(?:(?:please|now|also|just|kindly|then|and|ok|okay|hey|hi|hello|so),? )*"
_OUGHT = (
    r"(?:should|must|shall|ought to|has to|needs to|is to|is supposed to|had better|is going to|"
    r"will|would|can|could)"
)
_NOT = (
    r"(?:(?:should|must|shall|may|can|is|ought|will|does|had better)(?: not|n't)(?: to| be allowed to| "
    r"allowed to| need to)?|cannot|can't|won't|shan't|never|is never to|should never|must never)"
)
#: Ways to address ``{r}``, each with what it makes of the words that follow. The first that fits counts.
_HEADS: tuple[tuple[str, str], ...] = (
    (rf"{_PLEASE}{{r}} {_NOT} (?P<deed>.+)", "forbids"),
    (rf"{_PLEASE}(?:do not|don't|never) (?:let|have|allow|ask) {{r}} (?:to )?(?P<deed>.+)", "forbids"),
    (rf"{_PLEASE}only {{r}} (?:may|can|is allowed to|is permitted to) (?P<deed>.+)", "reserves"),
    (rf"{_PLEASE}(?:only )?{{r}} {_OUGHT} (?:please |also |now |then )?(?P<deed>.+)", "asks"),
    (rf"{_PLEASE}(?:let|have|make) {{r}} (?:please |also |now |then )?(?P<deed>.+)", "asks"),
    (
        rf"{_PLEASE}(?:ask|tell|get|order|instruct|use|send|i want|i would like|i'd like|i need|"
        r"we want|we need) {r} to (?:please |also |now )?(?P<deed>.+)",
        "asks",
    ),
    (rf"{_PLEASE}(?P<asking>can|could|would|will) {{r}} (?:please |also |now )?(?P<deed>.+)", "questions"),
    (rf"{_PLEASE}is {{r}} (?P<asking>able to) (?P<deed>.+)", "questions"),
    (rf"{_PLEASE}(?:you,? )?{{r}}\s*[,:!-]\s*(?P<deed>.+)", "calls"),
    (rf"{_PLEASE}{{r}} (?P<deed>.+)", "tells"),
)
#: What is said of a robot at the end of a request.
_TAILS: tuple[tuple[str, str], ...] = (
    (
        r"(?P<deed>.+?),? (?:without|but not with|but not by)(?: the (?:help|use|aid) of| using| involving| "
        r"disturbing| bothering| asking)? {r}",
        "spares",
    ),
    (r"(?P<deed>.+?) (?:using|by|by means of|with the help of) {r}", "asks"),
    (r"(?P<deed>.+?),? (?:please,? )?{r}", "calls"),
)
_SPARED = re.compile(
    r"(?:use|involve|disturb|bother|help(?: with (?:it|that|this))?|move|do anything|touch anything|"
    r"take part|join in|act|stay out of (?:it|this))",
    re.I,
)
#: Where one of several requests may begin.
_SEAM = re.compile(r"(?:[,;.!?]\s*)?\s(?:and|while|but)\s(?:then )?|[,;.!?]\s*(?:then\s)?|\sthen\s", re.I)
_ORDERED = re.compile(r"\bthen\b|\bafter", re.I)
_UNNAMED = re.compile(
    r"\b(?:the (?:other|first|second|third|last|left|right|nearer|nearest|free) robots?|"
    r"both (?:of the )?robots|(?:the )?(?:two )?robots|"
    r"(?:each|either|another|one|any|neither|every|all|some)(?: of the)? robots?)\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Addressed:
    """A part of an instruction, by whom it says that it is to be done.

    Attributes:
        words: the part, as it would be put to the robot itself; empty where only a robot is to be spared.
        robot: the robot that is to do it; empty if any may.
        forbidden: whether that robot is not to do it.
        reserved: whether it need not be done, but by no other robot.
        spared: the robot that is to take no part; empty if none is.
        later: whether it is to be done after the part before.
    """

    words: str
    robot: str = ""
    forbidden: bool = False
    reserved: bool = False
    spared: str = ""
    later: bool = False


def names_robots(text: str, robots: Sequence[str]) -> bool:
    """Return whether *text* may speak of a robot by its name, or by what tells it from others."""
    numbered = r"\brobot(?:s\b|[ _-]?\d)|\brobot (?:one|two|three|four|five|six)\b"
    names = "".join(rf"|\b{_spelt(name)}\b" for name in robots)
    return re.search(f"{numbered}{names}", text, re.I) is not None or _UNNAMED.search(text) is not None


def addressed_parts(
    text: str, robots: Sequence[str], is_verb: Callable[[str], bool]
) -> tuple[Addressed, ...] | None:
    """Return the parts of an instruction that addresses robots by name; None if it addresses none.

    Args:
        text: the instruction.
        robots: the names of the robots that are here.
        is_verb: whether a request begins with a word.

    Raises:
        NotUnderstoodError: it addresses a robot that is not here, or does not say which.
    """
    return _Splitter(robots, is_verb).parts(" ".join(text.replace("’", "'").split()))


class _Splitter:
    def __init__(self, robots: Sequence[str], is_verb: Callable[[str], bool]) -> None:
        self._robots = robots
        self._is_verb = is_verb
        spelt = "|".join(_spelt(name) for name in sorted(robots, key=len, reverse=True))
        other = rf"robot[ _-]?(?:\d+|{'|'.join(list(NUMBERS)[:9])})"
        named = rf"(?:the )?(?P<robot>{spelt}|{other}|{_UNNAMED.pattern})(?!\w)(?! of\b)"
        self._heads = [(re.compile(form.replace("{r}", named), re.I), sense) for form, sense in _HEADS]
        acts = r"is|has|was|does|did|should|must|shall|will|would|can|could|may|\w+s|\w+ing|\w+ed"
        self._told = re.compile(rf"\b{named} (?:{acts})\b", re.I)
        self._tails = [(re.compile(form.replace("{r}", named), re.I), sense) for form, sense in _TAILS]

    def parts(self, text: str) -> tuple[Addressed, ...] | None:
        """Return the parts; None if no robot is addressed.

        Raises:
            NotUnderstoodError: more is said of a robot, which is not understood.
        """
        #: Where a part may begin, each with whether it comes after what is said before.
        starts = {0: False} | {
            seam.end(): _ORDERED.search(seam.group()) is not None for seam in _SEAM.finditer(text)
        }
        headed = [at for at in starts if self._head(text[at:].rstrip()) is not None]
        found = [
            replace(part, later=starts[begin])
            for begin, end in pairwise([*headed, len(text)] if headed else ())
            if (part := self._head(_trimmed(text[begin:end], questions=True))) is not None
        ]
        before = _trimmed(text[: headed[0]]) if headed else ""
        if before:
            found = self._after(before, found)
        ended = None if headed else self._tail(text)
        found = found if ended is None else [ended]
        self._refuse_told(found, text)
        return tuple(found) or None

    def _after(self, before: str, found: list[Addressed]) -> list[Addressed]:
        """Return the parts together with what is said before them: a request, or a condition of theirs.

        Raises:
            NotUnderstoodError: it is not clear which of them it is about.
        """
        verb = re.sub(rf"^{_PLEASE}", "", before.lower()).split(" ")[0]
        if self._is_verb(verb):
            return [Addressed(before), *found]
        if len(found) > 1 or found[0].forbidden or not found[0].words:
            raise NotUnderstoodError(f'What "{before}" is about is not clear. Say one thing at a time.')
        return [replace(found[0], words=f"{before}, {found[0].words}")]

    def _refuse_told(self, found: Sequence[Addressed], text: str) -> None:
        """Refuse what is told of a robot besides: "… before robot1 washes the mug".

        Raises:
            NotUnderstoodError: there is such a thing.
        """
        told = self._told.search(", ".join(part.words for part in found) if found else text)
        remark = not found and (told is None or told.start() == 0)
        if told is not None and not remark and not text.endswith("?"):
            raise NotUnderstoodError(
                f'What is said of a robot with "{told.group()}" is not understood. Say what each robot is to '
                'do, one thing after the other, as in "robot1, open the window".'
            )

    def _head(self, text: str) -> Addressed | None:
        """Return a part that begins with how a robot is addressed."""
        for form, sense in self._heads:
            match = form.fullmatch(text)
            deed = self._deed(match["deed"], sense) if match is not None else ""
            if match is None or not deed:
                continue
            name = self._named(match["robot"])
            if sense == "forbids" and _SPARED.fullmatch(_trimmed(deed)):
                return Addressed("", spared=name)
            if sense == "questions":
                able = match["asking"] == "able to"
                deed = f"are you able to {deed}" if able else f"{match['asking']} you {deed}"
            tail = self._tail(deed)
            spared = tail.spared if tail is not None else ""
            words = tail.words if tail is not None and spared else deed
            return Addressed(words, name, sense == "forbids", sense == "reserves", spared)
        return None

    def _tail(self, text: str) -> Addressed | None:
        """Return a request that ends with how a robot is addressed, or spared."""
        plain = _trimmed(text)
        for form, sense in self._tails:
            match = form.fullmatch(plain)
            if match is None or (
                sense == "calls" and not plain[: match.start("robot")].rstrip().endswith(",")
            ):
                continue
            name, deed = self._named(match["robot"]), match["deed"].rstrip(" ,")
            return Addressed(deed, spared=name) if sense == "spares" else Addressed(deed, name)
        return None

    def _deed(self, words: str, sense: str) -> str:
        """Return the words of a deed as a request; empty if they are none."""
        first, _, rest = words.partition(" ")
        verb = first.lower().strip(",.;!?")
        if sense == "calls":
            return words
        if sense == "tells":
            bases = (base for base, kind in english_words().verb_form(verb) if kind == "s" and base != verb)
            base = next((base for base in bases if self._is_verb(base)), verb if self._is_verb(verb) else "")
            return f"{base} {rest}".strip() if base else ""
        possible = self._is_verb(verb) or (sense == "forbids" and (verb in ANY_DEED or _SPARED.match(words)))
        return words if possible else ""

    def _named(self, said: str) -> str:
        """Return the name of the robot that is meant.

        Raises:
            NotUnderstoodError: no robot here has it.
        """
        plain = _plain(said)
        found = next((name for name in self._robots if _plain(name) == plain), None)
        if found is not None:
            return found
        here = conjoined(self._robots)
        known = f"the robot here is {here}" if len(self._robots) == 1 else f"the robots here are {here}"
        if _UNNAMED.fullmatch(said):
            raise NotUnderstoodError(f'Say which robot by its name, not "{said}": {known}.')
        raise NotUnderstoodError(f"I know of no {plain} here; {known}.")


def _spelt(name: str) -> str:
    """Pattern of a name as people write it: ``robot2`` as "robot 2" and "robot two"."""
    stem = name.rstrip("0123456789")
    number = name[len(stem) :]
    parts = re.escape(stem.rstrip("_")).replace("_", "[ _-]?")
    words = [word for word, value in NUMBERS.items() if number and value == int(number)]
    return parts + (rf"[ _-]?(?:{'|'.join([number, *words])})" if number else "")


def _plain(said: str) -> str:
    words = re.findall(r"[^\W\d_]+|\d+", said.lower())
    return "".join(str(NUMBERS.get(word, word)) for word in words)


def _trimmed(text: str, *, questions: bool = False) -> str:
    text = re.sub(r"(?:[,;\s]|\b(?:and|while|but|then))+$", "", text.strip(), flags=re.I)
    return text if questions else text.rstrip(" .!?,;")
