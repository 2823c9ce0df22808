"""MCAP files of JSON messages, for Foxglove, Lichtblick, PlotJuggler and their like, or of messages of ROS.

Not only runs are written so: a robot can write what it sends and measures with it while it is running.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from importlib import import_module
from threading import Lock
from types import TracebackType
from typing import IO, Any, NamedTuple

from foretree.errors import takes_extra
from foretree.runs.encoding import canonical

#: Bytes of messages that are kept before they are written, compressed together.
CHUNK = 512 * 1024


class MessageSchema(NamedTuple):
    """The form of the messages of a topic, as JSON Schema.

    Foxglove and Lichtblick take less than all of JSON Schema: each property has one type, each object its
    properties, each list its items, and null is no type. Messages may have more in them than is said here.
    """

    name: str
    definition: Mapping[str, Any]


#: The form of messages of which no more is known than that they are objects.
ANY_OBJECT = MessageSchema("object", {"type": "object", "properties": {}})


class McapLog:
    """A file that messages are written into, each under a topic. Threads may share it.

    As a context manager it is closed with the block. What was written before a crash can still be read, less
    the last :data:`CHUNK`.

    Args:
        file: where to; it is not closed.
        chunk: bytes of messages that are kept before they are written; less of them is lost in a crash if it
            is small.
        profile: ``ros2`` for a bag of ROS, in which every message is packed as ROS packs it.

    Raises:
        MissingPackageError: the package ``mcap`` is missing.
    """

    def __init__(self, file: IO[bytes], *, chunk: int = CHUNK, profile: str = "") -> None:
        need_mcap()
        from mcap.writer import Writer

        self._writer: Any = Writer(file, chunk_size=chunk)
        self._writer.start(profile, library="foretree")
        self._lock = Lock()
        self._schemas: dict[str, int] = {}
        self._channels: dict[str, int] = {}
        self._counts: Counter[str] = Counter()

    def __enter__(self) -> McapLog:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def describe(self, name: str, properties: Mapping[str, str]) -> None:
        """Write properties of the recording as a whole."""
        with self._lock:
            self._writer.add_metadata(name, dict(properties))

    def write(
        self, topic: str, message: Mapping[str, Any], time: int, schema: MessageSchema = ANY_OBJECT
    ) -> None:
        """Write a message.

        Args:
            topic: what it is about, such as ``/joint_states``.
            message: what JSON has words for.
            time: nanoseconds since the epoch.
            schema: its form, the same for all messages of a topic.

        Raises:
            TypeError, ValueError: it holds something that JSON has no word for.
        """
        data = canonical(message).encode()
        with self._lock:
            channel = self._channels.get(topic)
            if channel is None:
                channel = self._channels[topic] = self._writer.register_channel(
                    topic, "json", self._schema(schema)
                )
            self._counts[topic] += 1
            self._writer.add_message(channel, time, data, publish_time=time, sequence=self._counts[topic])

    def write_packed(
        self, topic: str, type_name: str, definition: str, data: bytes, time: int, number: int = 0
    ) -> None:
        """Write a message of ROS.

        Args:
            topic: its topic.
            type_name: its type (``sensor_msgs/msg/Image``).
            definition: the definition of that type, with all that it consists of.
            data: the message, packed as CDR.
            time: nanoseconds since the epoch.
            number: the number of the message, if it has one.
        """
        with self._lock:
            channel = self._channels.get(topic)
            if channel is None:
                schema = self._schemas.get(type_name)
                if schema is None:
                    schema = self._schemas[type_name] = self._writer.register_schema(
                        type_name, "ros2msg", definition.encode()
                    )
                channel = self._channels[topic] = self._writer.register_channel(topic, "cdr", schema)
            self._writer.add_message(channel, time, data, publish_time=time, sequence=number)

    def close(self) -> None:
        """Write what is left, and the index."""
        with self._lock:
            self._writer.finish()

    def _schema(self, schema: MessageSchema) -> int:
        known = self._schemas.get(schema.name)
        if known is None:
            data = json.dumps(schema.definition).encode()
            known = self._schemas[schema.name] = self._writer.register_schema(schema.name, "jsonschema", data)
        return known


def need_mcap() -> None:
    """Check that MCAP files can be written, before there is one.

    Raises:
        MissingPackageError: the package ``mcap`` is missing.
    """
    with takes_extra("mcap", "MCAP files"):
        import_module("mcap.writer")
