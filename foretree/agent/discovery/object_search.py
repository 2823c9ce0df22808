"""The search for missing objects in an unmapped home: which place is worth a look next.

A missing object may be where such things usually are, in furniture that was seen but not looked into, or
beyond a frontier of the known floor. It may also have been overlooked, or mistaken for something else. Places
are ranked by hope per effort, and the search is given up when there is next to no hope left anywhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from foretree.agent.context import AgentContext
from foretree.agent.discovery.missing_objects import (
    Missing,
    all_wanted,
    known_of,
    resting_place,
    what_is_missing,
)
from foretree.agent.mission import Mission
from foretree.planning.pddl.syntax import Formula, constants_of
from foretree.planning.task.problems import ProblemError
from foretree.world_model.beliefs.belief import Snapshot
from foretree.world_model.beliefs.facts import Truth

if TYPE_CHECKING:  # loads numpy, which only unmapped homes need
    from foretree.agent.discovery.second_looks import SecondLooks
    from foretree.agent.discovery.topological_map import TopologicalMap

#: How a thing can rest at a place, and what the place must afford for it.
_SUPPORTS: Mapping[str, str] = {"on": "surface", "in": "container"}
#: What it costs, in metres of way, to look at something, to look at it once more, which is from elsewhere, to
#: look all around, and to open something first.
_LOOK_COST, _LOOK_AGAIN_COST, _LOOK_AROUND_COST, _OPEN_COST = 0.5, 2.0, 2.0, 1.5
#: Each look at something that has shown nothing new leaves so much of the hope.
_HOPE_AFTER_LOOK = 0.4
#: So likely is what has gone missing still where it rested, and was only overlooked there.
_OVERLOOKED_PROBABILITY = 0.5
#: Less hope than this is none; the second where it is only to be seen whether there are more; the third where
#: all was searched before.
LEAST_HOPE, LEAST_HOPE_OF_MORE, _LEAST_HOPE_ANEW = 0.0001, 0.05, 0.001
#: Once all was searched, so likely is what is missing overlooked in the place where it is, at least.
_OVERLOOKED_ANEW = 0.05
#: What is less likely to be one of what is missing is not looked at for that.
_LEAST_LIKELIHOOD = 0.03


@dataclass(frozen=True, slots=True)
class SearchTarget:
    """A place to look for what is missing.

    Attributes:
        node: where to go.
        end: whether that is an end of the floor, beyond which one looks.
        thing: what lies there and may be what is missing, if that is what to look at.
        around: whether one looks all around from there, once more.
    """

    node: str
    end: bool = False
    thing: str = ""
    around: bool = False

    def __str__(self) -> str:
        if self.thing and self.around:
            return f"again at {self.thing} at {self.node}"
        if self.thing:
            return f"whether it is {self.thing} at {self.node}"
        if self.around:
            return f"all around from {self.node}, once more"
        return f"beyond {self.node}" if self.end else f"at {self.node}"


class ObjectSearch:
    """The search for what is missing, shared by its leaves.

    Args:
        context: the shared ground.
        mission: what it is for.
        topological_map: knows the ends of what is known of the floor, and where things usually are.

    Attributes:
        missing: what is looked for.
        target: where it is looked for just now.
    """

    def __init__(self, context: AgentContext, mission: Mission, topological_map: TopologicalMap) -> None:
        self.context = context
        self.mission = mission
        self.missing: tuple[Missing, ...] = ()
        self.target: SearchTarget | None = None
        self._topological_map = topological_map
        self._begun = context.clock.now()
        self._visited: set[tuple[int, int]] = set()
        #: How often each was looked for at what.
        self._looks: Counter[tuple[str, str]] = Counter()
        #: Whether all was searched, and it is searched anew.
        self._anew = False

    @cached_property
    def _second_looks(self) -> SecondLooks:
        from foretree.agent.discovery.second_looks import SecondLooks  # most goals need none

        return SecondLooks(self.context, self.mission, self._begun)

    def what_is_missing(self, goal: Formula) -> tuple[Missing, ...]:
        """Return what *goal* needs and is not known."""
        context = self.context
        beliefs, domain = context.belief.snapshot(), context.catalogue.domain
        unfound = [Missing(name) for name in self.mission.wanted if not known_of(name, beliefs, domain)]
        if unfound:
            return tuple(unfound)
        try:
            return what_is_missing(
                goal, beliefs, domain, context.catalogue.ontology, context.places, context.node()
            )
        except ProblemError:
            return ()

    def only_of_all(self, missing: tuple[Missing, ...]) -> tuple[str, ...]:
        """Return what is *missing*, if that is wanted only because all of its class are.

        If such a thing is found nowhere, there probably never was one: detectors take things for others, and
        one for two.
        """
        goal, domain = self.mission.goal, self.context.catalogue.domain
        assert goal is not None
        named, kinds = constants_of(goal), all_wanted(goal)
        only = all(
            one.entity
            and one.entity not in named
            and any(domain.is_a(one.class_name, kind) for kind in kinds)
            for one in missing
        )
        return tuple(one.entity for one in missing) if only else ()

    def found(self) -> list[Missing]:
        """Return what is looked for and has been found."""
        beliefs, domain = self.context.belief.snapshot(), self.context.catalogue.domain
        return [one for one in self.missing if one.is_found(beliefs, domain)]

    def turns_back(self) -> str:
        """Give up going to an end of the floor if what there was to see there has been seen on the way.

        Returns:
            The end that is given up; empty if none is.
        """
        target = self.target
        if target is None or not target.end or not self._topological_map.is_seen_through(target.node):
            return ""
        self.target = None
        return target.node

    def choose(self, missing: tuple[Missing, ...], least: float = LEAST_HOPE) -> SearchTarget | None:
        """Choose where to look for what is *missing*; None if no place is left with the *least* hope."""
        here = self.context.node()
        if here is None or here not in self.context.places:
            return None
        distances = self.context.places.distances(here)
        if self._anew:
            least = max(least, _LEAST_HOPE_ANEW)
        best = min(
            (
                ((effort + distances[target.node]) / hope, target.node, target.thing, target)
                for target, hope, effort in self._targets(missing)
                if target.node in distances and hope >= least
            ),
            default=None,
        )
        if best is None:
            return None
        target = best[-1]
        at = target.thing or target.node
        self.mission.looked_at.append(at)
        self._looks.update((one.entity or one.class_name, at) for one in missing)
        if target.end:
            self._visited.add(self._topological_map.ends()[target.node].middle)
        return target

    def look_again(self, missing: tuple[Missing, ...]) -> SearchTarget | None:
        """Choose what to look at again where nothing is left to search; None if that is over, too.

        Once all of that was looked at in vain, it is searched anew as long as time allows.
        """
        target = self._second_look(missing)
        if target is None and self._second_looks.begin_anew():
            self._anew = True
            self._looks.clear()
            target = self.choose(missing) or self._second_look(missing)
        return target

    def _second_look(self, missing: tuple[Missing, ...]) -> SearchTarget | None:
        thing = self._second_looks.thing([one.class_name for one in missing])
        if thing is not None:
            self.mission.looked_at.append(thing[0])
            return SearchTarget(thing[1], thing=thing[0], around=True)
        node = self._second_looks.outlook()
        if node is None:
            return None
        self._topological_map.try_again()
        self.mission.looked_at.append(node)
        return SearchTarget(node, around=True)

    def _targets(self, missing: tuple[Missing, ...]) -> Iterator[tuple[SearchTarget, float, float]]:
        """Iterate over the targets, each with the hope and with what the look costs without the way."""
        chances = {one: self._topological_map.chances(one.class_name) for one in missing}
        yield from self._ends(chances)
        yield from self._furniture(missing, chances)
        yield from self._look_alikes(missing)

    def _ends(
        self, chances: Mapping[Missing, Mapping[str, float]]
    ) -> Iterator[tuple[SearchTarget, float, float]]:
        here = self.context.node()
        for name, end in self._topological_map.ends().items():
            # An end that has drawn back a little is not to be seen better from where one has just looked.
            just_looked = name == here and name in self.mission.looked_at
            if end.middle not in self._visited and not just_looked:
                hope = sum(chance.get(name, 0.0) for chance in chances.values())
                # Where it is not known what is missing, it is where was not looked, if anywhere.
                yield SearchTarget(name, end=True), hope if chances else end.beyond, _LOOK_AROUND_COST

    def _furniture(
        self, missing: tuple[Missing, ...], chances: Mapping[Missing, Mapping[str, float]]
    ) -> Iterator[tuple[SearchTarget, float, float]]:
        beliefs = self.context.belief.snapshot()
        rested = {one: self._rested(one, beliefs) for one in missing}
        for piece in self.context.tracker.pieces():
            hope = 0.0
            for one in missing:
                chance = chances[one].get(piece.name, 0.0) * self._unseen(one, piece.name, beliefs)
                if rested[one] is not None:
                    chance = (
                        chance * (1 - _OVERLOOKED_PROBABILITY)
                        + (rested[one] == piece.name) * _OVERLOOKED_PROBABILITY
                    )
                hope += chance * self._left(one, piece.name)
            is_shut = (
                beliefs.truth(("openable", piece.name)) is Truth.TRUE
                and beliefs.truth(("open", piece.name)) is not Truth.TRUE
            )
            look = _LOOK_AGAIN_COST if piece.name in self.mission.looked_at else _LOOK_COST
            yield SearchTarget(piece.name), hope, look + _OPEN_COST if is_shut else look

    def _rested(self, missing: Missing, beliefs: Snapshot) -> str | None:
        """The furniture at which a certain thing was seen to rest last, before it went missing."""
        region = self.context.tracker.viewpoints.last_region(missing.entity) if missing.entity else None
        return None if region is None else resting_place(region[1], beliefs)

    def _left(self, missing: Missing, at: str) -> float:
        """Return the share of the hope that is left after it was looked for there in vain."""
        return float(_HOPE_AFTER_LOOK ** self._looks[missing.entity or missing.class_name, at])

    def _unseen(self, missing: Missing, node: str, beliefs: Snapshot) -> float:
        """Return how likely it is that what is missing, if it is at a place, has not been seen there."""
        context = self.context
        if context.catalogue.ontology.type_of(missing.class_name) in context.tracker.discovered:
            return 1.0
        unseen = _OVERLOOKED_ANEW if self._anew else 0.0
        for way, affordance in _SUPPORTS.items():
            if beliefs.truth((affordance, node)) is not Truth.TRUE:
                continue
            if not missing.entity:
                unseen = max(unseen, context.tracker.viewpoints.probability_overlooked((way, node)))
                continue
            fact = beliefs.evidence((way, missing.entity, node))
            unseen = max(unseen, 1.0 - fact.confidence if fact.truth is Truth.FALSE else 1.0)
        return unseen

    def _look_alikes(self, missing: tuple[Missing, ...]) -> Iterator[tuple[SearchTarget, float, float]]:
        """Iterate over what was taken for something else, and may be what is missing."""
        domain, beliefs = self.context.catalogue.domain, self.context.belief.snapshot()
        for name, entity in sorted(beliefs.entities().items()):
            if entity.pose is None or (entity.fixed and entity.extent is None):
                continue
            hope = sum(
                score * self._left(one, name)
                for one in missing
                for known, score in entity.classes.items()
                if not one.entity and known != entity.best_class and domain.is_a(known, one.class_name)
            )
            node = name if entity.fixed else resting_place(name, beliefs)
            if hope >= _LEAST_LIKELIHOOD and node is not None:
                yield SearchTarget(node, thing=name), hope, _LOOK_COST
