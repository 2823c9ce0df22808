"""Results that are kept as they come in."""

from __future__ import annotations

import pytest

from foretree.regression.core.result_cache import ResultCache, ResultCacheError

OF = {"suite": "tea", "version": "1.2"}


def keep(path, *keys, of=OF):
    kept = ResultCache(path, of)
    for key in keys:
        kept.add(key, {"of": key})
    kept.close()


def test_what_was_kept_is_there_again(tmp_path):
    path = tmp_path / "deep" / "tea.jsonl"
    keep(path, "a", "b")
    kept = ResultCache(path, OF)
    assert kept.get("a") == {"of": "a"}
    assert kept.get("c") is None
    assert kept.get("b") == {"of": "b"}
    kept.add("c", {"of": "c"})
    kept.close()
    assert ResultCache(path, OF).get("c") == {"of": "c"}


def test_a_line_that_was_cut_short_is_left_out_and_written_over(tmp_path):
    path = tmp_path / "tea.jsonl"
    keep(path, "a", "b")
    whole = path.read_bytes()
    path.write_bytes(whole[:-7])
    kept = ResultCache(path, OF)
    assert kept.get("a") is not None
    assert kept.get("b") is None
    kept.add("b", {"of": "b"})
    kept.close()
    assert path.read_bytes() == whole


def test_a_first_line_that_was_cut_short_is_begun_anew(tmp_path):
    path = tmp_path / "tea.jsonl"
    path.write_bytes(b'{"results')
    keep(path, "a")
    assert ResultCache(path, OF).get("a") is not None


def test_the_newest_result_of_a_name_counts(tmp_path):
    path = tmp_path / "tea.jsonl"
    kept = ResultCache(path, OF)
    kept.add("a", {"of": 1})
    kept.add("a", {"of": 2})
    kept.close()
    assert ResultCache(path, OF).get("a") == {"of": 2}


@pytest.mark.parametrize(
    ("of", "says"),
    [
        ({**OF, "suite": "coffee"}, r"tea\.jsonl keeps results of another suite \(tea, not coffee\)"),
        ({**OF, "version": "1.3"}, r"another version \(1\.2, not 1\.3\)"),
        ({**OF, "seed": "4"}, r"another seed \(none, not 4\)"),
    ],
)
def test_results_of_something_else_are_refused(tmp_path, of, says):
    path = tmp_path / "tea.jsonl"
    keep(path, "a")
    before = path.read_bytes()
    with pytest.raises(ResultCacheError, match=says):
        ResultCache(path, of)
    assert path.read_bytes() == before


@pytest.mark.parametrize("text", ["hello\n", '{"results of": 3}\n', "[1]\n", '{"key": "a"}\n'])
def test_a_file_of_something_else_is_refused(tmp_path, text):
    path = tmp_path / "tea.jsonl"
    path.write_text(text)
    with pytest.raises(
        ResultCacheError, match=r"tea\.jsonl:1: this is no line of a file of results\. Delete"
    ):
        ResultCache(path, OF)


def test_a_folder_that_cannot_be_made_is_said_to_be_one(tmp_path):
    (tmp_path / "taken").write_text("")
    with pytest.raises(ResultCacheError, match=r"Cannot keep results in .*taken/tea\.jsonl: "):
        ResultCache(tmp_path / "taken" / "tea.jsonl", OF)
