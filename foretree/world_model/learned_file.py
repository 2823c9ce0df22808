"""Files of what was learned in runs: JSON in the data directory, which several runs may add to."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from foretree.errors import ForetreeError

M = TypeVar("M", bound=BaseModel)

_ADVICE = "Repair it, or move it away to start afresh."


def read_learned(path: Path, model: type[M], kind: type[ForetreeError]) -> M | None:
    """The contents of a file; None if there is no such file.

    Args:
        path: the file.
        model: what it has to say.
        kind: the error to raise.

    Raises:
        ForetreeError: of that kind: the file cannot be read, or is not what was written.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not text in UTF-8"
        raise kind(f"Cannot read {path}: {why}. {_ADVICE}") from error
    try:
        return model.model_validate_json(text)
    except ValueError as error:
        raise kind(f"{path}: {_what_is_wrong(error)} {_ADVICE}") from error


def replace_learned(path: Path, data: Mapping[str, Any]) -> None:
    """Replace a file atomically, so that a reader never finds a part of it only.

    Raises:
        OSError: it cannot be written.
    """
    text = json.dumps(data, indent=1, sort_keys=True) + "\n"
    number, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(number, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _what_is_wrong(error: ValueError) -> str:
    if not isinstance(error, ValidationError):
        return f"{error}."
    mistake = error.errors(include_url=False, include_context=False)[0]
    where = ".".join(map(str, mistake["loc"]))
    return f"{where + ': ' if where else ''}{mistake['msg']}."
