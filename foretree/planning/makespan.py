"""The makespan of a plan: how long it takes if what need not wait is done at once.

An action takes as long as it costs: costs are what a plan knows of time.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping

from foretree.planning.plan import Action


def makespan(
    actions: Iterable[Action],
    order: Mapping[str, frozenset[str]],
    holds: Callable[[Action], Collection[Hashable]],
) -> int:
    """Return when the last action ends, if each begins as early as it can, in the order they are listed in.

    Args:
        actions: in a valid sequence.
        order: for each action's id, the ids of those that must have ended before.
        holds: the parts of robots that an action holds while it runs.
    """
    ends: dict[str, int] = {}
    free: dict[Hashable, int] = {}
    for action in actions:
        parts = holds(action)
        before = [ends[name] for name in order.get(action.id, ()) if name in ends]
        begins = max((*before, *(free.get(part, 0) for part in parts)), default=0)
        ends[action.id] = end = begins + action.cost
        free.update(dict.fromkeys(parts, end))
    return max(ends.values(), default=0)
