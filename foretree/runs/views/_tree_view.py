"""A run's behaviour tree as lines of text, no longer than there is room for."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, pairwise
from typing import NamedTuple

from rich.text import Text

from foretree.runs.node_types import PLAN_TYPE
from foretree.runs.views._ink import Ink
from foretree.runs.views.run_state import ActionState, Node, RunState

_STYLES = {"SUCCESS": "green", "FAILURE": "red", "RUNNING": "bold yellow", "INVALID": "dim"}


class _Place(NamedTuple):
    """A node and what is drawn before its name."""

    node: Node
    lead: str


def tree_lines(state: RunState, ink: Ink, height: int | None = None) -> list[Text]:
    """The tree, what runs or ran last in view.

    Subtrees that neither run nor hold the plan are closed, which an ellipsis shows.

    Args:
        state: the run.
        ink: the console it is for.
        height: at most this many lines; the whole of it if None.
    """
    if state.root is None or state.root not in state.nodes:
        return [ink.line(("no tree yet", "dim"))]
    opened = _open_nodes(state)
    places = list(_places(state, opened, ink))
    if height is None or len(places) <= height:
        return [_line(state, place, opened, ink) for place in places]
    if height < 3:  # no room to tell of gaps
        return [_line(state, places[index], opened, ink) for index in _focus(places)[-height:]]
    lines, after = [], 0
    for index in [*sorted(_chosen(places, height)), len(places)]:
        if index > after:
            lines.append(ink.line((f"   … {index - after} more", "dim")))
        if index < len(places):
            lines.append(_line(state, places[index], opened, ink))
        after = index + 1
    return lines


def _open_nodes(state: RunState) -> frozenset[str]:
    """The nodes whose children are worth showing: those that lead to the plan, or to what runs.

    In a tree of people's own, all may be.
    """
    if state.started.own_tree:
        return frozenset(state.nodes)
    opened = {state.root or ""}
    for node in state.nodes.values():
        if node.status != "RUNNING" and node.type != PLAN_TYPE:
            continue
        opened.add(node.id)
        above = node.parent
        while above is not None and above not in opened:
            opened.add(above)
            parent = state.nodes.get(above)
            above = parent.parent if parent is not None else None
    return frozenset(opened)


def _places(state: RunState, opened: frozenset[str], ink: Ink) -> Iterator[_Place]:
    tee, corner, bar, gap = ("|-- ", "`-- ", "|   ", "    ") if ink.ascii else ("├─ ", "└─ ", "│  ", "   ")
    root = state.nodes[state.root or ""]
    stack = [(_Place(root, ""), "")]
    while stack:
        place, below = stack.pop()
        yield place
        if place.node.id not in opened:
            continue
        children = [state.nodes[name] for name in place.node.children]
        for child in reversed(children):
            last = child is children[-1]
            stack.append((_Place(child, below + (corner if last else tee)), below + (gap if last else bar)))


def _focus(places: list[_Place]) -> list[int]:
    """The lines of what runs and has nothing in it that runs; the last line if nothing does."""
    running = {place.node.id for place in places if place.node.status == "RUNNING"}
    busy = {place.node.parent for place in places if place.node.id in running}
    return [i for i, place in enumerate(places) if place.node.id in running - busy] or [len(places) - 1]


def _chosen(places: list[_Place], height: int) -> set[int]:
    """The lines to show in *height* lines, gaps included: all that runs first, then what is around it.

    Where more runs than there is room for, the last of it is shown.
    """
    focus = _focus(places)
    chosen: set[int] = set()
    for index in chain(reversed(focus), range(min(3, height // 4))):
        if _taken(chosen | {index}, len(places)) <= height:
            chosen.add(index)
    for distance in range(1, height):
        for index in chain.from_iterable((one - distance, one + distance) for one in reversed(focus)):
            if 0 <= index < len(places) and _taken(chosen | {index}, len(places)) <= height:
                chosen.add(index)
    return chosen


def _taken(chosen: set[int], count: int) -> int:
    """Lines that so many of *count* take, with one for each gap."""
    ends = [-1, *sorted(chosen), count]
    return len(chosen) + sum(after - before > 1 for before, after in pairwise(ends))


def _line(state: RunState, place: _Place, opened: frozenset[str], ink: Ink) -> Text:
    node = place.node
    glyph, style = ink.glyph(node.status), _STYLES.get(node.status, "")
    action = state.action_of(node)
    if action is not None and (node.status == "INVALID" or action.status == "skipped"):
        glyph, style = _action_sign(action, glyph, style, ink)
    message = node.message or (action.reason if action is not None else "")
    closed = bool(node.children) and node.id not in opened
    # Closed, a guard stands for the action inside it.
    name = str(action) if closed and action is not None else node.name
    return ink.line(
        (place.lead, "dim"),
        (f"{glyph} ", style),
        (name, style),
        (" …" if closed else "", "dim"),
        (f"  {message}" if message else "", "italic dim"),
    )


def _action_sign(action: ActionState, glyph: str, style: str, ink: Ink) -> tuple[str, str]:
    """Sign and style of an action's node where its own status does not say enough."""
    if action.status == "done":
        return ink.glyph("SUCCESS"), "green"
    if action.status == "skipped":
        return ("-" if ink.ascii else "»"), "cyan"
    if action.status in ("failed", "lost"):
        return ink.glyph("FAILURE"), "red"
    return glyph, style
