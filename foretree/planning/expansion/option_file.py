"""Expansion options as YAML says them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, StrictBool, StrictInt, StrictStr

from foretree.file_errors import FileError, error_at
from foretree.planning.expansion.expansion_errors import ExpansionOptionError
from foretree.planning.expansion.options import USUAL_HANDS, Expansion
from foretree.schema import Strict, validate


def _listed(value: Any) -> Any:
    return (value,) if isinstance(value, str) else value


#: One name may stand without brackets where several can stand.
_Names = Annotated[tuple[StrictStr, ...], BeforeValidator(_listed)]


class _Options(Strict):
    navigation: StrictBool = False
    doors: StrictBool = False
    hands: StrictBool | StrictInt = False
    costs: StrictBool = False
    robots: StrictBool | StrictInt = False
    carry: _Names = ()
    mobile: _Names = ()
    two_handed: _Names = ()
    placeless: _Names = ()
    nesting: StrictInt = 2
    hand_free: StrictStr | None = None
    holding: _Names = ()
    door_open: StrictStr | None = None


def read_expansion(data: Mapping[str, Any], path: Path, location: tuple[str, ...] = ()) -> Expansion:
    """The options in a mapping of a YAML file: the attributes of :class:`Expansion`.

    ``hands: true`` means two hands, ``robots: true`` one robot.

    Args:
        data: what stands there.
        path: the file, for messages.
        location: the keys under which it stands in the file.

    Raises:
        FileError: it does not say what it should; with file, line and key.
    """
    try:
        options = validate(_Options, data, path).model_dump()
        for name, usual in (("hands", USUAL_HANDS), ("robots", 1)):
            if isinstance(options[name], bool):
                options[name] = usual if options[name] else None
        return Expansion(**options)
    except FileError as error:
        raise error_at(path, (*location, *error.location), error.problem) from error
    except ExpansionOptionError as error:
        where = location if error.option is None else (*location, error.option)
        raise error_at(path, where, error.problem) from error
