import sys
from pathlib import Path

import py_trees
import pytest

sys.path.insert(0, str(Path(__file__).parent))
sys.path.append(str(Path(__file__).parent.parent / "behaviours"))
sys.path.append(str(Path(__file__).parent.parent / "reasoning"))


@pytest.fixture(autouse=True)
def fresh_blackboard():
    """py_trees keeps one blackboard per process: what a test registers there would block the next one."""
    py_trees.blackboard.Blackboard.clear()
    yield
    py_trees.blackboard.Blackboard.clear()
