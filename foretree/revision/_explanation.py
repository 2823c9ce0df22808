"""Explanations of revisions: one sentence a person would say, and the full list behind it."""

from __future__ import annotations

from collections.abc import Sequence

from foretree.planning.plan import Action
from foretree.revision._simulator import only_moves_robot
from foretree.revision.revision import RevisionRequest


def explain(request: RevisionRequest, after: Sequence[Action]) -> str:
    """Return why the rest of a plan becomes *after*, and what that changes.

    For instance: "mango1 is now on table2; going there first. Instead of pick(robot1, left, mango1, table1):
    move(robot1, table1, table2), pick(robot1, left, mango1, table2)."
    """
    before = request.remaining
    kept, known = {action.id for action in after}, {action.id for action in before}
    dropped = [action for action in before if action.id not in kept]
    added = [action for action in after if action.id not in known]
    change = _change(request, dropped, added)
    if not request.discrepancies:
        return change
    reason = request.discrepancies[0].summary
    return f"{reason}; {_in_short(request, reason, dropped, added)}. {change}".strip()


def _change(request: RevisionRequest, dropped: Sequence[Action], added: Sequence[Action]) -> str:
    """List the actions that are left out and put in."""
    if added and dropped:
        return f"Instead of {_listed(dropped)}: {_listed(added)}."
    if added:
        return f"First {_listed(added)}."
    if dropped:
        return f"Skip {_listed(dropped)}."
    return "" if request.discrepancies else "The plan is good all the same."


def _in_short(
    request: RevisionRequest, reason: str, dropped: Sequence[Action], added: Sequence[Action]
) -> str:
    """Return the first change, in a few words."""
    if not added:
        if not dropped:
            return "the plan is good all the same"
        return f"skipping {len(dropped)} action{'s' if len(dropped) > 1 else ''}"
    first = added[0]
    effects = request.task.ground(first).effects
    if not only_moves_robot(effects, request.beliefs.vocabulary):
        return f"next comes {first}"
    place = next((e.literal.atom[-1] for e in effects if e.literal.positive), None)
    if place is None:
        return f"next comes {first}"
    return "going there first" if place in reason.split() else f"going to {place} first"


def _listed(actions: Sequence[Action], limit: int = 4) -> str:
    more = f" and {len(actions) - limit} more" if len(actions) > limit else ""
    return ", ".join(map(str, actions[:limit])) + more
