"""The house: imports point down the list of rooms, and only doors are imported from outside of a folder."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import networkx
import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "foretree"

#: The rooms from the top floor to the ground: a room imports from those below it only.
ROOMS = (
    "cli",
    "debugger",
    "regression",
    "pictures",
    "bringup",
    "robots",
    "trees",
    "behaviours",
    "agent",
    "revision",
    "simulation",
    "skills",
    "reasoning",
    "planning",
    "perception",
    "world_model",
    "runs",
)


def _modules() -> Mapping[str, Path]:
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = _modules()


def _imports(module: str) -> Iterator[tuple[str, int]]:
    """The modules of the package that *module* imports, each with its line."""
    for node in ast.walk(ast.parse(MODULES[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names if alias.name in MODULES)
        elif isinstance(node, ast.ImportFrom) and node.module in MODULES:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield (inner if inner in MODULES else node.module), node.lineno


IMPORTS = {module: list(_imports(module)) for module in MODULES}


def _room(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and parts[1] in ROOMS else ""


def _folder(module: str) -> str:
    return module if MODULES[module].name == "__init__.py" else module.rpartition(".")[0]


def test_every_folder_is_a_room():
    assert {path.name for path in PACKAGE.iterdir() if (path / "__init__.py").exists()} <= {*ROOMS}


@pytest.mark.parametrize("room", ROOMS)
def test_imports_point_down(room):
    above = {"", *ROOMS[: ROOMS.index(room)]} - {""}
    wrong = [
        f"{module}:{line} imports {other}"
        for module, imports in IMPORTS.items()
        if _room(module) == room
        for other, line in imports
        if _room(other) in above
    ]
    assert not wrong


def test_the_ground_floor_imports_no_room():
    # The entry of `python -m foretree` is above all rooms, though its file lies beside them.
    ground = [m for m in MODULES if not _room(m) and m not in ("foretree", "foretree.__main__")]
    wrong = [f"{m}:{line} imports {other}" for m in ground for other, line in IMPORTS[m] if _room(other)]
    assert not wrong


def test_only_doors_are_imported_from_outside():
    wrong = [
        f"{module}:{line} imports {other}"
        for module, imports in IMPORTS.items()
        for other, line in imports
        if any(part.startswith("_") for part in other.split("."))
        and not f"{_folder(module)}.".startswith(f"{other.rpartition('.')[0]}.")
    ]
    assert not wrong


def test_no_modules_import_each_other_in_a_circle():
    """Imports inside of functions and for type checkers count: who reads a module has to read those too."""
    graph = networkx.DiGraph((m, other) for m, imports in IMPORTS.items() for other, _ in imports)
    circles = {
        tuple(sorted(module.removeprefix("foretree.") for module in component))
        for component in networkx.strongly_connected_components(graph)
        if len(component) > 1
    }
    assert not circles
