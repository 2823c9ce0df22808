"""The tour of the code: all it names is there, and the picture is that of the imports."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
ROOMS = [path.parent.name for path in (ROOT / "foretree").glob("*/__init__.py")]

NAMES = sorted(set(re.findall(rf"`((?:{'|'.join(ROOMS)})(?:\.\w+)+)`", PAGE)))
FILES = sorted(set(re.findall(r"`((?:\w+/)+\w+\.py)`", PAGE)))


@pytest.mark.parametrize("name", NAMES)
def test_the_names_of_the_page_exist(name):
    parts = name.split(".")
    module = import_module(f"foretree.{parts[0]}")
    found = module
    for number, part in enumerate(parts[1:], start=2):
        try:
            found = import_module(".".join(["foretree", *parts[:number]]))
        except ModuleNotFoundError:
            found = getattr(found, part)


def test_the_files_of_the_page_exist():
    assert [file for file in FILES if not any((ROOT / at / file).is_file() for at in ("foretree", "."))] == []


def test_the_page_follows_four_journeys():
    assert PAGE.count("\n### ") == 4
    assert len(NAMES) >= 30


def test_the_picture_shows_the_imports():
    done = subprocess.run(
        [sys.executable, "docs/draw_house.py", "--check"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout
