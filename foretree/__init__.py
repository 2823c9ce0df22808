"""Foretree: a behaviour-tree agent runtime that checks the world before it acts."""

from __future__ import annotations

__version__ = "0.1.0"
