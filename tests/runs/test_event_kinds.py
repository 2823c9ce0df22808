"""Events as they are read from records, old ones included."""

from __future__ import annotations

import pytest
from mango_run import mango_events

from foretree.runs.event_kinds import (
    EVENT_TYPES,
    ActionEnded,
    Field,
    GuardChecked,
    PlanMade,
    SessionOverrun,
    phrase,
    read_event,
)
from foretree.runs.events import Event
from foretree.runs.views.run_state import RunState


def test_every_kind_has_a_line_for_the_docs_and_its_own_name():
    for kind, made in EVENT_TYPES.items():
        assert made.kind == kind
        assert str(made.__doc__).endswith(".")


@pytest.mark.parametrize("kind", sorted(EVENT_TYPES))
def test_a_record_that_lacks_every_field_can_be_read(kind):
    """Fields are added to kinds with time; records from before have none of them."""
    said = read_event(Event(1, 3, 0.5, kind, {}))
    assert type(said) is EVENT_TYPES[kind]
    assert (said.tick, said.time) == (3, 0.5)
    assert all(hasattr(said, name) for name, field in vars(type(said)).items() if isinstance(field, Field))


def test_a_kind_of_a_newer_version_is_passed_over():
    assert read_event(Event(1, 1, 0.0, "mind.read", {"of": "the person"})) is None


def test_fields_of_a_newer_version_are_passed_over():
    said = read_event(Event(1, 1, 0.0, "action.ended", {"action": "a1", "mood": "good"}))
    assert isinstance(said, ActionEnded)
    assert (said.action, said.outcome, said.reason) == ("a1", "done", "")


def test_what_a_session_records_is_read_with_its_types():

    said = [read_event(event) for event in mango_events()]
    plan = next(one for one in said if isinstance(one, PlanMade))
    assert [action.skill for action in plan.actions][:1] == ["move"]
    assert all(isinstance(action.arguments, tuple) for action in plan.actions)
    check = next(one for one in said if isinstance(one, GuardChecked))
    assert isinstance(check.expected, str)


def test_assumptions_are_read_in_both_forms():
    for atom in ("(on mango1 table1)", ["on", "mango1", "table1"]):
        raw = {"atom": atom, "value": False, "source": "prior", "confidence": 0.5}
        (assumed,) = read_event(Event(1, 1, 0.0, "plan.made", {"assumptions": [raw]})).assumptions
        assert assumed.atom == ("on", "mango1", "table1")
        assert str(assumed) == "not (on mango1 table1)"


def test_what_a_tick_took_is_read_wherever_it_stands():
    for data in ({"seconds": 0.2, "period": 0.05}, {"wall": {"seconds": 0.2, "period": 0.05}}):
        said = read_event(Event(1, 1, 0.0, "session.overrun", data))
        assert isinstance(said, SessionOverrun)
        assert (said.took, said.expected) == (0.2, 0.05)


def test_atoms_are_written_as_pddl_writes_them():
    assert phrase([["on", "a", "b"], "c"]) == "(on a b), c"
    assert phrase(None) == ""


MALFORMED = [
    ("plan.made", "actions"),
    ("plan.made", "order"),
    ("plan.made", "links"),
    ("plan.made", "assumptions"),
    ("revision.made", "kept"),
    ("revision.made", "order"),
    ("revision.made", "links"),
    ("run.learned", "places"),
    ("run.learned", "pictures"),
    ("session.resumed", "in_flight"),
    ("tree.built", "nodes"),
]


@pytest.mark.parametrize("value", [None, 3, "text", [None, 3]])
@pytest.mark.parametrize(("kind", "name"), MALFORMED)
def test_a_field_of_a_wrong_type_does_not_break_the_views(kind, name, value):
    RunState().apply(Event(1, 1, 0.0, kind, {name: value}))
    if not isinstance(value, list):
        assert not getattr(read_event(Event(1, 1, 0.0, kind, {name: value})), name)


@pytest.mark.parametrize("raw", [{"id": "a1"}, {"id": "a1", "skill": None, "arguments": None, "cost": None}])
def test_an_intent_may_leave_out_what_the_plan_says(raw):
    state = RunState()
    planned = {"id": "a1", "skill": "pick", "arguments": ["mug"], "cost": 2}
    state.apply(Event(1, 1, 0.0, "plan.made", {"actions": [planned]}))
    state.apply(Event(2, 1, 0.0, "action.intent", {"action": raw}))
    assert str(state.actions["a1"]) == "pick(mug)"
    assert state.actions["a1"].status == "intended"


def test_former_names_of_node_types_are_read_as_the_present_ones():
    node = {"id": "a", "name": "a", "type": "Persevere", "parent": None}
    (read,) = read_event(Event(1, 1, 0.0, "tree.built", {"nodes": [node]})).nodes
    assert read.type == "RetryUntilReached"
