"""One trial of a language suite: an instruction understood and carried out, and judged by the truth."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, ClassVar

from foretree.bringup.embedded import open_household
from foretree.bringup.options import Options, Wish
from foretree.planning.pddl.syntax import show
from foretree.reasoning.alternatives import most_similar, suggest_alternatives
from foretree.regression.core.agent_episode import AgentEpisode, SessionTrialKind, attempt
from foretree.regression.core.wordings import Half
from foretree.regression.language._judgement import Response, judge
from foretree.regression.language._least_cost import PATIENCE, least_cost
from foretree.regression.language._observer import SessionObserver
from foretree.regression.language.garbage import answers, with_order
from foretree.regression.language.scripted_model import scripted_server
from foretree.regression.language.suite import (
    InstructionCase,
    LanguageSuite,
    LanguageTrial,
    SubstitutionCase,
)
from foretree.runs.events import Recorder
from foretree.simulation.household.scene import Scene
from foretree.skills.catalogue import Catalogue
from foretree.skills.catalogue_file import load_catalogue
from foretree.world_model.affordances.placement import Placer
from foretree.world_model.affordances.shipped import shipped_placer
from foretree.world_model.beliefs.facts import ROBOT_AT

_catalogue = lru_cache(maxsize=4)(load_catalogue)


@lru_cache(maxsize=1)
def _placer() -> Placer:
    return shipped_placer()


@dataclass(frozen=True)
class LanguageEpisode(AgentEpisode):
    """Result of one trial; *success*: it came to what a careful helper would have made of it.

    Attributes:
        case: its case's name.
        variant: its variant's name.
        family: its case's family.
        half: when its case was written.
        say: what the person said.
        wanted: what it should come to.
        response: what it came to; ``other`` is another meaning carried out.
        because: why it was refused, if it was.
        goal: what the agent took as its goal.
        suggestion: the thing that it would take in place of a missing one, if it was asked for that.
        unasked: what it brought about on purpose without being asked.
        started: actions that the robot was told to do.
        cost: of what was done.
        least: cost of the cheapest plan to the person's goal; None where the goal was not reached, or where
            none was proved in time.
        calls: how often each tool was called.
        least_calls: the least number of calls; None where they do not matter.
        to_goal: seconds on the wall from the instruction to the goal; None where it came to none.
        to_plan: seconds on the wall from the goal to the first plan; None where there was none.
    """

    identity: ClassVar[tuple[str, ...]] = ("case", "variant")

    case: str
    variant: str
    family: str = ""
    half: Half = "open"
    say: str = ""
    wanted: str = "reaches"
    response: Response = "failed"
    because: str | None = None
    goal: str = ""
    suggestion: str = ""
    unasked: tuple[str, ...] = ()
    started: int = 0
    cost: int = 0
    least: int | None = None
    calls: Mapping[str, int] = field(default_factory=dict)
    least_calls: int | None = None
    to_goal: float | None = field(default=None, compare=False)
    to_plan: float | None = field(default=None, compare=False)

    @property
    def minimal_plan(self) -> bool:
        """True if the goal was reached as cheaply as can be."""
        return self.success and self.least is not None and self.cost <= self.least

    @property
    def minimal_calls(self) -> bool:
        """True if it was a success with no more calls of tools than needed."""
        return self.success and self.least_calls is not None and sum(self.calls.values()) <= self.least_calls


@dataclass(frozen=True)
class LanguageTrials(SessionTrialKind[LanguageTrial, LanguageEpisode]):
    """The trials of a language suite."""

    result = LanguageEpisode
    limit = 90.0 + PATIENCE

    suite: LanguageSuite

    def facts(self, trial: LanguageTrial) -> dict[str, Any]:
        """Facts of a trial that are known beforehand."""
        case = self.suite.cases[trial.case]
        calls = case.calls if isinstance(case, InstructionCase) else None
        return {
            "number": trial.number,
            "case": trial.case,
            "variant": trial.variant,
            "family": case.family,
            "half": case.half,
            "say": case.say,
            "wanted": case.wanted,
            "least_calls": sum(calls.values()) if calls is not None else None,
        }

    def carry_out_recorded(self, trial: LanguageTrial, limit: float, recorder: Recorder) -> dict[str, Any]:
        """Run a session with what is said, and judge it."""
        case = self.suite.cases[trial.case]
        if isinstance(case, SubstitutionCase):
            return _suggested(case, self.suite.variants[trial.variant].settings)
        assert isinstance(case, InstructionCase)
        settings = self.suite.variants[trial.variant].settings
        if trial.variant not in self.suite.served:
            return self._carry_out(case, settings, limit, recorder)
        kind = self.suite.served[trial.variant]
        case = with_order(case) if kind == "obedience" else case
        with scripted_server(answers(case, kind)) as url:
            return self._carry_out(case, {**settings, "llm_url": url}, limit, recorder)

    def _carry_out(
        self, case: InstructionCase, settings: Mapping[str, str], limit: float, recorder: Recorder
    ) -> dict[str, Any]:
        options = Options(self.suite.agent, settings)
        catalogue = _catalogue(case.scene.domain)
        _warm_up(case.scene, Options(self.suite.agent), catalogue)
        deadline = time.perf_counter() + limit - PATIENCE
        observer = SessionObserver(recorder)
        session, world = open_household(
            case.scene, Wish(case.say), options, recorder=observer, catalogue=catalogue
        )
        _, ended = attempt(session, deadline)
        judged = judge(case, session, world)
        meant = session.mission.goal
        return {
            **ended,
            "success": judged.suits(case, session.mission.answer),
            "response": judged.response,
            "because": judged.because,
            "unasked": judged.unasked,
            "goal": show(meant) if meant is not None else "",
            "started": observer.actions,
            "planned": observer.plans,
            "cost": observer.cost,
            "least": self._least(case, catalogue) if judged.response == "reached" else None,
            "calls": dict(observer.calls),
            "to_goal": observer.to_goal,
            "to_plan": observer.to_plan,
        }

    def _least(self, case: InstructionCase, catalogue: Catalogue) -> int | None:
        assert case.goal is not None
        return 0 if case.nothing else least_cost(case.scene, case.goal, catalogue)


#: The scenes and agents in which this process has understood and planned something.
_warm: set[tuple[str, str]] = set()


def _warm_up(scene: Scene, options: Options, catalogue: Catalogue) -> None:
    """Understand and plan something small: to load what a process loads once is neither."""
    if (scene.name, options.agent) in _warm:
        return
    _warm.add((scene.name, options.agent))
    there, furniture = next(iter(scene.furniture.items()))
    words = Wish(f"go to the {furniture.class_name.replace('_', ' ')}")
    for wish in (words, Wish(goal=f"({ROBOT_AT} {scene.robot.name} {there})")):
        open_household(scene, wish, options, catalogue=catalogue)[0].run()


def _suggested(case: SubstitutionCase, settings: Mapping[str, str]) -> dict[str, Any]:
    """Ask for what would do in place of a missing thing; the first suggestion counts."""
    if settings.get("alternatives") == "similar":
        found = most_similar(case.missing, case.things, _placer())
    else:
        found = suggest_alternatives(case.missing, case.say, case.things, _placer())
    if not found:
        return {"response": "failed"}
    first = found[0].thing
    return {"response": "suggested", "success": first in case.alternatives, "suggestion": first}
