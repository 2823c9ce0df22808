"""Draw the rooms of the package and their imports: ``python docs/draw_house.py`` writes
docs/images/house.svg.

Rooms stand in the order of ``tests/test_rooms.py``, the top floor first. A dot at a crossing says that the
room at the left imports from the room above the column; the larger the dot, the more modules do. As imports
point down only, every dot lies on the right of the diagonal. ``--check`` writes nothing; the exit code says
whether the picture is up to date.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from html import escape
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "foretree"
PICTURE = ROOT / "docs" / "images" / "house.svg"

#: The modules right under the package, as a room of their own.
GROUND = "ground floor"

ROW, LEFT, TOP, COLUMN, MATRIX = 40, 20, 150, 30, 560
INK, FAINT, WALL, DOT, UPWARD = "#22303c", "#6b7a86", "#eef2f5", "#2f7ebc", "#c0392b"


def rooms() -> tuple[str, ...]:
    """The rooms that are built, from the top floor down."""
    spec = spec_from_file_location("rooms_of_the_house", ROOT / "tests" / "test_rooms.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return (*(room for room in module.ROOMS if (PACKAGE / room).is_dir()), GROUND)


def imported_modules(source: str) -> Iterator[str]:
    """The dotted names of the package's modules that a source text imports."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith("foretree."))
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("foretree."):
            yield str(node.module)


def count_imports(names: tuple[str, ...]) -> Mapping[str, Counter[str]]:
    """For each room, how many of its modules import from each other room."""
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for path in PACKAGE.rglob("*.py"):
        if path in (PACKAGE / "__init__.py", PACKAGE / "__main__.py"):
            continue  # they name what users import, which is loaded when asked for, and what they start
        first = path.relative_to(PACKAGE).parts[0]
        room = first if first in names else GROUND
        found = {name.split(".")[1] for name in imported_modules(path.read_text(encoding="utf-8"))}
        counts[room].update({one if one in names else GROUND for one in found} - {room})
    return counts


def contents(room: str) -> str:
    """The subrooms of a room and its doors."""
    folder = PACKAGE if room == GROUND else PACKAGE / room
    inner = [] if room == GROUND else sorted(p.parent.name + "/" for p in folder.glob("*/__init__.py"))
    doors = sorted(p.stem for p in folder.glob("*.py") if not p.stem.startswith("_"))
    return ", ".join([*inner, *doors])


def wrap(text: str, columns: int) -> list[str]:
    """At most two lines of a list, the second cut short."""
    lines = [""]
    for word in text.split(", "):
        longer = f"{lines[-1]}, {word}" if lines[-1] else word
        if len(longer) > columns and len(lines) == 2:
            return [lines[0] + ",", lines[1] + " …"]
        if len(longer) > columns:
            lines.append(word)
        else:
            lines[-1] = longer
    return [line + "," for line in lines[:-1]] + lines[-1:]


def draw() -> str:
    """The picture as SVG."""
    names = rooms()
    counts = count_imports(names)
    width = MATRIX + COLUMN * len(names) + 30
    height = TOP + ROW * len(names) + 20
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        'font-family="Helvetica, Arial, sans-serif">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<path d="M {LEFT - 8} {TOP} L {(LEFT + MATRIX) / 2:g} 40 L {MATRIX - 12} {TOP} Z" fill="#c9d6df"/>',
        f'<text x="{(LEFT + MATRIX) / 2:g}" y="{TOP - 30}" font-size="22" font-weight="bold" fill="{INK}" '
        'text-anchor="middle">foretree</text>',
    ]
    for row, room in enumerate(names):
        y = TOP + ROW * row
        parts.append(
            f'<rect x="{LEFT}" y="{y + 2}" width="{MATRIX - LEFT - 20}" height="{ROW - 4}" fill="{WALL}"/>'
        )
        parts.append(
            f'<text x="{LEFT + 10}" y="{y + 25}" font-size="14" font-weight="bold" fill="{INK}">{room}</text>'
        )
        lines = wrap(contents(room), 72)
        for number, line in enumerate(lines):
            at = y + 31 - 7 * len(lines) + 14 * number
            parts.append(
                f'<text x="{LEFT + 120}" y="{at}" font-size="11" fill="{FAINT}">{escape(line)}</text>'
            )
        parts.append(f'<line x1="{MATRIX}" x2="{width - 20}" y1="{y + 20}" y2="{y + 20}" stroke="#e3e8ec"/>')
    for column, room in enumerate(names):
        x = MATRIX + COLUMN * column + COLUMN / 2
        parts.append(f'<line x1="{x:g}" x2="{x:g}" y1="{TOP}" y2="{height - 20}" stroke="#e3e8ec"/>')
        parts.append(
            f'<text transform="translate({x + 4:g} {TOP - 8}) rotate(-60)" font-size="13" fill="{INK}">'
            f"{room}</text>"
        )
    for row, room in enumerate(names):
        y = TOP + ROW * row + ROW / 2
        for column, other in enumerate(names):
            x = MATRIX + COLUMN * column + COLUMN / 2
            if row == column:
                parts.append(
                    f'<rect x="{x - 5:g}" y="{y - 5:g}" width="10" height="10" fill="none" stroke="#b5c0c8"/>'
                )
            elif count := counts[room][other]:
                radius = min(3 + count**0.5, COLUMN / 2 - 2)
                colour = DOT if column > row else UPWARD
                parts.append(
                    f'<circle cx="{x:g}" cy="{y:g}" r="{radius:.1f}" fill="{colour}">'
                    f"<title>{count} modules of {room} import from {other}</title></circle>"
                )
    return "\n".join([*parts, "</svg>"]) + "\n"


def main(arguments: list[str]) -> int:
    """Write the picture, or only say whether it is out of date."""
    picture = draw()
    if PICTURE.exists() and PICTURE.read_text(encoding="utf-8") == picture:
        return 0
    if "--check" in arguments:
        print(f"Out of date: {PICTURE.relative_to(ROOT)}; `make docs` draws it anew.")
        return 1
    PICTURE.write_text(picture, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
