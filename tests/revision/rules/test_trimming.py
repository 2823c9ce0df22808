"""Trimming finds what the goal may do without as one would by simulating the rest of the plan each time."""

from __future__ import annotations

import random

from foretree.planning.incremental import run_to_end
from foretree.planning.pddl.parser import parse_domain
from foretree.planning.pddl.syntax import Literal
from foretree.planning.plan import Action
from foretree.planning.semantics.atom_index import AtomIndex
from foretree.planning.work_limit import WorkLimit
from foretree.revision._simulator import Simulator, StateDelta
from foretree.revision.plan_task import PlanTask
from foretree.revision.rules._trimming import Timeline, find_dispensable

ATOMS = [(f"p{number}",) for number in range(6)]


def some_plan(seed):
    """A plan without arguments from a random state, and some of what is so at its end."""
    chance = random.Random(seed)

    def literals(most):
        chosen = chance.sample(ATOMS, chance.randint(1, most))
        return " ".join(f"({p})" if chance.random() < 0.6 else f"(not ({p}))" for (p,) in chosen)

    operators = " ".join(
        f"(:action o{n} :parameters () :precondition (and {literals(2)}) :effect (and {literals(3)}))"
        for n in range(8)
    )
    predicates = " ".join(f"({p})" for (p,) in ATOMS)
    task = PlanTask(parse_domain(f"(define (domain d) (:predicates {predicates}) {operators})", "d"))
    start = frozenset(atom for atom in ATOMS if chance.random() < 0.5)
    state, plan = start, []
    for _ in range(chance.randint(1, 25)):
        grounds = [task.ground(Action("", name, ())) for name in task.domain.operators]
        possible = [ground for ground in grounds if task.possible(state, ground)]
        if not possible:
            break
        plan.append(chance.choice(possible))
        state = task.advance(state, plan[-1])
    wanted = {atom: atom in state for atom in chance.sample(ATOMS, chance.randint(1, 3))}
    return task, start, plan, wanted


def one_by_one(task, start, plan, wanted):
    """The same by its definition: each action is left out with all that its absence makes impossible."""
    states = [start]
    for ground in plan:
        states.append(task.advance(states[-1], ground))
    simulator = Simulator(task)
    for index, before in enumerate(states[:-1]):
        group, changed = {index}, before ^ states[index + 1]
        for later in range(index + 1, len(plan)):
            mentioned = simulator.mentions(plan[later]) & changed
            if any((atom in before) != (atom in states[later]) for atom in mentioned):
                group.add(later)
                changed |= states[later] ^ states[later + 1]
        end = (states[-1] - changed) | (before & changed)
        if all((atom in end) == value for atom, value in wanted.items()):
            yield frozenset(group)


def found(task, start, plan, wanted, work, is_good=lambda state: True):
    timeline = Timeline(StateDelta(AtomIndex(start)))
    run_to_end(timeline.follow(plan, Simulator(task), work))
    return run_to_end(find_dispensable(timeline, range(len(plan)), wanted, is_good, work))


def test_it_finds_what_simulating_the_rest_each_time_finds():
    several = 0
    for seed in range(300):
        task, start, plan, wanted = some_plan(seed)
        expected = list(one_by_one(task, start, plan, wanted))
        assert found(task, start, plan, wanted, WorkLimit(10**6)) == expected, seed
        # What is not the value of an atom is judged in the state that is left at the end.
        formulas = [Literal(atom, value) for atom, value in wanted.items()]
        simulator = Simulator(task)

        def is_good(state, simulator=simulator, formulas=formulas):
            return all(simulator.holds(state, formula) for formula in formulas)

        assert found(task, start, plan, {}, WorkLimit(10**6), is_good) == expected, seed
        several += 0 < len(expected) < len(plan)
    assert several > 100


def test_nothing_is_found_when_the_work_is_spent():
    task, start, plan, wanted = some_plan(1)
    assert found(task, start, plan, {}, WorkLimit(10**6))
    assert found(task, start, plan, {}, WorkLimit(0)) == []
