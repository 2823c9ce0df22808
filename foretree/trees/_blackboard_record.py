"""The py_trees blackboard as the run record keeps it: what changed, as short text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from itertools import islice
from operator import is_
from reprlib import Repr
from typing import Any

from py_trees.blackboard import Blackboard

from foretree.printable import shortened
from foretree.runs.events import Recorder

#: The most characters of a value.
LONGEST_VALUE = 200

#: One value is looked into at every so many looks.
_EVERY = 4

#: The most fields that are shown of one object, and the most bytes.
_MOST_FIELDS, _MOST_BYTES = 8, 16

#: Types whose values never change from within, so that it is enough to know which one it is.
_UNCHANGING = (str, int, float, bool, bytes, Enum, type(None))


class BlackboardRecord:
    """Watches the blackboard, all of it: it belongs to the process, not to a tree.

    A value that is replaced is noticed at once. To find what changed within a value, such as an item added to
    a list, it has to be turned into text again: one value at every fourth look, so that looking costs little.

    Args:
        recorder: where to.
    """

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._values: dict[str, Any] = {}
        self._texts: dict[str, str] = {}
        #: The keys of values that may change from within.
        self._changing: list[str] = []
        self._looks = 0

    def look(self) -> None:
        """Record what is not as it was at the last look."""
        now = dict(Blackboard.storage)
        before = self._values
        suspect: list[str] = []
        gone: list[str] = []
        # As a rule no key and no value is another one, which is found out without a loop of Python's.
        if list(now) != list(before) or not all(map(is_, now.values(), before.values())):
            suspect = [key for key, value in now.items() if before.get(key, self) is not value]
            gone = [key for key in before if key not in now]
            self._values = now
            self._changing = [key for key, value in now.items() if not isinstance(value, _UNCHANGING)]
        self._looks += 1
        if self._changing and self._looks % _EVERY == 0:
            suspect.append(self._changing[self._looks // _EVERY % len(self._changing)])
        changed = {}
        for key in suspect:
            text = short_text(now[key])
            if self._texts.get(key) != text:
                self._texts[key] = changed[key] = text
        for key in gone:
            del self._texts[key]
        if changed or gone:
            self._recorder.record("blackboard.changed", values=changed, removed=gone)


def short_text(value: object) -> str:
    """*value* as text for a person, of limited length.

    Only its beginning is turned into text where that is possible: a value may be a picture, or a message
    with a million numbers in it.
    """
    return shortened(_SHORT.repr(value), LONGEST_VALUE)


class _Short(Repr):
    """``reprlib``'s way to shorten, and what is long of the values that are usual on a robot."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlevel = 4
        self.maxstring = self.maxother = self.maxlong = LONGEST_VALUE

    def repr_instance(self, x: Any, level: int) -> str:
        """An object: its fields where it tells what they are, else whatever it says about itself."""
        if isinstance(x, Enum):
            return str(x)
        if isinstance(x, bytes | bytearray):
            more = ", …" if len(x) > _MOST_BYTES else ""
            return f"{bytes(x[:_MOST_BYTES])!r}{more}"
        if hasattr(x, "shape") and hasattr(x, "dtype"):
            return f"{type(x).__name__} of shape {tuple(x.shape)}, {x.dtype}"
        names = _field_names(x)
        if names is None:
            return super().repr_instance(x, level)
        if level <= 0:
            return f"{type(x).__name__}(…)"
        parts = [f"{name}={self.repr1(getattr(x, name, None), level - 1)}" for name in names[:_MOST_FIELDS]]
        if len(names) > _MOST_FIELDS:
            parts.append("…")
        return f"{type(x).__name__}({', '.join(parts)})"


def _field_names(x: Any) -> list[str] | None:
    """The fields of a dataclass, of a named tuple, or of a message of ROS; None if *x* is none of these."""
    if is_dataclass(x) and not isinstance(x, type):
        return [field.name for field in fields(x) if field.repr]
    if isinstance(x, tuple) and hasattr(x, "_fields"):
        return list(x._fields)
    tell = getattr(type(x), "get_fields_and_field_types", None)
    if tell is None:
        return None
    told = tell()
    return list(islice(told, _MOST_FIELDS + 1)) if isinstance(told, Mapping) else None


_SHORT = _Short()
