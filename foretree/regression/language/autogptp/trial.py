"""One trial of a scenario: pursued with tools, carried out in a world, judged by the desired goal."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from foretree.bringup.embedded import configured_reasoner
from foretree.bringup.options import Options
from foretree.clock import SimulatedClock
from foretree.planning.pddl.parser import parse_domain, parse_problem
from foretree.planning.pddl.syntax import PlanStep, show
from foretree.planning.solvers.fast_downward.solver import shared_planner
from foretree.regression.language.autogptp.scenario_file import ScenarioCase, UnreadableCase
from foretree.regression.language.autogptp.scene_problem import SceneProblem
from foretree.regression.language.autogptp.tool_loop import Pursuit, ToolLoop
from foretree.regression.language.suite import LanguageTrial
from foretree.regression.language.trial import LanguageTrials
from foretree.simulation.pddl_world.world import ACTION_TIME, PddlWorld
from foretree.skills.affordance_catalogue import AffordanceDomain, load_affordance_domain
from foretree.skills.robot import Order, Outcome
from foretree.world_model.affordances.shipped import shipped_placer
from foretree.world_model.likely_places import load_expectations


@lru_cache(maxsize=1)
def scenario_domain() -> AffordanceDomain:
    """The domain that scenarios are stated in."""
    return load_affordance_domain(shipped_placer())


@dataclass(frozen=True)
class ScenarioTrials(LanguageTrials):
    """The trials of scenarios."""

    def facts(self, trial: LanguageTrial) -> dict[str, Any]:
        """Facts of a trial that are known beforehand."""
        case = self.suite.cases[trial.case]
        calls = case.least_calls if isinstance(case, ScenarioCase) else None
        return {**super().facts(trial), "least_calls": calls}

    def carry_out(self, trial: LanguageTrial, limit: float) -> dict[str, Any]:
        """Find out what is asked for, plan, and carry the plan out in a world of its own."""
        case = self.suite.cases[trial.case]
        if isinstance(case, UnreadableCase):
            return {"response": "failed", "reason": case.problem}
        if not isinstance(case, ScenarioCase):
            return super().carry_out(trial, limit)
        scene = SceneProblem(case.scene, scenario_domain())
        _warm_up()
        reasoner = configured_reasoner(Options(self.suite.agent, self.suite.variants[trial.variant].settings))
        placer = scenario_domain().placer
        loop = ToolLoop(scene, case.explored, reasoner, placer, load_expectations(), case.accepted)
        found = loop.pursue(case.say)
        return {**_judged(case, scene, found), "to_goal": found.to_goal, "to_plan": found.to_plan}


@cache
def _warm_up() -> None:
    """Start what a process starts once: to start it is no part of planning."""
    domain = parse_domain("(define (domain d) (:predicates (p)) (:action a :effect (p)))")
    shared_planner().solve(parse_problem("(define (problem p) (:domain d) (:goal (p)))", domain), "good")


def _judged(case: ScenarioCase, scene: SceneProblem, found: Pursuit) -> dict[str, Any]:
    """Outcome of a pursuit, in a world with everything that there is."""
    clock = SimulatedClock()
    goal = scene.stated(case.goal)
    world = PddlWorld(scene.problem(goal), clock)
    refused = _carry_out(world, clock, found.steps)
    reached = found.planned and world.holds(goal)
    whole = found.planned and not found.calls["partial"]
    return {
        "success": reached,
        "response": "reached" if reached else "other" if whole and not refused else found.gave_up,
        "outcome": "reached" if found.planned else "given-up",
        "reason": refused[0] if refused else found.reason,
        "illegal": refused,
        "goal": show(found.goal) if found.goal is not None else "",
        "started": len(found.steps),
        "planned": found.calls["plan"] + found.calls["partial"],
        "cost": found.cost,
        "least": case.least,
        "calls": dict(found.calls),
    }


def _carry_out(world: PddlWorld, clock: SimulatedClock, steps: Iterable[PlanStep]) -> tuple[str, ...]:
    """Carry out a plan; the reason why its first impossible action was refused, if one was."""
    for number, (name, arguments) in enumerate(steps):
        order = Order(name, parameters={"arguments": list(arguments)})
        execution = world.robot.start(order, f"step{number}")
        clock.sleep_until(clock.now() + ACTION_TIME)
        end = execution.poll()
        if end is None or end.outcome is not Outcome.DONE:
            return (f"{' '.join((name, *arguments))}: {end.reason if end else 'no end'}",)
    return ()
