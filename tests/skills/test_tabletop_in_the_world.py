"""The tabletop domain against the world, whose rules know nothing of it: plans are never bolder than the world."""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path

import pytest
from tabletop_scenes import (
    BASE,
    BOOKS,
    STATIC,
    Step,
    WorldStep,
    affordances,
    plan_for,
    scene_of,
    tabletop,
    world_step,
)
from tabletop_uses import CROWD, USES

from foretree.planning.grounding.grounding import ground
from foretree.planning.pddl.syntax import Literal, Problem
from foretree.planning.semantics.actions import TypedObjects, apply, instantiate
from foretree.simulation.household.household_state import House
from foretree.simulation.household.plan_execution import execute
from foretree.world_model.beliefs.facts import Atom


class Lockstep:
    """A world and a state of the domain, in which the same is done."""

    def __init__(self, problem: Problem, path: Path) -> None:
        self.problem = problem
        self.objects = TypedObjects(BASE, problem.objects)
        self.state = problem.init
        self.house = House(scene_of(problem, path))
        self.at = "table1"
        for held in sorted(atom[1] for atom in problem.init if atom[0] == "holding"):
            self._do(WorldStep("pick", {"item": held, "place": "table1"}, ("left",)))

    def take(self, name: str, arguments: Iterable[str]) -> None:
        """Do it in both, and compare what comes of it."""
        arguments = tuple(arguments)
        (node,) = (a for a in arguments if BASE.is_a(self.problem.objects[a], "asset"))
        if node != self.at:
            self._do(WorldStep("move", {"from": self.at, "to": node}))
            self.at = node
        verdict = self._do(world_step(name, arguments))
        action = instantiate(BASE.operators[name], arguments, self.objects)
        self.state = apply(action, self.state, self.objects)
        wrong = [atom for atom in self._spoken_of() if not verdict.holds(Literal(atom))]
        assert not wrong, (action, sorted(wrong))
        held = {atom[1] for atom in self.state if atom[0] == "holding"}
        in_hand = {self.house.name_of(self.house[i]) for i in self.house.hands.values() if i}
        assert held == in_hand

    def _do(self, step: WorldStep):
        verdict = execute(self.house, [step])
        assert verdict.possible, verdict.refusal
        return verdict

    def _spoken_of(self) -> Iterable[Atom]:
        """What the domain says that the world knows too."""
        known = STATIC | BOOKS | {"hand_empty", "holding"}
        return (atom for atom in self.state - affordances(self.problem.objects) if atom[0] not in known)


@pytest.mark.parametrize("name", USES)
def test_a_plan_can_be_carried_out_and_has_the_effects_it_says(name, tmp_path):
    problem, steps = plan_for(name)
    both = Lockstep(problem, tmp_path / "scene.yaml")
    for step, arguments in steps:
        both.take(step, arguments)


@pytest.mark.parametrize("seed", range(6))
def test_whatever_the_domain_allows_the_world_allows_with_the_same_effects(seed, tmp_path):
    problem = tabletop(CROWD, "clean apple1")
    able_to: list[tuple[Step, frozenset, frozenset]] = []
    for operator in ground(problem, prune=False).operators:
        needs = {wanted: {a for a, w in operator.precondition if w is wanted} for wanted in (True, False)}
        step = (operator.name, operator.arguments)
        able_to.append((step, frozenset(needs[True]), frozenset(needs[False])))
    rng = random.Random(seed)
    both = Lockstep(problem, tmp_path / "scene.yaml")
    for _ in range(30):
        able = [step for step, true, false in able_to if true <= both.state and both.state.isdisjoint(false)]
        name = rng.choice(sorted({name for name, _ in able}))
        both.take(*rng.choice([step for step in able if step[0] == name]))
