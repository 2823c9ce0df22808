"""The reasoner that asks a language model for the goal, and has it correct its mistakes.

A model writes a goal, never a plan: one, or several that may be meant, with what is to be kept to on the way
and what is left out. What it writes is checked; what is wrong goes back to the model as a message that hints
at the mend, a few times.
"""

from __future__ import annotations

from concurrent.futures import wait

from foretree.clock import Deferred
from foretree.reasoning.instruction_errors import NotUnderstoodError
from foretree.reasoning.model_answer import AnswerReader, GoalAnswer
from foretree.reasoning.models.consultant import Consultant
from foretree.reasoning.models.model import Spending
from foretree.reasoning.reasoner import Situation, Understanding
from foretree.reasoning.scene_data import SceneData


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
        reader = AnswerReader(instruction, scene, situation)
        data = {"instruction": instruction, **scene.described()}
        return self._consultant.begin(GoalAnswer, data, reader.read, NotUnderstoodError)
