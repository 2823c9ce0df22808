"""Checking what configuration files say against a model of what they may say.

A mistake is reported with the file, the line of the offending key, and what would have been valid there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, TypeAlias, TypeVar, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from foretree.errors import near_miss, suggest
from foretree.file_errors import KeyPath, error_at
from foretree.printable import quote

#: What values are called, by how pydantic's types of mistakes begin, and how those end that mean just that.
_VALUES = {
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "string": "text",
    "list": "a list",
    "tuple": "a list",
    "dict": "a mapping of keys to values",
    "mapping": "a mapping of keys to values",
    "model": "a mapping of keys to values",
    "dataclass": "a mapping of keys to values",
}
#: Pydantic's types of keys that are not known, in models and in dataclasses.
_UNKNOWN = ("extra_forbidden", "unexpected_keyword_argument")
_OF_ANOTHER_TYPE = ("_type", "_parsing", "_from_float")

#: What pydantic's other types of mistakes mean.
_BOUNDS = {
    "greater_than": "a number above {gt:g}",
    "greater_than_equal": "a number from {ge:g} on",
    "less_than": "a number below {lt:g}",
    "less_than_equal": "a number up to {le:g}",
    "too_short": "at least {min_length}",
    "too_long": "at most {max_length} values",
    "string_too_short": "some text",
    "string_pattern_mismatch": "text of the form {pattern}",
}
_ALTERNATIVES = "Input should be "

M = TypeVar("M")

#: Metres that anything may be from the origin: more than any floor has, and few enough to be squared.
FARTHEST = 1e6
#: A coordinate in metres.
Metres: TypeAlias = Annotated[float, Field(ge=-FARTHEST, le=FARTHEST)]
#: A position on a floor.
Position: TypeAlias = tuple[Metres, Metres]


class Strict(BaseModel):
    """A model that refuses keys it does not know."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


def validate(model: type[M], data: Mapping[str, Any], path: Path) -> M:
    """*data*, read from *path*, as the model has it, or the dataclass.

    Raises:
        ConfigError: it does not fit; with file, line and key, and what would have been valid.
    """
    try:
        return TypeAdapter(model).validate_python(data)
    except ValidationError as error:
        # A key that is misspelt is also one that is missing: the misspelling says more.
        mistakes = error.errors(include_url=False)
        mistake = next((m for m in mistakes if m["type"] in _UNKNOWN), mistakes[0])
        location = _in_the_file(mistake["loc"], data)
        if mistake["type"] in _UNKNOWN and location:
            keys = _parts(_model_at(model, location[:-1]) or model)
            problem = f"there is no such key. {suggest(str(location[-1]), keys)}"
        elif mistake["type"] == "missing":
            problem = "is missing."
        else:
            # Where several kinds of value would do, each of them complains.
            problem = describe([m for m in mistakes if _in_the_file(m["loc"], data) == location])
            said = mistake["input"]
            if mistake["type"] == "literal_error" and isinstance(said, str):
                near = near_miss(said, re.findall(r"'([^']*)'", mistake["ctx"]["expected"]))
                problem += near and f" {near}"
        raise error_at(path, location, problem) from error


def _parts(model: type[Any]) -> Mapping[str, Any]:
    """The types of what a model, or a dataclass, has, by key."""
    if is_dataclass(model):
        hints = get_type_hints(model)
        return {field.name: hints[field.name] for field in fields(model)}
    return {info.alias or name: info.annotation for name, info in model.model_fields.items()}


def _in_the_file(location: KeyPath, data: Any) -> tuple[int | str, ...]:
    """*location* without what pydantic adds to tell the alternatives of a union apart."""
    found: list[int | str] = []
    for part in location:
        if isinstance(part, str) and "[" in part and not (isinstance(data, Mapping) and part in data):
            continue
        if not isinstance(data, (Mapping, list)):
            break  # what is no mapping and no list has no parts: this names an alternative
        found.append(part)
        if isinstance(data, Mapping):
            data = data.get(part)
        else:
            data = data[part] if isinstance(part, int) and part < len(data) else None
    return tuple(found)


def describe(mistakes: Sequence[ErrorDetails]) -> str:
    """Return what would have been valid, by the complaints about a value, and what was said instead."""
    said = mistakes[0]["input"]
    instead = "but nothing is said" if said is None else f"not {quote(said)}"
    return f"expected {', or '.join(dict.fromkeys(map(_expected, mistakes)))}, {instead}."


def _expected(mistake: ErrorDetails) -> str:
    """The values that would have been valid, in words for a person who writes YAML."""
    kind, message = mistake["type"], mistake["msg"]
    if kind in _BOUNDS:
        return _BOUNDS[kind].format(**mistake["ctx"])
    value = _VALUES.get(kind.partition("_")[0]) if kind.endswith(_OF_ANOTHER_TYPE) else None
    if value is None and not message.startswith(_ALTERNATIVES):
        return f"something else ({message.removeprefix('Value error, ')})"
    return value or message.removeprefix(_ALTERNATIVES)


def _model_at(model: type[Any], location: KeyPath) -> type[Any] | None:
    """The model of what stands at *location*, if it is one of ours."""
    shape: Any = model
    for part in location:
        if _is_model(shape):
            made_of = [_parts(shape).get(str(part))]
        else:  # what a list, a tuple or a mapping is made of comes last
            made_of = [argument for argument in get_args(shape) if argument is not Ellipsis]
        if not made_of or made_of[-1] is None:
            return None
        shape = _without_none(made_of[-1])
    return shape if _is_model(shape) else None


def _is_model(shape: Any) -> bool:
    return isinstance(shape, type) and (issubclass(shape, BaseModel) or is_dataclass(shape))


def _without_none(shape: Any) -> Any:
    if get_origin(shape) not in (Union, UnionType):
        return shape
    return next(argument for argument in get_args(shape) if argument is not type(None))
