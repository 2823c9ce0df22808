"""A cache on disk of what was read from configuration files: reading them takes longer than planning.

An entry holds as long as the files say what they said, the folders have the names that they had, and the code
is what it was. It is only ever a short cut: where there is none, or none that holds, the files are read.

Entries are pickles, which can run code. So none is taken that another user could have written, and only
classes of data are made of one.
"""

from __future__ import annotations

import io
import json
import os
import pickle
import stat
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import is_dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from foretree.config import (
    FileAccesses,
    cache_directory,
    config_roots,
    digest,
    find_config,
    folder_digest,
    is_file,
    recorded_accesses,
    stamp,
)
from foretree.locking import make_private_folder

T = TypeVar("T")

#: So many entries are kept: those that were written last.
_MOST_ENTRIES = 32
#: What entries are made of besides dataclasses of ours.
_CLASSES = frozenset(
    {
        ("foretree.world_model.maps.places", "PlaceGraph"),
        *((module, "PosixPath") for module in ("pathlib", "pathlib._local")),
        *((module, "WindowsPath") for module in ("pathlib", "pathlib._local")),
    }
)


class StaleEntryError(Exception):
    """A cache entry is out of date, or cannot be trusted."""


def cached(name: str, read: Callable[[], T]) -> T:
    """Return what *read* makes of configuration files.

    Args:
        name: tells it from what else is made of such files.
        read: is asked where nothing is kept that still holds. What it makes depends on *name*, on the
            environment variables that say where configuration files are, and on what
            :func:`foretree.config.recorded_accesses` records, alone.

    Raises:
        ForetreeError: *read* raised it.
    """
    key = digest("\0".join([name, str(sys.implementation.cache_tag), *map(str, config_roots())]).encode())
    try:
        path = cache_directory() / f"{key}.kept"
    except RuntimeError:  # this user has no home
        return read()
    try:
        return _Data(io.BytesIO(_entry(path))).load()  # type: ignore[no-any-return]
    except Exception:  # however it was damaged, what is read takes its place
        pass
    with recorded_accesses() as reading:
        made = read()
    with suppress(OSError):
        _keep(path, made, reading)
    return made


def cached_file(folder: str, name: str, read: Callable[[Path], T]) -> T:
    """Return what *read* makes of a configuration file, which this process keeps until the file changes.

    Args:
        folder: of the configuration files.
        name: of the file, without its ending; tells it from what else is cached.
        read: see :func:`cached`; it is given the path of the file.

    Raises:
        ForetreeError: *read* raised it.
    """
    kept: T = _of_file(folder, name, stamp(find_config(folder, name)), read)
    return kept


@lru_cache(maxsize=16)
def _of_file(folder: str, name: str, file: tuple[Path, int, int], read: Callable[[Path], Any]) -> Any:
    del file  # it tells versions of the file apart
    # Found again by the reader: an entry on disk holds as long as no other file is found first.
    return cached(name, lambda: read(find_config(folder, name)))


def _entry(path: Path) -> bytes:
    """The content of a cache file that still holds.

    Raises:
        StaleEntryError: it does not.
        OSError, ValueError, KeyError: there is no such file, or it is damaged.
    """
    number = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    with os.fdopen(number, "rb") as file:
        status = os.fstat(number)
        if not stat.S_ISREG(status.st_mode) or _is_foreign(status):
            raise StaleEntryError
        known = json.loads(file.readline())
        entry = file.read()
    holds = (
        all(_stamp(path) == stamp for path, stamp in known["code"].items())
        and all(folder_digest(folder) == names for folder, names in known["folders"].items())
        and all(is_file(path) == was for path, was in known["asked"].items())
        and all(digest(Path(path).read_bytes()) == said for path, said in known["files"].items())
        and digest(entry) == known["entry"]
    )
    if not holds:
        raise StaleEntryError
    return entry


def _is_foreign(status: os.stat_result) -> bool:
    """Tell whether another user could have written it."""
    if not hasattr(os, "geteuid"):  # Windows keeps the folders of its users apart
        return False
    return status.st_uid != os.geteuid() or bool(status.st_mode & (stat.S_IWGRP | stat.S_IWOTH))


def _keep(path: Path, made: object, reading: FileAccesses) -> None:
    if not all(map(os.path.isabs, (*reading.files, *reading.folders, *reading.asked))):
        return  # elsewhere, the same names are other files
    entry = pickle.dumps(made, protocol=pickle.HIGHEST_PROTOCOL)
    known = {
        "code": _code(),
        "folders": reading.folders,
        "asked": reading.asked,
        "files": reading.files,
        "entry": digest(entry),
    }
    make_private_folder(path.parent)
    unready = path.with_name(f".{path.name}.{os.getpid()}")
    number = os.open(unready, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(number, "wb") as file:
            file.write(json.dumps(known).encode() + b"\n" + entry)
        os.replace(unready, path)
    except BaseException:
        unready.unlink(missing_ok=True)
        raise
    by_age = sorted(path.parent.iterdir(), key=lambda entry: entry.stat().st_mtime, reverse=True)
    for old in by_age[_MOST_ENTRIES:]:
        old.unlink(missing_ok=True)


def _code() -> dict[str, list[int]]:
    """The state of our modules that are loaded: those that have read what is to be kept are among them."""
    modules = [module for name, module in list(sys.modules.items()) if name.split(".")[0] == __package__]
    files = [file for module in modules if (file := getattr(module, "__file__", None))]
    return {file: _stamp(file) for file in files}


def _stamp(path: str) -> list[int]:
    status = os.stat(path)
    return [status.st_mtime_ns, status.st_size]


class _Data(pickle.Unpickler):
    """Makes data of what was kept, and nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in _CLASSES:
            return super().find_class(module, name)
        if module.split(".")[0] == __package__:
            found = super().find_class(module, name)
            if isinstance(found, type) and is_dataclass(found) and found.__module__ == module:
                return found
        raise StaleEntryError
