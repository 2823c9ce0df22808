"""Worlds to run in: the embedded household or building, and one that executes any PDDL domain."""

from __future__ import annotations

from foretree.simulation.briefing import Briefing, brief
from foretree.simulation.deeds import random_faults
from foretree.simulation.faults import FaultError
from foretree.simulation.household import HouseholdWorld
from foretree.simulation.judge import JudgeError
from foretree.simulation.pddl_world import PddlWorld
from foretree.simulation.scatter import scatter
from foretree.simulation.scene import Chance, Noise, Scene, load_scene, scene_domain
from foretree.simulation.simulated_robot import SimulatedRobot
from foretree.simulation.stage import Illegal, Injected
from foretree.simulation.verdict import Refusal, StepError, Verdict, WorldStep, execute

__all__ = [
    "Briefing",
    "Chance",
    "FaultError",
    "HouseholdWorld",
    "Illegal",
    "Injected",
    "JudgeError",
    "Noise",
    "PddlWorld",
    "Refusal",
    "Scene",
    "SimulatedRobot",
    "StepError",
    "Verdict",
    "WorldStep",
    "brief",
    "execute",
    "load_scene",
    "random_faults",
    "scatter",
    "scene_domain",
]
