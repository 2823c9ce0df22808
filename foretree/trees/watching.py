"""What the same run comes to without guards: for a comparison beside the real one."""

from __future__ import annotations

from foretree.trees.embedded import Request


def without_guards(request: Request) -> list[str]:
    """Two lines on *request* carried out with nothing checked and nothing revised."""
    session, world = request.with_overrides(guards="none", revisers="none").open()
    result = session.run()
    counts = result.counts
    head = (
        f"The same run without guards: {result.outcome}, {counts.get('done', 0)} actions done, "
        f"{counts.get('failed', 0)} failed, {result.seconds:.1f} s."
    )
    refused = f"{len(world.illegal)} of them refused by the world. " if world.illegal else ""
    return [head, f"  {refused}{result.reason or 'The goal is believed reached.'}"]
