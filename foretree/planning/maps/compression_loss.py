"""The cost of leaving nodes out: the best plan with some nodes against the best plan with all of them.

With the same nodes to act at, the compressed map loses nothing. Choosing nodes may: the nearest table to put
something down on, say, was not among them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from foretree.planning.maps.compression import compress
from foretree.planning.maps.navigation import Navigation
from foretree.planning.pddl.syntax import Problem
from foretree.planning.solvers.base import Limits, Solution, Solver
from foretree.world_model.maps.compressed_map import CompressedMap

_NO_LIMITS = Limits()


@dataclass(frozen=True)
class Loss:
    """The best plan with the nodes that were chosen, and with all.

    Attributes:
        chosen: with the nodes that were chosen.
        everything: with every node about which anything is known.
    """

    chosen: Solution
    everything: Solution

    @property
    def share(self) -> float | None:
        """The relative increase in cost; None unless both plans are proved to be the best."""
        if not (self.chosen.optimal and self.everything.optimal):
            return None
        if self.everything.cost == 0:
            return 0.0
        return self.chosen.cost / self.everything.cost - 1.0


def measure_loss(
    problem: Problem,
    floor: CompressedMap,
    navigation: Navigation,
    keep: Iterable[str],
    rests: Collection[str],
    solver: Solver,
    limits: Limits = _NO_LIMITS,
) -> Loss:
    """Solve *problem* with the nodes *keep*, and with all.

    Args:
        problem: and what follows: as for :func:`~foretree.planning.maps.compression.compress`.
        limits: how hard to try, each time.
    """
    chosen = compress(problem, floor, navigation, keep, rests)
    everything = compress(problem, floor, navigation)
    return Loss(
        solver.solve(chosen.problem, "optimal", limits),
        solver.solve(everything.problem, "optimal", limits),
    )
