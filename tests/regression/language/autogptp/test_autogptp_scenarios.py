"""Scenarios from their files to the report."""

from __future__ import annotations

import json
import re

import pytest
from evaluation_files import KITCHEN, OF_MISSING, SIMPLE, WITH_TOOLS, write_files
from typer.testing import CliRunner

from foretree.cli import app
from foretree.regression.core.selection import Selection, SuiteError
from foretree.regression.language.autogptp.report import ScenarioReport
from foretree.regression.reports.document import as_markdown
from foretree.regression.suites import regress


def run(folder, only=()) -> ScenarioReport:
    report = regress(Selection("autogptp", folder, jobs=1, only=only))
    assert isinstance(report, ScenarioReport)
    return report


def outcome(folder, task, goal, costs="99", explored=None, substitutions="", calls="99"):
    """What came of one task in the kitchen."""
    if explored is None:
        write_files(folder, one=[SIMPLE, f'{task},kitchen.txt,"{goal}",{costs}'])
    else:
        row = f'{task},scenes/kitchen.txt,{explored},{substitutions},"{goal}",{calls},{costs}'
        write_files(folder, one=[WITH_TOOLS, row])
    (episode,) = run(folder / "one.csv").episodes
    return episode


@pytest.mark.parametrize(
    ("task", "goal", "cost"),
    [
        ("bring me the apple", "inhand apple0 human0", 4),
        ("put the apple on the plate", "on apple0 plate0", 3),
        ("cut the cucumber", "cut cucumber0", 7),
        ("fill a glass with water", "or (liquid_in water0 glass0) (liquid_in water0 glass1)", 3),
        ("pour the milk into the pot", "liquid_in milk0 pot0", 5),
        ("open the fridge", "opened fridge0", 2),
        ("wipe the table", "clean table0", 4),
        ("wash the apple", "clean apple0", 4),
        ("go to the stove", "at robot0 stove0", 1),
        ("put the milk and the banana on the table", "and (on milk0 table0) (on banana0 table0)", 8),
    ],
)
def test_a_task_is_understood_planned_and_carried_out(tmp_path, task, goal, cost):
    found = outcome(tmp_path, task, goal, cost)
    assert (found.response, found.cost, found.minimal_plan, found.illegal) == ("reached", cost, True, ())
    assert found.calls == {"plan": 1}


@pytest.mark.parametrize(("task", "cost"), [("cut the cucumber", 7), ("bring me the apple", 4)])
def test_among_seventy_further_things_plans_are_as_cheap(tmp_path, task, cost):
    goal = "or (cut cucumber0) (inhand apple0 human0)"
    write_files(tmp_path, many=[SIMPLE, f'{task},many.txt,"{goal}",{cost}'])
    names = [f"{kind}:{number}" for kind in ("fork", "mug", "book", "chair", "tray") for number in range(14)]
    text = KITCHEN.replace("END-OBJECTS", "\n".join([*names, "END-OBJECTS"]))
    (tmp_path / "many.txt").write_text(
        text.replace("counter0 counter:0", f"counter0 counter:0 {' '.join(names)}")
    )
    (found,) = run(tmp_path).episodes
    assert (found.response, found.cost) == ("reached", cost)


def test_a_dearer_plan_than_the_file_says_is_not_minimal(tmp_path):
    found = outcome(tmp_path, "bring me the apple", "inhand apple0 human0", 3)
    assert (found.success, found.minimal_plan) == (True, False)


def test_another_goal_than_the_desired_one_is_another_meaning(tmp_path):
    assert outcome(tmp_path, "bring me the banana", "inhand apple0 human0").response == "other"


def test_a_question_is_asked_where_two_things_may_be_meant(tmp_path):
    assert outcome(tmp_path, "bring me the glass", "inhand glass0 human0").response == "asked"


def test_what_cannot_be_understood_is_refused_with_the_reason(tmp_path):
    found = outcome(tmp_path, "flumox the apple", "clean apple0")
    assert (found.response, found.started) == ("refused", 0)
    assert "flumox" in found.reason


# -- tools -----------------------------------------------------------------------------------------


def test_what_is_not_known_is_explored_for_where_it_usually_is(tmp_path):
    found = outcome(tmp_path, "bring me the milk", "inhand milk0 human0", 5, explored="table0", calls=2)
    assert (found.response, found.calls, found.minimal_calls) == ("reached", {"explore": 1, "plan": 1}, True)


def test_a_tool_that_nobody_named_is_explored_for(tmp_path):
    found = outcome(tmp_path, "chop the cucumber", "chopped cucumber0", explored="fridge:0")
    assert found.response == "reached"
    assert found.calls["explore"] >= 1


@pytest.mark.parametrize(("accepted", "response"), [("glass", "reached"), ("cucumber", "failed")])
def test_a_missing_thing_is_replaced_by_what_a_person_accepts(tmp_path, accepted, response):
    (tmp_path / "subs.csv").write_text(f"missing,substitution\r\n\r\nmug,{accepted}\r\n")
    goal = "or (inhand glass0 human0) (inhand glass1 human0)"
    found = outcome(tmp_path, "bring me a mug", goal, explored="all", substitutions="subs.csv")
    assert (found.response, found.calls["alternative"] >= 1) == (response, True)
    assert ("no mug" in found.reason) is (response == "failed")


def test_the_part_that_can_be_reached_is(tmp_path):
    (tmp_path / "subs.csv").write_text("missing,substitution\nviolin,nothing\n")
    task, goal = "bring me the apple and put the violin on the table", "inhand apple0 human0"
    found = outcome(tmp_path, task, goal, explored="all", substitutions="subs.csv")
    assert (found.response, found.calls["partial"]) == ("reached", 1)


@pytest.mark.parametrize("thing", ["unicorn", "car"])
@pytest.mark.parametrize("explored", [None, "all"])
def test_the_part_that_is_there_is_brought(tmp_path, thing, explored):
    found = outcome(tmp_path, f"bring me the apple and a {thing}", "inhand apple0 human0", explored=explored)
    assert (found.response, found.calls["partial"]) == ("reached", 1)
    assert thing in found.reason


def test_alternatives_alone_are_judged_by_the_first_one(tmp_path):
    rows = [
        OF_MISSING,
        "bring me a cup,kitchen.txt,cup,glass bowl",
        "cut it with scissors,kitchen.txt,scissors,pot",
    ]
    write_files(tmp_path, missing=rows)
    first, second = run(tmp_path).episodes
    assert (first.response, first.suggestion, first.success) == ("suggested", "glass", True)
    assert (second.suggestion, second.success) == ("knife", False)


@pytest.mark.parametrize(("missing", "accepted"), [("mug", "drinking_glass"), ("coffee_cup", "glass")])
def test_substitutes_may_have_other_names_of_their_classes(tmp_path, missing, accepted):
    (tmp_path / "subs.csv").write_text(f"missing,substitution\n{missing},{accepted}\n")
    goal = "or (inhand glass0 human0) (inhand glass1 human0)"
    found = outcome(tmp_path, f"bring me a {missing}", goal, explored="all", substitutions="subs.csv")
    assert (found.response, found.calls) == ("reached", {"alternative": 1, "plan": 1})


def test_what_may_be_left_out_is_if_it_is_not_there(tmp_path):
    task = '"put the apple and a fig in the bowl, and leave out whatever you can\'t find"'
    found = outcome(tmp_path, task, "in apple0 bowl0", explored="all")
    assert (found.response, found.calls) == ("reached", {"partial": 1})


def test_of_a_choice_the_cheapest_way_is_planned(tmp_path):
    found = outcome(tmp_path, "bring me a glass of milk or a glass of water", "inhand glass0 human0", 5)
    assert (found.cost, found.minimal_plan) == (5, True)


def test_nobody_is_handed_more_than_can_be_held(tmp_path):
    found = outcome(tmp_path, "bring me the apple and the banana", "inhand apple0 human0", explored="all")
    assert found.calls == {"partial": 1}


# -- liquids and places ------------------------------------------------------------------------------

_PANTRY = """OBJECTS
table:0 stool:0 trash_can:0 fridge:0
milk_carton:0 milk:0 glass:0 rag:0
END-OBJECTS
RELATIONS
in milk_carton:0 fridge:0
liquid_in milk:0 milk_carton:0
on glass:0 table:0
on rag:0 table:0
END-RELATIONS
LOCATIONS
table0 table:0 glass:0 rag:0
stool0 stool:0
trash_can0 trash_can:0
fridge0 fridge:0 milk_carton:0 milk:0
END-LOCATIONS
"""


@pytest.mark.parametrize(
    ("task", "goal"),
    [
        ("bring me the milk", "inhand milk_carton0 human0"),
        ("bring me the milk", "inhand milk0 human0"),
        ("put the milk carton on the table", "on milk_carton0 table0"),
        ("put the carton on the table", "on milk0 table0"),
        ("pour the milk into the glass", "liquid_in milk0 glass0"),
        ("put a glass filled with milk on the stool", "and (liquid_in milk0 glass0) (on glass0 stool0)"),
        ("throw the rag into the trash can", "in rag0 trash_can0"),
    ],
)
def test_a_liquid_is_brought_in_its_package(tmp_path, task, goal):
    write_files(tmp_path, one=[SIMPLE, f"{task},pantry.txt,{goal},9"])
    (tmp_path / "scenes" / "pantry.txt").write_text(_PANTRY)
    (episode,) = run(tmp_path / "one.csv").episodes
    assert (episode.response, episode.reason) == ("reached", "")


# -- files -----------------------------------------------------------------------------------------


def test_what_cannot_be_read_is_told_and_the_others_are_run(tmp_path):
    rows = [
        SIMPLE,
        "open the fridge,kitchen,opened fridge0,2",
        "open the fridge,kitchenette.txt,opened fridge0,2",
        "",
        'open the fridge,kitchen.txt,"opened fridge7",2',
        "open the fridge,kitchen.txt,opened fridge0,two",
        "open the fridge,kitchen.txt,opened fridge0",
        ",kitchen.txt,opened fridge0,2",
    ]
    write_files(tmp_path, simple=rows, notes=["a,b", "1,2"], subs=["missing,substitution", "mug,cup"])
    report = run(tmp_path)
    assert [e.case for e in report.episodes if e.success] == ["simple:2"]
    faults = list(report.extra_faults())
    where = [fault.split(": ")[0].rpartition("/")[2] for fault in faults]
    assert where == [
        "notes.csv:1",
        "simple.csv:3",
        "simple.csv:5",
        "simple.csv:6",
        "simple.csv:7",
        "simple.csv:8",
    ]
    for fault, says in zip(
        faults,
        [
            "Valid: task,scene_file",
            "no file 'kitchenette.txt'(?s:.*)Valid: scenes/kitchen.txt",
            "Did you mean fridge0",
            "a whole number from 0 on, not 'two'",
            "expected 4 columns",
            "the task is empty",
        ],
        strict=True,
    ):
        assert re.search(says, fault)
    assert not report.ok
    assert "no file" in as_markdown(report.document())


def test_columns_and_lists_may_be_written_otherwise(tmp_path):
    header = ";".join(reversed(WITH_TOOLS.split(",")))
    row = "5;2;inhand milk:0 human:0;None;['table0', 'apple:0'];kitchen;bring me the milk"
    write_files(tmp_path, one=[header, row], two=[OF_MISSING, 'bring me a cup,kitchen,cup,"glass; bowl"'])
    first, second = run(tmp_path).episodes
    assert (first.response, first.calls) == ("reached", {"explore": 1, "plan": 1})
    assert second.success


def test_scenes_are_found_below_the_folder_and_above_the_file(tmp_path):
    (tmp_path / "suites").mkdir()
    write_files(tmp_path)
    rows = [
        SIMPLE,
        "open the fridge,kitchen.txt,opened fridge0,2",
        "open the fridge,scenes/kitchen.txt,opened fridge0,2",
    ]
    (tmp_path / "suites" / "simple.csv").write_text("\r\n".join(rows))
    assert [e.success for e in run(tmp_path).episodes] == [True, True]
    alone = run(tmp_path / "suites" / "simple.csv")
    assert [(e.case, e.success) for e in alone.episodes] == [("simple:2", False), ("simple:3", True)]


def test_a_stray_file_above_the_folder_is_not_taken_for_a_scene_below_it(tmp_path):
    folder = tmp_path / "evaluation"
    folder.mkdir()
    for stray in (tmp_path / "kitchen.txt", tmp_path / "kitchen"):
        stray.write_text("no scene")
    write_files(folder, one=[SIMPLE, "open the fridge,kitchen.txt,opened fridge0,2"])
    assert [e.success for e in run(folder).episodes] == [True]


@pytest.mark.parametrize(("name", "says"), [("nowhere", "no file or folder"), ("", "has no scenarios")])
def test_without_scenarios_there_is_no_suite(tmp_path, name, says):
    with pytest.raises(SuiteError, match=says):
        run(tmp_path / name)


def test_the_command_runs_a_folder(tmp_path):
    write_files(tmp_path, simple=[SIMPLE, "open the fridge,kitchen.txt,opened fridge0,2"])
    ran = CliRunner().invoke(app, ["regress", "--autogptp", str(tmp_path), "-j", "1", "--json"])
    assert ran.exit_code == 0, ran.output
    data = json.loads(ran.stdout)
    assert (data["kind"], data["ok"], data["episodes"][0]["success"]) == ("autogptp", True, True)
    wrong = CliRunner().invoke(app, ["regress", "language", "--autogptp", str(tmp_path)])
    assert "in place of a suite" in str(wrong.exception)
