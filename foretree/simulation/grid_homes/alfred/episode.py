"""Episodes in homes from ALFRED's trials."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, ClassVar

from foretree.simulation.grid_homes.alfred.furnishing import furnished_room
from foretree.simulation.grid_homes.alfred.rooms import AlfredError
from foretree.simulation.grid_homes.alfred.spawning import spawn_trial
from foretree.simulation.grid_homes.alfred.trials import AlfredTrial, read_trials
from foretree.simulation.grid_homes.body.body import GridBody
from foretree.simulation.grid_homes.episode import EpisodeSpec
from foretree.simulation.grid_homes.goals import HomeTask
from foretree.simulation.grid_homes.home import Home
from foretree.simulation.grid_homes.layouts.layout import Layout


@dataclass(frozen=True, slots=True)
class AlfredEpisode(EpisodeSpec):
    """Specification of an episode in the home of a trial.

    Attributes:
        folder: the folder of the trials.
        trial: the name of the trial.
    """

    maker: ClassVar[str] = f"{__name__}:open_alfred_episode"

    folder: str = ""
    trial: str = ""

    def recorded(self) -> AlfredTrial:
        """The trial, as it was recorded.

        Raises:
            AlfredError: there is none of that name.
        """
        found = read_trials(Path(self.folder)).get(self.trial)
        if found is None:
            raise AlfredError(f"There is no trial {self.trial!r} in {self.folder}.")
        return found

    def floor_plan(self) -> Layout:
        """The layout of the trial's room."""
        return furnished_room(Path(self.folder), self.recorded().room).layout

    def home(self) -> Home:
        """The home, as it begins: what is in it, and where, is up to the trial."""
        trial = self.recorded()
        rng = Random(f"{self.trial} {self.seed}")
        furnished = furnished_room(Path(self.folder), trial.room)
        return spawn_trial(furnished, trial, self.task() or HomeTask(), rng)


def open_alfred_episode(layout: str, seed: int = 0, **options: Any) -> GridBody:
    """A body in the home of an :class:`AlfredEpisode` with these fields; for bodies in other processes."""
    return AlfredEpisode(layout, seed, **options).open()
