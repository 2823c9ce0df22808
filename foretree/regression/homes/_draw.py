"""Drawing errands: which home, and which task in it, so that somebody who knows everything could do it."""

from __future__ import annotations

import time
import traceback
from dataclasses import dataclass, field, replace
from functools import lru_cache
from random import Random

from foretree.bringup.homes import DOMAIN
from foretree.errors import ForetreeError
from foretree.regression.core.attempt import Effort, Trouble
from foretree.regression.core.processor_time import processor_time
from foretree.regression.homes._best_plan import best_length
from foretree.regression.homes._suite import Errand, HomesSuite
from foretree.regression.homes.household_tasks import (
    Choices,
    HouseholdTask,
    Value,
    all_tasks,
    find_family,
    read_choices,
)
from foretree.simulation.grid_homes.episode import EpisodeSpec
from foretree.simulation.grid_homes.layouts.layout_generator import generate_layout, layout_names
from foretree.simulation.grid_homes.layouts.spawning import Requirements, SpawnError, suits
from foretree.simulation.grid_homes.task_families import make_task
from foretree.skills.catalogue import Catalogue
from foretree.skills.catalogue_file import load_catalogue


class UndrawableError(ForetreeError):
    """There is no home in which a task of some family could be done."""


@dataclass(frozen=True, slots=True)
class DrawnErrand:
    """An errand, with the home and the task that were drawn for it.

    Attributes:
        errand: what was drawn for.
        layout: the name of the home's layout.
        seed: decides what lies where in it, and what goes wrong there.
        parameters: those of the task.
        instruction: the task in words.
        goal: the task in PDDL.
        best: how many controls the best plan known takes.
        passed_over: how many homes were drawn before in which there was no plan.
        trouble: whether drawing crashed or hung; then nothing else is said.
        details: the error behind that.
        effort: what it took of the machine.
    """

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

    def numbered(self, number: int) -> DrawnErrand:
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


def draw_errand(suite: HomesSuite, errand: Errand, limit: float = 600.0) -> DrawnErrand:
    """Draw a home and a task; whatever goes wrong becomes part of the result.

    Homes are drawn one after the other, each with a task for which it has all the furniture, until there is
    one in which somebody who knows everything has a plan: no robot can be blamed for what cannot be done.

    Args:
        suite: what it is from.
        errand: for what.
        limit: seconds on the wall; the searches have limits of their own, so nothing is cut short.
    """
    wall, processor = time.perf_counter(), processor_time()
    try:
        found = _draw(suite, errand)
    except Exception:
        found = DrawnErrand(errand, trouble="crashed", details=traceback.format_exc())
    return replace(found, effort=Effort(time.perf_counter() - wall, processor_time() - processor))


def troubled_drawing(errand: Errand, trouble: Trouble, details: str, wall: float = 0.0) -> DrawnErrand:
    """The result of a drawing that could not report one itself."""
    return DrawnErrand(errand, trouble=trouble, details=details, effort=Effort(wall))


def _draw(suite: HomesSuite, errand: Errand) -> DrawnErrand:
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
            if suits(has, Requirements.of(make_task(errand.family, task.parameters)))
        ]
        if not tasks:
            continue
        task = rng.choice(tasks)
        found = DrawnErrand(
            errand,
            layout,
            rng.getrandbits(31),
            tuple(sorted(task.parameters.items())),
            task.instruction,
            task.goal,
        )
        best = _best(suite, found, task, catalogue)
        if best:
            return replace(found, best=best, passed_over=passed_over)
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
    """What is known of homes and of what can be done in them."""
    return load_catalogue(DOMAIN)


@lru_cache(maxsize=1)
def _choices() -> Choices:
    return read_choices(home_catalogue().ontology)
