"""What of a folder of PDDL is run, and how."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

#: Seconds of processors that each planner has for a problem.
PDDL_LIMIT = 30.0


@dataclass(frozen=True)
class PddlChoice:
    """What of a folder is planned, and how.

    Attributes:
        folder: where domains and problems are.
        limit: seconds of processors that each planner has for a problem.
        first: whether only the first problem of each folder is planned.
    """

    folder: Path | None = None
    limit: float = PDDL_LIMIT
    first: bool = False
