"""Episodes as tables."""

from __future__ import annotations

import csv
import subprocess
import sys

import pytest

from foretree.errors import MissingPackageError
from foretree.regression.core.trial import Effort
from foretree.regression.planning.trial import PlanningEpisode, Timing
from foretree.regression.reports.episode_table import episode_rows, need_parquet, write_csv, write_parquet
from foretree.regression.reports.output import OutputError

EPISODES = (
    PlanningEpisode(
        0,
        "tea, served",
        "simple",
        "dual",
        "full",
        7,
        success=True,
        used=("move", "pick"),
        asked={"goal": 1},
        timing=Timing(0.5),
        effort=Effort(1.0, 2.0),
    ),
    PlanningEpisode(1, "tea", "simple", "dual", "full", 8, trouble="crashed", details="a\nBoomError: no"),
)


def test_what_is_nested_has_columns_of_its_own():
    first, second = episode_rows(EPISODES)
    assert list(first) == list(second)
    assert (first["timing.first"], first["effort.processor"]) == (0.5, 2.0)
    assert (first["asked.goal"], second["asked.goal"]) == (1, None)
    assert (first["sound"], second["sound"], second["fault"]) == (True, False, "crashed: BoomError: no")


def test_csv_is_read_back_as_it_was(tmp_path):
    path = tmp_path / "deep" / "episodes.csv"
    write_csv(EPISODES, path)
    with path.open(newline="") as file:
        first, second = csv.DictReader(file)
    assert (first["task"], first["seed"], first["success"], first["used"]) == (
        "tea, served",
        "7",
        "True",
        "move;pick",
    )
    assert (second["asked.goal"], second["details"]) == ("", "a\nBoomError: no")


def test_no_episodes_are_a_table_too(tmp_path):
    write_csv((), tmp_path / "none.csv")
    assert (tmp_path / "none.csv").read_text() == "number\n"


def test_parquet_is_read_back_with_its_types(tmp_path):
    pytest.importorskip("pyarrow")
    from pyarrow import parquet

    write_parquet(EPISODES, tmp_path / "deep" / "episodes.parquet")
    first, second = parquet.read_table(tmp_path / "deep" / "episodes.parquet").to_pylist()
    assert (first["seed"], first["success"], first["used"]) == (7, True, ["move", "pick"])
    assert second["asked.goal"] is None
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match="Cannot write"):
        write_parquet(EPISODES, tmp_path / "file" / "x.parquet")


def test_a_missing_package_is_one_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingPackageError, match=r"pip install 'foretree\[parquet\]'"):
        need_parquet()


def test_a_missing_package_is_told_before_anything_runs():
    code = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "from foretree.cli import main\n"
        "sys.argv = ['foretree', 'regress', 'smoke', '--parquet', 'x.parquet']\n"
        "main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 2
    assert "foretree[parquet]" in done.stderr
    assert done.stdout == ""
