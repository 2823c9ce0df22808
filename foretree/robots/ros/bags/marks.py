"""Marks: what a bag holds besides the robot's messages, so that a replay goes as the run went.

A mark is a JSON object in a ``std_msgs/msg/String`` on :data:`TOPIC`. A tick's mark says which messages
it took in; marks after it, up to the next one, are of that tick.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Literal, TypeAlias

from foretree.robots.ros.senses.transforms import RigidPose, Transform, TransformError
from foretree.runs.encoding import canonical
from foretree.skills.robot import End, LookRequest, Order, Outcome

#: The topic of marks.
TOPIC = "/foretree/marks"

#: What a mark is about: a topic that a stream is on, or that is not in the bag; a tick that began, or that
#: took in messages; a transform that was asked for, a view that was waited for,
#: an execution that was begun, refused or cancelled, or its end.
MarkKind: TypeAlias = Literal[
    "stream",
    "missing",
    "awake",
    "tick",
    "transform",
    "view",
    "begun",
    "refused",
    "cancelled",
    "ended",
    "stopped",
]


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark.

    Attributes:
        kind: what it is about.
        time: when, on the session's clock.
        data: the rest, by kind.
    """

    kind: MarkKind
    time: float
    data: Mapping[str, Any]

    def text(self) -> str:
        """Return it as JSON."""
        return canonical({"mark": self.kind, "time": self.time, **self.data})

    @classmethod
    def read(cls, text: str) -> Mark:
        """Return the mark of a text."""
        data = json.loads(text)
        return cls(data.pop("mark"), data.pop("time"), data)


def transform_data(
    target: str, source: str, time: int | None, found: Transform | TransformError
) -> Mapping[str, Any]:
    """Return the data of a mark about a transform that was asked for."""
    if isinstance(found, TransformError):
        said = {"error": found.message(), "may_come": found.may_come}
        return {"frames": [target, source], "at": time, **said}
    pose = found.pose
    return {
        "frames": [target, source],
        "at": time,
        "stamp": found.stamp,
        "position": list(pose.position),
        "rotation": list(pose.rotation),
    }


def transform_of(data: Mapping[str, Any]) -> Transform:
    """Return the transform of a mark.

    Raises:
        TransformError: it was not known.
    """
    if "error" in data:
        raise TransformError(data["error"], may_come=data["may_come"])
    x, y, z = data["position"]
    a, b, c, w = data["rotation"]
    return Transform(RigidPose((x, y, z), (a, b, c, w)), int(data["stamp"]))


def end_data(execution_id: str, end: End) -> Mapping[str, Any]:
    """Return the data of a mark about the end of an execution."""
    return {
        "execution": execution_id,
        "outcome": end.outcome.value,
        "reason": end.reason,
        "unlike": end.unlike,
    }


def end_of(data: Mapping[str, Any]) -> End:
    """Return the end of a mark."""
    return End(Outcome(data["outcome"]), data["reason"], data["unlike"])


def order_digest(order: Order | LookRequest) -> str:
    """Return what tells two orders apart; the belief that they were made of may differ in the last digits."""
    if isinstance(order, LookRequest):
        targets = [(str(n), target) for n, target in enumerate(order.at)]
        said: list[Any] = ["look"]
    else:
        targets = sorted(order.targets.items())
        said = [order.skill, order.hand, order.other_hand, sorted(map(str, order.parameters.items()))]
    for name, target in targets:
        pose = None if target.pose is None else [round(value, 2) for value in target.pose]
        said.append([name, max(target.classes, key=lambda one: target.classes[one], default=""), pose])
    return sha256(canonical(said).encode()).hexdigest()[:16]
