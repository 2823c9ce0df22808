"""What is said on a narrow terminal."""

import io

import pytest

from foretree.cli import main
from foretree.runs.store import RunStore

NAME = "20261123-042621-mango-qba"


class Screen(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize("width", [30, 40, 60])
def test_errors_break_between_words(width, tmp_path, monkeypatch):
    monkeypatch.setenv("FORETREE_HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", str(width))
    RunStore(tmp_path / "runs").create("go", run_id=NAME)
    RunStore(tmp_path / "runs").create("go", run_id=NAME.replace("qba", "qbb"))
    screen = Screen()
    monkeypatch.setattr("sys.stderr", screen)
    with pytest.raises(SystemExit):
        main(["show", NAME[:-1]])
    lines = screen.getvalue().splitlines()
    assert len(lines) > 1
    assert all(len(line) <= width for line in lines)
    assert f"{NAME}," in screen.getvalue()


def test_errors_are_one_line_where_no_person_reads_them(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("FORETREE_HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "30")
    with pytest.raises(SystemExit):
        main(["show", NAME])
    assert len(capsys.readouterr().err.splitlines()) == 1
