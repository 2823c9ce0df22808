"""A recorder that compares what an agent in a home took things for with what was true."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from foretree.regression.core.agent_episode import CountingRecorder
from foretree.runs.encoding import canonical, without_wall
from foretree.runs.events import Recorder, Silent
from foretree.simulation.grid_homes.event_log import HomeLog
from foretree.skills.catalogue import Catalogue
from foretree.world_model.beliefs.belief import Belief


class TraceProbe(CountingRecorder):
    """A recorder that counts, and compares what came into the hand with what the agent took it for.

    Args:
        catalogue: the skills.
        recorder: takes everything down; none by default.

    Attributes:
        actions: the number of actions started.
        plans: the number of requests to a planner.
        discrepancies: the number that each guard found, skipped actions included.
        wrong_picks: pick-ups of what was of another class than believed.
    """

    def __init__(self, catalogue: Catalogue, recorder: Recorder | None = None) -> None:
        super().__init__()
        self.discrepancies: Counter[str] = Counter()
        self.wrong_picks = 0
        self._skills = catalogue.skills
        self._recorder = recorder or Silent()
        self._belief: Belief | None = None
        self._log: HomeLog | None = None
        self._digest = sha256()
        self._believed: dict[str, str] = {}
        self._picked = 0
        self._now = (0, 0.0)

    def watch(self, belief: Belief, log: HomeLog) -> None:
        """Compare the agent's belief with the event log of the home from now on."""
        self._belief, self._log = belief, log

    @property
    def digest(self) -> str:
        """Tells apart what was recorded, times on the wall aside: equal records have equal digests."""
        return self._digest.hexdigest()[:16]

    # -- as a recorder -----------------------------------------------------------------------------
    def record(self, kind: str, /, **data: Any) -> None:
        """Note an event, and pass it on."""
        self._note(kind, data)
        self._recorder.record(kind, **data)

    def commit(self, kind: str, /, **data: Any) -> None:
        """Note an event, and pass it on to be on disk."""
        self._note(kind, data)
        self._recorder.commit(kind, **data)

    def mark(self, tick: int, time: float) -> None:
        """Note when the following events happen, and pass it on."""
        self._now = tick, time
        self._recorder.mark(tick, time)

    def _note(self, kind: str, data: Mapping[str, Any]) -> None:
        text = canonical([*self._now, kind, data])
        if '"wall":' in text:  # hardly ever
            text = canonical([*self._now, kind, without_wall(data)])
        self._digest.update(text.encode())
        super().record(kind, **data)
        if kind == "discrepancy.found":
            self.discrepancies[data.get("part") or data["guard"]] += 1
        elif kind == "action.skipped":
            self.discrepancies.update(data["guards"])
        elif kind == "action.intent":
            self._intend(data)
        elif kind == "action.ended":
            self._compare(data["execution"])

    def _intend(self, data: Mapping[str, Any]) -> None:
        """Keep the believed class of the object that the agent is about to pick up."""
        action = data["action"]
        skill = self._skills[action["skill"]]
        if skill.does != "pick" or self._belief is None:
            return
        for parameter, name in zip(skill.operator.parameters, action["arguments"], strict=True):
            entity = self._belief.entity(name)
            if skill.roles.get(parameter.name[1:]) == "item" and entity is not None:
                self._believed[data["execution"]] = entity.best_class

    def _compare(self, execution: str) -> None:
        if self._log is None:
            return
        new, self._picked = self._log.pickups[self._picked :], len(self._log.pickups)
        believed = self._believed.pop(execution, None)
        if believed is not None:
            self.wrong_picks += sum(picked.class_name != believed for picked in new)
