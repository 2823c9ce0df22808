"""Fast Downward as unified-planning calls it: what planning is compared with."""

from __future__ import annotations

import time

from foretree.planning.pddl.syntax import Problem
from foretree.planning.pddl.writer import write_domain, write_problem
from foretree.regression.core.processor_time import processor_time


def one_shot(problem: Problem, timeout: float = 120.0) -> tuple[float, float] | None:
    """Seconds by the clock, and of processor time, from unified-planning's own problem to its plan.

    Reading our problem into unified-planning is not counted. None if it cannot take it, or finds no plan.
    """
    from unified_planning.environment import get_environment
    from unified_planning.exceptions import UPException
    from unified_planning.io import PDDLReader
    from unified_planning.shortcuts import OneshotPlanner

    environment = get_environment()
    environment.credits_stream = None
    environment.error_used_name = False  # an object of ours may be called as its class is
    try:
        read = PDDLReader().parse_problem_string(write_domain(problem.domain), write_problem(problem))
        begun, computed = time.perf_counter(), processor_time()
        with OneshotPlanner(name="fast-downward") as engine:
            engine.skip_checks = True
            result = engine.solve(read, timeout=timeout)
        spent = time.perf_counter() - begun, processor_time() - computed
    except (UPException, AssertionError) as error:
        print(f"  unified-planning cannot take it: {error}")
        return None
    if result.plan is None:
        print(f"  unified-planning has no plan: {result.status.name.lower()}")
        return None
    return spent
