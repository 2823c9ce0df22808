"""What goes over ROS comes out as it went in: packed by the real definitions, and unpacked again."""

import dataclasses
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from interface_definitions import over_ros

from foretree.robots.simulated.messages import (
    end_fields,
    end_of,
    look_fields,
    look_of,
    observation_fields,
    observation_of,
    order_fields,
    order_of,
)
from foretree.skills.robot import End, LookRequest, Order, Outcome, RobotError, Target
from foretree.world_model.observation import Covered, Detection, Observation

finite = st.floats(allow_nan=False)
names = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1, max_size=12)
texts = st.one_of(st.just(""), names)
scores = st.dictionaries(names, finite, max_size=4)
poses = st.tuples(finite, finite, finite)
extents = st.none() | st.tuples(*[finite] * 6)
features = st.lists(finite, max_size=5).map(tuple)


def every_field(kind, **parts):
    """Build a dataclass of *parts*, one for each of its fields: one that is added has to be carried too."""
    assert list(parts) == [field.name for field in dataclasses.fields(kind)]
    return st.builds(kind, **parts)


targets = every_field(
    Target,
    classes=scores,
    pose=st.none() | poses,
    features=features,
    held_in=st.none() | names,
    extent=extents,
)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | finite | names,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=5,
)
orders = every_field(
    Order,
    skill=names,
    targets=st.dictionaries(names, targets, max_size=3),
    hand=st.none() | names,
    parameters=st.dictionaries(names, values, max_size=3),
    other_hand=st.none() | names,
)
looks = every_field(LookRequest, at=st.lists(targets, max_size=3).map(tuple), why=texts)
ends = every_field(
    End,
    outcome=st.sampled_from(Outcome),
    reason=texts,
    unlike=st.booleans(),
    obstacle=st.none() | targets,
    out_of_reach=st.booleans(),
    without_effect=st.booleans(),
)
detections = every_field(
    Detection,
    id=names,
    classes=scores,
    pose=poses,
    states=scores,
    rests=st.none() | st.tuples(names, texts),
    features=features,
    extent=extents,
    viewpoint=texts,
    rests_certainty=finite,
)
hands = st.lists(st.tuples(names, names), min_size=1, max_size=2).map(tuple)
covered = every_field(Covered, relation=names, support=names, certainty=finite)
observations = every_field(
    Observation,
    time=finite,
    source=st.sampled_from(["look", "view"]),
    detections=st.lists(detections, max_size=3).map(tuple),
    covered=st.lists(covered, max_size=3).map(tuple),
    body=st.dictionaries(st.lists(names, min_size=1, max_size=3).map(tuple), st.booleans(), max_size=3),
    held=st.dictionaries(names, hands, max_size=2),
    passable=st.dictionaries(st.tuples(names, names), st.booleans(), max_size=3),
    viewpoint=texts,
    shows=st.none(),
    image=st.none(),
)


@settings(deadline=None)
@given(orders, names)
def test_an_order(order, execution):
    fields = over_ros("Skill_Goal", order_fields(order, execution))
    assert order_of(fields) == order
    assert fields["execution"] == execution
    assert list(order_of(fields).targets) == list(order.targets)


@settings(deadline=None)
@given(looks, names)
def test_a_look(look, execution):
    fields = over_ros("Look_Goal", look_fields(look, execution))
    assert look_of(fields) == look
    assert fields["execution"] == execution


@settings(deadline=None)
@given(observations)
def test_an_observation(observation):
    arrived = observation_of(over_ros("Observation", observation_fields(observation)))
    assert arrived == observation
    assert list(arrived.body) == list(observation.body)
    classes = [list(detection.classes) for detection in arrived.detections]
    assert classes == [list(detection.classes) for detection in observation.detections]


@pytest.mark.parametrize("kind", ["Skill_Result", "Look_Result"])
@given(ends)
@settings(deadline=None)
def test_an_end(kind, end):
    assert end_of(over_ros(kind, end_fields(end))) == end


def test_an_outcome_that_there_is_not_is_lost():
    end = end_of({**end_fields(End(Outcome.DONE)), "outcome": "splendid"})
    assert end.outcome is Outcome.LOST
    assert "'splendid'" in end.reason


def test_parameters_that_cannot_be_sent_are_refused():
    with pytest.raises(RobotError, match=r"pick: its parameters cannot be sent as JSON"):
        order_fields(Order("pick", parameters={"how": object()}), "run/1")


@pytest.mark.parametrize("parameters", ["[1]", "no JSON", "3"])
def test_parameters_that_are_no_object_are_refused(parameters):
    fields = {**order_fields(Order("pick"), "run/1"), "parameters": parameters}
    with pytest.raises(RobotError, match="pick: its parameters are no JSON"):
        order_of(fields)


def test_infinite_numbers_arrive():
    target = Target({"mug": math.inf}, (math.inf, -math.inf, 0.0))
    order = Order("pick", {"item": target}, parameters={"force": math.inf})
    assert order_of(over_ros("Skill_Goal", order_fields(order, "run/1"))) == order
