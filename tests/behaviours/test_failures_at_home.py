"""What is made of a step that has failed: whose business is it?"""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from at_home import AtHome

from foretree.behaviours.act import Act
from foretree.planning.plan import Action
from foretree.skills.robot import End, Outcome
from foretree.trees.plan_node._plan_monitor import PlanMonitor


def failed(end, **settings):
    """The discrepancy of a step whose leaf came to this end."""
    context = AtHome(**settings).context
    action = Action("a1", "move", ("robot1", "table1", "table2"))
    leaf = Act(action, context.catalogue.skills[action.skill], context)
    leaf.end, leaf.feedback_message = end, end.reason
    return PlanMonitor(context).failure(SimpleNamespace(action=action, nodes=SimpleNamespace(leaf=leaf)))


@pytest.mark.parametrize(
    ("unlike", "guards", "part"),
    [
        (True, ("presence", "appearance"), "appearance"),
        (True, ("presence",), ""),
        (False, ("presence", "appearance"), ""),
    ],
)
def test_what_the_robot_finds_to_look_otherwise_is_for_the_guard_of_appearance(unlike, guards, part):
    found = failed(End(Outcome.FAILED, "it looks like a plate", unlike=unlike), guards=guards)
    assert (found.guard, found.part) == ("failure", part)
    assert "it looks like a plate" in found.sentence
