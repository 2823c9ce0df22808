"""Requests read so far, and the first of several ways to read words that makes sense."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Protocol

from foretree.planning.constraints.constraints import Constraint
from foretree.planning.pddl.syntax import TRUE, Formula, Literal, substitute, substitute_atom
from foretree.reasoning.instruction_errors import AmbiguousError, InstructionError
from foretree.reasoning.offline.grammar.clauses import Clause
from foretree.reasoning.offline.grammar.goal_assembly import PartialGoal
from foretree.reasoning.offline.phrases.discourse import Discourse, Group
from foretree.reasoning.offline.phrases.known_things import conjoined
from foretree.reasoning.offline.sentences.moments import MomentOfWay
from foretree.reasoning.offline.sentences.sequence import Step


class ReadCommand(Protocol):
    """A request, understood.

    Attributes:
        step: when it is said to be done; None if that is not known.
        stays: whether a thing is left as it is.
        moments: the moments of the robot's way for which it is said.
    """

    @property
    def step(self) -> Step | None: ...

    @property
    def stays(self) -> bool: ...

    @property
    def moments(self) -> tuple[MomentOfWay, ...]: ...

    def demands(self) -> tuple[PartialGoal, ...]:
        """Return the parts of the goal."""

    def sentence(self) -> str:
        """Return the request as it was read."""


@dataclass(frozen=True)
class ResolvedClause:
    """A command of one clause, whose things are found.

    Attributes:
        clause: the words.
        groups: what fills the slots.
        wanted: classes of which something must be found first.
        discourse: the things spoken of so far.
        besides: what else its noun phrases ask for.
        step: when it is said to be done; None if that is not known.
        moments: the moments of the robot's way for which it is said.
    """

    clause: Clause
    groups: dict[str, Group]
    wanted: tuple[str, ...]
    discourse: Discourse
    besides: tuple[PartialGoal, ...] = ()
    step: Step | None = None
    moments: tuple[MomentOfWay, ...] = ()

    def demands(self) -> tuple[PartialGoal, ...]:
        """Return the parts of the goal, one for each of several things."""
        names = list(self.groups)
        demands = []
        for chosen in product(*(self.groups[name] for name in names)):
            binding = {f"_{name}_": r.term for name, r in zip(names, chosen, strict=True)}
            pattern = self.clause.pattern
            undoes, needs = (
                tuple(Literal(substitute_atom(e.atom, binding), e.positive) for e in literals)
                for literals in (pattern.undoes, pattern.needs)
            )
            goal = substitute(pattern.goal, binding)
            demands.append(PartialGoal(goal, chosen, undoes, needs, self.sentence()))
        return (*demands, *self.besides)

    @property
    def stays(self) -> bool:
        """True if a thing is left as it is, which it is all the time: "leave the drawer open after that"."""
        return self.clause.pattern.leads_nowhere and self.clause.verb[0] in ("leave", "keep")

    def sentence(self) -> str:
        """Return the command with the names of its things."""
        return self.clause.say(
            {
                name: conjoined(dict.fromkeys(referent.says for referent in group))
                for name, group in self.groups.items()
            }
        )


@dataclass(frozen=True)
class Progress:
    """The requests read so far.

    Attributes:
        commands: they, in the order in which they were said.
        clause: the last clause, whose verb the next may go on with.
        discourse: the things spoken of.
        wanted: classes of which something must be found first.
        notes: what was taken for granted, in sentences.
        constraints: what the plan must keep to.
    """

    commands: tuple[ReadCommand, ...] = ()
    clause: Clause | None = None
    discourse: Discourse = ()
    wanted: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    constraints: tuple[Constraint, ...] = ()

    def with_(self, command: ResolvedClause) -> Progress:
        """Return the progress after a further clause."""
        return replace(
            self,
            commands=(*self.commands, command),
            clause=command.clause,
            discourse=command.discourse,
            wanted=(*self.wanted, *command.wanted),
        )


@dataclass(frozen=True)
class SettledRequest:
    """A request whose goal is known as a whole: one of two that will do."""

    goal: Formula
    says: str
    step: Step | None = None
    moments: tuple[MomentOfWay, ...] = ()

    @property
    def stays(self) -> bool:
        """False: it is no thing that is left as it is."""
        return False

    def demands(self) -> tuple[PartialGoal, ...]:
        return () if self.goal == TRUE else (PartialGoal(self.goal, (), says=self.says),)

    def sentence(self) -> str:
        return self.says


def first_that_reads(orders: Sequence[Callable[[], Iterator[Progress]]]) -> Iterator[Progress]:
    """Yield the readings of the first of *orders* that has any.

    Raises:
        InstructionError: none has; the first one's reason.
    """
    difficulty: InstructionError | None = None
    for order in orders:
        read = False
        try:
            for progress in order():
                read = True
                yield progress
        except InstructionError as error:
            asks = isinstance(error, AmbiguousError) and not isinstance(difficulty, AmbiguousError)
            difficulty = error if difficulty is None or asks else difficulty
        if read:
            return
    if difficulty is not None:
        raise difficulty
