"""Object classes of grid homes: sizes, colours and traits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import ClassVar, Literal, TypeAlias

from pydantic import Field

from foretree.config import find_config, read_yaml
from foretree.errors import suggest
from foretree.file_errors import error_at
from foretree.schema import Strict, validate
from foretree.simulation.grid_homes.layouts.geometry import CELL

Form: TypeAlias = Literal["block", "closet", "basin", "table"]
Relation: TypeAlias = Literal["on", "in", "under"]
Colour: TypeAlias = tuple[int, int, int]

#: Traits of furniture and of items: see ``configs/homes/bodies.yaml``.
FurnitureTrait: TypeAlias = Literal[
    "openable",
    "switchable",
    "heats",
    "burns",
    "cools",
    "toasts",
    "brews",
    "tap",
    "drain",
    "shines",
    "soil",
    "electronic",
]
ItemTrait: TypeAlias = Literal[
    "metal",
    "fragile",
    "electronic",
    "vessel",
    "cup",
    "dish",
    "blade",
    "cookable",
    "openable",
]


@dataclass(frozen=True, slots=True)
class FurnitureClass:
    """A class of furniture.

    Attributes:
        name: of the class.
        form: see ``configs/homes/bodies.yaml``, here as for what follows.
        widths: possible widths along its front, in metres.
        depths: possible depths.
        height: in metres.
        colour: red, green, blue.
        traits: what can be done with it.
        boards: the heights of the boards inside.
        inside: the relation in which objects rest inside.
        top: whether objects lie on it.
        sunk: the depth of a basin below its rim.
        back: the height of a seat's back above the seat.
        room: the number of objects that it takes inside, or on it if it has no inside; None: as many as fit.
    """

    name: str
    form: Form
    widths: tuple[float, ...]
    depths: tuple[float, ...]
    height: float
    colour: Colour
    traits: frozenset[str] = frozenset()
    boards: tuple[float, ...] = ()
    inside: Relation = "in"
    top: bool = False
    sunk: float = 0.0
    back: float = 0.0
    room: int | None = None
    slices: ClassVar[str | None] = None
    toasts: ClassVar[bool] = False

    @property
    def relations(self) -> tuple[Relation, ...]:
        """The relations in which objects can rest there; the usual one first."""
        if self.form == "table":
            return "on", "under"
        if self.form == "basin":
            return ("in",)
        if self.form == "closet":
            return (self.inside, "on") if self.top and self.inside != "on" else (self.inside,)
        return ("on",) if self.top else ()


@dataclass(frozen=True, slots=True)
class ItemClass:
    """A class of items.

    Attributes:
        name: of the class.
        size: metres along x, y and up.
        colour: red, green, blue.
        traits: what can be done with it.
        holds: the relation in which others rest there; None if they do not.
        slices: the class of its slices, if it can be sliced.
        toasts: whether a toaster makes it cooked.
    """

    name: str
    size: tuple[float, float, float]
    colour: Colour
    traits: frozenset[str] = frozenset()
    holds: Relation | None = None
    slices: str | None = None
    toasts: bool = False

    @property
    def relations(self) -> tuple[Relation, ...]:
        """The relations in which objects can rest there."""
        return () if self.holds is None else (self.holds,)


@dataclass(frozen=True, slots=True)
class ObjectClasses:
    """All object classes of grid homes, by name."""

    furniture: Mapping[str, FurnitureClass]
    items: Mapping[str, ItemClass]


class _Furniture(Strict):
    form: Form
    size: tuple[float | list[float], float | list[float], float]
    colour: tuple[int, int, int]
    boards: tuple[float, ...] = ()
    inside: Relation = "in"
    top: bool = False
    depth: float = 0.0
    back: float = 0.0
    room: int | None = Field(default=None, ge=1)
    is_: tuple[FurnitureTrait, ...] = Field(default=(), alias="is")


class _Item(Strict):
    size: tuple[float, float, float]
    colour: tuple[int, int, int]
    holds: Literal["on", "in"] | None = None
    is_: tuple[ItemTrait, ...] = Field(default=(), alias="is")
    slices: str | None = None
    toasts: bool = False


class _BodiesFile(Strict):
    furniture: dict[str, _Furniture]
    items: dict[str, _Item]


def load_object_classes(name: str = "bodies") -> ObjectClasses:
    """Load the object classes in a file of ``configs/homes``.

    Raises:
        ConfigError: there is no such file, or something in it makes no sense.
    """
    return _read(find_config("homes", name))


@cache
def _read(path: Path) -> ObjectClasses:
    said = validate(_BodiesFile, read_yaml(path), path)
    furniture = {name: _furniture(path, name, one) for name, one in said.furniture.items()}
    items = {}
    for name, item in said.items.items():
        if name in furniture:
            raise error_at(path, ("items", name), "there is furniture of that name.")
        if item.slices is not None and item.slices not in said.items:
            problem = f"there is no item {item.slices!r}. {suggest(item.slices, said.items)}"
            raise error_at(path, ("items", name, "slices"), problem)
        items[name] = ItemClass(
            name, item.size, item.colour, frozenset(item.is_), item.holds, item.slices, item.toasts
        )
    return ObjectClasses(furniture, items)


def _furniture(path: Path, name: str, said: _Furniture) -> FurnitureClass:
    width, depth, height = said.size
    widths = tuple(width) if isinstance(width, list) else (width,)
    depths = tuple(depth) if isinstance(depth, list) else (depth,)
    for length in (*widths, *depths):
        if length <= 0 or abs(length / CELL - round(length / CELL)) > 1e-6:
            problem = f"{length:g} m is not a number of cells of {CELL:g} m."
            raise error_at(path, ("furniture", name, "size"), problem)
    if (said.form == "closet") != bool(said.boards):
        raise error_at(path, ("furniture", name), "closets, and only they, have boards.")
    if any(not 0 <= board < height for board in said.boards):
        raise error_at(path, ("furniture", name, "boards"), f"boards are lower than the top at {height:g} m.")
    if (said.form == "basin") != (0 < said.depth < height):
        problem = "basins, and only they, have a depth; it is less than their height."
        raise error_at(path, ("furniture", name), problem)
    return FurnitureClass(
        name,
        said.form,
        widths,
        depths,
        height,
        said.colour,
        frozenset(said.is_),
        tuple(sorted(said.boards)),
        said.inside,
        said.top,
        said.depth,
        said.back,
        said.room,
    )
