"""Scenes as planning problems, with everything that there is or with what is known of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property

from foretree.planning.pddl.syntax import (
    TRUE,
    And,
    Exists,
    Forall,
    Formula,
    Literal,
    Or,
    Problem,
    Typed,
    constants_of,
    rebuild,
)
from foretree.planning.semantics.evaluation import ground
from foretree.regression.language.autogptp.scene_file import AGENTS, AffordanceScene
from foretree.skills.affordance_catalogue import AGENT, ASSET, ITEM, AffordanceDomain
from foretree.skills.catalogue import Catalogue
from foretree.world_model.affordances.placement import BY_HEAD
from foretree.world_model.beliefs.belief import Belief
from foretree.world_model.beliefs.facts import Atom, Entity

#: Where an agent is of which the scene does not say it.
START = "start"
#: The affordances of what is poured, and of what it comes from.
_LIQUID, _TAP, _POURED_FROM = "liquid", "water-supply", "pour"
#: The predicates by which a liquid is spoken of itself, rather than what it is in.
_OF_LIQUIDS = ("liquid_in", "liquid_warm")
_WATER, _FOOD = "water", "consumable"


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
        self.objects: dict[str, str] = {**scene.objects, **dict(self._unlisted_places())}
        packages = (self.objects[vessel] for held in self.contents.values() for vessel in held)
        standing = (
            kind
            for name, kind in self.objects.items()
            if kind not in AGENTS and scene.place_of(name) == name and domain.parents(kind)[0] == ITEM
        )
        packed = (kind for name, kind in self.objects.items() if self._is_packed(name))
        self.catalogue: Catalogue = domain.catalogue(self.objects.values(), packages, standing, packed)
        self.facts = frozenset(self._facts())

    @cached_property
    def contents(self) -> Mapping[str, tuple[str, ...]]:
        """The vessels of each liquid that is in some; taps are none."""
        held: dict[str, tuple[str, ...]] = {}
        for predicate, *arguments in self.scene.facts:
            if predicate == "liquid_in" or (predicate == "in" and self._is_poured_in(*arguments)):
                liquid, vessel = arguments
                if liquid != vessel and not self._affords(vessel, _TAP):
                    held[liquid] = (*held.get(liquid, ()), vessel)
        return held

    def _is_poured_in(self, thing: str, vessel: str) -> bool:
        """Return whether what is said to be *in* a thing is a liquid in a vessel."""
        return self._affords(thing, _LIQUID) and self._affords(vessel, _POURED_FROM)

    def _is_packed(self, name: str) -> bool:
        """Return whether a drink or a meal stands about without a vessel of its own being listed."""
        support, kind = self.scene.support(name), self.objects[name]
        if support is None or name in self.contents or kind in AGENTS or self._affords(support, _TAP):
            return False
        return self._domain.parents(kind)[0] != ITEM and self._affords(name, _FOOD)

    def _unlisted_places(self) -> Iterator[tuple[str, str]]:
        """The locations that are no objects, each with its class, if it is named after one."""
        for name, found in self.scene.locations.items():
            if name not in self.scene.objects:
                kind = name.rstrip("0123456789")
                placed = self._domain.placer.place(kind)
                there = (self._domain.placer.place(self.scene.objects[one]).classes for one in found)
                named = placed.confidence >= BY_HEAD and placed.classes not in there
                yield name, kind if named else ASSET

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
        inside = (("in", liquid, held[0]) for liquid, held in self.contents.items())
        for fact in sorted({*self.facts, *inside}):
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

    def stated(self, goal: Formula, known: Collection[str] | None = None) -> Formula:
        """*goal* put by what it takes: to bring the milk is to bring its carton, to pour the carton its milk.

        Args:
            goal: a formula about the scene.
            known: the objects that quantifiers range over; by default all.
        """
        objects = self.problem(TRUE, known)
        held = {vessel for vessels in self.contents.values() for vessel in vessels}
        flowing = {name for name in objects.objects if name in held or self._flows(name)}

        def put(part: Formula) -> Formula:
            if isinstance(part, Literal):
                return self._put(part)
            quantified = isinstance(part, (Exists, Forall)) and any(
                not flowing.isdisjoint(objects.of_type(variable.type)) for variable in part.variables
            )
            return put(ground(part, objects)) if quantified else rebuild(part, put)

        return put(goal) if flowing else goal

    def _put(self, literal: Literal) -> Literal | Exists | Or:
        """A literal about a liquid, or about what one is in, as a plan can reach it."""
        predicate, *arguments = literal.atom
        first = arguments[0] if arguments else ""
        if predicate == "liquid_in":
            inside = [liquid for liquid, held in self.contents.items() if first in held]
            return replace(literal, atom=(predicate, inside[0], arguments[1])) if inside else literal
        if predicate in _OF_LIQUIDS or not literal.positive or not self._flows(first):
            return literal
        held = [vessel for vessel in self.contents.get(first, ()) if self._is_item(vessel)]
        if held:
            found = [replace(literal, atom=(predicate, vessel, *arguments[1:])) for vessel in held]
            return found[0] if len(found) == 1 else Or(tuple(found))
        vessel = Typed("?vessel", "liquid-contain")
        there = replace(literal, atom=(predicate, vessel.name, *arguments[1:]))
        return Exists((vessel,), And((Literal(("liquid_in", first, vessel.name)), there)))

    def _flows(self, name: str) -> bool:
        """Return whether a thing is a liquid alone, and no package of it that is carried."""
        kind = self.objects.get(name, "")
        return name in self.contents or (self._domain.affords(kind, _LIQUID) and not self._is_item(name))

    def _is_item(self, name: str) -> bool:
        """Return whether a thing is carried: what is a place of its own stays there, as a chair does."""
        return self._is_a(name, ITEM) and self.scene.place_of(name) != name

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

    def serves(self, kind: str, affordances: Iterable[str]) -> bool:
        """Return whether plans rely on what things of a class may afford, as far as actions take that."""
        needed = (name for name in affordances if name in self._domain.base.domain.types)
        return all(self._domain.affords(kind, name) for name in needed)

    def kinds_of(self, places: Iterable[str]) -> dict[str, str]:
        """The class of each of some places."""
        return {place: self.objects[place] for place in places}

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
            elif self._flows(name) and self.scene.place_of(name) != name:
                pass  # it is where its vessel is
            elif self._is_item(name):
                yield from self._facts_of_item(name)
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
