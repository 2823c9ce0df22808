"""Random walks through buildings: everything is in one place, and the robot acts where it stands."""

from __future__ import annotations

from random import Random

import pytest
from expansions import NAMES, Walker, base_problem, in_a_building, told
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_bases import tasks

from foretree.planning.expansion.expand import expand
from foretree.planning.expansion.options import Expansion
from foretree.planning.expansion.problem_expansion import expand_problem
from foretree.planning.pddl.syntax import Problem

TWO_HANDED = {"tray": Expansion(two_handed=("lift_tray", "put_tray"))}


class Watcher:
    """Knows from a state alone, and from none of the expansion's rules, where everything is."""

    def __init__(self, problem: Problem, base: Problem) -> None:
        self.domain = problem.domain
        self.holding = {
            self.domain.embodiment.name_of(a) for a in self.domain.embodiment.hand_predicates.holding
        }
        self.carry = self.domain.options.carry
        self.hands = [atom[1:] for atom in problem.init if atom[0] == "rob_has_hand"]
        self.robots = sorted({robot for robot, _ in self.hands})
        bodies = {name for pair in self.hands for name in pair}
        everything = [*base.objects, *(constant.name for constant in base.domain.constants)]
        placed = {atom[1] for atom in problem.init if atom[0] in ("obj_at_node", *self.carry)}
        placed |= {atom[-1] for atom in problem.init if atom[0] in self.holding}
        self.things = [thing for thing in everything if thing in placed and thing not in bodies]
        self.moving = {atom[1] for atom in problem.init if atom[0] in self.carry}

    def check(self, state) -> None:
        for robot in self.robots:
            assert sum(atom[:2] == ("rob_at_node", robot) for atom in state) == 1
        for robot, hand in self.hands:
            held = [atom for atom in state if atom[0] in self.holding and atom[1:3] == (robot, hand)]
            assert len(held) + (("hand_free", robot, hand) in state) == 1
        for thing in self.things:
            self.node_of(thing, state)
            holders = {atom[1] for atom in state if atom[0] in self.holding and atom[3] == thing}
            assert len(holders) <= 1

    def node_of(self, thing, state) -> str:
        """The one node where *thing* is, be it held or carried."""
        nodes = [atom[2] for atom in state if atom[:2] == ("obj_at_node", thing)]
        supports = [atom[2] for atom in state if atom[0] in self.carry and atom[1] == thing]
        holders = {atom[1] for atom in state if atom[0] in self.holding and atom[3] == thing}
        assert len(nodes) + len(supports) + len(holders) == 1, (thing, nodes, supports, holders)
        if nodes:
            return nodes[0]
        return self.node_of(supports[0], state) if supports else self.stands(next(iter(holders)), state)

    def stands(self, robot, state) -> str:
        return next(atom[2] for atom in state if atom[:2] == ("rob_at_node", robot))

    def check_action(self, key, state) -> None:
        """All that an action is about is where it takes place."""
        name, arguments = key
        operator = self.domain.operators[name]
        if name in self.domain.base.operators:
            node = arguments[-1]
            assert operator.parameters[-1].name.startswith("?node")
            for argument in arguments:
                if argument in self.robots:
                    assert self.stands(argument, state) == node
                elif argument in self.things:
                    assert self.node_of(argument, state) == node


def walk(base: Problem, options: Expansion, steps: int, seed: int) -> set[str]:
    """Check every state of a random walk; the names of the actions that were taken."""
    domain = expand(base.domain, options)
    problem = expand_problem(base, domain, in_a_building(domain, base))
    walker, watcher = Walker(problem), Watcher(problem, base)
    chance, state, taken = Random(seed), problem.init, set()
    watcher.check(state)
    for _ in range(steps):
        possible = sorted(walker.options(state))
        # One of each name is as likely as one of any other, so that moving does not drown the rest.
        name = chance.choice(sorted({key[0] for key in possible}))
        key = chance.choice([key for key in possible if key[0] == name])
        watcher.check_action(key, state)
        state = walker.after(state, key)
        watcher.check(state)
        taken.add(name)
    return taken


@pytest.mark.parametrize("name", NAMES)
def test_the_corpus(name):
    base = base_problem(name)
    options = told(name) | TWO_HANDED.get(name, Expansion()) | Expansion(doors=True, hands=2)
    taken = walk(base, options, 60, seed=3)
    assert {"move_robot", "open_door"} <= taken
    assert len(taken) >= 4


@pytest.mark.parametrize("name", ["tray", "toolbox"])
def test_two_robots(name):
    base = base_problem(name)
    options = told(name) | TWO_HANDED.get(name, Expansion()) | Expansion(doors=True, hands=2, robots=2)
    assert "move_robot" in walk(base, options, 40, seed=5)


def walk_random(task, two_handed: list[str], steps: int, seed: int) -> None:
    base, options, _ = task
    if options.hands == 1 or any(p.name == "?g" for p in base.domain.predicates["unbusy"]):
        two_handed = []  # there are no two hands, or the domain names them itself
    more = Expansion(doors=True, hands=options.hands or 2, two_handed=tuple(two_handed))
    walk(base, options | more, steps, seed)


some_operators = st.lists(st.sampled_from(["pick", "put"]), unique=True)


@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
@given(tasks(), some_operators, st.integers(0, 9))
def test_random_domains(task, two_handed, seed):
    walk_random(task, two_handed, 20, seed)


@pytest.mark.slow
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(tasks(), some_operators, st.integers(0, 99))
def test_many_random_domains(task, two_handed, seed):
    walk_random(task, two_handed, 60, seed)


def test_a_trolley_takes_along_what_is_in_a_box_on_it():
    base = base_problem("trolley")
    domain = expand(base.domain, told("trolley") | Expansion(doors=True, hands=2))
    problem = expand_problem(base, domain, in_a_building(domain, base))
    watcher, walker = Watcher(problem, base), Walker(problem)
    state = (problem.init - {("on", "box1", "desk1"), ("on", "parcel1", "desk1")}) | {
        ("on", "box1", "trolley1"),
        ("in", "parcel1", "box1"),
    }
    here = watcher.node_of("trolley1", state)
    assert watcher.node_of("parcel1", state) == here
    there = next(atom[2] for atom in state if atom[0] == "connected" and atom[1] == here)
    state = (state - {("rob_at_node", "robot1", "hall")}) | {("rob_at_node", "robot1", here)}
    push = ("push_trolley", ("robot1", "hand1", "trolley1", here, there))
    assert push in walker.options(state)
    state = walker.after(state, push)
    assert watcher.node_of("parcel1", state) == there
    watcher.check(state)


def test_a_tray_takes_two_hands():
    base = base_problem("tray")
    domain = expand(base.domain, told("tray") | TWO_HANDED["tray"])
    walker = Walker(expand_problem(base, domain))
    lifts = [key for key in walker.options(walker.problem.init) if key[0] == "lift_tray"]
    assert {key[1][1:3] for key in lifts} == {("hand1", "hand2"), ("hand2", "hand1")}
    state = walker.after(walker.problem.init, lifts[0])
    assert not [key for key in walker.options(state) if key[0] in ("pick", "pick_from_tray")]
    assert [key for key in walker.options(state) if key[0] == "put_tray"]
    one_busy = walker.after(
        walker.problem.init, next(k for k in walker.options(walker.problem.init) if k[0] == "pick")
    )
    assert not [key for key in walker.options(one_busy) if key[0] == "lift_tray"]
