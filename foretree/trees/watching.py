"""What the same run comes to without guards: for a comparison beside the real one."""

from __future__ import annotations

from dataclasses import replace

from foretree.trees.embedded import Request


def without_guards(request: Request) -> list[str]:
    """Two lines on *request* carried out with nothing checked and nothing revised."""
    request = replace(request, learns=False)
    session, world = request.with_overrides(guards="none", revisers="none").open()
    result = session.run()
    counts = result.counts
    done, failed = counts.get("done", 0), counts.get("failed", 0)
    head = (
        f"The same run without guards: {result.outcome}, {done} action{'' if done == 1 else 's'} done, "
        f"{failed} failed, {result.seconds:.1f} s."
    )
    refused = f"The world refused {len(world.illegal)} of them. " if world.illegal else ""
    return [head, f"  {refused}{result.reason or 'The goal is believed reached.'}"]
