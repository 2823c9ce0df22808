"""The text of an answer: the steps that stand in it, whatever they are wrapped in.

Models wrap what they are asked for: in thoughts, fences, lists, JSON, an explanation before it and after. The
wrapping is taken off. What remains is one run of steps, or the reason why it is not certain which steps are
meant: an answer that offers two, takes one back, or names steps only to advise against them is not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from foretree.revision.llm._prose import (
    explains,
    introduces,
    is_against,
    is_new,
    is_old,
    leaves_out,
    says_unchanged,
    sentences,
    takes_back,
)
from foretree.revision.llm._structures import Structures
from foretree.revision.llm._words import (
    PASS,
    AnswerVocabulary,
    UnreadableAnswerError,
    Written,
    is_pass,
    phrase,
)

#: Longer answers are not read: the beginning of a plan does not take that much.
LONGEST_ANSWER = 2000


@dataclass(frozen=True, slots=True)
class Told:
    """The content of an answer.

    Attributes:
        steps: as they are written.
        unchanged: whether it says in words that nothing is to be changed.
    """

    steps: tuple[Written, ...] = ()
    unchanged: bool = False


_THOUGHTS = re.compile(
    r"<(think|thinking|thoughts?|reasoning|scratchpad)>.*?</\1>", re.DOTALL | re.IGNORECASE
)
_THOUGHT_END = re.compile(
    r".*</(?:think|thinking|thoughts?|reasoning|scratchpad)>", re.DOTALL | re.IGNORECASE
)
_THOUGHT_BEGIN = re.compile(r"<(?:think|thinking|thoughts?|reasoning|scratchpad)>", re.IGNORECASE)
_FENCE_LINE = re.compile(r"^[ \t]*(?:```|~~~)[ \t]*[A-Za-z0-9]*[ \t]*$", re.MULTILINE)
_TAG = re.compile(r"</?(?:answer|plan|revised_plan|steps|output|result|final)>", re.IGNORECASE)
_MARKER = re.compile(
    r"^\s*(?:(?:step\s*)?\d{1,2}\s*[.):](?=\s)|step\s+\d{1,2}\s*[-–—](?=\s)|[-*•+–](?=\s))\s*", re.IGNORECASE
)

_QUOTE = "[\"'“”‘’]?"
_WORD = r"[A-Za-z][A-Za-z0-9_ \-]{0,60}?"
_ONE = rf"{_QUOTE}\s*{_WORD}\s*{_QUOTE}"
_GROUP = rf"(?:\(\s*{_ONE}(?:\s*,\s*{_ONE})*\s*,?\s*\)|\[\s*{_ONE}(?:\s*,\s*{_ONE})*\s*,?\s*\])"
_CALL = rf"[A-Za-z_]\w{{1,40}}\(\s*{_ONE}(?:\s*,\s*{_ONE})?\s*\)"
_PASS_WORD = rf"{_QUOTE}\b{PASS}\b{_QUOTE}"
_MARK = "\x00\\d+\x00"
_ITEM = rf"(?:{_MARK}|{_QUOTE}{_CALL}{_QUOTE}|{_QUOTE}{_GROUP}{_QUOTE}|{_PASS_WORD})"
_BETWEEN = r"(?:[\s,;\[\]]|->|→|\b(?:and\s+)?then\b)*"
_RUN = re.compile(rf"\[*\s*{_ITEM}(?:{_BETWEEN}{_ITEM})*\s*\]*", re.IGNORECASE)
_ITEM_ALONE = re.compile(_ITEM, re.IGNORECASE)
_WORDS = re.compile(r"[A-Za-z][A-Za-z0-9_ \-]*")


@dataclass(slots=True)
class _Run:
    """Steps that stand together.

    Attributes:
        steps: as they are written.
        before: the prose right before them.
        phrased: whether they are phrases, without parentheses; None if there is nothing but *Pass*.
    """

    steps: list[Written]
    before: str = ""
    phrased: bool | None = None

    def goes_on(self, following: _Run) -> bool:
        """Return whether steps that come next may be of the same kind; if so, they are added."""
        if None not in (self.phrased, following.phrased) and self.phrased != following.phrased:
            return False
        self.steps += following.steps
        self.phrased = following.phrased if self.phrased is None else self.phrased
        return True


@dataclass(slots=True)
class _Answer:
    """The text of an answer, taken apart."""

    runs: list[_Run] = field(default_factory=list)
    prose: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)


class AnswerText:
    """Finds the steps in the text of answers.

    Args:
        words: what may be named.
        form: the form that was asked for, as messages tell it.
    """

    def __init__(self, words: AnswerVocabulary, form: str) -> None:
        self._words = words
        self._form = form

    def told(self, text: str) -> Told:
        """Return what an answer tells.

        Raises:
            UnreadableAnswerError: that is nothing, or not certain; the message says why.
        """
        plain = _without_thoughts(text)
        if len(plain) > LONGEST_ANSWER:
            raise UnreadableAnswerError(
                f"the answer has {len(plain)} characters; {LONGEST_ANSWER} are read at most"
            )
        if "~~" in plain.replace("~~~", ""):
            raise UnreadableAnswerError("the answer has something struck out")
        plain = _TAG.sub("\n", _FENCE_LINE.sub("\n", plain.replace("\x00", " ")))
        plain = plain.replace("**", "").replace("`", "")
        structures = Structures(plain, self._words, self._steps_in)
        answer = self._taken_apart(structures)
        unchanged = structures.unchanged or any(
            says_unchanged(sentence) for sentence in sentences(" . ".join([*answer.prose, *answer.after]))
        )
        run = self._chosen(answer)
        if run is None and not unchanged:
            if not plain.strip() or re.fullmatch(r"[\s\[\]{}()\"']*", structures.text):
                raise UnreadableAnswerError("the answer changes nothing")
            rest = " ".join(plain.split())
            raise UnreadableAnswerError(self._not_of_form(rest[:60]))
        return Told(tuple(run.steps) if run is not None else (), unchanged)

    def _not_of_form(self, text: str) -> str:
        return f"the answer is not of the form asked for: {text!r} is neither {self._form} nor {PASS}"

    def _steps_in(self, text: str) -> tuple[tuple[Written, ...], bool]:
        told = self.told(text)
        return told.steps, told.unchanged

    # -- taking apart ------------------------------------------------------------------------------------
    def _taken_apart(self, structures: Structures) -> _Answer:
        """The runs of steps in the text, and the prose around them."""
        answer = _Answer()
        before = ""
        joined = False
        for line in structures.text.splitlines():
            if not line.strip():
                continue
            line = line.lstrip("> ")
            marker = _MARKER.match(line)
            body = line[marker.end() :] if marker else line
            for run, leads, follows in self._runs_of(body, structures, bool(marker)):
                if run is None:
                    before, joined = leads, False
                    answer.prose.append(leads)
                    if answer.runs:
                        answer.after.append(leads)
                    continue
                answer.prose.append(leads)
                if not (joined and not leads and answer.runs[-1].goes_on(run)):
                    run.before = leads or before
                    answer.runs.append(run)
                joined = True
                if follows and (marker or re.match(r"\s*(?:#|//|--?|–|—|\()", follows)):
                    answer.comments.append(follows)
                elif follows:
                    joined, before = False, follows
                    answer.after.append(follows)
                    answer.prose.append(follows)
        if any(run.phrased is False for run in answer.runs):
            # Beside steps in parentheses, phrases explain.
            answer.runs = [run for run in answer.runs if not run.phrased]
        return answer

    def _runs_of(
        self, body: str, structures: Structures, listed: bool
    ) -> Iterator[tuple[_Run | None, str, str]]:
        """The runs of a line, each with the prose before it and after; or the line, as prose."""
        phrases = self._phrases(body)
        if phrases:
            yield _Run(phrases[1], phrased=True), phrases[0], ""
            return
        found = [match for match in _RUN.finditer(body) if self._is_run(match, body)]
        if not found:
            yield None, body.strip(), ""
            return
        place = 0
        for number, match in enumerate(found):
            leads = _bare(body[place : match.start()])
            last = number == len(found) - 1
            follows = _bare(body[match.end() :]) if last else ""
            if follows and not listed and not explains(follows):
                raise UnreadableAnswerError(self._not_of_form(_short(follows)))
            if leads and not introduces(leads, listed):
                raise UnreadableAnswerError(
                    f"it is not certain whether steps in the middle of a sentence are meant: {_short(body)!r}"
                )
            steps = list(self._steps_of(match.group(), structures))
            yield (
                _Run(steps, phrased=None if all(is_pass(step[0]) for step in steps) else False),
                leads,
                follows,
            )
            place = match.end()

    def _is_run(self, match: re.Match[str], body: str) -> bool:
        """Return whether what looks like steps is meant so, and is no remark or a word of a sentence."""
        items = _ITEM_ALONE.findall(match.group())
        if any(item.startswith("\x00") for item in items):
            return True
        if all(_bare_word(item) and is_pass(_bare_word(item)) for item in items):
            leads, follows = body[: match.start()].strip(), body[match.end() :].strip()
            return (not leads or leads[-1] in ":=.!") and (not follows or not follows[0].isalnum())
        return any("," in item or ("(" in item and not item.startswith("(")) for item in items) or any(
            self._words.is_action(_bare_word(item)) for item in items
        )

    def _steps_of(self, text: str, structures: Structures) -> Iterator[Written]:
        for item in _ITEM_ALONE.findall(text):
            if item.startswith("\x00"):
                yield from structures.steps[int(item.strip("\x00"))]
                continue
            yield from self._written(item.strip("\"'“”‘’ "))

    def _written(self, item: str) -> Iterator[Written]:
        """The steps of an item: a group, a call or *Pass*."""
        name, _, inside = item.partition("(")
        parts = tuple(word.strip() for word in _WORDS.findall(inside if name and inside else item))
        if name and name[0] not in "[(" and inside:
            yield (name, *parts)
        elif len(parts) > 1 and all(self._words.is_action(part) and is_pass(part) for part in parts):
            yield from [(PASS,)] * len(parts)
        elif len(parts) > 3 or (len(parts) > 1 and all(is_pass(p) or phrase(p, self._words) for p in parts)):
            for part in parts:
                found = (PASS,) if is_pass(part) else phrase(part, self._words)
                yield found or (part,)
        else:
            yield parts

    # -- phrases -----------------------------------------------------------------------------------------
    def _phrases(self, body: str) -> tuple[str, list[Written]] | None:
        """The label of a line and the phrases after it, if all of it is phrases: ``Pickup Mug, Pass``."""
        label, colon, rest = body.rpartition(":")
        parts = re.split(r"\s*(?:[,;]|->|→|\b(?:and\s+)?then\b)\s*", _bare(rest).strip("[]. "))
        steps = [(PASS,) if is_pass(part) else phrase(part, self._words) for part in parts if part]
        if any(step is None for step in steps) or all(step == (PASS,) for step in steps):
            return None
        return f"{label.strip()}{colon}", [step for step in steps if step is not None]

    # -- choosing ----------------------------------------------------------------------------------------
    def _chosen(self, answer: _Answer) -> _Run | None:
        """The run that is the answer; None if there is none.

        Raises:
            UnreadableAnswerError: it is not certain which.
        """
        runs = [run for run in answer.runs if run.steps]
        if not runs:
            return None
        wanted = [run for run in runs if not is_old(run.before)] if len(runs) > 1 else runs
        new = [run for run in wanted if is_new(run.before)]
        if len(new) == 1:
            wanted = new
        if not wanted or any(run.steps != wanted[0].steps for run in wanted):
            raise UnreadableAnswerError("the answer has several plans, and does not say which one counts")
        run = wanted[0]
        if is_old(run.before) or is_against(run.before):
            raise UnreadableAnswerError(
                f"the answer names steps without asking for them: {_short(run.before)!r}"
            )
        for told in (*answer.after, *answer.comments):
            for sentence in sentences(told):
                if takes_back(sentence):
                    raise UnreadableAnswerError(f"the answer takes back what it says: {_short(sentence)!r}")
        for comment in answer.comments:
            if leaves_out(comment) and len(run.steps) and not all(is_pass(s[0]) for s in run.steps[-1:]):
                raise UnreadableAnswerError(f"it is not certain whether a step is meant: {_short(comment)!r}")
        return run


def _without_thoughts(text: str) -> str:
    rest = _THOUGHT_END.sub("", _THOUGHTS.sub("\n", text))
    if _THOUGHT_BEGIN.search(rest):
        raise UnreadableAnswerError("the answer ends among its thoughts")
    return rest


def _bare(text: str) -> str:
    return text.strip().lstrip(",;").strip().rstrip(",;").strip()


def _bare_word(item: str) -> str:
    found = _WORDS.findall(item)
    return found[0].strip() if len(found) == 1 else ""


def _short(text: str) -> str:
    told = " ".join(re.sub("\x00\\d+\x00", "…", text).split())
    return f"{told[:59]}…" if len(told) > 60 else told
