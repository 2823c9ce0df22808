"""Results of household tasks as they might be."""

from __future__ import annotations

from typing import Any

from foretree.regression.homes._episode import HomeEpisode

LABEL = "coffee/diverse/unseen/0"


def episode(label: str = LABEL, variant: str = "all-guards", **more: Any) -> HomeEpisode:
    """One that succeeded with twice as many controls as the best plan takes, unless told otherwise."""
    family, mode, split, _ = label.split("/")
    said = {
        "number": 0,
        "layout": "loft/3",
        "instruction": "make coffee",
        "noise": 1.0,
        "guarded": variant == "all-guards",
        "best": 40,
        "outcome": "reached",
        "success": True,
        "conditions": (3, 3),
        "controls": 80,
        "actions": 10,
    }
    return HomeEpisode(
        label=label, family=family, mode=mode, split=split, variant=variant, **{**said, **more}
    )


def failed(label: str = LABEL, variant: str = "none", reason: str = "", **more: Any) -> HomeEpisode:
    """One that was given up."""
    said = {"outcome": "given-up", "reason": reason, "success": False, "conditions": (1, 3)}
    return episode(label, variant, **{**said, **more})
