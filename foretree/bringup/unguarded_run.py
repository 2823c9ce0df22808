"""The same run without what Foretree adds, for a comparison beside the real one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from foretree.bringup.embedded import Request

#: The peers of a run, the stronger one first: the words for each, and the settings that make it.
PEERS = {
    "with replanning after failures only": {"guards": "none", "revisers": "planner"},
    "with neither guards nor replanning": {"guards": "none", "revisers": "none"},
}


def peers(request: Request) -> Iterator[str]:
    """Carry *request* out as each of its peers would, and say in two lines what that comes to."""
    for words, settings in PEERS.items():
        session, world = replace(request, learns=False).with_overrides(**settings).open()
        result = session.run()
        done, failed = result.counts.get("done", 0), result.counts.get("failed", 0)
        yield (
            f"The same run {words}: {result.outcome}, {done} action{'' if done == 1 else 's'} done, "
            f"{failed} failed, {result.seconds:.1f} s."
        )
        refused = f"The world refused {len(world.illegal)} of them. " if world.illegal else ""
        yield f"  {refused}{result.reason or 'The goal is believed reached.'}"
