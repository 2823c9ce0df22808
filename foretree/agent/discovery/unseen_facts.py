"""Facts by which a goal holds only because they are assumed, and which a look can tell."""

from __future__ import annotations

from collections.abc import Mapping

from foretree.agent.context import AgentContext
from foretree.agent.discovery.missing_objects import resting_place
from foretree.planning.pddl.syntax import Formula
from foretree.planning.semantics.evaluation import evaluate, witness
from foretree.revision.derivation import ChangeableFacts
from foretree.world_model.beliefs.facts import Atom, Truth


def find_unseen_facts(context: AgentContext, goal: Formula) -> Mapping[Atom, str]:
    """Return the states that *goal* holds by only as assumed, each with the furniture to look at.

    There are none where the goal is known to hold, or does not hold even as assumed. What no action can
    change is not looked at: a table cannot be turned on.
    """
    beliefs, objects = context.belief.snapshot(), context.task.objects
    if "attribute" not in context.settings.guards or context.topological_map is not None:
        return {}
    if evaluate(goal, beliefs.truth, objects) is not Truth.UNKNOWN:
        return {}
    if evaluate(goal, beliefs.assumed, objects) is not Truth.TRUE:
        return {}
    changes = ChangeableFacts(context.catalogue.domain)
    found = {}
    for atom in sorted(literal.atom for literal in witness(goal, beliefs.assumed, objects)):
        info = beliefs.vocabulary[atom[0]]
        if not info.observable or info.kind != "attribute" or beliefs.truth(atom) is not Truth.UNKNOWN:
            continue
        node = resting_place(atom[1], beliefs) if len(atom) == 2 else None
        if node is not None and node in context.places and changes.possible(atom, beliefs.truth):
            found[atom] = node
    return found
