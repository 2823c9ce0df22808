"""Configuration files: where they are, and reading them.

``configs/`` is one tree of data that a user edits: domains, skills, scenes, robots, agents, suites. In a
checkout it lies beside the package; in an installed wheel it lies inside it. ``FORETREE_CONFIGS`` names a
further tree that is searched first, so that a user's own files can stand beside, or in place of, ours.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any

from foretree.errors import ForetreeError, suggest
from foretree.printable import quote

#: No configuration file has more bytes. Ours have up to forty thousand.
MOST_BYTES = 4 * 2**20
#: The package's own folder.
PACKAGE = Path(__file__).resolve().parent


class ConfigError(ForetreeError):
    """A configuration file is missing, unreadable, or says something that makes no sense."""


@dataclass
class FileAccesses:
    """Files and folders that were looked at to read something, which stays valid until one of them changes.

    Attributes:
        files: digests of what files said, by path.
        folders: digests of the names in folders; empty for those that there are not.
        asked: whether there was such a file.
    """

    files: dict[str, str] = field(default_factory=dict)
    folders: dict[str, str] = field(default_factory=dict)
    asked: dict[str, bool] = field(default_factory=dict)


_reading: ContextVar[FileAccesses | None] = ContextVar("reading", default=None)


@contextmanager
def recorded_accesses() -> Iterator[FileAccesses]:
    """Note what the body looks at."""
    reading = FileAccesses()
    token = _reading.set(reading)
    try:
        yield reading
    finally:
        _reading.reset(token)


def record_access(path: Path | str, data: bytes) -> None:
    """Note that a file was read, and what it said."""
    reading = _reading.get()
    if reading is not None:
        reading.files[str(path)] = digest(data)


def digest(data: bytes) -> str:
    """Return what tells *data* from all else."""
    return blake2b(data, digest_size=16).hexdigest()


def folder_digest(folder: Path | str) -> str:
    """Return what tells the names in a folder from others; nothing where there is no such folder."""
    try:
        return digest(os.fsencode("\0".join(sorted(os.listdir(folder)))))
    except OSError:
        return ""


def config_roots() -> tuple[Path, ...]:
    """The trees that are searched, first to last.

    Raises:
        ConfigError: ``FORETREE_CONFIGS`` names something that is not a folder.
    """
    inside = PACKAGE / "configs"
    built_in = inside if inside.is_dir() else PACKAGE.parent / "configs"
    own = os.environ.get("FORETREE_CONFIGS")
    if not own:
        return (built_in,)
    if not is_folder(Path(own)):
        raise ConfigError(f"FORETREE_CONFIGS names {own}, which is not a folder.")
    return Path(own), built_in


def data_directory() -> Path:
    """Return the folder for what outlasts runs: ``$FORETREE_HOME``, else ``~/.local/share/foretree``."""
    home = os.environ.get("FORETREE_HOME")
    if home:
        return Path(os.path.expanduser(home))
    data = os.environ.get("XDG_DATA_HOME")
    return (Path(data) if data else Path.home() / ".local" / "share") / "foretree"


def cache_directory() -> Path:
    """Return the folder for what can be made again: ``$XDG_CACHE_HOME/foretree``, else ``~/.cache/foretree``.

    Raises:
        RuntimeError: it is not known where the home of this user is.
    """
    cache = os.environ.get("XDG_CACHE_HOME")
    return (Path(cache) if cache else Path.home() / ".cache") / "foretree"


def config_files(kind: str, suffix: str = ".yaml") -> dict[str, Path]:
    """Every file of a kind (``scenes``, ``skills`` …) by its name without the suffix."""
    found: dict[str, Path] = {}
    for root in reversed(config_roots()):
        if (reading := _reading.get()) is not None:
            reading.folders[str(root / kind)] = folder_digest(root / kind)
        for path in sorted((root / kind).glob(f"*{suffix}")):
            found[path.stem] = path
    return dict(sorted(found.items()))


def find_config(kind: str, name: str, suffix: str = ".yaml") -> Path:
    """The file called *name* among the configs of a kind, or the file at that path.

    Raises:
        ConfigError: there is no such file; the message lists those there are.
    """
    direct = Path(name)
    if direct.suffix and is_file(direct):
        return direct
    if _reading.get() is None and direct.name == name:
        # Most often it is there: to list all the others would take longer than to look.
        for root in config_roots():
            if os.path.isfile(file := root / kind / f"{name}{suffix}"):
                return file
    files = config_files(kind, suffix)
    if name in files:
        return files[name]
    if direct.suffix:
        raise ConfigError(f"There is no file {quote(name)}. {suggest(direct.stem, files)}")
    here = Path(f"{name}{suffix}")
    if is_file(here):
        raise ConfigError(f"There is no {kind[:-1]} called {quote(name)}, but a file: say {here}.")
    raise ConfigError(f"There is no {kind[:-1]} called {quote(name)}. {suggest(name, files)}")


def is_file(path: Path) -> bool:
    """Return whether there is such a file; a name that is too long to be one is of none."""
    found = os.path.isfile(path)
    if (reading := _reading.get()) is not None:
        reading.asked[str(path)] = found
    return found


def is_folder(path: Path) -> bool:
    """Return whether there is such a folder; a name that is too long to be one is of none."""
    return os.path.isdir(path)


def read_text(path: Path, most: int = MOST_BYTES) -> str:
    """The text of a file.

    Raises:
        ConfigError: it cannot be read, is not text in UTF-8, or has more than *most* bytes.
    """
    try:
        with path.open("rb") as file:
            data = file.read(most + 1)
    except (OSError, ValueError) as error:
        raise ConfigError(f"Cannot read {path}: {reason(error)}.") from error
    record_access(path, data)
    if len(data) > most:
        raise ConfigError(f"Cannot read {path}: it has more than {most // 2**20} MiB, the most that is read.")
    try:
        return data.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ConfigError(
            f"Cannot read {path}: it is not a text file in UTF-8, from line {line} on."
        ) from error


def reason(error: Exception) -> str:
    """Return why a file cannot be used, in the system's words."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def stamp(path: Path) -> tuple[Path, int, int]:
    """Return a key for remembering what was read from a file, which changes when the file does.

    Raises:
        ConfigError: it is not there.
    """
    try:
        status = path.stat()
    except OSError as error:
        raise ConfigError(f"Cannot read {path}: {error.strerror}.") from error
    return path, status.st_mtime_ns, status.st_size


def read_yaml(path: Path) -> dict[str, Any]:
    """The mapping in a YAML file.

    Raises:
        ConfigError: with file, line and column when it is not YAML, not a mapping, or beyond all bounds.
    """
    import yaml  # many a process reads no such file

    from foretree import _yaml

    text = read_text(path)
    try:
        data = _yaml.load(text)
    except yaml.YAMLError as error:
        place, problem = _yaml.describe(error, text)
        raise ConfigError(f"{path}{place}: not valid YAML: {problem}.") from error
    if data is None:
        raise ConfigError(f"{path}: it is empty.")
    if not isinstance(data, dict):
        raise ConfigError(f"{path}: expected a mapping of keys to values, found {type(data).__name__}.")
    return data
