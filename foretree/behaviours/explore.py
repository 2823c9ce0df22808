"""Leaves that explore: where might the missing thing be?"""

from __future__ import annotations

from collections.abc import Iterator

from py_trees.behaviour import Behaviour
from py_trees.common import Status
from py_trees.decorators import Decorator

from foretree.behaviours.mission import Mission
from foretree.behaviours.runtime import Runtime
from foretree.planning.syntax import Literal
from foretree.world_model.facts import Truth


class ChoosePlace(Behaviour):
    """Chooses the nearest place that could hold what is missing and was not seen completely yet.

    Fails when nothing is missing, or no such place is left.
    """

    def __init__(self, runtime: Runtime, mission: Mission) -> None:
        super().__init__(name="choose where to look")
        self._runtime = runtime
        self._mission = mission

    def update(self) -> Status:
        runtime, mission = self._runtime, self._mission
        beliefs = runtime.belief.snapshot()
        gone = mission.missing(beliefs, runtime.catalogue.domain)
        if not gone:
            return Status.FAILURE
        place = self._nearest()
        what = ", ".join(gone)
        if place is None:
            searched = ", ".join(mission.looked_at) or "everything in sight"
            mission.reason = f"{what} could not be found. Searched: {searched}."
            self.feedback_message = mission.reason
            return Status.FAILURE
        mission.looked_at.append(place)
        mission.subgoal = Literal(("inspected", place))
        why = f"looks for {what} at {place}"
        runtime.recorder.record("agent.chose", tool="explore", why=why)
        self.feedback_message = why
        return Status.SUCCESS

    def _nearest(self) -> str | None:
        runtime = self._runtime
        here = runtime.node()
        if here is None or here not in runtime.places:
            return None
        beliefs = runtime.belief.snapshot()
        seen = {support for (_, support) in runtime.tracker.covered_at}
        distances = runtime.places.distances(here)
        left = [
            (distance, node)
            for node, distance in distances.items()
            if runtime.places.place(node).kind == "asset"
            and node not in self._mission.looked_at
            and (node not in seen or beliefs.truth(("container", node)) is Truth.TRUE)
            and ("in", node) not in runtime.tracker.covered_at
            and self._holds_things(node)
        ]
        return min(left)[1] if left else None

    def _holds_things(self, node: str) -> bool:
        belief = self._runtime.belief
        return any(belief.truth((kind, node)) is Truth.TRUE for kind in ("surface", "container", "hanger"))


class UntilFound(Decorator):
    """Carries on with a search until what is missing has been seen; then the search is over at once."""

    def __init__(self, child: Behaviour, runtime: Runtime, mission: Mission) -> None:
        super().__init__(name="until it is found", child=child)
        self._runtime = runtime
        self._mission = mission
        self._version = -1

    def tick(self) -> Iterator[Behaviour]:
        if self.status is not Status.RUNNING:
            self._version = -1
        runtime = self._runtime
        if runtime.belief.version != self._version:
            self._version = runtime.belief.version
            beliefs = runtime.belief.snapshot()
            if not self._mission.missing(beliefs, runtime.catalogue.domain):
                self.feedback_message = "found"
                self.stop(Status.SUCCESS)
                yield self
                return
        yield from self.decorated.tick()
        status = self.decorated.status
        # A search that could not be carried out is no reason to give up: there are other places.
        if status is Status.FAILURE:
            status = Status.SUCCESS
        if status is not Status.RUNNING:
            self.stop(status)
        self.status = status
        yield self

    def update(self) -> Status:
        return self.decorated.status
