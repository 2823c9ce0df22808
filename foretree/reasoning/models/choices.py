"""Choices of how a model server is asked: settings name these words."""

from __future__ import annotations

from typing import Literal, TypeAlias

#: What a request calls the longest answer; reasoning models refuse ``max_tokens``.
TokenLimitName: TypeAlias = Literal["max_tokens", "max_completion_tokens", "none"]
