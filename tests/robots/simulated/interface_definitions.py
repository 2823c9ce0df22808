"""The definitions of ``foretree_interfaces``, as ``rosbags`` reads them: without ROS."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

SOURCES = Path(__file__).parents[3] / "ros" / "foretree_interfaces"
STORE = get_typestore(Stores.ROS2_JAZZY)


def _register():
    known = {}
    for path in (SOURCES / "msg").glob("*.msg"):
        known.update(get_types_from_msg(path.read_text(), f"foretree_interfaces/msg/{path.stem}"))
    parts = {"action": ("Goal", "Result", "Feedback"), "srv": ("Request", "Response")}
    for folder, names in parts.items():
        for path in (SOURCES / folder).glob(f"*.{folder}"):
            for part, text in zip(names, path.read_text().split("\n---\n"), strict=True):
                known.update(get_types_from_msg(text, f"foretree_interfaces/msg/{path.stem}_{part}"))
    STORE.register(known)


_register()


def over_ros(kind, fields):
    """The fields of a message after it was packed as CDR and unpacked again."""
    kind = f"foretree_interfaces/msg/{kind}"
    packed = bytes(STORE.serialize_cdr(_message(kind, fields), kind))
    return _fields(STORE.deserialize_cdr(packed, kind))


def _message(kind, fields):
    """The message of a mapping that has all its fields, and no others."""
    definition = dict(STORE.get_msgdef(kind).fields)
    definition.pop("structure_needs_at_least_one_member", None)
    assert definition.keys() == fields.keys()
    return SimpleNamespace(
        **{name: _value(node, fields[name]) for name, node in definition.items()}, __msgtype__=kind
    )


def _value(node, value):
    sort, what = int(node[0]), node[1]
    if sort == 1:  # a primitive
        return value
    if sort == 2:  # a message
        return _message(what, value)
    inner = what[0]
    if int(inner[0]) == 1 and inner[1][0] != "string":
        return np.array(value, dtype=inner[1][0])
    return [_value(inner, each) for each in value]


def _fields(value):
    if hasattr(value, "__msgtype__"):
        names = (
            [name for name in vars(value) if not name.startswith("__")] if hasattr(value, "__dict__") else []
        )
        names = names or [name for name, _ in STORE.get_msgdef(value.__msgtype__).fields]
        return {name: _fields(getattr(value, name)) for name in names}
    if isinstance(value, np.ndarray):
        return value.tolist()
    return [_fields(each) for each in value] if isinstance(value, list) else value
