"""The safety net under retrieval: whatever the goal needs and was not retrieved is added.

An instruction can be worded in more ways than any retriever understands; its goal says what has to be so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from foretree.planning.pddl.syntax import Problem
from foretree.planning.task.relaxed_relevance import find_relevant
from foretree.reasoning.retrieval.retriever import Hit


def find_missing_nodes(
    nodes: Iterable[str],
    problem: Problem,
    node_of: Mapping[str, str],
    distances: Callable[[str], Mapping[str, int]] | None = None,
) -> tuple[Hit, ...]:
    """The nodes that *problem* needs besides those that were retrieved.

    Args:
        nodes: those that were retrieved.
        problem: the problem with everything there is in it.
        node_of: where things are, by name; what has no node (a hand, a door) is at hand.
        distances: what it costs to get from a node to others, as
            :meth:`~foretree.world_model.maps.places.PlaceGraph.distances` says it; without it, all are
            equally near.
    """
    found = find_relevant(problem, node_of, distances, nodes)
    return tuple(Hit(node, why) for node, why in found.nodes.items())
