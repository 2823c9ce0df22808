"""The rule-based reviser: skip, retarget, insert, trim; and whatever it offers reaches the goal."""

from __future__ import annotations

import sys
from dataclasses import replace

import pytest
from at_home import AtHome, house
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from foretree.planning.pddl.parser import parse_domain
from foretree.planning.pddl.syntax import Literal
from foretree.planning.plan import Action
from foretree.planning.semantics.atom_index import AtomIndex
from foretree.revision._simulator import Simulator, StateDelta
from foretree.revision.discrepancy import Discrepancy
from foretree.revision.plan_task import PlanTask
from foretree.revision.revision import NoRevisionError, RevisionRequest
from foretree.revision.rules import reviser as rules
from foretree.revision.rules.precondition_repair import PreconditionRepair
from foretree.revision.rules.reviser import RuleReviser, is_cheaper_with
from foretree.skills.catalogue import Catalogue
from foretree.world_model.beliefs.belief import Belief
from foretree.world_model.beliefs.facts import Entity, Truth

GOAL = "(in mango1 fridge1)"
MANGO = (
    "move robot1 kitchen table1",
    "pick robot1 left mango1 table1",
    "move robot1 table1 fridge1",
    "open robot1 right fridge1",
    "place_in robot1 left mango1 fridge1",
)


def told(actions):
    """Actions as the tests write them."""
    return tuple(" ".join((action.skill, *action.arguments)) for action in actions)


def about(home, action, *atoms, guard="presence"):
    """A discrepancy of an action about facts, as a guard would find it."""
    beliefs = home.context.belief.snapshot()
    facts = tuple(beliefs.evidence(tuple(atom.split())) for atom in atoms)
    return Discrepancy("d1", action, guard, "that", "this", beliefs.version, facts)


def repaired(home, goal, *steps, about_=(), **more):
    """What the rules make of these steps; checked by simulation."""
    situation = home.situation(goal, *steps, **more)
    if about_:
        words, *atoms = about_
        action = next(a for a in situation.remaining if told([a]) == (words,))
        situation = home.situation(goal, *steps, discrepancies=(about(home, action, *atoms),), **more)
    revision = RuleReviser().propose(situation)
    task = situation.task
    state = task.state(situation.beliefs)
    for action in situation.running:
        state = task.advance(state, task.ground(action))
    assert task.reaches(state, map(task.ground, revision.actions), situation.goal) is None
    assert revision.version == situation.beliefs.version
    known = {action.id: action for action in situation.remaining}
    for action in revision.actions:
        assert action.cost == task.ground(action).cost
        if action.id:
            assert told([known[action.id]]) == told([action]), "an id stands for one action"
    return revision


# -- skip --------------------------------------------------------------------------------------------------


def test_what_is_so_already_is_skipped():
    home = AtHome()
    home.believe("open fridge1")
    revision = repaired(home, GOAL, *MANGO)
    assert told(revision.actions) == (*MANGO[:3], MANGO[4])
    assert all(action.id for action in revision.actions), "the others stay what they are"


def test_when_the_goal_is_reached_on_the_way_the_rest_is_skipped():
    home = AtHome()
    home.believe("in mango1 fridge1")
    assert repaired(home, GOAL, *MANGO).actions == ()


def test_a_detour_that_nothing_needs_any_more_is_trimmed():
    """To the sink and on to the cupboard: without the washing, straight to the cupboard."""
    home = AtHome()
    home.believe("clean mug1")
    revision = repaired(
        home,
        "(and (clean mug1) (in mug1 cupboard1))",
        "move robot1 kitchen table1",
        "pick robot1 left mug1 table1",
        "move robot1 table1 sink1",
        "wash robot1 left mug1 sink1",
        "move robot1 sink1 cupboard1",
        "open robot1 right cupboard1",
        "place_in robot1 left mug1 cupboard1",
    )
    assert told(revision.actions) == (
        "move robot1 kitchen table1",
        "pick robot1 left mug1 table1",
        "move robot1 table1 cupboard1",
        "open robot1 right cupboard1",
        "place_in robot1 left mug1 cupboard1",
    )


def test_there_and_back_is_trimmed_together():
    home = AtHome()
    home.believe("open microwave1")
    revision = repaired(
        home,
        "(and (open microwave1) (open fridge1))",
        "move robot1 kitchen fridge1",
        "move robot1 fridge1 microwave1",
        "open robot1 left microwave1",
        "move robot1 microwave1 fridge1",
        "open robot1 left fridge1",
    )
    assert told(revision.actions) == ("move robot1 kitchen fridge1", "open robot1 left fridge1")


# -- retarget ----------------------------------------------------------------------------------------------


def test_a_thing_is_fetched_from_where_it_rests_now():
    home = AtHome()
    home.believe("on mango1 table2")
    revision = repaired(home, GOAL, *MANGO)
    assert told(revision.actions) == (
        "move robot1 kitchen table2",
        "pick robot1 left mango1 table2",
        "move robot1 table2 fridge1",
        *MANGO[3:],
    )
    assert [bool(action.id) for action in revision.actions] == [False, False, False, True, True]


def test_a_thing_that_went_into_a_shut_cupboard_is_fetched_from_there():
    home = AtHome()
    home.believe("in mango1 cupboard1")
    steps = told(repaired(home, GOAL, *MANGO).actions)
    opening = next(step for step in steps if step.startswith("open") and "cupboard1" in step)
    assert steps.index(opening) < steps.index("pick robot1 left mango1 cupboard1")


ANY_MUG = "(exists (?m - mug) (in ?m sink1))"
MUG = (
    "move robot1 kitchen table1",
    "pick robot1 left mug1 table1",
    "move robot1 table1 sink1",
    "place_in robot1 left mug1 sink1",
)


def lost_mug(*items):
    home = AtHome(house(items={name: {"class": "mug", "on": place} for name, place in items}))
    home.forget("on mug1 table1")
    return home


def test_another_one_is_taken_where_the_goal_does_not_name_it():
    home = lost_mug(("mug2", "table2"))
    revision = repaired(home, ANY_MUG, *MUG, about_=(MUG[1], "on mug1 table1"))
    assert "pick robot1 left mug2 table2" in told(revision.actions)
    assert "place_in robot1 left mug2 sink1" in told(revision.actions)


def test_the_cheapest_other_one_is_taken():
    home = lost_mug(("mug2", "table3"), ("mug3", "table2"))
    revision = repaired(home, ANY_MUG, *MUG, about_=(MUG[1], "on mug1 table1"))
    assert "pick robot1 left mug3 table2" in told(revision.actions)


def test_a_thing_that_the_goal_names_has_no_substitute():
    home = lost_mug(("mug2", "table2"))
    with pytest.raises(NoRevisionError, match="leads to the goal"):
        repaired(home, "(in mug1 sink1)", *MUG, about_=(MUG[1], "on mug1 table1"))


def test_where_the_goal_counts_another_one_counts_as_well():
    home = AtHome(
        house(items={"mug2": {"class": "mug", "in": "sink1"}, "mug3": {"class": "mug", "on": "table2"}})
    )
    home.forget("on mug1 table1")
    goal = "(at-least 2 (?m - mug) (in ?m sink1))"
    revision = repaired(home, goal, *MUG, about_=(MUG[1], "on mug1 table1"))
    assert "place_in robot1 left mug3 sink1" in told(revision.actions)
    assert not any("mug2" in step for step in told(revision.actions))


def test_a_thing_that_nobody_has_seen_is_no_substitute():
    home = lost_mug(("mug2", "table2"))
    home.forget("on mug2 table2")
    with pytest.raises(NoRevisionError):
        repaired(home, ANY_MUG, *MUG, about_=(MUG[1], "on mug1 table1"))


def test_a_tool_is_replaced_by_another_one():
    home = AtHome(house(items={"knife2": {"class": "knife", "on": "table2"}}))
    home.forget("on knife1 table1")
    steps = (
        "move robot1 kitchen table1",
        "pick robot1 left knife1 table1",
        "cut robot1 left knife1 mango1 table1",
    )
    revision = repaired(home, "(sliced mango1)", *steps, about_=(steps[1], "on knife1 table1"))
    assert told(revision.actions)[-1] == "cut robot1 left knife2 mango1 table1"


# -- insert ------------------------------------------------------------------------------------------------


def test_a_shut_fridge_is_opened():
    home = AtHome()
    steps = [step for step in MANGO if not step.startswith("open")]
    assert any(step.startswith("open") for step in told(repaired(home, GOAL, *steps).actions))


def test_a_microwave_that_runs_is_switched_off_first():
    home = AtHome()
    home.believe("turned_on microwave1")
    steps = ("move robot1 kitchen microwave1", "open robot1 left microwave1")
    assert told(repaired(home, "(open microwave1)", *steps).actions) == (
        steps[0],
        "turn_off robot1 left microwave1",
        steps[1],
    )


def test_a_way_is_found_through_two_doors():
    """The robot is believed to be elsewhere than the plan begins."""
    home = AtHome()
    home.believe("rob_at_node robot1 table3")
    steps = told(repaired(home, GOAL, *MANGO).actions)
    assert steps[:3] == (
        "move robot1 table3 door1_hall_side",
        "move robot1 door1_hall_side door1_kitchen_side",
        "move robot1 door1_kitchen_side table1",
    )


def test_a_door_on_the_way_is_opened():
    home = AtHome()
    home.believe("not open door1")
    home.believe(
        "not connected door1_kitchen_side door1_hall_side", "not connected door1_hall_side door1_kitchen_side"
    )
    steps = (
        "move robot1 kitchen door1_kitchen_side",
        "move robot1 door1_kitchen_side door1_hall_side",
        "move robot1 door1_hall_side table3",
        "pick robot1 left apple1 table3",
    )
    assert any(
        s.startswith("open_door")
        for s in told(repaired(home, "(holding robot1 left apple1)", *steps).actions)
    )


def bridge(home, words):
    """The few actions that make one possible."""
    context = home.context
    start = StateDelta(AtomIndex(context.task.state(context.belief.snapshot())))
    repair = PreconditionRepair(Simulator(context.task), context.belief.vocabulary)
    wanted = context.task.ground(home.action(words))
    found = repair.find(start, wanted)
    assert repair.find(start, wanted) == found
    return None if found is None else [" ".join((step.name, *step.arguments)) for step in found]


def test_what_cannot_be_had_in_a_few_actions_is_left_to_others():
    home = AtHome()
    home.forget("on mango1 table1")
    assert bridge(home, "place_in robot1 left mango1 fridge1") is None
    assert bridge(home, "pick robot1 left mango1 table1") is None
    assert bridge(home, "pick robot1 left mug1 fridge1") is None, "it is elsewhere: that is no bridge"


def test_a_bridge_is_the_cheapest_one():
    home = AtHome()
    home.believe("rob_at_node robot1 table3")
    assert bridge(home, "pick robot1 left mango1 table1") == [
        "move robot1 table3 door1_hall_side",
        "move robot1 door1_hall_side door1_kitchen_side",
        "move robot1 door1_kitchen_side table1",
    ]
    assert bridge(home, "pick robot1 left apple1 table3") == []


def test_a_hand_is_freed_by_putting_down_what_it_holds():
    home = AtHome()
    home.believe("rob_at_node robot1 table1", "holding robot1 left mug1", "not hand_free robot1 left")
    (step,) = bridge(home, "pick robot1 left mango1 table1")
    assert step in ("place_on robot1 left mug1 table1", "place_under robot1 left mug1 table1")


def test_several_things_that_are_missing_are_brought_about_together():
    home = AtHome()
    home.believe("rob_at_node robot1 table1", "holding robot1 left mug1", "not hand_free robot1 left")
    steps = bridge(home, "place_in robot1 left mug1 fridge1")
    assert sorted(steps) == ["move robot1 table1 fridge1", "open robot1 right fridge1"]
    assert steps[0].startswith("move")


# -- what runs, what is no use -----------------------------------------------------------------------------


def test_what_runs_is_taken_as_done():
    home = AtHome()
    home.believe("open fridge1")
    running = home.action(MANGO[0])
    revision = repaired(home, GOAL, *MANGO[1:], running=[running])
    assert told(revision.actions) == (MANGO[1], MANGO[2], MANGO[4])


def test_a_plan_that_is_good_as_it_is_is_not_offered_again():
    with pytest.raises(NoRevisionError, match="leave the plan as it is"):
        repaired(AtHome(), GOAL, *MANGO)


def test_a_plan_that_cannot_be_mended_is_left_to_others():
    home = AtHome()
    home.forget("on mango1 table1")
    with pytest.raises(NoRevisionError, match="no skipping, retargeting or inserting leads to the goal"):
        repaired(home, GOAL, *MANGO)


def test_a_plan_that_does_with_another_class_is_good_all_the_same():
    home = AtHome()
    situation = home.situation(GOAL, *MANGO)
    found = about(home, situation.remaining[1], "class mango1 mango", guard="appearance")
    situation = home.situation(GOAL, *MANGO, discrepancies=(found,))
    revision = RuleReviser().propose(situation)
    assert revision.actions == situation.remaining
    assert revision.why.endswith("the plan is good all the same.")


def test_whether_another_instance_would_be_cheaper():
    home = AtHome(
        house(items={"mug2": {"class": "mug", "on": "table2"}, "mug3": {"class": "mug", "on": "table3"}})
    )
    fetch = (
        "move robot1 kitchen door1_kitchen_side",
        "move robot1 door1_kitchen_side door1_hall_side",
        "move robot1 door1_hall_side table3",
        "pick robot1 left mug3 table3",
        "move robot1 table3 door1_hall_side",
        "move robot1 door1_hall_side door1_kitchen_side",
        "move robot1 door1_kitchen_side sink1",
        "place_in robot1 left mug3 sink1",
    )
    assert is_cheaper_with(home.situation(ANY_MUG, *fetch), "mug3", "mug2")
    assert not is_cheaper_with(home.situation(ANY_MUG, *MUG), "mug1", "mug3")
    assert not is_cheaper_with(home.situation(ANY_MUG, *MUG), "mug1", "mug1")


# -- sentences ---------------------------------------------------------------------------------------------


def act(name, id_=""):
    return Action(id_, name, ())


# -- whatever happens --------------------------------------------------------------------------------------

ITEMS = ("mango1", "mug1", "mug2", "knife1", "apple1", "pillow1")
PLACES = (
    "on table1",
    "on table2",
    "on table3",
    "under table1",
    "in fridge1",
    "in cupboard1",
    "in sink1",
    "in box1",
)
TARGETS = ("place_on table2", "place_in fridge1", "place_in sink1", "place_in box1", "place_under table1")
SHUT = ("fridge1", "cupboard1", "box1", "microwave1", "door1")

disturbances = st.lists(
    st.one_of(
        st.tuples(st.just("move"), st.sampled_from(ITEMS), st.sampled_from(PLACES)),
        st.tuples(st.just("lose"), st.sampled_from(ITEMS), st.just("")),
        st.tuples(st.just("take"), st.sampled_from(ITEMS), st.sampled_from(["left", "right"])),
        st.tuples(st.just("open"), st.sampled_from(SHUT), st.booleans()),
        st.tuples(st.just("robot"), st.sampled_from(["table1", "table3", "fridge1", "kitchen"]), st.just("")),
    ),
    max_size=4,
)


def disturb(home, kind, thing, how):
    if kind == "move":
        relation, place = how.split()
        free(home, thing)
        home.believe(f"{relation} {thing} {place}")
    elif kind == "lose":
        free(home, thing)
        for _ in ("on", "in", "under"):
            atom = home.context.belief.snapshot().placement("rests", thing)
            if atom is not None:
                home.context.belief.tell(atom, Truth.FALSE)
    elif kind == "take":
        if home.context.belief.truth(("hand_free", "robot1", how)) is Truth.TRUE:
            free(home, thing)
            home.believe(f"holding robot1 {how} {thing}", f"not hand_free robot1 {how}")
    elif kind == "open":
        home.believe(f"{'' if how else 'not '}open {thing}")
        home.context.tracker.follow_doors(0.0)
    else:
        home.believe(f"rob_at_node robot1 {thing}")


def free(home, thing):
    for hand in ("left", "right"):
        if home.context.belief.truth(("holding", "robot1", hand, thing)) is Truth.TRUE:
            home.believe(f"hand_free robot1 {hand}")


def fetch(home, item, source, target):
    """A plan that takes *item* from a place in the kitchen to another; valid when nothing is in the way."""
    relation, place = source.split()
    skill, goal_place = target.split()
    steps = [f"move robot1 kitchen {place}"]
    if place in SHUT:
        steps.append(f"open robot1 right {place}")
    steps += [f"pick robot1 left {item} {place}", f"move robot1 {place} {goal_place}"]
    if goal_place in SHUT:
        steps.append(f"open robot1 right {goal_place}")
    steps.append(f"{skill} robot1 left {item} {goal_place}")
    return steps, f"({skill.removeprefix('place_')} ITEM {goal_place})"


HOME: list[AtHome] = []


def home_for_properties() -> AtHome:
    """One home for all examples: what they believe is told afresh each time."""
    if not HOME:
        HOME.append(AtHome(house(items={"mug2": {"class": "mug", "on": "table2"}})))
    home = HOME[0]
    for hand in ("left", "right"):
        home.believe(f"hand_free robot1 {hand}")
    for item in ITEMS:
        home.believe(f"on {item} table1")
    for thing in SHUT:
        home.believe(f"{'' if thing == 'door1' else 'not '}open {thing}")
    home.context.tracker.follow_doors(0.0)
    home.believe("rob_at_node robot1 kitchen")
    return home


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    item=st.sampled_from(ITEMS),
    source=st.sampled_from([place for place in PLACES if not place.endswith(("table3", "box1"))]),
    target=st.sampled_from([target for target in TARGETS if not target.endswith("box1")]),
    named=st.booleans(),
    done=st.integers(0, 3),
    what=disturbances,
)
def test_whatever_the_rules_offer_leads_to_the_goal(item, source, target, named, done, what):
    home = home_for_properties()
    if source.split()[1] == target.split()[1]:
        return
    home.believe(f"{source.split()[0]} {item} {source.split()[1]}")
    steps, goal = fetch(home, item, source, target)
    kind = home.context.belief.entity(item).best_class
    goal = goal.replace("ITEM", item) if named else f"(exists (?x - {kind}) {goal.replace('ITEM', '?x')})"
    task = home.context.task
    state = task.state(home.context.belief.snapshot())
    plan = [home.action(step) for step in steps]
    assert task.reaches(state, map(task.ground, plan), home.goal(goal)) is None, "the test's own plan"
    for step in plan[:done]:
        for literal in [e.literal for e in task.ground(step).effects]:
            home.context.belief.tell(literal.atom, literal.positive)
    for one in what:
        disturb(home, *one)
    situation = home.situation(goal, *steps[done:])
    found = about(home, situation.remaining[0] if situation.remaining else None, f"on {item} table1")
    try:
        repaired(home, goal, *steps[done:], discrepancies=(found,))
    except NoRevisionError as error:
        said = str(error)
        assert said


# -- long plans --------------------------------------------------------------------------------------------

LINE = """
(define (domain line) (:requirements :typing)
  (:types item)
  (:predicates (ready ?x - item) (sound ?x - item) (done ?x - item) (next ?x ?y - item))
  (:action fix :parameters (?x - item) :precondition (not (sound ?x)) :effect (sound ?x))
  (:action work
    :parameters (?x - item ?y - item)
    :precondition (and (next ?x ?y) (ready ?x) (sound ?x))
    :effect (and (done ?x) (ready ?y) (not (ready ?x)))))
"""


def line_of(length):
    """So many pieces of work in a row, one of which can only be done when something has been fixed."""
    catalogue = Catalogue.from_domain(parse_domain(LINE, "line"))
    belief = Belief(catalogue.vocabulary)
    for number in range(length + 1):
        belief.put_entity(Entity(f"i{number}", {"item": 1.0}, fixed=True))
        if number != 3:
            belief.tell(("sound", f"i{number}"))
        belief.tell(("next", f"i{number}", f"i{number + 1}"))
    belief.tell(("ready", "i0"))
    task = PlanTask(catalogue.domain)
    task.refresh(belief.snapshot())
    actions = tuple(Action(f"a{n}", "work", (f"i{n}", f"i{n + 1}")) for n in range(length))
    goal = Literal(("done", f"i{length - 1}"))
    return RevisionRequest((), actions, (), belief.snapshot(), goal, {}, task)


def calls_in(function):
    """How many functions are called, and what comes out."""
    count = 0

    def note(frame, event, argument):
        nonlocal count
        count += event == "call"

    sys.setprofile(note)
    try:
        result = function()
    finally:
        sys.setprofile(None)
    return count, result


def test_a_long_plan_is_mended_over_ticks_at_the_price_of_its_length():
    most, total = {}, {}
    for length in (1500, 4500):
        situation = line_of(length)
        calls, awaited = calls_in(lambda situation=situation: RuleReviser().propose(situation))
        ticks = [calls]
        is_ready = False
        while not is_ready:
            calls, is_ready = calls_in(awaited.ready)
            ticks.append(calls)
        assert told(awaited.result().actions) == (
            *told(situation.remaining[:3]),
            "fix i3",
            *told(situation.remaining[3:]),
        )
        most[length], total[length] = max(ticks), sum(ticks)
    assert total[4500] < 4 * total[1500], "three times as long"
    assert most[4500] < 1.5 * most[1500], "in one tick, no more than before"


def test_a_plan_that_takes_too_much_work_is_left_to_others(monkeypatch):
    monkeypatch.setattr(rules, "WORK", 0)
    monkeypatch.setattr(rules, "WORK_PER_ACTION", 1)
    with pytest.raises(NoRevisionError, match="takes too much work"):
        RuleReviser().propose(line_of(10))


def test_a_plan_that_takes_too_much_work_to_be_trimmed_is_offered_as_it_is(monkeypatch):
    situation = line_of(10)
    whole = RuleReviser().propose(replace(situation, goal=Literal(("done", "i5"))))
    assert len(whole.actions) == 7
    monkeypatch.setattr(rules, "WORK", 8 * 8)
    assert len(RuleReviser().propose(situation).actions) == 11
