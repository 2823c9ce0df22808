"""Tasks as searches read them, from our grounding or from the translator, and the steps of their plans."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from foretree.planning.grounding.compilation import Compiled
from foretree.planning.grounding.ground_task import GroundTask
from foretree.planning.pddl.syntax import PlanStep
from foretree.planning.solvers.fast_downward._translator import TranslatedTask
from foretree.planning.solvers.finite_domain.reduction import reduced
from foretree.planning.solvers.finite_domain.sas_encoding import finite_domain
from foretree.planning.solvers.finite_domain.task import FiniteDomainTask
from foretree.planning.solvers.finite_domain.variable_order import arranged

#: A quick search may expand so many states, times the effects of all operators (to evaluate a state takes the
#: longer, the more of these there are), times the operators that can be applied at first (so many states
#: follow from each). Where that is only a few states, it is not worth starting.
_QUICK_WORK, _QUICK_LEAST, _QUICK_MOST = 8_000_000, 10, 1000
#: So many times as many states follow from each where actions take several operators.
_JUDGED = 8
#: Where there are more effects, to read the task takes longer than a quick search.
_LARGE = 20_000


@dataclass(frozen=True)
class GroundedTask:
    """A task of our own grounding, which is simplified."""

    compiled: Compiled
    grounding: GroundTask
    task: FiniteDomainTask

    @classmethod
    def of(cls, compiled: Compiled, grounding: GroundTask) -> GroundedTask:
        """The task of a simplified grounding."""
        return cls(compiled, grounding, finite_domain(grounding))

    axioms = False

    @property
    def operators(self) -> int:
        """The number of operators."""
        return len(self.grounding.operators)

    @property
    def conditional(self) -> bool:
        """True if some effect depends on more than its operator's precondition."""
        return self.grounding.conditional_effects

    @property
    def begins(self) -> bool:
        """True if some action takes several operators, so that searches may begin it in vain."""
        return self.compiled.begins

    @property
    def chooses(self) -> bool:
        """True if its goal leaves a choice that operators of cost zero make."""
        return self.compiled.chooses

    @property
    def text(self) -> bytes:
        """The task in Fast Downward's format."""
        return self.task.text.encode()

    @cached_property
    def arranged_text(self) -> bytes:
        """The same, in the order in which the first plan is found best."""
        names = [(operator.name, *operator.arguments) for operator in self.grounding.operators]
        return arranged(self.task, lambda operator: names[operator.number]).text.encode()

    def quickly(self) -> int:
        """Return the number of states that a quick search may expand."""
        operators, init = self.grounding.operators, self.grounding.init
        applicable = sum(
            all((atom in init) == positive for atom, positive in operator.precondition)
            for operator in operators
        )
        if self.begins:
            applicable *= _JUDGED  # what is begun is gone through in many orders
        effects = sum(len(operator.effects) for operator in operators)
        quick = min(_QUICK_MOST, _QUICK_WORK // max(1, effects * applicable))
        return quick if quick >= _QUICK_LEAST and effects <= _LARGE else 0

    def reduced(self) -> GroundedTask:
        """Return a smaller task with the same least cost."""
        return GroundedTask(self.compiled, *reduced(self.grounding))

    def steps(self, operators: Iterable[int]) -> tuple[PlanStep, ...]:
        """The actions that a plan stands for."""
        chosen = (self.grounding.operators[number] for number in operators)
        return self.compiled.restore((operator.name, operator.arguments) for operator in chosen)


#: A problem, grounded, as searches read it.
SearchTask: TypeAlias = GroundedTask | TranslatedTask
