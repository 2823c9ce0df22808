"""The rest of a plan as it stands in the middle of being carried out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from foretree.incremental import Increments, weighted
from foretree.planning.plan import Action, Plan
from foretree.trees.plan_node._plan_state import PlanState, ScheduledStep
from foretree.world_model.beliefs.belief import Snapshot

#: So many names are looked up as one piece of work.
_AT_A_TIME = 8


@dataclass(frozen=True, slots=True)
class RemainingPlan:
    """The rest of a plan as it stands in the middle of being carried out."""

    plan: Plan
    state: PlanState
    acting: tuple[ScheduledStep, ...]

    @property
    def running(self) -> tuple[Action, ...]:
        """The actions that are being carried out."""
        return tuple(step.action for step in self.acting)

    @property
    def remaining(self) -> tuple[Action, ...]:
        """The actions that have not begun, in the order of the plan."""
        return tuple(step.action for step in self.state.upcoming() if step not in self.acting)

    def classes_with(self, actions: Iterable[Action], beliefs: Snapshot) -> Increments[dict[str, str]]:
        """What the plan takes its things for, once *actions* are the rest of it.

        A plan that was checked against the belief holds whatever its things are now taken for; and the things
        that a revision brings in have to keep their class like any other.
        """
        yield from weighted(len(self.state.steps) // 20)
        classes = dict(self.plan.classes)
        used = {name for step in self.state.steps for name in step.action.arguments}
        names = dict.fromkeys(name for action in actions for name in action.arguments)
        for number, name in enumerate(names):
            if number % _AT_A_TIME == 0:
                yield 1
            if name not in classes and name in used:
                continue
            entity = beliefs.entity(name)
            if entity is not None and not entity.told:
                classes[name] = entity.best_class
        return classes


def same(one: Sequence[Action], other: Sequence[Action]) -> bool:
    """Whether the same is done, whatever the actions' ids."""
    return len(one) == len(other) and all(map(same_deed, one, other))


def same_deed(one: Action, other: Action) -> bool:
    """Whether two actions do the same, whatever their ids."""
    return one.skill == other.skill and one.arguments == other.arguments
