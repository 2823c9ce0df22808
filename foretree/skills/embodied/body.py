"""The body protocol: a body with a camera that moves by small steps, as simulated households offer it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias, get_args

from foretree.perception.frame import Frame, Lens

#: What moves the body or its camera; no mask is needed.
Motion: TypeAlias = Literal[
    "move_ahead",
    "move_back",
    "strafe_left",
    "strafe_right",
    "rotate_left",
    "rotate_right",
    "look_up",
    "look_down",
    "lift_held",
    "lower_held",
    "turn_held",
    "wait",
]
#: What changes the world; all are aimed at a mask of the last frame.
Manipulation: TypeAlias = Literal[
    "pick_up", "put", "open", "close", "toggle_on", "toggle_off", "slice", "pour", "clean", "fill"
]
MOTIONS: tuple[Motion, ...] = get_args(Motion)
MANIPULATIONS: tuple[Manipulation, ...] = get_args(Manipulation)

#: What a body says of a manipulation that went wrong by mishap: it may go well the next time.
MISHAP = "it did not work"
#: How what a body says ends when a thing is as it is to be made: "it is open already".
ALREADY = "already"

#: Metres that a step goes, degrees that a turn and a nod turn, and seconds that any control takes.
STEP = 0.25
TURN = 90
NOD = 30
STEP_TIME = 0.5


@dataclass(frozen=True, slots=True)
class Control:
    """One small thing that a body does.

    Attributes:
        name: what.
        mask: for a manipulation, the label of the mask in the last frame that it is aimed at.
        relation: for ``put``, how: ``on``, ``in`` or ``under``; empty for the usual way.
    """

    name: Motion | Manipulation
    mask: int | None = None
    relation: str = ""


class Body(Protocol):
    """A body that can be stepped. It may live in another process; a frame is all that comes back.

    Attributes:
        lens: its camera.
        reach: how far from its eye's foot point it can handle things, in metres.
    """

    lens: Lens
    reach: float

    def step(self, control: Control) -> Frame:
        """Carry out *control*, or refuse it, and sense the world afterwards."""
