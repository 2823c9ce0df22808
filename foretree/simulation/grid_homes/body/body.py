"""A body in a grid home: controls change the true state, and frames of its camera come back."""

from __future__ import annotations

from dataclasses import replace

from foretree.perception.frame import Frame, Lens
from foretree.simulation.grid_homes.camera.camera import Camera, CameraImage
from foretree.simulation.grid_homes.camera.noise import NoiseModel
from foretree.simulation.grid_homes.disturbances import Disturbances
from foretree.simulation.grid_homes.home import Home
from foretree.simulation.grid_homes.rules import REACH, HomeRules
from foretree.skills.embodied.body import Control


class GridBody:
    """A body in a grid home; see :class:`~foretree.skills.embodied.body.Body`.

    An agent uses it as a Body, that is lens, reach and :meth:`step`; the rest is for evaluation.

    Attributes:
        lens: of its camera.
        reach: in metres.
        rules: the rules of the home, and its event log.
        camera: its camera.
        seen: the last image, with the ids of what is in it.
    """

    def __init__(self, home: Home, lens: Lens, noise: NoiseModel, seed: int) -> None:
        self.lens = lens
        self.reach = REACH
        self.rules = HomeRules(home, Disturbances(seed, noise.odds))
        self.camera = Camera(home, lens, noise, seed)
        self.seen: CameraImage | None = None

    def step(self, control: Control) -> Frame:
        """Carry out *control*, or refuse it, and return the frame that follows."""
        target, in_view = None, frozenset[str]()
        if self.seen is not None:
            in_view = self.seen.in_view
            if control.mask is not None:
                target = self.seen.things.get(control.mask)
        answer = self.rules.do(control, target, in_view)
        self.seen = self.camera.take()
        return replace(self.seen.frame, ok=answer.ok, message=answer.message, step=self.rules.step)
