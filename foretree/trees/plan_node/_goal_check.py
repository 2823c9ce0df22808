"""The last look: what decides whether a goal is reached is looked at again if it is in doubt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from foretree.agent.context import AgentContext
from foretree.agent.discovery.missing_objects import all_wanted
from foretree.agent.look import Look
from foretree.planning.pddl.syntax import Formula, Literal, constants_of
from foretree.planning.semantics.evaluation import evaluate, witness
from foretree.revision.derivation import guard_of_goal
from foretree.revision.expectation import say_facts
from foretree.world_model.beliefs.belief import Snapshot
from foretree.world_model.beliefs.facts import BY_ACTION, IN_PASSING, WHEREABOUTS, Atom, Fact, Truth

#: A fact believed less than this is in doubt. One look that contradicts what was believed leaves more doubt,
#: two that agree leave less.
SURE_REACHED = 0.9
#: What is as likely as this to be one of those that are wanted is looked at before it is passed over.
LOOK_ALIKE_LIKELIHOOD = 0.1

#: A robot that goes to where it was not yet for each look has so many times as many as others.
_FROM_ELSEWHERE = 4


class GoalCheck:
    """Looks before a goal counts as reached: eyes that misread once can make it seem so.

    Args:
        context: looks, and knows what is believed.
    """

    def __init__(self, context: AgentContext) -> None:
        self._context = context
        self._look = Look(context)
        self._looks: Counter[Atom] = Counter()
        #: What spoke against the goal when the plan was through, and how often it has.
        self._objections: tuple[Atom, ...] = ()
        self._missed: Counter[Atom] = Counter()

    @property
    def says(self) -> str:
        """The reason for waiting, in words of a person."""
        return self._look.waits or "looks again whether the goal is reached"

    def wanted(self, goal: Formula, planned: Iterable[Literal] = (), sure: float = SURE_REACHED) -> bool:
        """Return whether to wait for a look: *goal* holds but not for sure, or does not although the plan is
        through.

        Args:
            goal: what is to be reached.
            planned: what it was to hold by, when the plan is through: some of that may have been assumed.
            sure: how sure one must be of what it holds by.
        """
        context = self._context
        if self._look.under_way:
            self._look.poll()
            return True  # what it has seen comes first
        if not context.settings.guards:
            return False
        beliefs = context.belief.snapshot()
        if evaluate(goal, beliefs.assumed, context.task.objects) is Truth.TRUE:
            facts, self._objections = self._reasons(goal, beliefs), ()
        else:
            facts = self._find_objections(planned, beliefs)
            self._objections = tuple(fact.atom for fact in facts)
        doubtful = [
            fact for fact in facts if self._is_doubtful(fact, sure) and self._is_guarded(fact.atom, beliefs)
        ]
        most = context.settings.looks
        if context.topological_map is None:
            doubtful = [fact for fact in doubtful if context.in_sight(fact.atom)]
        else:  # who finds its way about by itself goes where it sees them
            most *= _FROM_ELSEWHERE
        looked_at = [fact for fact in doubtful if self._looks[fact.atom] >= most]
        doubtful = [fact for fact in doubtful if self._looks[fact.atom] < most]
        if not doubtful:
            self._disbelieve(fact for fact in looked_at if fact.confidence < sure)
            return False
        atoms = [fact.atom for fact in doubtful]
        why = f"to see whether the goal is reached: {say_facts(doubtful)}"
        if self._look.begin(atoms, why, widely=any(self._looks[atom] for atom in atoms)):
            self._looks.update(atoms)
        return True

    def _disbelieve(self, facts: Iterable[Fact]) -> None:
        """Believe no longer what many looks from elsewhere have not made sure: it is made so, or searched."""
        if self._context.topological_map is None:
            return
        belief, now = self._context.belief, self._context.clock.now()
        for fact in facts:
            if fact.atom[0] != "class":
                belief.tell(fact.atom, Truth.UNKNOWN, confidence=0.0, time=now, source=fact.source)
                del self._looks[fact.atom]

    def _is_doubtful(self, fact: Fact, sure: float) -> bool:
        """Return whether a look could tell more: the report of an action is no look, however sure it is.

        A look that saw nothing to the contrary is enough for that. Where a robot finds its way about by
        itself, one is not enough that should have seen what an action has reported, and what was seen in
        passing is looked at as well.
        """
        if fact.confidence < sure or self._looks[fact.atom] < self._missed[fact.atom]:
            return True
        looked_at = self._looks[fact.atom] > 0
        if self._context.topological_map is None:
            return fact.source == BY_ACTION and not looked_at
        if fact.source == BY_ACTION:
            group = self._context.belief.vocabulary[fact.atom[0]].group
            return not looked_at or (group == WHEREABOUTS and self._context.in_sight(fact.atom))
        return fact.source == IN_PASSING and not looked_at

    def _is_guarded(self, atom: Atom, beliefs: Snapshot) -> bool:
        """Return whether the guard that checks *atom* for the goal has been compiled in."""
        return guard_of_goal(atom, beliefs.vocabulary) in self._context.settings.guards

    def _find_objections(self, planned: Iterable[Literal], beliefs: Snapshot) -> list[Fact]:
        """Return what the goal was to hold by and is not believed to be so."""
        wanted = (literal for literal in planned if beliefs.vocabulary[literal.atom[0]].observable)
        return [
            beliefs.evidence(literal.atom)
            for literal in sorted(wanted, key=lambda one: (one.atom, one.positive))
            if beliefs.truth(literal.atom) is not (Truth.TRUE if literal.positive else Truth.FALSE)
        ]

    def _reasons(self, goal: Formula, beliefs: Snapshot) -> list[Fact]:
        """The facts that make *goal* true: among them what things are, where it does not name them."""
        atoms = goal_reasons(self._context, goal)
        named = constants_of(goal)
        things = dict.fromkeys(term for atom in atoms for term in atom[1:] if term not in named)
        atoms += [
            ("class", name, entity.best_class)
            for name in things
            if (entity := beliefs.entity(name)) is not None and not entity.told
        ]
        atoms += [("class", name, known) for name, known in self._look_alikes(goal, beliefs)]
        return [beliefs.evidence(atom) for atom in atoms]

    def _look_alikes(self, goal: Formula, beliefs: Snapshot) -> Iterator[tuple[str, str]]:
        """Iterate over objects that may be of a class of which *goal* wants all, but were misclassified."""
        domain = self._context.task.domain
        for kind in all_wanted(goal):
            for name, entity in sorted(beliefs.entities().items()):
                perhaps = sum(p for known, p in entity.classes.items() if domain.is_a(known, kind))
                if (
                    entity.pose is not None
                    and perhaps >= LOOK_ALIKE_LIKELIHOOD
                    and not domain.is_a(entity.best_class, kind)
                ):
                    yield name, entity.best_class

    def missed(self) -> None:
        """Take note that the goal was missed: what spoke against it is looked at the more often next time.

        A place from where what was done looks undone would have it done again and again.
        """
        self._missed.update(self._objections)
        self._looks.clear()

    def forget(self) -> None:
        """Break it off, and be ready for another goal."""
        self._missed.clear()
        self._looks.clear()
        self._look.cancel()


def goal_reasons(context: AgentContext, goal: Formula) -> list[Atom]:
    """Return the observable atoms that make *goal* true, without the classes of objects."""
    beliefs = context.belief.snapshot()
    literals = witness(goal, beliefs.assumed, context.task.objects)
    return [
        literal.atom
        for literal in sorted(literals, key=lambda one: (one.atom, one.positive))
        if beliefs.vocabulary[literal.atom[0]].observable and (literal.positive or beliefs.fact(literal.atom))
    ]
