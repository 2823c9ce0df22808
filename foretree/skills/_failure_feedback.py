"""Lessons: what the robot's words for a failure teach.

A robot that cannot do something says why. "There is no room on it" is true until something is taken away, and
"it has no switch" of what was taken for a stove says that it is none: whoever tries the same again is told
the same again. So the file of a domain says under ``lessons`` what such words mean.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from foretree.world_model.beliefs.facts import Atom


@dataclass(frozen=True, slots=True)
class FailureFeedback:
    """What it means when the robot says certain words.

    Attributes:
        said: the words; any of them will do.
        then: what is so: an atom over what the action's arguments are called (``?place``); None if the
            lesson is about what something is.
        holds: whether it is so, or is not.
        unfit: what is not of a class that the action is for, called likewise; empty if nothing is.
    """

    said: tuple[str, ...]
    then: Atom | None = None
    holds: bool = True
    unfit: str = ""

    def is_told_by(self, reason: str) -> bool:
        """Whether the reason for a failure contains the words."""
        return any(words in reason for words in self.said)

    def renamed(self, names: Mapping[str, str]) -> FailureFeedback | None:
        """The same with everything called by other names; None if something has none."""
        used = [*(term for term in (self.then or ())[1:]), *([self.unfit] if self.unfit else [])]
        if any(term not in names for term in used):
            return None
        then = self.then and (self.then[0], *(names[term] for term in self.then[1:]))
        return FailureFeedback(self.said, then, self.holds, names.get(self.unfit, ""))
