"""Actions, plans, facts and entities as the run record keeps them: plain JSON."""

from __future__ import annotations

from typing import Any

from foretree.planning.incremental import BATCH, Increments, map_gradually, run_to_end
from foretree.planning.pddl.syntax import show
from foretree.planning.plan import Action, Plan
from foretree.world_model.beliefs.facts import Entity, Fact

#: So many actions, or links, are written down as one piece of work.
_AT_A_TIME = 8


def action_json(action: Action) -> dict[str, Any]:
    """An action as the run record keeps it."""
    return {
        "id": action.id,
        "skill": action.skill,
        "arguments": list(action.arguments),
        "cost": action.cost,
    }


def plan_json(plan: Plan, by: str, makespan: int | None = None) -> dict[str, Any]:
    """A plan as the run record keeps it."""
    return run_to_end(plan_in_pieces(plan, by, makespan))


def plan_in_pieces(plan: Plan, by: str, makespan: int | None = None) -> Increments[dict[str, Any]]:
    """:func:`plan_json`, in pieces."""
    actions = yield from map_gradually(action_json, plan.actions, _AT_A_TIME)
    order = yield from map_gradually(
        lambda entry: (entry[0], sorted(entry[1])), sorted(plan.order.items()), _AT_A_TIME
    )
    links = []
    for number, (producer, literal, consumer) in enumerate(plan.links):
        if (number + 1) % (BATCH * _AT_A_TIME) == 0:
            yield BATCH
        if producer != "world":
            atom = list(literal.atom) if literal.positive else ["not", *literal.atom]
            links.append([producer, atom, consumer])
    return {
        "by": by,
        "goal": show(plan.goal),
        "actions": actions,
        "order": dict(order),
        "assumptions": [
            {
                "atom": list(assumption.atom),
                "value": assumption.value,
                "source": assumption.source,
                "confidence": assumption.confidence,
            }
            for assumption in plan.assumptions
        ],
        "links": links,
        "cost": plan.cost,
        **({} if makespan is None else {"makespan": makespan}),
        "optimal": plan.optimal,
        **({"timed": True} if plan.timed else {}),  # the run cannot be reproduced then
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
