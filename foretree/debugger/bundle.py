"""Files of the front-end, as ``web/`` builds them."""

from __future__ import annotations

from importlib.resources import files


def bundle(name: str) -> bytes:
    """Return a file of the front-end."""
    return (files("foretree.debugger") / "static" / name).read_bytes()
