"""Advice of a language model on what would do in place of a missing thing, where affordances know nothing.

The model is told classes only, and answers with one of them: no name of the scene reaches it, and nothing
else of its answer is used.
"""

from __future__ import annotations

from collections.abc import Collection

from foretree.clock import Deferred
from foretree.reasoning.models.consultant import Consultant
from foretree.reasoning.models.consultation import WrongAnswerError
from foretree.reasoning.models.model import Spending
from foretree.schema import Strict


class _Advice(Strict):
    alternative: str = ""
    why: str = ""


class AlternativeAdviser:
    """Asks a language model what would do in place of a missing thing.

    Args:
        consultant: asks the model; its task is ``configs/prompts/alternatives.txt``.
    """

    def __init__(self, consultant: Consultant) -> None:
        self._consultant = consultant

    @property
    def spent(self) -> Spending:
        """Spending on the model so far."""
        return self._consultant.spent

    def begin(self, missing: str, instruction: str, classes: Collection[str]) -> Deferred[str]:
        """Begin to ask; the result is one of *classes*, or empty if none would do."""
        valid = sorted(set(classes))

        def read(advice: _Advice) -> str:
            if advice.alternative and advice.alternative not in valid:
                raise WrongAnswerError(f"{advice.alternative!r} is not there. Choose of: {', '.join(valid)}.")
            return advice.alternative

        data = {"instruction": instruction, "missing": missing, "there": valid}
        return self._consultant.begin(_Advice, data, read)
