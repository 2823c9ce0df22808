"""The answer of a model about an instruction: its form, and the checks before any of it counts.

A goal, each of several readings, and what is to be kept to are parsed, checked against the domain and the
things that are known, and checked for whether they can hold at all. What is left out has to be in the words
of the person. Nothing else of an answer is used, so that no text of a scene can add an action or a tool.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from foretree.planning.constraints.constraints import Always, Constraint, ConstraintError, show_constraint
from foretree.planning.constraints.reader import parse_constraint
from foretree.planning.pddl.syntax import TRUE, And, Formula, variables_in
from foretree.planning.task.goals import GoalError, parse_goal
from foretree.reasoning.dialogs.place_hints import PlaceHint
from foretree.reasoning.goal_meaning import GoalMeaningError, check_meaning
from foretree.reasoning.instruction_errors import AmbiguousError, NotPossibleError
from foretree.reasoning.models.consultation import WrongAnswerError
from foretree.reasoning.reasoner import LeftOut, Reading, Situation, Understanding
from foretree.reasoning.scene_data import SceneData
from foretree.schema import Strict

#: Sentences of a model are cut: they are for a person to read at a glance.
_LONGEST_SENTENCE = 300
#: So many likely places are heeded.
_MOST_HINTS = 20
#: Between more readings nobody can choose.
_MOST_READINGS = 6
_MOST_CONSTRAINTS = 20
_WORD = re.compile(r"[\w'-]+")


class ReadingAnswer(Strict):
    """One of several things that may be meant."""

    goal: str = ""
    words: str = ""


class LeftOutAnswer(Strict):
    """A part of the instruction that the goal leaves out."""

    words: str = ""
    why: str = ""


class LikelyAnswer(Strict):
    """Places at which, as the instruction says, things of a class are."""

    thing: str
    place: str


class GoalAnswer(Strict):
    """An answer: a goal or readings, with constraints and what is left out; a question; or a refusal."""

    goal: str = ""
    says: str = ""
    readings: tuple[ReadingAnswer, ...] = ()
    constraints: tuple[str, ...] = ()
    left_out: tuple[LeftOutAnswer, ...] = ()
    likely: tuple[LikelyAnswer, ...] = ()
    question: str = ""
    cannot: str = ""


class AnswerReader:
    """Reads answers about one instruction.

    Args:
        instruction: the person's words.
        scene: what the model is told.
        situation: what is known.
    """

    def __init__(self, instruction: str, scene: SceneData, situation: Situation) -> None:
        self._said = " ".join(_words(instruction))
        self._scene = scene
        self._situation = situation

    def read(self, answer: GoalAnswer) -> Understanding:
        """Return what an answer means.

        Raises:
            InstructionError: the model has a question, or says that it cannot be done.
            WrongAnswerError: a part of it cannot be used.
        """
        if answer.question:
            raise AmbiguousError(f"The model asks: {self._sentence(answer.question)}")
        if answer.cannot:
            raise NotPossibleError(f"The model says that it cannot be done: {self._sentence(answer.cannot)}")
        constraints = self._constraints(answer.constraints)
        readings = self._readings(answer, constraints)
        if readings:
            goal, repair = readings[0].goal, ""
        elif constraints and not answer.goal:
            goal, repair = TRUE, ""
        else:
            goal, repair = self._goal(answer.goal, constraints)
        says = self._sentence(answer.says)
        says = f'the model says: "{says}"' if says else ""
        return Understanding(
            goal,
            " ".join(filter(None, (says, repair))),
            wanted=self._wanted([reading.goal for reading in readings] or [goal]),
            readings=readings,
            left_out=tuple(map(self._left_out, answer.left_out)),
            constraints=constraints,
            hints=tuple(map(self._hint, answer.likely[:_MOST_HINTS])),
        )

    def _hint(self, answer: LikelyAnswer) -> PlaceHint:
        """Return where things are likely to be, in classes of the domain."""
        ontology = self._situation.ontology
        thing, place = ontology.named(answer.thing), ontology.named(answer.place)
        if thing is None or place is None:
            wrong = answer.place if thing is not None else answer.thing
            raise WrongAnswerError(f"likely: {wrong[:40]!r} is no type that was given.")
        return PlaceHint(thing.class_name, place.class_name)

    def _goal(self, text: str, constraints: Iterable[Constraint]) -> tuple[Formula, str]:
        """Return a goal with the true names, and what was mended in it."""
        scene, situation = self._scene, self._situation
        if not text:
            kinds = '"goal", "readings", "constraints", "question" nor "cannot"'
            raise WrongAnswerError(f"The answer has neither {kinds}.")
        try:
            parsed = parse_goal(text, situation.domain, scene.classes)
            goal = scene.with_names(parsed.formula)
            check_meaning(goal, situation)
            for one in constraints:
                if isinstance(one, Always):
                    _check_kept(goal, one, situation)
        except (GoalError, GoalMeaningError) as error:
            raise WrongAnswerError(scene.told_in(str(error))) from error
        return goal, parsed.repair or ""

    def _readings(self, answer: GoalAnswer, constraints: tuple[Constraint, ...]) -> tuple[Reading, ...]:
        """Return the readings, each another goal in other words."""
        found = tuple(
            Reading(self._goal(one.goal, constraints)[0], self._sentence(one.words))
            for one in answer.readings[: _MOST_READINGS + 1]
        )
        if not found:
            return ()
        if answer.goal:
            raise WrongAnswerError('State a "goal", or "readings" if several differ, not both.')
        if not 2 <= len(found) <= _MOST_READINGS:
            raise WrongAnswerError(f"There may be 2 to {_MOST_READINGS} readings; of one, state its goal.")
        if len({one.goal for one in found}) < len(found):
            raise WrongAnswerError("Two readings have the same goal.")
        if not all(one.words for one in found) or len({one.words for one in found}) < len(found):
            raise WrongAnswerError('Each reading needs "words" of its own that tell it from the others.')
        return found

    def _constraints(self, texts: tuple[str, ...]) -> tuple[Constraint, ...]:
        """Return what is to be kept to, with the true names."""
        scene, domain = self._scene, self._situation.domain
        if len(texts) > _MOST_CONSTRAINTS:
            raise WrongAnswerError(f"There may be {_MOST_CONSTRAINTS} constraints at most.")
        found: list[Constraint] = []
        entities = self._situation.beliefs.entities()
        classes = {name: entity.best_class for name, entity in entities.items()}
        for text in texts:
            try:
                for one in parse_constraint(text, domain, scene.classes):
                    found.extend(parse_constraint(scene.with_names_in(show_constraint(one)), domain, classes))
            except ConstraintError as error:
                raise WrongAnswerError(scene.told_in(str(error))) from error
        return tuple(dict.fromkeys(found))

    def _left_out(self, answer: LeftOutAnswer) -> LeftOut:
        """Return what is left out, which has to be a part of what the person said."""
        words, why = " ".join(answer.words.split()), self._sentence(answer.why)
        said = " ".join(_words(words))
        if not said or f" {said} " not in f" {self._said} ":
            problem = "Say what is left out in the very words of the instruction, one part at a time."
            raise WrongAnswerError(f"left_out: {problem}")
        if said == self._said:
            raise WrongAnswerError('left_out: that is all of the instruction; say so in "cannot".')
        if not why:
            raise WrongAnswerError("left_out: say why it is left out.")
        return LeftOut(words, why)

    def _wanted(self, goals: Iterable[Formula]) -> tuple[str, ...]:
        """Return the classes that all *goals* speak of and of which nothing is known."""
        first, *others = (self._unknown_classes(goal) for goal in goals)
        return tuple(name for name in first if all(name in other for other in others))

    def _unknown_classes(self, goal: Formula) -> tuple[str, ...]:
        """Return the classes of *goal* of which nothing is known: all of no mugs is not all mugs."""
        domain = self._situation.domain
        known = {entity.best_class for entity in self._situation.beliefs.entities().values()}
        types = dict.fromkeys(variable.type for variable in variables_in(goal))
        return tuple(name for name in types if not any(domain.is_a(kind, name) for kind in known))

    def _sentence(self, text: str) -> str:
        return " ".join(self._scene.with_names_in(text).split())[:_LONGEST_SENTENCE]


def _check_kept(goal: Formula, constraint: Always, situation: Situation) -> None:
    """Refuse a goal that can never hold together with what is always to hold.

    Raises:
        GoalMeaningError: it breaks the constraint.
    """
    try:
        check_meaning(constraint.formula, situation)
        check_meaning(And((goal, constraint.formula)), situation)
    except GoalMeaningError as error:
        raise GoalMeaningError(f"The goal does not keep {show_constraint(constraint)}. {error}") from error


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())
