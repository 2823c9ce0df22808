"""The map as it is, with all way-points and all doors: what planning is compared with that compresses it."""

from __future__ import annotations

from foretree.world_model.maps.compressed_map import CompressedMap, Roadmap
from foretree.world_model.maps.places import PassageState, Path


class WholeMap(CompressedMap):
    """A compressed map that compresses nothing."""

    def roadmap(self) -> Roadmap:
        """Every node, every passage that is free, and every closed door."""
        states = {passage: self.state(passage) for passage in self.places.passages()}
        return Roadmap(
            tuple(place.name for place in self.places.places()),
            {
                (p.one, p.other): Path((p.one, p.other), p.cost)
                for p, s in states.items()
                if s is PassageState.FREE
            },
            tuple(passage for passage, state in states.items() if state is PassageState.CLOSED),
        )
