"""The formats that a run can be written in, by name."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

from foretree.errors import suggest
from foretree.printable import quote
from foretree.runs.export.run_source import RunSource
from foretree.runs.store import Run, RunError

#: Gives the text of a run, piece by piece.
TextWriter: TypeAlias = Callable[[RunSource], Iterator[str]]
#: Writes a run into a file, or into several beside it; returns which.
FileWriter: TypeAlias = Callable[[RunSource, Path], Sequence[Path]]


class Format(NamedTuple):
    """A format: either text, or what only a file can hold.

    Attributes:
        moment: whether it shows a moment, or can be limited to one.
    """

    moment: bool
    text: TextWriter | None = None
    file: FileWriter | None = None


def export(
    run: Run, form: str, output: str, formats: Mapping[str, Format], at: float | None = None
) -> Sequence[Path]:
    """Write *run* into a file.

    Args:
        run: the run.
        form: the name of one of *formats*.
        output: the path of the file; ``-`` for standard output, which takes text only.
        formats: the formats that there are: :data:`FORMATS`, and those of rooms above.
        at: the moment that is asked for, in seconds on the session's clock.

    Returns:
        The files that were written.

    Raises:
        RunError: there is no such format, it has no moments, the file cannot be written, or the run is
            damaged; in that case what comes before the damage has been written.
    """
    if form not in formats:
        raise RunError(
            f"Runs are not exported as {quote(form)}. {suggest(form, formats, limit=len(formats))}"
        )
    kind = formats[form]
    if at is not None and not kind.moment:
        names = ", ".join(name for name, each in formats.items() if each.moment)
        raise RunError(f"The format {form} holds all of a run: a moment (--at) can be had of {names}.")
    source = RunSource(run, at)
    written = _write(source, kind, form, output)
    if source.damage is not None:
        raise source.damage
    return written


def _write(source: RunSource, kind: Format, form: str, output: str) -> Sequence[Path]:
    if output == "-":
        if kind.text is None:
            raise RunError(f"The format {form} is no text: name a file for it with --output FILE.")
        for piece in kind.text(source):
            sys.stdout.write(piece)
        return ()
    path = Path(output)
    try:
        if kind.text is None:
            assert kind.file is not None
            return kind.file(source, path)
        pieces = kind.text(source)
        first = next(pieces, "")  # what is wrong with the run shows here, before there is a file
        with open(path, "w", encoding="utf-8", errors="replace", newline="") as file:
            file.write(first)
            file.writelines(pieces)
    except OSError as error:
        raise RunError(f"Cannot write {error.filename or output}: {error.strerror}.") from error
    return (path,)


def _json(source: RunSource) -> Iterator[str]:
    from foretree.runs.export.event_text import json_document

    return json_document(source)


def _jsonl(source: RunSource) -> Iterator[str]:
    from foretree.runs.export.event_text import json_lines

    return json_lines(source)


def _csv(source: RunSource) -> Iterator[str]:
    from foretree.runs.export.event_text import csv_lines

    return csv_lines(source)


def _py_trees_js(source: RunSource) -> Iterator[str]:
    from foretree.runs.export.snapshots import snapshots

    return snapshots(source)


def _btcpp(source: RunSource) -> Iterator[str]:
    from foretree.runs.export.btcpp import tree_as_btcpp

    return tree_as_btcpp(source)


def _btlog(source: RunSource, path: Path) -> Sequence[Path]:
    from foretree.runs.export.btlog import write_logs

    return write_logs(source, path)


def _mcap(source: RunSource, path: Path) -> Sequence[Path]:
    from foretree.runs.export.mcap_events import write_mcap

    return write_mcap(source, path)


def _dot(source: RunSource) -> Iterator[str]:
    from foretree.runs.export.dot import tree_as_dot

    return tree_as_dot(source)


#: The formats by name; each loads what it takes when it is used.
FORMATS: Mapping[str, Format] = {
    "json": Format(False, text=_json),
    "jsonl": Format(False, text=_jsonl),
    "csv": Format(False, text=_csv),
    "mcap": Format(False, file=_mcap),
    "py-trees-js": Format(True, text=_py_trees_js),
    "btcpp": Format(True, text=_btcpp),
    "btlog": Format(True, file=_btlog),
    "dot": Format(True, text=_dot),
}
