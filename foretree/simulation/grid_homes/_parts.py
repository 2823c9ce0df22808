"""Objects as boxes, and the regions on, in and under them where others can lie."""

from __future__ import annotations

from typing import NamedTuple

from foretree.simulation.grid_homes._object_classes import FurnitureClass, ItemClass, Relation
from foretree.simulation.grid_homes.layouts.geometry import Extent, Rectangle, foot_of

#: The thickness of closet walls and table legs, of rims of basins and of vessels, and of boards (metres).
_SIDE, _RIM, _VESSEL_RIM, _BOARD = 0.03, 0.03, 0.01, 0.02
#: Objects lie at least this far from the edges of their support, and at most this far from its front, so that
#: they are within reach.
_MARGIN, _DEEP = 0.02, 0.75
#: Objects inside or under a support lie at most this far from its front; those in a basin, so far from the
#: rim that a camera at this height sees them from this far before the front.
_INSIDE, _EYE, _BEFORE = 0.3, 1.4, 0.4
#: The thickness of the back of a seat and of a table top.
_BACK, _TABLE_TOP = 0.15, 0.05
#: The height of the content in a vessel, as a share: high enough for the camera to see.
_FILL = 0.7


class SolidPart(NamedTuple):
    """A solid part of an object."""

    name: str
    extent: Extent


class Region(NamedTuple):
    """A region where objects can lie: its height, its rectangle, and the clearance above."""

    z: float
    within: Rectangle
    clearance: float


def furniture_parts(
    body: FurnitureClass, extent: Extent, facing: int, is_open: bool
) -> tuple[SolidPart, ...]:
    """The parts of a piece of furniture.

    Args:
        body: its class.
        extent: all of it, without the back of a seat.
        facing: the heading in which its front looks.
        is_open: whether its inside is visible.
    """
    x0, y0, z0, x1, y1, z1 = extent
    foot = foot_of(extent)
    if body.form == "closet" and is_open:
        sides = _frame(foot, _SIDE, facing)
        levels = [*(z0 + board - _BOARD for board in body.boards), z1 - _BOARD]
        inner = _inset(foot, _SIDE, facing)
        return (
            *(SolidPart("side", _upright(side, z0, z1)) for side in sides),
            *(SolidPart("board", _upright(inner, max(z, z0), z + _BOARD)) for z in levels),
        )
    if body.form == "basin":
        bottom = z1 - body.sunk
        rims = _frame(foot, _RIM, None)
        return (
            SolidPart("body", (x0, y0, z0, x1, y1, bottom)),
            *(SolidPart("rim", _upright(rim, bottom, z1)) for rim in rims),
        )
    if body.form == "table":
        across_x = facing in (90, 270)
        one = (x0, y0, x0 + _RIM, y1) if across_x else (x0, y0, x1, y0 + _RIM)
        other = (x1 - _RIM, y0, x1, y1) if across_x else (x0, y1 - _RIM, x1, y1)
        return (
            SolidPart("top", (x0, y0, z1 - _TABLE_TOP, x1, y1, z1)),
            SolidPart("leg", _upright(one, z0, z1 - _TABLE_TOP)),
            SolidPart("leg", _upright(other, z0, z1 - _TABLE_TOP)),
        )
    whole = SolidPart("body", extent)
    if body.back:
        back = _strip(foot, _opposite(facing), _BACK)
        return whole, SolidPart("back", _upright(back, z1, z1 + body.back))
    return (whole,)


def item_parts(body: ItemClass, extent: Extent, is_laden: bool) -> tuple[SolidPart, ...]:
    """The parts of an item; a vessel with something in it is open to the top."""
    if body.holds != "in" or not is_laden:
        return (SolidPart("body", extent),)
    x0, y0, z0, x1, y1, z1 = extent
    bottom = z0 + _FILL * (z1 - z0)
    rims = _frame(foot_of(extent), _VESSEL_RIM, None)
    return (
        SolidPart("body", (x0, y0, z0, x1, y1, bottom)),
        *(SolidPart("rim", _upright(rim, bottom, z1)) for rim in rims),
    )


def furniture_regions(
    body: FurnitureClass, extent: Extent, facing: int, relation: Relation
) -> tuple[Region, ...]:
    """The regions on, in or under furniture."""
    z0, z1 = extent[2], extent[5]
    foot = foot_of(extent)
    if relation not in body.relations:
        return ()
    if body.form == "closet" and relation == body.inside:
        inner = _strip(_inset(foot, _SIDE + _MARGIN, facing), facing, _INSIDE)
        tops = [*(board - _BOARD for board in body.boards[1:]), z1 - z0 - _BOARD]
        return tuple(
            Region(z0 + board, inner, top - board) for board, top in zip(body.boards, tops, strict=True)
        )
    if body.form == "basin":
        inner = _inset(foot, _RIM, None)
        unseen = body.sunk * _BEFORE / (_EYE - z1)
        seen = _strip(inner, _opposite(facing), _depth(inner, facing) - unseen)
        return (Region(z1 - body.sunk, seen, float("inf")),)
    if relation == "under":
        under = _strip(_inset(foot, _RIM + _MARGIN, None), facing, _INSIDE)
        return (Region(z0, under, z1 - z0 - _TABLE_TOP),)
    if body.back:
        foot = _strip(foot, facing, _depth(foot, facing) - _BACK)
    foot = _inset(foot, _MARGIN, None)
    return (Region(z1, _strip(foot, facing, _DEEP), float("inf")),)


def item_region(body: ItemClass, extent: Extent) -> Region:
    """The region on or in an item."""
    foot = foot_of(extent)
    z0, z1 = extent[2], extent[5]
    if body.holds == "in":
        return Region(z0 + _FILL * (z1 - z0), _inset(foot, _VESSEL_RIM, None), float("inf"))
    return Region(z1, foot, float("inf"))


def _upright(foot: Rectangle, z0: float, z1: float) -> Extent:
    return foot[0], foot[1], z0, foot[2], foot[3], z1


def _opposite(side: int) -> int:
    return (side + 180) % 360


def _depth(foot: Rectangle, facing: int) -> float:
    return foot[2] - foot[0] if facing in (0, 180) else foot[3] - foot[1]


def _strip(foot: Rectangle, side: int, thick: float) -> Rectangle:
    """The strip of a rectangle along one of its sides."""
    x0, y0, x1, y1 = foot
    thick = min(thick, _depth(foot, side))
    return {
        0: (x1 - thick, y0, x1, y1),
        90: (x0, y1 - thick, x1, y1),
        180: (x0, y0, x0 + thick, y1),
        270: (x0, y0, x1, y0 + thick),
    }[side]


def _frame(foot: Rectangle, thick: float, but: int | None) -> tuple[Rectangle, ...]:
    """Strips along the sides of a rectangle, all but one."""
    return tuple(_strip(foot, side, thick) for side in (0, 90, 180, 270) if side != but)


def _inset(foot: Rectangle, by: float, but: int | None) -> Rectangle:
    """A rectangle less strips along its sides, all but one."""
    x0, y0, x1, y1 = foot
    return (
        x0 + (0.0 if but == 180 else by),
        y0 + (0.0 if but == 270 else by),
        x1 - (0.0 if but == 0 else by),
        y1 - (0.0 if but == 90 else by),
    )
