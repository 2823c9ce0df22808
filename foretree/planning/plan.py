"""Plans: actions in a partial order, with what they cost and what they take for granted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from foretree.planning.pddl.syntax import Formula, Literal
from foretree.world_model.beliefs.facts import Atom


@dataclass(frozen=True, slots=True)
class Action:
    """A skill with its arguments.

    ``id`` tells two occurrences of the same action in one plan apart and is kept through revisions, so that
    a viewer can follow an action that a revision leaves as it is.
    """

    id: str
    skill: str
    arguments: tuple[str, ...]
    cost: int = 1

    def __str__(self) -> str:
        return f"{self.skill}({', '.join(self.arguments)})"


@dataclass(frozen=True, slots=True)
class Assumption:
    """An unknown fact that planning took as *value*, and why."""

    atom: Atom
    value: bool
    source: str
    confidence: float


@dataclass(frozen=True)
class Plan:
    """Actions in a partial order that is compatible with the order they are listed in.

    Attributes:
        goal: what the plan reaches.
        actions: in one valid sequence.
        order: for each action's id, the ids that must be finished before it starts (transitively
            reduced or not: both are fine). A missing id has no predecessors.
        assumptions: what was unknown and taken for granted.
        classes: the class of each entity the plan touches, as believed when it was made.
        links: why each action is there: the producer's id (or ``world``), what it makes true, and the id of
            the action that needs it (or ``goal``).
        optimal: whether no plan is cheaper.
        lower_bound: no plan with the things and places that it was looked for with is cheaper than this; 0 if
            nothing is known.
        timed: whether a limit of the clock had a part in it, so that another run may get another plan.
    """

    goal: Formula
    actions: tuple[Action, ...]
    order: Mapping[str, frozenset[str]] = field(default_factory=dict)
    assumptions: tuple[Assumption, ...] = ()
    classes: Mapping[str, str] = field(default_factory=dict)
    links: tuple[tuple[str, Literal, str], ...] = ()
    optimal: bool = False
    lower_bound: int = 0
    timed: bool = False

    @property
    def cost(self) -> int:
        """The sum of the actions' costs."""
        return sum(action.cost for action in self.actions)


def cost_of(actions: Iterable[Action]) -> int:
    """Return the sum of the costs of *actions*."""
    return sum(action.cost for action in actions)
