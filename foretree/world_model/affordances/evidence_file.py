"""The file of evidence about classes, skills and objects: what outcomes and people have taught."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, FiniteFloat

from foretree.config import data_directory
from foretree.errors import ForetreeError
from foretree.locking import locked
from foretree.schema import Strict
from foretree.world_model.affordances.mapping import Outcomes
from foretree.world_model.affordances.objects import ObjectEvidence
from foretree.world_model.learned_file import read_learned, replace_learned

#: The file below the data directory.
FILE = "affordances.json"


class EvidenceError(ForetreeError):
    """The file of evidence about affordances cannot be read or written."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Things learned.

    Attributes:
        classes: outcomes by class and affordance.
        skills: outcomes by operator.
        objects: what was learned about single objects, by scene or home and by name.
    """

    classes: Mapping[tuple[str, str], Outcomes] = field(default_factory=dict)
    skills: Mapping[str, Outcomes] = field(default_factory=dict)
    objects: Mapping[str, Mapping[str, ObjectEvidence]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.classes or self.skills or self.objects)


class _Counts(Strict):
    held: Annotated[FiniteFloat, Field(ge=0)]
    failed: Annotated[FiniteFloat, Field(ge=0)]

    def outcomes(self) -> Outcomes:
        return Outcomes(self.held, self.failed)


class _Object(Strict):
    kind: str = Field(alias="class")
    outcomes: dict[str, _Counts] = Field(default_factory=dict)
    said: dict[str, bool] = Field(default_factory=dict)
    states: tuple[str, ...] = ()


class _Evidence(Strict):
    evidence: dict[str, dict[str, _Counts]]
    skills: dict[str, _Counts] = Field(default_factory=dict)
    objects: dict[str, dict[str, _Object]] = Field(default_factory=dict)


def own_evidence_path() -> Path:
    """The file that evidence is kept in."""
    return data_directory() / FILE


def read_evidence(path: Path) -> Evidence:
    """Read what was learned; nothing if there is no such file.

    Raises:
        EvidenceError: the file cannot be read, or is not what was written.
    """
    read = read_learned(path, _Evidence, EvidenceError)
    if read is None:
        return Evidence()
    return Evidence(
        {
            (name, affordance): counts.outcomes()
            for name, affordances in read.evidence.items()
            for affordance, counts in affordances.items()
        },
        {name: counts.outcomes() for name, counts in read.skills.items()},
        {
            place: {
                name: ObjectEvidence(
                    known.kind,
                    {affordance: counts.outcomes() for affordance, counts in known.outcomes.items()},
                    known.said,
                    frozenset(known.states),
                )
                for name, known in objects.items()
            }
            for place, objects in read.objects.items()
        },
    )


def add_evidence(path: Path, news: Evidence) -> None:
    """Add evidence to a file, to which other runs may add at the same time.

    Outcomes of classes and skills are added up. What is known of an object takes the place of what was.

    Raises:
        EvidenceError: the file cannot be read or written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with locked(path):
            known = read_evidence(path)
            classes, skills = dict(known.classes), dict(known.skills)
            for key, outcomes in news.classes.items():
                classes[key] = classes.get(key, Outcomes()) + outcomes
            for name, outcomes in news.skills.items():
                skills[name] = skills.get(name, Outcomes()) + outcomes
            objects = {place: dict(there) for place, there in known.objects.items()}
            for place, there in news.objects.items():
                objects.setdefault(place, {}).update(there)
            replace_learned(path, _as_json(Evidence(classes, skills, objects)))
    except OSError as error:
        raise EvidenceError(f"Cannot write {path}: {error.strerror}.") from error


def learned_of(classes: Collection[str], evidence: Mapping[tuple[str, str], Outcomes]) -> list[str]:
    """Return what was learned about classes, a sentence for each affordance."""
    return [
        f"Learned of {name}: {affordance} was there {seen.held:.3g} times, missing {seen.failed:.3g} times."
        for (name, affordance), seen in sorted(evidence.items())
        if name in classes
    ]


def _as_json(known: Evidence) -> dict[str, Any]:
    listed: dict[str, dict[str, dict[str, float]]] = {}
    for (name, affordance), outcomes in known.classes.items():
        listed.setdefault(name, {})[affordance] = _counts(outcomes)
    objects = {
        place: {name: _object(one) for name, one in there.items()} for place, there in known.objects.items()
    }
    skills = {name: _counts(outcomes) for name, outcomes in known.skills.items()}
    return {
        "evidence": listed,
        **({"skills": skills} if skills else {}),
        **({"objects": objects} if objects else {}),
    }


def _counts(outcomes: Outcomes) -> dict[str, float]:
    return {"held": max(0.0, outcomes.held), "failed": max(0.0, outcomes.failed)}


def _object(known: ObjectEvidence) -> dict[str, Any]:
    return {
        "class": known.kind,
        "outcomes": {affordance: _counts(outcomes) for affordance, outcomes in known.outcomes.items()},
        "said": dict(known.said),
        "states": sorted(known.states),
    }
