"""Plans with affordances as types with several parents, beside the same affordances as static predicates.

    python benchmarks/bench_types.py
    python benchmarks/bench_types.py --things 70 --repeats 5

In the domain of affordances (``configs/domains/affordances.pddl``) a class is a type below each affordance
that it has. Here each of those types but item, asset and agent becomes a static predicate, as in the
household's domain, and both are planned for the same goals, in turns, with everything there is in a kitchen.
Prints what the plans cost, the processor time of grounding all problems, and the ratio of both. A test holds
the costs to be the same, and the ratio to be at most 1.15.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from foretree.planning.grounding.compilation import compile_away
from foretree.planning.grounding.grounding import ground
from foretree.planning.pddl.syntax import And, Domain, Formula, Literal, Operator, Problem, Typed
from foretree.planning.semantics.evaluation import conjuncts
from foretree.planning.solvers.fast_downward.solver import shared_planner
from foretree.planning.task.goals import parse_goal
from foretree.skills.affordance_catalogue import AffordanceDomain, load_affordance_domain
from foretree.world_model.affordances.mapping_file import load_mapping
from foretree.world_model.affordances.placement import Placer
from foretree.world_model.beliefs.facts import Atom

GOALS = (
    "(on apple0 plate0)",
    "(inhand apple0 human0)",
    "(and (cut cucumber0) (in cucumber0 bowl0))",
    "(and (clean plate0) (on plate0 table0))",
    "(and (opened fridge0) (on glass0 table0))",
)
#: What is in the kitchen, and what it is on or in.
FURNITURE = ("table", "counter", "fridge", "sink", "stove")
THINGS = {"apple": "table", "plate": "counter", "bowl": "counter", "cucumber": "fridge", "knife": "counter"}
THINGS |= {"glass": "counter", "sponge": "sink", "pot": "stove"}
#: What further things are: each stands on the counter.
MORE = ("fork", "cup", "book", "banana", "spoon", "mug", "jug", "towel")
#: Types that stay types: the trunk of the hierarchy.
_TRUNK = ("object", "place", "thing", "agent", "item", "asset")


@lru_cache(maxsize=1)
def affordance_domain() -> AffordanceDomain:
    return load_affordance_domain(Placer(load_mapping()))


def kitchen(goal: str, things: int) -> Problem:
    """A kitchen with so many things, in which only the robot acts."""
    domain = affordance_domain().catalogue().domain
    where = {f"{name}0": f"{place}0" for name, place in THINGS.items()}
    classes = {f"{name}0": name for name in (*FURNITURE, *THINGS)}
    for number in range(max(0, things - len(where))):
        name = MORE[number % len(MORE)]
        classes[f"{name}{number + 1}"], where[f"{name}{number + 1}"] = name, "counter0"
    init: set[Atom] = {
        ("at", "robot0", "start"),
        ("free", "robot0"),
        ("free", "human0"),
        ("closed", "fridge0"),
    }
    init |= {("location", "human0"), ("at", "human0", "human0")}
    for name in FURNITURE:
        init |= {("location", f"{name}0"), ("furniture", f"{name}0"), ("at", f"{name}0", f"{name}0")}
    for name, place in where.items():
        init |= {("in" if place in ("fridge0", "sink0") else "on", name, place), ("at", name, place)}
    objects = {**classes, "robot0": "robot", "human0": "agent"}
    costs = {("cost-of", name): 1 for name in ("robot0", "human0")}
    formula = parse_goal(goal, domain, objects).formula
    return Problem("kitchen", domain, objects, frozenset(init), formula, costs)


def with_static_predicates(problem: Problem) -> Problem:
    """The same problem with a static predicate in the place of each affordance and capability.

    Each class keeps one parent of the trunk.
    """
    domain = problem.domain
    stated = [
        name for name in domain.types if any(domain.is_a(kind, name) for kind in problem.objects.values())
    ]
    stated = [name for name in stated if name not in _TRUNK and name not in problem.objects.values()]
    trunk = {name: _trunk(domain, name) for name in domain.types}
    added = {_predicate(name): (Typed("?it", "object"),) for name in domain.types}
    operators = {name: _stating(one, trunk) for name, one in domain.operators.items()}
    single = replace(
        domain,
        types={name: trunk[name] if trunk[name] != name else above for name, above in domain.types.items()},
        further_parents={n: up for n, up in domain.further_parents.items() if n in _TRUNK},
        predicates={**domain.predicates, **added},
        operators=operators,
    )
    facts = {
        (_predicate(affordance), name)
        for name, kind in problem.objects.items()
        for affordance in stated
        if domain.is_a(kind, affordance)
    }
    return replace(problem, domain=single, init=problem.init | facts)


def _trunk(domain: Domain, name: str) -> str:
    return next((above for above in domain.lineage(name) if above in _TRUNK), "object")


def _predicate(affordance: str) -> str:
    return f"affords-{affordance}"


def _stating(operator: Operator, trunk: Mapping[str, str]) -> Operator:
    """The operator with what its parameters afford among its conditions."""
    stated: list[Formula] = [
        Literal((_predicate(one.type), one.name)) for one in operator.parameters if one.type not in _TRUNK
    ]
    parameters = tuple(Typed(one.name, trunk.get(one.type, one.type)) for one in operator.parameters)
    return replace(
        operator, parameters=parameters, precondition=And((*stated, *conjuncts(operator.precondition)))
    )


def grounding_seconds(problem: Problem) -> float:
    """Processor time of compiling and grounding, where types and static predicates are told apart."""
    begin = time.process_time()
    ground(compile_away(problem).problem)
    return time.process_time() - begin


def compare(things: int, repeats: int) -> tuple[list[tuple[str, int, int]], float, float]:
    """For each goal the costs with types and with predicates, and the least grounding times of all goals."""
    costs, totals = [], [0.0, 0.0]
    for goal in GOALS:
        pair = kitchen(goal, things), with_static_predicates(kitchen(goal, things))
        solved = [shared_planner().solve(problem, "good") for problem in pair]
        assert all(one.status == "solved" for one in solved), [one.why for one in solved]
        costs.append((goal, solved[0].cost, solved[1].cost))
        times: list[list[float]] = [[], []]
        for _ in range(repeats):
            for side, problem in enumerate(pair):
                times[side].append(grounding_seconds(problem))
        totals = [total + min(side) for total, side in zip(totals, times, strict=True)]
    return costs, totals[0], totals[1]


def test_types_with_several_parents_cost_no_more_than_static_predicates():
    costs, types, predicates = compare(things=20, repeats=3)
    assert [one for _, one, _ in costs] == [other for _, _, other in costs]
    assert types <= 1.15 * predicates


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--things", type=int, default=20, help="so many things are in the kitchen")
    parser.add_argument("--repeats", type=int, default=3, help="the least time of so many counts")
    wanted = parser.parse_args()
    costs, types, predicates = compare(wanted.things, wanted.repeats)
    for goal, one, other in costs:
        print(f"{goal}: cost {one} with types, {other} with predicates")
    ratio = types / predicates
    print(f"grounding: {types:.2f} s with types, {predicates:.2f} s with predicates: {ratio:.2f} times")


if __name__ == "__main__":
    main()
