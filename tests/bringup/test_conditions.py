"""Conditions of a user's own, in a file beside the domain's."""

import pytest

from foretree.bringup.embedded import plan_household
from foretree.bringup.options import Options, Wish
from foretree.bringup.understanding import understand
from foretree.errors import ForetreeError
from foretree.reasoning.goal_meaning import GoalMeaningError

CONDITION = """
never:
  - {together: ["(in ?item ?place)", "(clean ?item)"], because: "{item} does not stay clean in {place}"}
"""
BOTH = [
    Wish("put the plate into the fridge and wash it"),
    Wish(goal="(and (in plate1 fridge1) (clean plate1))"),
]


def understand_in_kitchen(wish):
    return understand(plan_household("kitchen", Wish(goal="(clean plate1)"), Options()).context, wish)


@pytest.fixture
def conditions(tmp_path, monkeypatch):
    monkeypatch.setenv("FORETREE_CONFIGS", str(tmp_path))
    file = tmp_path / "conditions" / "household.yaml"
    file.parent.mkdir()
    file.write_text(CONDITION)
    return file


@pytest.mark.parametrize("wish", BOTH, ids=["instruction", "goal"])
def test_every_goal_is_checked(conditions, wish):
    with pytest.raises(GoalMeaningError, match=r"plate1 does not stay clean in fridge1\. Leave a part"):
        understand_in_kitchen(wish)


@pytest.mark.parametrize("wish", BOTH, ids=["instruction", "goal"])
def test_without_conditions_it_may_be_asked_for(wish):
    assert understand_in_kitchen(wish).goal is not None


def test_a_mistake_in_the_file_is_told_with_its_place(conditions):
    conditions.write_text(CONDITION.replace("{place}", "{bin}"))
    with pytest.raises(ForetreeError, match=r"household\.yaml:\d+.*in braces stand variables"):
        understand_in_kitchen(BOTH[1])
