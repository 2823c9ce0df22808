"""The agent's file: its settings, and its tree as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

from foretree.agent.settings import SECRETS, Settings
from foretree.config import ConfigError, find_config, read_yaml, stamp
from foretree.config_cache import cached
from foretree.file_errors import FileError

#: Settings that have an option of their own.
_OPTIONS = {"guards": "--guards", "revisers": "--reviser"}


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
    try:
        file = validate(_AgentFile, {**data, "settings": settings}, path)
    except FileError as error:
        key = str(error.location[1]) if len(error.location) > 1 else ""
        if error.location[:1] != ("settings",) or key not in overrides:
            raise
        option = _OPTIONS.get(key, f"--set agent.{key}")
        none = f" For no {key} at all, write none." if key in _OPTIONS else ""
        raise ConfigError(f"{option}: {error.problem}{none}") from error
    return AgentConfig(file.agent or path.stem, file.settings, file.tree, path)


def _listed(names: Any) -> Any:
    """Names in a list, as text with commas, or none."""
    if isinstance(names, str):
        names = [name.strip() for name in names.split(",")]
    return [] if names in (None, ["none"]) else names
