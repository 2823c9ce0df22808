"""Entities: objects, furniture, doors and robots that are believed to exist."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf
from typing import TypeAlias

#: Metres in the map's frame, z up.
Pose: TypeAlias = tuple[float, float, float]
#: A box: x0, y0, z0, x1, y1, z1 in metres, in the map's frame.
Extent: TypeAlias = tuple[float, float, float, float, float, float]


def best_of(classes: Mapping[str, float]) -> str:
    """The class of the highest score; of several, the first by name. Empty where there is none."""
    best, most = "", -inf
    for name, score in classes.items():
        if score > most or (score == most and name < best):
            best, most = name, score
    return best


@dataclass(frozen=True, slots=True)
class Entity:
    """An entity: something that is believed to exist.

    Attributes:
        name: the agent's own name for it, unique in the belief (``mango1``).
        classes: how likely it is to be of each class; sums to at most 1.
        pose: where it was last seen, or None when that is unknown.
        seen_at: when it was last seen, on the session's clock.
        fixed: whether it belongs to the map (furniture, doors, the robot) and is never created or
            renamed by perception.
        features: an appearance descriptor; empty when there is none.
        extent: the bounding box of all that was seen of discovered furniture; None for everything else.
        best_class: the likeliest class, empty where there is none; ties go to the alphabetically first, so
            that runs repeat.
    """

    name: str
    classes: Mapping[str, float]
    pose: Pose | None = None
    seen_at: float = 0.0
    fixed: bool = False
    features: tuple[float, ...] = field(default=(), repr=False)
    extent: Extent | None = field(default=None, repr=False)
    best_class: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "best_class", best_of(self.classes))

    @property
    def told(self) -> bool:
        """True if its class was told with the map, so that no look changes it."""
        return self.fixed and self.extent is None
