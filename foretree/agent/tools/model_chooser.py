"""The choice of the next tool by a language model, among those that can help."""

from __future__ import annotations

from typing import cast

from foretree.agent.tools.chooser import ToolName, ToolSituation
from foretree.clock import Deferred
from foretree.reasoning.models.consultant import Consultant
from foretree.reasoning.models.consultation import WrongAnswerError
from foretree.reasoning.models.model import Spending
from foretree.schema import Strict

#: What the tools do, in words.
_MEANINGS: dict[ToolName, str] = {
    "plan": "plan for the whole goal and carry it out",
    "partial": "do as much of the goal as can be reached, and say what is left out",
    "explore": "look for what is missing at the likeliest place that was not seen yet",
    "alternative": "take another thing in place of a missing one",
    "ask": "ask the person which of several things is meant",
    "stop": "give up, and say why",
}


class _Choice(Strict):
    tool: str = ""
    why: str = ""


class ModelChooser:
    """Has a language model choose the next tool.

    Only a tool that can help now counts; another answer goes back to the model, a few times. Where a single
    one can help, there is nothing to choose, and no question is asked.

    Args:
        consultant: asks the model; its task is ``configs/prompts/tools.txt``.
    """

    def __init__(self, consultant: Consultant) -> None:
        self._consultant = consultant

    @property
    def spent(self) -> Spending:
        """Spending on the model so far."""
        return self._consultant.spent

    def choose(self, situation: ToolSituation) -> ToolName | Deferred[ToolName]:
        """See :class:`~foretree.agent.tools.chooser.ToolChooser`."""
        useful = [tool for tool in situation.can_help if tool != "stop"]
        if len(useful) <= 1:
            return useful[0] if useful else "stop"

        def read(choice: _Choice) -> ToolName:
            if choice.tool not in situation.can_help:
                why = situation.why_not.get(cast(ToolName, choice.tool), "there is no such tool")
                valid = ", ".join(situation.can_help)
                raise WrongAnswerError(f"The tool {choice.tool!r} cannot help: {why}. Choose of: {valid}.")
            return choice.tool

        return self._consultant.begin(_Choice, _described(situation), read)


def _described(situation: ToolSituation) -> dict[str, object]:
    """Data for the model."""
    return {
        "instruction": situation.instruction,
        "goal": situation.goal,
        "tools": {tool: _MEANINGS[tool] for tool in situation.can_help},
        "cannot help": dict(situation.why_not),
        "missing": situation.missing,
        "hope": round(situation.hope, 3),
        "called": situation.called,
        "remembered": situation.remembered,
    }
