"""Trees to write out, and what is written."""

from foretree.runs.export.run_source import RunSource
from foretree.runs.recorder import RunRecorder
from foretree.runs.store import Run

#: Names that mean something in HTML, XML, DOT or JSON, and characters that XML has no way to write.
HOSTILE = "<img src=x onerror=\"window.injected=1\"> & 'it' \\ \x01\x7f\ud800\n{x} ]]> ∀"


def tree(recorder: RunRecorder, *nodes: tuple[str, str]) -> None:
    """Record a tree of (path, type)."""
    recorder.record(
        "tree.built",
        nodes=[
            {
                "id": path,
                "parent": path.rpartition("/")[0] or None,
                "name": path.rpartition("/")[2],
                "type": kind,
            }
            for path, kind in nodes
        ],
    )


def text(write, run: Run, at: float | None = None) -> str:
    """What a writer of text makes of *run*."""
    source = RunSource(run, at)
    found = "".join(write(source))
    assert source.damage is None
    return found
