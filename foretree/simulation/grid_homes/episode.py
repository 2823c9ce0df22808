"""Episodes: a home drawn for a task, a body in it, and what has come of the task in truth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

from foretree.simulation.grid_homes.body.body import GridBody
from foretree.simulation.grid_homes.camera.noise import load_noise
from foretree.simulation.grid_homes.families import task_of
from foretree.simulation.grid_homes.goals import Task, goal_conditions, is_reached
from foretree.simulation.grid_homes.layouts.layout_generator import draw_layout
from foretree.simulation.grid_homes.layouts.spawning import Mode, Needs, furnish
from foretree.world_model.camera_model import Lens


@dataclass(frozen=True, slots=True)
class Verdict:
    """What has come of a task in truth.

    Attributes:
        reached: whether all that was asked for is so.
        conditions: of each part of the goal, whether it is so.
    """

    reached: bool
    conditions: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Episode:
    """What a home is drawn from; plain data, so that it can be drawn in another process.

    Attributes:
        layout: the name of its layout.
        seed: what lies where in it, how that is, and what goes wrong.
        family: the family of the task that it has all for; empty for none in particular.
        parameters: the task's parameters.
        things: how many things there are, furniture included.
        mode: how everything begins.
        noise: how many times the default noise.
    """

    layout: str
    seed: int = 0
    family: str = ""
    parameters: Mapping[str, str | int] = field(default_factory=dict)
    things: int = 60
    mode: Mode = "diverse"
    noise: float = 1.0

    def task(self) -> Task | None:
        """The task; None if there is none in particular.

        Raises:
            TaskError: there is no such family, or it has other parameters.
        """
        return task_of(self.family, self.parameters) if self.family else None


def open_episode(
    layout: str,
    seed: int = 0,
    family: str = "",
    parameters: Mapping[str, str | int] | None = None,
    things: int = 60,
    mode: Mode = "diverse",
    noise: float = 1.0,
) -> GridBody:
    """A body in the home of an episode, whose attributes the arguments are.

    Raises:
        ForetreeError: there is no such layout, task or noise, or the layout has not got what the task takes.
    """
    episode = Episode(layout, seed, family, parameters or {}, things, mode, noise)
    task = episode.task()
    needs = Needs.of(task) if task is not None else Needs()
    home = furnish(draw_layout(layout), needs, mode, Random(f"{layout} {seed}"), things)
    classes = (*home.bodies.items, *home.bodies.furniture)
    return GridBody(home, Lens(), load_noise(classes=classes).times(noise), seed)


def judge(body: GridBody, task: Task) -> Verdict:
    """What has come of *task* in the home in which a body is."""
    home = body.rules.home
    return Verdict(is_reached(home, task), tuple(goal_conditions(home, task)))
