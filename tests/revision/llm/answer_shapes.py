"""Answers as models write them: meanings, put into words in many shapes, half of which are kept for the end.

An answer is composed of what it has (the edit, the whole plan), how steps are spelled, how they are arranged,
and what stands around them. Every second combination, and every second wording, belongs to the other half.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from zlib import crc32

from foretree.revision.llm._notation import ModelStep, PlanEdit

#: Actions as a simulator calls them, and in plain words.
THOR = {
    "pick": "PickupObject",
    "place_on": "PutObject",
    "place_in": "PutObject",
    "open": "OpenObject",
    "close": "CloseObject",
    "turn_on": "ToggleObjectOn",
    "turn_off": "ToggleObjectOff",
    "cut": "SliceObject",
    "wash": "CleanObject",
}
PLAIN = {
    "pick": "pick up",
    "place_on": "put on",
    "place_in": "put in",
    "open": "open",
    "close": "close",
    "turn_on": "switch on",
    "turn_off": "turn off",
    "cut": "slice",
    "wash": "wash",
}
Words = tuple[str, ...]
PASS: Words = ("Pass",)


@dataclass(frozen=True)
class Case:
    """An answer.

    Attributes:
        text: its words.
        meaning: what it means; None if nothing is to be read in it.
        shape: how it was composed.
    """

    text: str
    meaning: PlanEdit | None
    shape: tuple[str, ...]


def camel(word: str) -> str:
    return "".join(part.capitalize() for part in word.split("_"))


def words_of(step: ModelStep, notation: str, style: str, stands_for: Mapping[str, str] = {}) -> Words:
    """The words of a step, in the order of a notation."""
    action, target, parent = step.action, step.target or "none", step.parent
    if style == "placeholders":
        target = "Target" if target == stands_for.get("target") else target
        target, parent = (
            "Recep" if word and word == stands_for.get("parent") else word for word in (target, parent)
        )
    if style == "thor":
        action, target = THOR.get(action, camel(action)), camel(target)
        parent = parent and camel(parent)
    if notation == "tuples":
        return (target, action)
    return (action, target, parent or ("None" if style == "thor" else "none"))


# -- how steps are spelled: each takes words, and whether they are those of a triplet ---------------------
def quoted(words: Words, mark: str) -> str:
    return ", ".join(f"{mark}{word}{mark}" for word in words)


SPELLINGS: dict[str, Callable[[Words], str]] = {
    "plain": lambda words: "Pass" if words == PASS else f"({', '.join(words)})",
    "single quotes": lambda words: "'Pass'" if words == PASS else f"({quoted(words, chr(39))})",
    "double quotes": lambda words: '"Pass"' if words == PASS else f"({quoted(words, chr(34))})",
    "brackets": lambda words: "[Pass]" if words == PASS else f"[{', '.join(words)}]",
    "back-ticks": lambda words: "`Pass`" if words == PASS else f"`({', '.join(words)})`",
    "bold": lambda words: "**Pass**" if words == PASS else f"**({', '.join(words)})**",
    "as text": lambda words: '"Pass"' if words == PASS else f'"({", ".join(words)})"',
}
LITERALS: dict[str, Callable[[Words, str], object]] = {
    "list": lambda words, _: list(words),
    "pass alone": lambda words, _: "Pass" if words == PASS else list(words),
    "full pass": lambda words, notation: (
        list(words)
        if words != PASS
        else ["None", "Pass"]
        if notation == "tuples"
        else ["Pass", "None", "None"]
    ),
    "strings": lambda words, _: "Pass" if words == PASS else f"({', '.join(words)})",
    "objects": lambda words, notation: (
        {"action": "Pass"}
        if words == PASS
        else {"target": words[0], "action": words[1]}
        if notation == "tuples"
        else {"action": words[0], "target": words[1], "parent": words[2]}
    ),
}
ARRANGEMENTS: dict[str, Callable[[Sequence[str]], str]] = {
    "commas": ", ".join,
    "lines": "\n".join,
    "comma lines": ",\n".join,
    "numbers": lambda parts: "\n".join(f"{n}. {part}" for n, part in enumerate(parts, 1)),
    "numbers)": lambda parts: "\n".join(f"{n}) {part}" for n, part in enumerate(parts, 1)),
    "bullets": lambda parts: "\n".join(f"- {part}" for part in parts),
    "stars": lambda parts: "\n".join(f"* {part}" for part in parts),
    "steps": lambda parts: "\n".join(f"Step {n}: {part}" for n, part in enumerate(parts, 1)),
    "in brackets": lambda parts: f"[{', '.join(parts)}]",
    "semicolons": "; ".join,
    "then": lambda parts: ", then ".join(parts),
    "arrows": " -> ".join,
    "blank lines": "\n\n".join,
}
JSONS: dict[str, Callable[[list[object]], str]] = {
    "json": json.dumps,
    "python": repr,
    "python tuples": lambda parts: repr([tuple(p) if isinstance(p, list) else p for p in parts]),
    "indented": lambda parts: json.dumps(parts, indent=2),
    "steps:": lambda parts: json.dumps({"steps": parts}),
    "plan:": lambda parts: json.dumps({"plan": parts}),
    "reason:": lambda parts: json.dumps({"reason": "The thing is elsewhere.", "revised_plan": parts}),
    "answer:": lambda parts: json.dumps({"answer": parts}, indent=1),
}
#: What stands around the steps; those of odd places belong to the other half.
WRAPPERS: tuple[str, ...] = (
    "{}",
    "\n{}\n",
    "```\n{}\n```",
    "```python\n{}\n```",
    "Answer: {}",
    "Answer:\n{}",
    "**Answer:**\n{}",
    "Revised plan: {}",
    "Revised plan:\n{}",
    "## Revised plan\n\n{}",
    "<think>The thing is not there, so (table, pick) would fail. Pass?</think>\n{}",
    "<think>\nI could do nothing.\n</think>\n\nAnswer: {}",
    "Sure! Here is the revised plan:\n\n{}",
    "Okay, the corrected plan is:\n{}",
    "The thing is not where the plan expects it.\n\n{}",
    "The thing has been moved, therefore the first action has to change.\n{}",
    "{}\n\nThis brings it from where it is now.",
    "{}\nThe rest of the plan stays as it is.",
    "Final answer:\n```\n{}\n```",
    "Here you go:\n```json\n{}\n```\nLet me know if you need anything else.",
    "<answer>{}</answer>",
    "Output:\n{}",
    "I looked at the feedback and at the plan.\n\nRevised plan:\n```\n{}\n```\n\nThe first step is done differently now.",
    "Thinking about it, the place is another one.\n\n**Final answer:** {}",
    "> {}",
    "After:\n{}",
)
UNCHANGED: tuple[str, ...] = (
    "No change",
    "No change.",
    "No changes needed.",
    "No revision is needed.",
    "Answer: no change",
    "Nothing needs to be changed.",
    '{"answer": "no change"}',
    "The plan is fine as it is.",
    "<think>Hm.</think>No changes are necessary.",
    "The plan does not need to be changed.",
    "```\nno change\n```",
    "There is no need to change the plan.",
)
#: What has no reading: {0} is one list of steps, {1} another.
AGAINST: tuple[str, ...] = (
    "Do not answer: {0}",
    "Original plan: {0}",
    "{0}\nor\n{1}",
    "Either {0}, or {1}.",
    "{0}\n\nWait, that is wrong.",
    "It would be wrong to do this: {0}",
    "Option 1:\n{0}\n\nOption 2:\n{1}",
    "{0}\nActually, I am not sure.",
    "Remove: {0}",
    "The plan was {0} and the robot cannot do it.",
    "I cannot help with that. The robot should not do: {0}",
    "{0} would be a mistake.",
    "If the door is open: {0}\nOtherwise: {1}",
    "{0}\nHowever, do not do this.",
    "Avoid {0} at all costs.",
    "~~{0}~~",
    "<think>{0}",
    "Never do this: {0}",
    '{{"option_a": "{0}", "option_b": "{1}"}}',
    "The current plan: {0}",
)


def in_half(held_out: bool, *parts: str) -> bool:
    """Return whether a combination belongs to a half."""
    return bool(crc32("|".join(parts).encode()) % 2) == held_out


def contents(
    meaning: PlanEdit, plan: Sequence[ModelStep], done: Sequence[ModelStep], notation: str
) -> dict[str, list[ModelStep | None]]:
    """The ways in which a meaning can be written down: as the edit, or as the whole plan."""
    steps, rest = list(meaning.steps), list(plan[meaning.passes :])
    if meaning.other:
        return {"skip": [None, plan[0]], "skip, whole": [None, *plan]}
    ways: dict[str, list[ModelStep | None]] = {}
    if not steps and not meaning.passes:
        ways["whole"] = list(plan)
        ways["done, whole"] = [*done, *plan] if done else list(plan)
        return ways
    if notation == "tuples":
        ways["edit"] = [*steps, *[None] * meaning.passes]
    elif meaning.passes == 1:
        ways["edit"] = [*steps] if steps else [None]
    if rest:
        ways["whole"] = [*steps, *rest]
        if done:
            ways["done, whole"] = [*done, *steps, *rest]
        if meaning.passes:
            ways["whole with Pass"] = [*steps, *[None] * meaning.passes, *rest]
    return ways


def write(
    draw: random.Random,
    meaning: PlanEdit,
    plan: Sequence[ModelStep],
    done: Sequence[ModelStep],
    notation: str,
    held_out: bool,
    stands_for: Mapping[str, str] = {},
) -> Case:
    """A meaning in words, in a shape of one half."""
    unchanged = meaning == PlanEdit((), 0)
    if unchanged and draw.random() < 0.5:
        half = UNCHANGED[held_out::2]
        return Case(draw.choice(half), meaning, ("unchanged",))
    while True:
        ways = contents(meaning, plan, done, notation)
        way = draw.choice(sorted(ways))
        style = draw.choice(("own", "own", "thor", "placeholders"))
        wrapper = draw.choice(WRAPPERS[held_out::2])
        words = [PASS if step is None else words_of(step, notation, style, stands_for) for step in ways[way]]
        form = draw.choice(("text", "text", "literal", "phrase"))
        if form == "phrase" and notation == "tuples":
            spelling, arrangement = "phrase", draw.choice(sorted(set(ARRANGEMENTS) - {"blank lines"}))
            parts = ["Pass" if step is None else phrase(step, style, draw) for step in ways[way]]
            body = ARRANGEMENTS[arrangement](parts)
        elif form == "literal":
            spelling, arrangement = draw.choice(sorted(LITERALS)), draw.choice(sorted(JSONS))
            body = JSONS[arrangement]([LITERALS[spelling](step, notation) for step in words])
        else:
            spelling, arrangement = draw.choice(sorted(SPELLINGS)), draw.choice(sorted(ARRANGEMENTS))
            body = ARRANGEMENTS[arrangement]([SPELLINGS[spelling](step) for step in words])
        shape = (way, style, spelling, arrangement, wrapper)
        if in_half(held_out, way, style, spelling, arrangement):
            listed = "\n" in body or arrangement in ("numbers", "numbers)", "bullets", "stars", "steps")
            inline = wrapper.split("{}")[0].endswith(" ") and listed
            return Case(
                wrapper.replace(" {}", "\n{}").replace("{}", body) if inline else wrapper.replace("{}", body),
                meaning,
                shape,
            )


def phrase(step: ModelStep, style: str, draw: random.Random) -> str:
    """A step in plain words."""
    target = step.target or "none"
    if style == "thor":
        short = THOR.get(step.action, camel(step.action)).removesuffix("Object")
        return f"{short} {camel(target)}"
    article = draw.choice(("the ", "a ", ""))
    return f"{PLAIN.get(step.action, step.action)} {article}{target.replace('_', ' ')}"


def write_against(
    draw: random.Random, one: Sequence[ModelStep], other: Sequence[ModelStep], notation: str, held_out: bool
) -> Case:
    """Steps in words that do not ask for them."""
    texts = [
        ", ".join(SPELLINGS["plain"](words_of(step, notation, "own")) for step in steps)
        for steps in (one, other)
    ]
    template = draw.choice(AGAINST[held_out::2])
    return Case(template.format(*texts), None, ("against", template))
