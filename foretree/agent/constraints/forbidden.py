"""Constraints that forbid a goal by what both say alone, as things are believed to be."""

from __future__ import annotations

from collections.abc import Iterable

from foretree.agent.context import AgentContext
from foretree.planning.constraints.constraints import Constraint
from foretree.planning.constraints.contradictions import Forbidden
from foretree.planning.pddl.syntax import Formula
from foretree.planning.semantics.evaluation import evaluate
from foretree.world_model.beliefs.facts import Truth


def is_forbidden(context: AgentContext, goal: Formula, constraints: Iterable[Constraint]) -> bool:
    """Return whether one of *constraints* is plainly broken by whatever brings *goal* about."""
    rules = tuple(constraints)
    if not rules:
        return False
    beliefs, objects = context.belief.snapshot(), context.task.objects
    classes = {name: entity.best_class for name, entity in beliefs.entities().items()}

    def holds(formula: Formula) -> bool:
        return evaluate(formula, beliefs.assumed, objects) is Truth.TRUE

    forbidden = Forbidden(context.catalogue.domain, classes, holds)
    return any(forbidden.by(rule, goal) for rule in rules)
