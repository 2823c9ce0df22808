"""Event log of a home: refused controls, irreversible effects, pick-ups and disturbances."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

#: What a control can be refused by; docs/home_world.md has their meaning.
Rule: TypeAlias = Literal[
    "way-free",
    "limit",
    "target",
    "within-reach",
    "container-open",
    "hand-free",
    "holding",
    "movable",
    "whole",
    "apart",
    "affords",
    "room",
    "stable",
    "openable",
    "opened",
    "closed",
    "switchable",
    "switched-on",
    "switched-off",
    "blade",
    "sliceable",
    "uncut",
    "filled",
    "empty",
    "tap",
    "washable",
    "vessel",
]


@dataclass(frozen=True, slots=True)
class RefusedControl:
    """A control that was refused.

    Attributes:
        step: the number of controls before it.
        control: its name.
        rule: the rule that refused it.
        involved: the ids of the objects because of which it was refused.
        in_view: whether all of them were in the frame that the robot had just seen.
    """

    step: int
    control: str
    rule: Rule
    involved: tuple[str, ...]
    in_view: bool


EffectKind: TypeAlias = Literal["slice", "pour", "spill", "ruin", "break"]


@dataclass(frozen=True, slots=True)
class IrreversibleEffect:
    """An effect of a control that cannot be undone.

    Attributes:
        step: the number of controls before it.
        control: the name of the control.
        kind: ``slice``; ``pour`` into a vessel, a drain or a flower pot; ``spill``: pour over anything else;
            ``ruin`` by water, metal or heat; ``break``.
        thing: the id of the object that it was done to.
        class_name: the true class of that object.
        involved: the ids of everything that it took: the knife, the vessel, what stood in the way.
        in_view: whether all of them were in the frame that the robot had just seen.
    """

    step: int
    control: str
    kind: EffectKind
    thing: str
    class_name: str
    involved: tuple[str, ...]
    in_view: bool


@dataclass(frozen=True, slots=True)
class Pickup:
    """An object that came into the hand."""

    step: int
    thing: str
    class_name: str


@dataclass(frozen=True, slots=True)
class Disturbance:
    """A change made by other people, or a failed manipulation; in words, for people."""

    step: int
    what: str
    things: tuple[str, ...]


@dataclass(slots=True)
class HomeLog:
    """Events in a home, oldest first."""

    refused: list[RefusedControl] = field(default_factory=list)
    irreversible: list[IrreversibleEffect] = field(default_factory=list)
    pickups: list[Pickup] = field(default_factory=list)
    disturbances: list[Disturbance] = field(default_factory=list)
