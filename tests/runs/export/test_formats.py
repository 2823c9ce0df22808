import json
import re
import sqlite3
import tracemalloc
from pathlib import Path

import pytest
from mango_run import mango_events
from mcap.reader import make_reader

from foretree.cli.runs import export as command
from foretree.debugger.page import PAGE_FORMATS
from foretree.errors import MissingPackageError
from foretree.pictures.tree_picture import PICTURE_FORMATS
from foretree.runs.export.formats import FORMATS, export
from foretree.runs.store import RunError

ALL = {**FORMATS, **PAGE_FORMATS, **PICTURE_FORMATS}


@pytest.mark.parametrize("form", ALL)
def test_every_format_can_be_written(mango, tmp_path, form):
    paths = export(mango, form, str(tmp_path / f"mango.{form}"), ALL)
    assert paths
    assert all(path.stat().st_size > 100 for path in paths)


@pytest.mark.parametrize("form", ALL)
def test_names_are_not_to_be_trusted(hostile, tmp_path, form):
    assert export(hostile, form, str(tmp_path / f"x.{form}"), ALL)


@pytest.mark.parametrize("form", [name for name, kind in ALL.items() if kind.moment])
def test_a_moment_before_the_first_tree(mango, tmp_path, form):
    with pytest.raises(RunError, match=r"has no tree at 0\.01 s"):
        export(mango, form, str(tmp_path / f"x.{form}"), ALL, at=0.01)
    assert list(tmp_path.glob("x*")) == []


@pytest.mark.parametrize("form", [name for name, kind in ALL.items() if not kind.moment])
def test_a_format_without_moments(mango, form):
    with pytest.raises(RunError, match=r"--at\) can be had of py-trees-js, btcpp, btlog, dot, svg, png"):
        export(mango, form, "-", ALL, at=1)


def test_an_unknown_format_lists_the_known(mango):
    with pytest.raises(RunError, match="btcpp, btlog, csv, dot, html, json"):
        export(mango, "xml", "-", ALL)


def test_standard_output_is_for_text(mango, capsys):
    assert export(mango, "jsonl", "-", ALL) == ()
    assert len(capsys.readouterr().out.splitlines()) == len(mango_events())
    with pytest.raises(RunError, match="mcap is no text: name a file"):
        export(mango, "mcap", "-", ALL)


@pytest.mark.parametrize("form", ["json", "btlog", "mcap", "png"])
def test_a_file_that_cannot_be_written(mango, tmp_path, form):
    with pytest.raises(RunError, match=r"Cannot write .*nowhere"):
        export(mango, form, str(tmp_path / "nowhere" / f"x.{form}"), ALL)


def damage(run, seq):
    connection = sqlite3.connect(run.path)
    with connection:
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f'DROP TRIGGER "{name}"')
        connection.execute("UPDATE events SET data = '{\"a' WHERE seq = ?", (seq,))
    connection.close()


def test_of_a_damaged_run_what_comes_before_is_written(mango, tmp_path):
    damage(mango, 12)

    def written(form):
        path = tmp_path / f"x.{form}"
        with pytest.raises(RunError, match=r"can be read up to event 11, at .* s\. Event 12 is damaged"):
            export(mango, form, str(path), ALL)
        return path

    assert len(json.loads(written("json").read_text())["events"]) == 11
    assert len(json.loads(written("py-trees-js").read_text())) == 2
    assert written("svg").read_text().endswith("</svg>\n")
    with written("mcap").open("rb") as file:
        kinds = [json.loads(message.data) for _, _, message in make_reader(file).iter_messages()]
    assert max(each.get("seq", 0) for each in kinds) == 11


def test_without_the_package_the_extra_is_named(mango, tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "mcap.writer", None)
    with pytest.raises(MissingPackageError, match=r"pip install 'foretree\[mcap\]'"):
        export(mango, "mcap", str(tmp_path / "x.mcap"), ALL)
    assert not (tmp_path / "x.mcap").exists()


def test_the_help_names_every_format():
    text = Path(command.__code__.co_filename).read_text()
    help_text = text[text.index("Of all events") : text.index('= "jsonl"')]
    assert all(re.search(rf"\b{name}\b", help_text) for name in ALL)


def test_the_page_explains_every_format():
    page = Path(__file__).parents[3] / "docs" / "runs.md"
    table = page.read_text().partition("## In other formats")[2].partition("\n## ")[0]
    explained = re.findall(r"`([\w-]+)`", "".join(re.findall(r"^\| (`.*?) \|", table, re.M)))
    assert sorted(explained) == sorted(ALL)


@pytest.mark.parametrize("form", ["jsonl", "mcap", "py-trees-js", "btlog"])
def test_memory_does_not_grow_with_the_run(written, tmp_path, form):
    def long_run(ticks):
        def record(recorder):
            nodes = [{"id": "r", "parent": None, "name": "r", "type": "Sequence"}]
            nodes += [{"id": f"r/{n}", "parent": "r", "name": f"{n}", "type": "Leaf"} for n in range(6)]
            recorder.record("tree.built", nodes=nodes)
            for tick in range(ticks):
                recorder.mark(tick + 1, tick / 10)
                status = "RUNNING" if tick % 2 else "SUCCESS"
                recorder.record("tree.changed", status={f"r/{tick % 6}": [status, f"message {tick}"]})

        return written(record)

    def peak(run):
        tracemalloc.start()
        export(run, form, str(tmp_path / f"x.{form}"), ALL)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    small, large = long_run(5_000), long_run(12_000)
    peak(small)  # what is loaded and kept on the way
    assert peak(large) < 1.3 * peak(small) + 100_000
