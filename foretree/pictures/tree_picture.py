"""Pictures of a run's tree at a moment, as SVG or PNG. They take Pillow, and no Graphviz."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from foretree.pictures._canvas import Canvas, Rectangle
from foretree.pictures._svg_sheet import SvgSheet, text_width
from foretree.printable import printable, shortened
from foretree.runs.export.formats import Format
from foretree.runs.export.run_source import RunSource
from foretree.runs.export.tree_items import STATUS_COLOURS, TreeItem, tree_items
from foretree.runs.store import RunError

if TYPE_CHECKING:
    from foretree.world_model.maps.building_map import Point

#: Pixels: of a row and the box in it, between parents and children, around all, and of the heading.
_ROW, _BOX, _GAP, _MARGIN, _HEADING = 30, 24, 34, 24, 34
#: Pixels: of letters, of the part of a box that shows the status, and between texts.
_SIZE, _SMALL, _MARK, _SPACE = 13, 11, 22, 8
#: Characters of a name.
_LONGEST = 64
#: The colours of lines, of texts, of fainter texts, and of the ground.
_LINE, _INK, _FAINT, _PAPER = "#9aa4ae", "#22262b", "#5c646e", "#ffffff"
#: Pixels of the largest picture: a larger one takes gigabytes to draw smoothly.
_MOST_PIXELS = 30_000_000

#: The line that stands for a status, in a square from -1 to 1.
_MARKS: Mapping[str, Sequence[Sequence[Point]]] = {
    "SUCCESS": [[(-0.8, 0.05), (-0.2, 0.7), (0.85, -0.65)]],
    "FAILURE": [[(-0.65, -0.65), (0.65, 0.65)], [(-0.65, 0.65), (0.65, -0.65)]],
    "RUNNING": [[(-0.5, -0.8), (0.8, 0.0), (-0.5, 0.8), (-0.5, -0.8), (0.8, 0.0)]],
    "INVALID": [[(-0.4, 0.0), (0.4, 0.0)]],
}


class _Sheet(Protocol):
    """Surface to draw on: a canvas of pixels, or vector graphics."""

    def line(self, points: Sequence[Point], colour: str, width: float) -> None: ...

    def box(
        self, box: Rectangle, fill: str | None, line: str | None = None, width: float = 1, round_by: float = 0
    ) -> None: ...

    def text(self, at: Point, text: str, size: float, colour: str, anchor: str = "lm") -> None: ...


class _Box(NamedTuple):
    """A node with its place: the middle of its height, and its edges."""

    item: TreeItem
    left: float
    middle: float
    right: float
    parent: int | None


class _Layout(NamedTuple):
    """Content of a picture: the boxes of the tree, each behind its parent, and the size of the picture."""

    heading: str
    boxes: list[_Box]
    width: float
    height: float


def tree_as_svg(source: RunSource) -> Iterator[str]:
    """The tree at a moment as SVG."""
    layout = _lay_out(source)
    sheet = SvgSheet(layout.width, layout.height, _PAPER)
    _draw(sheet, layout)
    return sheet.finished()


def tree_as_png(source: RunSource, path: Path) -> Sequence[Path]:
    """Write the tree at a moment as PNG.

    Raises:
        RunError: it is too large for that.
    """
    layout = _lay_out(source)
    if layout.width * layout.height > _MOST_PIXELS:
        raise RunError(
            f"The tree has {len(layout.boxes):,} nodes, which would take a picture of {layout.width:,.0f} by "
            f"{layout.height:,.0f} pixels. The format svg draws trees of any size."
        )
    canvas = Canvas(layout.width, layout.height, _PAPER)
    _draw(canvas, layout)
    canvas.finished().save(path, "PNG")
    return (path,)


#: The formats of runs that are pictures.
PICTURE_FORMATS: Mapping[str, Format] = {
    "svg": Format(True, text=tree_as_svg),
    "png": Format(True, file=tree_as_png),
}


def _lay_out(source: RunSource) -> _Layout:
    """Give each node a place: to the right of its parent, which is at the middle of its children."""
    state = source.tree()
    instruction = shortened(printable(state.instruction), 2 * _LONGEST)
    heading = f"{instruction} · {state.time if source.at is None else source.at:.1f} s"
    items = list(tree_items(state))
    parents = _parents(items)
    middles = _middles(parents)
    top = _MARGIN + _HEADING + _ROW / 2
    boxes: list[_Box] = []
    for item, middle, parent in zip(items, middles, parents, strict=True):
        left = float(_MARGIN) if parent is None else boxes[parent].right + _GAP
        boxes.append(_Box(item, left, top + middle * _ROW, left + _width(item), parent))
    wide = max(_MARGIN + text_width(heading, _SIZE), *(box.right for box in boxes))
    high = 2 * _MARGIN + _HEADING + (max(middles) + 1) * _ROW
    return _Layout(heading, boxes, round(wide + _MARGIN), round(high))


def _parents(items: Sequence[TreeItem]) -> list[int | None]:
    """The number of each node's parent."""
    parents: list[int | None] = []
    path: list[int] = []
    for number, item in enumerate(items):
        del path[item.depth :]
        parents.append(path[-1] if path else None)
        path.append(number)
    return parents


def _middles(parents: Sequence[int | None]) -> list[float]:
    """The row of each node: a new one for each leaf, between the first and the last child for the others."""
    reach: dict[int, tuple[float, float]] = {}
    inner = {parent for parent in parents if parent is not None}
    rows = [0.0] * len(parents)
    leaves = 0
    for number in range(len(parents)):
        if number not in inner:
            rows[number] = leaves
            leaves += 1
    for number in range(len(parents) - 1, -1, -1):  # children stand behind their parents
        if number in inner:
            first, last = reach[number]
            rows[number] = (first + last) / 2
        parent = parents[number]
        if parent is not None:
            last = reach[parent][1] if parent in reach else rows[number]
            reach[parent] = rows[number], last
    return rows


def _draw(sheet: _Sheet, layout: _Layout) -> None:
    sheet.text((_MARGIN, _MARGIN + _SIZE / 2), layout.heading, _SIZE, _INK)
    running = [box for box in layout.boxes if box.item.node.status == "RUNNING"]
    for colour, width, boxes in ((_LINE, 1, layout.boxes), (STATUS_COLOURS["RUNNING"][1], 2, running)):
        for box in boxes:
            if box.parent is not None:
                sheet.line(_way(layout.boxes[box.parent], box), colour, width)
    for box in layout.boxes:
        _draw_box(sheet, box)


def _way(above: _Box, below: _Box) -> list[Point]:
    """The line from a node to one of its children."""
    turn = below.left - _GAP / 2
    return [
        (above.right, above.middle),
        (turn, above.middle),
        (turn, below.middle),
        (below.left, below.middle),
    ]


def _draw_box(sheet: _Sheet, box: _Box) -> None:
    node = box.item.node
    fill, edge = STATUS_COLOURS.get(node.status, STATUS_COLOURS["INVALID"])
    frame = Rectangle(box.left, box.middle - _BOX / 2, box.right, box.middle + _BOX / 2)
    round_by = {"leaf": _BOX / 2, "guard": 0}.get(box.item.role, 5)
    sheet.box(frame, fill, edge, 2 if node.status == "RUNNING" else 1, round_by)
    at = box.left + (_SPACE + _MARK) / 2
    for mark in _MARKS.get(node.status, ()):
        sheet.line([(at + 5 * x, box.middle + 5 * y) for x, y in mark], edge, 2)
    x = box.left + _MARK + _SPACE / 2
    for text, size, colour in _texts(box.item):
        sheet.text((x, box.middle), text, size, colour)
        x += text_width(text, size) + _SPACE


def _texts(item: TreeItem) -> list[tuple[str, float, str]]:
    """The texts in a node's box, each with its size and its colour: its name, and what kind of node it is."""
    name = shortened(printable(item.node.name), _LONGEST)
    texts: list[tuple[str, float, str]] = [(name, _SIZE, _INK)]
    kind = shortened(printable(item.node.type), _LONGEST)
    if not item.acts and kind.lower() != name.lower():
        texts.append((kind, _SMALL, _FAINT))
    if item.node.message:
        texts.append((shortened(printable(item.node.message), _LONGEST), _SMALL, _FAINT))
    return texts


def _width(item: TreeItem) -> float:
    texts = sum(text_width(text, size) + _SPACE for text, size, _ in _texts(item))
    return _MARK + _SPACE + texts
