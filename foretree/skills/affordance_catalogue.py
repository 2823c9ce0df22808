"""The catalogue of a domain whose types are affordances and capabilities of agents.

A class of things is a type below each affordance that it is likely to have, and below ``item`` or ``asset``;
a kind of agents is one below each of its capabilities. So an action is about whatever affords it, and there
is one for each capability, whatever the classes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Literal

from pydantic import Field

from foretree.config import find_config, read_yaml
from foretree.errors import suggest
from foretree.file_errors import error_at
from foretree.planning.pddl.syntax import Domain
from foretree.schema import Strict, validate
from foretree.skills.catalogue import Catalogue
from foretree.skills.catalogue_file import load_catalogue
from foretree.world_model.affordances.mapping import LIKELY, RELIABLE
from foretree.world_model.affordances.placement import BY_HEAD, Placer
from foretree.world_model.ontology import ClassGroup, ObjectClass, plain

#: Types of the domain: what can be carried, what stays where it is, agents, and where an agent can be.
ITEM, ASSET, AGENT, PLACE = "item", "asset", "agent", "place"
#: The section of the mapping with classes that are but kinds of things.
KINDS = "kinds"
#: What can be carried has one of these affordances.
_PORTABLE = ("grasp", "carry")
#: What is carried in a package is an item, and is poured from it.
_PACKED = (ITEM, "grasp", "pour")


@dataclass(frozen=True, slots=True)
class AgentKind:
    """A kind of agents.

    Attributes:
        name: its type in the domain.
        cost: what one action costs.
        capabilities: the types of agents that it belongs to.
        words: what people call one.
    """

    name: str
    cost: int
    capabilities: tuple[str, ...]
    words: tuple[str, ...] = ()


class _Agent(Strict):
    cost: int = Field(default=1, ge=0)
    capabilities: Literal["all"] | tuple[str, ...] = "all"
    words: tuple[str, ...] = ()


class _Kinds(Strict):
    agents: dict[str, _Agent] = Field(min_length=1)
    families: tuple[ClassGroup, ...] = ()


@dataclass
class AffordanceDomain:
    """A domain of affordances, and the classes that are put below them.

    Attributes:
        base: the domain without classes.
        agents: the kinds of agents, by name.
        placer: knows what classes afford.
        families: words that name several classes.
    """

    base: Catalogue
    agents: Mapping[str, AgentKind]
    placer: Placer
    families: tuple[ClassGroup, ...] = ()
    _made: dict[tuple[frozenset[str], ...], Catalogue] = field(default_factory=dict, init=False, repr=False)

    def catalogue(
        self,
        classes: Iterable[str] = (),
        packages: Iterable[str] = (),
        standing: Iterable[str] = (),
        packed: Iterable[str] = (),
    ) -> Catalogue:
        """The catalogue with the classes of the mapping, and with *classes* that it need not list.

        What the mapping lists as a kind of things, such as food, is a class of its own among *classes* only.

        A class that is another word for a listed one, or is a kind of one by its head noun, is a type below
        that one, too: an espresso cup is a cup.

        Args:
            classes: further classes.
            packages: those of them whose things are told apart from what is in them: where there is milk in
                it, a milk carton is a carton, and no milk.
            standing: classes of things that are places here, whether or not they could be carried.
            packed: classes of food and drinks that are here in something by which they are carried.
        """
        listed, classes = self._listed, tuple(classes)
        added = frozenset(name for name in classes if name not in listed.domain.types)
        apart, places, carried = added.intersection(packages), frozenset(standing), frozenset(packed)
        said = frozenset(name for name in classes if name in self._kinds)
        key = added, apart, places, carried, said
        if not any(key):
            return listed
        if key not in self._made:
            kin = {name: self._by_head(name) if name in apart else self._kin(name) for name in sorted(added)}
            parents = {name: (*above, *self.parents(name)) for name, above in kin.items()}
            own = {name: self._class(name) for name in parents if name in apart or not self._is_synonym(name)}
            own.update((name, self._listed_class(name)) for name in sorted(said))
            ontology = replace(listed.ontology, classes={**listed.ontology.classes, **own})
            domain = with_parents(listed.domain, parents)
            domain = with_parents(domain, dict.fromkeys(sorted(places), (ASSET,)))
            domain = with_parents(domain, dict.fromkeys(sorted(carried), _PACKED))
            self._made[key] = replace(listed, domain=domain, ontology=ontology)
        return self._made[key]

    def parents(self, class_name: str) -> tuple[str, ...]:
        """The types that a class of things belongs to: item or asset, and what it affords."""
        types = (name for name in self.placer.mapping.affordances if name in self.base.domain.types)
        return (self._portability(class_name), *(name for name in types if self.affords(class_name, name)))

    def affords(self, class_name: str, affordance: str) -> bool:
        """Return whether plans rely on the affordance of things of a class."""
        least = RELIABLE if self._is_synonym(class_name) else LIKELY
        return self.placer.probability(class_name, affordance) >= least

    def _portability(self, class_name: str) -> str:
        portable = any(self.placer.probability(class_name, name) >= LIKELY for name in _PORTABLE)
        return ITEM if portable else ASSET

    def _kin(self, name: str) -> Iterator[str]:
        """The listed class that a name is another word for, or whose head noun it has."""
        placed = self.placer.place(name)
        if placed.confidence >= BY_HEAD:
            yield max(placed.classes, key=placed.classes.__getitem__)

    def _by_head(self, name: str) -> Iterator[str]:
        """The listed class that the last word of a name says."""
        head = plain(name).rpartition(" ")[2]
        if head in self.placer.mapping.classes:
            yield head

    def _is_synonym(self, name: str) -> bool:
        return self.placer.place(name).confidence == 1.0

    def _class(self, name: str, words: tuple[str, ...] = ()) -> ObjectClass:
        return ObjectClass(name, self._portability(name), words=words)

    def _listed_class(self, name: str) -> ObjectClass:
        return self._class(name, self.placer.mapping.classes[name].words)

    @cached_property
    def _kinds(self) -> frozenset[str]:
        """The listed classes that are but kinds: food is whatever is of a class of food."""
        return frozenset(
            name for name, known in self.placer.mapping.classes.items() if known.section == KINDS
        )

    @cached_property
    def _listed(self) -> Catalogue:
        """The catalogue with the agents and all classes that the mapping lists."""
        mapping, domain = self.placer.mapping, self.base.domain
        agents = {kind.name: (AGENT, *kind.capabilities) for kind in self.agents.values()}
        taken = {plain(word) for kind in self.agents.values() for word in (kind.name, *kind.words)}
        things = [name for name in mapping.classes if name not in domain.types and plain(name) not in taken]
        classes = {name: self._listed_class(name) for name in things if name not in self._kinds}
        people = {kind.name: ObjectClass(kind.name, AGENT, words=kind.words) for kind in self.agents.values()}
        return replace(
            self.base,
            domain=with_parents(domain, {**agents, **{name: self.parents(name) for name in things}}),
            ontology=replace(self.base.ontology, classes={**people, **classes}, groups=self.families),
        )


def with_parents(domain: Domain, parents: Mapping[str, Iterable[str]]) -> Domain:
    """*domain* with types added, or put below further ones; the first of the *parents* is the main one."""
    types, further = dict(domain.types), dict(domain.further_parents)
    for name, above in parents.items():
        first, *more = dict.fromkeys(above)
        main = types.setdefault(name, first)
        others = (one for one in (first, *more) if one not in (main, *further.get(name, ())))
        further[name] = (*further.get(name, ()), *others)
    return replace(domain, types=types, further_parents={n: above for n, above in further.items() if above})


def load_affordance_domain(placer: Placer, name: str = "affordances") -> AffordanceDomain:
    """Read a domain of affordances: its types, its actions, its agents, and how people ask for them.

    Args:
        placer: knows what classes of things afford.
        name: one of ``configs/domains``, or the path of such a YAML file.

    Raises:
        ConfigError: a file is missing or says something that makes no sense; with file and line.
        PddlError: the domain is wrong; with file, line and column.
    """
    path = find_config("domains", name)
    base = load_catalogue(str(path))
    data = read_yaml(path)
    read = validate(_Kinds, {key: data[key] for key in _Kinds.model_fields if key in data}, path)
    able = capabilities_in(base.domain, read.agents)
    agents = {}
    for kind, agent in read.agents.items():
        if not base.domain.is_a(kind, AGENT):
            valid = [name for name in base.domain.types if base.domain.is_a(name, AGENT)]
            problem = f"{base.domain.name} has no type of agents of this name. {suggest(kind, valid)}"
            raise error_at(path, ("agents", kind), problem)
        _check_capabilities(path, kind, agent, able)
        chosen = able if agent.capabilities == "all" else agent.capabilities
        agents[kind] = AgentKind(kind, agent.cost, chosen, agent.words)
    _check_families(path, read.families, placer)
    return AffordanceDomain(base, agents, placer, read.families)


def capabilities_in(domain: Domain, kinds: Iterable[str]) -> tuple[str, ...]:
    """The types below agents that are not *kinds* of agents: what agents are capable of."""
    without = {AGENT, *kinds}
    return tuple(name for name in domain.types if domain.is_a(name, AGENT) and name not in without)


def _check_capabilities(path: Path, kind: str, agent: _Agent, able: tuple[str, ...]) -> None:
    for index, capability in enumerate(agent.capabilities if agent.capabilities != "all" else ()):
        if capability not in able:
            problem = f"{capability!r} is no capability. {suggest(capability, able)}"
            raise error_at(path, ("agents", kind, "capabilities", index), problem)


def _check_families(path: Path, families: tuple[ClassGroup, ...], placer: Placer) -> None:
    for number, family in enumerate(families):
        for index, name in enumerate(family.of):
            if name not in placer.mapping.classes:
                problem = f"there is no class {name!r}. {suggest(name, placer.mapping.classes)}"
                raise error_at(path, ("families", number, "of", index), problem)
