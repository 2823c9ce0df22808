"""Leaves that search a home of which nobody has told the robot anything: where might be what is missing?

It may be where such things usually are, in furniture that was seen but not looked into, or beyond the end of
what was seen of the floor. Where it takes little to look and there is much hope, one looks first; where one
has looked and seen nothing, one does not look again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from foretree.behaviours.explore import SearchUntil
from foretree.behaviours.missing_things import Missing, all_wanted, known_of, what_is_missing
from foretree.behaviours.mission import Mission
from foretree.behaviours.runtime import FloorEnd, Runtime, Survey
from foretree.planning.problems import ProblemError
from foretree.planning.syntax import Formula, Literal, constants_of
from foretree.skills.executive import Lease
from foretree.world_model.body import robot_at
from foretree.world_model.facts import Truth

#: How a thing can rest at a place, and what the place must afford for it.
_WAYS: Mapping[str, str] = {"on": "surface", "in": "container"}
#: From this confidence on, a thing that was not seen where one looked is not there.
_SURE = 0.97
#: What a look costs, and opening something first.
_LOOK, _OPEN = 1.0, 4.0
#: The hope that what is missing is beyond a frontier: of what can be carried, and of furniture.
_BEYOND, _BEYOND_FURNITURE = 0.35, 0.8
#: Where there are fewer square metres to see beyond a frontier there is less hope. In the slivers that noise
#: leaves there is hardly room for anything.
_WIDE, _SLIVER, _HARDLY_ANY = 2.0, 0.4, 0.02
#: A place that did not show all of itself is looked at so often, each time from elsewhere and with so much
#: less hope.
_LOOKS, _AGAIN = 3, 0.2
#: Less hope than this is none; and less than this for whoever only looks whether there are more.
_FAINT, _SLIGHT = 0.002, 0.02


class Scout:
    """What a search is about, shared by its leaves.

    Args:
        runtime: the shared ground.
        mission: what it is for.
        survey: knows the ends of what is known of the floor, and where things usually are.

    Attributes:
        missing: what is looked for.
        to_corner: whether the robot is on its way to a frontier.
    """

    def __init__(self, runtime: Runtime, mission: Mission, survey: Survey) -> None:
        self.runtime = runtime
        self.mission = mission
        self.missing: tuple[Missing, ...] = ()
        self.to_corner = False
        self._survey = survey
        self._visited: set[tuple[int, int]] = set()

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

    def choose(self, missing: tuple[Missing, ...], least: float = _FAINT) -> str | None:
        """Where to look for what is *missing*; None if there is no place left with the *least* hope."""
        here = self.runtime.node()
        if here is None or here not in self.runtime.places:
            return None
        distances = self.runtime.places.distances(here)
        ends = self._survey.ends()
        best = min(
            (
                ((_LOOK + effort + distances[name]) / hope, name)
                for name, hope, effort in (*self._corners(missing, ends), *self._furniture(missing))
                if name in distances and hope >= least
            ),
            default=None,
        )
        if best is None:
            return None
        name = best[1]
        self.to_corner = name in ends
        if self.to_corner:
            self._visited.add(ends[name].middle)
        return name

    def _corners(
        self, missing: tuple[Missing, ...], ends: Mapping[str, FloorEnd]
    ) -> Iterator[tuple[str, float, float]]:
        type_of = self.runtime.catalogue.ontology.type_of
        discovered = self.runtime.tracker.discovered
        hope = max(
            (_BEYOND_FURNITURE if type_of(one.class_name) in discovered else _BEYOND for one in missing),
            default=_BEYOND,
        )
        here = self.runtime.node()
        for name, end in ends.items():
            # An end that has drawn back a little is not to be seen better from where one has just looked.
            just_looked = name == here and name in self.mission.looked_at
            if end.middle not in self._visited and not just_looked:
                share = min(1.0, end.beyond / _WIDE) if end.beyond >= _SLIVER else _HARDLY_ANY
                yield name, hope * share, 0.0

    def _furniture(self, missing: tuple[Missing, ...]) -> Iterator[tuple[str, float, float]]:
        runtime = self.runtime
        beliefs = runtime.belief.snapshot()
        for piece in runtime.tracker.pieces():
            looks = self.mission.looked_at.count(piece.name)
            if looks >= _LOOKS:
                continue
            hope = sum(self._hope(one, piece.name, piece.best_class) for one in missing) * _AGAIN**looks
            if not hope:
                continue
            is_shut = (
                beliefs.truth(("openable", piece.name)) is Truth.TRUE
                and beliefs.truth(("open", piece.name)) is not Truth.TRUE
            )
            yield piece.name, hope, _OPEN if is_shut else 0.0

    def _hope(self, missing: Missing, node: str, place_class: str) -> float:
        runtime = self.runtime
        if runtime.catalogue.ontology.type_of(missing.class_name) in runtime.tracker.discovered:
            return 0.0
        beliefs = runtime.belief.snapshot()
        chance = self._survey.chance(missing.class_name, place_class)
        for way, affordance in _WAYS.items():
            if beliefs.truth((affordance, node)) is not Truth.TRUE:
                continue
            if not missing.entity:
                if (way, node) not in runtime.tracker.covered_at:
                    return chance
                continue
            fact = beliefs.evidence((way, missing.entity, node))
            if fact.truth is not Truth.FALSE or fact.confidence < _SURE:
                return chance
        return 0.0


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
        place = scout.choose(missing, _SLIGHT if self._everywhere or doubtful else _FAINT)
        if self._everywhere:
            mission.unsearched = place is not None
        if place is None and doubtful:
            for name in doubtful:
                runtime.belief.remove_entity(name)
            here = runtime.node()
            assert here is not None
            mission.subgoal = Literal(robot_at(runtime.robot.name, here))
            scout.missing, scout.to_corner = (), False
            self.feedback_message = f"believes no more that there is {what}"
            return Status.SUCCESS
        if place is None:
            if missing and not self._everywhere:
                searched = ", ".join(mission.looked_at) or "everything in sight"
                mission.reason = self.feedback_message = f"{what} could not be found. Searched: {searched}."
            return Status.FAILURE
        # Those of which all are wanted are never found: there may be more.
        scout.missing = () if self._everywhere else missing
        mission.looked_at.append(place)
        if scout.to_corner:
            mission.subgoal = Literal(robot_at(runtime.robot.name, place))
        else:
            mission.subgoal = Literal(("inspected", place))
            # To have looked there once is not to know how it is now.
            runtime.belief.retract([mission.subgoal.atom])
        where = f"beyond {place}" if scout.to_corner else f"at {place}"
        why = f"looks for {'all of ' if self._everywhere else ''}{what} {where}"
        runtime.recorder.record("agent.chose", tool="explore", why=why)
        self.feedback_message = why
        return Status.SUCCESS


class UntilSeen(SearchUntil):
    """Carries on with a search until anything that was missing has been seen; then it is over at once."""

    def __init__(self, child: Behaviour, scout: Scout) -> None:
        super().__init__("until it is seen", child, scout.runtime)
        self._scout = scout

    def is_over(self) -> bool:
        return self._scout.is_anything_found()


class LookAround(Behaviour):
    """Looks all around from where the robot stands. Succeeds in any case: there is no harm in seeing less.

    Args:
        runtime: looks.
        scout: if given, one looks only after the way to a frontier, and only if nothing has been found by
            then.
    """

    def __init__(self, runtime: Runtime, scout: Scout | None = None) -> None:
        super().__init__(name="look around" if scout is None else "look beyond")
        self._runtime = runtime
        self._scout = scout
        self._looking: Lease | None = None

    def update(self) -> Status:
        if self._looking is None:
            scout = self._scout
            if scout is not None and (not scout.to_corner or scout.is_anything_found()):
                return Status.SUCCESS
            self._looking = self._runtime.look((), "looks around")
            return Status.RUNNING
        end = self._looking.poll()
        if end is None:
            return Status.RUNNING
        self._runtime.recorder.record("look.ended", execution=self._looking.id, outcome=end.outcome.value)
        self._looking = None
        return Status.SUCCESS

    def terminate(self, new_status: Status) -> None:
        if self._looking is not None:
            self._looking.cancel()
            self._looking = None
