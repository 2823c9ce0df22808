"""The last look: what decides whether a goal is reached is looked at again if it is in doubt."""

from __future__ import annotations

from foretree.behaviours.runtime import Runtime
from foretree.planning.syntax import Formula
from foretree.revision.expectation import Expectation, measure, say_facts
from foretree.skills.executive import Lease

#: A fact believed less than this is in doubt. One look that contradicts what was believed leaves more doubt,
#: two that agree leave less.
SURE = 0.9


class LastLook:
    """Looks before a goal counts as reached: eyes that misread once can make it seem so.

    Args:
        runtime: looks, and knows what is believed.
    """

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._lease: Lease | None = None
        self._looks = 0

    def wanted(self, goal: Formula) -> bool:
        """Whether to wait: a look is under way, or begins now, because *goal* holds but not for sure."""
        runtime = self._runtime
        if self._lease is not None:
            end = self._lease.poll()
            if end is None:
                return True
            runtime.recorder.record("look.ended", execution=self._lease.id, outcome=end.outcome.value)
            self._lease = None
            return True  # what it has seen comes first
        if self._looks >= runtime.settings.looks or not runtime.settings.guards:
            return False
        beliefs = runtime.belief.snapshot()
        expectation = Expectation("presence", "goal", goal)
        facts = measure(expectation, beliefs, runtime.task.objects, runtime.clock.now(), SURE).facts
        doubtful = [fact for fact in facts if fact.confidence < SURE and runtime.in_sight(fact.atom)]
        if not doubtful:
            return False
        self._looks += 1
        self._lease = runtime.look(
            [fact.atom for fact in doubtful], f"the goal seems reached: {say_facts(doubtful)}"
        )
        return True

    def forget(self) -> None:
        """Break it off, and be ready for another goal."""
        if self._lease is not None:
            self._lease.cancel()
        self._lease = None
        self._looks = 0
