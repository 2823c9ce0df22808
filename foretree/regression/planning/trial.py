"""One trial of a planning suite: a task planned once, carried out in the world, and judged by its truth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from random import Random
from typing import Any, ClassVar

from foretree.regression.core.trial import TrialKind, TrialResult
from foretree.regression.planning.factory import HouseholdFactory
from foretree.regression.planning.measured_planning import MeasuredPlanner, Planned
from foretree.regression.planning.suite import Level, PlanningSuite, TaskStart, Trial, Without
from foretree.simulation.household.plan_execution import WorldStep

#: The variants in which something changes in the middle of the plan: that is where keeping the map matters.
REPLANNED: Sequence[Without] = ("", "incremental-map")

#: The actions that are about getting somewhere, not about things.
TRAVEL = ("move", "open_door")


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds on the wall; see :class:`Planned`.

    Attributes:
        first: until the first plan.
        proof: until the proof.
        search: of the search alone.
        parts: of each part of the way to the first plan.
        again: until the first plan after a change; None if that was not tried.
        again_map: how much of it went into the map.
    """

    first: float = 0.0
    proof: float = 0.0
    search: float = 0.0
    parts: Mapping[str, float] = field(default_factory=dict)
    again: float | None = None
    again_map: float | None = None


@dataclass(frozen=True)
class PlanningEpisode(TrialResult):
    """Result of one trial. Two of the same trial are equal if both were proved, wherever they ran.

    Attributes:
        task: its task's name.
        level: how much the task asks for.
        setting: its setting's name.
        variant: its variant's name.
        seed: what decided everything that was left to chance.
        must: whether a plan must be one that the world accepts.
        planned: whether a plan was found.
        proved: whether it is known to be the cheapest with the nodes and things that were looked at.
        success: whether the world accepted it, and the task is done.
        refused: what the world refused.
        why: why there is no plan or no proof.
        cost: of the plan.
        first_cost: of the first plan found.
        lower_bound: no plan with these is cheaper.
        actions: manipulations, doors that are opened, and ways from one of them to the next.
        waypoints: moves from one node of the map to the next.
        stops: places where something is manipulated.
        used: the kinds of action in the plan.
        asked: how often a model would have been asked, by what for.
        again: whether the plan made after a change in the middle led to the goal; None if it was not tried.
        timing: how long planning took.
    """

    identity: ClassVar[tuple[str, ...]] = ("task", "setting", "variant", "seed")

    task: str
    level: Level
    setting: str
    variant: str
    seed: int
    must: bool = True
    planned: bool = False
    proved: bool = False
    success: bool = False
    refused: str = ""
    why: str = ""
    cost: int = 0
    first_cost: int = field(default=0, compare=False)
    lower_bound: int = 0
    actions: int = 0
    waypoints: int = 0
    stops: int = 0
    used: tuple[str, ...] = ()
    asked: Mapping[str, int] = field(default_factory=dict)
    again: bool | None = None
    timing: Timing = field(default=Timing(), compare=False)

    @property
    def fault(self) -> str:
        """Trouble, or a plan that the world does not accept, in one line.

        Finding no plan in the time there is, or no proof, is what is measured.
        """
        return self.shortfall if self.trouble or (self.must and self.planned) else ""

    @property
    def shortfall(self) -> str:
        """Reason for which it did not succeed, in one line; empty if it did."""
        if self.trouble:
            return super().fault
        if not self.planned:
            return f"no plan: {self.why or 'no reason was given'}"
        if self.refused:
            return f"the world refused {self.refused}"
        return "" if self.success else "the plan was carried out, but the task is not done"


def plan_length(steps: Sequence[WorldStep]) -> dict[str, Any]:
    """Fields of a :class:`PlanningEpisode` that say what a plan consists of.

    Moves that follow each other are one way, and one action.
    """
    actions = moves = 0
    stops: set[str] = set()
    before, at = "", "where it stood before it moved"
    for step in steps:
        if step.does == "move":
            moves += 1
            at = step.roles["to"]
        elif step.does not in TRAVEL:
            stops.add(at)
        actions += (before, step.does) != ("move", "move")
        before = step.does
    used = tuple(sorted({step.does for step in steps}))
    return {"actions": actions, "waypoints": moves, "stops": len(stops), "used": used}


@dataclass(frozen=True)
class PlanningTrials(TrialKind[Trial, PlanningEpisode]):
    """The trials of a planning suite.

    Attributes:
        suite: what they are from.
        factory: where worlds and planners come from.
    """

    result = PlanningEpisode
    limit = 240.0

    suite: PlanningSuite
    factory: HouseholdFactory = field(default=HouseholdFactory())

    def facts(self, trial: Trial) -> dict[str, Any]:
        """Facts of a trial that are known beforehand."""
        return {
            **asdict(trial),
            "level": self.suite.tasks[trial.task].level,
            # Ways that are put in afterwards may turn out to be impossible: that is why it is not done so.
            "must": self.suite.variants[trial.variant].without != "expansion",
        }

    def carry_out(self, trial: Trial, limit: float) -> dict[str, Any]:
        """Plan, carry the plan out, and judge; planning takes no longer than the variant says."""
        suite, factory = self.suite, self.factory
        task, variant = suite.tasks[trial.task], suite.variants[trial.variant]
        limit = min(limit, variant.seconds)
        start = suite.start(trial, factory.nodes(suite), factory.doors(suite))
        planner = factory.planner(suite, trial)
        world = factory.open(suite, start)
        planned = planner.plan(world, limit)
        timing = Timing(planned.first, planned.proof, planned.search, planned.parts)
        if not planned.found:
            return {"why": planned.why, "asked": planned.asked, "timing": timing}
        refused = world.carry_out(planned.steps)
        success = not refused and world.holds(task.success)
        again = None
        if success and variant.without in REPLANNED:
            again, second = self._plan_again(trial, start, planner, planned.steps, limit)
            timing = replace(timing, again=second.first, again_map=second.parts.get("map", 0.0))
        return {
            "planned": True,
            "success": success,
            "refused": refused,
            "why": planned.why if refused or not planned.proved else "",
            **{
                name: getattr(planned, name)
                for name in ("proved", "cost", "first_cost", "lower_bound", "asked")
            },
            **plan_length(planned.steps),
            "again": again,
            "timing": timing,
        }

    def _plan_again(
        self,
        trial: Trial,
        start: TaskStart,
        planner: MeasuredPlanner,
        steps: Sequence[WorldStep],
        limit: float,
    ) -> tuple[bool, Planned]:
        """Do half of a plan, change something, plan anew: whether that led to the goal, and the new plan."""
        world = self.factory.open(self.suite, start)
        world.carry_out(steps[: len(steps) // 2])
        world.disturb(Random(f"disturb {trial.seed}"), self.suite.settings[trial.setting].doors)
        planned = planner.plan(world, limit, prove=False)
        done = planned.found and not world.carry_out(planned.steps)
        return done and world.holds(self.suite.tasks[trial.task].success), planned
