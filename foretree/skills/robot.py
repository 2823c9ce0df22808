"""The robot protocol: executions with an id and a confirmed end, looks, and a stream of observations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

from foretree.errors import ForetreeError
from foretree.world_model.beliefs.facts import Extent, Pose
from foretree.world_model.observation import Observation


class Outcome(Enum):
    """Outcome of an execution. *lost* means that it is not known, and so are the effects."""

    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Target:
    """A thing that an action is aimed at, described by pose and appearance.

    It carries no name: names mean nothing outside the agent.

    Attributes:
        classes: its class scores in the belief.
        pose: its believed pose.
        features: its appearance descriptor, if there is one.
        held_in: the hand that holds it, if one does.
        extent: the box around it, if it stands where it stands and the belief knows.
    """

    classes: Mapping[str, float]
    pose: Pose | None
    features: tuple[float, ...] = ()
    held_in: str | None = None
    extent: Extent | None = None


@dataclass(frozen=True, slots=True)
class End:
    """The confirmed end of an execution.

    Attributes:
        outcome: done, failed, cancelled or lost.
        reason: why, in words for a person.
        unlike: whether it failed because the target looks like something else.
        obstacle: what was in the way of the robot's motion, if that is why it failed: its pose, and its class
            scores if the robot knows any.
        out_of_reach: whether it failed because no posture of the robot gets to the target as things stand.
        without_effect: whether it ended before anything was changed, so that what was believed still stands.
    """

    outcome: Outcome
    reason: str = ""
    unlike: bool = False
    obstacle: Target | None = None
    out_of_reach: bool = False
    without_effect: bool = False


@dataclass(frozen=True, slots=True)
class Order:
    """An order to a robot.

    Attributes:
        skill: the skill's name (``pick``).
        targets: by the skill's parameter names without the question mark.
        hand: the hand to use, if the skill uses one.
        parameters: further values from the skill's file.
        other_hand: the second hand, for what takes both at once.
    """

    skill: str
    targets: Mapping[str, Target] = field(default_factory=dict)
    hand: str | None = None
    parameters: Mapping[str, object] = field(default_factory=dict)
    other_hand: str | None = None


@dataclass(frozen=True, slots=True)
class LookRequest:
    """A look at certain places or things.

    Attributes:
        at: targets to cover. Empty means all around.
        why: the reason, in words for a person.
    """

    at: tuple[Target, ...] = ()
    why: str = ""


class RobotError(ForetreeError):
    """The robot cannot be talked to, or was told something it does not offer."""

    exit_code = 4


class Execution(Protocol):
    """An order or a look that a robot carries out. Its end, once reported, never changes."""

    id: str

    def poll(self) -> End | None:
        """Return the end, once the robot has confirmed it; None before. Never blocks, never raises."""

    def cancel(self) -> None:
        """Ask for an early end. Returns at once; the end still has to be polled for. Asking twice, or after
        the end, changes nothing. An execution that is done before the cancel arrives ends as *done*."""


class Robot(Protocol):
    """A robot, real or simulated.

    A robot that is done with everything at once, and sees nothing::

        >>> class Done:
        ...     def __init__(self, execution_id):
        ...         self.id = execution_id
        ...     def poll(self):
        ...         return End(Outcome.DONE)
        ...     def cancel(self):
        ...         pass
        >>> class Gripper:
        ...     name, hands = "gripper", ("hand",)
        ...     def __init__(self):
        ...         self.executions = {}
        ...     def start(self, order, execution_id):
        ...         print(order.skill, "with", order.hand, "at", order.targets["item"].pose)
        ...         return self.executions.setdefault(execution_id, Done(execution_id))
        ...     def look(self, request, execution_id):
        ...         return self.executions.setdefault(execution_id, Done(execution_id))
        ...     def observations(self):
        ...         return []
        ...     def attach(self, execution_id):
        ...         return self.executions.get(execution_id)
        ...     def stop(self):
        ...         pass
        >>> robot: Robot = Gripper()
        >>> mug = Target({"mug": 1.0}, pose=(1.0, 2.0, 0.9))
        >>> robot.start(Order("pick", {"item": mug}, hand="hand"), "run1/1").poll().outcome
        pick with hand at (1.0, 2.0, 0.9)
        <Outcome.DONE: 'done'>

    An agent does not call a robot directly but through an
    :class:`~foretree.skills.executive.executive.Executive`. ``docs/robots.md`` tells what each method has to
    keep to.

    Attributes:
        name: name of the robot in the belief.
        hands: names of its hands.
    """

    name: str
    hands: tuple[str, ...]

    def start(self, order: Order, execution_id: str) -> Execution:
        """Begin to carry out *order*. The id is the caller's and survives a crash of the caller."""

    def look(self, request: LookRequest, execution_id: str) -> Execution:
        """Begin a look; what it sees arrives through :meth:`observations`."""

    def observations(self) -> list[Observation]:
        """Return everything observed since the last call, oldest first. Never blocks."""

    def attach(self, execution_id: str) -> Execution | None:
        """Return the execution of that id if the robot still knows it; for resuming after a crash."""

    def stop(self) -> None:
        """Stop moving, now. Every execution ends as *cancelled*, or is *lost*."""
