"""The offline reasoner for direct commands: "take the mug and put it in the sink".

It reads an instruction with a grammar made of the skills' forms and the domain's states, finds out which
things the words stand for, and states the goal. It needs no model and no network, and always understands the
same words the same way.
"""

from __future__ import annotations

from typing import ClassVar

from foretree.planning.pddl.syntax import TRUE
from foretree.reasoning.instruction_errors import InstructionError
from foretree.reasoning.offline._instruction import SIGN, InstructionReader
from foretree.reasoning.offline.grammar.patterns import Grammar
from foretree.reasoning.offline.knowledge.needs import NeedReader
from foretree.reasoning.offline.phrases.referents import Discourse
from foretree.reasoning.offline.questions import answer_question
from foretree.reasoning.phrase_templates import PhraseTemplate
from foretree.reasoning.reasoner import Situation, Understanding

#: So many grammars are kept: sessions of one process share them.
_MOST_KEPT = 4


class CommandReasoner:
    """Understands direct commands, without a model."""

    #: Grammars by what they are made of, the last used last.
    _grammars: ClassVar[dict[tuple[tuple[PhraseTemplate, ...], int, int], tuple[Situation, Grammar]]] = {}

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

    @classmethod
    def _grammar(cls, situation: Situation) -> Grammar:
        """Return the grammar of a situation's forms, made once."""
        key = situation.forms, id(situation.domain), id(situation.ontology)
        kept = cls._grammars.pop(key, None)
        if kept is None:
            grammar = Grammar(situation.forms, situation.domain, situation.ontology)
            kept = (situation, grammar)  # with the situation, whose parts' ids stay taken
        cls._grammars[key] = kept
        while len(cls._grammars) > _MOST_KEPT:
            cls._grammars.pop(next(iter(cls._grammars)))
        return kept[1]
