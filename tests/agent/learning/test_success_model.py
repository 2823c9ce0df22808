from dataclasses import replace

import pytest

from foretree.agent.learning.success_model import SuccessModel
from foretree.bringup.embedded import open_household, plan_household
from foretree.bringup.options import Options, Wish
from foretree.bringup.understanding import make_plan
from foretree.config import find_config
from foretree.planning.plan import Action
from foretree.regression.core.agent_episode import attempt
from foretree.runs.events import Silent
from foretree.simulation.household.scene import UnreliableAction
from foretree.simulation.household.scene_file import load_scene


class Told(Silent):
    """Notes which skills the robot was told to use."""

    def __init__(self):
        self.actions = []

    def commit(self, kind, /, **data):
        if kind == "action.intent":
            self.actions.append(data["action"]["skill"])


FILLED = Wish(goal="(filled glass1)")


def plan_of(wish, scene="teatime", **overrides):
    session = plan_household(scene, wish, Options(overrides=overrides))
    return make_plan(session.context, session.mission.goal)


def skills(plan):
    return [action.skill for action in plan.actions if action.skill != "move"]


def test_what_plans_are_made_by_decides_between_the_near_way_and_the_sure_one():
    assert skills(plan_of(FILLED)) == ["pick", "pour"]
    sure = plan_of(FILLED, optimise="success")
    assert skills(sure) == ["pick", "fill"]
    # What is recorded and shown are costs as the domain has them.
    assert sure.cost == sum(action.cost for action in sure.actions) < 100
    assert not sure.optimal
    assert sure.lower_bound == 0


@pytest.fixture
def context():
    session, _ = open_household("kitchen", FILLED, Options(overrides={"optimise": "success"}))
    return session.context


def test_a_skill_that_has_failed_counts_for_less(context):
    model: SuccessModel = context.success
    before = model.of_operator("cut")
    pour = model.of_operator("pour")
    cut = context.task.ground(Action("a1", "cut", ("robot1", "left_hand", "knife1", "bread1", "counter1"), 3))
    knife = model.of_objects((("blade", "knife1"),))
    assert 0.8 < knife < 1.0
    model.record(cut, succeeded=False)
    assert model.of_operator("cut") < before == 1.0
    assert model.of_objects((("blade", "knife1"),)) < 0.8 * knife
    assert model.of_operator("pour") == pour == 0.8
    failed = model.of_objects((("blade", "knife1"),))
    model.record(cut, succeeded=True)
    assert model.of_objects((("blade", "knife1"),)) > failed


def test_retries_count(context):
    # 0.98, and once more after a failure.
    assert context.success.of_operator("fill") == pytest.approx(1 - 0.02**2)


def test_what_is_no_affordance_is_not_known(context):
    assert context.success.of_objects((("clean", "mug1"),)) is None
    assert context.success.of_operator("no-such-operator") == 1.0


def test_after_a_failure_the_other_way_is_taken():
    scene = load_scene(find_config("scenes", "teatime"))
    scene = replace(scene, unreliable=(UnreliableAction("fill", 1.0),))
    recorder = Told()
    session, world = open_household(
        scene, FILLED, Options(overrides={"optimise": "success"}), recorder=recorder
    )
    result, _ = attempt(session, float("inf"))
    assert result.outcome == "reached"
    assert world.holds(session.mission.goal)
    tried = [name for name in recorder.actions if name in ("fill", "pour")]
    assert tried[0] == "fill"
    assert tried[-1] == "pour"
