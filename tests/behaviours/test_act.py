"""The leaf that acts: from the intent to the confirmed end, and what is believed afterwards."""

from __future__ import annotations

from dataclasses import replace

import pytest
from at_home import AtHome, F, R, S, with_puppet
from py_trees.common import Status

from foretree.behaviours.act import Act
from foretree.behaviours.calling_off import called_off
from foretree.skills.robot import Outcome
from foretree.skills.skill import FailureFeedback
from foretree.world_model.beliefs.facts import Truth


def act_for(words="pick robot1 left mango1 table1", **settings):
    home = AtHome()
    context, puppet = with_puppet(home, **settings)
    home.believe("rob_at_node robot1 table1")
    action = home.action(words)
    return home, puppet, Act(action, context.catalogue.skills[action.skill], context)


def tick(home, act):
    home.context.sync()
    act.tick_once()
    return act.status


def truth(home, words):
    return home.context.belief.truth(tuple(words.split()))


def test_the_intent_is_committed_before_the_robot_is_told():
    home, puppet, act = act_for()
    commit, record = home.tape.commit, home.tape.record
    home.tape.commit = lambda kind, **data: (puppet.log.append(f"commit {kind}"), commit(kind, **data))
    home.tape.record = lambda kind, **data: (puppet.log.append(f"record {kind}"), record(kind, **data))
    act.tick_once()
    assert puppet.log[:3] == ["commit action.intent", "start pick", "record action.started"]
    (intent,) = home.tape.of("action.intent")
    assert intent.data["action"] == {
        "id": act.action.id,
        "skill": "pick",
        "arguments": ["robot1", "left", "mango1", "table1"],
        "cost": 2,
    }
    assert intent.data["targets"]["mango1"] == list(home.context.belief.entity("mango1").pose)
    assert intent.data["execution"] == home.tape.of("action.started")[0].data["execution"]


def test_an_order_that_cannot_be_recorded_is_not_given():
    home, puppet, act = act_for()

    def full(kind, **data):
        raise OSError("disk full")

    home.tape.commit = full
    with pytest.raises(OSError, match="disk full"):
        act.tick_once()
    assert puppet.log == []


def test_it_runs_until_the_robot_confirms_the_end():
    home, puppet, act = act_for()
    assert [tick(home, act) for _ in range(3)] == [R, R, R]
    assert act.started
    puppet.last.ends()
    assert tick(home, act) is S
    assert puppet.log == ["start pick"], "told once"
    (ended,) = home.tape.of("action.ended")
    assert ended.data["outcome"] == "done"


def test_when_it_is_done_its_effects_are_believed_as_far_as_the_skill_is_trusted():
    home, puppet, act = act_for()
    home.clock.sleep_until(7.0)
    tick(home, act)
    assert truth(home, "on mango1 table1") is Truth.TRUE, "nothing is believed before it is done"
    puppet.last.ends()
    tick(home, act)
    assert truth(home, "holding robot1 left mango1") is Truth.TRUE
    assert truth(home, "on mango1 table1") is Truth.FALSE
    assert truth(home, "hand_free robot1 left") is Truth.FALSE
    fact = home.context.belief.fact(("holding", "robot1", "left", "mango1"))
    assert (fact.confidence, fact.source, fact.time) == (act.skill.confidence, "action", 7.0)


def test_what_is_seen_overrides_what_an_action_is_said_to_have_done_in_the_same_sync():
    """The robot says that it has picked the mango up; the camera sees it on the table."""
    home = AtHome(faults=["after 0: silent next pick"])
    node = home.node(
        "(holding robot1 left mango1)", "move robot1 kitchen table1", "pick robot1 left mango1 table1"
    )
    home.until(node, "action.ended")
    home.until(node, "action.ended")
    home.context.sync()
    ended = home.tape.of("action.ended")[-1]
    assert ended.data["outcome"] == "done"
    assert home.believes("(on mango1 table1)")
    changes = [e for e in home.tape.of("belief.changed") if e.tick == ended.tick]
    facts = {tuple(atom): value for e in changes for atom, value, _, _ in e.data["facts"]}
    assert facts.get(("on", "mango1", "table1")) == "true"
    assert facts.get(("hand_free", "robot1", "left")) == "true"


@pytest.mark.parametrize("outcome", ["failed", "cancelled", "lost"])
def test_any_other_end_leaves_what_it_might_have_changed_unknown(outcome):
    home, puppet, act = act_for()
    tick(home, act)
    puppet.last.ends(outcome, "it slipped")
    assert tick(home, act) is F
    assert act.feedback_message == "it slipped"
    assert truth(home, "on mango1 table1") is Truth.UNKNOWN
    # What the robot feels of itself is not in doubt.
    assert truth(home, "hand_free robot1 left") is Truth.TRUE
    assert truth(home, "holding robot1 left mango1") is Truth.FALSE
    assert home.tape.of("action.ended")[0].data["outcome"] == outcome


def test_a_robot_that_refuses_makes_it_fail():
    home, puppet, act = act_for()
    puppet.refusal = "I have no left hand"
    assert tick(home, act) is R
    assert tick(home, act) is F
    assert "no left hand" in act.feedback_message


def test_it_waits_for_a_part_of_the_robot_that_is_busy():
    home, puppet, act = act_for()
    context = home.context
    holder = context.executive.start("other", lambda: puppet.look(None, "other"), {"left", "right"})
    assert tick(home, act) is R
    assert act.feedback_message == "waits: left is held by other, running"
    assert not act.started
    assert home.tape.of("action.intent") == []
    puppet.executions["other"].ends()
    holder.poll()
    assert tick(home, act) is R
    assert act.started
    assert act.feedback_message == ""


def test_without_permission_it_does_not_begin_and_the_session_is_to_end():
    home, puppet, act = act_for()
    asked = []
    home.context.permission = lambda action: asked.append(action) or False
    assert tick(home, act) is R
    assert asked == [act.action]
    assert puppet.log == []
    assert "not allowed" in home.context.stop_reason
    assert home.tape.of("action.intent") == []


def test_with_permission_it_begins():
    home, puppet, act = act_for()
    home.context.permission = lambda action: True
    tick(home, act)
    assert puppet.log == ["start pick"]


def test_stopping_it_asks_for_a_cancel_once_and_leaves_its_effects_unknown():
    home, puppet, act = act_for()
    tick(home, act)
    act.stop(Status.INVALID)
    act.stop(Status.INVALID)
    assert puppet.last.cancels == 1
    assert act.end.outcome is Outcome.CANCELLED
    assert truth(home, "on mango1 table1") is Truth.UNKNOWN
    assert len(home.tape.of("action.ended")) == 1
    puppet.last.ends("done")
    home.context.sync()
    assert len(home.tape.of("action.ended")) == 1, "its end has been dealt with"


def test_who_stops_it_says_why_it_is_cancelled():
    home, _, act = act_for()
    tick(home, act)
    with called_off("found a mug"):
        act.stop(Status.INVALID)
    assert home.tape.of("action.ended")[0].data["reason"] == "found a mug"
    home, _, act = act_for()
    tick(home, act)
    act.stop(Status.INVALID)
    assert home.tape.of("action.ended")[0].data["reason"] == "the plan no longer wants it"


def test_what_was_done_before_the_cancel_arrived_is_believed():
    home, puppet, act = act_for()
    tick(home, act)
    act.stop(Status.INVALID)
    assert truth(home, "holding robot1 left mango1") is Truth.FALSE
    puppet.last.ends("done")
    home.context.sync()
    assert truth(home, "holding robot1 left mango1") is Truth.TRUE
    assert truth(home, "on mango1 table1") is Truth.FALSE


def test_after_a_confirmed_cancel_nothing_new_is_believed():
    home, puppet, act = act_for()
    tick(home, act)
    act.stop(Status.INVALID)
    puppet.last.ends("cancelled")
    version = home.context.belief.version
    home.context.sync()
    assert home.context.belief.version == version


def test_the_robots_parts_stay_leased_until_it_confirms_the_cancel():
    home, puppet, act = act_for()
    tick(home, act)
    act.stop(Status.INVALID)
    assert not home.context.executive.free({"left"})
    puppet.last.ends("cancelled")
    assert home.context.executive.free({"left"})


def test_stopping_it_before_it_has_begun_does_nothing():
    home, puppet, act = act_for()
    holder = home.context.executive.start("other", lambda: puppet.look(None, "other"), {"left"})
    tick(home, act)
    act.stop(Status.INVALID)
    assert act.end is None
    assert home.tape.of("action.ended") == []
    assert holder.poll() is None


def test_stopping_it_after_its_end_changes_nothing():
    home, puppet, act = act_for()
    tick(home, act)
    puppet.last.ends()
    tick(home, act)
    act.stop(Status.INVALID)
    assert puppet.last.cancels == 0
    assert truth(home, "holding robot1 left mango1") is Truth.TRUE


def test_it_can_be_tried_again():
    home, puppet, act = act_for()
    tick(home, act)
    first = puppet.last
    first.ends("failed")
    assert tick(home, act) is F
    assert tick(home, act) is R
    assert puppet.last is not first
    assert puppet.log == ["start pick", "start pick"]
    assert act.end is None
    ids = [e.data["execution"] for e in home.tape.of("action.intent")]
    assert len(set(ids)) == 2


def test_what_an_action_undoes_is_believed_undone():
    home, puppet, act = act_for("heat robot1 left mango1 microwave1")
    home.believe("cold mango1")
    tick(home, act)
    puppet.last.ends()
    tick(home, act)
    assert truth(home, "hot mango1") is Truth.TRUE
    assert truth(home, "cold mango1") is Truth.FALSE


def test_a_lost_execution_can_still_be_asked_about():
    home, puppet, act = act_for()
    tick(home, act)
    puppet.last.ends("lost", "no contact")
    assert tick(home, act) is F
    assert not act.started
    assert act.lease is not None
    assert act.lease.id == puppet.last.id


# -- what a failure teaches ------------------------------------------------------------------------------


def failing(reason, *lessons):
    home, puppet, act = act_for()
    act.skill = replace(act.skill, feedback=lessons)
    tick(home, act)
    puppet.last.ends("failed", reason)
    assert tick(home, act) is F
    return home, act


def test_what_the_robot_says_of_a_failure_is_believed():
    home, act = failing("alas, it is too hot", FailureFeedback(("too hot",), ("hot", "?item")))
    assert truth(home, "hot mango1") is Truth.TRUE
    assert act.taught


def test_what_it_says_is_not_so_is_believed_not_to_be():
    home, act = failing("it is dirty", FailureFeedback(("it is dirty",), ("clean", "?item"), holds=False))
    assert truth(home, "clean mango1") is Truth.FALSE


def test_other_words_teach_nothing():
    home, act = failing("it did not work", FailureFeedback(("too hot",), ("hot", "?item")))
    assert truth(home, "hot mango1") is not Truth.TRUE
    assert not act.taught


def test_what_was_found_done_already_is_believed_more_than_the_eyes():
    home, puppet, act = act_for()
    act.skill = replace(act.skill, feedback=(FailureFeedback(("it is cold already",), ("cold", "?item")),))
    home.context.tracker.viewpoints.state(("cold", "mango1"), None, "here", 0.05, "view")
    tick(home, act)
    puppet.last.ends("done", "it is cold already")
    tick(home, act)
    fact = home.context.belief.fact(("cold", "mango1"))
    assert fact.truth is Truth.TRUE
    seen = home.context.tracker.viewpoints.state(("cold", "mango1"), fact, "here", 0.05, "view")
    assert seen == (Truth.TRUE, fact.confidence)


def test_what_it_would_have_said_if_it_were_otherwise_is_believed_after_a_success():
    """A look has mistaken the open fridge for a shut one; but something was put into it."""
    home, puppet, act = act_for("place_in robot1 left mango1 fridge1")
    home.believe("holding robot1 left mango1", "not hand_free robot1 left", "rob_at_node robot1 fridge1")
    home.believe("not open fridge1", confidence=0.8)
    fridge = act.skill.operator.parameters[3].name
    act.skill = replace(
        act.skill,
        feedback=(
            FailureFeedback(("it is closed",), ("open", fridge), holds=False),
            FailureFeedback(("it is cold",), ("cold", "?item")),
        ),
    )
    tick(home, act)
    puppet.last.ends("done")
    assert tick(home, act) is S
    assert home.context.belief.fact(("open", "fridge1")).confidence == 0.95
    assert truth(home, "open fridge1") is Truth.TRUE
    assert home.context.belief.fact(("cold", "mango1")).source == "told", "the action does not need that"


def test_what_was_open_already_looks_shut_from_here_in_vain():
    """The action needs a shut fridge; but it was not shut, says the robot, whatever the eyes say."""
    home, puppet, act = act_for("open robot1 left fridge1")
    place = act.skill.operator.parameters[2].name
    lessons = (
        FailureFeedback(("it is open already",), ("open", place)),
        FailureFeedback(("open",), ("open", place)),
    )
    act.skill = replace(act.skill, feedback=lessons)
    home.believe("rob_at_node robot1 fridge1", "not open fridge1")
    viewpoints, atom = home.context.tracker.viewpoints, ("open", "fridge1")
    viewpoints.state(atom, home.context.belief.fact(atom), "here", 0.05, "view")
    tick(home, act)
    puppet.last.ends("done", "it is open already")
    assert tick(home, act) is S
    fact = home.context.belief.fact(atom)
    assert (fact.truth, fact.confidence) == (Truth.TRUE, 0.95)
    assert viewpoints.state(atom, fact, "here", 0.02, "look") == (Truth.TRUE, 0.95)
