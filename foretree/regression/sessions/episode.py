"""One episode: a scenario carried out once, and judged by the world's own truth."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any

from foretree.bringup.embedded import open_household
from foretree.bringup.options import Options
from foretree.reasoning.models.model import Spending
from foretree.regression.core.attempt import Effort, Trouble, attempt, measured
from foretree.regression.sessions.suite import Scenario, ScenarioTrial, Suite
from foretree.simulation.household.world import HouseholdWorld
from foretree.skills.catalogue import Catalogue
from foretree.skills.catalogue_file import load_catalogue
from foretree.trees.session import Session


@dataclass(frozen=True)
class SessionEpisode:
    """What one episode came to. Two with the same task are equal, wherever and whenever they ran.

    Attributes:
        number: its place in the suite.
        scenario: its scenario's name.
        variant: its variant's name.
        seed: what decided everything that was left to chance.
        guarded: whether all guards were compiled in.
        noisy: whether the robot's eyes could be wrong.
        outcome: how the session ended; empty if it did not.
        reason: why, if the goal was not reached.
        success: whether it ended as the scenario asks, and the world agrees.
        started: actions that the robot was told to do.
        done: actions that ended as *done*.
        failed: actions that ended otherwise.
        skipped: actions that turned out not to be needed.
        revised: how often the plan was changed.
        planned: how often a planner was asked.
        faults: how many things went wrong around it.
        illegal: what the world refused, as ``skill: rule``.
        in_view: those of them that the robot could see to be impossible when it began.
        trouble: whether it crashed or hung.
        details: the error behind the trouble, with its traceback.
        running: nodes that were left RUNNING.
        alive: executions that were left alive.
        seconds: on the session's clock.
        spent: on language models.
        effort: what it took of the machine.
    """

    number: int
    scenario: str
    variant: str
    seed: int
    guarded: bool = True
    noisy: bool = False
    outcome: str = ""
    reason: str = ""
    success: bool = False
    started: int = 0
    done: int = 0
    failed: int = 0
    skipped: int = 0
    revised: int = 0
    planned: int = 0
    faults: int = 0
    illegal: tuple[str, ...] = ()
    in_view: tuple[str, ...] = ()
    trouble: Trouble = ""
    details: str = ""
    running: tuple[str, ...] = ()
    alive: tuple[str, ...] = ()
    seconds: float = 0.0
    spent: Spending = field(default=Spending())
    effort: Effort = field(default=Effort(), compare=False)

    @property
    def sound(self) -> bool:
        """Whether it ended as every episode must, whatever it came to."""
        blind = self.guarded and not self.noisy and bool(self.in_view)
        return not (self.trouble or self.running or self.alive or blind)


class _Counting:
    """A recorder that only counts."""

    def __init__(self) -> None:
        self.actions = 0
        self.plans = 0

    def record(self, kind: str, /, **data: Any) -> None:
        if kind == "action.started":
            self.actions += 1
        elif kind == "plan.made" and data["by"] != "rules":
            self.plans += 1

    commit = record

    def mark(self, tick: int, time: float) -> None:
        pass


def run_episode(suite: Suite, task: ScenarioTrial, limit: float = 60.0) -> SessionEpisode:
    """Carry out *task*; whatever goes wrong in it becomes part of the result.

    Args:
        suite: what it is from.
        task: which scenario, in which variant, with which seed.
        limit: seconds on the wall after which it counts as hung.
    """
    deadline = time.perf_counter() + limit
    return SessionEpisode(**measured(lambda: _carry_out(suite, task, deadline), partial(_facts, suite, task)))


def troubled(
    suite: Suite, task: ScenarioTrial, trouble: Trouble, details: str, wall: float = 0.0
) -> SessionEpisode:
    """The result of an episode that could not report one itself."""
    return SessionEpisode(**_facts(suite, task, trouble=trouble, details=details), effort=Effort(wall))


def _facts(suite: Suite, task: ScenarioTrial, **more: Any) -> dict[str, Any]:
    return {
        "number": task.number,
        "scenario": task.scenario,
        "variant": task.variant,
        "seed": task.seed,
        "guarded": suite.variants[task.variant].guarded,
        "noisy": suite.scenarios[task.scenario].noisy,
        **more,
    }


def _carry_out(suite: Suite, task: ScenarioTrial, deadline: float) -> dict[str, Any]:
    scenario = suite.scenarios[task.scenario]
    recorder = _Counting()
    options = Options(suite.agent, suite.variants[task.variant].settings, scenario.faults, task.seed)
    scene = scenario.scene_of(task.seed)
    session, world = open_household(
        scene, scenario.wish, options, recorder=recorder, catalogue=_catalogue(scene.domain)
    )
    ended = attempt(session, deadline)
    result = ended.result
    judged = result.reached and _judge(session, world, scenario)
    illegal = [(f"{refused.skill}: {refused.rule}", refused.in_view) for refused in world.illegal]
    return _facts(
        suite,
        task,
        outcome=result.outcome,
        reason=result.reason,
        success=result.outcome == scenario.ends and (result.outcome != "reached" or judged),
        started=recorder.actions,
        done=result.counts.get("done", 0),
        failed=result.counts.get("failed", 0),
        skipped=result.counts.get("skipped", 0),
        revised=result.counts.get("revised", 0),
        planned=recorder.plans,
        faults=len(world.injected),
        illegal=tuple(what for what, _ in illegal),
        in_view=tuple(what for what, in_view in illegal if in_view),
        trouble=ended.trouble,
        details=ended.details,
        running=ended.running,
        alive=ended.alive,
        seconds=result.seconds,
        spent=result.spent,
    )


def _judge(session: Session, world: HouseholdWorld, scenario: Scenario) -> bool:
    """Whether the world is as the scenario asks."""
    goal = scenario.success or session.mission.goal
    assert goal is not None
    entities = session.context.belief.entities()
    names = {e.name: e.pose for e in entities.values() if not e.fixed and e.pose is not None}
    return world.holds(goal, names)


@lru_cache(maxsize=4)
def _catalogue(domain: str) -> Catalogue:
    return load_catalogue(domain)
