"""Mistakes in what configuration files say: the file, the line of the offending key, and the problem.

Finding the line means reading the YAML a second time, so it is done only when there is something to report.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foretree.config import ConfigError, read_text
from foretree.errors import ForetreeError
from foretree.printable import shortened

if TYPE_CHECKING:  # it is loaded to read a file, not to say what files are
    import yaml

#: Where in a file something stands: keys, and indices into lists. ``("forms", 0, "goal")``.
KeyPath = Sequence[int | str]


class FileError(ConfigError):
    """A value at a location of a file makes no sense.

    Attributes:
        location: where.
        problem: what, without the place.
    """

    def __init__(self, path: Path, location: KeyPath, problem: str) -> None:
        key = ".".join(shortened(str(part)) for part in location)
        where = f"{path}:{line_of(path, location)}: {key}" if key else str(path)
        super().__init__(f"{where}: {problem}")
        self.location = tuple(location)
        self.problem = problem


def error_at(path: Path, location: KeyPath, problem: str) -> FileError:
    """The error to raise about what stands at a location of a file."""
    return FileError(path, location, problem)


@contextmanager
def errors_at(path: Path, location: KeyPath) -> Iterator[None]:
    """Report errors of the body as mistakes at a location of a file.

    Raises:
        FileError: anything of ours was raised in the body.
    """
    try:
        yield
    except ForetreeError as error:
        raise error_at(path, location, str(error)) from error


def line_of(path: Path, location: KeyPath) -> int:
    """The line at which *location* begins; that of the nearest thing around it if it is not there."""
    key_node, _ = find_node(path, location)
    return int(key_node.start_mark.line) + 1


def find_node(path: Path, location: KeyPath) -> tuple[yaml.Node, yaml.Node]:
    """The key at *location*, or at the last part of it that is there, and the value that it has."""
    import yaml

    from foretree import _yaml

    node: Any = _yaml.compose(read_text(path))
    found: Any = node
    for part in location:
        if isinstance(node, yaml.MappingNode):
            pairs = [(key, value) for key, value in node.value if key.value == str(part)]
            if not pairs:
                break
            found, node = pairs[-1]
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
            found = node = node.value[part]
        else:
            break
    return found, node
