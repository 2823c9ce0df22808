"""Reports read back from the JSON that a run has written."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from foretree.regression.core.selection import Selection, SuiteError
from foretree.regression.core.trial import TrialResult
from foretree.regression.reports.suite_report import SuiteReport
from foretree.regression.suites import KINDS

#: Seconds that no run takes.
_TOO_LONG = 1e12
#: A field of episodes by which the kind of a report is told that does not say it itself.
_TELLTALE = {"scenario": "sessions", "task": "planning", "label": "homes", "ours": "pddl"}


@dataclass(frozen=True)
class SavedReport:
    """A report on a suite, as a run has written it.

    Attributes:
        path: its file.
        data: what it says.
        report: the class of the report.
        episodes: its episodes.
    """

    path: Path
    data: dict[str, Any]
    report: type[SuiteReport[Any, Any]]
    episodes: tuple[TrialResult, ...]

    @property
    def suite(self) -> str:
        """The name of the suite."""
        return str(self.data["suite"])

    @property
    def selection(self) -> Selection:
        """Selection of the suite that was run.

        Raises:
            SuiteError: the report does not say it, or it makes no sense.
        """
        if "selection" not in self.data:
            raise SuiteError(
                f"{self.path} does not say what was selected: it was written by an older Foretree."
            )
        try:
            selection = TypeAdapter(Selection).validate_python(self.data["selection"])
        except (ValidationError, RecursionError) as error:
            raise SuiteError(f"{self.path} has a selection that makes no sense.") from error
        shard = selection.shard
        if shard is not None and not 1 <= shard.index <= shard.of:
            raise SuiteError(f"{self.path} has a shard that makes no sense: index and of are to be 1 to of.")
        return selection

    def said(self, field: str) -> Any:
        """The fields about the run as a whole: whether that was ``complete``, its seconds.

        Raises:
            SuiteError: it does not say it.
        """
        if field not in self.data:
            raise SuiteError(f"{self.path} lacks {field!r}, which every report on a suite has.")
        return self.data[field]


def read_saved_report(path: Path) -> SavedReport:
    """Read a JSON report, or the one that is in a folder.

    Raises:
        SuiteError: there is none, or it cannot be read.
    """
    file = _file_in(path) if path.is_dir() else path
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        episodes = data["episodes"]
        kind = data.get("kind") or _told_by(episodes)
        report = KINDS[kind].load()[2]
        read = TypeAdapter(report.result).validate_python
        results = tuple(read(episode) for episode in episodes)
        str(data["suite"])
        _check(file, data)
    except OSError as error:
        raise SuiteError(f"Cannot read {file}: {error.strerror}.") from error
    except (ValueError, KeyError, TypeError, AttributeError, ValidationError, RecursionError) as error:
        raise SuiteError(
            f"{file} is no report on a suite: name the JSON that foretree regress -o FOLDER has written."
        ) from error
    return SavedReport(file, data, report, results)


def _check(file: Path, data: dict[str, Any]) -> None:
    """Refuse what is there but makes no sense; older reports may lack it."""
    if not isinstance(data.get("complete", True), bool):
        raise SuiteError(f"{file} is no report on a suite: 'complete' is to be true or false.")
    for field in ("wall", "processor"):
        seconds = data.get(field, 0.0)
        if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not 0 <= seconds < _TOO_LONG:
            raise SuiteError(f"{file} is no report on a suite: {field!r} is to be a number of seconds.")


def _file_in(folder: Path) -> Path:
    found = sorted(folder.glob("*.json"))
    if len(found) == 1:
        return found[0]
    among = f" It has {', '.join(path.name for path in found)}: name one." if found else ""
    raise SuiteError(f"{folder} is to have one JSON report, as foretree regress -o writes it.{among}")


def _told_by(episodes: list[dict[str, Any]]) -> str:
    return next((kind for field, kind in _TELLTALE.items() if episodes and field in episodes[0]), "sessions")
