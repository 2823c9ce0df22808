"""Trials of a suite of household tasks: sessions in grid homes, evaluated on the true state."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any, ClassVar

from foretree.bringup.homes import open_home
from foretree.bringup.options import Options, Wish
from foretree.regression.core.agent_episode import (
    AgentEpisode,
    CountingRecorder,
    SessionTrialKind,
    attempt,
)
from foretree.regression.homes._draw import DrawnErrand, home_catalogue
from foretree.regression.homes.suite import HomesSuite
from foretree.runs.encoding import canonical, without_wall
from foretree.runs.events import Recorder
from foretree.simulation.grid_homes.body.body import GridBody
from foretree.simulation.grid_homes.event_log import HomeLog
from foretree.simulation.grid_homes.goals import unwanted_effects
from foretree.skills.catalogue import Catalogue
from foretree.world_model.beliefs.belief import Belief

if TYPE_CHECKING:
    from foretree.runs.recorder import RunRecorder


@dataclass(frozen=True, slots=True)
class HomesTrial:
    """An errand to be carried out.

    Attributes:
        number: its place in the suite.
        drawn: the errand, with what was drawn for it.
        variant: the variant of the agent.
        noise: a factor on the default noise.
    """

    number: int
    drawn: DrawnErrand
    variant: str
    noise: float


@dataclass(frozen=True)
class HomeEpisode(AgentEpisode):
    """Result of one trial; *success*: all that was asked for is true in the end.

    Attributes:
        label: of the errand.
        family, mode, split: the kind of errand.
        layout: of the home.
        instruction: of the task.
        variant: of the agent.
        noise: a factor on the default noise.
        guarded: whether all guards were compiled in.
        best: the number of controls of the best known plan.
        conditions: the number of parts of the goal that hold in the end, and of all parts.
        controls: the number of controls, looking and walking included.
        actions: the number of actions started.
        discrepancies: the number that each guard found.
        wrong_picks: pick-ups of what was of another class than believed.
        irreversible: the number of irreversible effects.
        mistakes: those that were not asked for, as ``kind: class``.
        visible: those mistakes with all that mattered in the last frame.
        disturbed: changes by other people, and failed manipulations.
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
        """The share of the goal's parts that hold in the end."""
        count, of = self.conditions
        return count / of

    @property
    def directness(self) -> float:
        """Ratio of the controls of the best plan known to those that were taken; 1 at most."""
        return self.best / max(self.best, self.controls, 1)

    @property
    def weighted_success(self) -> float:
        """Success weighted by directness."""
        return self.directness if self.success else 0.0

    @property
    def weighted_met(self) -> float:
        """The share of the goal's parts weighted by directness."""
        return self.met * self.directness

    @property
    def falsely_reached(self) -> bool:
        """True if the robot reported success, and was wrong."""
        return self.outcome == "reached" and not self.success

    @property
    def avoidable(self) -> tuple[str, tuple[str, ...]]:
        """Mistakes that were in view, with all guards and without noise."""
        blind = self.visible if self.guarded and not self.noise else ()
        return "did what cannot be undone, and could see that", blind


@dataclass(frozen=True)
class HomeTrials(SessionTrialKind[HomesTrial, HomeEpisode]):
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

    def carry_out_recorded(self, trial: HomesTrial, limit: float, recorder: Recorder) -> dict[str, Any]:
        """Carry out an errand and evaluate it on the true state of the home."""
        deadline = time.perf_counter() + limit
        suite, drawn, catalogue = self.suite, trial.drawn, home_catalogue()
        options = Options(suite.agent, suite.variants[trial.variant].settings)
        episode = replace(drawn.episode(suite.things, trial.noise), persistence=suite.persistence)
        with _keeping(self.recorded, drawn) as keeping:
            probe = TraceProbe(catalogue, keeping or recorder)
            wish = Wish(drawn.instruction, drawn.goal)
            session, world = open_home(episode, wish, options, recorder=probe, catalogue=catalogue)
            body, task = world.body, episode.task()
            assert isinstance(body, GridBody)
            assert task is not None
            log = body.rules.log
            probe.watch(session.context.belief, log)
            _, ended = attempt(session, deadline)
        verdict = world.judge()
        assert verdict is not None
        unwanted = unwanted_effects(log, task, body.rules.home.classes)
        return {
            **ended,
            "success": verdict.reached and not ended["trouble"],
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
            "mistakes": tuple(f"{effect.kind}: {effect.class_name}" for effect in unwanted),
            "visible": tuple(f"{effect.kind}: {effect.class_name}" for effect in unwanted if effect.in_view),
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


class TraceProbe(CountingRecorder):
    """A recorder that counts, and compares what came into the hand with what the agent took it for.

    Args:
        catalogue: the skills.
        recorder: takes everything down; none by default.

    Attributes:
        actions: the number of actions started.
        plans: the number of requests to a planner.
        discrepancies: the number that each guard found, skipped actions included.
        wrong_picks: pick-ups of what was of another class than believed.
    """

    def __init__(self, catalogue: Catalogue, recorder: Recorder | None = None) -> None:
        super().__init__(recorder)
        self.discrepancies: Counter[str] = Counter()
        self.wrong_picks = 0
        self._skills = catalogue.skills
        self._belief: Belief | None = None
        self._log: HomeLog | None = None
        self._digest = sha256()
        self._believed: dict[str, str] = {}
        self._picked = 0
        self._now = (0, 0.0)

    def watch(self, belief: Belief, log: HomeLog) -> None:
        """Compare the agent's belief with the event log of the home from now on."""
        self._belief, self._log = belief, log

    @property
    def digest(self) -> str:
        """Tells apart what was recorded, times on the wall aside: equal records have equal digests."""
        return self._digest.hexdigest()[:16]

    # -- as a recorder -----------------------------------------------------------------------------
    def mark(self, tick: int, time: float) -> None:
        """Note when the following events happen, and pass it on."""
        self._now = tick, time
        super().mark(tick, time)

    def note(self, kind: str, data: Mapping[str, Any]) -> None:
        """Count an event, and compare what it is about."""
        text = canonical([*self._now, kind, data])
        if '"wall":' in text:  # hardly ever
            text = canonical([*self._now, kind, without_wall(data)])
        self._digest.update(text.encode())
        super().note(kind, data)
        if kind == "discrepancy.found":
            self.discrepancies[data.get("part") or data["guard"]] += 1
        elif kind == "action.skipped":
            self.discrepancies.update(data["guards"])
        elif kind == "action.intent":
            self._intend(data)
        elif kind == "action.ended":
            self._compare(data["execution"])

    def _intend(self, data: Mapping[str, Any]) -> None:
        """Keep the believed class of the object that the agent is about to pick up."""
        action = data["action"]
        skill = self._skills[action["skill"]]
        if skill.does != "pick" or self._belief is None:
            return
        for parameter, name in zip(skill.operator.parameters, action["arguments"], strict=True):
            entity = self._belief.entity(name)
            if skill.roles.get(parameter.name[1:]) == "item" and entity is not None:
                self._believed[data["execution"]] = entity.best_class

    def _compare(self, execution: str) -> None:
        if self._log is None:
            return
        new, self._picked = self._log.pickups[self._picked :], len(self._log.pickups)
        believed = self._believed.pop(execution, None)
        if believed is not None:
            self.wrong_picks += sum(picked.class_name != believed for picked in new)
