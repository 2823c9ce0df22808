"""Whatever a model says: it becomes a plan that reaches the goal, or a reason; nothing else, and the same twice."""

from __future__ import annotations

from dataclasses import replace

import pytest
from at_home import AtHome, house
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from foretree.reasoning.models.model import Reply
from foretree.revision.discrepancy import Discrepancy
from foretree.revision.llm.reviser import LlmOptions, LlmReviser
from foretree.revision.revision import NoRevisionError

ACTIONS = (
    "pick",
    "place_on",
    "place_in",
    "open",
    "close",
    "wash",
    "heat",
    "cut",
    "turn_on",
    "pour",
    "inspect",
)
CLASSES = (
    "mango",
    "mug",
    "knife",
    "table",
    "fridge",
    "microwave",
    "sink",
    "cupboard",
    "sofa",
    "person",
    "none",
)
PLAN = (
    "move robot1 kitchen table1",
    "pick robot1 left mango1 table1",
    "move robot1 table1 fridge1",
    "open robot1 right fridge1",
    "place_in robot1 left mango1 fridge1",
)
GOALS = (
    "(in mango1 fridge1)",
    "(and (in mango1 fridge1) (not (open fridge1)))",
    "(exists (?m - mango) (in ?m fridge1))",
    "(and (in mango1 fridge1) (clean mug1))",
)
WORLDS = (
    (),
    ("on mango1 table2",),
    ("in mango1 cupboard1", "open fridge1"),
    ("on mango1 table3", "rob_at_node robot1 sink1"),
    ("holding robot1 right mug1", "not hand_free robot1 right"),
)

tuples = st.builds("({}, {})".format, st.sampled_from(CLASSES), st.sampled_from(ACTIONS))
triplets = st.builds(
    "({}, {}, {})".format, st.sampled_from(ACTIONS), st.sampled_from(CLASSES), st.sampled_from(CLASSES)
)
answers = st.one_of(
    st.lists(tuples, max_size=3).map(lambda steps: ", ".join([*steps, "(mango, pick), Pass"])),
    st.builds(
        lambda steps, passes: ", ".join([*steps, *passes]),
        st.lists(tuples, max_size=4),
        st.lists(st.just("Pass"), max_size=3),
    ),
    st.lists(triplets, min_size=1, max_size=3).map(", ".join),
)


class Says:
    """A model that always says the same."""

    name = "m"

    def __init__(self, text):
        self.text = text

    def ask(self, question):
        return Reply(self.text, calls=1)


@pytest.fixture(scope="module")
def homes():
    found = []
    for world in WORLDS:
        home = AtHome(house())
        home.believe(*world)
        found.append(home)
    return found


def revised(home, goal, text, notation):
    """The actions that an answer comes to, or the reason why it does not."""
    situation = home.situation(goal, *PLAN)
    found = Discrepancy("d1", situation.remaining[0], "presence", "this", "that", situation.beliefs.version)
    asked = LlmReviser(
        Says(text), home.clock, home.context.catalogue.skills, options=LlmOptions(notation=notation)
    )
    pending = asked.propose(replace(situation, discrepancies=(found,)))
    pending.future.result(30)
    try:
        actions = pending.result().actions
    except NoRevisionError as error:
        return str(error)
    task = situation.task
    state = task.state(situation.beliefs)
    assert task.reaches(state, map(task.ground, actions), situation.goal) is None
    return tuple(f"{action.skill} {' '.join(action.arguments)}" for action in actions)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_whatever_is_said_reaches_the_goal_or_is_refused(homes, data):
    home = data.draw(st.sampled_from(homes))
    goal = data.draw(st.sampled_from(GOALS))
    text = data.draw(answers)
    notation = "triplets" if text.count(",") and text.split(")")[0].count(",") == 2 else "tuples"
    outcome = revised(home, goal, text, notation)
    assert outcome == revised(home, goal, text, notation), "the same answer comes to the same"
    if isinstance(outcome, str):
        assert outcome
        assert "\n" not in outcome
    else:
        assert "cut" not in " ".join(outcome), "nothing of all this is to be cut"
