"""Facts that a goal takes for granted: they are seen before it counts as reached."""

from __future__ import annotations

from foretree.agent.context import AgentContext
from foretree.planning.pddl.syntax import And, Formula, Literal
from foretree.planning.semantics.evaluation import evaluate, witness
from foretree.world_model.beliefs.facts import Atom, Truth, robot_at


def unseen_reasons(context: AgentContext, goal: Formula) -> list[Atom]:
    """Return the observable atoms that *goal* holds by only as planning takes what is unknown."""
    beliefs = context.belief.snapshot()
    if evaluate(goal, beliefs.assumed, context.task.objects) is not Truth.TRUE:
        return []
    literals = witness(goal, beliefs.assumed, context.task.objects)
    atoms = sorted({literal.atom for literal in literals})
    return [
        atom
        for atom in atoms
        if beliefs.vocabulary[atom[0]].observable and beliefs.truth(atom) is Truth.UNKNOWN
    ]


def with_a_look(context: AgentContext, goal: Formula) -> Formula:
    """Return *goal*, and that a robot stands where it can see what the goal would take for granted."""
    if not context.settings.guards:
        return goal
    for atom in unseen_reasons(context, goal):
        thing = atom[1]
        entity = context.belief.snapshot().entity(thing)
        if entity is not None and entity.fixed and thing in context.places and not context.in_sight(atom):
            return And((goal, Literal(robot_at(context.robot.name, thing))))
    return goal
