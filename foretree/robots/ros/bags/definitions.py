"""Definitions of message types, with all that they consist of, as bags hold them."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeAlias

from foretree.errors import ForetreeError

#: Returns the text of a ``.msg`` file by the name of its type (``sensor_msgs/msg/Image``).
ReadDefinition: TypeAlias = Callable[[str], str]

#: A field's type at the start of a line: maybe with a package, without the brackets of an array.
_FIELD = re.compile(r"^\s*(?:([a-z]\w*)/)?([A-Z]\w*)(?:\[[^\]]*\])?\s+\w+", re.M)
_RULE = "=" * 80


class DefinitionError(ForetreeError):
    """The definition of a message type is not there."""


def definition_of(type_name: str, read: ReadDefinition) -> str:
    """Return the definition of a type followed by those of all types in it, as a bag's schema holds them.

    Raises:
        DefinitionError: one of them is not there.
    """
    parts = [read(type_name).strip()]
    done, todo = {type_name}, list(_types_in(parts[0], type_name))
    while todo:
        name = todo.pop(0)
        if name in done:
            continue
        done.add(name)
        text = read(name).strip()
        package, _, short = name.split("/")
        parts.append(f"{_RULE}\nMSG: {package}/{short}\n{text}")
        todo += _types_in(text, name)
    return "\n".join(parts) + "\n"


def installed_definition(type_name: str) -> str:
    """Return the text of the ``.msg`` file of a type, from the ROS that is sourced.

    Raises:
        DefinitionError: it is not there.
    """
    package, _, short = type_name.split("/")
    for prefix in os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep):
        path = Path(prefix, "share", package, "msg", f"{short}.msg")
        if prefix and path.is_file():
            return path.read_text(encoding="utf-8")
    raise DefinitionError(
        f"The definition of {type_name} is not there: no share/{package}/msg/{short}.msg in the workspaces "
        "that are sourced (AMENT_PREFIX_PATH). A bag cannot hold messages without it."
    )


def _types_in(text: str, of: str) -> Iterable[str]:
    own = of.split("/")[0]
    for package, short in _FIELD.findall(text):
        yield f"{package or own}/msg/{short}"
