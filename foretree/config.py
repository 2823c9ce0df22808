"""Where configuration files are, and how they are read.

``configs/`` is one tree of data that a user edits: domains, skills, scenes, robots, agents, suites. In a
checkout it lies beside the package; in an installed wheel it lies inside it. ``FORETREE_CONFIGS`` names a
further tree that is searched first, so that a user's own files can stand beside, or in place of, ours.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import yaml

from foretree.errors import ForetreeError, suggest


class ConfigError(ForetreeError):
    """A configuration file is missing, unreadable, or says something that makes no sense."""


def config_roots() -> tuple[Path, ...]:
    """The trees that are searched, first to last.

    Raises:
        ConfigError: ``FORETREE_CONFIGS`` names something that is not a folder.
    """
    package = Path(__file__).resolve().parent
    inside = package / "configs"
    built_in = inside if inside.is_dir() else package.parent / "configs"
    own = os.environ.get("FORETREE_CONFIGS")
    if not own:
        return (built_in,)
    if not Path(own).is_dir():
        raise ConfigError(f"FORETREE_CONFIGS names {own}, which is not a folder.")
    return Path(own), built_in


def data_directory() -> Path:
    """Where what outlasts runs is kept: ``$FORETREE_HOME``, ``~/.local/share/foretree`` unless set."""
    home = os.environ.get("FORETREE_HOME")
    if home:
        return Path(home).expanduser()
    data = os.environ.get("XDG_DATA_HOME")
    return (Path(data) if data else Path.home() / ".local" / "share") / "foretree"


def config_files(kind: str, suffix: str = ".yaml") -> dict[str, Path]:
    """Every file of a kind (``scenes``, ``skills`` …) by its name without the suffix."""
    found: dict[str, Path] = {}
    for root in reversed(config_roots()):
        for path in sorted((root / kind).glob(f"*{suffix}")):
            found[path.stem] = path
    return dict(sorted(found.items()))


def find_config(kind: str, name: str, suffix: str = ".yaml") -> Path:
    """The file called *name* among the configs of a kind, or the file at that path.

    Raises:
        ConfigError: there is no such file; the message lists those there are.
    """
    direct = Path(name)
    if direct.suffix and direct.is_file():
        return direct
    files = config_files(kind, suffix)
    if name in files:
        return files[name]
    if direct.suffix:
        raise ConfigError(f"There is no file {name}. Known {kind}: {', '.join(files)}.")
    here = Path(f"{name}{suffix}")
    if here.is_file():
        raise ConfigError(f"There is no {kind[:-1]} called {name!r}, but a file: say {here}.")
    raise ConfigError(f"There is no {kind[:-1]} called {name!r}. {suggest(name, files)}")


def stamp(path: Path) -> tuple[Path, int, int]:
    """What tells a file from what it was before it was changed: for remembering what was read from it.

    Raises:
        ConfigError: it is not there.
    """
    try:
        status = path.stat()
    except OSError as error:
        raise ConfigError(f"Cannot read {path}: {error.strerror}.") from error
    return path, status.st_mtime_ns, status.st_size


def read_yaml(path: Path) -> dict[str, Any]:
    """The mapping in a YAML file.

    Raises:
        ConfigError: with file, line and column when it is not YAML, or not a mapping.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"Cannot read {path}: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"Cannot read {path}: it is not a text file in UTF-8.") from error
    try:
        data = parse_yaml(text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f"{path}:{mark.line + 1}:{mark.column + 1}" if mark else str(path)
        problem = getattr(error, "problem", None) or str(error)
        raise ConfigError(f"{place}: not valid YAML: {problem}.") from error
    if data is None:
        raise ConfigError(f"{path}: it is empty.")
    if not isinstance(data, dict):
        raise ConfigError(f"{path}: expected a mapping of keys to values, found {type(data).__name__}.")
    return data


def parse_yaml(text: str) -> Any:
    """What *text* says in YAML, as configuration files have it.

    Raises:
        yaml.YAMLError: it is not YAML.
    """
    return yaml.load(text, Loader=_Loader)


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """Safe YAML in which ``on``, ``off``, ``yes`` and ``no`` are words: ``on`` is a predicate here.

    A key that stands twice is a mistake: YAML would silently drop what the first one says.
    """

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode):
                if key.value in seen:
                    raise yaml.constructor.ConstructorError(
                        None, None, f"the key {key.value!r} stands here for the second time", key.start_mark
                    )
                seen.add(key.value)
        mapping: dict[Any, Any] = super().construct_mapping(node, deep)
        return mapping


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:bool"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:bool", re.compile(r"^(?:true|True|false|False)$"), list("tTfF")
)
