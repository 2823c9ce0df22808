"""The supervisor: holds the robot as soon as a rule is broken, and lets it go only when a person says so.

It judges every message on arrival, and everything at its own rate, which finds silence. It starts holding:
after a crash of its own, nothing moves until it is reset. What it cannot judge, it takes for a violation.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from foretree.robots.supervisor.readings import Inputs, JointsReading
from foretree.robots.supervisor.rule_list import rules_of
from foretree.robots.supervisor.rules import SafetyRule, SafetySnapshot, Silence
from foretree.robots.supervisor.safety_file import SafetyFile, StandingStill

NOT_RELEASED = "it has not been reset since its start"


class SafetyViolation(NamedTuple):
    """A rule that is broken, and what is wrong, in a sentence."""

    rule: str
    sentence: str


@dataclass(frozen=True, slots=True)
class SupervisorState:
    """State that a supervisor reports of itself.

    Attributes:
        held: whether the robot is held.
        causes: why it was stopped.
        present: what is wrong now, so that it cannot be reset.
        moves: that it moves although it is held, in words; empty if it does not, or nothing tells.
    """

    held: bool
    causes: tuple[str, ...] = ()
    present: tuple[str, ...] = ()
    moves: str = ""

    @property
    def sentence(self) -> str:
        """The whole of it in a sentence."""
        if not self.held:
            return "The robot may move."
        loudly = f"{self.moves} " if self.moves else ""
        return f"{loudly}The robot is held: {'; '.join(self.causes)}."


class Supervisor:
    """Judges what it hears.

    Args:
        file: the rules and the inputs.
        now: the time.
        more: further reasons why the robot cannot be let go, for example that a service which stops it is
            not there; asked at every check.

    Attributes:
        inputs: what was heard last.
        held: whether the robot is held.
        since: when it was stopped.
    """

    def __init__(self, file: SafetyFile, now: float, more: Callable[[], Sequence[str]] = lambda: ()) -> None:
        self.inputs = Inputs(file)
        self.held = True
        self.since = now
        self._rules = rules_of(file)
        self._silences = [rule for rule in self._rules if isinstance(rule, Silence)]
        self._by_input = _by_input(file, self._rules)
        self._still = file.stop.still
        self._more = more
        self._causes: tuple[SafetyViolation, ...] = (SafetyViolation("reset", NOT_RELEASED),)
        self._present: tuple[SafetyViolation, ...] = ()
        self._moves = ""

    @property
    def state(self) -> SupervisorState:
        """Return what it says of itself."""
        return SupervisorState(
            self.held,
            tuple(cause.sentence for cause in self._causes),
            tuple(violation.sentence for violation in self._present),
            self._moves,
        )

    # -- judging -----------------------------------------------------------------------------------------
    def hear(self, name: str, message: Any, now: float) -> bool:
        """Take in a message on an input; return whether the robot has to be stopped because of it."""
        try:
            self.inputs.hear(name, message, now)
        except Exception as error:  # a message that cannot be taken is a reason to stop, whatever it is
            return self._stop((_cannot_be_judged(name, error),), now)
        found = self._violations(self._by_input[name], now)
        return bool(found) and self._stop(found, now)

    def check(self, now: float) -> bool:
        """Judge everything; return whether the robot has to be stopped because of it."""
        self._present = self._all_violations(now)
        self._moves = self._still_moves(now) if self.held else ""
        return bool(self._present) and self._stop(self._present, now)

    def silence_at(self) -> float:
        """Return when something will have been silent for too long; never, while the robot is held."""
        if self.held:
            return math.inf
        readings = self.inputs.readings
        return min((readings[rule.input].at + rule.limit for rule in self._silences), default=math.inf)

    def stop(self, rule: str, sentence: str, now: float) -> bool:
        """Hold the robot for a reason from outside of the rules; return whether it has to be stopped."""
        return self._stop((SafetyViolation(rule, sentence),), now)

    def reset(self, now: float) -> tuple[str, ...]:
        """Let the robot go if nothing is wrong; return what is, a sentence each."""
        self.inputs.release_buttons()
        self.check(now)
        wrong = tuple(violation.sentence for violation in self._present)
        if moving := self._motion():
            wrong = (*wrong, moving)
        if not wrong:
            self.held = False
            self._causes = ()
        return wrong

    # -- within ------------------------------------------------------------------------------------------
    def _stop(self, found: tuple[SafetyViolation, ...], now: float) -> bool:
        if self.held:
            return False
        self.held = True
        self.since = now
        self._causes = self._present = found
        return True

    def _all_violations(self, now: float) -> tuple[SafetyViolation, ...]:
        more = tuple(SafetyViolation("outputs", sentence) for sentence in self._more())
        return (*self._violations(self._rules, now), *more)

    def _violations(self, rules: Sequence[SafetyRule], now: float) -> tuple[SafetyViolation, ...]:
        snapshot = SafetySnapshot(now, self.inputs.readings)
        found: tuple[SafetyViolation, ...] = ()
        for rule in rules:
            try:
                sentences = rule.violations(snapshot)
            except Exception as error:  # the same as for a message: not judged is not allowed
                found += (_cannot_be_judged(rule.name, error),)
                continue
            found += tuple(SafetyViolation(rule.name, sentence) for sentence in sentences)
        return found

    def _still_moves(self, now: float) -> str:
        """Return that the robot moves although it is held, once it has had its time to stop."""
        if self._still is None or now - self.since <= self._still.within:
            return ""
        motion = self._motion()
        return f"The stop was not taken: {motion}!" if motion else ""

    def _motion(self) -> str:
        """Return which joint moves; empty if none does, or nothing tells."""
        reading = self.inputs.readings.get(self._still.input) if self._still is not None else None
        if self._still is None or not isinstance(reading, JointsReading):
            return ""
        return _moving(self._still, reading)


def _moving(still: StandingStill, reading: JointsReading) -> str:
    for name, speed in zip(reading.names, reading.speeds, strict=True):
        if not abs(speed) <= still.below:
            return f"{name} moves at {abs(speed):.3g}"
    return ""


def _cannot_be_judged(what: str, error: Exception) -> SafetyViolation:
    return SafetyViolation(what, f"{what} cannot be judged ({type(error).__name__}: {error})")


def _by_input(file: SafetyFile, rules: Sequence[SafetyRule]) -> Mapping[str, tuple[SafetyRule, ...]]:
    """Return the rules that a message on an input concerns: those of its points included."""
    concerned = {name: {name} for name in file.inputs}
    for name, point in file.points.items():
        concerned[point.input].add(name)
    return {
        name: tuple(rule for rule in rules if not concerned[name].isdisjoint(rule.reads))
        for name in file.inputs
    }
