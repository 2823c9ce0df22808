"""What the robot's words for a failure teach, as the file of a domain says."""

from __future__ import annotations

from pathlib import Path

import pytest
from home_scenes import home

from foretree.config import ConfigError, find_config
from foretree.planning.solvers.fast_downward.solver import shared_planner
from foretree.skills.catalogue_file import load_catalogue


@pytest.fixture(scope="module")
def catalogue():
    return load_catalogue("home")


def taught(catalogue, skill, reason):
    """What a skill's lessons make of a reason: what is so, what is not, and what is unfit."""
    lessons = [lesson for lesson in catalogue[skill].feedback if lesson.matches(reason)]
    return [(lesson.then, lesson.holds) if lesson.then else lesson.unfit for lesson in lessons]


def test_a_lesson_is_about_what_plays_the_part_in_the_action(catalogue):
    full = "there is no room on the plate"
    on_table, on_plate = (
        [((name, what), True) for name in ("crowded", "tight")] for what in ("?place", "?support")
    )
    assert taught(catalogue, "put_on_surface", full) == on_table
    assert taught(catalogue, "put_on_item", full) == on_plate
    assert taught(catalogue, "put_in_container", "it is closed") == [(("open", "?place"), False)]
    assert taught(catalogue, "switch_on", "it has no switch") == ["?place"]
    assert taught(catalogue, "slice_food", "one cannot cut with what is in the hand") == ["?tool"]


def test_what_may_go_well_the_next_time_teaches_nothing(catalogue):
    assert taught(catalogue, "put_on_surface", "it did not work") == []
    assert taught(catalogue, "switch_on", "everything looks as it did before") == []


def test_where_there_was_no_room_nothing_is_put_before_something_is_taken_away():
    problem = home("holding apple1, on mug1 table1, crowded table1, on plate1 counter1", "on apple1 table1")
    solution = shared_planner().solve(problem)
    assert solution.status == "solved", solution.why
    steps = [name for name, arguments in solution.steps if arguments[-1] == "table1"]
    assert steps == ["pick_from_surface", "put_on_surface"]
    assert [step for step, arguments in solution.steps if arguments == ("mug1", "table1")] == [
        "pick_from_surface"
    ]


def test_what_is_taken_off_makes_room_for_one_thing_only():
    begin = (
        "holding apple1, on mug1 table1, crowded table1, tight table1, on plate1 counter1, on fork1 table1"
    )
    problem = home(begin, "on apple1 table1, on plate1 table1")
    solution = shared_planner().solve(problem)
    assert solution.status == "solved", solution.why
    taken = [
        arguments[0]
        for name, arguments in solution.steps
        if name == "pick_from_surface" and arguments[-1] == "table1"
    ]
    assert sorted(taken) == ["fork1", "mug1"]


@pytest.mark.parametrize(
    ("lesson", "key", "problem"),
    [
        ("{said: [oh], then: (crowded ?plaec)}", "then", r"'\?plaec' is no role\. Did you mean place"),
        ("{said: [oh], then: (crowdy ?place)}", "then", "no predicate 'crowdy' of 1 thing"),
        ("{said: [oh], then: crowded}", "then", r"write \(full \?place\)"),
        ("{said: [oh], unfit: plaec}", "unfit", "'plaec' is no role. Did you mean place"),
        ("{said: [oh]}", "lessons", "say either"),
        ("{said: [oh], then: (crowded ?place), unfit: place}", "lessons", "say either"),
    ],
)
def test_a_lesson_that_makes_no_sense_is_refused(tmp_path, lesson, key, problem):
    source = find_config("domains", "home")
    text = source.read_text(encoding="utf-8")
    begin = text.index("lessons:\n") + len("lessons:\n")
    lesson = lesson.replace("(", '"(').replace(")", ')"')
    (tmp_path / "home.yaml").write_text(f"{text[:begin]}  - {lesson}\n{text[begin:]}", encoding="utf-8")
    (tmp_path / "home.pddl").write_text(Path(source).with_name("home.pddl").read_text(encoding="utf-8"))
    with pytest.raises(ConfigError, match=problem) as caught:
        load_catalogue(str(tmp_path / "home.yaml"))
    assert key in str(caught.value)
