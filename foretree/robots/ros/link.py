"""The link to ROS: what is asked of it, and what arrives over it.

Messages are mappings of field names to values here, so that all but the link itself runs without ROS.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Protocol, TypeAlias
from uuid import UUID

#: A message as a mapping: field names to values, and to mappings where a field is a message itself.
Fields: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Interface:
    """An action, a service or a topic.

    Attributes:
        name: its name, before remapping (``navigate_to_pose``).
        type: its type (``nav2_msgs/action/NavigateToPose``).
    """

    name: str
    type: str

    def __str__(self) -> str:
        return f"{self.name} ({self.type})"


class GoalStatus(IntEnum):
    """Status of a goal, as ``action_msgs/msg/GoalStatus`` numbers it."""

    UNKNOWN = 0
    ACCEPTED = 1
    EXECUTING = 2
    CANCELING = 3
    SUCCEEDED = 4
    CANCELED = 5
    ABORTED = 6


class CancelAnswer(IntEnum):
    """Answer to a cancel, as ``action_msgs/srv/CancelGoal`` numbers its return codes."""

    ACCEPTED = 0
    REJECTED = 1
    UNKNOWN_GOAL_ID = 2
    GOAL_TERMINATED = 3


@dataclass(frozen=True, slots=True)
class Answered:
    """A server has accepted a goal, or rejected it."""

    id: UUID
    accepted: bool


@dataclass(frozen=True, slots=True)
class CancelAnswered:
    """A server has answered a cancel of one goal."""

    id: UUID
    answer: CancelAnswer


@dataclass(frozen=True, slots=True)
class Resulted:
    """A server has reported the result of a goal, or that it does not know the goal (status *unknown*)."""

    id: UUID
    status: GoalStatus
    result: Fields


@dataclass(frozen=True, slots=True)
class Responded:
    """A service has responded to a call; with an error instead of a response if the call has failed."""

    id: UUID
    response: Fields
    error: str = ""


@dataclass(frozen=True, slots=True)
class Heard:
    """A message has come on a topic that is listened to."""

    topic: Interface
    message: Fields


#: What arrives over a link.
Arrival: TypeAlias = Answered | CancelAnswered | Resulted | Responded | Heard


class RosLink(Protocol):
    """A link to ROS. Nothing blocks, and everything is called from the thread that ticks.

    Every goal and every call has an id that the caller chooses. It survives a crash of the caller, which can
    then ask for the result of a goal that it sent in an earlier life.
    """

    def check(self, interface: Interface, fields: Fields, *, answer: bool = False) -> str:
        """Return why *fields* make no goal, request or message of the interface's type; empty if they do.

        With *answer*, they are those of the result of an action, or of the response of a service.
        """

    def servers(self, interface: Interface) -> frozenset[str]:
        """Return the identities of what serves the action or service; empty if nothing does.

        A server that was started anew has another identity. One that was killed is listed for some time.
        """

    def send_goal(self, action: Interface, goal_id: UUID, goal: Fields) -> None:
        """Send a goal. :class:`Answered` follows."""

    def ask_result(self, action: Interface, goal_id: UUID) -> None:
        """Ask for the result of a goal. :class:`Resulted` follows, at once if the server has no such goal."""

    def cancel_goal(self, action: Interface, goal_id: UUID) -> None:
        """Ask for the end of one goal, whether or not it was accepted. :class:`CancelAnswered` follows."""

    def cancel_all(self, action: Interface) -> None:
        """Ask for the end of all goals of a server. What becomes of each, its result says."""

    def call(self, service: Interface, call_id: UUID, request: Fields) -> None:
        """Call a service. :class:`Responded` follows."""

    def publish(self, topic: Interface, message: Fields) -> None:
        """Publish a message."""

    def listen(self, topic: Interface) -> None:
        """Listen to a topic. :class:`Heard` follows with every message; listening twice changes nothing."""

    def arrivals(self) -> list[Arrival]:
        """Return all that has arrived since the last call, oldest first."""
