"""Language in, structured answers out.

The reasoner for direct commands needs no model and no network. Which places of a building an instruction
needs, :mod:`~foretree.reasoning.retrieval` finds; :mod:`~foretree.reasoning.endpoint` asks a model server.
"""

from foretree.reasoning.commands import CommandReasoner
from foretree.reasoning.forms import Form
from foretree.reasoning.instruction_errors import InstructionError
from foretree.reasoning.reasoner import Reasoner, Situation, Understanding

__all__ = ["CommandReasoner", "Form", "InstructionError", "Reasoner", "Situation", "Understanding"]
