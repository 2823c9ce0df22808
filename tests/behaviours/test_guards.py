"""The four guards: when they look, what they let through, and what they find."""

from __future__ import annotations

import pytest
from at_home import AtHome, R, S, house, with_puppet
from py_trees.common import Status

from foretree.behaviours import guards as module
from foretree.behaviours.act import Act
from foretree.behaviours.guards import GUARDS, Appearance, Attribute, Presence, Relationship
from foretree.planning.pddl.syntax import Literal, Not
from foretree.revision.expectation import GUARD_NAMES, Expectation
from foretree.trees.compiler import Compiler
from foretree.world_model.beliefs.facts import PredicateInfo, Truth

PICK = "pick robot1 left mango1 table1"


class Guarded:
    """One action inside its guards, with a puppet for a robot that stands at table1."""

    def __init__(self, words=PICK, *, needed=None, at="table1", scene=None, **settings):
        self.home = AtHome(scene)
        self.context, self.puppet = with_puppet(self.home, **settings)
        self.home.believe(f"rob_at_node robot1 {at}")
        action = self.home.action(words)
        ground = self.context.task.ground(action)
        products = [e.literal for e in ground.effects] if needed is None else needed
        belief = self.context.belief
        classes = {n: e.best_class for n in action.arguments if not (e := belief.entity(n)).fixed}
        self.nodes = Compiler(self.context).build(action, products, classes)
        self.top = self.nodes.top

    def tick(self, times=1):
        for _ in range(times):
            self.context.sync()
            self.top.tick_once()
        return self.top.status

    def guard(self, kind):
        return next(guard for guard in self.nodes.guards if guard.kind == kind)

    def found(self):
        return [guard.discrepancy for guard in self.nodes.guards if guard.discrepancy is not None]

    @property
    def told(self):
        return self.puppet.log


def lit(words):
    return Literal(tuple(words.removeprefix("not ").split()), not words.startswith("not "))


# -- what lies where -----------------------------------------------------------------------------------------


def test_the_guards_stand_in_their_order_from_the_outermost():
    assert [guard.kind for guard in GUARDS] == list(GUARD_NAMES)
    pour = Guarded("place_in robot1 left mango1 fridge1", at="fridge1")
    assert [type(guard) for guard in pour.nodes.guards] == [Presence, Appearance, Attribute, Relationship]
    assert pour.top is pour.nodes.guards[0]
    assert pour.nodes.guards[-1].decorated is pour.nodes.leaf


def test_guards_with_nothing_to_check_are_left_out():
    assert [g.kind for g in Guarded().nodes.guards] == ["presence", "appearance"]
    assert [g.kind for g in Guarded("inspect robot1 table1").nodes.guards] == ["presence"]


def test_guards_that_are_switched_off_are_left_out():
    one = Guarded("place_in robot1 left mango1 fridge1", guards=("attribute",))
    assert [guard.kind for guard in one.nodes.guards] == ["attribute"]
    assert Guarded(guards=()).top is not None
    assert isinstance(Guarded(guards=()).top, Act)


# -- letting through -----------------------------------------------------------------------------------------


def test_what_holds_lets_the_action_begin_in_the_same_tick():
    pick = Guarded()
    assert pick.tick() is R
    assert pick.told == ["start pick"]
    assert pick.found() == []
    passed = pick.home.tape.of("guard.checked")
    assert passed
    assert all(event.data["passed"] for event in passed)


def test_what_passed_is_recorded_once():
    pick = Guarded()
    pick.tick(5)
    expectations = sum(len(guard.expectations) for guard in pick.nodes.guards)
    assert len(pick.home.tape.of("guard.checked")) == expectations


def test_the_status_of_the_action_is_the_guards_status():
    pick = Guarded()
    pick.tick()
    pick.puppet.last.ends()
    assert pick.tick() is S
    assert {guard.status for guard in pick.nodes.guards} == {S}
    pick = Guarded()
    pick.tick()
    pick.puppet.last.ends("failed")
    assert pick.tick() is Status.FAILURE


def test_once_the_action_has_begun_its_guards_do_not_interfere():
    """The mango is in the hand by then, so it is not on the table; that is how it should be."""
    pick = Guarded()
    pick.tick()
    pick.home.believe("not on mango1 table1", "on mango1 table2")
    assert pick.tick() is R
    assert pick.found() == []
    assert pick.puppet.last.cancels == 0


def test_before_another_attempt_the_guards_check_again():
    pick = Guarded()
    pick.tick()
    pick.puppet.last.ends("failed")
    assert pick.tick() is Status.FAILURE
    pick.home.believe("on mango1 table2")
    assert pick.tick() is R
    assert [d.guard for d in pick.found()] == ["presence"]
    assert pick.told == ["start pick"]


# -- contradiction -------------------------------------------------------------------------------------------


def test_a_contradiction_is_kept_for_the_plan_and_the_action_does_not_begin():
    pick = Guarded()
    pick.home.believe("on mango1 table2")
    assert pick.tick(3) is R
    (found,) = pick.found()
    assert found.guard == "presence"
    assert found.action == pick.nodes.leaf.action
    assert found.version == pick.context.belief.version
    assert found.sentence == (
        "pick(robot1, left, mango1, table1) expects mango1 is on table1 or mango1 is under table1, "
        "but mango1 is on table2."
    )
    assert found.expectation in pick.guard("presence").expectations
    assert pick.told == []
    checked = [e.data for e in pick.home.tape.of("guard.checked")]
    assert not checked[-1]["passed"]
    assert checked[-1]["guard"] == "presence"


def test_below_a_guard_that_found_something_nothing_is_ticked():
    pick = Guarded()
    pick.home.believe("on mango1 table2")
    pick.tick()
    assert pick.guard("appearance").status is Status.INVALID
    assert pick.nodes.leaf.status is Status.INVALID


def test_a_contradiction_that_goes_away_lets_the_action_begin():
    pick = Guarded()
    pick.home.believe("on mango1 table2")
    pick.tick()
    pick.home.believe("on mango1 table1")
    pick.tick()
    assert pick.found() == []
    assert pick.told == ["start pick"]


def test_all_that_is_contradicted_can_be_asked_for_without_looking():
    place = Guarded("place_in robot1 left mango1 fridge1", at="table1")
    place.home.believe("not open fridge1")
    beliefs = place.context.belief.snapshot()
    found = [d for guard in place.nodes.guards for d in guard.inspect(beliefs)]
    assert [d.guard for d in found] == ["presence", "presence", "attribute"]
    assert len({d.id for d in found}) == 3
    assert place.told == []


@pytest.mark.parametrize(
    ("words", "at", "given", "guard", "sentence"),
    [
        (PICK, "table2", (), "presence", "robot1 is at table2"),
        (PICK, "table1", ("not hand_free robot1 left",), "presence", "robot1's left is not free"),
        ("open robot1 left fridge1", "fridge1", ("open fridge1",), "attribute", "fridge1 is open"),
        (
            "open robot1 left microwave1",
            "microwave1",
            ("turned_on microwave1",),
            "attribute",
            "microwave1 is turned on",
        ),
        (
            "wash robot1 left mug1 sink1",
            "sink1",
            ("holding robot1 left mug1", "clean mug1"),
            "attribute",
            "is not needed: mug1 is clean",
        ),
        (
            "place_on robot1 left pillow1 sofa1",
            "sofa1",
            ("holding robot1 left pillow1", "on pillow2 sofa1"),
            "",
            "",
        ),
    ],
)
def test_each_guard_finds_what_is_its_business(words, at, given, guard, sentence):
    one = Guarded(words, at=at)
    one.home.believe(*given)
    one.tick()
    assert [d.guard for d in one.found()] == ([guard] if guard else [])
    assert all(sentence in d.sentence for d in one.found())


def test_a_thing_that_is_where_it_should_go_is_left_alone():
    """Not a matter of belief about the hand: somebody has put the pillow on the sofa."""
    home = Guarded("place_on robot1 left pillow1 sofa1", at="sofa1")
    home.nodes.guards = tuple(g for g in home.nodes.guards if g.kind == "relationship")
    home.top = home.nodes.guards[0]
    home.home.believe("on pillow1 sofa1")
    home.tick()
    (found,) = home.found()
    assert found.sentence == "place_on(robot1, left, pillow1, sofa1) is not needed: pillow1 is on sofa1."


def test_a_thing_that_turns_out_to_be_of_another_class_is_not_what_was_meant():
    pick = Guarded("pick robot1 left mug1 table1")
    pick.home.take_for("mug1", "cup")
    for _ in range(2):
        pick.tick()
        assert pick.found() == [], "one glance does not make it a cup"
        pick.puppet.last.ends()
    pick.tick()
    (found,) = pick.found()
    assert (found.guard, found.seen) == ("appearance", "mug1 is a cup")
    assert pick.told == ["look", "look"]


def test_a_thing_that_looked_like_something_else_for_a_moment_is_what_was_meant():
    pick = Guarded("pick robot1 left mug1 table1")
    pick.home.take_for("mug1", "cup")
    pick.tick()
    pick.home.take_for("mug1", "mug")
    pick.puppet.last.ends()
    pick.tick()
    assert pick.found() == []
    assert pick.told == ["look", "start pick"]


def test_a_contradicted_place_is_not_looked_at_again():
    pick = Guarded()
    pick.home.believe("on mango1 table2")
    pick.tick()
    assert pick.told == []
    assert len(pick.found()) == 1


# -- looking -------------------------------------------------------------------------------------------------


def stale(one):
    one.home.wait(200.0)


def weak(one):
    one.home.believe("on mango1 table1", confidence=0.3)


def unknown(one):
    one.home.forget("on mango1 table1")
    one.home.believe("not under mango1 table1")


@pytest.mark.parametrize("doubt", [stale, weak, unknown])
def test_it_looks_when_it_cannot_be_sure(doubt):
    pick = Guarded()
    doubt(pick)
    assert pick.tick(3) is R
    assert pick.told == ["look"]
    (event,) = pick.home.tape.of("look.started")
    assert event.data["at"] == ["mango1"]
    assert event.data["why"].startswith("pick(robot1, left, mango1, table1) expects mango1 is on table1")
    assert pick.guard("presence").feedback_message.startswith("looks: mango1 is on table1")


def test_what_it_sees_lets_the_action_begin():
    pick = Guarded()
    stale(pick)
    pick.tick()
    pick.home.believe("on mango1 table1")
    pick.tick()
    assert pick.told == ["look"], "the look is not over"
    pick.puppet.last.ends()
    pick.tick()
    assert pick.told == ["look", "start pick"]
    (ended,) = pick.home.tape.of("look.ended")
    assert ended.data["outcome"] == "done"


def test_what_it_sees_can_be_a_discrepancy():
    pick = Guarded()
    stale(pick)
    pick.tick()
    pick.puppet.last.ends()
    pick.home.believe("on mango1 table2")
    pick.tick()
    assert [d.guard for d in pick.found()] == ["presence"]
    assert pick.told == ["look"]


@pytest.mark.parametrize("looks", [0, 1, 3])
def test_it_looks_once_if_at_all_before_what_can_be_undone_and_then_goes_by_what_is_believed(looks):
    pick = Guarded(looks=looks)
    stale(pick)
    for _ in range(10):
        pick.tick()
        if pick.told and pick.told[-1] == "start pick":
            break
        pick.puppet.last.ends()
    assert pick.told == ["look"] * min(looks, 1) + ["start pick"]


@pytest.mark.parametrize("looks", [1, 3])
def test_what_speaks_against_an_action_is_looked_at_as_often_as_it_may(looks):
    """What contradicts the plan but is not sure, before the plan is changed for it."""
    pick = Guarded(looks=looks, sure_otherwise=0.9)
    pick.home.believe("on mango1 table2", confidence=0.7)
    for _ in range(10):
        pick.tick()
        if pick.found():
            break
        pick.puppet.last.ends()
    assert pick.told == ["look"] * looks
    at = [event.data["at"] for event in pick.home.tape.of("look.started")]
    assert at == [["mango1"], *[["mango1", "table1"]] * (looks - 1)], "again, also where it should be"


@pytest.mark.parametrize(("usual", "looks"), [(0.02, False), (0.5, True), (None, True)])
def test_what_is_hardly_ever_so_is_not_looked_at_where_nothing_is_known(usual, looks, monkeypatch):
    wash = Guarded("wash robot1 left mug1 sink1", at="sink1")
    wash.home.believe("holding robot1 left mug1", "not hand_free robot1 left")
    predicates = wash.context.belief.vocabulary.predicates
    broken = PredicateInfo("attribute", observable=True, usual=usual)
    monkeypatch.setitem(predicates, "broken", broken)
    wash.guard("attribute").expectations = (Expectation("attribute", "a1", lit("not broken mug1")),)
    wash.tick()
    assert (wash.told == ["look"]) is looks


def test_every_attempt_may_look_anew():
    pick = Guarded(looks=1)
    stale(pick)
    pick.tick()
    pick.puppet.last.ends()
    pick.tick()
    pick.puppet.last.ends("failed")
    assert pick.tick() is Status.FAILURE
    pick.tick()
    assert pick.told == ["look", "start pick", "look"]


def test_it_does_not_look_when_it_could_not_see_it_from_here():
    """The apple is in the hall."""
    one = Guarded("pick robot1 left apple1 table3", at="table1")
    guard = one.guard("presence")
    guard.expectations = (Expectation("presence", "a1", lit("on apple1 table3")),)
    stale(one)
    one.tick()
    assert one.told[:1] != ["look"]
    assert guard.discrepancy is None, "it is believed there; that has to do"


def test_what_no_look_can_tell_is_not_looked_at():
    pick = Guarded()
    pick.guard("presence").expectations = (Expectation("presence", "a1", lit("hand_free robot1 left")),)
    pick.home.believe("hand_free robot1 left", confidence=0.1)
    pick.tick()
    assert pick.told == ["start pick"]


def test_while_the_camera_is_busy_it_waits_for_its_turn():
    pick = Guarded()
    stale(pick)
    other = pick.context.look((), "somebody else")
    pick.tick(2)
    assert pick.told == ["look"]
    pick.puppet.last.ends()
    other.poll()
    pick.tick()
    assert pick.told == ["look", "look"]
    assert pick.guard("presence")._looks == 1, "waiting is not looking"


def test_stopping_it_cancels_the_look_once():
    pick = Guarded()
    stale(pick)
    pick.tick()
    pick.top.stop(Status.INVALID)
    pick.top.stop(Status.INVALID)
    assert pick.puppet.last.cancels == 1
    assert not pick.guard("presence")._look.under_way


def test_a_look_that_fails_counts_as_one():
    pick = Guarded(looks=1)
    stale(pick)
    pick.tick()
    pick.puppet.last.ends("failed", "nothing can be seen on the way")
    pick.tick()
    assert pick.told == ["look", "start pick"]
    assert pick.home.tape.of("look.ended")[0].data["outcome"] == "failed"


def test_while_an_inner_guard_looks_the_outer_ones_go_on_checking():
    place = Guarded("place_in robot1 left mango1 fridge1", at="fridge1")
    place.home.believe("holding robot1 left mango1", "not hand_free robot1 left")
    place.home.forget("open fridge1")
    place.tick()
    assert place.told == ["look"]
    assert place.guard("attribute")._look.under_way
    place.home.believe("on mango1 table1")
    place.tick()
    assert [d.guard for d in place.found()] == ["presence"]
    place.puppet.last.ends()
    place.home.believe("open fridge1")
    place.tick()
    assert "start place_in" not in place.told


def test_all_guards_of_a_tick_see_one_snapshot(monkeypatch):
    place = Guarded("place_in robot1 left mango1 fridge1", at="fridge1")
    place.home.believe("holding robot1 left mango1", "open fridge1")
    seen = []
    assess = module.assess

    def note(expectation, beliefs, *rest):
        seen.append((expectation.guard, beliefs))
        return assess(expectation, beliefs, *rest)

    monkeypatch.setattr(module, "assess", note)
    place.tick()
    assert {guard for guard, _ in seen} == set(GUARD_NAMES)
    assert len({id(beliefs) for _, beliefs in seen}) == 1


# -- what cannot be made sure --------------------------------------------------------------------------------


def test_what_nobody_believes_is_not_assumed_where_it_must_not_be():
    """Where a thing is must not be assumed; but that it is unknown is no proof that it is not there."""
    pick = Guarded(looks=0)
    pick.home.forget("on mango1 table1")
    pick.tick()
    assert pick.told == ["start pick"]


@pytest.mark.parametrize(("words", "begins"), [("not open fridge1", True), ("open fridge1", False)])
def test_where_nothing_is_believed_it_goes_by_what_planning_assumes(words, begins):
    """Nobody knows whether the fridge is open; planning takes it for closed."""
    one = Guarded("open robot1 left fridge1", at="fridge1", looks=0)
    one.guard("attribute").expectations = (Expectation("attribute", "a1", lit(words)),)
    one.home.forget("open fridge1")
    one.tick()
    assert (one.told == ["start open"]) is begins
    assert bool(one.found()) is not begins


def test_a_purpose_in_doubt_is_no_reason_to_hold_back_after_looking():
    wash = Guarded("wash robot1 left mug1 sink1", at="sink1", looks=1)
    wash.home.believe("holding robot1 left mug1", "not hand_free robot1 left")
    wash.home.forget("clean mug1")
    wash.tick()
    assert wash.told == ["look"]
    wash.puppet.last.ends()
    wash.tick()
    assert wash.told == ["look", "start wash"]
    assert wash.found() == []


def test_a_purpose_believed_fulfilled_is_not_looked_at_however_old():
    wash = Guarded("wash robot1 left mug1 sink1", at="sink1")
    wash.home.believe("holding robot1 left mug1", "clean mug1", confidence=0.4)
    wash.home.believe("rob_at_node robot1 sink1", "class mug1 mug")
    stale(wash)
    wash.home.believe("holding robot1 left mug1", "rob_at_node robot1 sink1", "class mug1 mug")
    wash.tick()
    assert wash.told == []
    assert [d.guard for d in wash.found()] == ["attribute"]


IRREVERSIBLE = {
    "cut robot1 left knife1 mango1 table1": ("holding robot1 left knife1", "not hand_free robot1 left"),
    "pour robot1 left kettle1 mug1 table1": (
        "holding robot1 left kettle1",
        "filled kettle1",
        "on mug1 table1",
    ),
}


@pytest.mark.parametrize("words", IRREVERSIBLE)
def test_an_irreversible_skill_takes_no_risk(words):
    """What it needs is believed, but it is old, and looking does not help."""
    kettle = {"kettle1": {"class": "kettle", "on": "table1", "states": ["filled"]}}
    one = Guarded(words, scene=house(items=kettle), looks=1)
    one.home.believe(*IRREVERSIBLE[words])
    stale(one)
    one.tick()
    one.puppet.last.ends()
    one.tick()
    assert one.told == ["look"]
    (found,) = one.found()
    assert "that cannot be made sure" in found.sentence


@pytest.mark.parametrize("words", IRREVERSIBLE)
def test_an_irreversible_skill_begins_when_all_is_fresh_and_certain(words):
    kettle = {"kettle1": {"class": "kettle", "on": "table1", "states": ["filled"]}}
    one = Guarded(words, scene=house(items=kettle))
    one.home.believe(*IRREVERSIBLE[words])
    one.tick()
    assert one.told == [f"start {words.split()[0]}"]


def test_an_irreversible_skill_demands_more_certainty():
    one = Guarded("cut robot1 left knife1 mango1 table1", looks=0)
    one.home.believe("holding robot1 left knife1", "not hand_free robot1 left")
    one.home.believe("on mango1 table1", confidence=0.8)
    one.tick()
    assert one.told == []
    pick = Guarded(looks=0)
    pick.home.believe("on mango1 table1", confidence=0.8)
    pick.tick()
    assert pick.told == ["start pick"]


def test_a_purpose_of_an_irreversible_skill_in_doubt_is_no_risk():
    one = Guarded("cut robot1 left knife1 mango1 table1", looks=0)
    one.home.believe("holding robot1 left knife1", "not hand_free robot1 left")
    one.home.forget("sliced mango1")
    one.tick()
    assert one.told == ["start cut"]


def test_a_guard_of_ones_own_expectation():
    """Any formula will do; what it hinges on is what is looked at."""
    pick = Guarded()
    pick.guard("presence").expectations = (Expectation("presence", "a1", Not(lit("open fridge1"))),)
    pick.home.forget("open fridge1")
    assert pick.context.belief.truth(("open", "fridge1")) is Truth.UNKNOWN
    pick.tick()
    assert pick.home.tape.of("look.started")[0].data["at"] == ["fridge1"]


# -- how sure one must be -------------------------------------------------------------------------------------


def test_a_contradiction_that_is_not_sure_is_looked_at_before_it_counts():
    pick = Guarded(sure_otherwise=0.9)
    pick.home.believe("on mango1 table2", confidence=0.7)
    pick.tick()
    assert pick.told == ["look"]
    assert pick.found() == []
    pick.home.believe("on mango1 table2", confidence=0.95)
    pick.puppet.last.ends()
    pick.tick()
    (found,) = pick.found()
    assert found.seen == "mango1 is on table2"
    assert pick.told == ["look"]


def test_after_its_looks_it_goes_by_what_is_believed_however_little():
    pick = Guarded(sure_otherwise=0.9)
    pick.home.believe("on mango1 table2", confidence=0.7)
    for _ in range(pick.context.settings.looks):
        pick.tick()
        pick.puppet.last.ends()
    pick.tick()
    assert len(pick.found()) == 1


def test_what_may_have_been_done_already_is_rather_done_once_more():
    def tried(confidence):
        wash = Guarded(sure_needless=0.9)
        guard = wash.guard("presence")
        wash.home.believe("on mango1 table1", confidence=confidence)
        guard.expectations = (Expectation("presence", "a1", lit("not on mango1 table1"), purpose=True),)
        for _ in range(wash.context.settings.looks):
            wash.tick()
            if wash.puppet.log and wash.puppet.log[-1] == "look":
                wash.puppet.last.ends()
        wash.tick()
        return wash.told[-1:] == ["start pick"]

    assert tried(0.7)
    assert not tried(0.98)


@pytest.mark.parametrize(("usual", "looks"), [(0.02, False), (0.1, True)])
def test_before_what_cannot_be_undone_more_is_looked_at(usual, looks, monkeypatch):
    cut = Guarded("cut robot1 left knife1 mango1 table1")
    cut.home.believe(*IRREVERSIBLE["cut robot1 left knife1 mango1 table1"])
    predicates = cut.context.belief.vocabulary.predicates
    monkeypatch.setitem(predicates, "broken", PredicateInfo("attribute", observable=True, usual=usual))
    cut.guard("attribute").expectations = (Expectation("attribute", "a1", lit("not broken mango1")),)
    cut.tick()
    assert ("look" in cut.told) is looks


def test_who_was_called_back_before_the_action_began_does_not_look_again():
    """A look may lead away from where the action is to be done: the robot goes back, and on."""
    pick = Guarded(looks=1)
    stale(pick)
    pick.tick()
    pick.puppet.last.ends()
    pick.top.stop(Status.INVALID)
    pick.tick()
    assert pick.told == ["look", "start pick"]


def test_that_a_thing_is_not_there_since_it_is_elsewhere_needs_no_look_however_old():
    pick = Guarded()
    pick.guard("presence").expectations = (Expectation("presence", "a1", lit("not on apple1 table1")),)
    pick.home.believe("on apple1 table3")
    stale(pick)
    pick.tick()
    assert pick.told == ["start pick"]
