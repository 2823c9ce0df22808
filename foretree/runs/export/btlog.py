"""Binary logs of BehaviorTree.CPP's FileLogger2, which Groot2 replays: one for each tree of a run.

The layout, all of it little-endian: ``BTCPP4-FileLogger2``, the version of the protocol in 1 byte, the size
of the XML in 4, the XML, the time of the beginning in 8 (microseconds since the epoch), and then 9 bytes for
each transition: the microseconds since the beginning in 6, the number of the node in 2, its status in 1.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO

from foretree.runs.event_kinds import TreeBuilt, TreeChanged, TreeSpliced
from foretree.runs.events import Event
from foretree.runs.export.btcpp import document, tree_name, xml_nodes
from foretree.runs.export.run_source import RunSource
from foretree.runs.store import RunError
from foretree.runs.views.run_state import RunState

#: What Groot2 wants these files to be called.
SUFFIX = ".btlog"

_MAGIC = b"BTCPP4-FileLogger2"
_PROTOCOL = 1
#: BehaviorTree.CPP's NodeStatus.
_RUNNING = 1
_STATUSES = {"INVALID": 0, "RUNNING": _RUNNING, "SUCCESS": 2, "FAILURE": 3}
#: The numbers of nodes have 16 bits.
_MOST_NODES = 0xFFFF


def write_logs(source: RunSource, path: Path) -> Sequence[Path]:
    """Write the log of each tree between two revisions, numbered: ``mango-1.btlog`` and so on.

    With a moment, only that of the tree as it is then, up to then, into *path* itself.

    Raises:
        RunError: the file is called otherwise, there is no tree, or it has more nodes than a log can hold.
    """
    if path.suffix != SUFFIX:
        raise RunError(f"Groot2 opens logs only if they are called *{SUFFIX}; {path.name} is not.")
    logs = _Logs(source, path)
    with logs.files:
        for event in source.events():
            logs.apply(event)
        logs.begin_if_edited()
    if not logs.written:
        raise source.no_tree()
    return logs.written


class _Logs:
    """The logs of a run, the last of which is being written."""

    def __init__(self, source: RunSource, path: Path) -> None:
        self.written: list[Path] = []
        self.files = ExitStack()
        self._source = source
        self._path = path
        self._state = RunState()
        self._log: _Log | None = None
        #: The tick in which the tree was edited since the log began.
        self._edited: int | None = None

    def apply(self, event: Event) -> None:
        # Several edits in one tick, before it tells of statuses, make one new tree.
        if event.tick != self._edited or event.kind == TreeChanged.kind:
            self.begin_if_edited()
        self._state.apply(event)
        data = self._state.latest
        if isinstance(data, TreeBuilt | TreeSpliced):
            self._edited = event.tick
        elif self._log is not None and isinstance(data, TreeChanged):
            self._log.note(self._state.time, data.status)

    def begin_if_edited(self) -> None:
        """Begin the log of the tree as it is now, if it is not the one of the last log."""
        if self._edited is None or self._state.root is None:
            return
        self._edited = None
        self.files.close()
        path = self._path
        if self._source.at is None:
            path = path.with_name(f"{path.stem}-{len(self.written) + 1}{SUFFIX}")
            self.written.append(path)
        else:
            self.written = [path]  # the one of the tree before is of no use
        self._log = _Log(self._source, self._state)
        self._log.begin(self.files.enter_context(path.open("wb")))


class _Log:
    """The log of one tree.

    Args:
        source: the run.
        state: its state when the tree begins to be as it is.
    """

    def __init__(self, source: RunSource, state: RunState) -> None:
        nodes = [node for _, node in state.walk()]
        if len(nodes) > _MOST_NODES:
            raise RunError(
                f"The tree has {len(nodes):,} nodes; a log of BehaviorTree.CPP holds at most {_MOST_NODES:,}."
            )
        self._numbers = {node.id: number for number, node in enumerate(nodes, 1)}
        self._last = dict.fromkeys(self._numbers, 0)
        self._began = state.time
        self._at_first = state.statuses()
        xml = document(xml_nodes(state), tree_name(state), log=True).encode()
        began = round(source.wall(state.time) * 1e6)
        self._head = _MAGIC + struct.pack("<Bi", _PROTOCOL, len(xml)) + xml + struct.pack("<q", began)

    def begin(self, file: IO[bytes]) -> None:
        """Write into *file* from now on, first of all what the tree is and how it stands."""
        self._file = file
        file.write(self._head)
        self.note(self._began, self._at_first)

    def note(self, time: float, statuses: Mapping[str, tuple[str, str | None]]) -> None:
        """Write down the nodes that have another status than before."""
        since = max(0, round((time - self._began) * 1e6)).to_bytes(6, "little")
        changed = []
        for name, (status, _) in statuses.items():
            value = _STATUSES.get(status, 0)
            number = self._numbers.get(name)
            if number is not None and self._last[name] != value:
                self._last[name] = value
                changed.append((number, value))
        # As in a tick of theirs: on its way down nodes begin to run, on its way up they end.
        changed.sort(key=lambda each: (0, each[0]) if each[1] == _RUNNING else (1, -each[0]))
        for number, value in changed:
            self._file.write(since + struct.pack("<HB", number, value))
