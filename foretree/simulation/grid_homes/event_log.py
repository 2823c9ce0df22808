"""What a judge wants to know of what happened: what was refused, what cannot be undone, what others did."""

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
        step: how many controls came before it.
        control: which.
        rule: what it broke.
        involved: the ids of the things because of which it was refused.
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
    """Something that the robot did and that cannot be undone.

    Attributes:
        step: how many controls came before it.
        control: what did it.
        kind: ``slice``; ``pour`` into a vessel, a drain or a flower pot; ``spill``: pour over anything else;
            ``ruin``: what is ruined by water, metal or heat; ``break``.
        thing: the id of what it was done to.
        class_name: what that is in truth.
        involved: the ids of everything that it took: the knife, the vessel, what stood in the way.
        in_view: whether all of that was in the frame that the robot had just seen.
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
    """A thing that came into the hand."""

    step: int
    thing: str
    class_name: str


@dataclass(frozen=True, slots=True)
class Disturbance:
    """What somebody else did, or how the robot's hand failed it: in words, for people."""

    step: int
    what: str
    things: tuple[str, ...]


@dataclass(slots=True)
class HomeLog:
    """Everything of note that happened in a home, oldest first."""

    refused: list[RefusedControl] = field(default_factory=list)
    irreversible: list[IrreversibleEffect] = field(default_factory=list)
    pickups: list[Pickup] = field(default_factory=list)
    disturbances: list[Disturbance] = field(default_factory=list)
