"""Changes to what configuration files say, for one run: ``--set scene.noise.confusion=0.1``.

They are made in what was read from a file before it is checked, so a mistake in one is found like a mistake
in the file; it only has to be reported as what it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from foretree.config import ConfigError
from foretree.file_errors import FileError
from foretree.printable import quote, shortened


@dataclass(frozen=True)
class Changes:
    """Changes to one file.

    Attributes:
        file: what the file is called in a change's name: ``scene``, or ``skill.pick``.
        values: new values by key, as text in YAML; dots lead to what is further in: ``noise.confusion``.
    """

    file: str
    values: Mapping[str, str] = field(default_factory=dict)

    def made_in(self, data: dict[str, Any]) -> dict[str, Any]:
        """*data* with the changes made.

        Raises:
            ConfigError: a value is not YAML, or a key leads into something that has no keys.
        """
        if not self.values:
            return data
        import yaml

        from foretree import _yaml

        changed = deepcopy(data)
        for key, text in self.values.items():
            try:
                value = _yaml.load(text)
            except yaml.YAMLError as error:
                _, problem = _yaml.describe(error, text)
                raise ConfigError(f"{self._name(key)}: not a valid YAML value: {problem}.") from error
            self._put(changed, key, value)
        return changed

    @contextmanager
    def blamed(self) -> Iterator[None]:
        """Report mistakes of the body's that stand where something was changed as mistakes in the change.

        Raises:
            ConfigError: there is such a mistake.
        """
        try:
            yield
        except FileError as error:
            where = [str(part) for part in error.location]
            for key in self.values:
                parts = key.split(".")
                shared = min(len(parts), len(where))
                if parts[:shared] == where[:shared]:
                    within = "" if parts == where else f"{'.'.join(where)}: "
                    raise ConfigError(f"{self._name(key)}: {within}{error.problem}") from error
            raise

    def _name(self, key: str) -> str:
        return f"--set {self.file}.{shortened(key)}={shortened(self.values[key])}"

    def _put(self, data: Any, key: str, value: Any) -> None:
        from foretree._yaml import MOST_LEVELS

        *way, last = key.split(".")
        if len(way) >= MOST_LEVELS:
            raise ConfigError(f"{self._name(key)}: nested deeper than {MOST_LEVELS} levels.")
        for part in way:
            if isinstance(data, list) and part in map(str, range(len(data))):
                data = data[int(part)]
            elif isinstance(data, dict):
                data = data.setdefault(part, {})
            else:
                raise ConfigError(
                    f"{self._name(key)}: there is nothing called {quote(part)} to look into there."
                )
        if isinstance(data, list) and last in map(str, range(len(data))):
            data[int(last)] = value
        elif isinstance(data, dict):
            data[last] = value
        else:
            raise ConfigError(f"{self._name(key)}: there is no {quote(last)} that could be set there.")
