"""The reasoner that asks a language model for the goal, and has it correct its mistakes.

A model writes a goal, never a plan. What it writes is parsed, checked against the domain and the things that
are known, and checked for whether it can hold at all. What is wrong goes back to the model as a message that
hints at the mend, a few times. Nothing else of an answer is used, so that no text of a scene can add an
action or a tool.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from foretree.config import digest, find_config
from foretree.planning.task.goals import GoalError, parse_goal
from foretree.reasoning.goal_meaning import GoalMeaningError, check_meaning
from foretree.reasoning.instruction_errors import AmbiguousError, NotPossibleError, NotUnderstoodError
from foretree.reasoning.models.model import Model, Prices, Question, Reply, Spending, unfenced
from foretree.reasoning.reasoner import Situation, Understanding
from foretree.runs.events import Recorder
from foretree.schema import Strict
from foretree.world_model.beliefs.facts import WHEREABOUTS, Truth, show_atom

#: The answer may be as long as that, in tokens.
_MOST_TOKENS = 1_000
#: Sentences of a model are cut: they are for a person to read at a glance.
_LONGEST_SENTENCE = 300


class _Answer(Strict):
    goal: str = ""
    says: str = ""
    question: str = ""
    cannot: str = ""


class ModelReasoner:
    """Has a language model write the goal of an instruction.

    Args:
        model: the model to ask.
        corrections: how often it may correct a goal that is wrong.
        recorder: takes down what is asked and answered.
        prices: of the model.
        prompt: the model's task; by default ``configs/prompts/goal.txt``.

    Attributes:
        spent: what was spent on the model so far.
    """

    def __init__(
        self,
        model: Model,
        corrections: int = 3,
        recorder: Recorder | None = None,
        prices: Prices | None = None,
        prompt: Path | None = None,
    ) -> None:
        self.spent = Spending()
        self._model = model
        self._corrections = corrections
        self._recorder = recorder
        self._prices = prices or Prices()
        self._prompt = (prompt or find_config("prompts", "goal", ".txt")).read_text(encoding="utf-8")

    def understand(self, instruction: str, situation: Situation) -> Understanding:
        """See :class:`~foretree.reasoning.reasoner.Reasoner`."""
        data = {"instruction": instruction, **described(situation)}
        earlier: list[dict[str, str]] = []
        for _ in range(1 + self._corrections):
            answer = self._ask({**data, "earlier": earlier})
            if isinstance(answer, str):
                wrong, goal = answer, ""
            else:
                if answer.question:
                    raise AmbiguousError(_sentence(answer.question))
                if answer.cannot:
                    raise NotPossibleError(
                        f"The model says that it cannot be done: {_sentence(answer.cannot)}"
                    )
                goal = answer.goal
                try:
                    return _understanding(answer, situation)
                except (GoalError, GoalMeaningError) as error:
                    wrong = str(error)
            earlier.append({"goal": goal, "wrong": wrong})
        attempts = "1 attempt" if len(earlier) == 1 else f"{len(earlier)} attempts"
        raise NotUnderstoodError(f"The model wrote no valid goal in {attempts}. The last mistake: {wrong}")

    def _ask(self, data: Mapping[str, Any]) -> _Answer | str:
        """Return the answer of the model, or what is wrong with its form.

        Raises:
            NotUnderstoodError: there is no answer.
        """
        question = Question(self._prompt, json.dumps(data, ensure_ascii=False), _MOST_TOKENS)
        reply = self._model.ask(question)
        self.spent = self.spent.with_(Spending.on(reply, self._prices))
        self._record(question, reply)
        if reply.problem:
            raise NotUnderstoodError(f"The model gave no answer: {reply.problem}")
        try:
            answer = _Answer.model_validate_json(unfenced(reply.text))
        except ValidationError as error:
            mistake = error.errors(include_url=False, include_input=False)[0]
            where = ".".join(map(str, mistake["loc"])) or "the answer"
            return f"{where} is not of the form that was asked for: {mistake['msg']}."
        if not (answer.goal or answer.question or answer.cannot):
            return 'the answer has neither "goal", "question" nor "cannot".'
        return answer

    def _record(self, question: Question, reply: Reply) -> None:
        if self._recorder is not None:
            self._recorder.record(
                "model.answered",
                model=self._model.name,
                purpose="goal",
                question=question.user,
                digest=question.digest(self._model.name),
                prompt=digest(self._prompt.encode()),
                reply=reply.as_json(),
                cost=self._prices.of(reply),
            )


def _understanding(answer: _Answer, situation: Situation) -> Understanding:
    """The goal of an answer, checked.

    Raises:
        GoalError: it is no goal of this domain.
        GoalMeaningError: it can never hold.
    """
    classes = {name: entity.best_class for name, entity in situation.beliefs.entities().items()}
    parsed = parse_goal(answer.goal, situation.domain, classes)
    check_meaning(parsed.formula, situation)
    says = _sentence(answer.says)
    return Understanding(parsed.formula, " ".join(filter(None, (says, parsed.repair))))


def _sentence(text: str) -> str:
    return " ".join(text.split())[:_LONGEST_SENTENCE]


def described(situation: Situation) -> dict[str, Any]:
    """Return what a model is told of a situation, as data."""
    beliefs, domain = situation.beliefs, situation.domain
    objects = []
    for name, entity in sorted(beliefs.entities().items()):
        told: dict[str, Any] = {"name": name, "class": entity.best_class}
        place = beliefs.placement(WHEREABOUTS, name)
        if place is not None:
            told["place"] = show_atom(place)
        elif name in situation.rooms:
            told["room"] = situation.rooms[name]
        states = [
            show_atom(atom)
            for predicate, info in beliefs.vocabulary.predicates.items()
            if info.kind == "attribute" and beliefs.truth(atom := (predicate, name)) is Truth.TRUE
        ]
        objects.append({**told, "states": states} if states else told)
    return {
        "speaker": situation.speaker,
        "predicates": {
            name: [f"{parameter.name} - {parameter.type}" for parameter in parameters]
            for name, parameters in domain.predicates.items()
        },
        "types": dict(domain.types),
        "objects": objects,
    }
