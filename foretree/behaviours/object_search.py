"""Leaves that search a home of which nobody has told the robot anything: where might be what is missing?

It may be where such things usually are, in furniture that was seen but not looked into, or beyond the end of
what was seen of the floor. It may also be where one has looked and overlooked it, or be what was taken for
something else. Where it takes little to look and there is much hope, one looks first, and one gives up when
there is next to no hope anywhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from foretree.agent.context import Runtime, Survey
from foretree.agent.missing_objects import (
    Missing,
    all_wanted,
    known_of,
    resting_place,
    what_is_missing,
)
from foretree.agent.mission import Mission
from foretree.behaviours.explore import SearchUntil
from foretree.planning.pddl.syntax import Formula, Literal, constants_of
from foretree.planning.task.problems import ProblemError
from foretree.skills.executive.executive import Lease
from foretree.world_model.beliefs.belief import Snapshot
from foretree.world_model.beliefs.facts import Truth
from foretree.world_model.robot_predicates import robot_at

#: How a thing can rest at a place, and what the place must afford for it.
_WAYS: Mapping[str, str] = {"on": "surface", "in": "container"}
#: What it costs, in metres of way, to look at something, to look at it once more, which is from elsewhere, to
#: look all around, and to open something first.
_LOOK, _LOOK_AGAIN, _AROUND, _OPEN = 0.5, 2.0, 2.0, 1.5
#: Each look at something that has shown nothing new leaves so much of the hope.
_AGAIN = 0.4
#: So likely is what has gone missing still where it rested, and was only overlooked there.
_STILL_THERE = 0.5
#: Less hope than this is none; and less than this for whoever only looks whether there are more.
_FAINT, _SLIGHT = 0.0001, 0.05
#: What is less likely to be one of what is missing is not looked at for that.
_PERHAPS = 0.03


@dataclass(frozen=True, slots=True)
class Outlook:
    """Where to look for what is missing.

    Attributes:
        node: where to go.
        end: whether that is an end of the floor, beyond which one looks.
        thing: what lies there and may be what is missing, if that is what to look at.
    """

    node: str
    end: bool = False
    thing: str = ""

    def __str__(self) -> str:
        if self.thing:
            return f"whether it is {self.thing} at {self.node}"
        return f"beyond {self.node}" if self.end else f"at {self.node}"


class Scout:
    """What a search is about, shared by its leaves.

    Args:
        runtime: the shared ground.
        mission: what it is for.
        survey: knows the ends of what is known of the floor, and where things usually are.

    Attributes:
        missing: what is looked for.
        outlook: where it is looked for just now.
    """

    def __init__(self, runtime: Runtime, mission: Mission, survey: Survey) -> None:
        self.runtime = runtime
        self.mission = mission
        self.missing: tuple[Missing, ...] = ()
        self.outlook: Outlook | None = None
        self._survey = survey
        self._visited: set[tuple[int, int]] = set()
        #: How often each was looked for at what.
        self._looks: Counter[tuple[str, str]] = Counter()

    def what_is_missing(self, goal: Formula) -> tuple[Missing, ...]:
        """What *goal* takes and nobody knows of."""
        runtime = self.runtime
        beliefs, domain = runtime.belief.snapshot(), runtime.catalogue.domain
        unfound = [Missing(name) for name in self.mission.wanted if not known_of(name, beliefs, domain)]
        if unfound:
            return tuple(unfound)
        try:
            return what_is_missing(
                goal,
                runtime.belief.snapshot(),
                runtime.catalogue.domain,
                runtime.catalogue.ontology,
                runtime.places,
                runtime.node(),
            )
        except ProblemError:
            return ()

    def only_of_all(self, missing: tuple[Missing, ...]) -> tuple[str, ...]:
        """What is *missing*, if that is wanted only because all of its kind are.

        Whoever finds such a thing nowhere had better believe that there never was one: eyes take things for
        others, and one for two.
        """
        goal, domain = self.mission.goal, self.runtime.catalogue.domain
        assert goal is not None
        named, kinds = constants_of(goal), all_wanted(goal)
        only = all(
            one.entity
            and one.entity not in named
            and any(domain.is_a(one.class_name, kind) for kind in kinds)
            for one in missing
        )
        return tuple(one.entity for one in missing) if only else ()

    def is_anything_found(self) -> bool:
        """Whether anything that is looked for has been found."""
        beliefs, domain = self.runtime.belief.snapshot(), self.runtime.catalogue.domain
        return any(one.is_found(beliefs, domain) for one in self.missing)

    def turns_back(self) -> bool:
        """Give up going to an end of the floor if what there was to see there has been seen on the way."""
        outlook = self.outlook
        if outlook is None or not outlook.end or not self._survey.is_seen_through(outlook.node):
            return False
        self.outlook = None
        return True

    def choose(self, missing: tuple[Missing, ...], least: float = _FAINT) -> Outlook | None:
        """Where to look for what is *missing*; None if there is no place left with the *least* hope."""
        here = self.runtime.node()
        if here is None or here not in self.runtime.places:
            return None
        distances = self.runtime.places.distances(here)
        best = min(
            (
                ((effort + distances[outlook.node]) / hope, outlook.node, outlook.thing, outlook)
                for outlook, hope, effort in self._outlooks(missing)
                if outlook.node in distances and hope >= least
            ),
            default=None,
        )
        if best is None:
            return None
        outlook = best[-1]
        at = outlook.thing or outlook.node
        self.mission.looked_at.append(at)
        self._looks.update((one.entity or one.class_name, at) for one in missing)
        if outlook.end:
            self._visited.add(self._survey.ends()[outlook.node].middle)
        return outlook

    def _outlooks(self, missing: tuple[Missing, ...]) -> Iterator[tuple[Outlook, float, float]]:
        """Where one might look, with what hope, and what the look costs without the way."""
        chances = {one: self._survey.chances(one.class_name) for one in missing}
        yield from self._ends(chances)
        yield from self._furniture(missing, chances)
        yield from self._look_alikes(missing)

    def _ends(self, chances: Mapping[Missing, Mapping[str, float]]) -> Iterator[tuple[Outlook, float, float]]:
        here = self.runtime.node()
        for name, end in self._survey.ends().items():
            # An end that has drawn back a little is not to be seen better from where one has just looked.
            just_looked = name == here and name in self.mission.looked_at
            if end.middle not in self._visited and not just_looked:
                hope = sum(chance.get(name, 0.0) for chance in chances.values())
                # Whoever does not know what is missing finds it where nobody has looked, if anywhere.
                yield Outlook(name, end=True), hope if chances else end.beyond, _AROUND

    def _furniture(
        self, missing: tuple[Missing, ...], chances: Mapping[Missing, Mapping[str, float]]
    ) -> Iterator[tuple[Outlook, float, float]]:
        beliefs = self.runtime.belief.snapshot()
        rested = {one: self._rested(one, beliefs) for one in missing}
        for piece in self.runtime.tracker.pieces():
            hope = 0.0
            for one in missing:
                chance = chances[one].get(piece.name, 0.0) * self._unseen(one, piece.name, beliefs)
                if rested[one] is not None:
                    chance = chance * (1 - _STILL_THERE) + (rested[one] == piece.name) * _STILL_THERE
                hope += chance * self._left(one, piece.name)
            is_shut = (
                beliefs.truth(("openable", piece.name)) is Truth.TRUE
                and beliefs.truth(("open", piece.name)) is not Truth.TRUE
            )
            look = _LOOK_AGAIN if piece.name in self.mission.looked_at else _LOOK
            yield Outlook(piece.name), hope, look + _OPEN if is_shut else look

    def _rested(self, missing: Missing, beliefs: Snapshot) -> str | None:
        """The furniture at which a certain thing was seen to rest last, before it went missing."""
        region = self.runtime.tracker.viewpoints.rested(missing.entity) if missing.entity else None
        return None if region is None else resting_place(region[1], beliefs)

    def _left(self, missing: Missing, at: str) -> float:
        """How much of the hope of finding it is left, after it was looked for there in vain."""
        return float(_AGAIN ** self._looks[missing.entity or missing.class_name, at])

    def _unseen(self, missing: Missing, node: str, beliefs: Snapshot) -> float:
        """How likely it is that what is missing, if it is at a place, has not been seen there."""
        runtime = self.runtime
        if runtime.catalogue.ontology.type_of(missing.class_name) in runtime.tracker.discovered:
            return 1.0
        unseen = 0.0
        for way, affordance in _WAYS.items():
            if beliefs.truth((affordance, node)) is not Truth.TRUE:
                continue
            if not missing.entity:
                unseen = max(unseen, runtime.tracker.viewpoints.overlooked((way, node)))
                continue
            fact = beliefs.evidence((way, missing.entity, node))
            unseen = max(unseen, 1.0 - fact.confidence if fact.truth is Truth.FALSE else 1.0)
        return unseen

    def _look_alikes(self, missing: tuple[Missing, ...]) -> Iterator[tuple[Outlook, float, float]]:
        """What was taken for something else, and may be what is missing."""
        domain, beliefs = self.runtime.catalogue.domain, self.runtime.belief.snapshot()
        for name, entity in sorted(beliefs.entities().items()):
            if entity.fixed or entity.pose is None:
                continue
            hope = sum(
                score * self._left(one, name)
                for one in missing
                for known, score in entity.classes.items()
                if not one.entity and known != entity.best_class and domain.is_a(known, one.class_name)
            )
            node = resting_place(name, beliefs)
            if hope >= _PERHAPS and node is not None:
                yield Outlook(node, thing=name), hope, _LOOK


class ChooseOutlook(Behaviour):
    """Chooses where to look for what is missing, and makes looking there the subgoal.

    Fails when nothing is missing, or nothing is left to look at.

    Args:
        scout: knows what is looked for, and where.
        everywhere: look for all things of the classes of which the goal wants all, whether or not any is
            missing.
    """

    def __init__(self, scout: Scout, *, everywhere: bool = False) -> None:
        super().__init__(name="choose where to look for all" if everywhere else "choose where to look")
        self._scout = scout
        self._everywhere = everywhere

    def update(self) -> Status:
        scout = self._scout
        runtime, mission = scout.runtime, scout.mission
        assert mission.goal is not None
        missing = (
            tuple(Missing(name) for name in all_wanted(mission.goal))
            if self._everywhere
            else scout.what_is_missing(mission.goal)
        )
        if self._everywhere and not missing:
            return Status.FAILURE
        what = ", ".join(map(str, missing)) or "another way"
        doubtful = () if self._everywhere else scout.only_of_all(missing)
        outlook = scout.outlook = scout.choose(missing, _SLIGHT if self._everywhere or doubtful else _FAINT)
        if self._everywhere:
            mission.unsearched = outlook is not None
        if outlook is None and doubtful:
            for name in doubtful:
                runtime.belief.remove_entity(name)
            here = runtime.node()
            assert here is not None
            mission.subgoal = Literal(robot_at(runtime.robot.name, here))
            scout.missing = ()
            self.feedback_message = f"believes no more that there is {what}"
            return Status.SUCCESS
        if outlook is None:
            if missing and not self._everywhere:
                searched = ", ".join(dict.fromkeys(mission.looked_at)) or "everything in sight"
                mission.reason = self.feedback_message = f"{what} could not be found. Searched: {searched}."
            return Status.FAILURE
        # Those of which all are wanted are never found: there may be more.
        scout.missing = () if self._everywhere else missing
        if outlook.end or outlook.thing:
            mission.subgoal = Literal(robot_at(runtime.robot.name, outlook.node))
        else:
            mission.subgoal = Literal(("inspected", outlook.node))
            # To have looked there once is not to know how it is now.
            runtime.belief.retract([mission.subgoal.atom])
        why = f"looks for {'all of ' if self._everywhere else ''}{what} {outlook}"
        runtime.recorder.record("agent.chose", tool="explore", why=why)
        self.feedback_message = why
        return Status.SUCCESS


class UntilSeen(SearchUntil):
    """Carries on with a search until anything that was missing has been seen, or there is nothing more to be
    seen where the robot is going; then it is over at once."""

    def __init__(self, child: Behaviour, scout: Scout) -> None:
        super().__init__("until it is seen", child, scout.runtime)
        self._scout = scout

    def is_over(self) -> bool:
        return self._scout.is_anything_found() or self._scout.turns_back()


class LookAround(Behaviour):
    """Looks all around from where the robot stands. Succeeds in any case: there is no harm in seeing less.

    Args:
        runtime: looks.
        scout: if given, one looks only at what the search has led to: beyond an end of the floor, or at what
            may be something else; and only if nothing has been found by then.
    """

    def __init__(self, runtime: Runtime, scout: Scout | None = None) -> None:
        super().__init__(name="look around" if scout is None else "look beyond")
        self._runtime = runtime
        self._scout = scout
        self._looking: Lease | None = None

    def update(self) -> Status:
        if self._looking is None:
            scout = self._scout
            outlook = None if scout is None else scout.outlook
            if scout is not None and (outlook is None or scout.is_anything_found()):
                return Status.SUCCESS
            if outlook is None or outlook.end:
                self._looking = self._runtime.look((), "looks around")
            elif outlook.thing:
                self._looking = self._runtime.look([("class", outlook.thing)], f"looks {outlook}")
            else:
                return Status.SUCCESS
            self.feedback_message = "looks" if self._looking is not None else self._runtime.waits_to_look
            return Status.RUNNING
        end = self._looking.poll()
        if end is None:
            return Status.RUNNING
        self._runtime.recorder.record("look.ended", execution=self._looking.id, outcome=end.outcome.value)
        self._looking = None
        return Status.SUCCESS

    def terminate(self, new_status: Status) -> None:
        looking, self._looking = self._looking, None
        if looking is not None:
            looking.cancel()
