"""The child nodes of a plan node: built, set up, kept in order, taken down."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from traceback import walk_tb

from py_trees.behaviour import Behaviour
from py_trees.common import Status
from py_trees.composites import Composite

from foretree.planning.incremental import Increments
from foretree.trees.compiler import Builder
from foretree.trees.plan_node._plan_state import PlanState
from foretree.trees.plan_node._scheduled_step import ScheduledStep, StepStatus

#: Called upon every change of the tree with the nodes that were removed and the nodes that were added.
SpliceListener = Callable[[Sequence[Behaviour], Sequence[Behaviour]], None]

#: Updating the nodes of so many steps counts as one increment; building those of one step as so many.
_UPDATED_AT_A_TIME, _BUILDING = 4, 3
#: Shorter plans are shown whole; of longer ones, so many steps before and after the first open one.
_SHOWN_ALL, _SHOWN_BEFORE, _SHOWN_AFTER = 32, 4, 8


class ChildNodes:
    """The children of *parent*, one for each step of its plan.

    Args:
        parent: the plan node.
        builder: makes the nodes of an action.

    Attributes:
        setup_arguments: the arguments of the tree's setup, for nodes that a revision adds; None before.
        listeners: called upon every change.
    """

    def __init__(self, parent: Composite, builder: Builder) -> None:
        self.setup_arguments: dict[str, object] | None = None
        self.listeners: list[SpliceListener] = []
        self._parent = parent
        self._builder = builder

    def build_missing(self, state: PlanState, classes: Mapping[str, str]) -> Increments[list[Behaviour]]:
        """Build the nodes of steps that have none, and tell other guards what is needed of their actions."""
        added: list[Behaviour] = []
        products = yield from state.products()
        for step, product in zip(state.steps, products, strict=True):
            if step.nodes is not None:
                if step.index % _UPDATED_AT_A_TIME == 0:
                    yield 1
                nodes = step.nodes
                if step.status is StepStatus.WAITING and nodes.products != product and nodes.aim is not None:
                    yield 1
                    nodes.aim(product)
            else:
                for _ in range(_BUILDING):
                    yield 1
                nodes = step.nodes = self._builder.build(step.action, product, classes)
                nodes.top.parent = self._parent
                self._parent.children.append(nodes.top)
                added.append(nodes.top)
                if self.setup_arguments is not None:
                    for node in nodes.top.iterate():
                        node.setup(**self.setup_arguments)
            nodes.products = product
        return added

    def finished(self, state: PlanState) -> list[Behaviour]:
        """Return the children whose steps have ended, those of earlier revisions first."""
        earlier = self._parent.children[: len(self._parent.children) - len(state.steps)]
        return [
            *earlier,
            *(step.nodes.top for step in state.steps if step.nodes is not None and not step.open),
        ]

    def arrange(self, finished: Sequence[Behaviour], state: PlanState) -> None:
        """Put the children in order: the *finished* ones, then those of the plan."""
        tops = [step.nodes.top for step in state.steps if step.nodes is not None]
        self._parent.children[:] = [*finished, *tops]

    def shown(self, state: PlanState | None, begun: Collection[ScheduledStep]) -> Sequence[Behaviour]:
        """Return the children that the node shows when the nodes of a tree are iterated over."""
        children = self._parent.children
        if state is None or self._parent.status is Status.INVALID or len(children) <= _SHOWN_ALL:
            return children
        first = state.first()
        near = state.steps[max(0, first - _SHOWN_BEFORE) : first + _SHOWN_AFTER]
        steps = sorted({*near, *begun}, key=lambda step: step.index)
        return [step.nodes.top for step in steps if step.nodes is not None]

    def clear(self) -> list[Behaviour]:
        """Take down all children; returns them."""
        removed = list(self._parent.children)
        self._parent.children.clear()
        for child in removed:
            self.take_down(child)
        return removed

    def take_down(self, child: Behaviour) -> None:
        """Stop a former child if it runs, shut it down, and free its blackboard keys."""
        halt(child)
        child.parent = None
        for node in child.iterate():
            if self.setup_arguments is not None:
                node.shutdown()
            # A client with exclusive write access would block the node that comes in its place.
            for client in node.blackboards:
                client.unregister()

    def announce(self, removed: Sequence[Behaviour], added: Sequence[Behaviour]) -> None:
        """Tell the listeners of a change."""
        for listener in self.listeners:
            listener(removed, added)


def halt(top: Behaviour) -> None:
    """Stop a child if it runs; it does not, afterwards, even if it raises."""
    if top.status is not Status.RUNNING:
        return
    try:
        top.stop(Status.INVALID)
    except Exception:
        force_invalid(top)
        raise


def force_invalid(top: Behaviour) -> None:
    """Leave no node RUNNING below one whose own terminate() raised."""
    for node in top.iterate():
        if node.status is Status.RUNNING:
            node.status = Status.INVALID


def was_stopping(error: Exception) -> bool:
    """Return whether *error* was raised while a node was being stopped."""
    return any(frame.f_code.co_name == "stop" for frame, _ in walk_tb(error.__traceback__))
