"""Objects that a goal needs and that are not known yet, in a home that the robot has to discover.

To find out, one of each class that there could be is imagined, somewhere far away, and it is asked what the
goal needs then (:mod:`foretree.planning.task.relaxed_relevance`). Whatever is needed and only imagined is
missing: a microwave where something has to be hot, a knife where something has to be in slices. What is known
is preferred, however far away it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from foretree.planning.pddl.syntax import (
    And,
    Count,
    Domain,
    Exists,
    Forall,
    Formula,
    Not,
    Or,
    Problem,
    constants_of,
    walk,
)
from foretree.planning.task.problems import make_problem
from foretree.planning.task.relaxed_relevance import find_relevant
from foretree.world_model.articles import with_article
from foretree.world_model.beliefs.belief import Snapshot
from foretree.world_model.beliefs.consequences import consequences
from foretree.world_model.beliefs.facts import WHEREABOUTS, Atom
from foretree.world_model.maps.places import PlaceGraph
from foretree.world_model.ontology import Ontology

#: Where things are that are only imagined, and those that are lost: each somewhere else, and far away.
_ELSEWHERE = "elsewhere:"
_IMAGINED = "imagined:"
#: As many of a class are imagined at most.
_MAX_IMAGINED = 6


@dataclass(frozen=True, slots=True)
class Missing:
    """An object that is needed and not located.

    Attributes:
        class_name: what it is.
        entity: which one, if a certain one is needed.
        known: those of the class that were known when it was found to be missing.
    """

    class_name: str
    entity: str = ""
    known: frozenset[str] = frozenset()

    def __str__(self) -> str:
        if self.entity:
            return self.entity
        words = self.class_name.replace("_", " ")
        if self.known:
            return f"another {words}"
        return with_article(self.class_name)

    def is_found(self, beliefs: Snapshot, domain: Domain) -> bool:
        """Return whether it is located by now."""
        if self.entity:
            entity = beliefs.entity(self.entity)
            return entity is None or is_somewhere(self.entity, beliefs)
        return bool(known_of(self.class_name, beliefs, domain) - self.known)


def is_somewhere(name: str, beliefs: Snapshot) -> bool:
    """Return whether it is known where something is: as furniture, in a hand, or on what is somewhere.

    A slice in a pan that cannot be found is nowhere.
    """
    return beliefs.entity(name) is not None and not _node_of(name, beliefs).startswith(_ELSEWHERE)


def resting_place(name: str, beliefs: Snapshot) -> str | None:
    """The furniture that something rests on in the end; None if it is in a hand, or not located."""
    node = _node_of(name, beliefs)
    piece = beliefs.entity(node)
    return node if piece is not None and piece.fixed else None


def known_of(class_name: str, beliefs: Snapshot, domain: Domain) -> frozenset[str]:
    """The things of a class of which it is known where they are."""
    return frozenset(
        name
        for name, entity in beliefs.entities().items()
        if domain.is_a(entity.best_class, class_name) and is_somewhere(name, beliefs)
    )


def what_is_missing(
    goal: Formula,
    beliefs: Snapshot,
    domain: Domain,
    ontology: Ontology,
    places: PlaceGraph,
    here: str | None,
) -> tuple[Missing, ...]:
    """Return what *goal* needs and is not known; nothing if what is known may do.

    Args:
        goal: what is to be reached.
        beliefs: what is known.
        domain: what can be done.
        ontology: what there could be.
        places: the map as far as it is known.
        here: where the robot stands.

    Raises:
        ProblemError: the goal names something that was never known.
    """
    made = make_problem(domain, beliefs, goal, {})
    everywhere = {name for name in all_wanted(goal) if known_of(name, beliefs, domain)}
    imagined = _imagine(goal, domain, ontology, everywhere)
    problem = _with(made.problem, imagined, ontology)
    node_of = {name: f"{_ELSEWHERE}{name}" for name in imagined}
    for name, entity in beliefs.entities().items():
        if name in problem.objects and ontology.type_of(entity.best_class) in ("item", "asset"):
            node_of[name] = _node_of(name, beliefs)
    whole_of = dict(_parts(imagined, ontology))
    for part, whole in whole_of.items():
        node_of[part] = node_of[whole]
    nodes = [here] if here is not None and here in places else []
    needed = find_relevant(
        problem, node_of, lambda node: places.distances(node) if node in places else {}, nodes
    )
    found: dict[Missing, None] = {}
    for name in sorted(needed.things):
        class_name = imagined.get(whole_of.get(name, name))
        if class_name is not None:
            found[Missing(class_name, known=known_of(class_name, beliefs, domain))] = None
            continue
        lost = beliefs.entity(name)
        if lost is not None and node_of.get(name, "").startswith(_ELSEWHERE):
            found[Missing(lost.best_class, name)] = None
    return tuple(found)


def all_wanted(goal: Formula) -> tuple[str, ...]:
    """Return the classes of which a goal wants all: before all places were seen, not all are known."""
    return tuple(dict.fromkeys(_all_wanted(goal)))


def _all_wanted(goal: Formula) -> Iterator[str]:
    match goal:
        case Forall(variables=variables) | Not(Exists(variables=variables) | Count(variables=variables)):
            yield from (variable.type for variable in variables)
        case And(parts) | Or(parts):
            for part in parts:
                yield from _all_wanted(part)
        case Exists(body=body) | Count(body=body):
            yield from _all_wanted(body)


def _imagine(
    goal: Formula, domain: Domain, ontology: Ontology, everywhere: Collection[str]
) -> Mapping[str, str]:
    """As many of each class as could be needed, by the names that they are given.

    Of what is wanted *everywhere* it is wherever it is: one more would only be more to do.
    """
    wanted: Counter[str] = Counter()
    for formula in walk(goal):
        if isinstance(formula, (Exists, Forall)):
            wanted.update(variable.type for variable in formula.variables)
        elif isinstance(formula, Count):
            wanted[formula.variable.type] += max(1, formula.at_least)
    parts = set(ontology.parts.of.values()) if ontology.parts is not None else set()
    named = constants_of(goal)
    found: dict[str, str] = {}
    for class_name, known in ontology.classes.items():
        # What comes of cutting things up is imagined with these.
        if known.parent not in ("item", "asset") or class_name in parts or class_name in named:
            continue
        if any(domain.is_a(class_name, name) for name in everywhere):
            continue
        number = sum(count for name, count in wanted.items() if domain.is_a(class_name, name))
        for at in range(min(_MAX_IMAGINED, max(1, number))):
            found[f"{_IMAGINED}{class_name}{at}"] = class_name
    return found


def _parts(imagined: Mapping[str, str], ontology: Ontology) -> Iterator[tuple[str, str]]:
    """The parts of what is imagined, each with its whole."""
    if ontology.parts is not None:
        for name, class_name in imagined.items():
            if class_name in ontology.parts.of:
                yield from ((part, name) for part in ontology.parts.names(name))


def _with(problem: Problem, imagined: Mapping[str, str], ontology: Ontology) -> Problem:
    """*problem* with what is imagined in it, made for what such things are made for."""
    objects = dict(problem.objects)
    init: set[Atom] = set(problem.init)
    for name, class_name in imagined.items():
        objects[name] = class_name
        init.update(ontology.affordance_atoms(name, class_name))
    parts = ontology.parts
    for part, whole in _parts(imagined, ontology):
        assert parts is not None
        objects[part] = parts.of[imagined[whole]]
        init.update(ontology.affordance_atoms(part, objects[part]))
        init.add((parts.within, part, whole))
        init.add((parts.listed, whole, *parts.names(whole)))
        init.update(consequences(ontology.follows, [(parts.within, part, whole)]))
    return replace(problem, objects=objects, init=frozenset(init))


def _node_of(name: str, beliefs: Snapshot) -> str:
    """The furniture that something rests on in the end; elsewhere if it is not located."""
    seen: set[str] = set()
    while name not in seen:
        seen.add(name)
        entity = beliefs.entity(name)
        if entity is not None and entity.fixed:
            return name
        rests = beliefs.placement(WHEREABOUTS, name)
        if rests is None:
            return f"{_ELSEWHERE}{name}"
        if len(rests) != 3:
            return name  # in a hand
        name = rests[2]
    return f"{_ELSEWHERE}{name}"
