"""Recorded dialogs between two people: who said what, and which of it is a request.

One of them wants something and knows where things are; the other does it, asks and reports. Only what the
first one says can be a request. All else is looked through for hints at where things are.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from foretree.config import read_text
from foretree.errors import ForetreeError
from foretree.planning.pddl.syntax import TRUE
from foretree.reasoning.instruction_errors import InstructionError, NotUnderstoodError
from foretree.reasoning.reasoner import Understanding

#: Longer dialogs are not read.
MOST_TURNS = 500
#: Who does what is asked for, by the names that recordings have for them.
_DOERS = frozenset({"driver", "follower", "robot", "agent", "assistant", "worker"})
#: A further request begins so; other turns of who asks are directions and answers.
_FURTHER = re.compile(
    r"\s*(?:(?:and|ok|okay|great|good|thanks|thank you|well done|perfect)\b[\s,.!]*)*"
    r"(?:next|then|also|after that|afterwards|finally|lastly|now also)\b[\s,:]*(?:please\s+)?",
    re.IGNORECASE,
)
#: What may stand before a request.
_BEFORE = re.compile(
    r"\s*(?:(?:hi|hello|hey|ok|okay|so|good morning|today|(?:your|the) task(?: today)? is(?: to)?"
    r"|today'?s task is(?: to)?|we (?:need|have|want) to|i (?:need|want) you to"
    r"|you (?:need|have) to|please)\b"
    r"[\s,.!:]*)+",
    re.IGNORECASE,
)
_TURN = re.compile(r"\s*([A-Za-z][\w .'-]{0,30}?)\s*:\s*(\S.*)")


class DialogError(ForetreeError):
    """A file that is no dialog."""


@dataclass(frozen=True, slots=True)
class Turn:
    """Words that one of two people said.

    Attributes:
        speaker: who.
        words: what.
    """

    speaker: str
    words: str


def read_dialog(path: Path) -> tuple[Turn, ...]:
    """Read a dialog: lines such as ``Commander: Wash the mug.``, or JSON with who said what.

    Raises:
        ConfigError: the file cannot be read.
        DialogError: it is no dialog.
    """
    text = read_text(path)
    turns = _of_json(text, path) if text.lstrip()[:1] in ("[", "{") else _of_lines(text, path)
    if not turns:
        raise DialogError(
            f"{path} has no turns. A line of a dialog is, for example: Commander: Wash the mug."
        )
    if len(turns) > MOST_TURNS:
        raise DialogError(f"{path} has {len(turns)} turns; {MOST_TURNS} are read at most.")
    return tuple(turns)


def transcript(dialog: Sequence[Turn]) -> str:
    """The dialog as one text, a line for each turn."""
    return "\n".join(f"{turn.speaker}: {turn.words}" for turn in dialog)


def request_in(dialog: Sequence[Turn], understand: Callable[[str], Understanding]) -> str:
    """Return what is asked for in a dialog: the first request, and what is asked for besides later.

    Args:
        dialog: the turns.
        understand: reads an instruction.

    Raises:
        NotUnderstoodError: nothing in it is understood as a request; or something besides is not.
    """
    refusal: InstructionError | None = None
    found: list[str] = []
    for turn in dialog:
        further = _FURTHER.match(turn.words)
        if turn.speaker.lower() in _DOERS or (found and not further):
            continue
        words = turn.words[further.end() :] if found and further else turn.words
        try:
            found.append(_request_of(words, understand))
        except InstructionError as error:
            if found:
                raise NotUnderstoodError(
                    f'The dialog asks for "{found[0]}", and for something besides: "{turn.words}" {error}'
                ) from error
            refusal = refusal or error
    if not found:
        raise NotUnderstoodError(f"No turn of the dialog is understood as a request. {refusal or ''}".strip())
    if len(found) == 1:
        return found[0]
    joined = ", then ".join(words.rstrip(".! ") for words in found)
    understand(joined)
    return joined


def _request_of(words: str, understand: Callable[[str], Understanding]) -> str:
    """Return the request in a turn: all of it, perhaps without a greeting, or its first sentence that is one.

    Raises:
        InstructionError: there is none.
    """
    refusal: InstructionError | None = None
    sentences = re.split(r"(?<=[.!?])\s+", words)
    whole = [words, *sentences] if len(sentences) > 1 else [words]
    for text in whole:
        before = _BEFORE.match(text)
        for candidate in (text, text[before.end() :] if before else ""):
            if not candidate.strip() or candidate.rstrip().endswith("?"):
                continue
            try:
                understood = understand(candidate.strip())
            except InstructionError as error:
                refusal = refusal or error
                continue
            if not understood.answer and understood.goal != TRUE:
                return candidate.strip()
    raise refusal or NotUnderstoodError(f'"{words}" asks for nothing.')


def _of_lines(text: str, path: Path) -> list[Turn]:
    turns: list[Turn] = []
    for number, line in enumerate(text.splitlines(), 1):
        said = _TURN.fullmatch(line.rstrip())
        if said is not None:
            turns.append(Turn(said.group(1), " ".join(said.group(2).split())))
        elif line.strip():
            raise DialogError(
                f"{path}, line {number}: it is not said who says {line.strip()[:40]!r}. A line of a dialog "
                "is, for example: Commander: Wash the mug."
            )
    return turns


def _of_json(text: str, path: Path) -> list[Turn]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DialogError(f"{path} is no JSON: {error}.") from None
    if isinstance(data, dict):
        keys = ("dialog", "dialog_history_cleaned", "dialog_history", "turns")
        data = next((data[key] for key in keys if key in data), None)
    if not isinstance(data, list):
        raise DialogError(
            f'{path} has no list of turns. It is, for example: [["Commander", "Wash the mug."], '
            '["Driver", "Where?"]], or {"dialog": [...]}.'
        )
    return [_turn(item, number, path) for number, item in enumerate(data, 1)]


def _turn(item: Any, number: int, path: Path) -> Turn:
    speaker = words = None
    if isinstance(item, dict):
        speaker = next((item[key] for key in ("speaker", "role", "agent", "who") if key in item), None)
        words = next((item[key] for key in ("utterance", "text", "words", "content") if key in item), None)
    elif isinstance(item, list) and len(item) == 2:
        speaker, words = item
    if not isinstance(speaker, str) or not isinstance(words, str) or not speaker.strip():
        raise DialogError(
            f"{path}, turn {number}: it does not say who said what. A turn is, for example: "
            '["Commander", "Wash the mug."] or {"speaker": "Commander", "utterance": "Wash the mug."}.'
        )
    return Turn(speaker.strip(), " ".join(words.split()))
