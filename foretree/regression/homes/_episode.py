"""One trial of a suite of household tasks: a session in a grid home, judged by the truth of that home."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from foretree.bringup.homes import open_home
from foretree.bringup.options import Options, Wish
from foretree.regression.core.agent_episode import AgentEpisode, attempt
from foretree.regression.core.trial import TrialKind
from foretree.regression.homes._draw import DrawnErrand, home_catalogue
from foretree.regression.homes._suite import HomesSuite
from foretree.regression.homes._trace_probe import TraceProbe
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
class HomeEpisode(AgentEpisode):
    """Result of one trial; *success*: all that was asked for is true in the end.

    Attributes:
        label: which errand it was.
        family, mode, split: what kind of errand.
        layout: where.
        instruction: what was asked for.
        variant: in which variant.
        noise: how many times the default noise.
        guarded: whether all guards were compiled in.
        best: how many controls the best plan known takes.
        conditions: how many parts of the goal are true in the end, and of how many.
        controls: what the body was told to do, looking and walking included.
        actions: what the robot was told to do.
        discrepancies: how many each guard found.
        wrong_picks: how often what came into the hand was not what the agent took it for.
        irreversible: how often something was done that cannot be undone.
        mistakes: what of that was not asked for, as ``kind: class``.
        visible: those of them of which all that mattered was in the last frame.
        disturbed: how often the home was changed from outside, or the hand failed.
        record: digest of what was recorded.
        run: the run that was kept of it, if one was.
    """

    identity: ClassVar[tuple[str, ...]] = ("label", "variant", "noise")

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
    conditions: tuple[int, int] = (0, 1)
    controls: int = 0
    actions: int = 0
    discrepancies: Mapping[str, int] = field(default_factory=dict)
    wrong_picks: int = 0
    irreversible: int = 0
    mistakes: tuple[str, ...] = ()
    visible: tuple[str, ...] = ()
    disturbed: int = 0
    record: str = ""
    run: str = field(default="", compare=False)

    @property
    def met(self) -> float:
        """The share of the goal's parts that are true in the end."""
        count, of = self.conditions
        return count / of

    @property
    def directness(self) -> float:
        """Ratio of the controls of the best plan known to those that were taken; 1 at most."""
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
    def overlooked(self) -> tuple[str, tuple[str, ...]]:
        """The mistakes that it could see to be some, with all guards and without noise."""
        blind = self.visible if self.guarded and not self.noise else ()
        return "did what cannot be undone, and could see that", blind


@dataclass(frozen=True)
class HomeTrials(TrialKind[HomesTrial, HomeEpisode]):
    """The trials of a suite of household tasks.

    Attributes:
        suite: what they are from.
        recorded: whether each is kept as a run.
    """

    result = HomeEpisode
    limit = 600.0

    suite: HomesSuite
    recorded: bool = False

    def facts(self, trial: HomesTrial) -> dict[str, Any]:
        """Facts of an episode that are known beforehand."""
        drawn, errand = trial.drawn, trial.drawn.errand
        return {
            "number": trial.number,
            **{name: getattr(errand, name) for name in ("label", "family", "mode", "split")},
            **{name: getattr(drawn, name) for name in ("layout", "instruction", "best")},
            "variant": trial.variant,
            "noise": trial.noise,
            "guarded": self.suite.variants[trial.variant].guarded,
        }

    def carry_out(self, trial: HomesTrial, limit: float) -> dict[str, Any]:
        """Carry an errand out and judge it by the truth of the home."""
        deadline = time.perf_counter() + limit
        suite, drawn, catalogue = self.suite, trial.drawn, home_catalogue()
        options = Options(suite.agent, suite.variants[trial.variant].settings)
        episode = drawn.episode(suite.things, trial.noise)
        with _keeping(self.recorded, drawn) as keeping:
            probe = TraceProbe(catalogue, keeping)
            wish = Wish(drawn.instruction, drawn.goal)
            session, world = open_home(episode, wish, options, recorder=probe, catalogue=catalogue)
            body, task = world.body, episode.task()
            assert isinstance(body, GridBody)
            assert task is not None
            log = body.rules.log
            probe.watch(session.context.belief, log)
            ended = attempt(session, deadline)
        verdict = world.judge()
        assert verdict is not None
        unwanted = unwanted_effects(log, task, body.rules.home.classes)
        return {
            **ended.facts(),
            "success": verdict.reached and not ended.trouble,
            "conditions": (sum(verdict.conditions), len(verdict.conditions)),
            "controls": body.rules.step,
            "actions": probe.actions,
            "planned": probe.plans,
            "discrepancies": dict(sorted(probe.discrepancies.items())),
            "wrong_picks": probe.wrong_picks,
            "illegal": tuple(f"{refused.control}: {refused.rule}" for refused in log.refused),
            "in_view": tuple(
                f"{refused.control}: {refused.rule}" for refused in log.refused if refused.in_view
            ),
            "irreversible": len(log.irreversible),
            "mistakes": tuple(f"{deed.kind}: {deed.class_name}" for deed in unwanted),
            "visible": tuple(f"{deed.kind}: {deed.class_name}" for deed in unwanted if deed.in_view),
            "disturbed": len(log.disturbances),
            "record": probe.digest,
            "run": keeping.run.id if keeping is not None else "",
        }


@contextmanager
def _keeping(recorded: bool, drawn: DrawnErrand) -> Iterator[RunRecorder | None]:
    """Recorder of the run, if it is to be kept."""
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
