"""Claims: who has asked for what, where several people speak with the agent."""

from __future__ import annotations

from dataclasses import dataclass

from foretree.planning.constraints.constraints import Constraint
from foretree.planning.pddl.syntax import Formula
from foretree.reasoning.reasoner import Understanding


@dataclass(frozen=True, slots=True)
class Claim:
    """Request of a person, and its meaning.

    Attributes:
        by: the person's name; empty where it is not known.
        words: what was said.
        how: how it was read.
        goal: what shall hold in the end.
        constraints: what has to hold on the way, or from then on.
        wanted: the classes of which something has to be found for it.
    """

    by: str
    words: str
    how: str
    goal: Formula
    constraints: tuple[Constraint, ...] = ()
    wanted: tuple[str, ...] = ()

    @property
    def told(self) -> str:
        """Sentence that tells who asks for what, without its full stop."""
        return f'{called(self.by)} asks: "{self.words}"' if self.by else f'I was asked: "{self.words}"'

    @property
    def wish(self) -> str:
        """The wish as a thing to be done or not: what Anna asks for."""
        return f"what {called(self.by)} asks for" if self.by else "what I was asked for"


def claim_of(by: str, words: str, understood: Understanding) -> Claim:
    """Return the claim of a person whose words are understood."""
    return Claim(by, words, understood.sentence, understood.goal, understood.constraints, understood.wanted)


def called(name: str) -> str:
    """Return a person's name as it is written: "Anna" for ``anna``."""
    return name[:1].upper() + name[1:]
