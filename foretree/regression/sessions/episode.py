"""One episode: a scenario carried out once, and judged by the world's own truth."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

from foretree.bringup.embedded import open_household
from foretree.bringup.options import Options
from foretree.regression.core.agent_episode import (
    AgentEpisode,
    CountingRecorder,
    SessionTrialKind,
    attempt,
)
from foretree.regression.sessions.suite import Scenario, ScenarioTrial, Suite
from foretree.runs.events import Recorder
from foretree.simulation.household.world import HouseholdWorld
from foretree.skills.catalogue_file import load_catalogue
from foretree.trees.session import Session

_catalogue = lru_cache(maxsize=4)(load_catalogue)


@dataclass(frozen=True)
class SessionEpisode(AgentEpisode):
    """Result of one episode; *success*: it ended as the scenario asks, and the world agrees.

    Attributes:
        scenario: its scenario's name.
        variant: its variant's name.
        seed: what decided everything that was left to chance.
        guarded: whether all guards were compiled in.
        noisy: whether the robot's eyes could be wrong.
        started: actions that the robot was told to do.
        done: actions that ended as *done*.
        failed: actions that ended otherwise.
        skipped: actions that turned out not to be needed.
        faults: how many things went wrong around it.
    """

    identity: ClassVar[tuple[str, ...]] = ("scenario", "variant", "seed")

    scenario: str
    variant: str
    seed: int
    guarded: bool = True
    noisy: bool = False
    started: int = 0
    done: int = 0
    failed: int = 0
    skipped: int = 0
    faults: int = 0

    @property
    def avoidable(self) -> tuple[str, tuple[str, ...]]:
        """Actions begun though they were seen to be impossible, with all guards and without noise."""
        blind = self.in_view if self.guarded and not self.noisy else ()
        return "began what it could see to be impossible", blind


@dataclass(frozen=True)
class SessionTrials(SessionTrialKind[ScenarioTrial, SessionEpisode]):
    """The trials of a suite of sessions."""

    result = SessionEpisode
    limit = 60.0

    suite: Suite

    def facts(self, trial: ScenarioTrial) -> dict[str, Any]:
        """Facts of an episode that are known beforehand."""
        return {
            "number": trial.number,
            "scenario": trial.scenario,
            "variant": trial.variant,
            "seed": trial.seed,
            "guarded": self.suite.variants[trial.variant].guarded,
            "noisy": self.suite.scenarios[trial.scenario].noisy,
        }

    def _open(self, trial: ScenarioTrial, recorder: Recorder) -> tuple[Session, HouseholdWorld]:
        """A scenario's session, ready to run, and its world."""
        suite, scenario = self.suite, self.suite.scenarios[trial.scenario]
        options = Options(suite.agent, suite.variants[trial.variant].settings, scenario.faults, trial.seed)
        scene = scenario.scene_of(trial.seed)
        catalogue = _catalogue(scene.domain)
        return open_household(scene, scenario.wish, options, recorder=recorder, catalogue=catalogue)

    def carry_out_recorded(self, trial: ScenarioTrial, limit: float, recorder: Recorder) -> dict[str, Any]:
        """Carry a scenario out and judge it."""
        deadline = time.perf_counter() + limit
        scenario = self.suite.scenarios[trial.scenario]
        counted = CountingRecorder(recorder)
        session, world = self._open(trial, counted)
        result, ended = attempt(session, deadline)
        judged = result.reached and _judge(session, world, scenario)
        illegal = [(f"{refused.skill}: {refused.rule}", refused.in_view) for refused in world.illegal]
        return {
            **ended,
            "success": result.outcome == scenario.ends and (result.outcome != "reached" or judged),
            "started": counted.actions,
            **{name: result.counts.get(name, 0) for name in ("done", "failed", "skipped")},
            "planned": counted.plans,
            "faults": len(world.injected),
            "illegal": tuple(what for what, _ in illegal),
            "in_view": tuple(what for what, in_view in illegal if in_view),
        }


def _judge(session: Session, world: HouseholdWorld, scenario: Scenario) -> bool:
    """Return whether the world is as the scenario asks."""
    goal = scenario.success or session.mission.goal
    assert goal is not None
    entities = session.context.belief.entities()
    names = {e.name: e.pose for e in entities.values() if not e.fixed and e.pose is not None}
    return world.holds(goal, names)
