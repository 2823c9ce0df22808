"""The agent's account of itself: what it was told, does, has done, and is going to do, by its record."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Deed:
    """An action, and what became of it.

    Attributes:
        skill: the skill.
        arguments: the things that it is about, without the robot and its hands.
        words: what is done, in words: "wash mug1".
        status: *planned*, *running*, *done*, *failed*, *cancelled*, *lost*, *skipped* or *dropped*.
        reason: why it failed, was skipped or was dropped.
        needed_for: what needed it, one phrase each.
        robot: the robot that it is for; empty with one robot.
    """

    skill: str
    arguments: tuple[str, ...]
    words: str
    status: str = "planned"
    reason: str = ""
    needed_for: tuple[str, ...] = ()
    robot: str = ""


@dataclass(frozen=True, slots=True)
class SessionAccount:
    """An instruction, and what became of it.

    Attributes:
        instruction: the words.
        how: how they were read.
        outcome: how it ended; empty while it goes on.
        reason: why it was not reached.
        deeds: the actions that were begun, skipped or dropped, in order.
        coming: the actions that are still to be done, in order.
        troubles: what was not as expected, and what failed, a sentence each.
        changes: why the plan was changed, a sentence each.
        assumptions: what was taken for granted.
        left_out: what is not done of the instruction, each with the reason.
        keeps: what is kept to on the way.
        seconds_left: how long the rest will take, by how long the actions so far took; None if that is not
            known.
    """

    instruction: str = ""
    how: str = ""
    outcome: str = ""
    reason: str = ""
    deeds: tuple[Deed, ...] = ()
    coming: tuple[Deed, ...] = ()
    troubles: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    left_out: tuple[tuple[str, str], ...] = ()
    keeps: tuple[str, ...] = ()
    seconds_left: float | None = None

    @property
    def running(self) -> tuple[Deed, ...]:
        """The actions that are being carried out."""
        return tuple(deed for deed in self.deeds if deed.status == "running")


@dataclass(frozen=True, slots=True)
class Account:
    """Account that the agent can give of itself.

    Attributes:
        now: the time.
        robots: the names of the robots.
        sessions: the instructions so far, the latest last; the one that goes on has no outcome.
        skills: what the robots can do, a phrase for each skill.
        keeps: what is kept to in all that follows.
        said: what people have said, the latest last.
    """

    now: float = 0.0
    robots: tuple[str, ...] = ()
    sessions: tuple[SessionAccount, ...] = ()
    skills: tuple[str, ...] = field(default=())
    keeps: tuple[str, ...] = ()
    said: tuple[str, ...] = ()

    @property
    def latest(self) -> SessionAccount:
        """The session that goes on, else the one before."""
        return self.sessions[-1] if self.sessions else SessionAccount()

    @property
    def busy(self) -> bool:
        """True if something is being done."""
        return bool(self.sessions) and not self.sessions[-1].outcome
