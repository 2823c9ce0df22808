"""Which problems a folder has, and the domain of each."""

from __future__ import annotations

import pytest

from foretree.regression.core.selection import SuiteError
from foretree.regression.pddl._tasks import find_tasks


def write(folder, *names, domain="tea"):
    for name in names:
        path = folder / f"{name}.pddl"
        path.parent.mkdir(parents=True, exist_ok=True)
        if "domain" in path.stem or path.stem == domain:
            path.write_text(f"; a comment (define (problem\n(DEFINE (domain {domain}))")
        else:
            path.write_text(f"(define (problem p)\n  (:domain {domain}))")


def found(folder, **choice):
    return [(task.name, task.domain.relative_to(folder).as_posix()) for task in find_tasks(folder, **choice)]


@pytest.mark.parametrize(
    ("problem", "domain"),
    [
        ("p01", "domain"),
        ("p01", "p01-domain"),
        ("p01-airport1-p1", "p01-domain"),
        ("p01", "domain_p01"),
        ("p01", "domain-p01"),
        ("p05", "domain05"),
        ("p5", "domain5"),
        ("p01", "tea"),
        ("p01", "the-only-domain"),
    ],
)
def test_a_domain_is_called_in_many_ways(tmp_path, problem, domain):
    write(tmp_path / "tea", problem, domain)
    assert found(tmp_path) == [(f"tea/{problem}", f"tea/{domain}.pddl")]


def test_a_domain_of_its_own_goes_before_the_one_for_all(tmp_path):
    write(tmp_path, "p1", "p2", "domain", "domain_p2")
    assert found(tmp_path) == [("p1", "domain.pddl"), ("p2", "domain_p2.pddl")]


def test_a_domain_may_lie_in_a_folder_above(tmp_path):
    write(tmp_path, "tea", "pot/deep/p1")
    assert found(tmp_path) == [("pot/deep/p1", "tea.pddl")]


def test_numbers_are_sorted_as_numbers_and_the_first_of_each_folder_can_be_had(tmp_path):
    write(tmp_path / "b", "p10", "p2", "domain")
    write(tmp_path / "a", "p3", "domain")
    assert [name for name, _ in found(tmp_path)] == ["a/p3", "b/p2", "b/p10"]
    assert [name for name, _ in found(tmp_path, first=True)] == ["a/p3", "b/p2"]


def test_problems_and_folders_are_chosen_by_name_or_pattern(tmp_path):
    for name in ("airport", "blocks", "zenotravel"):
        write(tmp_path / name, "p1", "p2", "domain")
    assert [name for name, _ in found(tmp_path, only=["[a-b]*"], first=True)] == ["airport/p1", "blocks/p1"]
    assert [name for name, _ in found(tmp_path, only=["blocks"])] == ["blocks/p1", "blocks/p2"]
    assert [name for name, _ in found(tmp_path, only=["*/p2", "blocks/p1"], first=True)] == [
        "airport/p2",
        "blocks/p1",
        "zenotravel/p2",
    ]


def test_what_is_missing_is_said(tmp_path):
    with pytest.raises(SuiteError, match="There is no folder"):
        find_tasks(tmp_path / "nothing")
    with pytest.raises(SuiteError, match="no PDDL problems in"):
        find_tasks(tmp_path)
    write(tmp_path, "p1")
    with pytest.raises(SuiteError, match=r"p1\.pddl has no domain.*tea\.pddl"):
        find_tasks(tmp_path)
    with pytest.raises(SuiteError, match="no PDDL problems called p7"):
        find_tasks(tmp_path, only=["p7"])
