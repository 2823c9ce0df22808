"""Controls and frames of a body with a camera as the fields of messages, and back."""

from __future__ import annotations

import numpy as np

from foretree.perception.frame import Frame, Lens, Mask, Stance
from foretree.robots.ros.link import Fields
from foretree.skills.embodied.body import MANIPULATIONS, MOTIONS, Body, Control
from foretree.skills.robot import RobotError


def control_fields(control: Control) -> Fields:
    """Return the request of the service ``MoveBody`` for a control."""
    mask = [] if control.mask is None else [control.mask]
    return {"control": control.name, "mask": mask, "relation": control.relation}


def control_of(fields: Fields) -> Control:
    """Return the control that a request of the service ``MoveBody`` asks for.

    Raises:
        RobotError: there is no such control.
    """
    name = fields["control"]
    if name not in (*MOTIONS, *MANIPULATIONS):
        raise RobotError(f"There is no control {name!r}. Valid: {', '.join((*MOTIONS, *MANIPULATIONS))}.")
    return Control(name, fields["mask"][0] if len(fields["mask"]) else None, fields["relation"])


def frame_fields(frame: Frame) -> Fields:
    """Return the response of the service ``MoveBody`` for a frame."""
    height, width = frame.labels.shape
    stance = frame.stance
    return {
        "error": "",
        "ok": frame.ok,
        "message": frame.message,
        "step": frame.step,
        "width": width,
        "height": height,
        "labels": frame.labels.ravel(),
        "depth": frame.depth.ravel(),
        "masks": list(map(_mask_fields, frame.masks)),
        "held": [] if frame.held is None else [_mask_fields(frame.held)],
        "x": stance.x,
        "y": stance.y,
        "heading": stance.heading,
        "pitch": stance.pitch,
        "eye": stance.eye,
    }


def frame_of(fields: Fields) -> Frame:
    """Return the frame in a response of the service ``MoveBody``."""
    shape = fields["height"], fields["width"]
    return Frame(
        np.array(fields["labels"], dtype=np.int16).reshape(shape),
        np.array(fields["depth"], dtype=np.float32).reshape(shape),
        tuple(map(_mask_of, fields["masks"])),
        Stance(*(fields[name] for name in ("x", "y", "heading", "pitch", "eye"))),
        _mask_of(fields["held"][0]) if len(fields["held"]) else None,
        bool(fields["ok"]),
        fields["message"],
        fields["step"],
    )


def body_fields(body: Body) -> Fields:
    """Return the response of the service ``DescribeBody`` for a body."""
    lens = body.lens
    return {
        **{name: getattr(lens, name) for name in ("width", "height", "fov", "near", "far")},
        "reach": body.reach,
    }


def lens_of(fields: Fields) -> Lens:
    """Return the camera that a response of the service ``DescribeBody`` tells of."""
    return Lens(*(fields[name] for name in ("width", "height", "fov", "near", "far")))


def _mask_fields(mask: Mask) -> Fields:
    return {
        "label": mask.label,
        "scores": [{"name": name, "value": float(value)} for name, value in mask.scores.items()],
        "crop": mask.crop.ravel(),
        "side": mask.crop.shape[0] if mask.crop.size else 0,
        "visible": float(mask.visible),
    }


def _mask_of(fields: Fields) -> Mask:
    side = fields["side"]
    return Mask(
        fields["label"],
        {score["name"]: score["value"] for score in fields["scores"]},
        np.array(list(fields["crop"]), dtype=np.uint8).reshape((side, side, 3)),
        fields["visible"],
    )
