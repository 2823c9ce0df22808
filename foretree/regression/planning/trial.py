"""One trial of a planning suite: a task planned once, carried out in the world, and judged by its truth.

Planning itself is behind protocols: :class:`PlannerFactory` opens worlds and makes planners. Measured is what
comes out of them: the plan that the world accepts, its cost, and the time it took.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any, Protocol, TypeVar

from foretree.planning.pddl.syntax import Formula
from foretree.regression.core.attempt import Effort, Trouble, measured
from foretree.regression.planning.suite import (
    Level,
    PlanningSuite,
    PlanningTask,
    PlanningVariant,
    Start,
    Trial,
    TrialSetting,
    Without,
)
from foretree.regression.reports.remarks import in_short
from foretree.simulation.household.plan_execution import WorldStep

#: The variants in which something changes in the middle of the plan: that is where keeping the map matters.
REPLANNED: Sequence[Without] = ("", "incremental-map")

#: The actions that are about getting somewhere, not about things.
TRAVEL = ("move", "open_door")


@dataclass(frozen=True)
class Planned:
    """What planning came to.

    Attributes:
        found: whether there is a plan.
        steps: the best plan found, with every way-point.
        cost: what it costs.
        first_cost: what the first plan found costs.
        lower_bound: no plan with the same nodes and things is cheaper.
        proved: whether the plan is known to be the cheapest with these.
        first: seconds from the instruction to the first plan that can be carried out.
        proof: seconds from the instruction to the proof; until planning was given up if there is none.
        search: seconds of the search alone, until the proof.
        parts: seconds of each part of the way to the first plan.
        asked: how often a model would have been asked, by what for.
        why: for a person: why there is no plan or no proof.
    """

    found: bool
    steps: tuple[WorldStep, ...] = ()
    cost: int = 0
    first_cost: int = 0
    lower_bound: int = 0
    proved: bool = False
    first: float = 0.0
    proof: float = 0.0
    search: float = 0.0
    parts: Mapping[str, float] = field(default_factory=dict)
    asked: Mapping[str, int] = field(default_factory=dict)
    why: str = ""


class World(Protocol):
    """The building as it truly is."""

    def carry_out(self, steps: Sequence[WorldStep]) -> str:
        """Do *steps*, one after the other; what is wrong with the first that cannot be done, or nothing."""
        ...

    def disturb(self, rng: Random, doors: bool) -> None:
        """Push the robot to another node, and if there are *doors*, shut or open one of them.

        What the robot has begun must still be possible to end.
        """
        ...

    def holds(self, goal: Formula) -> bool:
        """Whether a goal is true."""
        ...


W = TypeVar("W", bound=World)
_Seen = TypeVar("_Seen", bound=World, contravariant=True)


class TaskPlanner(Protocol[_Seen]):
    """Plans one task in one building, as often as it is asked."""

    def plan(self, world: _Seen, limit: float, prove: bool = True) -> Planned:
        """Plan from how things are in *world*.

        Args:
            world: what it can look at.
            limit: seconds on the wall.
            prove: whether to go on after the first plan until it is proved that none is cheaper.
        """
        ...


class PlannerFactory(Protocol[W]):
    """Opens worlds, and makes planners that can look at them."""

    def nodes(self, suite: PlanningSuite) -> Sequence[str]:
        """Where a robot may stand at the start."""
        ...

    def doors(self, suite: PlanningSuite) -> Sequence[str]:
        """All doors of the building."""
        ...

    def open(self, suite: PlanningSuite, start: Start) -> W:
        """The building as a task begins in it."""
        ...

    def planner(
        self, suite: PlanningSuite, task: PlanningTask, setting: TrialSetting, variant: PlanningVariant
    ) -> TaskPlanner[W]:
        """What plans a task."""
        ...


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
class PlanningEpisode:
    """What one trial came to. Two of the same trial are equal if both were proved, wherever they ran.

    Attributes:
        number: its place in the suite.
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
        trouble: whether it crashed or hung.
        details: the error behind the trouble, with its traceback.
        timing: how long planning took.
        effort: what all of it took of the machine.
    """

    number: int
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
    trouble: Trouble = ""
    details: str = ""
    timing: Timing = field(default=Timing(), compare=False)
    effort: Effort = field(default=Effort(), compare=False)

    @property
    def sound(self) -> bool:
        """Whether it ended as every trial must: no trouble, and no plan that the world does not accept.

        Finding no plan in the time there is, or no proof, is what is measured.
        """
        return not self.trouble and not (self.must and self.planned and not self.success)

    @property
    def fault(self) -> str:
        """Why it did not succeed, in one line; empty if it did."""
        if self.trouble:
            return in_short(self.trouble, self.details)
        if not self.planned:
            return f"no plan: {self.why or 'nobody knows why'}"
        if self.refused:
            return f"the world refused {self.refused}"
        return "" if self.success else "the plan was carried out, but the task is not done"


@dataclass(frozen=True, slots=True)
class Tally:
    """How long a plan is: see :class:`PlanningEpisode`."""

    actions: int
    waypoints: int
    stops: int
    used: tuple[str, ...]


def tally(steps: Sequence[WorldStep]) -> Tally:
    """Count what a plan consists of. Moves that follow each other are one way, and one action."""
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
    return Tally(actions, moves, len(stops), tuple(sorted({step.does for step in steps})))


def run_trial(
    suite: PlanningSuite, workshop: PlannerFactory[W], trial: Trial, limit: float
) -> PlanningEpisode:
    """Carry out *trial*; whatever goes wrong in it becomes part of the result.

    Args:
        suite: what it is from.
        workshop: where worlds and planners come from.
        trial: which task, in which setting and variant, from which start.
        limit: seconds on the wall that planning may take at most, whatever the variant says.
    """
    limit = min(limit, suite.variants[trial.variant].seconds)
    return PlanningEpisode(
        **measured(lambda: _carry_out(suite, workshop, trial, limit), partial(_facts, suite, trial))
    )


def troubled_trial(
    suite: PlanningSuite, trial: Trial, trouble: Trouble, details: str, wall: float = 0.0
) -> PlanningEpisode:
    """The result of a trial that could not report one itself."""
    return PlanningEpisode(**_facts(suite, trial, trouble=trouble, details=details), effort=Effort(wall))


def _facts(suite: PlanningSuite, trial: Trial, **more: Any) -> dict[str, Any]:
    return {
        "number": trial.number,
        "task": trial.task,
        "level": suite.tasks[trial.task].level,
        "setting": trial.setting,
        "variant": trial.variant,
        "seed": trial.seed,
        # Ways that are put in afterwards may turn out to be impossible: that is the point of not doing so.
        "must": suite.variants[trial.variant].without != "expansion",
        **more,
    }


def _carry_out(
    suite: PlanningSuite, workshop: PlannerFactory[W], trial: Trial, limit: float
) -> dict[str, Any]:
    task, variant = suite.tasks[trial.task], suite.variants[trial.variant]
    start = suite.start(trial, workshop.nodes(suite), workshop.doors(suite))
    planner = workshop.planner(suite, task, suite.settings[trial.setting], variant)
    world = workshop.open(suite, start)
    planned = planner.plan(world, limit)
    if not planned.found:
        timing = Timing(planned.first, planned.proof, planned.search, planned.parts)
        return _facts(suite, trial, why=planned.why, asked=planned.asked, timing=timing)
    refused = world.carry_out(planned.steps)
    success = not refused and world.holds(task.success)
    again, second = None, None
    if success and variant.without in REPLANNED:
        again, second = _plan_again(suite, workshop, trial, start, planner, planned.steps, limit)
    counted = tally(planned.steps)
    return _facts(
        suite,
        trial,
        planned=True,
        proved=planned.proved,
        success=success,
        refused=refused,
        why=planned.why if refused or not planned.proved else "",
        cost=planned.cost,
        first_cost=planned.first_cost,
        lower_bound=planned.lower_bound,
        actions=counted.actions,
        waypoints=counted.waypoints,
        stops=counted.stops,
        used=counted.used,
        asked=planned.asked,
        again=again,
        timing=Timing(
            planned.first,
            planned.proof,
            planned.search,
            planned.parts,
            second.first if second else None,
            second.parts.get("map", 0.0) if second else None,
        ),
    )


def _plan_again(
    suite: PlanningSuite,
    workshop: PlannerFactory[W],
    trial: Trial,
    start: Start,
    planner: TaskPlanner[W],
    steps: Sequence[WorldStep],
    limit: float,
) -> tuple[bool, Planned]:
    """Do half of a plan, change something, plan anew: whether that led to the goal, and the new plan."""
    world = workshop.open(suite, start)
    world.carry_out(steps[: len(steps) // 2])
    world.disturb(Random(f"disturb {trial.seed}"), suite.settings[trial.setting].doors)
    planned = planner.plan(world, limit, prove=False)
    done = planned.found and not world.carry_out(planned.steps)
    return done and world.holds(suite.tasks[trial.task].success), planned
