"""Routines: sequences of controls of a body, each chosen by the frame after the one before."""

from __future__ import annotations

from collections.abc import Generator
from typing import NamedTuple, TypeAlias

from foretree.skills.embodied.body import Control


class ControlFeedback(NamedTuple):
    """Result of one control, as the body reports it.

    Attributes:
        ok: whether it was carried out.
        message: if not, why.
    """

    ok: bool
    message: str = ""


class RoutineFailed(Exception):  # noqa: N818 - not an error: it is how a routine ends that cannot go on
    """A routine cannot reach its aim; says why, in words for a person."""


class LooksWrong(RoutineFailed):
    """A routine stops because its target looks like something else."""


class AlreadyDone(Exception):  # noqa: N818 - not an error: it is how a routine ends that has nothing to do
    """The aim of a routine was reached before; says so, in the body's words."""


#: Yields the next control and is sent its result, once the frame after it has been taken in. It can be broken
#: off at any control. It has succeeded if it ends without raising :class:`RoutineFailed`.
Routine: TypeAlias = Generator[Control, ControlFeedback, None]
