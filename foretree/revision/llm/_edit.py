"""The remaining plan in steps, and the same with a model's edit at its front."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from foretree.planning.pddl.syntax import Formula, atoms_of
from foretree.planning.plan import Action
from foretree.revision.llm._action_space import ActionSpace
from foretree.revision.llm._notation import ModelStep, PlanEdit
from foretree.revision.llm.choices import Notation
from foretree.revision.plan_task import PlanTask


@dataclass(frozen=True, slots=True)
class ListedStep:
    """A step of a plan.

    Attributes:
        step: it, by classes.
        action: the action that it stands for; None if the model has put it in.
    """

    step: ModelStep
    action: Action | None = None


class PlanSummary:
    """The remaining plan as a model gets to see it: without moves, by classes.

    Doors that are opened on the way belong to the way, unless the goal wants them open. In triplets, all that
    is only done so that something else can be done is left out too: opening the fridge, say.

    Args:
        space: the action space.
        notation: the format.
        class_of: the class that the plan takes a thing for.
        fixed: whether a thing stays where it is.
    """

    def __init__(
        self,
        space: ActionSpace,
        notation: Notation,
        class_of: Callable[[str], str],
        fixed: Callable[[str], bool],
    ) -> None:
        self._space = space
        self._notation = notation
        self._class_of = class_of
        self._fixed = fixed

    def of(self, remaining: Sequence[Action], goal: Formula, task: PlanTask) -> tuple[ListedStep, ...]:
        """The steps of the remaining plan."""
        wanted = {atom[0] for atom in atoms_of(goal)}
        found: list[ListedStep] = []
        for action in remaining:
            step = self._step(action)
            if step is not None and not self._goes_without_saying(action, wanted, task):
                found.append(ListedStep(step, action))
        return tuple(found)

    def _step(self, action: Action) -> ModelStep | None:
        shape = self._space.shape_of(action.skill)
        if shape is None:
            return None
        kind = self._space.type_of(action.skill)
        if self._notation == "tuples":
            return ModelStep(kind, self._class_at(action, shape.target))
        return ModelStep(kind, self._class_at(action, shape.subject), self._class_at(action, shape.parent))

    def _class_at(self, action: Action, index: int | None) -> str | None:
        return None if index is None else self._class_of(action.arguments[index])

    def _goes_without_saying(self, action: Action, wanted: set[str], task: PlanTask) -> bool:
        ground = task.ground(action)
        if any(effect.literal.atom[0] in wanted for effect in ground.effects):
            return False
        return action.skill in self._space.openers or (
            self._notation == "triplets" and self._space.about_furniture_only(action, ground, self._fixed)
        )


def edited(plan: Sequence[ListedStep], edit: PlanEdit) -> tuple[ListedStep, ...]:
    """*plan* with *edit* at its front.

    What the model puts in comes first; each *Pass* after it takes away the action that follows it.
    """
    return (*(ListedStep(step) for step in edit.steps), *plan[edit.passes :])
