"""The offline reasoner for direct commands: "take the mug and put it in the sink".

It reads an instruction with a grammar made of the skills' forms and the domain's states, finds out which
things the words stand for, and states the goal. It needs no model and no network, and always understands the
same words the same way.
"""

from __future__ import annotations

from foretree.planning.pddl.syntax import TRUE, Domain
from foretree.reasoning.instruction_errors import InstructionError
from foretree.reasoning.offline._instruction import SIGN, InstructionReader
from foretree.reasoning.offline.grammar.patterns import Grammar
from foretree.reasoning.offline.knowledge.needs import NeedReader
from foretree.reasoning.offline.phrases.referents import Discourse
from foretree.reasoning.offline.questions import answer_question
from foretree.reasoning.phrase_templates import PhraseTemplate
from foretree.reasoning.reasoner import Situation, Understanding


class CommandReasoner:
    """Understands direct commands, without a model."""

    def __init__(self) -> None:
        self._compiled: tuple[tuple[PhraseTemplate, ...], Domain, Grammar] | None = None

    def understand(self, instruction: str, situation: Situation) -> Understanding:
        """The goal of *instruction*.

        Raises:
            InstructionError: it cannot be understood, is ambiguous, or asks for what cannot be done; the
                message says what could be said instead.
        """
        answer = answer_question(instruction, situation)
        if answer is not None:
            return Understanding(TRUE, answer, answer=answer)
        grammar = self._grammar(situation)

        def read(request: str, spoken_of: Discourse = ()) -> Understanding:
            return InstructionReader(request, situation, grammar, spoken_of).understanding()

        try:
            return read(instruction)
        except InstructionError:
            if SIGN.search(instruction):
                raise
            needed = NeedReader(situation, grammar.verbs, read).understanding(instruction)
            if needed is None:
                raise
            return needed

    def _grammar(self, situation: Situation) -> Grammar:
        forms, domain = situation.forms, situation.domain
        if self._compiled is None or self._compiled[0] != forms or self._compiled[1] is not domain:
            self._compiled = (forms, domain, Grammar(forms, domain, situation.ontology))
        return self._compiled[2]
