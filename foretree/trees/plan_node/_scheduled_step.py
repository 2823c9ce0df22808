"""One step of a plan that is carried out."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum

from py_trees.common import Status

from foretree.behaviours.act import Act
from foretree.planning.pddl.syntax import Literal
from foretree.planning.plan import Action
from foretree.trees.compiler import ActionNodes


class StepStatus(Enum):
    """The progress of a step."""

    WAITING = "waiting"
    BEGUN = "begun"  # its nodes are being ticked: guards check, or the robot acts
    DONE = "done"
    SKIPPED = "skipped"
    REMOVED = "removed"


class ScheduledStep:
    """One action of a plan, and how far it has come.

    Attributes:
        action: what is to be done.
        status: how far it has come.
        nodes: what carries it out.
        index: its position in the plan.
        blockers: how many steps it still waits for.
        successors: the steps that wait for it.
        needs: literals that it relies on and does not itself undo: they have to hold while it runs. This and
            *makes* are filled in when its turn has come.
        makes: literals that it makes true.
    """

    __slots__ = (
        "action",
        "blockers",
        "index",
        "makes",
        "needs",
        "nodes",
        "status",
        "successors",
    )

    def __init__(self, action: Action) -> None:
        self.action = action
        self.status = StepStatus.WAITING
        self.nodes: ActionNodes | None = None
        self.index = 0
        self.blockers = 0
        self.successors: list[ScheduledStep] = []
        self.needs: frozenset[Literal] = frozenset()
        self.makes: frozenset[Literal] = frozenset()

    def name(self, fresh_id: str) -> None:
        """Give its action another id."""
        self.action = replace(self.action, id=fresh_id)

    @property
    def open(self) -> bool:
        """True if it is still to be brought to its end."""
        return self.status is StepStatus.WAITING or self.status is StepStatus.BEGUN

    @property
    def acting(self) -> bool:
        """True if it is past its guards: the robot has been told, or a leaf of the user's own runs."""
        nodes = self.nodes
        if nodes is None or self.status is not StepStatus.BEGUN:
            return False
        if isinstance(nodes.leaf, Act):
            return nodes.leaf.started
        return nodes.leaf.status is Status.RUNNING

    @property
    def over(self) -> bool:
        """True if the robot has reported the end of what it does; its nodes have yet to be ticked."""
        leaf = self.nodes.leaf if self.nodes is not None else None
        return isinstance(leaf, Act) and leaf.started and leaf.end is not None

    @property
    def waits(self) -> str:
        """The reason why it waits, in words of a person; empty where nothing keeps it."""
        nodes = self.nodes
        assert nodes is not None
        said = [*(guard.feedback_message for guard in nodes.guards if guard.status is Status.RUNNING)]
        if isinstance(nodes.leaf, Act) and nodes.leaf.status is Status.RUNNING:
            said.append(nodes.leaf.feedback_message)
        waits = next(filter(None, said), "")
        return f"{self.action}: {waits}" if waits else ""
