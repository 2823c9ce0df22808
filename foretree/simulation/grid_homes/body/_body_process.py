"""The process of a body: makes one, and carries out the controls that come in until its channel ends."""

from __future__ import annotations

import importlib
import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import astuple
from typing import Any

from foretree.children import Channel
from foretree.errors import ForetreeError
from foretree.simulation.grid_homes.body._body_wire import pack_frame, unpack_control
from foretree.skills.embodied.body import Body

#: The first byte of every answer: a frame (or, to begin with, what the body is like), or what went wrong.
FINE, WRONG = b"+", b"-"


def serve(channel: Channel, maker: str, arguments: Mapping[str, Any]) -> None:
    """Serve the body that *maker* makes of *arguments*, until the channel ends."""
    # There may be no parent any more to tell.
    with suppress(BrokenPipeError):
        try:
            body = _make(maker, arguments)
        except ForetreeError as error:
            channel.send(WRONG + str(error).encode())
            return
        channel.send(FINE + json.dumps({"lens": astuple(body.lens), "reach": body.reach}).encode())
        while (request := channel.receive()) is not None:
            try:
                answer = FINE + pack_frame(body.step(unpack_control(request)))
            except ForetreeError as error:
                answer = WRONG + str(error).encode()
            channel.send(answer)


def _make(maker: str, arguments: Mapping[str, Any]) -> Body:
    module, _, function = maker.partition(":")
    body: Body = getattr(importlib.import_module(module), function)(**arguments)
    return body
