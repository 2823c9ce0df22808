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


@pytest.mark.parametrize("option", ["--csv", "--markdown", "--parquet"])
def test_a_file_that_is_a_folder_is_refused_before_anything_runs(option, tmp_path):
    done = foretree("regress", "smoke", option, str(tmp_path), FORETREE_HOME=str(tmp_path))
    assert done.returncode == 2
    assert done.stderr.startswith(f"foretree: {option} takes a file, but ")
    assert done.stdout == ""


def test_a_file_that_is_named_twice_is_refused_before_anything_runs(tmp_path):
    names = str(tmp_path / "a"), str(tmp_path / "." / "a")
    done = foretree(
        "regress", "smoke", "--csv", names[0], "--markdown", names[1], FORETREE_HOME=str(tmp_path)
    )
    assert done.returncode == 2
    assert done.stderr.startswith("foretree: --markdown and --csv are the same file, ")
    assert done.stdout == ""
