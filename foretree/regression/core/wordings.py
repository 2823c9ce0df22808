"""Wordings of what a person asks for, and when they were written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

#: When a wording was written: before the reasoner it measures, or beside it.
Half: TypeAlias = Literal["frozen", "open"]


@dataclass(frozen=True, slots=True)
class Wording:
    """One of several ways to say the same.

    Attributes:
        name: unique among those of one request.
        say: what the person says.
        half: when it was written.
    """

    name: str
    say: str
    half: Half = "open"
