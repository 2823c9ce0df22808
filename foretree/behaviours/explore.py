"""Leaves that explore: where might the missing thing be?"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence

from py_trees.behaviour import Behaviour
from py_trees.common import Status
from py_trees.decorators import Decorator

from foretree.agent.context import Runtime
from foretree.agent.mission import Mission
from foretree.planning.pddl.syntax import Literal
from foretree.world_model.beliefs.facts import Truth

#: How a thing can rest at a place, and what the place must afford for it.
WAYS: Mapping[str, str] = {
    "on": "surface",
    "in": "container",
    "under": "has_space_under",
    "hung_on": "hanger",
}

#: From this confidence on, a thing that was not seen where one looked is not there.
SURE = 0.97


class ChoosePlace(Behaviour):
    """Chooses the nearest place where what is missing may be, as far as anybody knows.

    A thing with a name may be wherever it was not looked for since it went missing, even where one has looked
    before; when all those places were searched, it may still be where it was only overlooked. Anything else
    may be wherever nobody has looked yet. No place is gone to twice in a search.

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
        # To have looked there once is not to know how it is now.
        runtime.belief.retract([mission.subgoal.atom])
        why = f"looks for {what} at {place}"
        runtime.recorder.record("agent.chose", tool="explore", why=why)
        self.feedback_message = why
        return Status.SUCCESS

    def _nearest(self, gone: Sequence[str]) -> str | None:
        runtime = self._runtime
        here = runtime.node()
        if here is None or here not in runtime.places:
            return None
        left = []
        for node, distance in runtime.places.distances(here).items():
            if runtime.places.place(node).kind == "asset" and node not in self._mission.looked_at:
                hope = self._hope(node, gone)
                if hope is not None:
                    left.append((hope, distance, node))
        return min(left)[2] if left else None

    def _hope(self, node: str, gone: Sequence[str]) -> int | None:
        """How much sense it makes to look at a place, 0 being the most; None if it makes none."""
        belief = self._runtime.belief
        ways = [way for way, affordance in WAYS.items() if belief.truth((affordance, node)) is Truth.TRUE]
        hopes = [self._hope_for(what, way, node) for what in gone for way in ways]
        return min((hope for hope in hopes if hope is not None), default=None)

    def _hope_for(self, what: str, way: str, node: str) -> int | None:
        runtime = self._runtime
        if runtime.belief.entity(what) is None:
            return None if (way, node) in runtime.tracker.covered_at else 0
        fact = runtime.belief.snapshot().evidence((way, what, node))
        if fact.truth is not Truth.FALSE:
            return 0
        # Eyes that overlook things, and people who carry them around, make a second look worth while.
        shelf_life = runtime.belief.vocabulary[way].shelf_life
        stale = shelf_life is not None and runtime.clock.now() - fact.time > shelf_life
        return 1 if stale or fact.confidence < SURE else None


class SearchUntil(Decorator):
    """Carries on with a search until it has come to something; then it is broken off at once.

    It is over when the robot has stopped: only then is it known where that is, and from there the next plan
    begins.

    Args:
        name: what it is called in the tree.
        child: the search.
        runtime: whose belief says whether it has.
    """

    def __init__(self, name: str, child: Behaviour, runtime: Runtime) -> None:
        super().__init__(name=name, child=child)
        self._runtime = runtime
        self._version = -1
        self._stopping = False

    def begin(self) -> None:
        """Take note of how things are before the search."""

    @abstractmethod
    def is_over(self) -> bool:
        """Whether it has come to something. Asked whenever the belief has changed."""

    def tick(self) -> Iterator[Behaviour]:
        if self.status is not Status.RUNNING:
            self._version, self._stopping = -1, False
            self.begin()
        version = self._runtime.belief.version
        if version != self._version and not self._stopping:
            self._version = version
            if self.is_over():
                self.feedback_message = "found"
                self._stopping = True
                self.decorated.stop(Status.INVALID)
        if self._stopping:
            self.status = Status.RUNNING
            executive = self._runtime.executive
            hold = executive.coming_free() if executive.held() else None
            self.feedback_message = "found" if hold is None else f"found; waits for the robot to stop: {hold}"
            if hold is None:
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
        return Status.RUNNING if self._stopping else self.decorated.status


class UntilFound(SearchUntil):
    """Carries on with a search until anything that was missing has been seen; then it is over at once."""

    def __init__(self, child: Behaviour, runtime: Runtime, mission: Mission) -> None:
        super().__init__("until it is found", child, runtime)
        self._mission = mission
        self._wanted: list[str] = []

    def begin(self) -> None:
        self._wanted = self._missing()

    def is_over(self) -> bool:
        missing = self._missing()
        if self._wanted and set(self._wanted) <= set(missing):
            return False
        if not missing:
            # Should anything go missing again, it may be where it was not this time.
            self._mission.looked_at.clear()
        return True

    def _missing(self) -> list[str]:
        return self._mission.missing(self._runtime.belief.snapshot(), self._runtime.catalogue.domain)
