"""The classes of a survey: as they are named in arguments, in a file, or in a scene."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from pathlib import Path

from foretree.config import ConfigError, read_text
from foretree.printable import quote
from foretree.world_model.ontology import plain

_NAME = re.compile(r"[^\W_][\w' -]*")
#: A longer name is no class of objects.
_LONGEST = 60


def read_class_names(path: Path) -> list[str]:
    """Read names of classes from a file: one per line, or in the first column of a CSV file.

    Raises:
        ConfigError: it cannot be read, or names nothing.
    """
    names: list[str] = []
    for line in read_text(path).removeprefix("\ufeff").splitlines():
        text = line.partition("#")[0].strip()
        if text:
            names.append(next(csv.reader([text]), [""])[0])
    if names and plain(names[0]) in ("object", "objects", "class", "name"):
        del names[0]
    if not names:
        raise ConfigError(f"{path} names no class; write one per line.")
    return names


def clean_class_names(names: Iterable[str]) -> list[str]:
    """Return names as the mapping writes them, ``coffee_mug``, each once.

    Raises:
        ConfigError: one of them cannot be the name of a class.
    """
    cleaned: dict[str, None] = {}
    for name in names:
        text = plain(name)
        if not name.isprintable() or len(text) > _LONGEST or not _NAME.fullmatch(text):
            raise ConfigError(f"{quote(name)} is no name of a class, such as mug or coffee machine.")
        cleaned[text.replace(" ", "_")] = None
    return list(cleaned)
