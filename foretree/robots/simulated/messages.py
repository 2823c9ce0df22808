"""Orders, looks, ends and observations as the fields of messages of ``foretree_interfaces``, and back.

What comes back is equal to what was sent, but for the two parts of an observation that no message carries:
the camera's image, and the function that says what would have been detected where.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from foretree.robots.ros.link import Fields
from foretree.skills.robot import End, LookRequest, Order, Outcome, RobotError, Target
from foretree.world_model.beliefs.facts import Extent, Hand, Pose
from foretree.world_model.observation import Covered, Detection, Observation


# -- to the robot ----------------------------------------------------------------------------------------
def order_fields(order: Order, execution_id: str) -> Fields:
    """Return the goal of the action ``Skill`` for an order.

    Raises:
        RobotError: a parameter is nothing that JSON has.
    """
    try:
        parameters = json.dumps(order.parameters)
    except (TypeError, ValueError) as error:
        raise RobotError(f"{order.skill}: its parameters cannot be sent as JSON: {error}.") from error
    return {
        "execution": execution_id,
        "skill": order.skill,
        "targets": [target_fields(target, name) for name, target in order.targets.items()],
        "hand": order.hand or "",
        "other_hand": order.other_hand or "",
        "parameters": parameters,
    }


def order_of(fields: Fields) -> Order:
    """Return the order of a goal of the action ``Skill``.

    Raises:
        RobotError: the parameters are no JSON object.
    """
    try:
        parameters = json.loads(fields["parameters"] or "{}")
    except ValueError as error:
        raise RobotError(f"{fields['skill']}: its parameters are no JSON: {error}.") from error
    if not isinstance(parameters, dict):
        raise RobotError(f"{fields['skill']}: its parameters are no JSON object: {fields['parameters']}")
    return Order(
        fields["skill"],
        {target["parameter"]: target_of(target) for target in fields["targets"]},
        fields["hand"] or None,
        parameters,
        fields["other_hand"] or None,
    )


def look_fields(request: LookRequest, execution_id: str) -> Fields:
    """Return the goal of the action ``Look`` for a look."""
    at = [target_fields(target) for target in request.at]
    return {"execution": execution_id, "at": at, "why": request.why}


def look_of(fields: Fields) -> LookRequest:
    """Return the look that a goal of the action ``Look`` asks for."""
    return LookRequest(tuple(map(target_of, fields["at"])), fields["why"])


def target_fields(target: Target, parameter: str = "") -> Fields:
    """Return the fields of ``Target`` for what stands for a skill's *parameter*."""
    return {
        "parameter": parameter,
        "classes": _scores(target.classes),
        "pose": [] if target.pose is None else [_point(target.pose)],
        "features": list(target.features),
        "held_in": target.held_in or "",
        "extent": list(target.extent or ()),
    }


def target_of(fields: Fields) -> Target:
    """Return the target that ``Target`` describes."""
    return Target(
        _scores_of(fields["classes"]),
        _pose_of(fields["pose"][0]) if len(fields["pose"]) else None,
        tuple(fields["features"]),
        fields["held_in"] or None,
        _extent_of(fields["extent"]),
    )


# -- from the robot --------------------------------------------------------------------------------------
def end_fields(end: End) -> Fields:
    """Return the result of the action ``Skill`` or ``Look`` for an end."""
    return {
        "outcome": end.outcome.value,
        "reason": end.reason,
        "unlike": end.unlike,
        "obstacle": [] if end.obstacle is None else [target_fields(end.obstacle)],
        "out_of_reach": end.out_of_reach,
        "without_effect": end.without_effect,
    }


def end_of(fields: Fields) -> End:
    """Return the end that a result tells of. An outcome that there is not is *lost*."""
    try:
        outcome = Outcome(fields["outcome"])
    except ValueError:
        return End(Outcome.LOST, f"the robot says {fields['outcome']!r}, which is no outcome")
    return End(
        outcome,
        fields["reason"],
        bool(fields["unlike"]),
        target_of(fields["obstacle"][0]) if len(fields["obstacle"]) else None,
        bool(fields["out_of_reach"]),
        bool(fields["without_effect"]),
    )


def observation_fields(observation: Observation) -> Fields:
    """Return the fields of ``Observation`` for what a look saw."""
    return {
        "time": observation.time,
        "source": observation.source,
        "detections": list(map(detection_fields, observation.detections)),
        "covered": [
            {"relation": each.relation, "support": each.support, "certainty": each.certainty}
            for each in observation.covered
        ],
        "body": [{"atom": list(atom), "holds": holds} for atom, holds in observation.body.items()],
        "held": [
            {"detection": detection, "robot": robot, "hand": hand}
            for detection, hands in observation.held.items()
            for robot, hand in hands
        ],
        "passable": [
            {"start": start, "end": end, "free": free} for (start, end), free in observation.passable.items()
        ],
        "viewpoint": observation.viewpoint,
    }


def observation_of(fields: Fields) -> Observation:
    """Return what a look saw, by ``Observation``."""
    held: dict[str, tuple[Hand, ...]] = {}
    for each in fields["held"]:
        held[each["detection"]] = (*held.get(each["detection"], ()), (each["robot"], each["hand"]))
    return Observation(
        fields["time"],
        fields["source"],
        tuple(map(detection_of, fields["detections"])),
        tuple(Covered(each["relation"], each["support"], each["certainty"]) for each in fields["covered"]),
        {tuple(fact["atom"]): bool(fact["holds"]) for fact in fields["body"]},
        held,
        {(each["start"], each["end"]): bool(each["free"]) for each in fields["passable"]},
        fields["viewpoint"],
    )


def detection_fields(detection: Detection) -> Fields:
    """Return the fields of ``Detection`` for one thing in a look."""
    relation, support = detection.rests or ("", "")
    return {
        "id": detection.id,
        "classes": _scores(detection.classes),
        "pose": _point(detection.pose),
        "states": _scores(detection.states),
        "rests_relation": relation,
        "rests_support": support,
        "rests_certainty": detection.rests_certainty,
        "features": list(detection.features),
        "extent": list(detection.extent or ()),
        "viewpoint": detection.viewpoint,
    }


def detection_of(fields: Fields) -> Detection:
    """Return the thing in a look that ``Detection`` describes."""
    rests = (fields["rests_relation"], fields["rests_support"])
    return Detection(
        fields["id"],
        _scores_of(fields["classes"]),
        _pose_of(fields["pose"]),
        _scores_of(fields["states"]),
        rests if rests[0] else None,
        tuple(fields["features"]),
        _extent_of(fields["extent"]),
        fields["viewpoint"],
        fields["rests_certainty"],
    )


# -- within ----------------------------------------------------------------------------------------------
def _scores(scores: Mapping[str, float]) -> list[Fields]:
    return [{"name": name, "value": float(value)} for name, value in scores.items()]


def _scores_of(scores: Iterable[Fields]) -> dict[str, float]:
    return {score["name"]: score["value"] for score in scores}


def _point(pose: Pose) -> Fields:
    return dict(zip("xyz", map(float, pose), strict=True))


def _pose_of(fields: Fields) -> Pose:
    return fields["x"], fields["y"], fields["z"]


def _extent_of(values: Iterable[float]) -> Extent | None:
    numbers = tuple(values)
    if len(numbers) != 6:
        return None
    x0, y0, z0, x1, y1, z1 = numbers
    return x0, y0, z0, x1, y1, z1
