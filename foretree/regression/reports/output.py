"""Writing reports: on a terminal, and as files side by side in a folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from foretree.errors import ForetreeError
from foretree.regression.reports.document import Document, as_markdown, as_page, print_document
from foretree.regression.reports.junit import as_junit

if TYPE_CHECKING:
    from rich.console import Console

    from foretree.regression.reports.suite_report import SuiteReport


class OutputError(ForetreeError):
    """A report cannot be written where it was to go."""


class Presentable(Protocol):
    """Report or comparison, for people and for programs."""

    def as_data(self) -> dict[str, Any]:
        """All of it as plain data."""
        ...

    def document(self) -> Document:
        """All of it for people."""
        ...


def print_report(report: Presentable, console: Console, as_json: bool = False) -> None:
    """Print a report: tables for people, or one JSON object."""
    if as_json:
        console.file.write(json.dumps(report.as_data()) + "\n")
    else:
        print_document(report.document(), console)


def markdown(report: Presentable) -> str:
    """A report as Markdown."""
    return as_markdown(report.document())


def write_report(report: SuiteReport[Any, Any], folder: Path) -> tuple[Path, ...]:
    """Write a report into *folder*, which is made if it is not there; the files that it consists of.

    Raises:
        OutputError: that is not possible.
    """
    document = report.document()
    texts = {
        ".md": as_markdown(document),
        ".json": json.dumps(report.as_data(), indent=1) + "\n",
        ".xml": as_junit(report.name, report.cases(), report.interruption),
        ".html": as_page(document),
    }
    written = []
    for suffix, text in texts.items():
        written.append(folder / f"{report.name}{suffix}")
        write_text(written[-1], text)
    return tuple(written)


def write_text(path: Path, text: str) -> None:
    """Write a file, and the folders above it.

    Raises:
        OutputError: that is not possible.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise OutputError(f"Cannot write {path}: {error.strerror}.") from error
