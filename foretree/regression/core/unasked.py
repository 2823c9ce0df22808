"""Changes that an agent set out to make though the person had not asked for them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from foretree.planning.pddl.syntax import Count, Forall, Formula, Literal, literals_of, walk
from foretree.planning.semantics.evaluation import ground
from foretree.simulation.household.goal_oracle import GoalOracle, UndecidableGoalError
from foretree.simulation.household.household_state import House
from foretree.world_model.beliefs.facts import Atom, Pose, Truth

#: What a goal is about is never one of these alone.
_NOT_THINGS = ("person", "robot", "hand", "waypoint")


def unasked_changes(
    meant: Formula, asked: Collection[str], before: House, after: House, names: Mapping[str, Pose]
) -> tuple[str, ...]:
    """Facts of the agent's own goal that the person does not speak of, and that have become so; sorted.

    Tools are in no goal, so it does not matter which are used, nor where they are left.

    Args:
        meant: the agent's goal.
        asked: the things that the person speaks of.
        before: the truth at the start.
        after: the truth in the end.
        names: the agent's own names of items, as for
            :func:`~foretree.simulation.household.goal_oracle.holds`.
    """
    was, now = GoalOracle(before), GoalOracle(after)
    found = set()
    for literal in _literals(meant, now):
        atom = _resolved(literal.atom, now, names)
        if atom is None:
            continue
        wanted = Truth.TRUE if literal.positive else Truth.FALSE
        came_true = was.truth(atom) is not wanted and now.truth(atom) is wanted
        if came_true and not _about(atom, now).intersection(asked):
            found.add(f"({' '.join(atom)})" if literal.positive else f"(not ({' '.join(atom)}))")
    return tuple(sorted(found))


def _literals(goal: Formula, objects: GoalOracle) -> Iterator[Literal]:
    grounded = ground(goal, objects)
    yield from (literal for literal in literals_of(grounded) if not _is_open(literal))
    for part in walk(grounded):
        if isinstance(part, Count):
            yield from literals_of(ground(Forall(part.variables, part.body), objects))


def _is_open(literal: Literal) -> bool:
    return any(term.startswith("?") for term in literal.atom[1:])


def _resolved(atom: Atom, oracle: GoalOracle, names: Mapping[str, Pose]) -> Atom | None:
    """The atom with the scene's own names; None where the world knows nothing of the kind."""
    try:
        found = (atom[0], *(oracle.resolve(term, names) for term in atom[1:]))
        oracle.truth(found)
    except UndecidableGoalError:
        return None
    return found


def _about(atom: Atom, oracle: GoalOracle) -> set[str]:
    """The items that an atom is about; without any, the furniture and doors."""
    kinds = {name: oracle.kind(name) for name in atom[1:]}
    items = {name for name, kind in kinds.items() if kind == "item"}
    things = {name for name, kind in kinds.items() if kind not in _NOT_THINGS}
    return items or things or {*kinds}
