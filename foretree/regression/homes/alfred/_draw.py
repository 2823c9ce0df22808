"""Making homes of trials, in which the task can be done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from foretree.errors import ForetreeError
from foretree.regression.core.selection import seed_of
from foretree.regression.core.trial import TrialKind
from foretree.regression.homes._best_plan import best_length
from foretree.regression.homes._draw import DrawnErrand, home_catalogue
from foretree.regression.homes.alfred.suite import AlfredSuite, TrialErrand
from foretree.regression.homes.household_tasks import HouseholdTask, find_family
from foretree.simulation.grid_homes.alfred.episode import AlfredEpisode
from foretree.simulation.grid_homes.alfred.tasks import task_of
from foretree.simulation.grid_homes.alfred.trials import AlfredTrial, read_trials

#: How many homes are made of a trial until there is one in which the task can be done.
_HOMES = 8


@dataclass(frozen=True, slots=True)
class DrawnTrial(DrawnErrand):
    """A trial, with the home that was made of it.

    Attributes:
        folder: where the trials are.
        refusal: why no home could be made of it in which the task can be done; empty if one was.
    """

    errand: TrialErrand
    folder: str = ""
    refusal: str = ""

    @property
    def usable(self) -> bool:
        """True if it can be carried out."""
        return not self.trouble and not self.refusal

    def episode(self, things: int, noise: float) -> AlfredEpisode:
        """The home and the task, with so much noise; what is in it is up to the trial."""
        return AlfredEpisode(
            self.layout,
            self.seed,
            self.errand.family,
            dict(self.parameters),
            things,
            self.errand.mode,
            noise,
            folder=self.folder,
            trial=self.errand.trial,
        )


@dataclass(frozen=True)
class TrialDrawing(TrialKind[TrialErrand, DrawnTrial]):
    """Making a home of each trial.

    Homes are drawn one after the other, until there is one in which a planner with full knowledge finds a
    plan.
    """

    result = DrawnTrial
    limit = 600.0

    suite: AlfredSuite

    def facts(self, trial: TrialErrand) -> dict[str, Any]:
        """Facts of a drawing that are known beforehand."""
        return {"errand": trial, "folder": str(self.suite.folder), "layout": f"FloorPlan{trial.room}"}

    def key(self, trial: TrialErrand) -> str:
        """Name under which the drawing is kept."""
        return trial.label

    def carry_out(self, trial: TrialErrand, limit: float) -> dict[str, Any]:
        """Make a home; what makes that impossible is part of the result."""
        recorded = read_trials(self.suite.folder)[trial.trial]
        try:
            family, parameters = task_of(recorded)
            task = find_family(family).task(home_catalogue().ontology, parameters)
            return self._draw(trial, recorded, task)
        except ForetreeError as error:
            return {"refusal": str(error)}

    def _draw(self, errand: TrialErrand, recorded: AlfredTrial, task: HouseholdTask) -> dict[str, Any]:
        found: dict[str, Any] = {
            "parameters": tuple(sorted(task.parameters.items())),
            "instruction": task.instruction,
            "goal": task.goal,
        }
        if self.suite.described:
            found |= _in_words(recorded)
        rng = Random(f"errand {errand.seed}")
        refusal: ForetreeError | None = None
        for passed_over in range(_HOMES):
            drawn = DrawnTrial(**self.facts(errand), **found, seed=rng.getrandbits(31))
            try:
                home = drawn.episode(self.suite.things, noise=0.0).home()
            except ForetreeError as error:
                refusal = error
                continue
            if best := best_length(home, task.formula, home_catalogue()):
                return {**found, "seed": drawn.seed, "best": best, "passed_over": passed_over}
        return {
            **found,
            "refusal": str(refusal or f"In none of {_HOMES} homes drawn does any plan reach the goal."),
        }


def _in_words(recorded: AlfredTrial) -> Mapping[str, str]:
    """Return a person's description of the task instead of a goal; which one follows from the trial."""
    said = [one for one in recorded.descriptions if one.strip()]
    if not said:
        raise ForetreeError("Nobody has said what the task was.")
    return {"instruction": said[seed_of(0, recorded.name, 0) % len(said)], "goal": ""}
