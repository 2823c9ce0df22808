import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent.parent))

from launcher import Launcher

from foretree.runs.store import RunStore


@pytest.fixture(scope="module")
def foretree(tmp_path_factory):
    """Starts `foretree` processes."""
    launcher = Launcher(tmp_path_factory.mktemp("home"))
    yield launcher
    launcher.close()


@pytest.fixture(scope="module")
def store(foretree):
    """Where their runs are kept."""
    return RunStore(foretree.home / "runs")
