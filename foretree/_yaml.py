"""YAML as configuration files have it, read within bounds: a few letters can stand for a billion values.

What has anchors, or could be nested deeply, is looked through first, event by event: PyYAML follows nesting
by recursion in C until the stack overflows, and lets aliases repeat each other without end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from typing import Any

import yaml

from foretree.printable import quote, shortened

#: Levels of lists and mappings in each other, aliases followed: deeper than a person writes.
MOST_LEVELS = 100
#: The words of PyYAML, from 6.0.4 on, for what is nested far deeper than that.
_TOO_DEEP = "exceeded maximum nesting depth"
#: Values in a file of any size, aliases followed.
FREE_VALUES = 10_000
#: Values for each character of a larger file: without aliases there is less than one.
VALUES_PER_CHARACTER = 4
#: Characters that open a list or a mapping, as many as PyYAML may follow into each other.
_OPENERS, _MOST_OPENERS = "[{:-?", 5000
#: Letters of a number: more cannot be meant, and Python takes its time over them.
MOST_DIGITS = 100

#: The parser: that of libyaml, where it is there.
_Parser = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

#: The tags of YAML that configuration files have a use for.
_NULL, _INT, _FLOAT, _BOOL, _TEXT, _LIST, _MAPPING, _MERGE = (
    f"tag:yaml.org,2002:{name}" for name in ("null", "int", "float", "bool", "str", "seq", "map", "merge")
)


def load(text: str) -> Any:
    """Return what *text* says.

    Raises:
        yaml.YAMLError: it is not YAML, or more than a configuration file can need.
    """
    with _reading(text) as loader:
        return loader.get_single_data()


def compose(text: str) -> yaml.Node | None:
    """Return the nodes of *text*, which know their lines.

    Raises:
        yaml.YAMLError: as :func:`load` does.
    """
    with _reading(text) as loader:
        return loader.get_single_node()


def describe(error: yaml.YAMLError, text: str) -> tuple[str, str]:
    """Return the place of an error in *text*, as ``:line:column`` or empty, and the problem."""
    mark, position = getattr(error, "problem_mark", None), getattr(error, "position", None)
    place = f":{mark.line + 1}:{mark.column + 1}" if mark else ""
    if mark is None and isinstance(position, int):
        place = f":{text.count(chr(10), 0, position) + 1}"
    problem = getattr(error, "problem", None) or getattr(error, "reason", None) or str(error)
    problem = " ".join(str(problem).split()).rstrip(".")
    return place, f"nested deeper than {MOST_LEVELS} levels" if problem == _TOO_DEEP else problem


@contextmanager
def _reading(text: str) -> Iterator[_Loader]:
    try:
        loader = _Loader(text)
    except UnicodeEncodeError as error:  # as a command line can contain
        raise yaml.YAMLError(f"character {error.start + 1} is none of Unicode") from error
    try:
        yield loader
    finally:
        loader.dispose()


class _Loader(_Parser):  # type: ignore[valid-type,misc]
    """Safe YAML in which ``on``, ``off``, ``yes`` and ``no`` are words: ``on`` is a predicate here.

    So are dates. A key that stands twice is a mistake: YAML would silently drop what the first one says.
    """

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._text = text
        self._is_plain = "&" not in text and sum(map(text.count, _OPENERS)) <= _MOST_OPENERS

    def get_single_node(self) -> yaml.Node | None:
        """The root of the document."""
        if not self._is_plain:
            _check_aliases(self._text)
        root: yaml.Node | None = super().get_single_node()
        if self._is_plain:
            _check_levels(root)
        return root

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode):
                if key.value in seen:
                    raise _mistake(
                        f"the key {quote(key.value)} stands here for the second time", key.start_mark
                    )
                seen.add(key.value)
        mapping: dict[Any, Any] = super().construct_mapping(node, deep)
        return mapping

    def construct_value(self, node: yaml.ScalarNode) -> Any:
        """A number, or true or false; the tag may stand before something that is no such thing."""
        kind = node.tag.rpartition(":")[2]
        make = getattr(yaml.constructor.SafeConstructor, f"construct_yaml_{kind}")
        if isinstance(node.value, str) and len(node.value) > MOST_DIGITS:
            raise _mistake(f"a number of {len(node.value):,} characters", node.start_mark)
        try:
            return make(self, node)
        except (ValueError, KeyError, IndexError) as error:
            raise _mistake(f"{quote(node.value)} is no !!{kind}", node.start_mark) from error


def _check_aliases(text: str) -> None:
    """Look at the depth and the number of values of a text, aliases followed.

    Raises:
        yaml.YAMLError: it is nested too deeply, has too many values, or an alias of nothing.
    """
    most = max(FREE_VALUES, VALUES_PER_CHARACTER * len(text))
    sizes: dict[str, tuple[int, int]] = {}  # values and levels, by anchor
    open_: list[tuple[str | None, Any, list[tuple[int, int]]]] = []  # anchor, place, sizes of what is in it
    documents = 0
    for event in yaml.parse(text, Loader=_Parser):
        anchor, mark = getattr(event, "anchor", None), event.start_mark
        size = 1, 0
        if isinstance(event, yaml.CollectionStartEvent):
            open_.append((anchor, mark, []))
            if len(open_) > MOST_LEVELS:
                raise _mistake(f"nested deeper than {MOST_LEVELS} levels", mark)
            continue
        if isinstance(event, yaml.CollectionEndEvent):
            anchor, mark, below = open_.pop()
            size = 1 + sum(values for values, _ in below), 1 + max((levels for _, levels in below), default=0)
            if size[0] > most:
                problem = f"its aliases make it more than {most:,} values: no file of this size"
                raise _mistake(f"{problem} can need so many", mark)
        elif isinstance(event, yaml.AliasEvent):
            name, anchor = str(anchor), None
            if name in [around for around, *_ in open_]:
                raise _mistake(f"*{shortened(name)} stands inside of itself", mark)
            if name not in sizes:
                raise _mistake(f"there is no &{shortened(name)} before this alias", mark)
            size = sizes[name]
            if len(open_) + size[1] > MOST_LEVELS:
                raise _mistake(f"nested deeper than {MOST_LEVELS} levels", mark)
        elif not isinstance(event, yaml.ScalarEvent):
            documents += isinstance(event, yaml.DocumentStartEvent)
            if documents > 1:
                raise _mistake("there is a second document; a file has one", mark)
            continue
        if anchor in sizes:
            raise _mistake(f"the anchor &{shortened(anchor)} stands here for the second time", mark)
        if anchor is not None:
            sizes[anchor] = size
        if open_:
            open_[-1][2].append(size)


def _check_levels(root: yaml.Node | None) -> None:
    """Look at the depth of nodes without aliases.

    Raises:
        yaml.YAMLError: they are nested too deeply.
    """
    level = [root] if isinstance(root, yaml.CollectionNode) else []
    for _ in range(MOST_LEVELS):
        below = []
        for node in level:
            parts = chain.from_iterable(node.value) if type(node) is yaml.MappingNode else node.value
            below.extend([part for part in parts if type(part) is not yaml.ScalarNode])
        level = below
        if not level:
            return
    raise _mistake(f"nested deeper than {MOST_LEVELS} levels", level[0].start_mark)


def _mistake(problem: str, mark: Any) -> yaml.YAMLError:
    return yaml.constructor.ConstructorError(None, None, problem, mark)


#: What YAML 1.1 takes for a number of base 60: times, such as 12:30, which are text here.
_TIME = re.compile(r"^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$")
_Loader.yaml_implicit_resolvers = {
    first: ([(_TEXT, _TIME)] if first in "-+0123456789" else [])
    + [(tag, pattern) for tag, pattern in resolvers if tag in (_INT, _FLOAT, _NULL, _MERGE)]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver(_BOOL, re.compile(r"^(?:true|True|false|False)$"), list("tTfF"))
_Loader.yaml_constructors = {
    tag: make
    for tag, make in yaml.SafeLoader.yaml_constructors.items()
    if tag in (_NULL, _TEXT, _LIST, _MAPPING, None)  # None is for all others, which it refuses
}
for _tag in (_INT, _FLOAT, _BOOL):
    _Loader.add_constructor(_tag, _Loader.construct_value)
