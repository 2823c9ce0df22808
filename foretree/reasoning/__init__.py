"""Language in, structured answers out.

The reasoner for direct commands needs no model and no network.
"""

from foretree.reasoning.commands import CommandReasoner
from foretree.reasoning.forms import Form
from foretree.reasoning.instruction_errors import InstructionError
from foretree.reasoning.reasoner import Reasoner, Situation, Understanding

__all__ = ["CommandReasoner", "Form", "InstructionError", "Reasoner", "Situation", "Understanding"]
