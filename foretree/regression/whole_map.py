"""The map as it is, with all way-points and all doors: what planning is compared with that compresses it."""

from __future__ import annotations

from foretree.world_model.compressed_map import CompressedMap, Layout
from foretree.world_model.places import Path


class WholeMap(CompressedMap):
    """A compressed map that compresses nothing."""

    def layout(self) -> Layout:
        """Every node, every passage that is free, and every closed door."""
        passages = tuple(self.places.passages())
        closed = tuple(p for p in passages if p.door is not None and not self.is_open(p.door))
        free = [p for p in passages if p not in closed]
        return Layout(
            tuple(place.name for place in self.places.places()),
            {(p.one, p.other): Path((p.one, p.other), p.cost) for p in free},
            closed,
            _doorways=frozenset(frozenset((p.one, p.other)) for p in closed),
        )
