"""The plain form of what is said in a roundabout one: each rewording after those that it needs."""

from __future__ import annotations

from foretree.reasoning.offline.english.scopes import check_scopes
from foretree.reasoning.offline.grammar.patterns import Grammar
from foretree.reasoning.offline.sentences.courtesies import load_courtesies
from foretree.reasoning.offline.sentences.rewording.exceptions import with_exceptions_told
from foretree.reasoning.offline.sentences.rewording.obligations import with_obligations_told
from foretree.reasoning.offline.sentences.rewording.roundabout.things_told import with_things_named
from foretree.reasoning.offline.sentences.rewording.shared_parts import with_objects_repeated
from foretree.reasoning.offline.sentences.rewording.speech.corrections import with_corrections
from foretree.reasoning.offline.sentences.rewording.speech.telegrams import with_notes_told
from foretree.reasoning.offline.sentences.rewording.towers import is_tower, with_towers_put_plainly
from foretree.reasoning.reasoner import Situation


def in_plain_form(text: str, situation: Situation, grammar: Grammar) -> str:
    """Return *text*, in which compounds are one word, in plain form.

    Raises:
        InstructionError: a correction, an exception or a tower cannot be understood, or it is not clear what
            is denied or only told.
    """
    check_scopes(text, grammar.verbs)
    if "so " in text:
        from foretree.reasoning.offline.sentences.rewording.roundabout.results_told import with_results_told

        text = with_results_told(text)
    text = with_things_named(with_exceptions_told(with_obligations_told(text)))
    text = load_courtesies().without_call(text)
    text = with_corrections(with_notes_told(text, grammar.verbs, situation.ontology), grammar.verbs)
    if any(sign in text.lower() for sign in ("first", "begin", "start")):
        from foretree.reasoning.offline.sentences.rewording.beginnings import with_beginnings_told

        text = with_beginnings_told(text, grammar.verbs)
    if "and " in text or ", then " in text:
        text = with_objects_repeated(text, grammar.openings)
    if " there" in text:
        from foretree.reasoning.offline.sentences.rewording.rooms_there import with_rooms_there  # few need it

        text = with_rooms_there(text, situation)
    return with_towers_put_plainly(text, situation.ontology) if is_tower(text) else text
