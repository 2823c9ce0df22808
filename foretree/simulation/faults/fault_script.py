"""Fault scripts and fault rates: what goes wrong during a run, and when.

A fault is a line ``WHEN: EVENT``. WHEN is one of

* ``after 2``: as soon as two actions have ended;
* ``at 12.5``: that many seconds into the run;
* ``during 3``: half-way through the third action.

EVENT is a disturbance of the world (each world has its own part of the language, see
:mod:`foretree.simulation.household._disturbances` for the household), or a failure of the robot:

* ``fail next pick``, ``fail next action``: the next such action does nothing, and the robot says so;
* ``silent next …``: it does nothing, and the robot says that it is done;
* ``half next …``: it does only part of what it should, and the robot says that it is done;
* ``hang next …``: it never ends by itself;
* ``disconnect for 5``: nothing gets through to the robot, or back, for five seconds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Generic, Literal, TypeAlias, TypeVar

from annotated_types import Ge, Le

from foretree.errors import ForetreeError, near_miss, suggest
from foretree.printable import quote

D = TypeVar("D")

#: How often something goes wrong.
Probability: TypeAlias = Annotated[float, Ge(0), Le(1)]

#: Modes in which an action runs: as it should, or in one of the failure modes.
ActionMode: TypeAlias = Literal["well", "fail", "silent", "half", "hang"]

#: Ways in which an action can go wrong, as fault scripts call them.
FAILURE_MODES: tuple[ActionMode, ...] = ("fail", "silent", "half", "hang")


class FaultError(ForetreeError):
    """A line of a fault script that makes no sense."""


@dataclass(frozen=True, slots=True)
class When:
    """Time of a fault: ``after`` or ``during`` the n-th action, or ``at`` a time in seconds."""

    kind: Literal["after", "at", "during"]
    value: float


@dataclass(frozen=True, slots=True)
class ActionFault:
    """Failure of the next action, or of the next action of one skill."""

    mode: ActionMode
    skill: str | None = None


@dataclass(frozen=True, slots=True)
class Disconnect:
    """Loss of the connection to the robot for some seconds."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Fault(Generic[D]):
    """One line of a fault script; *event* is a disturbance, as the world has read it, or a failure."""

    when: When
    event: D | ActionFault | Disconnect
    text: str


@dataclass(frozen=True, slots=True)
class FaultRates:
    """Probability, per action, of each thing that can go wrong by chance.

    The first six are disturbances of a random thing in the world; the rest are failures of the robot.
    """

    move: Probability = 0.0
    open: Probability = 0.0
    close: Probability = 0.0
    clean: Probability = 0.0
    dirty: Probability = 0.0
    switch: Probability = 0.0
    fail: Probability = 0.0
    silent: Probability = 0.0
    hang: Probability = 0.0
    half: Probability = 0.0
    disconnect: Probability = 0.0

    __pydantic_config__: ClassVar[Any] = {"extra": "forbid", "allow_inf_nan": False}


def parse_faults(
    lines: Sequence[str], parse_disturbance: Callable[[list[str]], D], skills: Sequence[str]
) -> tuple[Fault[D], ...]:
    """Read a fault script.

    Args:
        lines: one fault each.
        parse_disturbance: reads a disturbance of the world, given as words; raises FaultError.
        skills: the skills that a ``fail next`` may name.

    Raises:
        FaultError: with the line and what would have been valid.
    """
    return tuple(_parse(line, parse_disturbance, skills) for line in lines)


def _parse(line: str, parse_disturbance: Callable[[list[str]], D], skills: Sequence[str]) -> Fault[D]:
    try:
        when, colon, event = line.partition(":")
        if not colon or not event.strip():
            raise FaultError("say when and what, as in 'after 2: move mango1 table2'.")
        read = _event(event.split(), parse_disturbance, skills)
        return Fault(_when(when.split()), read, " ".join(line.split()))
    except FaultError as error:
        raise FaultError(f"Fault {quote(line)}: {error}") from None


def _when(words: list[str]) -> When:
    if len(words) == 2 and words[0] in ("after", "during") and re.fullmatch(r"[0-9]{1,9}", words[1]):
        count = int(words[1])
        if words[0] == "after":
            return When("after", count)
        if count > 0:
            return When("during", count)
        raise FaultError("actions are counted from 1, so 'during 0' is never.")
    if len(words) == 2 and words[0] == "at":
        return When("at", _seconds(words[1]))
    near = near_miss(words[0], ("after", "during", "at")) if words else ""
    raise FaultError(
        f"{quote(' '.join(words))} does not say when. {near and near + ' '}"
        "Valid: after N (actions), during N (the N-th action), at T (seconds)."
    )


def _event(
    words: list[str], parse_disturbance: Callable[[list[str]], D], skills: Sequence[str]
) -> D | ActionFault | Disconnect:
    mode = next((m for m in FAILURE_MODES if m == words[0]), None)
    if mode is not None:
        if len(words) != 3 or words[1] != "next":
            raise FaultError(f"say '{mode} next SKILL' or '{mode} next action'.")
        if words[2] == "action":
            return ActionFault(mode)
        if words[2] not in skills:
            raise FaultError(f"there is no skill {quote(words[2])}. {suggest(words[2], [*skills, 'action'])}")
        return ActionFault(mode, words[2])
    if words[0] == "disconnect":
        if len(words) != 3 or words[1] != "for":
            raise FaultError("say 'disconnect for SECONDS'.")
        return Disconnect(_seconds(words[2]))
    return parse_disturbance(words)


def _seconds(word: str) -> float:
    if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?s?", word):
        raise FaultError(f"{quote(word)} is not a number of seconds.")
    return float(word.removesuffix("s"))
