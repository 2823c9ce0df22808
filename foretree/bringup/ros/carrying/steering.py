"""Steering of the session that goes on: pause, step, answers, revised instructions, manual control."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from foretree.agent.dialogue.conversation import PersonalQuestion
from foretree.errors import ForetreeError
from foretree.planning.plan import Action
from foretree.trees.session import Session

#: Something to be done between two ticks.
Command = Callable[[Session], None]


class SteeringReply(NamedTuple):
    """The reply to a request.

    Attributes:
        success: whether it is carried out.
        message: what happens, or why nothing does.
    """

    success: bool
    message: str = ""


_IDLE = SteeringReply(False, "No goal is being carried out.")


class Steering:
    """Takes requests from any thread; the thread that ticks carries them out between two ticks.

    Args:
        wake: called when there is something to be done, so that a wait for the next tick ends.

    Attributes:
        confirms: whether each action waits until a person has allowed it; holds from the next goal on.
        taken: whether a person has the robot, or wants it; stays as it is from one goal to the next.
    """

    def __init__(self, wake: Callable[[], None] = lambda: None) -> None:
        self.taken = False
        self.confirms = False
        self._wake = wake
        #: The action that waits for a person's word, and what that was: yes, no, or nothing yet.
        self._asked: tuple[Action, bool | None] | None = None
        self._session: Session | None = None
        self._commands: deque[Command] = deque()
        self._lock = threading.Lock()

    # -- from any thread ---------------------------------------------------------------------------------
    def pause(self, by: str = "a ROS service") -> SteeringReply:
        """Stop ticking. What the robot is doing goes on to its end."""
        return self._ask(lambda session: session.pause(by), "It is paused after this tick.")

    def resume(self) -> SteeringReply:
        """Go on ticking."""
        with self._lock:
            if self._session is not None and not self._session.paused:
                return SteeringReply(False, "It is not paused.")
        return self._ask(lambda session: session.proceed(), "It goes on.")

    def step(self, ticks: int = 1) -> SteeringReply:
        """Tick so many times, then be paused again."""
        ticks = max(1, ticks)
        with self._lock:
            if self._session is not None and not self._session.paused:
                return SteeringReply(False, "It is not paused: pause it before single steps.")
        return self._ask(lambda session: session.proceed(ticks), f"Ticks: {ticks}.")

    def answer(self, words: str, by: str = "") -> SteeringReply:
        """Answer what the agent asks."""
        with self._lock:
            session = self._session
            if session is None:
                return _IDLE
            question = session.mission.conversation.question
            if self._asked is not None and self._asked[1] is None:
                return self._allow(self._asked[0], words)
        if question is None:
            return SteeringReply(False, "Nothing was asked.")
        return self._say(session, words, by, f"Heard, as an answer to: {question.text}")

    def revise(self, words: str, by: str = "") -> SteeringReply:
        """Give another instruction, which takes the place of the one that is carried out, or adds to it."""
        with self._lock:
            session = self._session
        return _IDLE if session is None else self._say(session, words, by, "Heard.")

    def take_over(self) -> SteeringReply:
        """Leave the robot to a person: what runs is cancelled, nothing begins."""
        if self.taken:
            return SteeringReply(False, "The robot is taken over already.")
        self.taken = True
        self._wake()
        return SteeringReply(
            True, "What runs is cancelled. The robot is yours once the feedback has the status handed-over."
        )

    def give_back(self) -> SteeringReply:
        """Take the robot back: it looks around, and plans anew."""
        if not self.taken:
            return SteeringReply(False, "The robot is not taken over.")
        self.taken = False
        self._wake()
        return SteeringReply(True, "The robot looks around, and plans anew.")

    # -- from the thread that ticks ----------------------------------------------------------------------
    def begin(self, session: Session) -> None:
        """Steer *session* from now on."""
        with self._lock:
            self._session = session
            self._commands.clear()
            self._asked = None
        session.context.permission = self._permission if self.confirms else None

    def end(self) -> None:
        """Steer nothing: the session is over."""
        with self._lock:
            self._session = None
            self._commands.clear()

    def attend(self) -> None:
        """Do what was asked for."""
        with self._lock:
            session, commands = self._session, list(self._commands)
            self._commands.clear()
        if session is None:
            return
        if self.taken and session.paused:
            session.proceed()  # else what runs would not be cancelled
        for command in commands:
            command(session)

    # -- within ------------------------------------------------------------------------------------------
    def _permission(self, action: Action) -> bool | None:
        """Return the word of a person on *action*, who is asked first."""
        with self._lock:
            session = self._session
            if session is None:
                return False
            conversation = session.mission.conversation
            if self._asked is None or self._asked[0] != action:
                self._asked = action, None
                conversation.question = PersonalQuestion(f"Do {action}?")
            allowed = self._asked[1]
            if allowed is not None:
                self._asked = conversation.question = None
            return allowed

    def _allow(self, action: Action, words: str) -> SteeringReply:
        # Nothing else counts: "do not" begins like a yes.
        said = words.strip().strip(".!").lower()
        if said not in ("yes", "no"):
            return SteeringReply(False, f"{words!r} is neither yes nor no: may the robot do {action}?")
        self._asked = action, said == "yes"
        self._wake()
        return SteeringReply(True, f"{action} may begin." if said == "yes" else f"{action} does not begin.")

    def _ask(self, command: Command, message: str) -> SteeringReply:
        with self._lock:
            if self._session is None:
                return _IDLE
            self._commands.append(command)
        self._wake()
        return SteeringReply(True, message)

    def _say(self, session: Session, words: str, by: str, message: str) -> SteeringReply:
        if not words.strip():
            return SteeringReply(False, "Nothing was said.")
        try:
            session.say(words.strip(), by)
        except ForetreeError as error:
            return SteeringReply(False, str(error))
        self._wake()
        paused = " It is paused, and acts on it once it goes on." if session.paused else ""
        return SteeringReply(True, f"{message}{paused}")
