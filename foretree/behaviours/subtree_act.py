"""The leaf that acts, for skills that a behaviour of the user's carries out."""

from __future__ import annotations

from collections.abc import Iterator

from py_trees.behaviour import Behaviour

from foretree.agent.context import AgentContext
from foretree.behaviours.act import Act
from foretree.planning.plan import Action
from foretree.skills.executors import find_executor
from foretree.skills.executors.behaviour import BehaviourExecutor
from foretree.skills.skill import Skill


def make_act(action: Action, skill: Skill, context: AgentContext) -> Act:
    """Return the leaf that carries out *action*: with a subtree where the skill's executor is a behaviour."""
    executor = find_executor(skill.executor, skill.name)
    if isinstance(executor, BehaviourExecutor):
        return SubtreeAct(action, skill, context, executor)
    return Act(action, skill, context, executor)


class SubtreeAct(Act):
    """Carries out one action by ticking a behaviour, which hangs below it in the tree.

    Guards, intent, leases, time-outs and records are those of :class:`Act`.
    """

    def __init__(
        self, action: Action, skill: Skill, context: AgentContext, executor: BehaviourExecutor
    ) -> None:
        super().__init__(action, skill, context, executor)
        self._ticked = executor
        root = executor.make_behaviour(action)
        self.children = [root]
        root.parent = self

    def tick(self) -> Iterator[Behaviour]:
        """Tick the behaviour once the action has begun, then the leaf itself."""
        if self.running is not None and self._ticked.wants_ticks:
            yield from self._ticked.tick()
            self.settle()
        yield from super().tick()
        # The behaviour wants the next tick, whatever else is quiet.
        self.news = self.running is not None

    def tip(self) -> Behaviour | None:
        """The deepest node that is running."""
        return self.children[0].tip() or super().tip()
