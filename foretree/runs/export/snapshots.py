"""Snapshots of the tree for the viewer of py_trees_js: one for each tick in which the tree changed.

That viewer puts every text into its page as HTML, so all texts are escaped.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator
from html import escape
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from foretree.runs.event_kinds import TreeBuilt, TreeChanged, TreeSpliced
from foretree.runs.export.run_source import RunSource
from foretree.runs.export.tree_items import Role, TreeItem, tree_items
from foretree.runs.views.run_state import RunState
from foretree.runs.views.wording import Line, tell

#: The colours that py_trees uses for its kinds of nodes.
_COLOURS: dict[Role, str] = {
    "sequence": "#FFA500",
    "composite": "#FFA500",
    "selector": "#00FFFF",
    "parallel": "#FFFF00",
    "plan": "#FFFF00",
    "guard": "#DDDDDD",
    "decorator": "#DDDDDD",
    "leaf": "#555555",
}

#: The colours of lines by their tone, on the dark ground of the viewer.
_TONES = {"good": "lime", "bad": "tomato", "notice": "yellow", "change": "cyan", "faint": "silver"}


class _Tick(NamedTuple):
    """A tick that changed the tree: the nodes with another status or message, and all that happened in it."""

    changed: set[str]
    lines: list[Line]


def snapshots(source: RunSource) -> Iterator[str]:
    """A JSON list of snapshots; for a moment, the one snapshot of the tree as it is then.

    Raises:
        RunError: there is no tree at that moment.
    """
    state, writer = RunState(), _SnapshotWriter(source)
    if source.at is not None:
        last = deque(_ticks(source, state), maxlen=1)
        if not last:
            raise source.no_tree()
        yield f"[\n{writer.snapshot(state, last[0])}\n]\n"
        return
    separator = "[\n"
    for tick in _ticks(source, state):
        yield separator + writer.snapshot(state, tick)
        separator = ",\n"
    yield "[]\n" if separator == "[\n" else "\n]\n"


def _ticks(source: RunSource, state: RunState) -> Iterator[_Tick]:
    """The ticks that changed the tree; *state* is moved on to the end of each."""
    for _, happened in groupby(source.events(), key=attrgetter("tick")):
        tick, edited = _Tick(set(), []), False
        for event in happened:
            state.apply(event)
            if isinstance(state.latest, TreeChanged):
                tick.changed.update(state.latest.status)
            elif isinstance(state.latest, TreeBuilt | TreeSpliced):
                edited = True
            tick.lines.extend(tell(state))
        if (tick.changed or edited) and state.root is not None:
            yield tick


class _SnapshotWriter:
    """Writes snapshots as JSON. What is still as it was in the last one is not encoded anew."""

    def __init__(self, source: RunSource) -> None:
        self._source = source
        self._encoded: dict[str, tuple[object, str]] = {}

    def snapshot(self, state: RunState, tick: _Tick) -> str:
        visited, behaviours = [], []
        encoded: dict[str, tuple[object, str]] = {}
        for item in tree_items(state):
            node = item.node
            if node.status == "RUNNING" or (node.id in tick.changed and node.status != "INVALID"):
                visited.append(escape(node.id))
            action = item.action.status if item.action is not None else ""
            key = (node.name, node.type, node.status, node.message, tuple(node.children), item.role, action)
            former = self._encoded.get(node.id)
            text = former[1] if former is not None and former[0] == key else _behaviour(item)
            encoded[node.id] = key, text
            behaviours.append(text)
        self._encoded = encoded
        head = {
            "timestamp": self._source.wall(state.time),
            "changed": "true",  # the viewer compares it with this text
            "visited_path": visited,
            "blackboard": _blackboard(state),
            "activity": [_activity(line) for line in tick.lines],
        }
        return f'{json.dumps(head)[:-1]}, "behaviours": {{{", ".join(behaviours)}}}}}'


def _behaviour(item: TreeItem) -> str:
    """A node and its id as a member of a JSON object."""
    node = item.node
    data = {"Type": node.type, "Feedback": node.message}
    if item.action is not None:
        data["Action"] = f"{item.action.id} {item.action}, {item.action.status}"
    behaviour: dict[str, Any] = {
        "id": escape(node.id),
        "name": escape(node.name),
        "status": node.status,
        "colour": _COLOURS[item.role],
        "details": escape(node.message),
        "children": [escape(child) for child in node.children],
        "data": {name: escape(text) for name, text in data.items()},
    }
    return f"{json.dumps(behaviour['id'])}: {json.dumps(behaviour)}"


def _blackboard(state: RunState) -> dict[str, Any]:
    """Subject of the session, and the blackboard of a recorded tree, as keys that the root reads."""
    told = {
        **state.blackboard,
        "/instruction": state.instruction,
        "/goal": state.goal,
        "/running": ", ".join(map(str, state.running())),
        "/looking at": ", ".join(state.looking.values()),
        "/asking": state.asking,
        "/outcome": state.outcome,
    }
    data = {escape(key): escape(text) for key, text in told.items() if text}
    return {"behaviours": {escape(state.root or ""): dict.fromkeys(data, "r")}, "data": data}


def _activity(line: Line) -> str:
    colour = _TONES.get(line.tone, "white")
    return f'<text style="color: {colour};">{escape(str(line))}</text>'
