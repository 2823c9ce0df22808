"""The agent's file: its settings, and its tree as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

from foretree.agent.settings import SECRETS, Settings
from foretree.config import ConfigError, find_config, read_yaml, stamp
from foretree.config_cache import cached
from foretree.file_errors import FileError, error_at
from foretree.printable import quote

#: Settings that have an option of their own.
_OPTIONS = {"guards": "--guards", "revisers": "--reviser"}
#: Words for true and false.
_BOOLEANS = frozenset({"true", "yes", "1", "false", "no", "0"})


@dataclass(frozen=True)
class _AgentFile:
    """The content of ``configs/agents/NAME.yaml``."""

    tree: Any
    agent: str = ""
    says: str = ""
    settings: Settings = field(default_factory=Settings)

    __pydantic_config__: ClassVar[Any] = {"extra": "forbid"}


@dataclass(frozen=True)
class AgentConfig:
    """An agent's file, read: its settings and its tree, still as data."""

    name: str
    settings: Settings
    tree: Any
    source: Path


def read_agent(name: str = "default", overrides: Mapping[str, str] | None = None) -> AgentConfig:
    """Read ``configs/agents/NAME.yaml``.

    Args:
        name: its name, or the path of such a file.
        overrides: values for settings, as text: ``{"tick_hz": "20"}``.

    Raises:
        ConfigError: the file or a value makes no sense; the message says what would.
    """
    return _read_agent(stamp(find_config("agents", name)), tuple((overrides or {}).items()))


def setting_as_text(value: Any) -> str:
    """Return a setting as the text that overrides have it in."""
    return ",".join(value) or "none" if isinstance(value, (list, tuple)) else str(value)


@lru_cache(maxsize=32)
def _read_agent(stamped: tuple[Path, int, int], overrides: tuple[tuple[str, str], ...]) -> AgentConfig:
    path, *_ = stamped

    def read() -> AgentConfig:
        return _read(path, dict(overrides))

    # Secrets are not written to disk.
    secret = any(key in SECRETS for key, _ in overrides)
    return read() if secret else cached(f"agent {path} {overrides}", read)


def _read(path: Path, overrides: Mapping[str, str]) -> AgentConfig:
    from foretree.schema import validate

    data = read_yaml(path)
    settings = data.get("settings") or {}
    if isinstance(settings, dict):
        settings = {str(key): value for key, value in settings.items()} | dict(overrides)
        for key in _OPTIONS.keys() & settings.keys():
            settings[key] = _listed(settings[key])
    texts: dict[str, Any] = {
        key: "" if data[key] is None else data[key] for key in ("agent", "says") if key in data
    }
    texts = {key: str(text) if isinstance(text, (bool, int, float)) else text for key, text in texts.items()}
    try:
        if isinstance(settings, dict):
            _check_strictly(settings, path)
        file = validate(_AgentFile, {**data, **texts, "settings": settings}, path)
    except FileError as error:
        key = str(error.location[1]) if len(error.location) > 1 else ""
        if error.location[:1] != ("settings",) or key not in overrides:
            raise
        option = _OPTIONS.get(key, f"--set agent.{key}")
        none = f" For no {key} at all, write none." if key in _OPTIONS else ""
        raise ConfigError(f"{option}: {error.problem}{none}") from error
    return AgentConfig(file.agent or path.stem, file.settings, file.tree, path)


def _check_strictly(settings: Mapping[str, Any], path: Path) -> None:
    """Refuse what only looks like a whole number, or like true or false.

    Raises:
        FileError: a value is no whole number, or neither true nor false, where it has to be.
    """
    for setting in fields(Settings):
        value = settings.get(setting.name)
        if value is None or not isinstance(setting.default, int):
            continue
        if isinstance(setting.default, bool):
            expected, fits = "true or false", str(value).lower() in _BOOLEANS
        else:
            expected, fits = "a whole number", _is_whole(str(value))
        if not fits:
            raise error_at(path, ("settings", setting.name), f"expected {expected}, not {quote(value)}.")


def _is_whole(text: str) -> bool:
    try:
        int(text)
    except ValueError:
        return False
    return True


def _listed(names: Any) -> Any:
    """Names in a list, as text with commas, or none."""
    if isinstance(names, str):
        names = names.split(",")
    elif names == [""]:
        return []
    if isinstance(names, list):
        names = [name.strip() if isinstance(name, str) else name for name in names]
    return [] if names in (None, ["none"]) else names
