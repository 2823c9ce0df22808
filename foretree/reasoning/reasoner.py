"""The reasoner protocol: an instruction in, a goal out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias, runtime_checkable

from foretree.clock import Clock, Deferred
from foretree.errors import ForetreeError
from foretree.planning.constraints.constraints import Always, Constraint
from foretree.planning.pddl.syntax import Domain, Formula
from foretree.planning.semantics.evaluation import conjuncts
from foretree.reasoning.account import Account
from foretree.reasoning.instruction_errors import AmbiguousError
from foretree.reasoning.offline.phrases.discourse import Discourse
from foretree.reasoning.phrase_templates import PhraseTemplate
from foretree.world_model.affordances.objects import Remark
from foretree.world_model.beliefs.belief import Snapshot
from foretree.world_model.beliefs.facts import Atom
from foretree.world_model.ontology import Ontology

if TYPE_CHECKING:
    from foretree.reasoning.dialogs.place_hints import PlaceHint


class Former(Protocol):
    """The state before the last requests."""

    def placement(self, name: str) -> Atom | None:
        """Return where a thing was before it was where it is; None if that is not known."""
        ...

    def changed(self) -> Sequence[tuple[Atom, bool]]:
        """Return the facts that the last request has changed, each with whether it was so before."""
        ...


@dataclass(frozen=True, slots=True)
class Situation:
    """The knowledge with which an instruction is understood.

    Attributes:
        beliefs: the things that are known, their classes, places and states.
        domain: types, predicates and actions; goals are made of them.
        ontology: the names of the classes of things.
        forms: the wordings by which people ask for the skills.
        speaker: the person who speaks, if that is known.
        stranger: the name of who speaks, where that is none of the persons known; "me" names no one then.
        rooms: the room of each thing that belongs to the map.
        unsearched: the furniture not looked into yet, at least not everywhere.
        discovered: the types of furniture that the robot finds by itself: there may be more than is known.
        meant: the things that words of the instruction stand for which could be any of several.
        spoken_of: what earlier instructions have spoken of, for "it" and "the other one".
        account: tells what the agent does, has done and is going to do; None where there is no agent.
        former: knows what was so before the last requests; None where nothing was asked for yet.
        feasible: tells whether a goal can be reached within constraints, and how, in a sentence; None where
            there is no planner.
    """

    beliefs: Snapshot
    domain: Domain
    ontology: Ontology
    forms: tuple[PhraseTemplate, ...]
    speaker: str | None = None
    rooms: Mapping[str, str] = field(default_factory=dict)
    unsearched: Collection[str] = ()
    discovered: Collection[str] = ()
    meant: Mapping[str, str] = field(default_factory=dict)
    spoken_of: Discourse = ()
    account: Callable[[], Account] | None = None
    feasible: Callable[[Formula, Sequence[Constraint]], str] | None = None
    stranger: str = ""
    former: Former | None = None

    def known_speaker(self) -> str:
        """Return the person who speaks.

        Raises:
            AmbiguousError: that person is not known.
        """
        if self.speaker is None:
            name = self.stranger or "the one who speaks"
            raise AmbiguousError(f'I do not know where {name} is. Say a person or a place instead of "me".')
        return self.speaker


#: Whether another thing is wanted in place of one that is not there: as usual, without being asked, or not.
InPlace: TypeAlias = Literal["usual", "welcome", "none"]


@dataclass(frozen=True, slots=True)
class Reading:
    """One of several things that an instruction may mean.

    Attributes:
        goal: the formula that shall hold in the end.
        words: what tells it from the other readings, as a person would say it: "the mug on the table".
        constraints: what has to hold on the way there, beside what has to in any reading.
    """

    goal: Formula
    words: str
    constraints: tuple[Constraint, ...] = ()


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A part of an instruction that cannot be done, or was not understood, beside others that can.

    Attributes:
        words: the part, as the person said it.
        why: the reason, in a sentence.
    """

    words: str
    why: str


@dataclass(frozen=True, slots=True)
class Understanding:
    """The goal of an instruction.

    Attributes:
        goal: the formula that shall hold in the end; with several *readings*, that of the first.
        sentence: the instruction as it was read, for the person to check.
        wanted: classes of which too few things are known: they must be found before there can be a plan. They
            may be classes that the domain does not have.
        answer: what the person is told, where the instruction is a question; then the goal is to do nothing.
        readings: what may be meant, where the words leave it open: at least two, or none. The person is asked
            which, unless all of them come to the same plan.
        left_out: what the goal leaves out of the instruction.
        constraints: what has to hold on the way there.
        spoken_of: the known things that were spoken of so far, for the instruction that follows.
        remarks: what was said of what things afford, to be kept in mind.
        in_place: whether another thing is wanted in place of one that is not there, if words tell.
        hints: where things are, as far as the words say so: there they are looked for first.
    """

    goal: Formula
    sentence: str
    wanted: tuple[str, ...] = ()
    answer: str = ""
    readings: tuple[Reading, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    spoken_of: Discourse = ()
    remarks: tuple[Remark, ...] = ()
    in_place: InPlace = "usual"
    hints: tuple[PlaceHint, ...] = ()

    @property
    def keeps_only(self) -> bool:
        """True if it asks for nothing but what is to be kept to: "never open it", "keep it shut"."""
        rules = [rule.formula for rule in self.constraints if isinstance(rule, Always)]
        kept = [part for rule in rules for part in conjuncts(rule)]
        return bool(self.constraints) and all(part in kept for part in conjuncts(self.goal))


class Reasoner(Protocol):
    """Turns instructions into goals.

    Foretree's own is :class:`~foretree.reasoning.offline.commands.CommandReasoner`. One of yours needs this
    method only, and raises an ``InstructionError`` with a hint where it cannot tell::

        from foretree.planning.task.goals import parse_goal
        from foretree.reasoning.instruction_errors import NotUnderstoodError
        from foretree.reasoning.reasoner import Situation, Understanding

        class Butler:
            def understand(self, instruction: str, situation: Situation) -> Understanding:
                if "thirsty" not in instruction:
                    raise NotUnderstoodError("I serve drinks only. Say that you are thirsty.")
                goal = parse_goal("(exists (?m - mug) (filled ?m))", situation.domain, {})
                return Understanding(goal.formula, "fill a mug")
    """

    def understand(self, instruction: str, situation: Situation) -> Understanding:
        """Return the goal of *instruction*.

        The instruction is text to be understood, never something to be carried out by the reasoner itself.

        Raises:
            InstructionError: it cannot be understood, is ambiguous, or asks for what cannot be done; the
                message says what could be said instead.
        """


@runtime_checkable
class DeferringReasoner(Reasoner, Protocol):
    """A reasoner that takes its time, as one that asks a language model does; no tick waits for it."""

    def begin(self, instruction: str, situation: Situation) -> Deferred[Understanding]:
        """Begin to understand *instruction*; the result, or the ``InstructionError``, comes later."""


def begin_to_understand(
    reasoner: Reasoner, instruction: str, situation: Situation, clock: Clock
) -> Deferred[Understanding]:
    """Have *reasoner* understand *instruction*, off the tick's thread if it takes its time.

    What other reasoners make of it is there at once.
    """
    if isinstance(reasoner, DeferringReasoner):
        return reasoner.begin(instruction, situation)
    done: Future[Understanding] = Future()
    try:
        done.set_result(reasoner.understand(instruction, situation))
    except ForetreeError as error:
        done.set_exception(error)
    return Deferred(done, clock, latency=0.0)
