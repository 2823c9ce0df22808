from __future__ import annotations

import pytest

from foretree.config import ConfigError
from foretree.regression.core.selection import SuiteError
from foretree.regression.words.suite import read_words_suite

LITTLE = """\
suite: little-words
kind: words
says: A few tasks from words.
of: building
settings: [dual-arm]
variants:
  keyword: {says: by the words}
  poor-eyes: {overlooked: 0.5}
published:
  misunderstanding or planning: 2.0
"""


def write(tmp_path, text: str = LITTLE) -> str:
    path = tmp_path / "little.yaml"
    path.write_text(text)
    return str(path)


def test_every_wording_of_every_task_is_tried_in_every_variant(tmp_path):
    suite = read_words_suite(write(tmp_path)).only(tasks=["lamp-off"])
    trials = suite.trials()
    assert [trial.number for trial in trials] == list(range(len(trials)))
    said = [(trial.wording, trial.variant) for trial in trials]
    assert len(said) == len(set(said)) == 2 * len(suite.planning.tasks["lamp-off"].wordings)
    assert {wording for wording, _ in said} >= {"instruction", "otherwise", "open-1", "frozen-1"}
    assert len({trial.start.seed for trial in trials}) == 1
    assert len(suite.trials(seeds=3)) == 3 * len(trials)


def test_the_parts_of_a_suite_are_selected_by_name(tmp_path):
    suite = read_words_suite(write(tmp_path))
    assert list(suite.only(variants=["poor-eyes"]).variants) == ["poor-eyes"]
    assert {task.level for task in suite.only(levels=["simple"]).planning.tasks.values()} == {"simple"}
    with pytest.raises(SuiteError, match="no variant 'poor-ears'"):
        suite.only(variants=["poor-ears"])


@pytest.mark.parametrize(
    ("right", "wrong", "says"),
    [
        ("of: building", "of: bilding", r"of: .*building"),
        ("[dual-arm]", "[three-arm]", r"settings: .*no setting 'three-arm'"),
        ("or planning", "or planing", r"published\.misunderstanding or planing: .*'planing'.*planning"),
        ("overlooked: 0.5", "overlooked: 1.5", r"variants\.poor-eyes\.overlooked"),
    ],
)
def test_what_makes_no_sense_is_refused_where_it_stands(tmp_path, right, wrong, says):
    with pytest.raises(ConfigError, match=says):
        read_words_suite(write(tmp_path, LITTLE.replace(right, wrong)))


def test_one_further_wording_of_each_task_in_the_building_is_frozen():
    suite = read_words_suite("building-words").planning
    assert suite.frozen_at
    for task in suite.tasks.values():
        halves = [wording.half for wording in task.wordings.values()]
        assert halves == ["open", "open", "open", "open", "open", "frozen"], task.name
