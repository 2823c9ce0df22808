"""Leaves that explore: where might the missing thing be?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from py_trees.behaviour import Behaviour
from py_trees.common import Status
from py_trees.decorators import Decorator

from foretree.behaviours.mission import Mission
from foretree.behaviours.runtime import Runtime
from foretree.planning.syntax import Literal
from foretree.world_model.facts import Truth

#: How a thing can rest at a place, and what the place must afford for it.
WAYS: Mapping[str, str] = {
    "on": "surface",
    "in": "container",
    "under": "has_space_under",
    "hung_on": "hanger",
}


class ChoosePlace(Behaviour):
    """Chooses the nearest place where what is missing may be, as far as anybody knows.

    A thing with a name may be wherever it was not looked for since it went missing, even where one has looked
    before. Anything else may be wherever nobody has looked yet.

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
        place = self._nearest(gone)
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

    def _nearest(self, gone: Sequence[str]) -> str | None:
        runtime = self._runtime
        here = runtime.node()
        if here is None or here not in runtime.places:
            return None
        left = [
            (distance, node)
            for node, distance in runtime.places.distances(here).items()
            if runtime.places.place(node).kind == "asset"
            and node not in self._mission.looked_at
            and self._may_hold(node, gone)
        ]
        return min(left)[1] if left else None

    def _may_hold(self, node: str, gone: Sequence[str]) -> bool:
        belief = self._runtime.belief
        covered = self._runtime.tracker.covered_at
        for relation, affordance in WAYS.items():
            if belief.truth((affordance, node)) is not Truth.TRUE:
                continue
            for what in gone:
                if belief.entity(what) is None:
                    if (relation, node) not in covered:
                        return True
                elif belief.truth((relation, what, node)) is not Truth.FALSE:
                    return True
        return False


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
                # Should it go missing again, it may be where it was not this time.
                self._mission.looked_at.clear()
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
