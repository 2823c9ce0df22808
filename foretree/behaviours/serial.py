"""Actions, plans, facts and entities as the run record keeps them: plain JSON."""

from __future__ import annotations

from typing import Any

from foretree.planning.plan import Action, Plan
from foretree.planning.syntax import show
from foretree.world_model.entities import Entity
from foretree.world_model.facts import Fact


def action_json(action: Action) -> dict[str, Any]:
    """An action as the run record keeps it."""
    return {
        "id": action.id,
        "skill": action.skill,
        "arguments": list(action.arguments),
        "cost": action.cost,
    }


def plan_json(plan: Plan, by: str) -> dict[str, Any]:
    """A plan as the run record keeps it."""
    return {
        "by": by,
        "goal": show(plan.goal),
        "actions": [action_json(action) for action in plan.actions],
        "order": {key: sorted(before) for key, before in sorted(plan.order.items())},
        "assumptions": [
            {
                "atom": list(assumption.atom),
                "value": assumption.value,
                "source": assumption.source,
                "confidence": assumption.confidence,
            }
            for assumption in plan.assumptions
        ],
        "links": [
            [producer, list(literal.atom) if literal.positive else ["not", *literal.atom], consumer]
            for producer, literal, consumer in plan.links
            if producer != "world"
        ],
        "cost": plan.cost,
        "optimal": plan.optimal,
    }


def fact_json(fact: Fact) -> list[Any]:
    """A fact as the run record keeps it."""
    return [list(fact.atom), fact.truth.value, round(fact.confidence, 4), fact.source]


def entity_json(entity: Entity) -> dict[str, Any]:
    """An entity as the run record keeps it."""
    return {
        "name": entity.name,
        "class": entity.best_class,
        "score": round(entity.classes[entity.best_class], 4),
        "pose": list(entity.pose) if entity.pose is not None else None,
        "fixed": entity.fixed,
    }
