"""The exchange with ARMAR's skill manager: calls of its skills, each of which hears of its end.

=============================================  ==========================================================
situation                                      what a call says
=============================================  ==========================================================
the bridge is not there when it is begun       RobotError; nothing is sent
the same skill is under way already            RobotError; nothing is sent: the skill manager remembers
                                               one execution of a skill, the last one
refused by the manager or the provider         *Refused*
succeeded, failed, aborted                     as the skill manager says
the bridge ends or falls silent                RobotError with every poll, until there is one that has
                                               looked for the call: then what that one has found
another execution is on record instead         *Replaced*: this one does not run
none is on record                              *Unknown*
a second end, an end of an unknown call        nothing: the first one counts
=============================================  ==========================================================
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from weakref import WeakValueDictionary

from foretree.robots.armar.bridge_process import BridgeProcess
from foretree.robots.armar.memory_senses import MemorySenses
from foretree.skills.robot import RobotError


@dataclass(frozen=True, slots=True)
class CallEnd:
    """The end of a call.

    Attributes:
        status: one of the bridge's ``STATUSES``.
        why: in words, if there are any.
        data: what the skill reports.
    """

    status: str
    why: str
    data: Mapping[str, Any]


def call_id(execution_id: str, step: int, provider: str, skill: str) -> str:
    """Return the id of the call of an execution's step: the same again after a crash."""
    return f"{execution_id} {step} {provider}/{skill}"


class SkillCall:
    """A skill of the skill manager that was begun, here or by an earlier process.

    Attributes:
        id: the same again after a crash.
        provider: who offers the skill.
        skill: its name.
        cancelled: whether its end was asked for.
    """

    def __init__(self, exchange: ArmarExchange, name: str, provider: str, skill: str) -> None:
        self.id, self.provider, self.skill = name, provider, skill
        self.cancelled = False
        self._exchange = exchange
        self._end: CallEnd | None = None

    def __str__(self) -> str:
        return f"{self.provider}/{self.skill}"

    def message(self, do: str) -> dict[str, Any]:
        """Return the message that has it begun, or looked for."""
        about = {"do": do, "id": self.id, "executor": f"foretree {self.id}"}
        return {**about, "provider": self.provider, "skill": self.skill}

    @property
    def is_open(self) -> bool:
        """Return whether no end of it was heard of."""
        return self._end is None

    def poll(self) -> CallEnd | None:
        """Return the end, once there is one.

        Raises:
            RobotError: the robot cannot be reached.
        """
        if self._end is None:
            self._exchange.drain()
        if self._end is None and (why := self._exchange.trouble):
            raise RobotError(why)
        return self._end

    def cancel(self) -> None:
        """Ask for an early end; the bridge goes on asking until there is one."""
        self.cancelled = True
        if self._end is None:
            self._exchange.tell({"do": "cancel", "id": self.id})

    def hear(self, message: Mapping[str, Any]) -> None:
        """Take notice of its end."""
        if self._end is None:
            self._end = CallEnd(str(message["status"]), str(message["why"]), dict(message["data"]))


class ArmarExchange:
    """Passes on what the bridge says to the calls that it is for.

    Args:
        bridge: our end of the bridge, which nothing else reads.
        senses: is told of the objects that the memory has.
    """

    def __init__(self, bridge: BridgeProcess, senses: MemorySenses) -> None:
        self._bridge, self._senses = bridge, senses
        self._calls: WeakValueDictionary[str, SkillCall] = WeakValueDictionary()

    @property
    def trouble(self) -> str:
        """Return why the robot cannot be reached; empty if it can."""
        return self._bridge.trouble

    def begin(self, name: str, provider: str, skill: str, params: Mapping[str, Any]) -> SkillCall:
        """Have a skill begun.

        Raises:
            RobotError: the robot cannot be reached, or the skill is under way. Nothing was sent.
        """
        self.drain()
        for other in self._calls.values():
            if other.is_open and (other.provider, other.skill) == (provider, skill):
                raise RobotError(f"{other} is under way already.")
        call = SkillCall(self, name, provider, skill)
        self._bridge.send({**call.message("start"), "params": params})
        self._calls[name] = call
        return call

    def find(self, name: str, provider: str, skill: str) -> SkillCall:
        """Look for a call that an earlier process may have begun.

        Raises:
            RobotError: the robot cannot be reached.
        """
        if (known := self._calls.get(name)) is not None:
            return known
        call = SkillCall(self, name, provider, skill)
        self._bridge.send(call.message("find"))
        self._calls[name] = call
        return call

    def tell(self, message: Mapping[str, Any]) -> None:
        """Send a message, if there is a bridge: one that comes later is told of what is open anyway."""
        with suppress(RobotError):
            self._bridge.send(message)

    def stop(self, emergency: bool) -> None:
        """Abort all that was begun here.

        Raises:
            RobotError: the robot cannot be told; a bridge that comes later will be.
        """
        for call in self._calls.values():
            call.cancelled = True
        self._bridge.send({"do": "stop", "emergency": emergency})

    def drain(self) -> None:
        """Pass on what has arrived."""
        for message in self._bridge.messages():
            if message["say"] == "ready":
                self._look_for_what_is_open()
            elif message["say"] == "objects":
                self._senses.hear(message["objects"])
            elif message["say"] == "trouble" and message["about"] == "objects":
                self._senses.fail(str(message["why"]))
            elif message["say"] == "ended":
                call = self._calls.get(message["id"])
                if call is not None:
                    call.hear(message)

    def _look_for_what_is_open(self) -> None:
        for call in list(self._calls.values()):
            if call.is_open:
                self.tell(call.message("find"))
                if call.cancelled:
                    self.tell({"do": "cancel", "id": call.id})
