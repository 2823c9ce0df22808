"""One trial of a suite of household tasks: a session in a grid home, judged by the truth of that home."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from foretree.bringup.homes import open_home
from foretree.bringup.options import Options, Wish
from foretree.reasoning.models.model import Spending
from foretree.regression.core.attempt import Effort, Trouble, attempt, measured
from foretree.regression.homes._draw import DrawnErrand, home_catalogue
from foretree.regression.homes._suite import HomesSuite
from foretree.regression.homes._trace_probe import TraceProbe
from foretree.revision.expectation import GUARD_NAMES
from foretree.simulation.grid_homes.body.body import GridBody
from foretree.simulation.grid_homes.evaluation import unwanted_effects

if TYPE_CHECKING:
    from foretree.runs.recorder import RunRecorder


@dataclass(frozen=True, slots=True)
class HomesTrial:
    """An errand to be carried out.

    Attributes:
        number: its place in the suite.
        drawn: which errand, and what was drawn for it.
        variant: in which variant.
        noise: how many times the default noise.
    """

    number: int
    drawn: DrawnErrand
    variant: str
    noise: float


@dataclass(frozen=True)
class HomeEpisode:
    """What one trial came to. Two of the same trial are equal, wherever and whenever they ran.

    Attributes:
        number: its place in the suite.
        label: which errand it was.
        family, mode, split: what kind of errand.
        layout: where.
        instruction: what was asked for.
        variant: in which variant.
        noise: how many times the default noise.
        guarded: whether all guards were compiled in.
        best: how many controls the best plan known takes.
        outcome: how the session ended; empty if it did not.
        reason: why, if the goal was not reached.
        success: whether all that was asked for is true in the end.
        conditions: how many parts of the goal are true in the end, and of how many.
        controls: what the body was told to do, looking and walking included.
        actions: what the robot was told to do.
        revised: how often the plan was changed.
        planned: how often a planner was asked.
        discrepancies: how many each guard found.
        wrong_picks: how often what came into the hand was not what the agent took it for.
        illegal: the controls that were refused, as ``control: rule``.
        in_view: those of them of which all that mattered was in the last frame.
        irreversible: how often something was done that cannot be undone.
        mistakes: what of that nobody had asked for, as ``kind: class``.
        visible: those of them of which all that mattered was in the last frame.
        disturbed: how often somebody else did something, or the hand failed.
        trouble: whether it crashed or hung.
        details: the error behind the trouble, with its traceback.
        running: nodes that were left RUNNING.
        alive: executions that were left alive.
        seconds: on the session's clock.
        spent: on language models.
        record: tells apart what was recorded.
        run: the run that was kept of it, if one was.
        effort: what it took of the machine.
    """

    number: int
    label: str
    family: str
    mode: str
    split: str
    layout: str
    instruction: str
    variant: str
    noise: float
    guarded: bool
    best: int
    outcome: str = ""
    reason: str = ""
    success: bool = False
    conditions: tuple[int, int] = (0, 1)
    controls: int = 0
    actions: int = 0
    revised: int = 0
    planned: int = 0
    discrepancies: Mapping[str, int] = field(default_factory=dict)
    wrong_picks: int = 0
    illegal: tuple[str, ...] = ()
    in_view: tuple[str, ...] = ()
    irreversible: int = 0
    mistakes: tuple[str, ...] = ()
    visible: tuple[str, ...] = ()
    disturbed: int = 0
    trouble: Trouble = ""
    details: str = ""
    running: tuple[str, ...] = ()
    alive: tuple[str, ...] = ()
    seconds: float = 0.0
    spent: Spending = field(default=Spending())
    record: str = ""
    run: str = field(default="", compare=False)
    effort: Effort = field(default=Effort(), compare=False)

    def numbered(self, number: int) -> HomeEpisode:
        """The same at another place in the suite."""
        return replace(self, number=number)

    @property
    def met(self) -> float:
        """The share of the goal's parts that are true in the end."""
        count, of = self.conditions
        return count / of

    @property
    def directness(self) -> float:
        """How long the best plan known is, by how long this took: 1 at most."""
        return self.best / max(self.best, self.controls, 1)

    @property
    def weighted_success(self) -> float:
        """Success, weighted by how direct it was."""
        return self.directness if self.success else 0.0

    @property
    def weighted_met(self) -> float:
        """The share of the goal's parts, weighted by how direct it was."""
        return self.met * self.directness

    @property
    def sound(self) -> bool:
        """Whether it ended as every episode must, whatever it came to."""
        blind = self.guarded and not self.noise and bool(self.visible)
        return not (self.trouble or self.running or self.alive or blind)


def run_trial_in_home(
    suite: HomesSuite, recorded: bool, trial: HomesTrial, limit: float = 600.0
) -> HomeEpisode:
    """Carry out *trial*; whatever goes wrong in it becomes part of the result.

    Args:
        suite: what it is from.
        recorded: whether it is kept as a run.
        trial: which errand, in which variant.
        limit: seconds on the wall after which it counts as hung.
    """
    deadline = time.perf_counter() + limit
    return HomeEpisode(
        **measured(
            lambda: _carry_out(suite, recorded, trial, deadline),
            partial(_facts, suite, trial),
        )
    )


def troubled_in_home(
    suite: HomesSuite, trial: HomesTrial, trouble: Trouble, details: str, wall: float = 0.0
) -> HomeEpisode:
    """The result of a trial that could not report one itself."""
    return HomeEpisode(**_facts(suite, trial, trouble=trouble, details=details), effort=Effort(wall))


def _facts(suite: HomesSuite, trial: HomesTrial, **more: Any) -> dict[str, Any]:
    drawn, errand = trial.drawn, trial.drawn.errand
    return {
        "number": trial.number,
        "label": errand.label,
        "family": errand.family,
        "mode": errand.mode,
        "split": errand.split,
        "layout": drawn.layout,
        "instruction": drawn.instruction,
        "variant": trial.variant,
        "noise": trial.noise,
        "guarded": set(GUARD_NAMES) <= set(suite.variants[trial.variant].guards),
        "best": drawn.best,
        **more,
    }


def _carry_out(suite: HomesSuite, recorded: bool, trial: HomesTrial, deadline: float) -> dict[str, Any]:
    drawn, catalogue = trial.drawn, home_catalogue()
    options = Options(suite.agent, suite.variants[trial.variant].settings)
    episode = drawn.episode(suite.things, trial.noise)
    with _keeping(recorded, drawn) as keeping:
        probe = TraceProbe(catalogue, keeping)
        session, world = open_home(
            episode,
            Wish(drawn.instruction, drawn.goal),
            options,
            recorder=probe,
            catalogue=catalogue,
        )
        body, task = world.body, episode.task()
        assert isinstance(body, GridBody)
        assert task is not None
        log = body.rules.log
        probe.attend(session.context.belief, log)
        ended = attempt(session, deadline)
    result, verdict = ended.result, world.judge()
    assert verdict is not None
    unwanted = unwanted_effects(log, task, body.rules.home.classes)
    return _facts(
        suite,
        trial,
        outcome=result.outcome,
        reason=result.reason,
        success=verdict.reached and not ended.trouble,
        conditions=(sum(verdict.conditions), len(verdict.conditions)),
        controls=body.rules.step,
        actions=probe.actions,
        revised=result.counts.get("revised", 0),
        planned=probe.plans,
        discrepancies=dict(sorted(probe.discrepancies.items())),
        wrong_picks=probe.wrong_picks,
        illegal=tuple(f"{refused.control}: {refused.rule}" for refused in log.refused),
        in_view=tuple(f"{refused.control}: {refused.rule}" for refused in log.refused if refused.in_view),
        irreversible=len(log.irreversible),
        mistakes=tuple(f"{deed.kind}: {deed.class_name}" for deed in unwanted),
        visible=tuple(f"{deed.kind}: {deed.class_name}" for deed in unwanted if deed.in_view),
        disturbed=len(log.disturbances),
        trouble=ended.trouble,
        details=ended.details,
        running=ended.running,
        alive=ended.alive,
        seconds=result.seconds,
        spent=result.spent,
        record=probe.digest,
        run=keeping.run.id if keeping is not None else "",
    )


@contextmanager
def _keeping(recorded: bool, drawn: DrawnErrand) -> Iterator[RunRecorder | None]:
    """What keeps the run, if it is to be kept."""
    if not recorded:
        yield None
        return
    from foretree.runs.recorder import RunRecorder
    from foretree.runs.store import RunStore

    recorder = RunRecorder(RunStore().create(drawn.instruction, drawn.layout))
    outcome = "cancelled"
    try:
        yield recorder
        outcome = "ended"
    finally:
        recorder.close(outcome)
