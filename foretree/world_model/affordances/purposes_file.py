"""The file of what things are for: ``configs/affordances/purposes.yaml``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import Field

from foretree.config import read_yaml
from foretree.file_errors import error_at
from foretree.schema import Strict, validate
from foretree.world_model.affordances.purpose import Purpose, Purposes
from foretree.world_model.ontology import plain

_Name = Annotated[str, Field(min_length=1)]


class _Purpose(Strict):
    made: tuple[_Name, ...] = Field(min_length=1)
    serves: tuple[_Name, ...] = ()
    words: tuple[_Name, ...] = ()


class _Purposes(Strict):
    purposes: dict[_Name, _Purpose] = Field(min_length=1)
    alone: tuple[_Name, ...] = ()


def read_purposes(path: Path) -> Purposes:
    """Read the file.

    Raises:
        ConfigError: with the file, the line, the key and what is valid there.
    """
    read = validate(_Purposes, read_yaml(path), path)
    for name, purpose in read.purposes.items():
        for key, listed in (("made", purpose.made), ("serves", purpose.serves)):
            twice = next((one for at, one in enumerate(listed) if one in listed[:at]), None)
            if twice is not None:
                raise error_at(path, ("purposes", name, key), f"{twice!r} is listed for the second time.")
    return Purposes(
        tuple(
            Purpose(name, tuple(map(plain, one.made)), tuple(map(plain, one.serves)), one.words)
            for name, one in read.purposes.items()
        ),
        frozenset(map(plain, read.alone)),
    )
