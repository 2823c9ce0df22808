"""The ways of asking a model what a class of objects affords.

- ``list``: one question per class, for all of its affordances
- ``yes-no``: one question for each pair of a class and an affordance
- ``yes-no-logic``: simple questions about each class, which :mod:`~foretree.reasoning.survey.logic` combines
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, Protocol, TypeAlias

from pydantic import BeforeValidator

from foretree.reasoning.models.consultation import Prompt, WrongAnswerError
from foretree.reasoning.models.model import Model, Question, Reply, json_in
from foretree.reasoning.survey.logic import AffordanceLogic
from foretree.schema import Strict
from foretree.world_model.affordances.mapping import AffordanceMapping, UnknownAffordanceError

StrategyName: TypeAlias = Literal["list", "yes-no", "yes-no-logic"]

#: An answer to an inquiry: yes or no, or names of affordances.
Answer: TypeAlias = bool | tuple[str, ...]

_LEADING = re.compile(r"\W*(yes|no)\b(?!\W+(?:(?:and|or)\W+)?(?:yes|no)\b)", re.IGNORECASE)
_BULLET = re.compile(r"^\s*(?:[-*•]|\d+[.)])?\s*")
#: Of a list in plain words, a longer line is no list of names.
_LONGEST_NAME = 40


class YesOrNo(Strict):
    """An answer that is yes or no."""

    answer: Annotated[
        Literal["yes", "no"],
        BeforeValidator(
            lambda said: (
                ("yes" if said else "no")
                if isinstance(said, bool)
                else said.strip(" .!").lower()
                if isinstance(said, str)
                else said
            )
        ),
    ]


class Names(Strict):
    """An answer that names affordances."""

    affordances: tuple[str, ...]


@dataclass(frozen=True)
class Inquiry:
    """One thing that is asked about a class.

    Attributes:
        key: what is asked; together with the class, this tells inquiries apart.
        prompt: the task.
        data: the data beside it.
        form: the form of the answer.
        read: turns an answer into what it says.
        most_tokens: how long the answer may be, at least.
        expected_tokens: how long it usually is.
    """

    key: str
    prompt: Prompt
    data: Mapping[str, Any]
    form: type[YesOrNo] | type[Names]
    read: Callable[[Any], Answer]
    most_tokens: int
    expected_tokens: int


class Strategy(Protocol):
    """A way of asking."""

    @property
    def name(self) -> StrategyName:
        """The name of it, as the command line has it."""

    def inquiries(self, thing: str) -> Iterator[Inquiry]:
        """Iterate over all that may be asked about a class."""

    def affords(
        self, thing: str, affordances: Collection[str], answer: Callable[[Inquiry], Answer | None]
    ) -> dict[str, bool | None]:
        """Return which affordances a class has; None for those that no answer tells.

        Args:
            thing: the class, in words.
            affordances: those that are asked about.
            answer: asks; None if there is no answer that can be used.
        """


@dataclass(frozen=True)
class ListStrategy:
    """Asks for all affordances of a class at once."""

    mapping: AffordanceMapping
    affordances: tuple[str, ...]
    prompt: Prompt
    name: StrategyName = "list"

    def inquiries(self, thing: str) -> Iterator[Inquiry]:
        """See :class:`Strategy`."""
        definitions = {name: self.mapping.affordances[name].means for name in self.affordances}
        data = {"object": thing, "affordances": definitions}
        yield Inquiry("list " + " ".join(definitions), self.prompt, data, Names, self._read, 1_000, 100)

    def affords(
        self, thing: str, affordances: Collection[str], answer: Callable[[Inquiry], Answer | None]
    ) -> dict[str, bool | None]:
        """See :class:`Strategy`."""
        (inquiry,) = self.inquiries(thing)
        listed = answer(inquiry)
        if not isinstance(listed, tuple):
            return dict.fromkeys(affordances)
        return {name: name in listed for name in affordances}

    def _read(self, said: Names) -> Answer:
        """The affordances by their names; one that was not asked about is passed over."""
        try:
            named = [self.mapping.checked(name) for name in said.affordances]
        except UnknownAffordanceError as error:
            raise WrongAnswerError(str(error)) from error
        return tuple(name for name in dict.fromkeys(named) if name in self.affordances)


@dataclass(frozen=True)
class YesNoStrategy:
    """Asks about each affordance of a class by its definition."""

    mapping: AffordanceMapping
    affordances: tuple[str, ...]
    prompt: Prompt
    name: StrategyName = "yes-no"

    def inquiries(self, thing: str) -> Iterator[Inquiry]:
        """See :class:`Strategy`."""
        for name in self.affordances:
            yield _direct(self.prompt, thing, name, self.mapping)

    def affords(
        self, thing: str, affordances: Collection[str], answer: Callable[[Inquiry], Answer | None]
    ) -> dict[str, bool | None]:
        """See :class:`Strategy`."""
        return {name: _yes(answer(_direct(self.prompt, thing, name, self.mapping))) for name in affordances}


@dataclass(frozen=True)
class LogicStrategy:
    """Asks simple questions, each once, and combines the answers; asks directly for what has no logic."""

    mapping: AffordanceMapping
    affordances: tuple[str, ...]
    logic: AffordanceLogic
    prompt: Prompt
    direct: Prompt
    name: StrategyName = "yes-no-logic"

    def inquiries(self, thing: str) -> Iterator[Inquiry]:
        """See :class:`Strategy`."""
        atoms: dict[str, None] = {}
        for name in self.affordances:
            if name in self.logic.combinations:
                atoms.update(dict.fromkeys(self.logic.combinations[name].atoms()))
            else:
                yield _direct(self.direct, thing, name, self.mapping)
        for atom in atoms:
            yield self._simple(thing, atom)

    def affords(
        self, thing: str, affordances: Collection[str], answer: Callable[[Inquiry], Answer | None]
    ) -> dict[str, bool | None]:
        """See :class:`Strategy`."""
        known: dict[str, bool | None] = {}

        def simple(atom: str) -> bool | None:
            if atom not in known:
                known[atom] = _yes(answer(self._simple(thing, atom)))
            return known[atom]

        found: dict[str, bool | None] = {}
        for name in affordances:
            combination = self.logic.combinations.get(name)
            if combination is None:
                found[name] = _yes(answer(_direct(self.direct, thing, name, self.mapping)))
            else:
                found[name] = combination.holds(simple)
        return found

    def _simple(self, thing: str, atom: str) -> Inquiry:
        question = self.logic.questions[atom]
        data = {"object": thing, "question": question}
        return Inquiry(f"question {question}", self.prompt, data, YesOrNo, _read_yes_no, 50, 8)


def _direct(prompt: Prompt, thing: str, name: str, mapping: AffordanceMapping) -> Inquiry:
    means = mapping.affordances[name].means
    data = {"object": thing, "affordance": name, "means": means}
    return Inquiry(f"affordance {name}: {means}", prompt, data, YesOrNo, _read_yes_no, 50, 8)


def _read_yes_no(said: YesOrNo) -> Answer:
    return said.answer == "yes"


def _yes(answer: Answer | None) -> bool | None:
    return None if answer is None else bool(answer)


class PlainAnswers:
    """A model whose answers in plain words are taken for what they say: small models do not write JSON."""

    def __init__(self, model: Model) -> None:
        self.name = model.name
        self._model = model

    def ask(self, question: Question) -> Reply:
        """See :class:`~foretree.reasoning.models.model.Model`."""
        reply = self._model.ask(question)
        names = question.form is not None and _NAMES in question.form.schema["properties"]
        said = _plain_answer(reply.text, names)
        return reply if said is None else replace(reply, text=json.dumps(said))


_NAMES = "affordances"


def _plain_answer(text: str, names: bool) -> dict[str, Any] | None:
    """Return the object of an answer if it is another one than was asked for; else None."""
    try:
        said = json.loads(json_in(text))
    except ValueError:
        return _listed(text) if names else _said_first(text)
    if names and isinstance(said, list):
        return {_NAMES: said}
    if not names and isinstance(said, bool | str):
        return {"answer": said}
    return None


def _said_first(text: str) -> dict[str, Any] | None:
    found = _LEADING.match(text)
    return {"answer": found[1].lower()} if found else None


def _listed(text: str) -> dict[str, Any] | None:
    """Names between commas or on lines of their own; None if that is prose."""
    parts = [_BULLET.sub("", part).strip(" .`*\"'") for part in re.split(r"[,;\n]", text)]
    parts = [part for part in parts if part]
    if len(parts) < 2 or any(len(part) > _LONGEST_NAME or len(part.split()) > 2 for part in parts):
        return None
    return {_NAMES: parts}
