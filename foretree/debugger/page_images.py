"""Images of a run in a self-contained page: all of them, or as many as there is room for."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterator

from foretree.runs.attachments import IMAGE_TYPES, attachment_sizes, read_attachment
from foretree.runs.event_kinds import CameraSeen, read_event
from foretree.runs.reader import events
from foretree.runs.store import Run, RunError

#: A page holds at most so many bytes of images; in the page they take a third more.
LIMIT = 8 * 1024 * 1024


def images_message(run: Run, limit: int = LIMIT) -> Iterator[str]:
    """Yield the message that has the images of *run*, as addresses that hold their data, if it has any.

    Where there is not enough room for all, those of every second look are in it, or every third, and so on.
    The message says how many images are left out.
    """
    try:
        looks, sizes = _looks(run), attachment_sizes(run)
    except RunError:
        return  # the feed has told what is damaged
    wanted = [digest for look in looks for digest in look if digest in sizes]
    total = sum(sizes[digest] for digest in set(wanted))
    step = max(1, -(-total // limit))
    images: dict[str, str] = {}
    room = limit
    for digest in (digest for look in looks[::step] for digest in look):
        if digest in images or sizes.get(digest, limit + 1) > room:
            continue
        try:
            found = read_attachment(run, digest)
        except RunError:
            continue
        if found is not None and found.type in IMAGE_TYPES:
            images[digest] = f"data:{found.type};base64,{b64encode(found.content).decode()}"
            room -= len(found.content)
    shown = [look for look in looks if look and look[0] in sizes]
    left_out = sum(1 for look in shown if look[0] not in images)
    if shown:
        yield json.dumps({"images": images, "leftOut": left_out})


def _looks(run: Run) -> list[tuple[str, ...]]:
    """For each camera image of a run the digests of the image and its masks."""
    looks = []
    for event in events(run, kinds={CameraSeen.kind}):
        data = read_event(event)
        assert isinstance(data, CameraSeen)
        names = (data.image.get("digest"), data.image.get("masks"))
        looks.append(tuple(name for name in names if isinstance(name, str)))
    return looks
