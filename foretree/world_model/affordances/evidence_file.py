"""The file of evidence about classes: what outcomes and people have taught in this and former runs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from pydantic import Field, FiniteFloat

from foretree.config import data_directory
from foretree.errors import ForetreeError
from foretree.locking import locked
from foretree.schema import Strict
from foretree.world_model.affordances.mapping import Outcomes
from foretree.world_model.learned_file import read_learned, replace_learned

#: The file below the data directory.
FILE = "affordances.json"


class EvidenceError(ForetreeError):
    """The file of evidence about affordances cannot be read or written."""


class _Counts(Strict):
    held: Annotated[FiniteFloat, Field(ge=0)]
    failed: Annotated[FiniteFloat, Field(ge=0)]


class _Evidence(Strict):
    evidence: dict[str, dict[str, _Counts]]


def own_evidence_path() -> Path:
    """The file that evidence is kept in."""
    return data_directory() / FILE


def read_evidence(path: Path) -> dict[tuple[str, str], Outcomes]:
    """Outcomes by class and affordance; none if there is no such file.

    Raises:
        EvidenceError: the file cannot be read, or is not what was written.
    """
    read = read_learned(path, _Evidence, EvidenceError)
    return {
        (name, affordance): Outcomes(counts.held, counts.failed)
        for name, affordances in (read.evidence if read else {}).items()
        for affordance, counts in affordances.items()
    }


def add_evidence(path: Path, evidence: Mapping[tuple[str, str], Outcomes]) -> None:
    """Add evidence to a file, to which other runs may add at the same time.

    Raises:
        EvidenceError: the file cannot be read or written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with locked(path):
            known = read_evidence(path)
            for key, outcomes in evidence.items():
                known[key] = known.get(key, Outcomes()) + outcomes
            listed: dict[str, dict[str, dict[str, float]]] = {}
            for (name, affordance), outcomes in known.items():
                counts = {"held": max(0.0, outcomes.held), "failed": max(0.0, outcomes.failed)}
                listed.setdefault(name, {})[affordance] = counts
            replace_learned(path, {"evidence": listed})
    except OSError as error:
        raise EvidenceError(f"Cannot write {path}: {error.strerror}.") from error
