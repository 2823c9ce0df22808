"""Scenes that are drawn anew for every session: a task of a planning suite, in one of its settings."""

from __future__ import annotations

from dataclasses import dataclass, replace

from foretree.regression.planning.factory import HouseholdFactory, mapped_scene, scene_at_start
from foretree.regression.planning.suite import PlanningSuite, Trial
from foretree.simulation.faults.fault_script import FaultRates
from foretree.simulation.household.scene import Noise, Scene


@dataclass(frozen=True)
class DrawnScene:
    """Scene of a session on a task.

    Attributes:
        suite: what the task is from.
        task: its name.
        setting: how many hands the robot has, and whether doors may be closed.
        noise: how often the robot's eyes are wrong.
        chance: what goes wrong of its own accord.
    """

    suite: PlanningSuite
    task: str
    setting: str
    noise: Noise
    chance: FaultRates

    def scene(self, seed: int) -> Scene:
        """The scene that goes with a seed: the same that the planning suite has for it."""
        workshop = HouseholdFactory()
        trial = Trial(0, self.task, self.setting, "", seed)
        start = self.suite.start(trial, workshop.nodes(self.suite), workshop.doors(self.suite))
        drawn = scene_at_start(mapped_scene(self.suite.scene).scene, start)
        return replace(drawn, noise=self.noise, chance=self.chance, faults=())
