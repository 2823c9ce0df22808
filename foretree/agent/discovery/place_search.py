"""The search for missing things on a map that is given: which piece of furniture is worth a look next.

What was never seen may be wherever was not looked yet: where such things usually are comes first. A certain
thing that went missing was moved, so that its usual places tell little: the nearest comes first. It may be
wherever it was not looked for since, even where one has looked before; when all those places were searched,
it may still be where it was only overlooked. No place is gone to twice in a search.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from foretree.agent.context import AgentContext
from foretree.agent.discovery.search_prior import SearchPrior
from foretree.agent.mission import Lack, Mission
from foretree.world_model.beliefs.facts import Truth

#: How a thing can rest at a place, and what the place must afford for it.
SUPPORTS: Mapping[str, str] = {
    "on": "surface",
    "in": "container",
    "under": "has_space_under",
    "hung_on": "hanger",
}

#: From this confidence on, a thing that was not seen where one looked is not there.
SURE_ABSENT = 0.97

#: What going to a place and looking there costs besides the way, in metres of way.
_LOOK_COST = 10.0


@dataclass(frozen=True, slots=True)
class SearchedPlace:
    """A place to look at.

    Attributes:
        node: the furniture.
        hope: how likely what is missing is there, compared with what is likely of a place on average.
    """

    node: str
    hope: float


class PlaceSearch:
    """The places that are worth a look.

    Args:
        context: the shared ground.
        mission: knows where was looked.
    """

    def __init__(self, context: AgentContext, mission: Mission) -> None:
        self._context = context
        self._mission = mission
        self._hints = context.hints
        self._prior = SearchPrior(context.catalogue.ontology, self._hints)

    def best(self, gone: Sequence[Lack]) -> SearchedPlace | None:
        """Return where to look for what is *gone*; None if no place is left."""
        context = self._context
        here = context.node()
        if here is None or here not in context.places:
            return None
        ranks = {
            node: (rank, distance)
            for node, distance in context.places.distances(here).items()
            if context.places.place(node).kind == "asset"
            and node not in self._mission.looked_at
            and (rank := self._rank(node, gone)) is not None
        }
        if not ranks:
            return None
        hopes = self._hopes(gone)

        def order(node: str) -> tuple[int, float, str]:
            rank, distance = ranks[node]
            hope = hopes.get(node)
            return rank, distance if hope is None else (distance + _LOOK_COST) / max(hope, 1e-6), node

        node = min(ranks, key=order)
        return SearchedPlace(node, hopes.get(node, 1.0))

    def _hopes(self, gone: Sequence[Lack]) -> dict[str, float]:
        """Probability that what is gone is at each piece of furniture; empty if a certain thing is."""
        if not gone or not all(lack.classes for lack in gone):
            return {}
        if self._context.hints != self._hints:
            self._hints = self._context.hints
            self._prior = SearchPrior(self._context.catalogue.ontology, self._hints)
        beliefs = self._context.belief.snapshot()
        places = {
            place.name: entity.best_class
            for place in self._context.places.places()
            if place.kind == "asset" and (entity := beliefs.entity(place.name)) is not None
        }
        hopes = dict.fromkeys(places, 0.0)
        for lack in gone:
            for class_name in lack.classes:
                for node, chance in self._prior.chances(class_name, places).items():
                    hopes[node] = max(hopes[node], chance * len(places))
        return hopes

    def _rank(self, node: str, gone: Sequence[Lack]) -> int | None:
        """Return the rank of a place to look at, 0 being the best; None if it is not worth a look."""
        if any(lack.place == node for lack in gone):
            return 0
        ranks = (
            self._rank_for(lack, relation, node)
            for relation, affordance in SUPPORTS.items()
            if self._context.belief.truth((affordance, node)) is Truth.TRUE
            for lack in gone
            if not lack.place
        )
        return min((rank for rank in ranks if rank is not None), default=None)

    def _rank_for(self, lack: Lack, relation: str, node: str) -> int | None:
        context = self._context
        if lack.classes:
            return None if (relation, node) in context.tracker.covered_at else 0
        fact = context.belief.snapshot().evidence((relation, lack.words, node))
        if fact.truth is not Truth.FALSE:
            return 0
        # Eyes that overlook things, and people who carry them around, make a second look worth while.
        stale = context.belief.vocabulary.is_stale(fact, context.clock.now())
        return 1 if stale or fact.confidence < SURE_ABSENT else None


def unsearched(context: AgentContext) -> tuple[str, ...]:
    """Return the furniture that has a place not yet searched for things."""
    covered, truth = context.tracker.covered_at, context.belief.truth
    return tuple(
        place.name
        for place in context.places.places()
        if place.kind == "asset"
        and any(
            (relation, place.name) not in covered and truth((affordance, place.name)) is Truth.TRUE
            for relation, affordance in SUPPORTS.items()
        )
    )
