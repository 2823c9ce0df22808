"""Choices of how a language model is asked: settings name these words."""

from __future__ import annotations

from typing import Literal, TypeAlias

#: How steps are written.
Notation: TypeAlias = Literal["tuples", "triplets"]
NOTATIONS: tuple[Notation, ...] = ("tuples", "triplets")

#: Where the feedback sentence comes from.
FeedbackSource: TypeAlias = Literal["template", "model"]
FEEDBACK_SOURCES: tuple[FeedbackSource, ...] = ("template", "model")
