"""Breakpoints: what a session halts at, so that a person can look before it goes on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from foretree.errors import ForetreeError, suggest
from foretree.planning.plan import Action

BreakpointKind: TypeAlias = Literal["node", "action", "guard", "discrepancy"]

#: Values of a breakpoint at discrepancies.
DISCREPANCIES = ("any", "presence", "appearance", "attribute", "relationship")


class BreakpointError(ForetreeError):
    """A breakpoint that there cannot be."""


class Breakpoint(NamedTuple):
    """Place to halt at.

    Attributes:
        at: the kind of thing.
        value: the id of a node or of an action; an action's id and the kind of its guard, as in
            ``a2 presence``; or the kind of guard that finds a discrepancy, or ``any``.
    """

    at: BreakpointKind
    value: str

    @classmethod
    def read(cls, at: str, value: str) -> Breakpoint:
        """The breakpoint that words name.

        Raises:
            BreakpointError: there cannot be such a one.
        """
        kinds: tuple[BreakpointKind, ...] = get_args(BreakpointKind)
        kind = next((known for known in kinds if known == at), None)
        if kind is None:
            raise BreakpointError(f"A session cannot halt at {at!r}. {suggest(at, kinds)}")
        if not value:
            raise BreakpointError(f"Say which {at} to halt at.")
        if kind == "discrepancy" and value not in DISCREPANCIES:
            raise BreakpointError(f"There is no discrepancy {value!r}. {suggest(value, DISCREPANCIES)}")
        return cls(kind, value)


class Breakpoints:
    """The breakpoints of a session.

    It halts at an action and at a guard once. An action at which it halts has not begun, and neither does any
    other one in the same tick: the session pauses at the end of the tick.
    """

    def __init__(self) -> None:
        #: The breakpoints, and who has set each.
        self._all: dict[Breakpoint, str] = {}
        #: What was hit in this tick, in words; empty if nothing was.
        self.hit = ""
        #: Who has set the breakpoint that was hit.
        self.hit_by = ""
        #: Actions and guards at which it has halted, which it does once.
        self._passed: set[Breakpoint] = set()

    def __bool__(self) -> bool:
        return bool(self._all)

    def __iter__(self) -> Iterator[Breakpoint]:
        return iter(self._all)

    def add(self, breakpoint_: Breakpoint, by: str = "") -> None:
        """Halt at this from now on; *by* is who wants it."""
        self._all[breakpoint_] = by
        self._passed.discard(breakpoint_)

    def remove(self, breakpoint_: Breakpoint) -> None:
        """Halt at this no more."""
        self._all.pop(breakpoint_, None)

    def lift(self, by: str) -> bool:
        """Halt at nothing more that *by* has set; return whether that was anything."""
        theirs = [each for each, setter in self._all.items() if setter == by]
        for each in theirs:
            del self._all[each]
        return bool(theirs)

    def go_on(self) -> None:
        """The session goes on: what was hit lies behind it."""
        self.hit = ""

    def halts(self, action: Action) -> bool:
        """Return whether *action* must not begin just now."""
        self._meet(Breakpoint("action", action.id), f"action {action}", once=True)
        return bool(self.hit)

    def ticked(self, nodes: Iterable[str]) -> None:
        """The statuses of these nodes have changed in this tick."""
        for node in nodes:
            self._meet(Breakpoint("node", node), f"node {node}")

    def happened(self, kind: str, data: Mapping[str, Any]) -> None:
        """Something is being recorded."""
        if kind == "guard.checked":
            guard = f"{data['action']} {data['guard']}"
            self._meet(Breakpoint("guard", guard), f"guard {guard}", once=True)
        elif kind == "discrepancy.found":
            words = f"discrepancy {data.get('sentence') or data.get('guard')}"
            self._meet(Breakpoint("discrepancy", "any"), words)
            self._meet(Breakpoint("discrepancy", str(data.get("guard"))), words)

    def _meet(self, breakpoint_: Breakpoint, words: str, *, once: bool = False) -> None:
        if self.hit or breakpoint_ not in self._all or breakpoint_ in self._passed:
            return
        self.hit, self.hit_by = words, self._all[breakpoint_]
        if once:
            self._passed.add(breakpoint_)
