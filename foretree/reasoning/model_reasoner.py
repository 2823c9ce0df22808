"""The reasoner that asks a language model for the goal, and has it correct its mistakes.

A model writes a goal, never a plan. What it writes is parsed, checked against the domain and the things that
are known, and checked for whether it can hold at all. What is wrong goes back to the model as a message that
hints at the mend, a few times. Nothing else of an answer is used, so that no text of a scene can add an
action or a tool.
"""

from __future__ import annotations

from concurrent.futures import wait

from foretree.clock import Deferred
from foretree.planning.pddl.syntax import Formula, variables_in
from foretree.planning.task.goals import GoalError, parse_goal
from foretree.reasoning.goal_meaning import GoalMeaningError, check_meaning
from foretree.reasoning.instruction_errors import AmbiguousError, NotPossibleError, NotUnderstoodError
from foretree.reasoning.models.consultant import Consultant
from foretree.reasoning.models.consultation import WrongAnswerError
from foretree.reasoning.models.model import Spending
from foretree.reasoning.reasoner import Situation, Understanding
from foretree.reasoning.scene_data import SceneData
from foretree.schema import Strict

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
        consultant: asks the model; its task is ``configs/prompts/goal.txt``.
    """

    def __init__(self, consultant: Consultant) -> None:
        self._consultant = consultant

    @property
    def spent(self) -> Spending:
        """Spending on the model so far."""
        return self._consultant.spent

    def understand(self, instruction: str, situation: Situation) -> Understanding:
        """See :class:`~foretree.reasoning.reasoner.Reasoner`. Waits for the model."""
        pending = self.begin(instruction, situation)
        wait([pending.future])
        return pending.result()

    def begin(self, instruction: str, situation: Situation) -> Deferred[Understanding]:
        """See :class:`~foretree.reasoning.reasoner.DeferringReasoner`."""
        scene = SceneData(situation, instruction)

        def read(answer: _Answer) -> Understanding:
            return _understanding(answer, scene, situation)

        data = {"instruction": instruction, **scene.described()}
        return self._consultant.begin(_Answer, data, read, NotUnderstoodError)


def _understanding(answer: _Answer, scene: SceneData, situation: Situation) -> Understanding:
    """The goal of an answer, checked.

    Raises:
        InstructionError: the model has a question, or says that there is no such goal.
        WrongAnswerError: it is no goal of this domain, or can never hold.
    """
    if answer.question:
        raise AmbiguousError(f"The model asks: {_sentence(scene.with_names_in(answer.question))}")
    if answer.cannot:
        why = _sentence(scene.with_names_in(answer.cannot))
        raise NotPossibleError(f"The model says that it cannot be done: {why}")
    if not answer.goal:
        raise WrongAnswerError('The answer has neither "goal", "question" nor "cannot".')
    try:
        parsed = parse_goal(answer.goal, situation.domain, scene.classes)
        goal = scene.with_names(parsed.formula)
        check_meaning(goal, situation)
    except (GoalError, GoalMeaningError) as error:
        raise WrongAnswerError(scene.told_in(str(error))) from error
    says = _sentence(scene.with_names_in(answer.says))
    says = f'the model says: "{says}"' if says else ""
    how = " ".join(filter(None, (says, parsed.repair)))
    return Understanding(goal, how, wanted=_unknown_classes(goal, situation))


def _unknown_classes(goal: Formula, situation: Situation) -> tuple[str, ...]:
    """The classes that *goal* speaks of and of which nothing is known: all of no mugs is not all mugs."""
    domain = situation.domain
    known = {entity.best_class for entity in situation.beliefs.entities().values()}
    types = dict.fromkeys(variable.type for variable in variables_in(goal))
    return tuple(name for name in types if not any(domain.is_a(kind, name) for kind in known))


def _sentence(text: str) -> str:
    return " ".join(text.split())[:_LONGEST_SENTENCE]
