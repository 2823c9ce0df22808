"""Reading bags: MCAP files, also those that a crash has cut short, and the folders of rosbag2."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from foretree.errors import takes_extra
from foretree.robots.ros.bags.cdr import unpack_string
from foretree.robots.ros.bags.marks import TOPIC, Mark
from foretree.robots.ros.bags.writer import BagError


class BagMessage(NamedTuple):
    """A message of a bag.

    Attributes:
        topic: its topic.
        type: its type (``sensor_msgs/msg/Image``).
        time: when it came, in nanoseconds since the epoch.
        number: its number among the messages that senses took in; 0 if it has none.
        load: gives the message itself.
    """

    topic: str
    type: str
    time: int
    number: int
    load: Callable[[], Any]


class Bag:
    """A bag.

    Args:
        path: an MCAP file, or a folder of rosbag2.

    Attributes:
        properties: what Foretree wrote about it; empty if another program did.

    Raises:
        BagError: it is not there, or is none.
        MissingPackageError: the packages ``mcap`` and ``rosbags`` are missing.
    """

    def __init__(self, path: Path) -> None:
        with takes_extra("bags", "Bags"):
            import mcap.reader  # noqa: F401
            import rosbags.typesys  # noqa: F401
        if not path.exists():
            raise BagError(f"There is no bag {path}.")
        self.path = path
        self.properties: Mapping[str, str] = {}
        self._types = _Types()
        if path.is_file():
            self.properties = self._read_properties()

    def messages(self) -> Iterator[BagMessage]:
        """Iterate over the messages in the order in which they were written.

        Raises:
            BagError: the bag is damaged; what comes before the damage was given.
        """
        return self._folder_messages() if self.path.is_dir() else self._file_messages()

    def marks(self) -> list[Mark]:
        """Return the marks of a replay; none if another program wrote the bag."""
        if not self.properties:
            return []
        return [Mark.read(unpack_string(data)) for topic, _, data in self._records() if topic == TOPIC]

    def _file_messages(self) -> Iterator[BagMessage]:
        types = self._types
        for topic, (schema, message), data in self._records():
            if schema is None or schema.encoding != "ros2msg":
                continue
            types.add(schema.name, schema.data.decode())
            load = types.loader(schema.name, data)
            yield BagMessage(topic, schema.name, message.log_time, message.sequence, load)

    def _records(self) -> Iterator[tuple[str, tuple[Any, Any], bytes]]:
        from mcap.exceptions import EndOfFile, McapError
        from mcap.reader import NonSeekingReader

        with self.path.open("rb") as file:
            try:
                for schema, channel, message in NonSeekingReader(file).iter_messages(log_time_order=False):
                    yield channel.topic, (schema, message), message.data
            except EndOfFile:
                return  # the program that wrote it has crashed
            except McapError as error:
                raise BagError(f"The bag {self.path} is damaged: {error}.") from error

    def _read_properties(self) -> Mapping[str, str]:
        from mcap.exceptions import EndOfFile, McapError
        from mcap.records import Chunk, Metadata
        from mcap.stream_reader import StreamReader

        with self.path.open("rb") as file:
            try:
                for record in StreamReader(file, emit_chunks=True).records:
                    if isinstance(record, Metadata) and record.name == "foretree":
                        return dict(record.metadata)
                    if isinstance(record, Chunk):
                        break
            except EndOfFile:
                pass
            except McapError as error:
                raise BagError(f"{self.path} is no MCAP file: {error}.") from error
        return {}

    def _folder_messages(self) -> Iterator[BagMessage]:
        from rosbags.rosbag2 import Reader, ReaderError

        types = self._types
        try:
            with Reader(self.path) as reader:
                for connection, time, data in reader.messages():
                    if connection.msgdef.data:
                        types.add(connection.msgtype, connection.msgdef.data)
                    load = types.loader(connection.msgtype, data)
                    yield BagMessage(connection.topic, connection.msgtype, time, 0, load)
        except (ReaderError, OSError) as error:
            raise BagError(f"The bag {self.path} cannot be read: {error}") from error


class _Types:
    """Message types, by the definitions in a bag; those of ROS 2 that are in none."""

    def __init__(self) -> None:
        from rosbags.typesys import Stores, get_typestore

        self._known: set[str] = set()
        self._store = get_typestore(Stores.ROS2_JAZZY)

    def add(self, name: str, definition: str) -> None:
        """Take a definition, with those of all that it consists of.

        Raises:
            BagError: it is none.
        """
        if name in self._known:
            return
        from rosbags.typesys import TypesysError, get_types_from_msg

        self._known.add(name)
        try:
            found = get_types_from_msg(definition, name)
            self._store.register({key: value for key, value in found.items() if key not in self._store.types})
        except TypesysError as error:
            raise BagError(f"The definition of {name} in the bag cannot be read: {error}") from error

    def loader(self, name: str, data: bytes) -> Callable[[], Any]:
        """Return what unpacks a message."""

        def load() -> Any:
            try:
                return self._store.deserialize_cdr(data, name)
            except Exception as error:  # whatever spoilt bytes lead to
                raise BagError(f"A message of the type {name} cannot be unpacked: {error}") from error

        return load
