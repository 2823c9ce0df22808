"""The map as it is, with all way-points and all doors: what planning is compared with that compresses it."""

from __future__ import annotations

from foretree.world_model.maps.cheapest_ways import State
from foretree.world_model.maps.compressed_map import CompressedMap, Layout
from foretree.world_model.maps.places import Path


class WholeMap(CompressedMap):
    """A compressed map that compresses nothing."""

    def layout(self) -> Layout:
        """Every node, every passage that is free, and every closed door."""
        states = {passage: self.state(passage) for passage in self.places.passages()}
        return Layout(
            tuple(place.name for place in self.places.places()),
            {(p.one, p.other): Path((p.one, p.other), p.cost) for p, s in states.items() if s is State.FREE},
            tuple(passage for passage, state in states.items() if state is State.CLOSED),
        )
