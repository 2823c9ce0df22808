"""Plans as a model reads and writes them: steps that name classes of things and contain no moves.

Two formats. *Tuples* are one step to an action: ``(mango, pick)``, the target and the action. *Triplets* are
coarser: ``(pick, mango, table)``, the action, its target and the target's parent; what it takes to make such
a step possible (the way there, opening a door) goes without saying.

What a model writes is read strictly. Whatever is not exactly of the form is refused: an answer that has to be
guessed at is no answer.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from foretree.errors import ForetreeError, suggest
from foretree.reasoning.models.model import unfenced
from foretree.revision.llm.choices import Notation

#: What stands for "nothing": the parent of a fridge, the target of waiting.
NOTHING = "none"
#: The word that takes away what follows it.
PASS = "Pass"

#: Longer answers are not read: the beginning of a plan does not take that much.
LONGEST_ANSWER = 2000
#: More steps than this are no correction but another plan.
MOST_STEPS = 12

_WORD = r"[A-Za-z][A-Za-z0-9_ -]{0,60}"
_STEP = {
    "tuples": re.compile(rf"\(\s*({_WORD}?)\s*,\s*({_WORD}?)\s*\)"),
    "triplets": re.compile(rf"\(\s*({_WORD}?)\s*,\s*({_WORD}?)\s*,\s*({_WORD}?)\s*\)"),
}
_PASS = re.compile(rf"{PASS}\b", re.IGNORECASE)
_BETWEEN = re.compile(r"[\s,;]*")


class UnreadableAnswerError(ForetreeError):
    """A model's answer that is not of the form that was asked for, or names what there is not."""

    exit_code = 1


@dataclass(frozen=True, slots=True)
class ModelStep:
    """An action by its type and the classes of what it is about.

    Attributes:
        action: the type of action.
        target: the class of its target; None if it has none.
        parent: the class of what the target rests on; None if that is not said.
    """

    action: str
    target: str | None
    parent: str | None = None

    def written(self, notation: Notation) -> str:
        """The step in a format."""
        target = self.target or NOTHING
        if notation == "tuples":
            return f"({target}, {self.action})"
        return f"({self.action}, {target}, {self.parent or NOTHING})"


@dataclass(frozen=True, slots=True)
class PlanEdit:
    """A change that a model wants at the front of a plan.

    Attributes:
        steps: what comes in front.
        passes: how many of the actions that were there are taken away.
    """

    steps: tuple[ModelStep, ...]
    passes: int


@dataclass(frozen=True, slots=True)
class AnswerVocabulary:
    """The names that may stand in an answer.

    Attributes:
        actions: the types of actions there are.
        moves: types that only move the robot, which need not be named.
        classes: the classes there are, and whether something of each is known.
    """

    actions: Collection[str]
    moves: Collection[str]
    classes: Mapping[str, bool]


def read_edit(text: str, notation: Notation, words: AnswerVocabulary) -> PlanEdit:
    """Return the edit that an answer asks for.

    Args:
        text: the answer.
        notation: the format that was asked for.
        words: what it may name.

    Raises:
        UnreadableAnswerError: it is not of the form, or names what there is not; the message says which.
    """
    steps: list[ModelStep] = []
    passes = 0
    for part in _parts(text, notation):
        if part is None:
            passes += 1
            continue
        if passes:
            raise UnreadableAnswerError(
                f"{PASS} stands before a new step: it takes away actions of the plan, not of the answer"
            )
        if len(steps) == MOST_STEPS:
            raise UnreadableAnswerError(f"the answer has more than {MOST_STEPS} steps")
        steps.append(_step(part, notation, words))
    if not steps and not passes:
        raise UnreadableAnswerError("the answer changes nothing")
    if notation == "triplets":
        if steps and passes:
            raise UnreadableAnswerError(
                f"the answer has both triplets and {PASS}: triplets take the place of the first action by "
                "themselves"
            )
        if passes > 1:
            raise UnreadableAnswerError(
                f"there is more than one {PASS}: only the first action can be taken away"
            )
        passes = 1
    return PlanEdit(tuple(steps), passes)


def _parts(text: str, notation: Notation) -> list[tuple[str, ...] | None]:
    """The steps as they are written; None for each *Pass*."""
    if len(text) > LONGEST_ANSWER:
        raise UnreadableAnswerError(
            f"the answer has {len(text)} characters; {LONGEST_ANSWER} are read at most"
        )
    told = unfenced(text)
    if told.startswith("[") and told.endswith("]"):
        told = told[1:-1].strip()
    parts: list[tuple[str, ...] | None] = []
    place = 0
    while place < len(told):
        step = _STEP[notation].match(told, place)
        if step is not None:
            parts.append(tuple(step.groups()))
            place = step.end()
        elif _PASS.match(told, place):
            parts.append(None)
            place += len(PASS)
        else:
            rest = " ".join(told[place:].split())
            form = "(target, action)" if notation == "tuples" else "(action, target, parent)"
            raise UnreadableAnswerError(
                f"the answer is not of the form asked for: {rest[:60]!r} is neither {form} nor {PASS}"
            )
        between = _BETWEEN.match(told, place)
        assert between is not None
        place = between.end()
    return parts


def _step(part: tuple[str, ...], notation: Notation, words: AnswerVocabulary) -> ModelStep:
    # As they are written in domains: models like to write ``Coffee Machine``.
    names = [re.sub(r"[\s-]+", "_", word.strip().lower()) for word in part]
    target, action = names if notation == "tuples" else (names[1], names[0])
    parent = names[2] if notation == "triplets" else NOTHING
    if action in words.moves:
        raise UnreadableAnswerError(f"the answer has the move {action!r}: ways are found without it")
    if action not in words.actions:
        raise UnreadableAnswerError(f"there is no action {action!r}. {suggest(action, words.actions)}")
    for name in (target, parent):
        if name == NOTHING:
            continue
        if name not in words.classes:
            raise UnreadableAnswerError(f"there is no class {name!r}. {suggest(name, words.classes)}")
        if not words.classes[name]:
            raise UnreadableAnswerError(f"no {name} is known of")
    return ModelStep(action, None if target == NOTHING else target, None if parent == NOTHING else parent)
