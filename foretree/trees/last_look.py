"""The last look: what decides whether a goal is reached is looked at again if it is in doubt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from foretree.behaviours.runtime import Runtime
from foretree.planning.semantics import witness
from foretree.planning.syntax import Formula, Literal, constants_of
from foretree.revision.expectation import say_facts
from foretree.skills.executive import Lease
from foretree.world_model.belief import Snapshot
from foretree.world_model.facts import Atom, Fact

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
        self._looks: Counter[Atom] = Counter()

    def wanted(self, goal: Formula, lacking: Iterable[Literal] = ()) -> bool:
        """Whether to wait: a look is under way, or begins now, because one is not sure enough.

        Args:
            goal: what should hold.
            lacking: why it does not; if it does, nothing.
        """
        runtime = self._runtime
        if self._lease is not None:
            end = self._lease.poll()
            if end is None:
                return True
            runtime.recorder.record("look.ended", execution=self._lease.id, outcome=end.outcome.value)
            self._lease = None
            return True  # what it has seen comes first
        if not runtime.settings.guards:
            return False
        beliefs = runtime.belief.snapshot()
        against = [beliefs.evidence(literal.atom) for literal in lacking]
        reasons = against or self._reasons(goal, beliefs)
        doubtful = [fact for fact in reasons if _is_doubtful(fact)]
        # A robot that finds its way about by itself goes where it sees them.
        views = 1 if runtime.survey is None else 2
        if views == 1:
            doubtful = [fact for fact in doubtful if runtime.in_sight(fact.atom)]
        doubtful = [fact for fact in doubtful if self._looks[fact.atom] < runtime.settings.looks]
        if not doubtful:
            return False
        self._looks.update([fact.atom for fact in doubtful])
        why = "the plan is through, but" if against else "the goal seems reached:"
        self._lease = runtime.look([fact.atom for fact in doubtful], f"{why} {say_facts(doubtful)}", views)
        return True

    def _reasons(self, goal: Formula, beliefs: Snapshot) -> list[Fact]:
        """The facts that make *goal* true: among them what things are, where it does not name them."""
        runtime = self._runtime
        vocabulary, guards = beliefs.vocabulary, runtime.settings.guards
        literals = witness(goal, beliefs.assumed, runtime.task.objects)
        atoms = [
            literal.atom
            for literal in sorted(literals, key=lambda one: (one.atom, one.positive))
            if vocabulary[literal.atom[0]].observable and (literal.positive or beliefs.fact(literal.atom))
        ]
        if "appearance" in guards:
            named = constants_of(goal)
            things = dict.fromkeys(term for atom in atoms for term in atom[1:] if term not in named)
            atoms += [
                ("class", name, entity.best_class)
                for name in things
                if (entity := beliefs.entity(name)) is not None and not entity.told
            ]
        return [beliefs.evidence(atom) for atom in atoms]

    def forget(self) -> None:
        """Break it off, and be ready for another goal."""
        if self._lease is not None:
            self._lease.cancel()
        self._lease = None
        self._looks.clear()


def _is_doubtful(fact: Fact) -> bool:
    """Whether a look could be news: an action's word for what it did is no look, whatever it is believed."""
    return fact.confidence < SURE or fact.source == "action"
