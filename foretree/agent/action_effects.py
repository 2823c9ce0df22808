"""Beliefs about the effects of an action that has ended."""

from __future__ import annotations

from foretree.agent.context import AgentContext
from foretree.planning.plan import Action
from foretree.planning.semantics.actions import fired
from foretree.world_model.beliefs.facts import BY_ACTION, Truth


def believe_done(context: AgentContext, action: Action, confidence: float) -> None:
    """Believe the effects of *action*, as far as its skill is to be trusted, until something is seen."""
    belief = context.belief
    memories = context.task.constrained.memories
    doubtful = {memory.atom for memory in memories if not memory.lasting}
    for literal in fired(context.task.ground(action), belief.truth, context.task.objects):
        if literal.atom in doubtful:
            continue  # it follows from what is believed, which a look may contradict
        belief.tell(
            literal.atom,
            literal.positive,
            confidence=confidence,
            time=context.clock.now(),
            source=BY_ACTION,
        )


def believe_nothing(context: AgentContext, action: Action) -> None:
    """Forget what *action* might have changed, where that can be seen: it is not known how far it came."""
    belief = context.belief
    for literal in fired(context.task.ground(action), belief.truth, context.task.objects):
        if belief.vocabulary[literal.atom[0]].observable:
            now = context.clock.now()
            belief.tell(literal.atom, Truth.UNKNOWN, confidence=0.0, time=now, source=BY_ACTION)
