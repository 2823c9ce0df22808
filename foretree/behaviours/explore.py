"""Leaves that explore: choose where to look for what is missing, go on until it is seen."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence

from py_trees.behaviour import Behaviour
from py_trees.common import Status
from py_trees.decorators import Decorator

from foretree.agent.context import AgentContext
from foretree.agent.discovery.missing_objects import Missing, all_wanted
from foretree.agent.discovery.object_search import LEAST_HOPE, LEAST_HOPE_OF_MORE, ObjectSearch, SearchTarget
from foretree.agent.discovery.place_search import PlaceSearch
from foretree.agent.look import Look
from foretree.agent.mission import Mission
from foretree.planning.pddl.syntax import Literal
from foretree.world_model.beliefs.facts import robot_at


class ChoosePlace(Behaviour):
    """Chooses where to look for what is missing, and makes looking there the subgoal.

    Fails when nothing is missing, or no place is left that is worth a look.
    """

    def __init__(self, context: AgentContext, mission: Mission, places: PlaceSearch | None = None) -> None:
        super().__init__(name="choose where to look")
        self._context = context
        self._mission = mission
        self._places = places or PlaceSearch(context, mission)

    def update(self) -> Status:
        context, mission = self._context, self._mission
        gone = mission.lacks(context.belief.snapshot(), context.catalogue.domain)
        if not gone:
            return Status.FAILURE
        best = self._places.best(gone)
        what = ", ".join(lack.words for lack in gone)
        if best is None:
            self.feedback_message = mission.note_not_found(what)
            return Status.FAILURE
        mission.looked_at.append(best.node)
        _inspect(best.node, context, mission)
        self.feedback_message = f"looks for {what} at {best.node}"
        context.recorder.record("agent.chose", tool="explore", why=self.feedback_message)
        return Status.SUCCESS


class SearchUntil(Decorator):
    """Carries on with a search until it has come to something; then it is broken off at once.

    It is over when the robot has stopped: only then is it known where that is, and from there the next plan
    begins.

    Args:
        name: what it is called in the tree.
        child: the search.
        context: whose belief says whether it has.
    """

    def __init__(self, name: str, child: Behaviour, context: AgentContext) -> None:
        super().__init__(name=name, child=child)
        self._context = context
        self._version = -1
        self._outcome = ""

    def begin(self) -> None:
        """Take note of how things are before the search."""

    @abstractmethod
    def outcome(self) -> str:
        """Return what it has come to, in words; empty if it goes on. Asked when the belief has changed."""

    def tick(self) -> Iterator[Behaviour]:
        if self.status is not Status.RUNNING:
            self._version, self._outcome = -1, ""
            self.begin()
        version = self._context.belief.version
        if version != self._version and not self._outcome:
            self._version = version
            self._outcome = self.outcome()
            if self._outcome:
                from foretree.behaviours.calling_off import called_off  # in few runs anything is

                with called_off(self._outcome):
                    self.decorated.stop(Status.INVALID)
        if self._outcome:
            self.status = Status.RUNNING
            hold = self._context.team.coming_free()
            waits = "" if hold is None else f"; waits for the robot to stop: {hold}"
            self.feedback_message = self._outcome + waits
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
        return Status.RUNNING if self._outcome else self.decorated.status


class UntilFound(SearchUntil):
    """Carries on with a search until anything that was missing has been seen; then it is over at once."""

    def __init__(self, child: Behaviour, context: AgentContext, mission: Mission) -> None:
        super().__init__("until it is found", child, context)
        self._mission = mission
        self._wanted: list[str] = []

    def begin(self) -> None:
        self._wanted = self._missing()

    def outcome(self) -> str:
        missing = self._missing()
        if self._wanted and set(self._wanted) <= set(missing):
            return ""
        if not missing:
            # Should anything go missing again, it may be where it was not this time.
            self._mission.looked_at.clear()
        found = sorted(set(self._wanted) - set(missing))
        return f"found {', '.join(found)}" if found else "nothing is missing"

    def _missing(self) -> list[str]:
        return self._mission.missing(self._context.belief.snapshot(), self._context.catalogue.domain)


class ChooseSearchTarget(Behaviour):
    """Chooses where to look for what is missing, and makes looking there the subgoal.

    Fails when nothing is missing, or nothing is left to look at.

    Args:
        search: knows what is looked for, and where.
        everywhere: look for all things of the classes of which the goal wants all, whether or not any is
            missing.
    """

    def __init__(self, search: ObjectSearch, *, everywhere: bool = False) -> None:
        super().__init__(name="choose where to look for all" if everywhere else "choose where to look")
        self._object_search = search
        self._everywhere = everywhere

    def update(self) -> Status:
        search, mission = self._object_search, self._object_search.mission
        assert mission.goal is not None
        if self._everywhere:
            return self._choose_for_all(all_wanted(mission.goal))
        missing = search.what_is_missing(mission.goal)
        what = ", ".join(map(str, missing)) or "another way"
        doubtful = search.only_of_all(missing)
        target = search.target = search.choose(missing, LEAST_HOPE_OF_MORE if doubtful else LEAST_HOPE)
        if target is not None:
            search.missing = missing
            return self._look_at(target, what)
        if doubtful:
            return self._disbelieve(doubtful, what)
        target = search.target = search.look_again(missing)
        if target is not None:
            search.missing = missing
            return self._look_at(target, what)
        if missing:
            self.feedback_message = mission.note_not_found(what)
        return Status.FAILURE

    def _choose_for_all(self, classes: Sequence[str]) -> Status:
        """Choose where there may be more objects of some classes."""
        search = self._object_search
        missing = tuple(Missing(name) for name in classes)
        if not missing:
            return Status.FAILURE
        target = search.target = search.choose(missing, LEAST_HOPE_OF_MORE)
        search.mission.unsearched = target is not None
        if target is None:
            return Status.FAILURE
        # Those of which all are wanted are never found: there may be more.
        search.missing = ()
        return self._look_at(target, f"all of {', '.join(map(str, missing))}")

    def _look_at(self, target: SearchTarget, what: str) -> Status:
        """Make it the subgoal to look for *what* at *target*."""
        context, mission = self._object_search.context, self._object_search.mission
        if target.end or target.thing or target.around:
            mission.subgoal = Literal(robot_at(context.robot.name, target.node))
        else:
            _inspect(target.node, context, mission)
        self.feedback_message = f"looks for {what} {target}"
        context.recorder.record("agent.chose", tool="explore", why=self.feedback_message)
        return Status.SUCCESS

    def _disbelieve(self, names: Sequence[str], what: str) -> Status:
        """Stop believing in objects that are nowhere to be found; the subgoal is to stay here."""
        search = self._object_search
        context = search.context
        for name in names:
            context.belief.remove_entity(name)
        here = context.node()
        assert here is not None
        search.mission.subgoal = Literal(robot_at(context.robot.name, here))
        search.missing = ()
        self.feedback_message = f"believes no more that there is {what}"
        return Status.SUCCESS


class UntilSeen(SearchUntil):
    """Carries on with a search until anything that was missing has been seen, or there is nothing more to be
    seen where the robot is going; then it is over at once."""

    def __init__(self, child: Behaviour, search: ObjectSearch) -> None:
        super().__init__("until it is seen", child, search.context)
        self._object_search = search

    def outcome(self) -> str:
        found = self._object_search.found()
        if found:
            return f"found {', '.join(map(str, found))}"
        end = self._object_search.turns_back()
        return f"all that there is to see at {end} has been seen on the way" if end else ""


class LookAround(Behaviour):
    """Looks all around from where the robot stands. Succeeds in any case: there is no harm in seeing less.

    Args:
        context: looks.
        search: if given, one looks only at what the search has led to: beyond an end of the floor, or at what
            may be something else; and only if nothing has been found by then.
    """

    def __init__(self, context: AgentContext, search: ObjectSearch | None = None) -> None:
        super().__init__(name="look around" if search is None else "look beyond")
        self._context = context
        self._object_search = search
        # One look does not tell what a thing is: that the next will not either is not to be concluded.
        self._look = Look(context, takes_note=False)

    def update(self) -> Status:
        if self._look.under_way:
            return Status.SUCCESS if self._look.poll() else Status.RUNNING
        search = self._object_search
        target = None if search is None else search.target
        if search is not None and (target is None or search.found()):
            return Status.SUCCESS
        if target is None or target.end or (target.around and not target.thing):
            begun = self._look.begin((), "looks around")
        elif target.thing:
            begun = self._look.begin([("class", target.thing)], f"looks {target}")
        else:
            return Status.SUCCESS
        self.feedback_message = "looks" if begun else self._look.waits
        return Status.RUNNING

    def terminate(self, new_status: Status) -> None:
        self._look.cancel()


def _inspect(place: str, context: AgentContext, mission: Mission) -> None:
    """Make it the subgoal to inspect a place; to have looked there once is not to know how it is now."""
    mission.subgoal = Literal(("inspected", place))
    context.belief.retract([mission.subgoal.atom])
