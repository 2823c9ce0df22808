from __future__ import annotations

import sys
from pathlib import Path

import pytest

# The folder written by hand is that of the tests of what reads it.
sys.path.insert(0, str(Path(__file__).parents[3] / "simulation" / "grid_homes" / "alfred"))

from alfred_folder import write_alfred


@pytest.fixture(scope="session")
def folder(tmp_path_factory) -> Path:
    return write_alfred(tmp_path_factory.mktemp("alfred"))
