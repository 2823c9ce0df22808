"""Plans as a model reads and writes them: steps that name classes of things and contain no moves.

Two formats. *Tuples* are one step to an action: ``(mango, pick)``, the target and the action. *Triplets* are
coarser: ``(pick, mango, table)``, the action, its target and the target's parent; what it takes to make such
a step possible (the way there, opening a door) goes without saying.

An answer may be the edit that was asked for, or the whole plan as it is to be. What could be both has two
readings. If only one of them reaches the goal, that counts; if both do, the answer is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product

from foretree.errors import suggest
from foretree.revision.llm._answer_text import AnswerText
from foretree.revision.llm._words import (
    NOTHING,
    PASS,
    AnswerVocabulary,
    UnreadableAnswerError,
    Written,
    canonical,
    is_nothing,
    is_pass,
)
from foretree.revision.llm.choices import Notation

#: More steps than this are no correction but another plan.
MOST_STEPS = 12
#: Words for several types of action are looked at in so many combinations.
_MOST_COMBINED = 16


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
        if notation == "tuples" and self.parent is None:
            return f"({target}, {self.action})"
        return f"({self.action}, {target}, {self.parent or NOTHING})"

    def is_like(self, other: ModelStep) -> bool:
        """Return whether both say the same, as far as this one says it."""
        same = self.action == other.action and self.target == other.target
        return same and self.parent in (other.parent, None)


@dataclass(frozen=True, slots=True)
class PlanEdit:
    """A change that a model wants at the front of a plan.

    Attributes:
        steps: what comes in front.
        passes: how many of the actions that were there are taken away.
        other: whether the first step is to be done with another thing than before.
    """

    steps: tuple[ModelStep, ...]
    passes: int
    other: bool = False


@dataclass(frozen=True, slots=True)
class AnswerContext:
    """The plan that an answer is about.

    Attributes:
        plan: its steps, each in all the ways in which it can be written; the first is that of the format.
        done: the actions that were done last, in the same way, the latest at the end; nothing for those that
            have come undone since.
    """

    plan: Sequence[Sequence[ModelStep]] = ()
    done: Sequence[Sequence[ModelStep]] = ()


#: What stands in an answer: a step, or None for *Pass*.
_Part = ModelStep | None


def read_edit(
    text: str, notation: Notation, words: AnswerVocabulary, context: AnswerContext | None = None
) -> PlanEdit:
    """Return the edit that an answer asks for, of which there is only one.

    Raises:
        UnreadableAnswerError: there is none, or several; the message says which.
    """
    found = readings(text, notation, words, context)
    if len(found) > 1:
        raise UnreadableAnswerError(f"the answer can be read in {len(found)} ways")
    return found[0]


def readings(
    text: str, notation: Notation, words: AnswerVocabulary, context: AnswerContext | None = None
) -> tuple[PlanEdit, ...]:
    """Return the edits that an answer may ask for; the likeliest first.

    Args:
        text: the answer.
        notation: the format that was asked for.
        words: what it may name.
        context: the plan that it is about.

    Raises:
        UnreadableAnswerError: there are none; the message says why.
    """
    context = context or AnswerContext()
    form = "(target, action)" if notation == "tuples" else "(action, target, parent)"
    told = AnswerText(words, form).told(text)
    parts = _parts(told.steps, notation, words, context)
    found: dict[PlanEdit, None] = {}
    refusal: UnreadableAnswerError | None = None
    for combined in islice(product(*parts), _MOST_COMBINED):
        try:
            found.update(dict.fromkeys(_edits(list(combined), notation, context, told.unchanged)))
        except UnreadableAnswerError as error:
            refusal = refusal or error
    if not found and refusal is not None:
        raise refusal
    return tuple(found)


# -- what stands there -------------------------------------------------------------------------------------
def _parts(
    written: Sequence[Written], notation: Notation, words: AnswerVocabulary, context: AnswerContext
) -> list[tuple[_Part, ...]]:
    """The steps that each part of an answer may be; moves that only lead to the next step are left out."""
    parts: list[tuple[_Part, ...]] = []
    for index, step in enumerate(written):
        if any(map(is_pass, step)):
            if not all(is_pass(word) or is_nothing(word) for word in step):
                raise UnreadableAnswerError(
                    f"{PASS} stands in a step with other words: {', '.join(step)[:60]}"
                )
            parts.append((None,))
            continue
        move = next((word for word in step if words.is_move(word)), None)
        if move is None:
            parts.append(_meant(step, notation, words, context))
        elif not _leads_on(step, written[index + 1 :], words):
            raise UnreadableAnswerError(
                f"the answer has the move {canonical(move)!r}: ways are found without it"
            )
    return parts


def _leads_on(move: Written, following: Sequence[Written], words: AnswerVocabulary) -> bool:
    """Return whether a move goes to what the next step is about: that it goes there is clear without it."""
    places = {words.class_called(word) for word in move if not words.is_move(word) and not is_nothing(word)}
    named = {words.class_called(word) for word in following[0]} if following else set()
    return bool(places) and places <= named and places <= set(words.classes)


def _meant(
    step: Written, notation: Notation, words: AnswerVocabulary, context: AnswerContext
) -> tuple[ModelStep, ...]:
    """The steps that words may mean: more than one only where a verb stands for several types of action."""
    if not 2 <= len(step) <= 3:
        form = "(target, action)" if notation == "tuples" else "(action, target, parent)"
        raise UnreadableAnswerError(
            f"the answer is not of the form asked for: {', '.join(step)[:60]!r} is not {form}"
        )
    place = _place_of_action(step, notation, words)
    actions = words.actions_called(step[place])
    if not actions:
        name = canonical(step[place])
        raise UnreadableAnswerError(f"there is no action {name!r}. {suggest(name, words.actions)}")
    target, parent = (_class(word, words) for word in (*step[:place], *step[place + 1 :], NOTHING)[:2])
    meant = tuple(ModelStep(action, target, parent) for action in actions)
    planned = [one for one in meant if any(_says(one, forms) for forms in context.plan)]
    return tuple(planned) if len(planned) == 1 else meant


def _place_of_action(step: Written, notation: Notation, words: AnswerVocabulary) -> int:
    """Find the action in a step: where the format has it, or in the one place where it can be."""
    asked = 1 if notation == "tuples" and len(step) == 2 else 0
    able = [index for index in (0, 1) if words.actions_called(step[index])]
    if asked in able or len(able) != 1:
        return asked
    others = [word for index, word in enumerate(step) if index != able[0]]
    return able[0] if all(map(words.names_thing, others)) else asked


def _class(word: str, words: AnswerVocabulary) -> str | None:
    if is_nothing(word):
        return None
    if words.is_unbound(word):
        raise UnreadableAnswerError(f"it is not known what {word!r} stands for")
    name = words.class_called(word)
    if name not in words.classes:
        raise UnreadableAnswerError(f"there is no class {name!r}. {suggest(name, words.classes)}")
    if not words.classes[name]:
        raise UnreadableAnswerError(f"no {name} is known of")
    return name


# -- what it means ----------------------------------------------------------------------------------------
def _edits(
    parts: list[_Part], notation: Notation, context: AnswerContext, unchanged: bool
) -> Iterator[PlanEdit]:
    """The edits that the parts of an answer may mean."""
    plan = context.plan
    if unchanged:
        if parts and not _is_all(parts, plan):
            raise UnreadableAnswerError(
                "the answer says that nothing is to be changed, and has steps that change something"
            )
        yield PlanEdit((), 0)
        return
    if not parts:
        raise UnreadableAnswerError("the answer changes nothing")
    repeated = _repeated(parts, context.done)
    if repeated and plan and _says(parts[0], plan[0]):
        # The plan has the same once more, so that may be meant.
        yield from _edits_of(parts, notation, plan)
        if _is_all(parts, plan):
            return
    if repeated and repeated == len(parts):
        raise UnreadableAnswerError("the answer repeats what has just been done, and nothing else")
    yield from _edits_of(parts[repeated:], notation, plan)


def _repeated(parts: Sequence[_Part], done: Sequence[Sequence[ModelStep]]) -> int:
    """The number of steps at the beginning of an answer that have been done: they are not done twice."""
    longest = 0
    for begin in range(len(done)):
        length = 0
        while length < min(len(parts), len(done) - begin) and _says(parts[length], done[begin + length]):
            length += 1
        longest = max(longest, length)
    return longest


def _says(part: _Part, forms: Sequence[ModelStep]) -> bool:
    """Return whether a part of an answer is a step that can be written in these ways."""
    return part is not None and any(map(part.is_like, forms))


def _edits_of(
    parts: list[_Part], notation: Notation, plan: Sequence[Sequence[ModelStep]]
) -> Iterator[PlanEdit]:
    first_pass = next((index for index, part in enumerate(parts) if part is None), len(parts))
    new = [part for part in parts[:first_pass] if part is not None]
    passes = next(
        (index for index, part in enumerate(parts[first_pass:]) if part is not None), len(parts) - first_pass
    )
    rest = parts[first_pass + passes :]
    if rest:
        yield from _after_pass(new, passes, rest, plan)
        return
    common = 0 if passes else _common_end(new, plan)
    if common:
        yield _edit(new[: len(new) - common], len(plan) - common)
    if not common:
        yield _as_asked(new, passes, notation)
    elif len(new) == 1 and len(plan) > 1:
        # A single step may well be an edit; but the same step twice in a row is not meant.
        edit = _as_asked(new, passes, notation)
        if not _says(new[0], plan[edit.passes]):
            yield edit


def _as_asked(new: list[ModelStep], passes: int, notation: Notation) -> PlanEdit:
    """The edit in the format that was asked for."""
    if notation == "tuples":
        return _edit(new, passes)
    if new and passes:
        raise UnreadableAnswerError(
            f"the answer has both triplets and {PASS}: triplets take the place of the first action by "
            "themselves"
        )
    if passes > 1:
        raise UnreadableAnswerError(f"there is more than one {PASS}: only the first action can be taken away")
    return _edit(new, 1)


def _after_pass(
    new: list[ModelStep], passes: int, rest: list[_Part], plan: Sequence[Sequence[ModelStep]]
) -> Iterator[PlanEdit]:
    """The edits of an answer in which steps follow *Pass*: the rest of the plan, or the same step again."""
    found = False
    if len(rest) == len(plan) - passes and _is_all(rest, plan[passes:]):
        found = True
        yield _edit(new, passes)
    if not new and passes == 1 and _is_all(rest, plan[: len(rest)]):
        found = True
        yield PlanEdit((plan[0][0],), 1, other=True)
    following = [part for part in rest if part is not None]
    common = _common_end(following, plan) if len(following) == len(rest) else 0
    if not found and not new and common and len(plan) - common == passes:
        found = True
        yield _edit(following[: len(following) - common], passes)
    if not found:
        raise UnreadableAnswerError(
            f"{PASS} stands before a new step: it takes away actions of the plan, not of the answer"
        )


def _edit(steps: Sequence[ModelStep], passes: int) -> PlanEdit:
    if len(steps) > MOST_STEPS:
        raise UnreadableAnswerError(f"the answer has more than {MOST_STEPS} steps")
    return PlanEdit(tuple(steps), passes)


def _is_all(parts: Sequence[_Part], plan: Sequence[Sequence[ModelStep]]) -> bool:
    """Return whether parts of an answer are all of a plan, and nothing else."""
    return len(parts) == len(plan) and all(
        _says(part, forms) for part, forms in zip(parts, plan, strict=True)
    )


def _common_end(steps: Sequence[ModelStep], plan: Sequence[Sequence[ModelStep]]) -> int:
    """The number of steps at the end of both that are the same."""
    common = 0
    while common < min(len(steps), len(plan)) and _says(steps[-1 - common], plan[-1 - common]):
        common += 1
    return common
