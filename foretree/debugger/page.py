"""A run as one HTML file that needs neither a server nor the network."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from foretree.debugger.bundle import bundle
from foretree.debugger.feed import Feed
from foretree.debugger.page_images import images_message
from foretree.runs.export.formats import Format
from foretree.runs.export.run_source import RunSource
from foretree.runs.store import Run, RunError

#: Nothing is loaded, whatever the run holds.
_POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"


def write_page(runs: Sequence[Run], path: Path) -> None:
    """Write a page that shows *runs*, the first one at first.

    A run that goes on is in it as far as it has come, and a damaged one up to the damage, with a word on it.

    Raises:
        RunError: a run cannot be read at all, or the file cannot be written.
    """
    text = page(runs)
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise RunError(f"Cannot write {path}: {error.strerror}.") from error


def page(runs: Sequence[Run]) -> str:
    """The page as HTML."""
    data = ",".join(f"{json.dumps(run.id)}:{_messages(run)}" for run in runs)
    # In a script element nothing but its end means anything; "<" in JSON can only be within a text.
    data = data.replace("<", "\\u003c")
    html = bundle("index.html").decode()
    style, script = bundle("app.css").decode(), bundle("app.js").decode().replace("</script", "<\\/script")
    held = f'<script id="foretree-data" type="application/json">{{"runs":{{{data}}}}}</script>'
    policy = f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
    parts = (
        ('<link rel="stylesheet" href="app.css">', f"<style>\n{style}</style>"),
        ('<meta charset="utf-8">', f'<meta charset="utf-8">\n{policy}'),
        ('<script src="app.js"></script>', f"{held}\n<script>{script}</script>"),
    )
    for part, instead in parts:
        assert part in html, part
        html = html.replace(part, instead)
    return html


def _messages(run: Run) -> str:
    """All that a viewer is told about *run*, as one JSON list."""
    run.info()  # a file that is no run is an error, not a page
    return f"[{','.join((*Feed(run).messages(), *images_message(run)))}]"


def _exported(source: RunSource) -> Iterator[str]:
    yield page([source.run])


#: The format of runs that is a page of the debugger.
PAGE_FORMATS: Mapping[str, Format] = {"html": Format(False, text=_exported)}
