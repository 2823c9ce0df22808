"""Steps as a model writes them: read where they have one reading, or not at all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foretree.revision.llm._answer_text import LONGEST_ANSWER
from foretree.revision.llm._notation import (
    MOST_STEPS,
    AnswerContext,
    ModelStep,
    PlanEdit,
    read_edit,
    readings,
)
from foretree.revision.llm._words import AnswerVocabulary, UnreadableAnswerError

ACTIONS, MOVES = {"pick", "open", "place_in", "wait"}, {"move"}
CLASSES = {"mango": True, "fridge": True, "coffee_machine": True, "laptop": False}
MANGO, FRIDGE = ModelStep("pick", "mango"), ModelStep("open", "fridge")


def read(text, notation="tuples"):
    return read_edit(text, notation, AnswerVocabulary(ACTIONS, MOVES, CLASSES))


@pytest.mark.parametrize(
    ("text", "edit"),
    [
        ("(mango, pick)", PlanEdit((MANGO,), 0)),
        ("(fridge, open), (mango, pick), Pass", PlanEdit((FRIDGE, MANGO), 1)),
        ("(fridge,open)\n(mango , pick)\nPass\nPass\n", PlanEdit((FRIDGE, MANGO), 2)),
        ("[(mango, pick), pass]", PlanEdit((MANGO,), 1)),
        ("```\n(mango, pick)\n```", PlanEdit((MANGO,), 0)),
        ("Pass", PlanEdit((), 1)),
        ("Pass, Pass", PlanEdit((), 2)),
        ("(Coffee Machine, open)", PlanEdit((ModelStep("open", "coffee_machine"),), 0)),
        ("(none, wait)", PlanEdit((ModelStep("wait", None),), 0)),
        ("(pick, mango)", PlanEdit((MANGO,), 0)),
        ("Sure! (mango, pick)", PlanEdit((MANGO,), 0)),
        ("(mango, pick) because it fell", PlanEdit((MANGO,), 0)),
        ('{"steps": [["mango", "pick"]]}', PlanEdit((MANGO,), 0)),
        ("[['Mango', 'PickupObject'], ['None', 'Pass']]", PlanEdit((MANGO,), 1)),
        ("Find Mango, Pickup Mango, Pass", PlanEdit((MANGO,), 1)),
        ("1. Pick up the mango\n2. Pass", PlanEdit((MANGO,), 1)),
        ("pick(mango); Pass", PlanEdit((MANGO,), 1)),
        ('{"steps": [{"action": "pick", "target": "mango"}], "passes": 1}', PlanEdit((MANGO,), 1)),
        ("<think>(fridge, open)?</think>(mango, pick)", PlanEdit((MANGO,), 0)),
        ("No change needed.", PlanEdit((), 0)),
        ("Put Fridge", PlanEdit((ModelStep("place_in", "fridge"),), 0)),
        (
            "1. (fridge, open) - it is shut\n2. (mango, pick) - take it out\n3. Pass",
            PlanEdit((FRIDGE, MANGO), 1),
        ),
        (
            "Original plan: (mango, pick)\nRevised plan: (fridge, open), (mango, pick), Pass",
            PlanEdit((FRIDGE, MANGO), 1),
        ),
    ],
)
def test_tuples(text, edit):
    assert read(text) == edit


@pytest.mark.parametrize(
    ("text", "edit"),
    [
        ("(pick, mango, fridge)", PlanEdit((ModelStep("pick", "mango", "fridge"),), 1)),
        ("(open, fridge, none)", PlanEdit((ModelStep("open", "fridge"),), 1)),
        (
            "(open, fridge, none), (pick, mango, fridge)",
            PlanEdit((FRIDGE, ModelStep("pick", "mango", "fridge")), 1),
        ),
        ("Pass", PlanEdit((), 1)),
    ],
)
def test_triplets_take_the_place_of_the_first_step(text, edit):
    assert read(text, "triplets") == edit


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "changes nothing"),
        ("[]", "changes nothing"),
        ("I cannot help with that.", "'I cannot help with that.' is neither (target, action) nor Pass"),
        ("(mango, pick", "neither"),
        ("(mango; pick)", "neither"),
        ("(pick, mango, table)", "there is no class 'table'"),
        ("(mango)", "neither"),
        ("((mango, pick))", "not certain"),
        ("(mango, pick), Passing", "'Passing' is neither"),
        ('{"one": [["mango", "pick"]]}', "JSON without a plan"),
        ('{"plan": [["mango", "pick"]], "goal": "(in mango1 fridge1)"}', "repeats the question"),
        ('{"steps": [["mango", "pick"]], "plan": [["fridge", "open"]]}', "several plans"),
        ('{"steps": [[7, 7]]}', "7 where a step should be"),
        ('{"steps": [["mango", 7]]}', "'mango' is neither"),
        ("(Target, pick)", "not known what 'Target' stands for"),
        ("(Pass, pick)", "Pass stands in a step with other words"),
        ("No change. (mango, pick)", "nothing is to be changed, and has steps"),
        ("(mango, pick)\n(fridge, open) - not needed", "takes back"),
        ("1. (mango, pick)\n2. (fridge, open) - skip", "not certain"),
        ("(mango, pick). Wait, that is wrong.", "takes back"),
        ("Do not do this: (mango, pick)", "without asking for them"),
        ("The first step (mango, pick) is fine.", "'is fine.' is neither"),
        ("The first step (mango, pick).", "in the middle of a sentence"),
        ("(mango, pick) or (fridge, open)", "not certain"),
        ("(mango, pick)\nor\n(fridge, open)", "several plans"),
        ("<think>(mango, pick)", "ends among its thoughts"),
        ("~~(mango, pick)~~", "struck out"),
        ("Find Fridge, Pickup Mango", "the move 'find'"),
        ("I would pass on this.", "neither"),
        ("(mango, rm -rf /)", "neither"),
        ("(mango, explode)", "there is no action 'explode'. Valid: open, pick, place_in, wait."),
        ("(mango, pik)", "there is no action 'pik'. Did you mean pick?"),
        ("(mango, move)", "the move 'move'"),
        ("(banana, pick)", "there is no class 'banana'"),
        ("(mango1, pick)", "there is no class 'mango1'. Did you mean mango?"),
        ("(laptop, pick)", "no laptop is known of"),
        ("Pass, (mango, pick)", "Pass stands before a new step"),
        ("(mango, pick) " * (MOST_STEPS + 1), f"more than {MOST_STEPS} steps"),
        ("(mango, pick) " * LONGEST_ANSWER, f"{LONGEST_ANSWER} are read at most"),
        ("(" * LONGEST_ANSWER, "changes nothing"),
    ],
)
def test_anything_else_is_refused_and_told(text, told):
    with pytest.raises(UnreadableAnswerError) as caught:
        read(text)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Pass, Pass", "more than one Pass"),
        ("(pick, mango, fridge), Pass", "both triplets and Pass"),
        ("(pick, mango, mars)", "no class 'mars'"),
    ],
)
def test_triplets_that_are_refused(text, told):
    with pytest.raises(UnreadableAnswerError) as caught:
        read(text, "triplets")
    assert told in str(caught.value)


PLAN = (ModelStep("pick", "mango"), ModelStep("open", "fridge"), ModelStep("place_in", "fridge"))
COFFEE = ModelStep("open", "coffee_machine")


def about(text, plan=PLAN, done=(), notation="tuples", **stands_for):
    """The edits that an answer about a plan may ask for."""
    context = AnswerContext([(step,) for step in plan], [(step,) for step in done])
    return readings(text, notation, AnswerVocabulary(ACTIONS, MOVES, CLASSES, stands_for), context)


WHOLE = "(mango, pick), (fridge, open), (fridge, place_in)"


@pytest.mark.parametrize(
    ("text", "edit"),
    [
        (WHOLE, PlanEdit((), 0)),
        (f"(coffee machine, open), {WHOLE}", PlanEdit((COFFEE,), 0)),
        ("(fridge, open), (fridge, place_in)", PlanEdit((), 1)),
        ("(coffee machine, open), (fridge, place_in)", PlanEdit((COFFEE,), 2)),
        ("Pass, (fridge, open), (fridge, place_in)", PlanEdit((), 1)),
        (f"(coffee machine, open), Pass, {WHOLE[15:]}", PlanEdit((COFFEE,), 1)),
        ("No change: (mango, pick), (fridge, open), (fridge, place_in)", PlanEdit((), 0)),
    ],
)
def test_a_whole_plan_with_the_same_end_is_an_edit(text, edit):
    assert about(text) == (edit,)


def test_the_end_of_the_plan_alone_may_be_all_that_is_left_or_what_comes_first():
    assert about("(fridge, place_in)") == (PlanEdit((), 2), PlanEdit((ModelStep("place_in", "fridge"),), 0))


def test_what_was_just_done_is_not_done_twice():
    done = (COFFEE, MANGO)
    rest = PLAN[1:]
    put = ModelStep("place_in", "coffee_machine")
    again = "(mango, pick), (coffee machine, place_in), (mango, pick), (fridge, open), (fridge, place_in)"
    assert about(again, rest, done) == (PlanEdit((put, MANGO), 0),)
    assert about(f"(coffee machine, open), {again}", rest, done) == (PlanEdit((put, MANGO), 0),)
    assert about(WHOLE, rest, done) == (PlanEdit((), 0),)
    assert about("(mango, pick), (coffee machine, open)", rest, done) == (PlanEdit((COFFEE,), 0),)
    assert about("(mango, pick), Pass", rest, done) == (PlanEdit((), 1),)
    for nothing_else in ("(mango, pick)", "(coffee machine, open), (mango, pick)"):
        with pytest.raises(UnreadableAnswerError, match="repeats what has just been done"):
            about(nothing_else, rest, done)


def test_what_the_plan_has_again_may_be_meant():
    assert PlanEdit((), 0) in about(WHOLE, PLAN, (MANGO,))
    assert about("(mango, pick), Pass", PLAN, (MANGO,)) == (PlanEdit((MANGO,), 1), PlanEdit((), 1))


@pytest.mark.parametrize(
    "text", ["Pass, (mango, pick)", f"Pass, {WHOLE}", "[['None','Pass'],['mango','pick']]"]
)
def test_pass_and_the_same_step_again_is_the_step_with_another_thing(text):
    assert about(text) == (PlanEdit((MANGO,), 1, other=True),)


def test_pass_and_two_equal_steps_has_two_readings():
    assert about("Pass, (mango, pick)", (MANGO, MANGO)) == (
        PlanEdit((), 1),
        PlanEdit((MANGO,), 1, other=True),
    )


def test_placeholders_stand_for_what_is_at_hand():
    found = about("(Recep, open), (Target, pick), Pass", target="mango", parent="coffee_machine")
    assert found == (PlanEdit((COFFEE, MANGO), 1),)
    with pytest.raises(UnreadableAnswerError, match="not known what 'Recep' stands for"):
        about("(Recep, open), (Target, pick), Pass", target="mango")


STEPS = st.builds(
    ModelStep,
    st.sampled_from(sorted(ACTIONS)),
    st.sampled_from(["mango", "fridge", "coffee_machine", None]),
    st.none(),
)


@given(st.lists(STEPS, max_size=MOST_STEPS), st.integers(0, 4))
def test_what_is_written_is_read_again(steps, passes):
    if steps or passes:
        written = ", ".join([*(step.written("tuples") for step in steps), *["Pass"] * passes])
        assert read(written) == PlanEdit(tuple(steps), passes)


@given(st.text(st.characters(codec="utf-8"), max_size=200) | st.text("(),[]` \nPasmngo", max_size=60))
def test_whatever_is_said_is_read_or_refused(text):
    for notation in ("tuples", "triplets"):
        try:
            edit = read(text, notation)
        except UnreadableAnswerError:
            continue
        assert {step.action for step in edit.steps} <= ACTIONS
        assert {step.target for step in edit.steps} <= {"mango", "fridge", "coffee_machine", None}
