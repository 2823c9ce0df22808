"""What ``import foretree`` offers, and what it costs."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import foretree

HEAVY = ("networkx", "py_trees", "pydantic", "rich", "typer", "yaml")


def test_importing_it_imports_nothing_heavy():
    code = f"import sys, foretree; print([m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_what_type_checkers_see_is_what_there_is():
    assert sorted(foretree._HOMES) == sorted(set(foretree.__all__) - {"__version__"})
    assert set(foretree.__all__) <= set(dir(foretree))


@pytest.mark.parametrize("name", sorted(foretree._HOMES))
def test_every_name_is_there(name):
    value = getattr(foretree, name)
    assert f"{value.__module__}.".startswith(f"{foretree._HOMES[name]}.")
    assert getattr(foretree, name) is value


def test_a_name_that_is_not_there():
    with pytest.raises(AttributeError, match="no attribute 'open_houshold'"):
        foretree.open_houshold  # noqa: B018


def test_no_two_test_modules_have_the_same_name():
    """Pytest imports them by that name alone, and would refuse to run all tests."""
    names = Counter(path.name for path in Path(__file__).parent.rglob("test_*.py"))
    assert [name for name, count in names.items() if count > 1] == []


def test_no_two_public_classes_have_the_same_name():
    """One word per idea: a reader who looks a class up by its name finds one."""
    places: dict[str, list[str]] = {}
    for path in Path(foretree.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(path.name)
    assert {name: files for name, files in places.items() if len(files) > 1} == {}
