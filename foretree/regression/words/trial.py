"""One trial of a suite of tasks from words: what was said, and what came of it."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from random import Random
from typing import Any, ClassVar, Literal

from foretree.planning.pddl.syntax import show
from foretree.regression.core.trial import TrialKind, TrialResult
from foretree.regression.core.wordings import Half
from foretree.regression.planning.factory import HouseholdFactory
from foretree.regression.planning.suite import Level
from foretree.regression.words._attempt import SpokenTask, retriever_of
from foretree.regression.words._attribution import find_failure
from foretree.regression.words._seen_scene import seen_scene
from foretree.regression.words.suite import Failure, WordsSuite, WordsTrial


@dataclass(frozen=True)
class WordsEpisode(TrialResult):
    """Result of one trial.

    Attributes:
        task: its task's name.
        wording: the name of the wording.
        half: when it was written.
        level: how much the task asks for.
        setting: its setting's name.
        variant: its variant's name.
        seed: what decided everything that was left to chance.
        say: what the person said.
        success: whether the task was done, and nothing else on purpose.
        other_meaning: whether something else was done, and would be reported as success.
        failure: the part that is to blame; empty where nothing is.
        goal: what was understood; empty if it was not.
        unasked: what was brought about on purpose though the task does not speak of it.
        planned: whether there was a plan.
        reason: why there is no goal or no plan, or what the world refused.
        nodes: how many nodes were retrieved.
        calls: how often a model was asked.
        to_goal: seconds on the wall from the instruction to the goal, retrieval included; None where it came
            to none.
        to_plan: seconds on the wall from there to the first plan; None where there was none.
    """

    identity: ClassVar[tuple[str, ...]] = ("task", "wording", "setting", "variant", "seed")

    task: str
    wording: str
    half: Half
    level: Level
    setting: str
    variant: str
    seed: int
    say: str = ""
    success: bool = False
    other_meaning: bool = False
    failure: Failure | Literal[""] = ""
    goal: str = ""
    unasked: tuple[str, ...] = ()
    planned: bool = False
    reason: str = ""
    nodes: int = 0
    calls: int = 0
    to_goal: float | None = field(default=None, compare=False)
    to_plan: float | None = field(default=None, compare=False)


@dataclass(frozen=True)
class WordsTrials(TrialKind[WordsTrial, WordsEpisode]):
    """The trials of a suite of tasks from words."""

    result = WordsEpisode
    limit = 240.0

    suite: WordsSuite
    factory: HouseholdFactory = field(default=HouseholdFactory())

    def facts(self, trial: WordsTrial) -> dict[str, Any]:
        """Facts of a trial that are known beforehand."""
        start = trial.start
        task = self.suite.planning.tasks[start.task]
        wording = task.wordings[trial.wording]
        return {
            "number": trial.number,
            "task": start.task,
            "wording": trial.wording,
            "half": wording.half,
            "level": task.level,
            "setting": start.setting,
            "variant": trial.variant,
            "seed": start.seed,
            "say": wording.say,
        }

    def carry_out(self, trial: WordsTrial, limit: float) -> dict[str, Any]:
        """Retrieve, understand, plan, carry out and judge."""
        spoken, variant = self._spoken(trial, limit), self.suite.variants[trial.variant]
        eyes = Random(f"eyes {trial.start.seed}")
        seen = seen_scene(spoken.scene, variant.overlooked, variant.mistaken, eyes)
        retriever, index = retriever_of(variant.retriever), spoken.index
        begun = time.perf_counter()
        found = retriever.retrieve(spoken.say, index)
        retrieved = time.perf_counter() - begun
        attempt = spoken.attempt(found, seen)
        return {
            "success": attempt.done,
            "other_meaning": attempt.other_meaning,
            "failure": "" if attempt.done else find_failure(spoken, attempt, found, seen),
            "goal": "" if attempt.goal is None else show(attempt.goal),
            "unasked": attempt.unasked,
            "planned": attempt.planned,
            "reason": attempt.reason or attempt.refused,
            "nodes": len(found.nodes),
            "calls": found.calls,
            "to_goal": None if attempt.goal is None else retrieved + attempt.to_goal,
            "to_plan": attempt.to_plan if attempt.planned else None,
        }

    def _spoken(self, trial: WordsTrial, limit: float) -> SpokenTask:
        """Words that are said, in the scene as it is at the start."""
        planning, factory = self.suite.planning, self.factory
        start = planning.start(trial.start, factory.nodes(planning), factory.doors(planning))
        scene = factory.open(planning, start).house.scene
        # Each of a few attempts that find out what is to blame may take as long.
        seconds = min(limit / 5, planning.variants[trial.start.variant].seconds)
        say = planning.tasks[trial.start.task].wordings[trial.wording].say
        return SpokenTask(planning, trial.start, say, scene, seconds)
