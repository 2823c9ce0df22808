"""Packing of the few messages that Foretree itself puts into bags, without ROS."""

from __future__ import annotations

import struct

TIME = "int32 sec\nuint32 nanosec"
#: The definitions of the types that are packed here.
DEFINITIONS = {
    "std_msgs/msg/String": "string data\n",
    "rcl_interfaces/msg/Log": (
        "uint8 DEBUG=10\nuint8 INFO=20\nuint8 WARN=30\nuint8 ERROR=40\nuint8 FATAL=50\n"
        "builtin_interfaces/Time stamp\nuint8 level\nstring name\nstring msg\nstring file\nstring function\n"
        f"uint32 line\n{'=' * 80}\nMSG: builtin_interfaces/Time\n{TIME}\n"
    ),
}


def pack_string(text: str) -> bytes:
    """Return a ``std_msgs/msg/String``."""
    return _begin(_text(b"", text))


def unpack_string(data: bytes) -> str:
    """Return the text of a ``std_msgs/msg/String``."""
    order = "<" if data[1] & 1 else ">"
    (length,) = struct.unpack_from(order + "I", data, 4)
    return bytes(data[8 : 8 + length - 1]).decode("utf-8", "replace")


def pack_log(text: str, level: int, name: str, time: int) -> bytes:
    """Return a ``rcl_interfaces/msg/Log``; *time* is in nanoseconds."""
    seconds, nanoseconds = divmod(time, 1_000_000_000)
    body = struct.pack("<iIB", seconds, nanoseconds, level)
    for part in (name, text, "", ""):
        body = _text(body, part)
    return _begin(_aligned(body) + struct.pack("<I", 0))


def _begin(body: bytes) -> bytes:
    return b"\x00\x01\x00\x00" + body  # CDR, little-endian


def _text(body: bytes, text: str) -> bytes:
    data = text.encode() + b"\0"
    return _aligned(body) + struct.pack("<I", len(data)) + data


def _aligned(body: bytes) -> bytes:
    return body + b"\0" * (-len(body) % 4)
