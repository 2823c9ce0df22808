"""Consultations: an answer in a form, sent back with what is wrong."""

from __future__ import annotations

import json

import pytest
from pydantic import Field

from foretree.config import ConfigError
from foretree.reasoning.models.consultation import (
    Consultation,
    NoAnswerError,
    Prompt,
    WrongAnswerError,
    answer_form,
)
from foretree.reasoning.models.model import Question, Reply
from foretree.schema import Strict

PROMPT = Prompt("numbers", "Say a number.")


class Number(Strict):
    """A number that is said."""

    number: int
    why: str = Field("", description="anything")


class Sayings:
    """A model that says one thing after the other."""

    name = "m"

    def __init__(self, *says: str | Reply) -> None:
        self.says = [say if isinstance(say, Reply) else Reply(say) for say in says]
        self.asked: list[Question] = []

    def ask(self, question: Question) -> Reply:
        self.asked.append(question)
        return self.says.pop(0)


def even(answer: Number) -> int:
    if answer.number % 2:
        raise WrongAnswerError(f"{answer.number} is odd.")
    return answer.number


def test_what_is_wrong_goes_back() -> None:
    model = Sayings("four", '{"number": 3}', 'Here:\n```json\n{"number": 4}\n```\nI hope it helps.')
    asking = Consultation(model, PROMPT, Number)
    assert asking.ask({"up to": 9}, even) == 4
    last = json.loads(model.asked[-1].user)
    assert last["up to"] == 9
    assert [entry["answer"] for entry in last["earlier"]] == ["four", '{"number": 3}']
    assert last["earlier"][1]["wrong"] == "3 is odd."
    assert [exchange.question for exchange in asking.exchanges] == model.asked


@pytest.mark.parametrize(
    ("says", "corrections", "told"),
    [
        (['{"number": 1}', '{"number": 3}'], 1, r"in 2 attempts\. The last mistake: 3 is odd\."),
        (['{"number": 1}'], 0, r"in 1 attempt\."),
        (["{}"], 0, "number is not of the form"),
        (['{"number": 2, "tool": "x"}'], 0, "tool is not of the form"),
        (['{"number": 1}', Reply(problem="It broke.")], 3, "It broke"),
    ],
)
def test_it_ends(says, corrections, told) -> None:
    with pytest.raises(NoAnswerError, match=told):
        Consultation(Sayings(*says), PROMPT, Number, corrections).ask({}, even)


def test_once_it_is_cancelled_nothing_more_is_asked() -> None:
    model = Sayings('{"number": 1}', '{"number": 2}')
    asking = Consultation(model, PROMPT, Number)

    def cancels(answer: Number) -> int:
        asking.cancelled.set()
        return even(answer)

    with pytest.raises(NoAnswerError, match="no longer needed"):
        asking.ask({}, cancels)
    assert len(model.asked) == 1


def test_the_form_is_one_that_servers_take() -> None:
    form = answer_form(Number, "numbers")
    assert form.name == "numbers"
    assert form.schema == {
        "type": "object",
        "properties": {"number": {"type": "integer"}, "why": {"type": "string"}},
        "required": ["number", "why"],
        "additionalProperties": False,
    }


def test_prompts_are_files_that_can_be_edited(tmp_path, monkeypatch) -> None:
    shipped = Prompt.load("goal")
    (tmp_path / "prompts").mkdir()
    (tmp_path / "prompts" / "goal.txt").write_text("Do what you like.")
    monkeypatch.setenv("FORETREE_CONFIGS", str(tmp_path))
    own = Prompt.load("goal")
    assert own.text == "Do what you like."
    assert own.version != shipped.version
    with pytest.raises(ConfigError, match="nonsense"):
        Prompt.load("nonsense")
