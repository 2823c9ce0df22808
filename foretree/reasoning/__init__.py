"""Language in, structured answers out."""

from __future__ import annotations

from foretree.reasoning.commands import CommandReasoner
from foretree.reasoning.forms import Form
from foretree.reasoning.instruction_errors import (
    AmbiguousError,
    InstructionError,
    NoSuchThingError,
    NotPossibleError,
    NotUnderstoodError,
)
from foretree.reasoning.reasoner import Reasoner, Situation, Understanding

__all__ = [
    "AmbiguousError",
    "CommandReasoner",
    "Form",
    "InstructionError",
    "NoSuchThingError",
    "NotPossibleError",
    "NotUnderstoodError",
    "Reasoner",
    "Situation",
    "Understanding",
]
