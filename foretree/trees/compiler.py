"""Plan → nodes: each action becomes a leaf, inside the guards that have something to check."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from py_trees.behaviour import Behaviour

from foretree.agent.context import AgentContext
from foretree.behaviours.guards import GUARDS, Guard
from foretree.behaviours.subtree_act import make_act
from foretree.planning.pddl.syntax import Literal
from foretree.planning.plan import Action
from foretree.revision.derivation import ChangeableFacts, derive_expectations
from foretree.revision.expectation import Expectation, GuardName


@dataclass(slots=True)
class ActionNodes:
    """The nodes of one action.

    Attributes:
        top: the outermost.
        leaf: the one that acts.
        guards: those between, outermost first.
        tells_belief: whether the leaf itself tells the belief what it has changed.
        aim: tells the guards what the rest of a revised plan or the goal needs from the action; None if they
            do not care.
        products: what they were last told that the rest of the plan or the goal needs from the action.
        failures: how often they have failed in a row.
    """

    top: Behaviour
    leaf: Behaviour
    guards: tuple[Guard, ...] = ()
    tells_belief: bool = False
    aim: Callable[[Collection[Literal]], None] | None = None
    products: Collection[Literal] = frozenset()
    failures: int = 0


class Builder(Protocol):
    """Makes nodes for actions. Bring your own to have a plan carried out by your own leaves."""

    def build(self, action: Action, products: Collection[Literal], classes: Mapping[str, str]) -> ActionNodes:
        """The nodes of *action*.

        Args:
            action: what they carry out.
            products: what the rest of the plan or the goal needs from it.
            classes: the class that the plan takes each entity for.
        """
        ...


class Compiler:
    """Makes guarded leaves that have the robot act.

    Args:
        context: the robot and the belief.
        guards: the classes of the guards, from the outermost to the innermost.
    """

    def __init__(self, context: AgentContext, guards: Sequence[type[Guard]] = GUARDS) -> None:
        self._context = context
        self._guards = guards
        self._domain = context.task.domain
        self._changes = ChangeableFacts(self._domain)

    def build(self, action: Action, products: Collection[Literal], classes: Mapping[str, str]) -> ActionNodes:
        """The nodes of *action*: ``presence(appearance(attribute(relationship(act))))``, as far as needed."""
        context = self._context
        act = make_act(action, context.catalogue.skills[action.skill], context)
        expectations = self._expectations(action, products, classes)
        top: Behaviour = act
        guards: list[Guard] = []
        for guard in reversed(self._guards):
            if guard.kind in expectations and guard.kind in context.settings.guards:
                top = guard(act, expectations[guard.kind], top, context)
                guards.insert(0, top)

        def aim(products: Collection[Literal]) -> None:
            now = self._expectations(action, products, classes)
            for guard in guards:
                guard.expectations = now.get(guard.kind, ())

        return ActionNodes(top, act, tuple(guards), tells_belief=True, aim=aim)

    def _expectations(
        self, action: Action, products: Collection[Literal], classes: Mapping[str, str]
    ) -> dict[GuardName, tuple[Expectation, ...]]:
        context = self._context
        if context.task.domain is not self._domain:  # other constraints are to be kept since
            self._domain = context.task.domain
            self._changes = ChangeableFacts(self._domain)
        return derive_expectations(
            action,
            context.task.ground(action),
            products,
            self._relevant(action, products, classes),
            context.belief.vocabulary,
            self._changes,
            context.belief.truth,
        )

    def _relevant(
        self, action: Action, products: Collection[Literal], classes: Mapping[str, str]
    ) -> dict[str, str]:
        """The classes that matter to *action*: those of furniture only where something is done to it.

        To take a cup off a desk, or to go there, one need not know that it is a desk.
        """
        beliefs = self._context.belief.snapshot()
        done = {
            term
            for literal in products
            if beliefs.vocabulary[literal.atom[0]].kind != "robot"
            for term in literal.atom[1:]
        }
        return {
            name: classes[name]
            for name in action.arguments
            if name in classes
            and (name in done or (entity := beliefs.entity(name)) is None or not entity.fixed)
        }
