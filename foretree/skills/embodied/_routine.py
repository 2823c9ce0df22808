"""Routines: what a body does step by step, looking after each step, until it has done what it should."""

from __future__ import annotations

from collections.abc import Generator
from typing import NamedTuple, TypeAlias

from foretree.skills.embodied.body import Control


class ControlFeedback(NamedTuple):
    """What came of one control, as far as the body says.

    Attributes:
        ok: whether it was carried out.
        message: if not, why.
    """

    ok: bool
    message: str = ""


class RoutineFailed(Exception):  # noqa: N818 - not an error: it is how a routine ends that cannot go on
    """A routine cannot do what it should; says why, in words of a person."""


class LooksWrong(RoutineFailed):
    """A routine does not go on, since what it is about looks like something else."""


class AlreadyDone(Exception):  # noqa: N818 - not an error: it is how a routine ends that has nothing to do
    """What a routine should do is so already; says so, in the body's words."""


#: Yields the next control and is sent its result, once the frame after it has been taken in. It can be broken
#: off at any control. It has succeeded if it ends without raising :class:`RoutineFailed`.
Routine: TypeAlias = Generator[Control, ControlFeedback, None]
