"""Former state of things, by what was believed when each request was begun: for "put it back"."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from foretree.agent.context import AgentContext
from foretree.world_model.beliefs.belief import Snapshot
from foretree.world_model.beliefs.facts import WHEREABOUTS, Atom, Truth, hand_of


class FormerState:
    """Beliefs before the present one.

    Args:
        past: what was believed when each request was begun, the latest last.
        now: what is believed when the next one is.
        touched: the things that were dealt with.
        busy: whether the latest request is still being carried out: then it is this one that is gone back on.
    """

    def __init__(
        self,
        past: Sequence[Snapshot],
        now: Snapshot,
        touched: Collection[str] = (),
        busy: bool = False,
    ) -> None:
        self._busy = busy
        self._past = past
        self._now = now
        self._touched = touched

    def placement(self, name: str) -> Atom | None:
        """Return where a thing was before it was where it is; None if that is not known."""
        now = self._now.placement(WHEREABOUTS, name)
        for before in reversed(self._past):
            former = before.placement(WHEREABOUTS, name)
            changed = former != now or self._busy
            if former is not None and changed and hand_of(former) is None:
                return former
        return None

    def changed(self) -> tuple[tuple[Atom, bool], ...]:
        """Return the facts that the last request has changed, each with whether it was so before."""
        for before in reversed(self._past):
            found = tuple(dict.fromkeys(self._differences(before)))
            if found:
                return found
            if self._busy:  # nothing is changed yet, and nothing shall be
                places = (before.placement(WHEREABOUTS, name) for name in sorted(self._touched))
                return tuple((place, True) for place in places if place is not None)
        return ()

    def _differences(self, before: Snapshot) -> Iterator[tuple[Atom, bool]]:
        for name in sorted(self._touched):
            former = before.placement(WHEREABOUTS, name)
            known = former is not None and hand_of(former) is None
            if former is not None and known and former != self._now.placement(WHEREABOUTS, name):
                yield former, True
        for snapshot, was in ((before, True), (self._now, False)):
            for atom in sorted(snapshot.true_atoms()):
                if len(atom) == 2 and atom[1] in self._touched and self._turned(before, atom, was):
                    yield atom, was

    def _turned(self, before: Snapshot, atom: Atom, was: bool) -> bool:
        """Return whether a state *was* so before, and is not now."""
        wanted, other = (Truth.TRUE, Truth.FALSE) if was else (Truth.FALSE, Truth.TRUE)
        return before.truth(atom) is wanted and self._now.truth(atom) is other


def is_busy(context: AgentContext) -> bool:
    """Return whether a request is being carried out."""
    runs = context.journal.runs()
    return bool(runs) and bool(runs[-1]) and runs[-1][-1].kind != "run.ended"


def touched_things(context: AgentContext) -> frozenset[str]:
    """Return the things that the actions so far were about."""
    found = {
        argument
        for run in context.journal.runs()
        for event in run
        if event.kind == "action.intent"
        for argument in event.data["action"]["arguments"]
    }
    return frozenset(found) & {*context.belief.entities()}
