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


@pytest.fixture
def told(foretree, store):
    """Talks by pipe: what was told, the instructions of the runs that came of it, and the exit code."""

    def talk(*lines, options=()):
        before = set(store.ids())
        job = foretree.run("talk", *options, stdin="".join(f"{line}\n" for line in lines))
        runs = sorted(set(store.ids()) - before, key=lambda one: store.open(one).info().started)
        return job, [store.open(one) for one in runs]

    return talk
