"""Second looks: what is looked at again before a goal is given up.

When there is no plan and no place is left to search, something that is believed may be wrong. First come
single things: a thing of the classes that the goal takes, or that may be of one of them, and of which the
class, a state or the place is in doubt. Where it is proved that there is no plan, only those doubts count
but for which that is not so. Then the robot looks all around from places where it has not done so: what was
overlooked, and what seemed to be in the way, may look otherwise from there. Each thing and each place has a
few looks, in turn, until time runs low.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from math import dist

from foretree.agent.context import AgentContext
from foretree.agent.discovery.missing_objects import resting_place
from foretree.agent.mission import Mission
from foretree.planning.grounding.relaxed_reachability import is_relaxed_unreachable
from foretree.planning.pddl.syntax import Count, Exists, Forall, Formula, Problem, constants_of, walk
from foretree.planning.task.problems import ProblemError, make_problem
from foretree.world_model.beliefs.belief import Snapshot
from foretree.world_model.beliefs.facts import BY_EYE, WHEREABOUTS, Atom, Entity

#: What is less likely than this to be otherwise is no doubt.
_LEAST_DOUBT = 0.02
#: Each look at a thing leaves so much of the hope; less hope than this is none.
_HOPE_AFTER_LOOK, _LEAST_HOPE = 0.4, 0.003
#: Of so many doubts it is found out whether there may be a plan but for them; where that does not tell, so
#: many count that the goal speaks of.
_MOST_TRIED, _MOST_DOUBTS = 300, 24
#: What a look costs beside the way, in metres.
_LOOK_COST = 2.0
#: From so many places the robot looks all around again; no two of them are nearer than this (metres).
_OUTLOOKS, _APART = 12, 1.0
#: When so much of the time is over, nothing is looked at again.
_TIME_SHARE = 0.85


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something that is believed of a thing and may be wrong.

    Attributes:
        thing: the thing.
        likely: how likely it is otherwise.
        atom: the fact in doubt; that of its class if the class is.
        other: the class that it may be of instead; empty where a state or a place is in doubt.
    """

    thing: str
    likely: float
    atom: Atom
    other: str = ""


class SecondLooks:
    """Chooses what to look at again.

    Args:
        context: knows what is believed.
        mission: says what for.
        begun: when that was begun.
    """

    def __init__(self, context: AgentContext, mission: Mission, begun: float) -> None:
        self._context = context
        self._mission = mission
        self._begun = begun
        self._looks: Counter[str] = Counter()
        self._outlooks: list[tuple[float, ...]] = []
        self._enclosed = False

    @property
    def allowed(self) -> bool:
        """False if the robot is not to look again, would make no plan afterwards, or has little time left."""
        context = self._context
        settings = context.settings
        return (
            settings.look_round
            and self._mission.rounds < settings.rounds
            and context.clock.now() - self._begun < _TIME_SHARE * settings.time_limit
        )

    def begin_anew(self) -> bool:
        """Begin anew with all that was looked at; False if that is over, or nothing was."""
        if not self.allowed or not (self._looks or self._outlooks):
            return False
        self._looks.clear()
        self._outlooks.clear()
        self._enclosed = False
        return True

    # -- single things -----------------------------------------------------------------------------
    def thing(self, classes: Collection[str]) -> tuple[str, str] | None:
        """Choose a thing to look at again, and the node to look from; None if there is none.

        Args:
            classes: those of which something is missing.
        """
        here, goal = self._context.node(), self._mission.goal
        if not self.allowed or goal is None or here is None or here not in self._context.places:
            return None
        beliefs = self._context.belief.snapshot()
        distances = self._context.places.distances(here)
        best: tuple[float, str, str] | None = None
        for doubt in self._helpful(goal, classes, beliefs):
            node, hope = _node_of(doubt.thing, beliefs), self._hope(doubt)
            if node in distances:
                found = ((_LOOK_COST + distances[node]) / hope, doubt.thing, node)
                best = found if best is None else min(best, found)
        if best is None:
            return None
        self._looks[best[1]] += 1
        return best[1:]

    def _helpful(self, goal: Formula, classes: Collection[str], beliefs: Snapshot) -> list[Doubt]:
        """Find the doubts that matter: but for them there may be a plan, or else the goal speaks of them."""
        context = self._context
        doubts = sorted(self._doubts(beliefs), key=lambda one: (-one.likely, one.thing, one.atom, one.other))
        try:
            problem = make_problem(context.catalogue.domain, beliefs, goal, context.task.functions).problem
        except ProblemError:
            return []
        if is_relaxed_unreachable(problem):
            found = [
                doubt
                for doubt in doubts[:_MOST_TRIED]
                if not is_relaxed_unreachable(self._otherwise(problem, doubt, beliefs))
            ]
            if found:
                return found
        wanted = {*classes, *_quantified(goal)}
        plan = self._mission.plan
        named = {
            *constants_of(goal),
            *(name for one in (plan.actions if plan else ()) for name in one.arguments),
        }

        def speaks_of(doubt: Doubt) -> bool:
            entity = beliefs.entity(doubt.thing)
            kind = doubt.other or (entity.best_class if entity is not None else "")
            is_wanted = any(context.catalogue.domain.is_a(kind, one) for one in wanted)
            return is_wanted or (not doubt.other and doubt.thing in named)

        return [doubt for doubt in doubts if speaks_of(doubt)][:_MOST_DOUBTS]

    def _hope(self, doubt: Doubt) -> float:
        return float(doubt.likely * _HOPE_AFTER_LOOK ** self._looks[doubt.thing])

    def _doubts(self, beliefs: Snapshot) -> Iterator[Doubt]:
        """Iterate over what may be otherwise of the things that can be looked at again, to some hope."""
        return (doubt for doubt in self._all_doubts(beliefs) if self._hope(doubt) >= _LEAST_HOPE)

    def _all_doubts(self, beliefs: Snapshot) -> Iterator[Doubt]:
        ontology = self._context.catalogue.ontology
        seen = {
            name: entity
            for name, entity in sorted(beliefs.entities().items())
            if self._can_be_seen_again(entity)
        }
        for name, entity in seen.items():
            best = entity.best_class
            for other in ontology.classes:
                score = entity.classes.get(other, 0.0)
                if other != best and (score >= _LEAST_DOUBT or ontology.look_alike(best, other)):
                    # However often it looked like this from afar: what looks alike is mistaken from there.
                    yield Doubt(name, max(score, _LEAST_DOUBT), ("class", name, best), other)
        for fact in beliefs.facts():
            name = fact.atom[1] if len(fact.atom) > 1 else ""
            if name not in seen or fact.source not in BY_EYE or 1 - fact.confidence < _LEAST_DOUBT:
                continue
            info = beliefs.vocabulary[fact.atom[0]]
            is_state = info.kind == "attribute" and len(fact.atom) == 2
            if is_state or beliefs.placement(WHEREABOUTS, name) == fact.atom:
                yield Doubt(name, 1 - fact.confidence, fact.atom)

    def _can_be_seen_again(self, entity: Entity) -> bool:
        ontology = self._context.catalogue.ontology
        kinds = ("item", *self._context.tracker.discovered)
        return not entity.told and entity.pose is not None and ontology.type_of(entity.best_class) in kinds

    def _otherwise(self, problem: Problem, doubt: Doubt, beliefs: Snapshot) -> Problem:
        """*problem* as it would be if what is in doubt were otherwise."""
        name = doubt.thing
        if name not in problem.objects:
            return problem
        if doubt.other:
            ontology = self._context.catalogue.ontology
            before = set(ontology.affordance_atoms(name, doubt.atom[2]))
            init = (problem.init - before) | set(ontology.affordance_atoms(name, doubt.other))
            return replace(problem, objects={**problem.objects, name: doubt.other}, init=init)
        init = problem.init ^ {doubt.atom}
        if beliefs.vocabulary[doubt.atom[0]].group == WHEREABOUTS:
            surfaces = (other for other in problem.objects if ("surface", other) in init and other != name)
            init |= {("on", name, other) for other in surfaces}
        return replace(problem, init=init)

    # -- all around --------------------------------------------------------------------------------
    def outlook(self) -> str | None:
        """Choose a node from which to look all around again; None if there is none left."""
        context = self._context
        here = context.node()
        if not self.allowed or here is None or here not in context.places or len(self._outlooks) >= _OUTLOOKS:
            return None
        if not self._outlooks:
            self._outlooks.append(context.places.place(here).pose[:2])
        distances = context.places.distances(here)
        if len(distances) == 1 and not self._enclosed:
            # Nothing that was seen can be got to: from here, what seems to be in the way is put in doubt.
            self._enclosed = True
            return here
        places = {name: context.places.place(name).pose[:2] for name in distances}
        left = [
            (distances[name], name)
            for name, at in places.items()
            if all(dist(at, other) > _APART for other in self._outlooks)
        ]
        if not left:
            return None
        _, name = min(left)
        self._outlooks.append(places[name])
        return name


def _quantified(goal: Formula) -> Iterator[str]:
    """The classes that a goal quantifies over."""
    for part in walk(goal):
        if isinstance(part, (Exists, Forall)):
            yield from (variable.type for variable in part.variables)
        elif isinstance(part, Count):
            yield part.variable.type


def _node_of(name: str, beliefs: Snapshot) -> str:
    """The node from which one looks at something; empty if it is in a hand, or not located."""
    entity = beliefs.entity(name)
    return name if entity is not None and entity.fixed else resting_place(name, beliefs) or ""
