"""The answers of a survey as a file of classes, in the format of ``configs/affordances/classes.yaml``."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from foretree.reasoning.survey.runner import SurveyError
from foretree.world_model.affordances.mapping import AffordanceMapping

#: The probabilities of what a model says that there is, and of what it does not say.
_USUAL, _OTHERWISE = 0.95, 0.03


@dataclass(frozen=True, slots=True)
class SurveyedClasses:
    """The classes of a survey, and what is odd about the answers.

    Attributes:
        affords: by class, what it affords.
        unanswered: classes without a single answer; they are left out.
        open: pairs of a class and an affordance that no answer tells; they count as not there.
        contradictions: class, affordance, and the one that it implies but was denied; the former is dropped.
    """

    affords: Mapping[str, Sequence[str]]
    unanswered: Sequence[str]
    open: Sequence[tuple[str, str]]
    contradictions: Sequence[tuple[str, str, str]]


def settle(answers: Mapping[str, Mapping[str, bool | None]], mapping: AffordanceMapping) -> SurveyedClasses:
    """Return what classes afford by the answers of a model.

    Of two answers that contradict each other, the one that claims more does not count.

    Args:
        answers: by class and affordance; None where there is no answer.
        mapping: knows what affordances imply.
    """
    affords: dict[str, list[str]] = {}
    unanswered: list[str] = []
    left_open: list[tuple[str, str]] = []
    contradictions: list[tuple[str, str, str]] = []
    for name, rated in answers.items():
        if rated and all(holds is None for holds in rated.values()):
            unanswered.append(name)
            continue
        left_open += [(name, affordance) for affordance, holds in rated.items() if holds is None]
        claimed = [affordance for affordance, holds in rated.items() if holds]
        while denied := [pair for pair in mapping.contradictions(claimed) if rated.get(pair[1]) is False]:
            contradictions += [(name, stronger, weaker) for stronger, weaker in denied]
            claimed = [one for one in claimed if one not in {stronger for stronger, _ in denied}]
            rated = {**rated, **{stronger: False for stronger, _ in denied}}
        affords[name] = claimed
    return SurveyedClasses(affords, unanswered, left_open, contradictions)


def write_classes(
    path: Path, surveyed: SurveyedClasses, known: AffordanceMapping, comments: Sequence[str]
) -> None:
    """Write a file of classes; one that is there already is replaced as a whole.

    Other words and look-alikes of classes are taken from the mapping that is in use.

    Raises:
        SurveyError: it cannot be written.
    """
    lines = [f"# {comment}" for comment in comments]
    lines += [f"usual: {_USUAL}", f"otherwise: {_OTHERWISE}", "classes:"]
    lines += [f"  {name}: {_flow(_entry(name, surveyed, known))}" for name in surveyed.affords]
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.write_text("\n".join(lines) + "\n", encoding="utf-8")
        partial.replace(path)
    except OSError as error:
        raise SurveyError(f"Cannot write {path}: {error.strerror}.") from error


def _entry(name: str, surveyed: SurveyedClasses, known: AffordanceMapping) -> dict[str, Any]:
    """Return what the file says of a class."""
    entry: dict[str, Any] = {}
    if name in known.classes:
        others = {other.replace("_", " ") for other in surveyed.affords}
        words = [word for word in known.classes[name].words if word not in others]
        like = [other for other in known.classes[name].like if other in surveyed.affords]
        entry |= {"words": words} if words else {}
        entry |= {"like": like} if like else {}
    return {**entry, "affords": list(surveyed.affords[name])}


def _flow(entry: Mapping[str, Any]) -> str:
    return yaml.safe_dump(dict(entry), default_flow_style=True, sort_keys=False, width=10**6).strip()
