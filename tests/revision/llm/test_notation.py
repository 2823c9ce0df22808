"""Steps as a model writes them: read strictly, or not at all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foretree.revision.llm._answer_text import LONGEST_ANSWER
from foretree.revision.llm._notation import MOST_STEPS, ModelStep, PlanEdit, read_edit
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
        ("(mango, pick) because it fell", "'because it fell' is neither"),
        ("Sure! (mango, pick)", "'Sure! (mango, pick)' is neither"),
        ("(mango, pick", "neither"),
        ("(mango; pick)", "neither"),
        ("(pick, mango, table)", "neither (target, action)"),
        ("(mango)", "neither"),
        ("((mango, pick))", "neither"),
        ("(mango, pick), Passing", "'Passing' is neither"),
        ('{"steps": [["mango", "pick"]]}', "neither"),
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
        ("(" * LONGEST_ANSWER, "neither"),
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
        ("(mango, pick)", "neither (action, target, parent)"),
        ("Pass, Pass", "more than one Pass"),
        ("(pick, mango, fridge), Pass", "both triplets and Pass"),
        ("(pick, mango, mars)", "no class 'mars'"),
    ],
)
def test_triplets_that_are_refused(text, told):
    with pytest.raises(UnreadableAnswerError) as caught:
        read(text, "triplets")
    assert told in str(caught.value)


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
