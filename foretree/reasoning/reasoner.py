"""What every reasoner offers: an instruction in, a goal out."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from foretree.planning.pddl.syntax import Domain, Formula
from foretree.reasoning.phrase_templates import PhraseTemplate
from foretree.world_model.beliefs.belief import Snapshot
from foretree.world_model.ontology import Ontology


@dataclass(frozen=True, slots=True)
class Situation:
    """What an instruction is understood in.

    Attributes:
        beliefs: which things there are, of which class, where, and how.
        domain: types, predicates and actions; goals are made of them.
        ontology: what people call the classes of things.
        forms: how people ask for the skills.
        speaker: the person who speaks, if that is known.
        rooms: the room of each thing that belongs to the map.
        discovered: the types of furniture that nobody told of: there may be more than is known by now.
    """

    beliefs: Snapshot
    domain: Domain
    ontology: Ontology
    forms: tuple[PhraseTemplate, ...]
    speaker: str | None = None
    rooms: Mapping[str, str] = field(default_factory=dict)
    discovered: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class Understanding:
    """What an instruction was taken to mean.

    Attributes:
        goal: what shall be so in the end.
        sentence: how the instruction was read, for the person to check.
        wanted: classes of which too few things are known: they must be found before there can be a plan.
    """

    goal: Formula
    sentence: str
    wanted: tuple[str, ...] = ()


class Reasoner(Protocol):
    """Understands instructions."""

    def understand(self, instruction: str, situation: Situation) -> Understanding:
        """What *instruction* asks for.

        The instruction is text to be understood, never something to be carried out by the reasoner itself.

        Raises:
            InstructionError: it cannot be understood, is ambiguous, or asks for what cannot be done; the
                message says what could be said instead.
        """
        ...
