"""JSON and lists in the text of an answer: taken out of it, with marks where they stood."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from foretree.revision.llm._prose import says_unchanged
from foretree.revision.llm._words import (
    PASS,
    AnswerVocabulary,
    UnreadableAnswerError,
    Written,
    canonical,
    is_pass,
    phrase,
)

_CLOSES = {"[": "]", "{": "}", "(": ")"}
#: Where there are more brackets, no values are looked for.
_MOST_BRACKETS = 100
#: Keys of a step, and of what the steps of an answer stand under.
_ACTION_KEYS = ("action", "skill", "act", "verb", "action_type", "type", "name")
_TARGET_KEYS = ("target", "object", "item", "thing", "arg", "argument", "class")
_PARENT_KEYS = ("parent", "receptacle", "recep", "place", "location", "destination", "support", "container")
_NEW_KEYS = frozenset(
    [
        "answer",
        "revised_plan",
        "new_plan",
        "updated_plan",
        "corrected_plan",
        "final_plan",
        "final_answer",
        "revision",
        "edit",
        "revised",
        "result",
        "output",
        "revised_actions",
        "new_actions",
        "revised_steps",
        "new_steps",
        "revised_action_sequence",
    ]
)
_ECHO_KEYS = frozenset({"guard", "feedback", "goal", "classes", "things"})
_PLAN_KEYS = frozenset(["plan", "steps", "actions", "action_sequence", "sequence", "tuples", "triplets"])


class Structures:
    """The structures of a text.

    Args:
        text: the text.
        words: what may be named.
        read: returns the steps of a text that stands in one, and whether it says that nothing changes.

    Attributes:
        text: with a mark in place of each structure: its number between two NULs.
        steps: by number, what stands in each.
        unchanged: whether one says that nothing is to be changed.

    Raises:
        UnreadableAnswerError: it is not certain what counts of one.
    """

    def __init__(
        self,
        text: str,
        words: AnswerVocabulary,
        read: Callable[[str], tuple[tuple[Written, ...], bool]],
    ) -> None:
        self._words = words
        self._read = read
        self.steps: list[tuple[Written, ...]] = []
        self.unchanged = False
        parts: list[str] = []
        done = place = 0
        while place < len(text):
            value, end = _structure(text, place)
            if value:
                steps = tuple(self._steps(value))
                parts.append(text[done:place])
                if steps:
                    parts.append(f"\x00{len(self.steps)}\x00")
                    self.steps.append(steps)
                done = end
            place = end
        self.text = "".join([*parts, text[done:]])

    def _steps(self, value: Any) -> Iterator[Written]:
        """The steps in a value.

        Raises:
            UnreadableAnswerError: it is not certain what counts.
        """
        if isinstance(value, Mapping):
            yield from self._of_object(value)
        elif isinstance(value, str):
            yield from self._of_text(value)
        elif isinstance(value, (list, tuple)):
            texts = [item for item in value if isinstance(item, str) or item is None]
            if value and len(texts) == len(value) and self._is_step(value):
                yield tuple("none" if item is None else item for item in value)
            else:
                for item in value:
                    yield from self._steps(item)
        elif value is not None:
            raise UnreadableAnswerError(f"the answer has {value!r} where a step should be")

    def _is_step(self, value: Sequence[str | None]) -> bool:
        """Return whether words in a list are those of one step, and not a step each."""
        if len(value) > 3 or all(item is not None and is_pass(item) for item in value):
            return len(value) == 1 and value[0] is not None and is_pass(value[0])
        acts = [item for item in value if item is not None and self._words.is_action(item)]
        others = [item for item in value if item not in acts]
        return len(acts) == 1 and all(
            item is None
            or (re.fullmatch(r"[A-Za-z][A-Za-z0-9_ \-]*", item.strip()) and not self._is_phrase(item))
            for item in others
        )

    def _is_phrase(self, item: str) -> bool:
        return not self._words.names_thing(item) and phrase(item, self._words) is not None

    def _of_text(self, text: str) -> Iterator[Written]:
        if says_unchanged(text.strip().rstrip(".")):
            self.unchanged = True
            return
        steps, unchanged = self._read(text)
        self.unchanged = self.unchanged or unchanged
        yield from steps

    def _of_object(self, value: Mapping[Any, Any]) -> Iterator[Written]:
        keys = {canonical(str(key)): held for key, held in value.items()}
        action = _one_of(keys, _ACTION_KEYS)
        target, parent = _one_of(keys, _TARGET_KEYS), _one_of(keys, _PARENT_KEYS)
        if isinstance(action, str) and (self._words.is_action(action) or target is not None):
            named = [held for held in (target, parent) if held is not None]
            if all(isinstance(held, str) for held in named):
                if is_pass(action):
                    yield (PASS,)
                else:
                    yield (
                        action,
                        *((target is None and ("none",)) or (target,)),
                        *((parent,) if parent is not None else ()),
                    )
                return
        if not keys.keys() & _NEW_KEYS and keys.keys() & _ECHO_KEYS:
            raise UnreadableAnswerError("the answer repeats the question")
        plans = [name for name in keys if name in _NEW_KEYS] or [name for name in keys if name in _PLAN_KEYS]
        if not plans and isinstance(action, (list, str)):
            plans = [name for name in keys if name in _ACTION_KEYS and keys[name] == action]
        found = {name: tuple(self._steps(keys[name])) for name in plans}
        told = {steps for steps in found.values() if steps}
        if len(told) > 1:
            raise UnreadableAnswerError(f"the answer has several plans: {' and '.join(map(repr, found))}")
        if not plans:
            raise UnreadableAnswerError(
                f"the answer has JSON without a plan: its keys are {', '.join(keys)}"[:160]
            )
        for steps in told:
            yield from steps
        passes = keys.get("passes", keys.get("pass", 0))
        yield from [(PASS,)] * (int(passes) if isinstance(passes, (bool, int)) and 0 <= passes <= 40 else 0)


def _one_of(keys: Mapping[str, Any], names: Sequence[str]) -> Any:
    return next((keys[name] for name in names if keys.get(name) is not None), None)


def _structure(text: str, place: int) -> tuple[Any, int]:
    """The value that begins at a place of *text*, None if none does; and where to go on."""
    if text[place] in _CLOSES and text.count(text[place]) <= _MOST_BRACKETS:
        end = _closing(text, place)
        value = None if end is None else _parsed(text[place:end])
        if end is not None and isinstance(value, (list, tuple, dict)):
            return value, end
    return None, place + 1


def _closing(text: str, begin: int) -> int | None:
    """Return the place after the bracket that closes the one at *begin*."""
    expected: list[str] = []
    for place in range(begin, len(text)):
        letter = text[place]
        if letter in _CLOSES:
            expected.append(_CLOSES[letter])
        elif letter in "]})":
            if letter != expected.pop():
                return None
            if not expected:
                return place + 1
    return None


def _parsed(text: str) -> Any:
    """The value that *text* writes down, as JSON or as Python does; None if it is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
