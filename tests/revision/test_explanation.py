"""Explanations of revisions, for people."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest
from at_home import AtHome

from foretree.planning.plan import Action
from foretree.revision.discrepancy import UNKNOWN, UNSURE, Discrepancy
from foretree.revision.revision import explain

GO, TAKE, OPEN = "move robot1 kitchen table1", "pick robot1 left mango1 table1", "open robot1 right fridge1"


def request(steps, **discrepancy):
    home = AtHome()
    asked = home.situation("(in mango1 fridge1)", *steps)
    found = Discrepancy("d1", asked.remaining[0], "presence", "mango1 is on table1", "mango1 is on table2", 1)
    return home, replace(asked, discrepancies=(replace(found, **discrepancy),))


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (
            (GO,),
            ("move robot1 kitchen table2",),
            "mango1 is now on table2; going there first. "
            "Instead of move(robot1, kitchen, table1): move(robot1, kitchen, table2).",
        ),
        (
            (GO,),
            (OPEN, GO),
            "mango1 is now on table2; next comes open(robot1, right, fridge1). "
            "First open(robot1, right, fridge1).",
        ),
        (
            (GO, TAKE),
            (GO,),
            "mango1 is now on table2; skipping 1 action. Skip pick(robot1, left, mango1, table1).",
        ),
        ((GO,), (GO,), "mango1 is now on table2; the plan is good all the same."),
    ],
)
def test_a_revision_is_explained_in_a_sentence_with_the_list_behind_it(before, after, said):
    home, asked = request(before)
    kept = {(action.skill, action.arguments): action for action in asked.remaining}
    new = [replace(home.action(step), id="") for step in after]
    assert explain(asked, [kept.get((action.skill, action.arguments), action) for action in new]) == said


def test_a_move_without_parameters_is_explained():
    home, asked = request((GO,))
    go_home = Action("", "go_home", ())
    effects = home.context.task.ground(asked.remaining[0]).effects
    task = SimpleNamespace(ground=lambda action: SimpleNamespace(effects=effects))
    said = explain(replace(asked, task=task), [go_home])
    assert said.startswith("mango1 is now on table2; going to table1 first. ")


def test_many_actions_are_counted():
    home, asked = request([GO, *[TAKE] * 5])
    assert explain(asked, asked.remaining[:1]).endswith("and 1 more.")


def test_without_a_discrepancy_only_the_change_is_told():
    _, asked = request((GO,))
    assert explain(replace(asked, discrepancies=()), []) == "Skip move(robot1, kitchen, table1)."


@pytest.mark.parametrize(
    ("more", "summary"),
    [
        ({}, "mango1 is now on table2"),
        ({"seen": "mango1 is not on table1"}, "mango1 is not on table1"),
        ({"seen": "the way hall – kitchen is blocked"}, "the way hall – kitchen is blocked"),
        ({"guard": "appearance", "seen": "mug1 is a cup"}, "mug1 is a cup"),
        ({"guard": "failure", "seen": "it slipped."}, "move(robot1, kitchen, table1) failed: it slipped"),
        ({"optional": True, "seen": "mango2 is on table2"}, "mango2 is on table2, which is nearer"),
        ({"action": None, "seen": "mango1 is on table2"}, "the plan is through, but mango1 is on table2"),
        (
            {"seen": UNSURE, "doubted": True},
            "move(robot1, kitchen, table1) expects mango1 is on table1, but that cannot be made sure",
        ),
        (
            {"seen": UNKNOWN, "doubted": True},
            "move(robot1, kitchen, table1) expects mango1 is on table1, but nothing is known about it",
        ),
    ],
)
def test_a_discrepancy_has_a_summary(more, summary):
    assert request((GO,), **more)[1].discrepancies[0].summary == summary
