"""Embeddings: texts as vectors, of which those of like texts point the same way."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Protocol


class Embed(Protocol):
    """Turns texts into vectors; an OpenAI-compatible server has one, as has any sentence encoder."""

    def __call__(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """A vector for each of *texts*, all of the same length (a numpy array will do)."""


def cosine(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the cosine of the angle between two vectors; 0 if either has no length."""
    product = sum(x * y for x, y in zip(one, other, strict=True))
    lengths = sqrt(sum(x * x for x in one) * sum(y * y for y in other))
    return product / lengths if lengths else 0.0
