"""Scenes as planning problems, with everything that there is or with what is known of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import cached_property

from foretree.planning.pddl.syntax import Formula, Problem, constants_of
from foretree.regression.language.autogptp.scene_file import AGENTS, AffordanceScene
from foretree.skills.affordance_catalogue import AGENT, ASSET, ITEM, AffordanceDomain
from foretree.skills.catalogue import Catalogue
from foretree.world_model.beliefs.belief import Belief
from foretree.world_model.beliefs.facts import Atom, Entity

#: Where an agent is of which the scene does not say it.
START = "start"
#: The affordances of what is poured, and of what it comes from.
_LIQUID, _TAP = "liquid", "water-supply"
_WATER = "water"


class SceneProblem:
    """A scene in a domain of affordances.

    Attributes:
        scene: what the file says.
        catalogue: the domain, with the classes of the scene.
        objects: the class of each object; places that are no objects of the scene included.
        facts: the initial state.
    """

    def __init__(self, scene: AffordanceScene, domain: AffordanceDomain) -> None:
        self.scene = scene
        self._domain = domain
        places = {name: name.rstrip("0123456789") for name in scene.locations if name not in scene.objects}
        self.objects: dict[str, str] = {**scene.objects, **dict.fromkeys(places, ASSET)}
        self.catalogue: Catalogue = domain.catalogue(kind for kind in self.objects.values())
        self.facts = frozenset(self._facts())

    def problem(
        self, goal: Formula, known: Collection[str] | None = None, acting: Collection[str] = AGENTS
    ) -> Problem:
        """The problem of reaching *goal*.

        Args:
            goal: a formula over the scene's objects.
            known: the objects that there are in it; by default all.
            acting: the kinds of agents that act; the others are only there.
        """
        objects = {
            name: AGENT if kind in AGENTS and kind not in acting else kind
            for name, kind in self.objects.items()
            if known is None or name in known
        }
        named = {START, *objects}
        return Problem(
            self.scene.path.stem,
            self.catalogue.domain,
            objects,
            frozenset(fact for fact in self.facts if named.issuperset(fact[1:])),
            goal,
            {("cost-of", name): self._domain.agents[self.objects[name]].cost for name in self.agents},
        )

    def belief(self, known: Collection[str]) -> Belief:
        """Beliefs of a person who knows these objects, and how they are."""
        belief = Belief(self.catalogue.vocabulary)
        for name, kind in self.objects.items():
            if name in known:
                belief.put_entity(Entity(name, {kind: 1.0}))
        for fact in sorted(self.facts):
            if all(term in known for term in fact[1:]):
                belief.tell(fact, source="told")
        return belief

    def known(self, explored: Collection[str]) -> frozenset[str]:
        """The objects that are known once these places have been explored.

        Agents and the places themselves are known from the start, and so is what is at no place.
        """
        places = {name: self.scene.place_of(name) for name in self.objects}
        return frozenset(
            name for name, place in places.items() if place is None or place == name or place in explored
        ) | {*self.agents}

    @cached_property
    def agents(self) -> tuple[str, ...]:
        """The agents, robots first."""
        return tuple(name for kind in AGENTS for name in self.scene.of(kind))

    @property
    def kinds_by_cost(self) -> list[str]:
        """The kinds of agents, the cheapest first."""
        return sorted(AGENTS, key=lambda kind: self._domain.agents[kind].cost)

    @property
    def fixtures(self) -> frozenset[str]:
        """The agents and the places, which any plan may need."""
        return frozenset(fact[1] for fact in self.facts if fact[0] == "location")

    def distance(self, goal: Formula) -> Callable[[str], float]:
        """Return how far a thing is from those that *goal* names: nothing if it is at the place of one."""
        near = {self.scene.place_of(name) for name in constants_of(goal)}
        return lambda name: 0.0 if self.scene.place_of(name) in near else 1.0

    # -- the initial state -------------------------------------------------------------------------
    def _facts(self) -> Iterator[Atom]:
        taps = [name for name in self.objects if self._affords(name, _TAP)]
        yield from (fact for fact in self.scene.facts if fact[0] != "at")
        yield from (("warmed", fact[1]) for fact in self.scene.facts if fact[0] == "liquid_warm")
        for name in self.objects:
            if name in self.agents:
                yield from self._facts_of_agent(name)
            elif self._is_a(name, ITEM):
                yield from self._facts_of_item(name)
            elif self._affords(name, _LIQUID) and self.scene.place_of(name) != name:
                pass  # it is where its vessel is
            else:
                place = self._place(name)
                yield from (("furniture", name), ("location", place), ("at", name, place))
            if self._affords(name, _LIQUID):
                yield from (("liquid_in", name, source) for source in self._sources(name, taps))

    def _facts_of_agent(self, name: str) -> Iterator[Atom]:
        stated = next((fact[2] for fact in self.scene.facts if fact[:2] == ("at", name)), None)
        yield from (("location", name), ("at", name, name))
        yield ("at", name, START if stated is None else self._place(stated))
        if not any(fact[0] == "inhand" and fact[2] == name for fact in self.scene.facts):
            yield ("free", name)

    def _facts_of_item(self, name: str) -> Iterator[Atom]:
        """Place of an item: what rests on nothing in particular rests on the place itself."""
        support = self.scene.support(name)
        place = self.scene.place_of(name)
        if support is None and place is not None:
            yield from (("on", name, place), ("at", name, place))
        elif support is not None and support not in self.agents and self._is_a(support, ASSET):
            yield ("at", name, self._place(support))

    def _sources(self, liquid: str, taps: Collection[str]) -> Collection[str]:
        """Vessel of a liquid: what the scene says, else taps if it is water, else a vessel of its own."""
        resting = ("liquid_in",) if self._is_a(liquid, ITEM) else ("liquid_in", "in")
        stated = [fact[2] for fact in self.scene.facts if fact[0] in resting and fact[1] == liquid]
        if stated:
            return stated
        loose = self.scene.support(liquid) is None
        return taps if loose and taps and self._is_a(liquid, _WATER) else [liquid]

    def _place(self, name: str) -> str:
        return self.scene.place_of(name) or name

    def _is_a(self, name: str, type_name: str) -> bool:
        return self.catalogue.domain.is_a(self.objects[name], type_name)

    def _affords(self, name: str, affordance: str) -> bool:
        return self._domain.affords(self.objects[name], affordance)
