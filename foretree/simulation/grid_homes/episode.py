"""Episodes: a home drawn for a task, and a body in it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, ClassVar

from foretree.simulation.grid_homes.body.body import GridBody
from foretree.simulation.grid_homes.camera.noise import NoiseModel, load_noise
from foretree.simulation.grid_homes.goals import HomeTask
from foretree.simulation.grid_homes.home import Home
from foretree.simulation.grid_homes.layouts.layout import Layout
from foretree.simulation.grid_homes.layouts.layout_generator import generate_layout
from foretree.simulation.grid_homes.layouts.spawning import Mode, spawn_home
from foretree.simulation.grid_homes.task_families import make_task
from foretree.world_model.camera_model import Lens


@dataclass(frozen=True, slots=True)
class EpisodeSpec:
    """Specification of an episode; plain data, so that its home can be drawn in another process.

    Attributes:
        maker: the function that makes the body of one from its fields, for another process.
        layout: the name of the layout.
        seed: decides what lies where, in which state, and what goes wrong.
        family: the family of the task for which the home has everything; empty for none in particular.
        parameters: those of the task.
        things: the number of objects, furniture included.
        mode: the states in which everything begins.
        noise: a factor on the default noise.
        persistence: over how many metres errors of views last, instead of what the noise's file says.
    """

    maker: ClassVar[str] = f"{__name__}:open_episode"

    layout: str
    seed: int = 0
    family: str = ""
    parameters: Mapping[str, str | int] = field(default_factory=dict)
    things: int = 60
    mode: Mode = "diverse"
    noise: float = 1.0
    persistence: float | None = None

    def task(self) -> HomeTask | None:
        """The task; None if there is none in particular.

        Raises:
            TaskError: there is no such family, or it has other parameters.
        """
        return make_task(self.family, self.parameters) if self.family else None

    def floor_plan(self) -> Layout:
        """The layout.

        Raises:
            ForetreeError: there is none of that name.
        """
        return generate_layout(self.layout)

    def home(self) -> Home:
        """The home, as it begins.

        Raises:
            ForetreeError: there is no such layout or task, or the layout lacks what the task needs.
        """
        rng = Random(f"{self.layout} {self.seed}")
        return spawn_home(self.floor_plan(), self.task() or HomeTask(), self.mode, rng, self.things)

    def open(self) -> GridBody:
        """A body in the home.

        Raises:
            ForetreeError: there is no such layout, task or noise, or the layout lacks what the task needs.
        """
        home = self.home()
        classes = (*home.classes.items, *home.classes.furniture)
        return GridBody(home, Lens(), self.errors(classes), self.seed)

    def errors(self, classes: Collection[str]) -> NoiseModel:
        """Return how the body errs, in a home with things of these classes."""
        errors = load_noise(classes=classes).times(self.noise)
        return errors if self.persistence is None else errors.lasting(self.persistence)


def open_episode(layout: str, seed: int = 0, **options: Any) -> GridBody:
    """A body in the home of an :class:`EpisodeSpec` with these fields; for bodies in other processes."""
    return EpisodeSpec(layout, seed, **options).open()
