"""Return whether a session plans on the whole map or on its compressed form, and back again."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Protocol

from foretree.planning.constraints.barred_passages import without_barred_passages, without_doubtful_passages
from foretree.planning.maps.closing import without_idle_closers
from foretree.planning.maps.compression import compress
from foretree.planning.maps.navigation import NavigationError, find_navigation
from foretree.planning.pddl.syntax import Domain, PlanStep, Problem
from foretree.planning.task.object_selection import find_support_relations, select_objects
from foretree.world_model.maps.compressed_map import CompressedMap, Roadmap
from foretree.world_model.maps.places import MapError, PlaceGraph

#: So many layouts are remembered: sessions begin in the same places again and again, as in a suite.
_MOST_LAYOUTS = 64
_layouts: dict[Hashable, Roadmap] = {}


class ReducedProblem(Protocol):
    """A problem for a solver, and the way back from its steps to those of the problem it was made of."""

    @property
    def problem(self) -> Problem:
        """The problem that a solver gets."""
        ...

    def refine(self, steps: Iterable[PlanStep]) -> tuple[PlanStep, ...]:
        """The solver's steps as steps of the original problem."""
        ...


@dataclass(frozen=True)
class WholeProblem:
    """A problem that is solved as it is."""

    problem: Problem

    def refine(self, steps: Iterable[PlanStep]) -> tuple[PlanStep, ...]:
        """The same steps."""
        return tuple((name, tuple(arguments)) for name, arguments in steps)


class _LazyProblem:
    """A form that is made only when it is asked for: it is large, and most often not needed.

    Args:
        make: makes it.
    """

    def __init__(self, make: Callable[[], ReducedProblem]) -> None:
        self._make = make

    @property
    def problem(self) -> Problem:
        """The problem that a solver gets."""
        return self._made.problem

    def refine(self, steps: Iterable[PlanStep]) -> tuple[PlanStep, ...]:
        """The solver's steps as steps of the original problem."""
        return self._made.refine(steps)

    @cached_property
    def _made(self) -> ReducedProblem:
        return self._make()


class ProblemForms:
    """The compressed map of one session, kept from one plan to the next.

    A domain without navigation, or with one that cannot be compressed, is planned for as it is; and so is a
    goal about the map itself.

    Args:
        domain: what is planned for.
        places: the map.
        rests: the predicates that say what a thing rests at.
        selecting: whether to plan with the things first that the goal gives a reason to think of.

    Attributes:
        why_not: why nothing is compressed; empty if it is.
    """

    def __init__(
        self, domain: Domain, places: PlaceGraph, rests: Collection[str] = (), *, selecting: bool = True
    ) -> None:
        self._domain = domain
        self._rests = frozenset(rests)
        self._resting = find_support_relations(domain) if selecting else None
        self.why_not = ""
        self._floor: CompressedMap | None = None
        self._drawn = places.revision
        #: The map as it was drawn, for what is made later: by then a robot may have come to know it better.
        self._still = places
        try:
            self._navigation = find_navigation(domain)
        except NavigationError as error:
            self._navigation = None
            self.why_not = str(error)
        if self._navigation is not None:
            self._floor = CompressedMap(places)
        elif not self.why_not:
            self.why_not = f"The domain {domain.name} has no navigation."

    def forms(
        self, problem: Problem, keep: Collection[str] | None = None, things: Collection[str] = ()
    ) -> tuple[ReducedProblem, ...]:
        """*problem* as it is best solved, and as it is solved if that has no plan.

        What closes doors is in none of them unless a door has to be closed, and no more are nodes and doors
        that constraints bar. Where nodes may be entered at some times only, ways round them are tried, too.

        Args:
            keep: the nodes that matter, if they are known: first with those only, then with all.
            things: the things that matter, as far as they are known.
        """
        floor, navigation = self._floor, self._navigation
        if floor is None or navigation is None:
            return (WholeProblem(problem),)
        is_constrained = problem.domain is not self._domain
        problem = without_idle_closers(problem)
        if not is_constrained:
            return self._compressed(problem, keep, things)
        try:
            possible = without_barred_passages(problem, navigation)
        except NavigationError:
            return (WholeProblem(problem),)
        forms = self._compressed(possible, keep, things)
        around = without_doubtful_passages(possible, navigation)
        if around is None:
            return forms
        return (forms[0], *self._compressed(around, keep, things), WholeProblem(problem))

    def _compressed(
        self, problem: Problem, keep: Collection[str] | None, things: Collection[str]
    ) -> tuple[ReducedProblem, ...]:
        """*problem* on the compressed map, with what matters first, then with all."""
        floor, navigation = self._floor, self._navigation
        assert floor is not None
        assert navigation is not None
        if floor.places.revision != self._drawn:
            # A robot that finds its way about by itself has come to know its map better.
            self._drawn = floor.places.revision
            self._floor = floor = CompressedMap(floor.places)
            self._still = floor.places.copy()
        if len(_layouts) >= _MOST_LAYOUTS:
            _layouts.clear()
        try:
            if keep is None and self._resting is None:
                return (compress(problem, floor, navigation, known=_layouts),)
            selected, nodes = problem, keep or ()
            if self._resting is not None:
                distances = floor.places.distances
                found = select_objects(problem, self._resting, navigation.names, distances, nodes, things)
                selected, nodes = found.problem, sorted(found.nodes)
            return (
                compress(selected, floor, navigation, nodes, self._rests, _layouts),
                _LazyProblem(partial(self._everything, problem, self._still)),
            )
        except (NavigationError, MapError):
            # The latter, where the map has changed since the problem was made: it is explained later.
            return (WholeProblem(problem),)

    def _everything(self, problem: Problem, places: PlaceGraph) -> ReducedProblem:
        """*problem* with all nodes that anything is known of, on a map of its own: it may come late, from
        another thread."""
        assert self._navigation is not None
        return compress(problem, CompressedMap(places), self._navigation)
