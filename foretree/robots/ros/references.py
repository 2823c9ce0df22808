"""References in a robot file: how parts of an order become fields of a message.

``$to.pose`` stands for a pose, ``$item.class`` within a text for a word; ``$$`` is a dollar sign. What can be
referred to is listed in ``docs/robots.md``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from foretree.errors import suggest
from foretree.robots.ros.link import Fields
from foretree.skills.robot import Order, RobotError, Target
from foretree.world_model.beliefs.facts import Pose, best_of

_REFERENCE = re.compile(r"\$(\$|[a-z_][a-z0-9_]*(?:\.[a-z_][a-z0-9_]*)*)")

#: Metres between a place's pose and that which a standing pose was measured for.
_SAME_PLACE = 0.25


@dataclass(frozen=True, slots=True)
class Stand:
    """A measured pose at which the robot stands to work at a place.

    Attributes:
        place: the place's position on the map.
        x, y, heading: the pose, in metres and radians.
    """

    place: tuple[float, float]
    x: float
    y: float
    heading: float


@dataclass(frozen=True, slots=True)
class OrderContext:
    """Context that is the same for all orders of a robot.

    Attributes:
        map: the frame of the belief's poses.
        stands: measured standing poses.
        stand_off: metres from a place to where the robot stands, if no pose was measured for it.
        stamp: the time now, as the fields of ``builtin_interfaces/msg/Time``.
    """

    map: str = "map"
    stands: tuple[Stand, ...] = ()
    stand_off: float = 0.6
    stamp: Callable[[], Fields] = lambda: {"sec": 0, "nanosec": 0}


def references(value: object) -> set[str]:
    """Return the references in a value of a robot file, without their dollar sign."""
    if isinstance(value, str):
        return {name for name in _REFERENCE.findall(value) if name != "$"}
    if isinstance(value, Mapping):
        value = list(value.values())
    return set().union(*map(references, value)) if isinstance(value, (list, tuple)) else set()


def resolve(value: Any, order: Order, execution_id: str, context: OrderContext) -> Any:
    """Return *value* with all references replaced.

    Raises:
        RobotError: something is referred to that the order does not have.
    """
    if isinstance(value, str):
        return _resolve_text(value, _Order(order, execution_id, context))
    if isinstance(value, Mapping):
        return {key: resolve(part, order, execution_id, context) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [resolve(part, order, execution_id, context) for part in value]
    return value


def _resolve_text(text: str, order: _Order) -> Any:
    whole = _REFERENCE.fullmatch(text)
    if whole is not None and whole[1] != "$":
        return order.value(whole[1])
    return _REFERENCE.sub(lambda match: "$" if match[1] == "$" else str(order.value(match[1])), text)


class _Order:
    """The parts of an order, by the names that references have for them."""

    def __init__(self, order: Order, execution_id: str, context: OrderContext) -> None:
        self._order = order
        self._execution_id = execution_id
        self._context = context

    def value(self, reference: str) -> Any:
        order = self._order
        head, _, rest = reference.partition(".")
        if head in order.targets:
            return self._of_target(head, rest)
        plain: dict[str, Any] = {
            "skill": order.skill,
            "execution": self._execution_id,
            "hand": order.hand,
            "other_hand": order.other_hand,
            "now": self._context.stamp,
        }
        if head == "parameters" and rest in order.parameters:
            return order.parameters[rest]
        if rest or head not in plain:
            known = [*plain, *order.targets, *(f"parameters.{name}" for name in order.parameters)]
            raise RobotError(
                f"{order.skill}: the robot file refers to ${reference}, which this order does not have. "
                f"{suggest(reference, known)}"
            )
        value = plain[head]
        if value is None:
            raise RobotError(f"{order.skill}: the robot file refers to ${reference}, but no hand is used.")
        return value() if callable(value) else value

    def _of_target(self, role: str, part: str) -> Any:
        target = self._order.targets[role]
        if part == "class":
            return best_of(target.classes)
        if part == "held_in":
            return target.held_in or ""
        if part in _PLACED:
            return _PLACED[part](self, role, target)
        raise RobotError(
            f"{self._order.skill}: the robot file refers to ${role}.{part}. "
            f"{suggest(part, ['class', 'held_in', *_PLACED])}"
        )

    def position(self, role: str, target: Target) -> Pose:
        if target.pose is None:
            thing = best_of(target.classes) or "thing"
            raise RobotError(f"{self._order.skill}: it is not known where the {thing} ({role}) is.")
        return target.pose

    def pose(self, role: str, target: Target) -> Fields:
        return {"position": _point(self.position(role, target)), "orientation": _heading(0.0)}

    def stand(self, role: str, target: Target) -> Fields:
        x, y, _ = self.position(role, target)
        near = [each for each in self._context.stands if math.dist(each.place, (x, y)) <= _SAME_PLACE]
        if near:
            best = min(near, key=lambda each: math.dist(each.place, (x, y)))
            return {"position": _point((best.x, best.y, 0.0)), "orientation": _heading(best.heading)}
        origin = self._order.targets.get("from")
        if origin is None or origin.pose is None:
            return {"position": _point((x, y, 0.0)), "orientation": _heading(0.0)}
        dx, dy = x - origin.pose[0], y - origin.pose[1]
        way = math.hypot(dx, dy)
        short = min(self._context.stand_off, way) / way if way else 0.0
        at = (x - dx * short, y - dy * short, 0.0)
        return {"position": _point(at), "orientation": _heading(math.atan2(dy, dx))}

    def stamped(self, pose: Fields) -> Fields:
        return {"header": {"frame_id": self._context.map, "stamp": self._context.stamp()}, "pose": pose}

    def size(self, role: str, target: Target) -> Fields:
        if target.extent is None:
            raise RobotError(f"{self._order.skill}: it is not known how large the {role} is.")
        low, high = target.extent[:3], target.extent[3:]
        return {axis: b - a for axis, a, b in zip("xyz", low, high, strict=True)}


_PLACED: Mapping[str, Callable[[_Order, str, Target], Any]] = {
    "pose": _Order.pose,
    "pose_stamped": lambda order, role, target: order.stamped(order.pose(role, target)),
    "stand": _Order.stand,
    "stand_stamped": lambda order, role, target: order.stamped(order.stand(role, target)),
    "position": lambda order, role, target: _point(order.position(role, target)),
    "x": lambda order, role, target: order.position(role, target)[0],
    "y": lambda order, role, target: order.position(role, target)[1],
    "z": lambda order, role, target: order.position(role, target)[2],
    "size": _Order.size,
}


def _point(position: Pose) -> Fields:
    return dict(zip("xyz", map(float, position), strict=True))


def _heading(angle: float) -> Fields:
    return {"x": 0.0, "y": 0.0, "z": math.sin(angle / 2), "w": math.cos(angle / 2)}
