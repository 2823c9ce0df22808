"""Affordances as combinations of simple questions."""

from __future__ import annotations

import pytest

from foretree.config import ConfigError
from foretree.reasoning.survey.logic import LogicError, load_logic, parse_combination
from foretree.world_model.affordances.mapping_file import load_mapping


def holds(text, **answers):
    return parse_combination(text).holds(answers.get)


def test_and_binds_closer_than_or():
    assert holds("a or b and c", a=True, b=False, c=False)
    assert not holds("(a or b) and c", a=True, b=False, c=False)
    assert holds("a and not b", a=True, b=False)


def test_what_has_no_answer_leaves_open_only_what_depends_on_it():
    assert holds("a and b", a=False) is False
    assert holds("a and b", b=False) is False
    assert holds("a or b", b=True) is True
    assert holds("a and b", a=True) is None
    assert holds("not a") is None


def test_only_what_decides_is_asked():
    asked = []

    def answer(atom):
        asked.append(atom)
        return False

    parse_combination("a and b and c").holds(answer)
    assert asked == ["a"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "not complete"),
        ("a and", "not complete"),
        ("a b", "'b' is not expected"),
        ("(a or b", "not closed"),
        ("a and and b", "'and' is not expected"),
        ("a & b", "'&' is not expected"),
    ],
)
def test_what_cannot_be_read(text, problem):
    with pytest.raises(LogicError, match=problem):
        parse_combination(text)


def test_the_shipped_questions_are_all_used_and_make_liquid_contain_of_three():
    logic = load_logic(load_mapping().affordances)
    liquid = logic.combinations["liquid-contain"]
    assert (liquid.kind, list(liquid.atoms())) == ("and", ["hollow", "watertight", "open-top"])
    used = {atom for combination in logic.combinations.values() for atom in combination.atoms()}
    assert used == set(logic.questions)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("affordances: {flying: hollow}", "there is no affordance 'flying'"),
        ("affordances: {contain: holow}", "there is no question 'holow'. Did you mean hollow"),
        ("affordances: {contain: hollow or}", "not complete"),
    ],
)
def test_mistakes_in_the_file_are_told_with_their_place(tmp_path, line, problem):
    path = tmp_path / "questions.yaml"
    path.write_text(f"questions: {{hollow: Is it hollow?}}\n{line}\n")
    with pytest.raises(ConfigError, match=problem) as error:
        load_logic(["contain"], path)
    assert "questions.yaml:2" in str(error.value)
