"""The look at what is held: it is held up to the eyes until it is sure enough what it is.

A thing is recognised from where it lay, perhaps from far off and half hidden. In the hand it is near, and
every side of it can be looked at for little. So the plan goes on only when it is sure enough that this is the
thing it is about, and in the state that the rest of the plan takes for granted, or when all sides have been
seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from foretree.agent.context import AgentContext
from foretree.agent.look import Look
from foretree.planning.pddl.syntax import Literal
from foretree.planning.plan import Plan
from foretree.revision.expectation import Expectation, ExpectationStatus, GuardName, assess, say_facts
from foretree.trees.plan_node._plan_state import PlanState
from foretree.world_model.beliefs.belief import Snapshot
from foretree.world_model.beliefs.facts import BY_ACTION, HOLDING, WHEREABOUTS, Atom


class InHandCheck:
    """Looks at what is held, as long as it is in doubt what that is or how it is.

    Args:
        context: looks, and knows what is believed.
    """

    def __init__(self, context: AgentContext) -> None:
        self._context = context
        self._look = Look(context)
        self._looks: Counter[str] = Counter()
        #: What no side shows: looks at other sides will not tell either.
        self._hidden: set[Atom] = set()
        self._told: set[Expectation] = set()

    @property
    def looking(self) -> bool:
        """True if a look is under way."""
        return self._look.under_way

    @property
    def says(self) -> str:
        """The reason for waiting, in words of a person."""
        return self._look.waits or "looks at what came into the hand"

    def wanted(self, plan: Plan, state: PlanState) -> bool:
        """Return whether to wait: a look is under way, or begins now, because what is held is in doubt."""
        context = self._context
        if not context.settings.sure_in_hand or not context.settings.guards:
            return False
        beliefs = context.belief.snapshot()
        held = [name for name in plan.classes if is_held(name, beliefs)]
        self._forget_released(held)
        if not held and not self._look.under_way:
            return False
        doubts = self._doubts(held, plan, state, beliefs)
        if self._look.under_way:
            self._go_on(doubts, beliefs)
            return True  # what it has seen comes first
        atoms = [
            atom
            for atom in doubts
            if atom not in self._hidden
            and self._looks[atom[1]] < context.settings.sides
            and context.in_sight(atom)
        ]
        if not atoms:
            return False
        names = list(dict.fromkeys(atom[1] for atom in atoms))
        facts = [beliefs.evidence(atom) for atom in atoms]
        if self._look.begin(atoms, f"{', '.join(names)} came into the hand; {say_facts(facts)}"):
            self._looks.update(names)
        return True

    def _go_on(self, doubts: list[Atom], beliefs: Snapshot) -> None:
        """See whether the look has ended, and what it has not shown; break it off if nothing is in doubt."""
        look = self._look
        if look.poll():
            self._hidden.update(atom for atom in look.atoms if beliefs.evidence(atom).time < look.since)
        elif not doubts:
            look.request_end()

    def _forget_released(self, held: list[str]) -> None:
        """Forget the looks at what is in no hand any more."""
        for name in [name for name in self._looks if name not in held]:
            del self._looks[name]
            self._hidden = {atom for atom in self._hidden if atom[1] != name}

    def mistaken(self, plan: Plan) -> tuple[str, Literal] | None:
        """Return what is held and is not what the plan takes it for, and what it should be; once only."""
        context = self._context
        if not context.settings.sure_in_hand or "appearance" not in context.settings.guards:
            return None
        beliefs = context.belief.snapshot()
        for expectation in self._classes((n for n in plan.classes if is_held(n, beliefs)), plan):
            standing = assess(expectation, beliefs, context.task.objects, context.clock.now(), 0.0)
            assert isinstance(expectation.formula, Literal)
            if standing.verdict is ExpectationStatus.BROKEN and expectation not in self._told:
                self._told.add(expectation)
                return expectation.formula.atom[1], expectation.formula
        return None

    def forget(self) -> None:
        """Break it off, and be ready for other things."""
        self._looks.clear()
        self._hidden.clear()
        self._told.clear()
        self._look.cancel()

    def _doubts(self, held: list[str], plan: Plan, state: PlanState, beliefs: Snapshot) -> list[Atom]:
        """Return what is not sure enough of what the rest of the plan takes for granted of held objects."""
        context = self._context
        sure, now, guards = context.settings.sure_in_hand, context.clock.now(), context.settings.guards
        expected: list[Expectation] = []
        if held and "appearance" in guards:
            expected += self._classes(held, plan)
        if held and "attribute" in guards:
            expected += [
                _expected("attribute", literal)
                for literal in state.needs_of_world()
                if beliefs.vocabulary[literal.atom[0]].kind == "attribute"
                and beliefs.fact(literal.atom) is not None
                and any(name in literal.atom[1:2] for name in held)
            ]
        doubts = []
        for expectation in expected:
            standing = assess(expectation, beliefs, context.task.objects, now, 0.0)
            if any(
                fact.confidence < sure
                for fact in standing.facts
                # What it has done itself is looked at once it matters: at the end.
                if beliefs.vocabulary[fact.atom[0]].observable and fact.source != BY_ACTION
            ):
                assert isinstance(expectation.formula, Literal)
                doubts.append(expectation.formula.atom)
        return doubts

    @staticmethod
    def _classes(held: Iterable[str], plan: Plan) -> list[Expectation]:
        return [_expected("appearance", Literal(("class", name, plan.classes[name]))) for name in held]


def _expected(guard: GuardName, literal: Literal) -> Expectation:
    return Expectation(guard, "", literal)


def is_held(name: str, beliefs: Snapshot) -> bool:
    """Return whether something is in a hand."""
    placement = beliefs.placement(WHEREABOUTS, name)
    return placement is not None and placement[0] == HOLDING
