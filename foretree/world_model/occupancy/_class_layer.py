"""Evidence for classes in the cells of an occupancy grid, accumulated over images."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from foretree.world_model.occupancy.depth_points import Counts, Floats

#: A mask counts fully in a cell in which so many of its pixels lie.
_FULLY = 4


class ClassLayer:
    """Evidence for classes, by cell; the arrays have the shape of the occupancy grid's.

    Attributes:
        names: the classes that were seen at least once, in the order in which they were.
    """

    def __init__(self) -> None:
        self.names: list[str] = []
        self._number: dict[str, int] = {}
        self._evidence: Floats = np.zeros((0, 0, 0), dtype=np.float32)  # class, along x, along y

    def scores(self, at: tuple[int, int]) -> dict[str, float]:
        """The share of each class in the evidence at an index, the largest first."""
        here = self._evidence[:, at[0], at[1]]
        total = float(here.sum())
        found = [
            (name, float(part) / total) for name, part in zip(self.names, here, strict=False) if part > 0
        ]
        return dict(sorted(found, key=lambda one: (-one[1], one[0])))

    def best(self) -> NDArray[np.intp]:
        """For each cell the index in :attr:`names` of the class with most evidence, or -1."""
        if not self.names:
            return np.full(self._evidence.shape[1:], -1)
        seen = self._evidence[: len(self.names)]
        return np.where(seen.max(axis=0) > 0, seen.argmax(axis=0), -1)

    def add(
        self,
        cells: Counts,
        labels: NDArray[np.int16],
        scores: Mapping[int, Mapping[str, float]],
        weight: Floats,
    ) -> None:
        """Add what a picture shows.

        Args:
            cells: for each pixel of a mask the flat index of the cell that it shows.
            labels: for each of these pixels the label of its mask.
            scores: by label, class scores.
            weight: by flat index of a cell, how much a look at it counts.
        """
        area = weight.size
        pairs, pixels = np.unique(labels.astype(np.intp) * area + cells, return_counts=True)
        where = pairs % area
        share = weight[where] * np.minimum(pixels / np.float32(_FULLY), 1).astype(np.float32)
        starts = np.searchsorted(pairs, [label * area for label in scores])
        ends = np.searchsorted(pairs, [(label + 1) * area for label in scores])
        for of_mask in scores.values():
            for name in of_mask:
                if name not in self._number:
                    self._add_class(name)
        for start, end, of_mask in zip(starts.tolist(), ends.tolist(), scores.values(), strict=True):
            for name, score in of_mask.items():
                # No cell occurs twice among those of one mask.
                self._evidence[self._number[name]].reshape(-1)[where[start:end]] += share[start:end] * score

    def pad(self, room: tuple[tuple[int, int], ...]) -> None:
        """Grow with the occupancy grid."""
        self._evidence = np.pad(self._evidence, ((0, 0), *room))

    def _add_class(self, name: str) -> None:
        self._number[name] = len(self.names)
        self.names.append(name)
        if len(self.names) > len(self._evidence):
            self._evidence = np.pad(self._evidence, ((0, max(16, len(self._evidence))), (0, 0), (0, 0)))
