"""What the same run comes to without guards: for a comparison beside the real one."""

from __future__ import annotations

from foretree.trees.embedded import Request


def without_guards(request: Request) -> list[str]:
    """Two lines on *request* carried out with nothing checked and nothing revised."""
    session, world = request.with_overrides(guards="none", revisers="none").open()
    result = session.run()
    counts = result.counts
    head = f"The same run without guards: {result.outcome}" + (
        f", {counts.get('done', 0)} actions done, {counts.get('failed', 0)} failed, {result.seconds:.1f} s."
    )
    refused = "; ".join(f"{illegal.skill} although {illegal.says}" for illegal in world.illegal)
    return [
        head,
        f"  {result.reason or 'the goal is believed reached'}" + (f" ({refused})" if refused else ""),
    ]
