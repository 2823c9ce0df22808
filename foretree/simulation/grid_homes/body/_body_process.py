"""The process of a body: makes one, and carries out the controls that come in until nothing more comes.

``python -m foretree.simulation.grid_homes.body._body_process module:function arguments``, where the arguments
are JSON and the function makes a body of them. Controls come by standard input and frames go by standard
output; whatever else is printed goes to standard error.
"""

from __future__ import annotations

import importlib
import io
import json
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import astuple
from typing import Any, BinaryIO

from foretree.errors import ForetreeError
from foretree.simulation.grid_homes.body._body_wire import LENGTH, pack_frame, unpack_control
from foretree.skills.embodied.body import Body

#: The first byte of every answer: a frame (or, to begin with, what the body is like), or what went wrong.
FINE, WRONG = b"+", b"-"


def main(arguments: list[str]) -> None:
    """Serve the body that *arguments* describe, until standard input is closed."""
    requests = os.fdopen(os.dup(0), "rb", buffering=0)
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # what the body prints must not come between frames
    maker, given = arguments
    # Whoever asked may be gone: there is nobody left to tell.
    with suppress(BrokenPipeError):
        try:
            body = _make(maker, json.loads(given))
        except ForetreeError as error:
            _send(answers, WRONG + str(error).encode())
            return
        _send(answers, FINE + json.dumps({"lens": astuple(body.lens), "reach": body.reach}).encode())
        while (request := receive(requests)) is not None:
            try:
                answer = FINE + pack_frame(body.step(unpack_control(bytes(request))))
            except ForetreeError as error:
                answer = WRONG + str(error).encode()
            _send(answers, answer)


def receive(stream: io.RawIOBase) -> bytearray | None:
    """The next message; None when the stream has ended, be it in the middle of one."""
    head = _read(stream, LENGTH.size)
    return None if head is None else _read(stream, LENGTH.unpack(head)[0])


def _make(maker: str, arguments: Mapping[str, Any]) -> Body:
    module, _, function = maker.partition(":")
    body: Body = getattr(importlib.import_module(module), function)(**arguments)
    return body


def _send(stream: BinaryIO, message: bytes) -> None:
    whole = memoryview(LENGTH.pack(len(message)) + message)
    while whole:
        whole = whole[stream.write(whole) :]


def _read(stream: io.RawIOBase, length: int) -> bytearray | None:
    data = bytearray(length)
    rest = memoryview(data)
    while rest:
        count = stream.readinto(rest)
        if not count:
            return None
        rest = rest[count:]
    return data


if __name__ == "__main__":
    main(sys.argv[1:])
