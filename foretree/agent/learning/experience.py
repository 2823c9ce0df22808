"""Experience: what outcomes of actions and people have taught of objects and skills, kept between sessions.

The file is one that the user names, with the setting ``experience``. Without it, experience ends with the
session.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from foretree.errors import ForetreeError
from foretree.runs.events import Recorder
from foretree.world_model.affordances.embedding import Embed
from foretree.world_model.affordances.evidence_file import (
    Evidence,
    add_evidence,
    learned_of,
    own_evidence_path,
    read_evidence,
)
from foretree.world_model.affordances.mapping import Outcomes
from foretree.world_model.affordances.objects import ObjectAffordances, ObjectEvidence
from foretree.world_model.affordances.placement import Placer
from foretree.world_model.affordances.shipped import shipped_mapping
from foretree.world_model.beliefs.facts import Entity

K = TypeVar("K")

#: Stands for the file in the data directory.
OWN = "own"


class Experience:
    """The experience of a session.

    Args:
        entity: the believed entity of a name.
        path: the file that experience is taken from and kept in; None if it ends with the session.
        place: the scene or the home; what is known of single objects holds there only.
        embed: knows which words are like which, for classes that the mapping does not list.

    Attributes:
        affordances: what objects afford.
        skills: outcomes by operator.

    Raises:
        EvidenceError: the file cannot be read.
    """

    def __init__(
        self,
        entity: Callable[[str], Entity | None],
        path: Path | None = None,
        place: str = "",
        embed: Embed | None = None,
    ) -> None:
        self._entity = entity
        self._path = path
        self._place = place
        self._before = Evidence() if path is None else read_evidence(path)
        mapping = replace(shipped_mapping(), evidence=dict(self._before.classes))
        self.affordances = ObjectAffordances(Placer(mapping, embed))
        self.skills: dict[str, Outcomes] = dict(self._before.skills)
        self._known: dict[str, ObjectEvidence] = {}
        for name, evidence in self._before.objects.get(place, {}).items():
            thing = entity(name)
            if thing is not None and thing.best_class == evidence.kind:
                self._known[name] = evidence
                self.affordances.recall(name, evidence)

    def keep(self, recorder: Recorder) -> None:
        """Add what is new to the file, if there is one. That it cannot be written is noted, and no more."""
        if self._path is None:
            return
        news = self._news()
        if not news:
            return
        try:
            add_evidence(self._path, news)
        except ForetreeError as error:
            recorder.record("log", text=f"Experience is not kept. {error}")
            return
        self._before = Evidence(dict(self.affordances.mapping.evidence), dict(self.skills))
        self._known = self._objects()

    def _news(self) -> Evidence:
        classes = _gained(self.affordances.mapping.evidence, self._before.classes)
        skills = _gained(self.skills, self._before.skills)
        changed = {name: one for name, one in self._objects().items() if self._known.get(name) != one}
        return Evidence(classes, skills, {self._place: changed} if changed else {})

    def _objects(self) -> dict[str, ObjectEvidence]:
        found = {}
        for name in self.affordances.known_objects():
            thing = self._entity(name)
            kind = self._known[name].kind if thing is None and name in self._known else ""
            if thing is not None or kind:
                found[name] = self.affordances.evidence_of(name, thing.best_class if thing else kind)
        return found


def experience_path(setting: str) -> Path | None:
    """The file that the setting ``experience`` names; None if nothing is kept."""
    if not setting:
        return None
    return own_evidence_path() if setting == OWN else Path(setting).expanduser()


def describe_evidence(evidence: Evidence) -> list[str]:
    """Return what is kept, a line for each class, skill, and single thing."""
    lines = learned_of({name for name, _ in evidence.classes}, evidence.classes)
    lines += [
        f"Skill {name}: succeeded {seen.held:.3g} times, failed {seen.failed:.3g} times."
        for name, seen in sorted(evidence.skills.items())
    ]
    for place, objects in sorted(evidence.objects.items()):
        for name, one in sorted(objects.items()):
            said = [f"{'does' if holds else 'does not'} afford {what}" for what, holds in one.said.items()]
            states = [f"is {state}" for state in sorted(one.states)]
            seen = [
                f"{what} worked {outcomes.held:.3g} and failed {outcomes.failed:.3g} times"
                for what, outcomes in one.outcomes.items()
            ]
            told = "; ".join((*said, *states, *seen)) or "nothing any more"
            lines.append(f"{name} ({one.kind}) in {place or 'a place without a name'}: {told}.")
    return lines


def _gained(after: Mapping[K, Outcomes], before: Mapping[K, Outcomes]) -> dict[K, Outcomes]:
    gained = {key: outcomes - before.get(key, Outcomes()) for key, outcomes in after.items()}
    return {key: outcomes for key, outcomes in gained.items() if outcomes != Outcomes()}
