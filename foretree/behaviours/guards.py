"""The four guards: decorators that check the world before they let an action begin.

Each ticks its child only once what it expects holds. When it does not know, does not know well enough, or
what it knows is old, and a look from here can tell, it looks first. When what it expects is contradicted, it
keeps its :class:`~foretree.revision.discrepancy.Discrepancy` for the plan node to find, and waits: it is the
plan that changes then, not the guard.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from py_trees.behaviour import Behaviour
from py_trees.common import Status
from py_trees.decorators import Decorator

from foretree.agent.context import AgentContext
from foretree.agent.look import Look
from foretree.behaviours.act import Act
from foretree.planning.plan import Action
from foretree.planning.semantics.evaluation import evaluate
from foretree.revision.discrepancy import UNSURE, Discrepancy, describe_seen
from foretree.revision.expectation import (
    Assessment,
    Expectation,
    ExpectationStatus,
    GuardName,
    assess,
    say_facts,
)
from foretree.world_model.beliefs.belief import Snapshot
from foretree.world_model.beliefs.facts import Atom, Fact, Truth

#: What is so of as many of such things is taken for granted before what cannot be undone.
_IRREVERSIBLE_CERTAINTY = 0.95


class Guard(Decorator):
    """Checks what an action expects before its child is ticked.

    To compile in a guard of your own, give it to a :class:`~foretree.trees.compiler.Compiler`. This one
    looks a second time before a state that speaks against an action counts::

        from foretree import PlanNode, Wish, embedded_context, make_plan, understand
        from foretree.behaviours.guards import Appearance, Attribute, Presence, Relationship
        from foretree.trees.compiler import Compiler

        class SecondLook(Attribute):
            looks_again = True

        context, world = embedded_context("kitchen")
        compiler = Compiler(context, guards=(Presence, Appearance, SecondLook, Relationship))
        goal = understand(context, Wish("put the mango into the fridge")).goal
        fetch = PlanNode(context, make_plan(context, goal), builder=compiler)

    Args:
        act: the leaf that carries out the action, somewhere below.
        expectations: what is checked.
        child: the next guard, or the leaf itself.
        context: the shared ground.

    Attributes:
        discrepancy: what is wrong, if something is.
    """

    kind: ClassVar[GuardName]
    #: Whether what speaks against the action is looked at again before it counts.
    looks_again: ClassVar[bool] = False

    def __init__(
        self, act: Act, expectations: tuple[Expectation, ...], child: Behaviour, context: AgentContext
    ) -> None:
        super().__init__(name=type(self).__name__.lower(), child=child)
        self.expectations = expectations
        self.discrepancy: Discrepancy | None = None
        self._act = act
        self._context = context
        self._look = Look(context, robot=context.team.acting(act.action.arguments).robot.name)
        self._looks = 0
        self._begun = False
        self._told = False

    @property
    def action(self) -> Action:
        """The action that is guarded."""
        return self._act.action

    def initialise(self) -> None:
        self.discrepancy = None
        if self._begun:
            # Who was called back before the action began has looked already.
            self._looks = 0
        self._begun = False
        self._told = False

    def tick(self) -> Iterator[Behaviour]:
        """Check, then tick the child; unlike the base class, in this order."""
        if self.status is not Status.RUNNING:
            self.initialise()
        # Once the action has begun, the plan node watches over what must keep holding.
        if self._act.started or self._check():
            self._begun = True
            yield from self.decorated.tick()
            status = self.decorated.status
            self.feedback_message = ""
        else:
            status = Status.RUNNING
        if status is not Status.RUNNING:
            self.stop(status)
        self.status = status
        yield self

    def update(self) -> Status:
        return self.decorated.status

    def terminate(self, new_status: Status) -> None:
        self._look.cancel()

    def inspect(self, beliefs: Snapshot) -> Iterator[Discrepancy]:
        """Iterate over what is contradicted right now, without looking."""
        for expectation in self.expectations:
            standing = self._measure(expectation, beliefs)
            if standing.verdict is ExpectationStatus.BROKEN:
                yield self._discrepancy(expectation, standing, beliefs)

    def _check(self) -> bool:
        """Return whether the child may be ticked now."""
        beliefs = self._context.belief.snapshot()
        self.discrepancy = None
        if self._look.under_way and not self._has_seen():
            return False
        for expectation in self.expectations:
            standing = self._measure(expectation, beliefs)
            if standing.verdict is ExpectationStatus.HOLDS or self._goes_without_looking(
                expectation, beliefs
            ):
                continue
            if (
                standing.verdict is ExpectationStatus.UNSURE
                or self.looks_again
                or self._in_doubt(expectation, standing)
            ):
                if self._begin_look(standing, expectation):
                    return False
                if not self._contradicted(expectation, standing):
                    continue
            self.discrepancy = self._discrepancy(expectation, standing, beliefs)
            self.feedback_message = self.discrepancy.sentence
            self._record(expectation, standing, passed=False)
            return False
        if not self._told:
            self._told = True
            for expectation in self.expectations:
                self._record(expectation, self._measure(expectation, beliefs), passed=True)
        return True

    def _measure(self, expectation: Expectation, beliefs: Snapshot) -> Assessment:
        context = self._context
        return assess(
            expectation, beliefs, context.task.objects, context.clock.now(), self._act.skill.certainty
        )

    def _goes_without_looking(self, expectation: Expectation, beliefs: Snapshot) -> bool:
        """Return whether nothing is known, but what is usual is sure enough for the skill."""
        skill, objects = self._act.skill, self._context.task.objects
        if evaluate(expectation.formula, beliefs.truth, objects) is not Truth.UNKNOWN:
            return False
        certainty = max(skill.certainty, _IRREVERSIBLE_CERTAINTY) if skill.irreversible else skill.certainty

        def presumed(atom: Atom) -> Truth:
            return beliefs.presumed(atom, certainty)

        return evaluate(expectation.formula, presumed, objects) is Truth.TRUE

    def _in_doubt(self, expectation: Expectation, standing: Assessment) -> bool:
        """Return whether the contradiction is so unsure that a look comes before a change of the plan."""
        settings = self._context.settings
        sure = settings.sure_needless if expectation.purpose else settings.sure_otherwise
        return any(fact.confidence < sure for fact in self._seen(standing))

    def _seen(self, standing: Assessment) -> Iterator[Fact]:
        """Iterate over what can be seen of the facts that an assessment rests on."""
        beliefs = self._context.belief.snapshot()
        return (fact for known in standing.facts for fact in self._context.seen_of(known.atom, beliefs))

    def _contradicted(self, expectation: Expectation, standing: Assessment) -> bool:
        """Return whether what could not be made sure speaks against the action, so that it must not begin.

        A purpose in doubt never does. An irreversible skill takes no risk. Any other goes by what is
        believed, and where nothing is believed, by what planning assumes.
        """
        if standing.verdict is ExpectationStatus.BROKEN:
            return not (expectation.purpose and self._in_doubt(expectation, standing))
        if expectation.purpose:
            return False
        if self._act.skill.irreversible:
            return True
        # What planning must not assume gets the benefit of the doubt here: the robot will tell.
        beliefs = self._context.belief.snapshot()
        return evaluate(expectation.formula, beliefs.assumed, self._context.task.objects) is Truth.FALSE

    def _begin_look(self, standing: Assessment, expectation: Expectation) -> bool:
        """Begin to look at what is in doubt, if that can help; True while there is hope."""
        context = self._context
        atoms = list(dict.fromkeys(fact.atom for fact in (*self._seen(standing), *standing.facts)))
        # What can be undone is rather tried than looked at twice: the robot will tell.
        once = standing.verdict is ExpectationStatus.UNSURE and not self._act.skill.irreversible
        most = min(context.settings.looks, 1) if once else context.settings.looks
        if self._looks >= most or not any(context.in_sight(atom) for atom in atoms):
            return False
        why = f"{self.action} expects {expectation}; {say_facts(standing.facts)}"
        if self._look.begin(atoms, why, widely=self._looks > 0):
            self._looks += 1
            self.feedback_message = f"looks: {expectation}?"
        else:
            self.feedback_message = self._look.waits
        return True

    def _has_seen(self) -> bool:
        """Return whether the look has ended."""
        if self._look.poll():
            return True
        if self._look.waits:
            self.feedback_message = f"looks: {self._look.waits}"
        return False

    def _discrepancy(self, expectation: Expectation, standing: Assessment, beliefs: Snapshot) -> Discrepancy:
        believed = evaluate(expectation.formula, beliefs.truth, self._context.task.objects)
        return Discrepancy(
            id=self._context.discrepancy_id(),
            action=self.action,
            guard=self.kind,
            expected=str(expectation),
            seen=(UNSURE if believed is Truth.TRUE else describe_seen(standing.facts, beliefs)),
            version=beliefs.version,
            facts=standing.facts,
            expectation=expectation,
            doubted=believed is not Truth.FALSE,
        )

    def _record(self, expectation: Expectation, standing: Assessment, *, passed: bool) -> None:
        self._context.recorder.record(
            "guard.checked",
            node=self.name,
            action=self.action.id,
            guard=self.kind,
            passed=passed,
            expected=str(expectation),
            believed=say_facts(standing.facts),
        )


class Presence(Guard):
    """Each thing is where the plan believes it is, and so is the robot."""

    kind: ClassVar[GuardName] = "presence"


class Appearance(Guard):
    """Each thing still looks like what the plan takes it for. One glance does not make it another thing."""

    kind: ClassVar[GuardName] = "appearance"
    looks_again: ClassVar[bool] = True


class Attribute(Guard):
    """The states are what the action needs, and not already what it would make them."""

    kind: ClassVar[GuardName] = "attribute"


class Relationship(Guard):
    """The thing is not already where the action would put it."""

    kind: ClassVar[GuardName] = "relationship"


#: From the outermost to the innermost.
GUARDS: tuple[type[Guard], ...] = (Presence, Appearance, Attribute, Relationship)
