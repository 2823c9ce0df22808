"""A run as MCAP: a topic for each kind of event, and one for the lines that tell of them."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from foretree.runs.attachments import read_attachment
from foretree.runs.event_kinds import EVENT_TYPES, CameraSeen, Field
from foretree.runs.events import Event, EventRow
from foretree.runs.export.mcap_log import McapLog, MessageSchema, need_mcap
from foretree.runs.export.run_source import RunSource
from foretree.runs.store import Run, RunError
from foretree.runs.views.run_state import RunState
from foretree.runs.views.wording import tell

#: Where the topics of a run begin.
ROOT = "/foretree"

#: The topic of the lines that tell what happened.
LINES = f"{ROOT}/lines"

#: The topic of camera images.
IMAGES = f"{ROOT}/images"

_NANO = 1_000_000_000

_TIME = {"type": "object", "properties": {"sec": {"type": "integer"}, "nsec": {"type": "integer"}}}

#: Foxglove's form of an image that is a file. Its panel for images shows messages of this name.
_IMAGE = MessageSchema(
    "foxglove.CompressedImage",
    {
        "type": "object",
        "properties": {
            "timestamp": _TIME,
            "frame_id": {"type": "string"},
            "data": {"type": "string", "contentEncoding": "base64"},
            "format": {"type": "string"},
        },
    },
)

#: Foxglove's form of a line in a log. Its panel for logs shows messages of this name.
_LOG = MessageSchema(
    "foxglove.Log",
    {
        "type": "object",
        "properties": {
            "timestamp": _TIME,
            "level": {"type": "integer"},
            "message": {"type": "string"},
            "name": {"type": "string"},
            "file": {"type": "string"},
            "line": {"type": "integer"},
        },
    },
)

#: Foxglove's levels (1 debug, 2 info, 3 warning, 4 error) by the tone of a line.
_LEVELS = {"faint": 1, "notice": 3, "change": 3, "bad": 4}


#: Those of ``rcl_interfaces/msg/Log`` by Foxglove's.
LOG_LEVELS = {1: 10, 2: 20, 3: 30, 4: 40}


def write_mcap(source: RunSource, path: Path) -> Sequence[Path]:
    """Write the events of a run into *path*.

    Times are those of the session's clock, counted from when the run began.
    """
    need_mcap()
    with path.open("wb") as file, McapLog(file) as log:
        log.describe("run", source.properties())
        for topic, message, time in messages_of(source, round(source.started * _NANO), images=True):
            log.write(topic, message, time, _form_of(topic))
    return (path,)


def messages_of(
    source: RunSource, began: int, images: bool = False
) -> Iterator[tuple[str, Mapping[str, Any], int]]:
    """The messages about a run: topic, message, and time in nanoseconds since the epoch.

    Args:
        source: the run.
        began: when it began, in nanoseconds since the epoch.
        images: whether camera images are among them.
    """
    state = RunState()
    for row in source.rows():
        event = Event(row.seq, row.tick, row.time, row.kind, json.loads(row.data))
        time = began + round(row.time * _NANO)
        yield topic_of(row.kind), _message(row, event.data), time
        image = _image(source.run, event, time) if images and event.kind == CameraSeen.kind else None
        if image is not None:
            yield IMAGES, image, time
        state.apply(event)
        for line in tell(state):
            yield LINES, _line(str(line), line.tone, line.head, time), time


def _form_of(topic: str) -> MessageSchema:
    """The form of the messages of a topic."""
    if topic == IMAGES:
        return _IMAGE
    if topic == LINES:
        return _LOG
    return schema_of(topic.removeprefix(f"{ROOT}/").replace("/", "."))


def topic_of(kind: str) -> str:
    """The topic of a kind of event."""
    return f"{ROOT}/{kind.replace('.', '/')}"


@cache
def schema_of(kind: str) -> MessageSchema:
    """The form of the messages about a kind of event."""
    known = EVENT_TYPES.get(kind)
    fields = vars(known).items() if known is not None else ()
    data = {name: _typed(each.json) for name, each in fields if isinstance(each, Field) and each.json}
    properties: dict[str, Any] = {
        "seq": {"type": "integer"},
        "tick": {"type": "integer"},
        "time": {"type": "number"},
        "wall": {"type": "number"},
        "data": {"type": "object", "properties": data},
    }
    return MessageSchema(f"foretree.{kind}", {"type": "object", "properties": properties})


def _typed(name: str) -> dict[str, Any]:
    return {"type": "array", "items": {"type": "string"}} if name == "strings" else {"type": name}


def _message(row: EventRow, data: Mapping[str, Any]) -> dict[str, Any]:
    # What is null says no more than what is absent, and schemas of viewers have no word for it.
    present = {name: value for name, value in data.items() if value is not None}
    return {"seq": row.seq, "tick": row.tick, "time": row.time, "wall": row.wall, "data": present}


def _image(run: Run, event: Event, time: int) -> dict[str, Any] | None:
    """The camera image that an event is about; None if the run does not keep it."""
    said = CameraSeen(event).image
    try:
        found = read_attachment(run, str(said.get("digest", "")))
    except RunError:
        return None
    if found is None:
        return None
    return {
        "timestamp": _timestamp(time),
        "frame_id": str(said.get("camera", "camera")),
        "data": b64encode(found.content).decode(),
        "format": found.type.removeprefix("image/"),
    }


def _timestamp(time: int) -> dict[str, int]:
    seconds, nanoseconds = divmod(time, _NANO)
    return {"sec": seconds, "nsec": nanoseconds}


def _line(text: str, tone: str, head: str, time: int) -> dict[str, Any]:
    return {
        "timestamp": _timestamp(time),
        "level": _LEVELS.get(tone, 2),
        "message": text,
        "name": head,
        "file": "",
        "line": 0,
    }
