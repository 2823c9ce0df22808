"""The choice of the agent's next tool, among those that can help."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

from foretree.clock import Deferred

#: What an agent can do next: plan and carry out; do as much as can be done; look for what is missing; take
#: another thing instead; ask which of several things is meant; stop, and say why.
ToolName: TypeAlias = Literal["plan", "partial", "explore", "alternative", "ask", "stop"]

#: From this hope on, a place is explored before another thing is taken in place of a missing one.
WORTH_A_LOOK = 0.25


@dataclass(frozen=True, slots=True)
class ToolSituation:
    """The situation in which a tool is chosen.

    Attributes:
        instruction: what the person said.
        goal: what is to be reached, in PDDL.
        can_help: the tools that can help now; ``stop`` always can.
        missing: what is needed and not located, in words.
        hope: how likely what is missing is at the place that would be explored next, compared with a place
            on average; 0 where none is left.
        why_not: why each other tool cannot help.
        called: the tools that were called so far, in order.
        remembered: what was agreed and turned down: "a mug in place of a cup: accepted".
    """

    instruction: str
    goal: str
    can_help: tuple[ToolName, ...]
    missing: tuple[str, ...] = ()
    hope: float = 0.0
    why_not: Mapping[ToolName, str] = field(default_factory=dict)
    called: tuple[ToolName, ...] = ()
    remembered: tuple[str, ...] = ()


class ToolChooser(Protocol):
    """Chooses tools. A choice that cannot help is not followed; the rules decide then."""

    def choose(self, situation: ToolSituation) -> ToolName | Deferred[ToolName]:
        """Return one of the tools that can help, now or, where that takes thought, later."""
        ...


class RuleChooser:
    """Chooses tools by rules, the first that applies.

    1. What is not clear is asked.
    2. What can be reached is planned for.
    3. What is missing is looked for where it may well be.
    4. Another thing is taken in its place.
    5. It is looked for where it hardly is.
    6. As much is done as can be.
    7. It is given up.
    """

    def choose(self, situation: ToolSituation) -> ToolName:
        """Return the first tool by the rules."""
        order: list[ToolName] = ["ask", "plan", "explore", "alternative", "partial", "stop"]
        if situation.hope < WORTH_A_LOOK:
            order = ["ask", "plan", "alternative", "explore", "partial", "stop"]
        return next(tool for tool in order if tool in situation.can_help)
