"""Replays of failed episodes: a page for each, linked from the report."""

from foretree.debugger.replays import with_replays
from foretree.regression.core.selection import Selection
from foretree.regression.reports.output import write_report
from foretree.regression.suites import regress

SUITE = """
suite: two-ends
says: One scenario that is reached, and one that is not.
scenarios:
  easy: {scene: kitchen, instruction: put the mango into the fridge}
  gone: {scene: kitchen, instruction: put the mango into the fridge, faults: ["after 1: remove mango1"]}
variants:
  guards: {}
"""


def test_a_failed_episode_has_a_page_that_the_report_links_to(tmp_path):
    suite = tmp_path / "two-ends.yaml"
    suite.write_text(SUITE)
    out = tmp_path / "out"
    report = with_replays(regress(Selection(str(suite), episodes=2)), out)
    [(_, path)] = report.replays
    page = (out / path).read_text()
    assert "remove mango1" in page
    write_report(report, out)
    assert f'href="{path}"' in (out / "two-ends.html").read_text()
    assert f"]({path})" in (out / "two-ends.md").read_text()


def test_a_suite_in_which_nothing_fails_has_no_replays(tmp_path):
    suite = tmp_path / "two-ends.yaml"
    suite.write_text(SUITE)
    report = with_replays(regress(Selection(str(suite), episodes=1, only=("easy",))), tmp_path / "out")
    assert report.replays == ()
    assert not (tmp_path / "out" / "replays").exists()


LANGUAGE = """
suite: misread
kind: language
says: One case that is read as meant, one that is judged to be read otherwise, and one of an alternative.
cases:
  plain: {scene: kitchen, say: put the mango into the fridge, goal: (in mango1 fridge1)}
  other: {scene: kitchen, say: put the mango into the fridge, goal: (on mango1 table2)}
"""


def test_a_case_that_is_read_otherwise_has_a_page(tmp_path):
    suite = tmp_path / "misread.yaml"
    suite.write_text(LANGUAGE)
    out = tmp_path / "out"
    report = with_replays(regress(Selection(str(suite))), out)
    [(title, path)] = report.replays
    assert title.startswith("other")
    assert "put the mango into the fridge" in (out / path).read_text()
    write_report(report, out)
    assert f'href="{path}"' in (out / "misread.html").read_text()
