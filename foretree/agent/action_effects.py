"""What is believed of an action's effects once it has ended, whoever has waited for its end."""

from __future__ import annotations

from foretree.agent.context import Runtime
from foretree.planning.plan import Action
from foretree.planning.semantics.actions import fired
from foretree.world_model.beliefs.facts import BY_ACTION, Truth


def believe_done(runtime: Runtime, action: Action, confidence: float) -> None:
    """Believe the effects of *action*, as far as its skill is to be trusted, until something is seen."""
    belief = runtime.belief
    for literal in fired(runtime.task.ground(action), belief.truth, runtime.task.objects):
        belief.tell(
            literal.atom,
            literal.positive,
            confidence=confidence,
            time=runtime.clock.now(),
            source=BY_ACTION,
        )


def believe_nothing(runtime: Runtime, action: Action) -> None:
    """Forget what *action* might have changed, where that can be seen: nobody knows how far it came."""
    belief = runtime.belief
    for literal in fired(runtime.task.ground(action), belief.truth, runtime.task.objects):
        if belief.vocabulary[literal.atom[0]].observable:
            now = runtime.clock.now()
            belief.tell(literal.atom, Truth.UNKNOWN, confidence=0.0, time=now, source=BY_ACTION)
