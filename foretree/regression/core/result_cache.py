"""Results kept as they come in, so that a suite that was interrupted can be taken up again.

They are lines of JSON in a file. The first line says what they are results of; results of anything else are
refused. A last line that is cut short, as by a power cut, is left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import IO, Any

from foretree.config import PACKAGE
from foretree.errors import ForetreeError


class ResultCacheError(ForetreeError):
    """A file of results cannot be read, or is of something else."""


class ResultCache:
    """A file of results, by name.

    Args:
        path: where it is, or will be.
        of: what they are results of: the same file takes no others.

    Raises:
        ResultCacheError: it cannot be read or written, or has results of something else.
    """

    def __init__(self, path: Path, of: Mapping[str, str]) -> None:
        self.path = path
        self._of = dict(of)
        self._found: dict[str, dict[str, Any]] = {}
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            end = self._read() if path.exists() else 0
            self._file: IO[str] = path.open("r+" if end else "w", encoding="utf-8")
            self._file.seek(end)
            self._file.truncate()
            if not end:
                self._write({"results of": self._of})
        except OSError as error:
            raise ResultCacheError(f"Cannot keep results in {path}: {error.strerror}.") from error

    def get(self, key: str) -> dict[str, Any] | None:
        """The result of that name; None if there is none."""
        return self._found.get(key)

    def add(self, key: str, result: Mapping[str, Any]) -> None:
        """Keep a result.

        Raises:
            ResultCacheError: that is not possible.
        """
        self._found[key] = dict(result)
        try:
            self._write({"key": key, "result": result})
        except OSError as error:
            raise ResultCacheError(f"Cannot keep results in {self.path}: {error.strerror}.") from error

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _write(self, data: Mapping[str, Any]) -> None:
        self._file.write(json.dumps(data) + "\n")
        self._file.flush()

    def _read(self) -> int:
        """Read what is there; the number of bytes that are whole."""
        end = 0
        for number, line in enumerate(self.path.read_bytes().splitlines(keepends=True), 1):
            if not line.endswith(b"\n"):
                break  # written when the power went
            try:
                entry = json.loads(line)
                if number == 1:
                    self._check(dict(entry["results of"]))
                else:
                    self._found[entry["key"]] = entry["result"]
            except (ValueError, KeyError, TypeError) as error:
                raise ResultCacheError(
                    f"{self.path}:{number}: this is no line of a file of results. Delete the file to begin "
                    "anew, or keep results in another folder."
                ) from error
            end += len(line)
        return end

    def _check(self, of: Mapping[str, str]) -> None:
        for what, mine in self._of.items():
            theirs = of.get(what, "")
            if theirs != mine:
                instead = f"{theirs or 'none'}, not {mine or 'none'}"
                raise ResultCacheError(
                    f"{self.path} keeps results of another {what} ({instead}), which cannot be mixed with "
                    "these. Delete the file to begin anew, or keep results in another folder."
                )


def code_files() -> Sequence[Path]:
    """All modules of the package: results depend on them."""
    return sorted(PACKAGE.rglob("*.py"))


def digest(paths: Iterable[Path]) -> str:
    """Digest of the contents of those files that are there."""
    read = (path.read_bytes() for path in paths if path.is_file())
    return sha256(b"".join(sha256(content).digest() for content in read)).hexdigest()[:12]
