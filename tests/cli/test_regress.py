"""What ``foretree regress`` refuses before it runs anything."""

import pytest
from in_process import foretree


@pytest.mark.parametrize("option", ["--output", "--markdown"])
def test_a_report_that_could_not_be_written_is_refused_before_anything_runs(option, tmp_path):
    (tmp_path / "file").write_text("")
    done = foretree(
        "regress", "smoke", option, str(tmp_path / "file" / "report"), FORETREE_HOME=str(tmp_path)
    )
    assert done.returncode == 2
    assert done.stderr.startswith("foretree: Cannot write into ")
    assert done.stdout == ""


@pytest.mark.parametrize("names", ["", ","])
def test_empty_names_of_revisers_are_refused(names, tmp_path):
    done = foretree("regress", "smoke", "--reviser", names, FORETREE_HOME=str(tmp_path))
    assert done.returncode == 2
    assert done.stderr.startswith("foretree: --reviser: expected ")
