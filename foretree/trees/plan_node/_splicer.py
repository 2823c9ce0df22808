"""Revisions taken over: the one place where the children of a plan node change while it runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from py_trees.behaviour import Behaviour

from foretree.agent.context import AgentContext
from foretree.agent.json_codec import action_json, plan_in_pieces
from foretree.planning.incremental import (
    IncrementalTask,
    IncrementBudget,
    Increments,
    clear_gradually,
    weighted,
)
from foretree.trees.plan_node._children import ChildNodes
from foretree.trees.plan_node._plan_state import PlanState
from foretree.trees.plan_node._revision_check import Proposal
from foretree.trees.plan_node._step_runner import StepRunner, nodes_of


class Splicer:
    """Takes over revisions. The steps change at once, their nodes a bounded amount at a time.

    Args:
        context: records what is taken over.
        steps: the steps of the plan that is revised.
        nodes: their nodes.
    """

    def __init__(self, context: AgentContext, steps: StepRunner, nodes: ChildNodes) -> None:
        self._context = context
        self._steps = steps
        self._nodes = nodes
        self._node_building: IncrementalTask[None] | None = None

    @property
    def busy(self) -> bool:
        """True if nodes of the revised plan are still to be built: nothing new begins before that is done."""
        return self._node_building is not None

    def go_on(self, allowance: IncrementBudget) -> bool:
        """Build as many nodes as are allowed; returns whether none is left to build."""
        if self._node_building is not None and self._node_building.go_on(allowance):
            self._node_building = None
        return self._node_building is None

    def finish(self) -> None:
        """Build all nodes that are left to build."""
        building, self._node_building = self._node_building, None
        if building is not None:
            building.finish()

    def splice(self, proposal: Proposal, answers: str = "") -> None:
        """Make a revision the plan.

        Args:
            proposal: the revision, ready.
            answers: the id of the discrepancy that it answers; empty if nothing was wrong.
        """
        steps, revision = self._steps, proposal.revision
        assert steps.plan is not None
        steps.tally["revised"] += 1
        former = steps.state
        finished = self._nodes.finished(former)
        running = proposal.running
        in_flight = {}
        for step in steps.acting:
            in_flight[step.action.id] = "keep" if step in running else "cancel"
            if step not in running:
                steps.preempt(step, revision.why)
        kept = proposal.kept
        for step in sorted(kept.keys() & steps.begun, key=lambda step: kept[step].index):
            steps.reset(step)
        steps.ticked.update([kept[step] for step in steps.ticked if step in kept])
        for step in proposal.left:
            steps.remove(step)
        steps.plan = replace(steps.plan, classes=proposal.classes)
        steps.maybe_state = proposal.state
        steps.state.take_effect()
        self._nodes.arrange(finished, steps.state)
        self._context.recorder.record(
            "revision.made",
            discrepancy=answers,
            reviser=revision.by,
            why=revision.why,
            kept=[step.action.id for step in kept.values()],
            added=[action_json(step.action) for step in proposal.new],
            removed=sorted(step.action.id for step in proposal.left),
            in_flight=in_flight,
            version=revision.version,
        )
        self._node_building = IncrementalTask(
            self._build_nodes(proposal, former, finished), len(steps.state.steps)
        )

    def _build_nodes(
        self, proposal: Proposal, former: PlanState, finished: Sequence[Behaviour]
    ) -> Increments[None]:
        """Take down the nodes of steps that are left out, build those of new ones, free the former state."""
        steps, nodes = self._steps, self._nodes
        assert steps.plan is not None
        by, classes = proposal.revision.by, steps.plan.classes
        yield from clear_gradually(vars(former))
        yield from weighted(len(steps.state.steps) // 25)
        plan = yield from steps.state.plan(classes)
        made = yield from plan_in_pieces(plan, by)
        self._context.recorder.record("plan.made", **made)
        steps.revised = replace(plan)
        yield from clear_gradually(vars(plan))
        yield from clear_gradually(made)
        removed: list[Behaviour] = []
        for step in proposal.left:
            yield 1
            removed.append(nodes_of(step).top)
            nodes.take_down(nodes_of(step).top)
        added = yield from nodes.build_missing(steps.state, classes)
        yield from clear_gradually(vars(proposal))
        nodes.arrange(finished, steps.state)
        nodes.announce(removed, added)
