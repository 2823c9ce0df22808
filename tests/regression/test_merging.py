"""Shards of a suite, put together."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from foretree.cli import app
from foretree.regression.core.selection import Selection, Shard, SuiteError
from foretree.regression.merging import merge
from foretree.regression.reports.output import write_report
from foretree.regression.suites import regress

#: What depends on the machine, and what says how it was run.
MACHINE = ("wall", "processor", "selection")


def comparable(data):
    """A report's data without what the machine has to do with."""
    rest = {key: value for key, value in data.items() if key not in MACHINE}
    return {**rest, "episodes": [{**e, "effort": None} for e in data["episodes"]]}


@pytest.fixture(scope="module")
def shards(write_suite, tmp_path_factory):
    """The suite, a report of all of it, and the folders of the reports of its three shards."""
    path, folders = write_suite(), []
    for index in (1, 2, 3):
        report = regress(Selection(path, jobs=1, seed=4, shard=Shard(index, 3)))
        folders.append(tmp_path_factory.mktemp(f"shard{index}"))
        write_report(report, folders[-1])
    return path, regress(Selection(path, jobs=2, seed=4)), folders


def test_shards_have_every_trial_once(shards):
    _, whole, folders = shards
    parts = [json.loads((folder / "little.json").read_text())["episodes"] for folder in folders]
    assert sorted(e["number"] for part in parts for e in part) == [e.number for e in whole.episodes]
    assert all(parts)


def test_merged_shards_are_what_one_run_gives(shards):
    _, whole, folders = shards
    merged = merge(reversed(folders))
    assert comparable(json.loads(json.dumps(merged.as_data()))) == comparable(
        json.loads(json.dumps(whole.as_data()))
    )
    assert merged.episodes == whole.episodes
    assert merged.processor == pytest.approx(
        sum(json.loads((folder / "little.json").read_text())["processor"] for folder in folders)
    )


def test_the_command_writes_the_merged_report(shards, tmp_path):
    _, whole, folders = shards
    done = CliRunner().invoke(app, ["regress", "merge", *map(str, folders), "-o", str(tmp_path)])
    assert done.exit_code == 0, done.output
    written = json.loads((tmp_path / "little.json").read_text())
    assert comparable(written) == comparable(json.loads(json.dumps(whole.as_data())))


def test_what_is_not_all_shards_of_one_run_is_refused(shards, tmp_path):
    path, whole, folders = shards
    with pytest.raises(SuiteError, match="not all the shards: 2/3 is missing"):
        merge([folders[0], folders[2]])
    with pytest.raises(SuiteError, match="named twice"):
        merge([*folders, folders[0]])
    write_report(whole, tmp_path)
    with pytest.raises(SuiteError, match="is no shard"):
        merge([tmp_path])
    said = json.loads((folders[0] / "little.json").read_text())
    for change, message in (
        ({"selection": {**said["selection"], "seed": 5}}, "different runs: seed is 5 in one and 4"),
        ({"complete": False}, "interrupted"),
        ({"episodes": said["episodes"][1:]}, "The shards lack 1 of 12 episodes, for example mango-moved"),
    ):
        (tmp_path / "little.json").write_text(json.dumps({**said, **change}))
        with pytest.raises(SuiteError, match=message):
            merge([tmp_path / "little.json", folders[1], folders[2]])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"complete": None}, "'complete' is to be true or false"),
        ({"wall": "long"}, "'wall' is to be a number of seconds"),
        ({"processor": float("nan")}, "'processor' is to be a number of seconds"),
        ({"processor": 10**400}, "'processor' is to be a number of seconds"),
        ({"shard": {"index": 1, "of": 0}}, "has a shard that makes no sense"),
        ({"shard": {"index": 0, "of": 3}}, "has a shard that makes no sense"),
        ({"shard": {"index": 1, "of": 10**8}}, "not all the shards: 2/100000000, .*, more are missing"),
        ("complete", "lacks 'complete'"),
        ("wall", "lacks 'wall'"),
        ("processor", "lacks 'processor'"),
    ],
)
def test_a_report_that_makes_no_sense_is_refused(shards, tmp_path, change, message):
    said = json.loads((shards[2][0] / "little.json").read_text())
    if isinstance(change, str):
        del said[change]
    elif "shard" in change:
        said["selection"].update(change)
    else:
        said.update(change)
    (tmp_path / "little.json").write_text(json.dumps(said))
    others = [] if "shard" in change else shards[2][1:]
    with pytest.raises(SuiteError, match=message):
        merge([tmp_path, *others])


def test_a_report_that_is_nested_too_deeply_is_refused(tmp_path):
    (tmp_path / "little.json").write_text(200_000 * "[")
    with pytest.raises(SuiteError, match="is no report on a suite"):
        merge([tmp_path])


@pytest.mark.parametrize(
    "text", ["", "3", "0/3", "4/3", "1/0", "a/b", "-1/3", "1/3/5", "1/" + 5000 * "9", "1/\u0663"]
)
def test_what_is_no_shard_is_refused(text):
    with pytest.raises(SuiteError, match="A shard is I/N"):
        Shard.read(text)
    done = CliRunner().invoke(app, ["regress", "smoke", f"--shard={text}"])
    assert done.exit_code != 0


def test_shards_divide_all_numbers():
    assert [Shard.read(f"{i}/4").holds(n) for n in range(8) for i in range(1, 5)].count(True) == 8


#: Small homes with few things in them, so that it does not take long.
HOMES = """\
suite: little
kind: homes
things: 25
families: [pick_and_place, clean_and_place]
splits: [unseen]
modes: [diverse]
errands: 2
variants:
  all-guards: {}
  none: {settings: {guards: none}}
sweep: {noise: [0, 1], variants: [none], errands: 1}
"""


@pytest.mark.slow
def test_merged_shards_in_homes_are_what_one_run_gives(tmp_path):
    path = tmp_path / "little.yaml"
    path.write_text(HOMES)
    selection = Selection(str(path), jobs=1, seed=2, sweep=True)
    folders = [tmp_path / "1", tmp_path / "2"]
    for index, folder in enumerate(folders, 1):
        write_report(regress(replace(selection, shard=Shard(index, 2))), folder)
    merged, whole = merge(folders), regress(selection)
    assert merged.episodes == whole.episodes
    assert merged.drawn == whole.drawn


def test_merged_shards_of_pddl_are_what_one_run_gives(tmp_path):
    folder = tmp_path / "pddl"
    folder.mkdir()
    (folder / "domain.pddl").write_text(
        "(define (domain lamps) (:predicates (lit ?x) (lamp ?x)) (:action light :parameters (?x)"
        " :precondition (lamp ?x) :effect (lit ?x)))"
    )
    for name in "ab":
        (folder / f"{name}.pddl").write_text(
            f"(define (problem {name}) (:domain lamps) (:objects a b) (:init (lamp a)) (:goal (lit {name})))"
        )
    folders = [tmp_path / "1", tmp_path / "2"]
    for index, output in enumerate(folders, 1):
        write_report(regress(Selection("pddl", folder, jobs=2, shard=Shard(index, 2))), output)
    merged = merge(folders)
    assert [(e.name, e.ours.answer) for e in merged.episodes] == [("a", "solved"), ("b", "unsolvable")]
    assert len(merged.empty) == 3
