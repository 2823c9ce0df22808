"""Selection of the objects a task is about: a problem with those only, and the nodes where they are.

In a building everything can be carried about on everything else, so for a search everything matters: any
mango may be put onto any plate on the way. A person thinks of less: of the things that the goal is about, of
what is needed as a tool for that (:mod:`foretree.planning.task.relaxed_relevance`), of what is in the way,
and of what all those rest on. That is what is selected here, together with somewhere near to put things down,
and with something to carry things on where there are more of them than hands.

What is left out can make the best plan dearer: a tray that stands elsewhere would have helped. What that
costs is measured (``benchmarks/bench_selection.py``, and the variant
``without-selection`` of the suite ``building``), and the agent's setting ``select`` turns it off. Where a
selection has no plan, everything is looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from foretree.planning._closure import closure
from foretree.planning.maps.navigation import NavigationNames
from foretree.planning.pddl.syntax import Domain, Literal, Problem, constants_of
from foretree.planning.semantics.evaluation import conjuncts
from foretree.planning.semantics.operator_index import OperatorParts, index_of
from foretree.planning.task.relaxed_relevance import find_relevant, possible_supports
from foretree.world_model.beliefs.facts import HAS_HAND, HOLDING, Atom

#: What it costs to get from a node to the others.
Distances = Callable[[str], Mapping[str, int]]


@dataclass(frozen=True, slots=True)
class SupportRelations:
    """The predicates by which a domain says that things rest on others.

    Attributes:
        predicates: those that say what a thing rests on, ``(on ?item ?place)``, in the domain's order. The
            first is the one by which a thing is put down somewhere for the time being.
        carried: the type of what can be carried.
        occupying: such a predicate, and a state of the place that ends when the thing is taken away.
    """

    predicates: tuple[str, ...]
    carried: str
    occupying: frozenset[tuple[str, str]] = frozenset()


def find_support_relations(domain: Domain) -> SupportRelations | None:
    """Return how *domain* says where things rest; None if nothing that can be carried carries anything else.

    A thing rests where taking it into a hand ends it. What gives way to resting somewhere is resting, too: a
    slice is in the apple until it is cut off.
    """
    if HOLDING not in domain.predicates:
        return None
    carried = domain.predicates[HOLDING][-1].type
    found: set[str] = set()
    occupying: set[tuple[str, str]] = set()
    carriers = False
    index = index_of(domain)
    for operator in domain.operators.values():
        taken = {
            effect.literal.atom[-1]
            for effect in operator.effects
            if effect.literal.positive and effect.literal.atom[0] == HOLDING
        }
        types = {parameter.name: parameter.type for parameter in operator.parameters}
        for atom in index.parts(operator).consumed:
            if len(atom) == 3 and atom[1] in taken:
                found.add(atom[0])
                occupying |= {
                    (atom[0], effect.literal.atom[0])
                    for effect in operator.effects
                    if not effect.literal.positive and effect.literal.atom[1:] == (atom[2],)
                }
                carriers = carriers or domain.is_a(types.get(atom[2], "object"), carried)
    if not carriers:
        return None
    found |= {
        atom[0] for operator in domain.operators.values() for atom in _exchanged(index.parts(operator), found)
    }
    order = tuple(predicate for predicate in domain.predicates if predicate in found)
    return SupportRelations(order, carried, frozenset(occupying))


def _exchanged(parts: OperatorParts, resting: Collection[str]) -> Iterator[Atom]:
    """Yield the atoms that an operator exchanges for resting somewhere."""
    settled = {
        effect.literal.atom[1]
        for effect in parts.operator.effects
        if effect.literal.positive and effect.literal.atom[0] in resting
    }
    return (atom for atom in parts.consumed if len(atom) == 3 and atom[1] in settled)


@dataclass(frozen=True, slots=True)
class ObjectSelection:
    """A problem with what matters.

    Attributes:
        problem: with fewer things.
        nodes: where they are, and where else something is to be done.
    """

    problem: Problem
    nodes: frozenset[str]


def select_objects(
    problem: Problem,
    resting: SupportRelations,
    names: NavigationNames,
    distances: Distances,
    nodes: Iterable[str] = (),
    keep: Iterable[str] = (),
    *,
    alternatives: bool = True,
) -> ObjectSelection:
    """*problem* with those things only that its goal gives a reason to think of.

    Args:
        problem: everything there is.
        resting: how its domain speaks of where things are.
        names: what its domain calls the parts of its navigation.
        distances: what it costs to get about.
        nodes: those that matter in any case.
        keep: the things that do.
        alternatives: whether to think of other ways than the cheapest, see
            :func:`~foretree.planning.task.relaxed_relevance.needs`.
    """
    node_of = _nodes_of(problem.init, resting, names.object_at)
    held = {atom[-1] for atom in problem.init if atom[0] == HOLDING}
    known = _without(problem, _unplaced(problem, resting, node_of, held))
    found = find_relevant(known, node_of, distances, nodes, alternatives=alternatives)
    # A hand that holds what is not needed is free only once that is put down.
    named = constants_of(problem.goal) | index_of(problem.domain).named
    things = {*found.things, *named, *held, *keep}
    things |= _carriers(known, resting, node_of, things)
    kept = _with_neighbours(things, found.in_the_way, known, resting)
    matter = {*nodes, *found.nodes, *(node_of[name] for name in kept if name in node_of)}
    smaller = _without(known, set(known.of_type(resting.carried)) - kept)
    fixed = set(possible_supports(smaller, resting.predicates[0])).difference(known.of_type(resting.carried))
    spots = sorted({node_of[name] for name in fixed if name in node_of})
    at_once = _reachable_spots(problem.init, names, spots, distances)
    return ObjectSelection(smaller, frozenset({*matter, *_nearest(matter, spots, distances), *at_once}))


def _carriers(
    problem: Problem, resting: SupportRelations, node_of: Mapping[str, str], things: Collection[str]
) -> set[str]:
    """Return what could carry several things at once, where more are to be moved than there are hands.

    That is one thing of each kind, to be put on or into, at each place that they are taken from.

    Without a tray, a robot would go as often as there are things; and it would not be known that it need not.
    """
    init = problem.init
    moved = [
        literal.atom[1]
        for literal in conjuncts(problem.goal)
        if isinstance(literal, Literal)
        and literal.positive
        and literal.atom[0] in resting.predicates
        and literal.atom not in init
    ]
    if len(moved) <= sum(atom[0] == HAS_HAND for atom in init):
        return set()
    found: set[str] = set()
    starts = {node_of[name] for name in moved if name in node_of}
    for predicate in resting.predicates:
        able = set(possible_supports(problem, predicate)).intersection(problem.of_type(resting.carried))
        for source in starts:
            here = sorted(name for name in able - set(things) if node_of.get(name) == source)
            found.update(here[:1])
    return found


def _unplaced(
    problem: Problem, resting: SupportRelations, node_of: Mapping[str, str], held: Collection[str]
) -> Iterator[str]:
    """Yield what can be carried but is at no known place: it is no help, although the way there is free.

    What the goal names is not among it: without that there is no telling what is wrong.
    """
    below = {atom[1]: [atom[2]] for atom in problem.init if atom[0] in resting.predicates}
    named = constants_of(problem.goal)
    for name in problem.of_type(resting.carried):
        if name not in node_of and name not in named and closure([name], below).isdisjoint(held):
            yield name


def _without(problem: Problem, gone: Iterable[str]) -> Problem:
    """*problem* without some things."""
    gone = frozenset(gone)
    return replace(
        problem,
        objects={name: type_name for name, type_name in problem.objects.items() if name not in gone},
        init=frozenset(atom for atom in problem.init if gone.isdisjoint(atom[1:])),
        functions={term: value for term, value in problem.functions.items() if gone.isdisjoint(term[1:])},
    )


def _with_neighbours(
    things: Iterable[str], in_the_way: Iterable[str], problem: Problem, resting: SupportRelations
) -> set[str]:
    """Return what is needed, what that rests on, what rests on it, and what occupies it or is in its way."""
    below: dict[str, list[str]] = {}
    above: dict[str, list[str]] = {}
    for atom in problem.init:
        if atom[0] in resting.predicates:
            below.setdefault(atom[1], []).append(atom[2])
            above.setdefault(atom[2], []).append(atom[1])
    kept = closure(things, below)
    carriers = kept.intersection(problem.of_type(resting.carried))
    occupants = {
        atom[1]
        for atom in problem.init
        for predicate, state in resting.occupying
        if atom[0] == predicate and atom[-1] in kept and (state, atom[-1]) in problem.init
    }
    return kept | closure({*carriers, *occupants, *in_the_way}, above)


def _nearest(nodes: Iterable[str], spots: Sequence[str], distances: Distances) -> Iterator[str]:
    """For each node, the nearest of some spots."""
    for node in nodes:
        ways = distances(node)
        reached = [spot for spot in spots if spot in ways]
        if reached:
            yield min(reached, key=lambda spot: (ways[spot], spot))


def _reachable_spots(
    init: Collection[Atom], names: NavigationNames, spots: Collection[str], distances: Distances
) -> Iterator[str]:
    """For each robot, the nearest of some spots that it can get to with both hands full: there it frees one.

    A robot that comes to a closed door with all hands full has to put one thing down on this side of it.
    """
    after: dict[str, list[str]] = {}
    for atom in init:
        if atom[0] == names.connected:
            after.setdefault(atom[1], []).append(atom[2])
    for here in sorted(atom[-1] for atom in init if atom[0] == names.robot_at):
        reached = closure([here], after)
        yield from _nearest([here], [spot for spot in spots if spot in reached], distances)


def _nodes_of(init: Iterable[Atom], resting: SupportRelations, object_at: str) -> dict[str, str]:
    """The node where each thing is: its own, or that of what it rests on in the end."""
    below = {atom[1]: atom[2] for atom in init if atom[0] in resting.predicates}
    found = {atom[1]: atom[2] for atom in init if atom[0] == object_at}
    for name in below:
        chain = [name]
        while chain[-1] not in found and chain[-1] in below and len(chain) <= len(below):
            chain.append(below[chain[-1]])
        if chain[-1] in found:
            found.update(dict.fromkeys(chain, found[chain[-1]]))
    return found
