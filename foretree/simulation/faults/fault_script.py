"""What goes wrong, and when: a small language for scripts of faults.

A fault is a line ``WHEN: DEED``. WHEN is one of

* ``after 2``: as soon as two actions have ended;
* ``at 12.5``: that many seconds into the run;
* ``during 3``: half-way through the third action.

DEED is what somebody else does to the world (that is the world's own part of the language, see
:mod:`foretree.simulation.household._disturbances` for the household), or trouble that the robot has:

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
from typing import Generic, Literal, TypeAlias, TypeVar

from foretree.errors import ForetreeError, near_miss, suggest
from foretree.printable import quote

D = TypeVar("D")

#: How an action goes: as it should, or in one of the ways in which it can go wrong.
Manner: TypeAlias = Literal["well", "fail", "silent", "half", "hang"]

#: The ways of going wrong, as fault scripts call them.
MANNERS: tuple[Manner, ...] = ("fail", "silent", "half", "hang")


class FaultError(ForetreeError):
    """A line of a fault script that makes no sense."""


@dataclass(frozen=True, slots=True)
class When:
    """When a fault strikes: ``after`` or ``during`` the n-th action, or ``at`` a time in seconds."""

    kind: Literal["after", "at", "during"]
    value: float


@dataclass(frozen=True, slots=True)
class Trouble:
    """The next action (or the next of one skill) goes wrong."""

    manner: Manner
    skill: str | None = None


@dataclass(frozen=True, slots=True)
class Disconnect:
    """The connection to the robot is lost for a while."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Fault(Generic[D]):
    """One line of a fault script; *deed* is what the world's grammar made of it, or the robot's trouble."""

    when: When
    deed: D | Trouble | Disconnect
    text: str


def parse_faults(
    lines: Sequence[str], parse_deed: Callable[[list[str]], D], skills: Sequence[str]
) -> tuple[Fault[D], ...]:
    """Read a fault script.

    Args:
        lines: one fault each.
        parse_deed: reads what somebody does to the world, given as words; raises FaultError.
        skills: what a ``fail next`` may name.

    Raises:
        FaultError: with the line and what would have been valid.
    """
    return tuple(_parse(line, parse_deed, skills) for line in lines)


def _parse(line: str, parse_deed: Callable[[list[str]], D], skills: Sequence[str]) -> Fault[D]:
    try:
        when, colon, deed = line.partition(":")
        if not colon or not deed.strip():
            raise FaultError("say when and what, as in 'after 2: move mango1 table2'.")
        return Fault(_when(when.split()), _deed(deed.split(), parse_deed, skills), " ".join(line.split()))
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
        return When("at", seconds(words[1]))
    near = near_miss(words[0], ("after", "during", "at")) if words else ""
    raise FaultError(
        f"{quote(' '.join(words))} does not say when. {near and near + ' '}"
        "Valid: after N (actions), during N (the N-th action), at T (seconds)."
    )


def _deed(
    words: list[str], parse_deed: Callable[[list[str]], D], skills: Sequence[str]
) -> D | Trouble | Disconnect:
    manner = next((m for m in MANNERS if m == words[0]), None)
    if manner is not None:
        if len(words) != 3 or words[1] != "next":
            raise FaultError(f"say '{manner} next SKILL' or '{manner} next action'.")
        if words[2] == "action":
            return Trouble(manner)
        if words[2] not in skills:
            raise FaultError(f"there is no skill {quote(words[2])}. {suggest(words[2], [*skills, 'action'])}")
        return Trouble(manner, words[2])
    if words[0] == "disconnect":
        if len(words) != 3 or words[1] != "for":
            raise FaultError("say 'disconnect for SECONDS'.")
        return Disconnect(seconds(words[2]))
    return parse_deed(words)


def seconds(word: str) -> float:
    """A number of seconds; a trailing ``s`` is fine.

    Raises:
        FaultError: it is not a number.
    """
    if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?s?", word):
        raise FaultError(f"{quote(word)} is not a number of seconds.")
    return float(word.removesuffix("s"))
