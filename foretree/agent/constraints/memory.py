"""Memory of the agent for the sake of constraints: that something has been true, and in which order."""

from __future__ import annotations

from collections.abc import Sequence

from foretree.planning.constraints.compilation import Memory
from foretree.planning.constraints.constraints import Constraint
from foretree.planning.pddl.syntax import atoms_of
from foretree.planning.semantics.evaluation import evaluate, ground
from foretree.revision.plan_task import PlanTask
from foretree.world_model.beliefs.belief import Belief, Snapshot
from foretree.world_model.beliefs.facts import BY_ACTION, BY_EYE, Atom, Truth


class ConstraintMemory:
    """Keeps what is remembered in step with the belief.

    What only an action is said to have done counts until a look says otherwise.

    Args:
        belief: has what is remembered, among everything else.
        task: has the constraints.
    """

    def __init__(self, belief: Belief, task: PlanTask) -> None:
        self._belief = belief
        self._task = task
        #: What is remembered of actions alone.
        self._unconfirmed: set[Atom] = set()

    def carry_over(self, constraints: Sequence[Constraint]) -> None:
        """Have other constraints kept, and remember for them what was remembered for those before.

        Raises:
            ConstraintError: one of them cannot be kept to.
        """
        beliefs, before = self._belief.snapshot(), self._task.constrained.memories
        held = {memory.formula for memory in before if beliefs.truth(memory.atom) is Truth.TRUE}
        self._task.constrain(constraints)
        after = self._task.constrained.memories
        if after is not before:
            self._unconfirmed.clear()
            self._belief.retract([memory.atom for memory in before])
            for memory in after:
                if memory.formula in held:
                    self._belief.tell(memory.atom, source=BY_ACTION)

    def update(self, now: float) -> None:
        """Take note of what is believed *now*."""
        for memory in self._task.constrained.memories:
            beliefs = self._belief.snapshot()
            sources = self._sources(memory, beliefs)
            truth = evaluate(memory.formula, beliefs.truth, self._task.objects)
            known = beliefs.truth(memory.atom) is Truth.TRUE
            if known and memory.atom in self._unconfirmed:
                if truth is Truth.FALSE and not sources.isdisjoint(BY_EYE):
                    self._belief.tell(memory.atom, False, time=now, source=BY_EYE[0])
                    self._unconfirmed.discard(memory.atom)
                elif truth is not Truth.TRUE or BY_ACTION not in sources:
                    self._unconfirmed.discard(memory.atom)
            due = memory.since is None or beliefs.truth(memory.since) is Truth.TRUE
            if truth is Truth.TRUE and due and not known:
                self._belief.tell(memory.atom, time=now, source=BY_ACTION)
                if BY_ACTION in sources and not memory.lasting:
                    self._unconfirmed.add(memory.atom)

    def _sources(self, memory: Memory, beliefs: Snapshot) -> set[str]:
        atoms = atoms_of(ground(memory.formula, self._task.objects))
        return {beliefs.evidence(atom).source for atom in atoms}
