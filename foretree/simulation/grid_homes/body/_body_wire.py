"""Controls and frames of a body in another process, as bytes.

A control is JSON. A frame is JSON, with its own length before it, followed by the pixels: labels, depth, and
the crops of the masks in their order, that of the held thing last.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping, Sequence
from dataclasses import astuple
from typing import Any

import numpy as np

from foretree.perception.frame import CROP, Frame, Mask
from foretree.skills.embodied.body import Control
from foretree.world_model.camera_model import Stance

#: The length that goes before the JSON in a frame.
_LENGTH = struct.Struct("<I")
_LABEL = np.dtype("<i2")
_DEPTH = np.dtype("<f4")


def pack_control(control: Control) -> bytes:
    """A control as bytes."""
    return json.dumps([control.name, control.mask, control.relation]).encode()


def unpack_control(data: bytes) -> Control:
    """A control from bytes."""
    name, mask, relation = json.loads(data)
    return Control(name, mask, relation)


def pack_frame(frame: Frame) -> bytes:
    """A frame as bytes."""
    held = () if frame.held is None else (frame.held,)
    masks = (*frame.masks, *held)
    head = {
        "shape": frame.labels.shape,
        "stance": astuple(frame.stance),
        "masks": [[mask.label, dict(mask.scores), mask.visible] for mask in masks],
        "held": bool(held),
        "ok": frame.ok,
        "message": frame.message,
        "step": frame.step,
    }
    text = json.dumps(head).encode()
    pixels = (
        frame.labels.astype(_LABEL, copy=False).tobytes(),
        frame.depth.astype(_DEPTH, copy=False).tobytes(),
        *(mask.crop.tobytes() for mask in masks),
    )
    return b"".join((_LENGTH.pack(len(text)), text, *pixels))


def unpack_frame(data: bytes | bytearray) -> Frame:
    """A frame from bytes."""
    (length,) = _LENGTH.unpack_from(data)
    start = _LENGTH.size + length
    head: Mapping[str, Any] = json.loads(data[_LENGTH.size : start])
    height, width = head["shape"]
    area = height * width
    # Copies, since what is in the bytes is neither aligned nor anybody's to write to.
    labels = np.frombuffer(data, _LABEL, area, start).reshape(height, width).astype(np.int16)
    start += labels.nbytes
    depth = np.frombuffer(data, _DEPTH, area, start).reshape(height, width).astype(np.float32)
    start += depth.nbytes
    crops = np.frombuffer(data, np.uint8, offset=start).reshape(-1, CROP, CROP, 3)
    said: Sequence[tuple[int, dict[str, float], float]] = head["masks"]
    masks = tuple(
        Mask(label, scores, crop, visible) for (label, scores, visible), crop in zip(said, crops, strict=True)
    )
    held = masks[-1] if head["held"] else None
    return Frame(
        labels=labels,
        depth=depth,
        masks=masks[:-1] if held else masks,
        stance=Stance(*head["stance"]),
        held=held,
        ok=head["ok"],
        message=head["message"],
        step=head["step"],
    )
