"""Constraints that failures have taught: what is in the way is moved first, and what is out of reach is left.

A robot that plans its motions knows why it cannot move. It says so in the end of an execution, without names:
something at a pose stood in the way, or no posture of the arm reaches the target. Here that becomes a
constraint on plans, for as long as nothing that it depends on has been moved. So revisers move the obstacle
away, or choose another hand or another thing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import dist

from foretree.planning.constraints.constraints import (
    Before,
    Constraint,
    ConstraintError,
    NeverUse,
    describe_constraint,
)
from foretree.planning.pddl.syntax import TRUE, Exists, Formula, Literal, Typed, substitute
from foretree.planning.plan import Action
from foretree.runs.events import Recorder
from foretree.skills.robot import End, Target
from foretree.skills.skill import Skill
from foretree.world_model.beliefs.belief import Belief, Snapshot
from foretree.world_model.beliefs.facts import BODY, WHEREABOUTS, Atom, Pose, Truth, best_of

#: How far from where the robot met something it may be believed to be (metres), and how much farther a thing
#: of another class seems to be.
_NEAR, _OTHER_CLASS = 0.3, 0.15
#: What has moved by so much is somewhere else (metres).
_MOVED = 0.02


@dataclass(frozen=True, slots=True)
class _Obstruction:
    """A constraint, the fact that it depends on, and where the things stood that it is about."""

    constraint: Constraint
    while_true: Atom | None
    poses: Mapping[str, Pose]

    def counts(self, beliefs: Snapshot) -> bool:
        """Return whether nothing has changed that it depends on."""
        if self.while_true is not None and beliefs.truth(self.while_true) is Truth.FALSE:
            return False
        for name, pose in self.poses.items():
            entity = beliefs.entity(name)
            if entity is None or (entity.pose is not None and dist(entity.pose, pose) > _MOVED):
                return False
        return True


class Obstructions:
    """Keeps what the robot's motions have taught.

    Args:
        belief: knows which thing stands where something was met.
        recorder: takes down what is learned, and what no longer counts.
        changed: has plans made with the constraints as they are now.
    """

    def __init__(self, belief: Belief, recorder: Recorder, changed: Callable[[], None]) -> None:
        self._belief = belief
        self._recorder = recorder
        self._changed = changed
        self._known: list[_Obstruction] = []

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        """Constraints for plans."""
        return tuple(one.constraint for one in self._known)

    def learn(self, action: Action, skill: Skill, end: End) -> bool:
        """Learn from the end of an action that has failed; return whether it has taught anything."""
        found = self._found(action, skill, end)
        if found is None or any(one.constraint == found.constraint for one in self._known):
            return False
        self._known.append(found)
        try:
            self._changed()
        except ConstraintError:  # the domain cannot say it
            self._known.remove(found)
            return False
        self._recorder.record("log", text=f"From now on, {describe_constraint(found.constraint)}.")
        return True

    def update(self) -> None:
        """Drop what has ceased to count. Called at every sync in which the belief has changed."""
        beliefs = self._belief.snapshot()
        dropped = [one for one in self._known if not one.counts(beliefs)]
        if dropped:
            self._known = [one for one in self._known if one not in dropped]
            self._changed()

    def forget(self) -> bool:
        """Drop everything, as before a last try; return whether there was anything."""
        forgotten, self._known = bool(self._known), []
        if forgotten:
            self._changed()
        return forgotten

    def _found(self, action: Action, skill: Skill, end: End) -> _Obstruction | None:
        beliefs = self._belief.snapshot()
        where = None
        if end.obstacle is not None:
            name = thing_at(end.obstacle, beliefs, action.arguments)
            where = beliefs.placement(WHEREABOUTS, name) if name is not None else None
            if name is not None and where is not None:
                then = _achievement(action, skill, beliefs)
                if then is None:
                    return None
                poses = _poses((name, *action.arguments), beliefs)
                return _Obstruction(Before(Literal(where, positive=False), then), where, poses)
            if name is None and not end.out_of_reach:
                return None
        elif not end.out_of_reach:
            return None
        # What stands fast cannot be moved away: then that very action is not possible, as things are.
        poses = _poses(action.arguments, beliefs)
        return _Obstruction(NeverUse(action.skill, action.arguments), None, poses)


def thing_at(obstacle: Target, beliefs: Snapshot, arguments: tuple[str, ...] = ()) -> str | None:
    """Return the name of the thing that the robot has met; None if the belief has none there.

    Args:
        obstacle: its pose and class scores, as the robot tells them.
        beliefs: where things are believed to be.
        arguments: what the action is aimed at: none of that is in its own way.
    """
    if obstacle.pose is None:
        return None
    alike = best_of(obstacle.classes)
    best, nearest = None, _NEAR
    for name, entity in sorted(beliefs.entities().items()):
        if entity.pose is None or name in arguments:
            continue
        apart = dist(entity.pose, obstacle.pose)
        if alike and entity.best_class != alike:
            apart += _OTHER_CLASS
        if apart < nearest:
            best, nearest = name, apart
    return best


def _achievement(action: Action, skill: Skill, beliefs: Snapshot) -> Formula | None:
    """Return what the action is for, by any hand: the first of its effects on more than the robot itself."""
    operator = skill.operator
    free = {p.name for p in operator.parameters if p.name in skill.resources or p.type == "hand"}
    body = free | {p.name for p in operator.parameters if p.type == "robot"}
    effects = [
        effect.literal
        for effect in operator.effects
        if effect.condition == TRUE
        and not effect.variables
        and not body.issuperset(effect.literal.atom[1:])
        and beliefs.vocabulary[effect.literal.atom[0]].group != BODY
    ]
    chosen = next((one for one in effects if one.positive), next(iter(effects), None))
    if chosen is None:
        return None
    names = dict(zip((p.name for p in operator.parameters), action.arguments, strict=True))
    bound = {parameter: name for parameter, name in names.items() if parameter not in free}
    hands = tuple(
        Typed(p.name, p.type) for p in operator.parameters if p.name in free and p.name in chosen.atom
    )
    formula = substitute(chosen, bound)
    return Exists(hands, formula) if hands else formula


def _poses(names: tuple[str, ...], beliefs: Snapshot) -> dict[str, Pose]:
    return dict(_posed(names, beliefs))


def _posed(names: tuple[str, ...], beliefs: Snapshot) -> Iterator[tuple[str, Pose]]:
    for name in names:
        entity = beliefs.entity(name)
        if entity is not None and entity.pose is not None:
            yield name, entity.pose
