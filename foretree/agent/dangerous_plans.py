"""Check of plans for what they would bring about on the way: a microwave that runs with a fork in it."""

from __future__ import annotations

from foretree.agent.context import AgentContext
from foretree.planning.plan import Plan
from foretree.planning.semantics.actions import fired
from foretree.reasoning.dangers import dangers_about
from foretree.world_model.beliefs.facts import Atom, Truth


def danger_of_plan(plan: Plan, context: AgentContext) -> str | None:
    """Return the first danger that *plan* would bring about, in a sentence; None if there is none."""
    beliefs, objects = context.belief.snapshot(), context.task.objects
    changed: dict[Atom, Truth] = {}

    def truth(atom: Atom) -> Truth:
        return changed[atom] if atom in changed else beliefs.assumed(atom)

    names: dict[str, list[str]] = {}
    for name, entity in sorted(beliefs.entities().items()):
        names.setdefault(entity.best_class, []).append(name)
    for action in plan.actions:
        effects = fired(context.task.ground(action), truth, objects)
        new = [one.atom for one in effects if one.positive and truth(one.atom) is not Truth.TRUE]
        changed.update((one.atom, Truth.TRUE if one.positive else Truth.FALSE) for one in effects)
        for atom in new:
            for danger in dangers_about([atom[0]]):
                says = danger.follows(atom, names, lambda one: truth(one) is Truth.TRUE)
                if says is not None:
                    return says
    return None
