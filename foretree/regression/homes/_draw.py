"""Drawing errands: a home, and a task in it that can be done with full knowledge."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache
from random import Random
from typing import Any, ClassVar, TypeVar

from foretree.bringup.homes import DOMAIN
from foretree.errors import ForetreeError
from foretree.regression.core.trial import Effort, TrialKind, Trouble
from foretree.regression.homes._best_plan import best_length
from foretree.regression.homes.household_tasks import (
    Choices,
    HouseholdTask,
    Value,
    all_tasks,
    find_family,
    read_choices,
)
from foretree.regression.homes.suite import Errand, HomesSuite
from foretree.simulation.grid_homes.episode import EpisodeSpec
from foretree.simulation.grid_homes.layouts.layout_generator import generate_layout, layout_names
from foretree.simulation.grid_homes.layouts.spawning import SpawnError, suits
from foretree.simulation.grid_homes.task_families import make_task
from foretree.skills.catalogue import Catalogue
from foretree.skills.catalogue_file import load_catalogue

_Drawn = TypeVar("_Drawn", bound="DrawnErrand")


class UndrawableError(ForetreeError):
    """No home in which a task of some family could be done."""


@dataclass(frozen=True, slots=True)
class DrawnErrand:
    """An errand, with the home and the task that were drawn for it.

    Attributes:
        errand: the errand.
        layout: the name of the home's layout.
        seed: decides what lies where in it, and what goes wrong there.
        parameters: those of the task.
        instruction: the task in words.
        goal: the task in PDDL.
        best: the number of controls of the best known plan.
        passed_over: the number of homes without a plan that were drawn before.
        trouble: whether drawing crashed or hung; then nothing else is set.
        details: the error behind that.
        effort: time and processor time.
    """

    identity: ClassVar[tuple[str, ...]] = ("label",)

    errand: Errand
    layout: str = ""
    seed: int = 0
    parameters: tuple[tuple[str, Value], ...] = ()
    instruction: str = ""
    goal: str = ""
    best: int = 0
    passed_over: int = 0
    trouble: Trouble = ""
    details: str = ""
    effort: Effort = field(default=Effort(), compare=False)

    @property
    def number(self) -> int:
        """Its place in the suite."""
        return self.errand.number

    @property
    def usable(self) -> bool:
        """True if it can be carried out."""
        return not self.trouble

    @property
    def label(self) -> str:
        """The name of its errand."""
        return self.errand.label

    def numbered(self: _Drawn, number: int) -> _Drawn:
        """The same at another place."""
        return replace(self, errand=replace(self.errand, number=number))

    def episode(self, things: int, noise: float) -> EpisodeSpec:
        """The home and the task, with so many things in it and so much noise."""
        return EpisodeSpec(
            self.layout,
            self.seed,
            self.errand.family,
            dict(self.parameters),
            things,
            self.errand.mode,
            noise,
        )


@dataclass(frozen=True)
class ErrandDrawing(TrialKind[Errand, DrawnErrand]):
    """Drawing a home and a task for each errand.

    Homes are drawn one after the other, each with a task for which it has all the furniture, until there is
    one in which a planner with full knowledge finds a plan, so that every task can be done.
    The searches have limits of their own, so nothing is cut short.
    """

    result = DrawnErrand
    limit = 600.0

    suite: HomesSuite

    def facts(self, trial: Errand) -> dict[str, Any]:
        """Facts of a drawing that are known beforehand."""
        return {"errand": trial}

    def key(self, trial: Errand) -> str:
        """Name under which the drawing is kept."""
        return trial.label

    def carry_out(self, trial: Errand, limit: float) -> dict[str, Any]:
        """Draw a home and a task."""
        return _draw(self.suite, trial)


def _draw(suite: HomesSuite, errand: Errand) -> dict[str, Any]:
    catalogue, choices = home_catalogue(), _choices()
    family = find_family(errand.family)
    rng = Random(f"errand {errand.seed}")
    passed_over = 0
    layouts = list(layout_names(seen=errand.split == "seen"))
    rng.shuffle(layouts)
    for layout in layouts:
        has = generate_layout(layout)
        tasks = [
            task
            for task in all_tasks(family, catalogue.ontology, choices)
            if suits(has, make_task(errand.family, task.parameters))
        ]
        if not tasks:
            continue
        task = rng.choice(tasks)
        found: dict[str, Any] = {
            "layout": layout,
            "seed": rng.getrandbits(31),
            "parameters": tuple(sorted(task.parameters.items())),
            "instruction": task.instruction,
            "goal": task.goal,
        }
        if best := _best(suite, DrawnErrand(errand, **found), task, catalogue):
            return {**found, "best": best, "passed_over": passed_over}
        passed_over += 1
    raise UndrawableError(
        f"There is no {errand.split} layout in which a task of the family {errand.family} could be done."
    )


def _best(suite: HomesSuite, drawn: DrawnErrand, task: HouseholdTask, catalogue: Catalogue) -> int | None:
    try:
        body = drawn.episode(suite.things, noise=0.0).open()
    except SpawnError:
        return None
    return best_length(body.rules.home, task.formula, catalogue)


@lru_cache(maxsize=1)
def home_catalogue() -> Catalogue:
    """Catalogue of skills in homes."""
    return load_catalogue(DOMAIN)


@lru_cache(maxsize=1)
def _choices() -> Choices:
    return read_choices(home_catalogue().ontology)
