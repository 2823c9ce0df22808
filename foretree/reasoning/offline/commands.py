"""The offline reasoner: "take the mug and put it in the sink", "I'm thirsty", "where is the milk?".

It reads an instruction with a grammar made of the skills' forms and the domain's states, finds out which
things the words stand for, and states the goal. What is no plain request it puts as one, by what the files of
kinds and needs say. It needs no model and no network, and always understands the same words the same way.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise

from foretree.garbage import gc_put_off
from foretree.planning.pddl.syntax import TRUE
from foretree.reasoning.dangers import danger_in_words, refuse_dangerous
from foretree.reasoning.instruction_errors import (
    AmbiguousError,
    InstructionError,
    NotUnderstoodError,
    UnsafeError,
)
from foretree.reasoning.offline._kept_readings import clauses_of, grammar_of
from foretree.reasoning.offline._remarks_apart import beside, beside_remarks
from foretree.reasoning.offline.grammar.patterns import Grammar
from foretree.reasoning.offline.interpretation.addressed import read_addressed
from foretree.reasoning.offline.interpretation.instruction import SIGN, StatementReader
from foretree.reasoning.offline.lexicon import tokens_of
from foretree.reasoning.offline.phrases.discourse import Discourse
from foretree.reasoning.offline.questions.answers import answered, question_before_request
from foretree.reasoning.offline.sentences.manners import pace_left_out, refuse_degree, refuse_manner
from foretree.reasoning.offline.sentences.plain_form import in_plain_form
from foretree.reasoning.offline.sentences.rewording.cases_found import with_cases_put_plainly
from foretree.reasoning.offline.sentences.rewording.compounds import with_joined_compounds
from foretree.reasoning.offline.sentences.rewording.in_place import with_replacements_told
from foretree.reasoning.offline.sentences.rewording.roundabout.things_asked_for import with_things_asked_for
from foretree.reasoning.offline.sentences.rewording.speech.hesitations import without_hesitation
from foretree.reasoning.offline.sentences.rewording.speech.permissions import without_permissions
from foretree.reasoning.offline.sentences.rewording.whereabouts import without_whereabouts
from foretree.reasoning.offline.sentences.small_talk import answer_small_talk
from foretree.reasoning.reasoner import Situation, Understanding
from foretree.world_model.affordances.embedding import Embed

#: A remark about what a thing affords has one of these words.
_REMARK = re.compile(
    r"\b(?:not|cannot|\w+n['’]t|never|hardly|no|is|are|was|has|have|seems|looks|got|leaks?|drips?|works?|can)\b|['’]s\b",
    re.I,
)
#: One of these is in each wording that asks to undo what was done.
_UNDOING = re.compile(r"\b(?:undo|reverse|revert|unmake|restore|back|was|were|been)\b", re.I)
#: What begins with a thing that is not meant: "not the mug on the table, the other one: bring it".
_NOT_THAT = re.compile(r"\W*(not (?:the|that|this|my|our)\b[^:;.]*)[:;.]\s*\w", re.I)
#: What is looked for somewhere.
_LOOKING = re.compile(r"\b(?:look|search|check|hunt|rummage)\b[^.,;]* for\b", re.I)


class CommandReasoner:
    """Understands commands, needs and questions, without a language model.

    Args:
        embed: knows which words are like which, for needs in wordings that no file has; it may be left out.
    """

    def __init__(self, embed: Embed | None = None) -> None:
        self._embed = embed

    def understand(self, instruction: str, situation: Situation) -> Understanding:
        """The goal of *instruction*.

        Raises:
            InstructionError: it cannot be understood, could be more than can be asked about, or asks for what
                cannot be done; the message says what could be said instead.
        """
        # A full collection takes longer than to read a sentence.
        with gc_put_off():
            return self._of_said(instruction, situation)

    def _of_said(self, instruction: str, situation: Situation) -> Understanding:
        """Understand an instruction as it was said."""
        if answer := answer_small_talk(instruction):
            return Understanding(TRUE, answer, answer=answer, spoken_of=situation.spoken_of)
        if _UNDOING.search(instruction):
            from foretree.reasoning.offline.sentences.undoing import asks_to_undo, undone  # few need it

            if asks_to_undo(instruction):
                return undone(situation, grammar_of(situation), self._request)
        if (other := _NOT_THAT.match(instruction)) is not None:
            raise NotUnderstoodError(
                f'Which one is meant instead is not understood: "{other[1]}". Say which it is.'
            )
        instruction = with_cases_put_plainly(without_hesitation(instruction))
        plain = without_permissions(instruction)
        asked = with_replacements_told(without_whereabouts(with_things_asked_for(plain)))
        joined = with_joined_compounds(asked.text, situation)
        try:
            text = in_plain_form(joined.text, situation, grammar_of(situation))
            found = read_addressed(text, situation, grammar_of, self._of_whole_words)
            found = found or self._of_whole_words(text, situation)
        except InstructionError as error:
            if isinstance(error, NotUnderstoodError):
                error.add_hint()
            error.args = (joined.as_said(str(error)), *error.args[1:])
            raise
        found = replace(found, in_place=asked.in_place)
        return replace(found, sentence=joined.as_said(found.sentence)) if joined.words else found

    def _of_whole_words(self, instruction: str, situation: Situation) -> Understanding:
        """Understand an instruction in which a compound is one word, by whichever robot it is done."""

        def read(words: str) -> Understanding:
            return self._of_no_question(words, situation)

        def read_plain(words: str) -> Understanding:
            return StatementReader(words, situation, grammar_of(situation)).understanding()

        answer = answered(instruction, situation, read, read_plain)
        if answer is not None:
            return Understanding(
                TRUE, answer.text, answer=answer.text, spoken_of=(*situation.spoken_of, *answer.spoken_of)
            )
        both = question_before_request(instruction, situation)
        if both is None:
            return self._of_no_question(instruction, situation)
        found = self._of_no_question(both.request, replace(situation, spoken_of=both.spoken_of))
        return replace(found, sentence=f"{found.sentence}; you asked: {both.answer}")

    def _of_no_question(self, instruction: str, situation: Situation) -> Understanding:
        """Understand what is no question; as far as possible where it may mean several things."""
        if (remark := self._remark(instruction, situation)) is not None:
            return remark

        tokens = tokens_of(instruction, marks=True)
        refuse_manner(tokens)
        refuse_degree(tokens, grammar_of(situation).verbs)

        def understood(situation: Situation) -> Understanding:
            return self._understood(instruction, situation)

        try:
            found = understood(situation)
        except AmbiguousError as error:
            from foretree.reasoning.offline._readings import with_readings  # a plain request does without

            if (several := with_readings(understood, situation, error)) is None:
                raise
            found = several
        except InstructionError as error:
            danger = danger_in_words(tokens, situation.ontology, grammar_of(situation).verbs)
            if danger is None:
                raise
            raise UnsafeError(danger) from error
        classes = {name: entity.best_class for name, entity in situation.beliefs.entities().items()}
        for goal in (found.goal, *(reading.goal for reading in found.readings)):
            refuse_dangerous(goal, classes)
        pace = pace_left_out(tokens)
        return replace(found, sentence=f"{found.sentence}; {pace}") if pace else found

    @staticmethod
    def _remark(instruction: str, situation: Situation) -> Understanding | None:
        """Return the understanding of a remark about what a thing affords; None if it is none."""
        if not _REMARK.search(instruction):
            return None
        from foretree.reasoning.offline.knowledge.remarks import read_remark

        return read_remark(instruction, situation)

    def _understood(self, instruction: str, situation: Situation) -> Understanding:
        """Understand what is no question, without what cannot be done if there is more to it."""
        try:
            return self._whole_or_plainer(instruction, situation)
        except InstructionError as error:
            if isinstance(error, AmbiguousError) or SIGN.search(instruction):
                raise
            verbs, whole = grammar_of(situation).verbs, self._whole_or_plainer
            found = beside_remarks(instruction, situation, verbs, whole) or self._in_part(
                instruction, situation
            )
            found = found or beside_remarks(instruction, situation, verbs, self._in_part)
            if found is None:
                raise
            return found

    def _in_part(self, instruction: str, situation: Situation) -> Understanding | None:
        """Return the understanding of what can be done; None if nothing can be left out."""
        from foretree.reasoning.offline.sentences.left_out import PartialReader

        reader = PartialReader(
            situation, grammar_of(situation), lambda words: self._whole(words, situation, needs=False)
        )
        return reader.understanding(instruction)

    def _whole_or_plainer(self, instruction: str, situation: Situation) -> Understanding:
        """Understand all of an instruction, or of a plainer wording of it."""
        try:
            return self._whole(instruction, situation)
        except InstructionError as error:
            found = self._reworded(instruction, situation, isinstance(error, AmbiguousError))
            found = found or self._with_other_furniture(instruction, situation)
            if found is None:
                raise
            return found

    def _with_other_furniture(self, instruction: str, situation: Situation) -> Understanding | None:
        """Return the understanding with furniture that is here for some that is not; None if none is."""
        from foretree.reasoning.offline.knowledge.furniture_in_place import with_furniture_in_place

        if (put := with_furniture_in_place(instruction, situation)) is None:
            return None
        try:
            found = self._whole(put.text, situation)
        except InstructionError:
            return None
        return replace(found, sentence=f"{found.sentence}; {put.note}")

    def _reworded(self, instruction: str, situation: Situation, ambiguous: bool) -> Understanding | None:
        """Return the understanding of a plainer wording; None if there is none that makes sense.

        Args:
            ambiguous: whether it is known already what must be asked.

        Raises:
            AmbiguousError: a plainer wording makes sense, but may mean several things.
        """
        from foretree.reasoning.offline.sentences.rewording.rewordings import rewordings

        unsure: AmbiguousError | None = None
        for plainer in rewordings(instruction, grammar_of(situation).verbs):
            try:
                found = self._whole(plainer.text, situation)
            except AmbiguousError as error:
                unsure = unsure or error
            except InstructionError:
                continue
            else:
                return beside(found, [said.split() for said in plainer.left_out])
        if unsure is not None and not ambiguous:
            raise unsure
        return None

    def _whole(self, instruction: str, situation: Situation, *, needs: bool = True) -> Understanding:
        """Understand all of what is no question.

        Args:
            needs: whether it may state needs: one beside a request that cannot be done only says why.
        """
        try:
            return self._request(instruction, situation, situation.spoken_of)
        except InstructionError as error:
            first = difficulty = error
        situation = self._wider(instruction, situation)
        signed = SIGN.search(instruction) is not None
        readers: tuple[Callable[[str, Situation], Understanding | None], ...] = (self._by_clauses,)
        if needs and not self._orders(instruction, situation):
            readers = (*readers, self._needed, self._needed_besides)
        for read in () if signed else readers:
            try:
                found = read(instruction, situation)
            except AmbiguousError:
                raise
            except InstructionError as error:
                if isinstance(difficulty, NotUnderstoodError):
                    difficulty = error
            else:
                if found is not None:
                    return found
        corrected = self._without_slips(instruction, situation, difficulty)
        if corrected is None and difficulty is not first:
            corrected = self._without_slips(instruction, situation, first)
        corrected = corrected or self._alike(instruction, situation, difficulty)
        if corrected is None:
            raise difficulty
        return corrected

    def _orders(self, instruction: str, situation: Situation) -> bool:
        """Return whether a deed is ordered: then a need beside it only says why it is to be done.

        A need that is met in place of an order which is not understood would be another deed than was asked
        for.
        """
        grammar = grammar_of(situation)
        tokens = tokens_of(instruction, marks=True)
        try:
            reading = clauses_of(tokens, situation, grammar)
        except InstructionError:
            return False
        said = (one.words for one in reading.statements if not (one.mentioned or one.bare or one.belief))
        # In the words that were said: "I want to wear it" is read as "bring me it", but orders nothing.
        pairs = {*pairwise(tokens)}
        return any(len(words) > 1 and words[0] in grammar.verbs and words[:2] in pairs for words in said)

    def _by_clauses(self, instruction: str, situation: Situation) -> Understanding | None:
        """Return the understanding of clauses that are told apart; None if they ask for nothing."""
        from foretree.reasoning.offline.knowledge.kinds import KindReader
        from foretree.reasoning.offline.knowledge.servings import with_drinks_poured

        tokens = with_drinks_poured(tokens_of(instruction, marks=True), situation.ontology)
        grammar = grammar_of(situation)
        try:
            return self._clause_by_clause(instruction, tokens, situation, grammar)
        except NotUnderstoodError as error:
            kinds = KindReader(situation)
            plain = kinds.put_plainly(tokens)
            if plain is None:
                raise (kinds.absent or error) from None
        try:
            plainly = tokens_of(plain.text, marks=True)
            found = self._clause_by_clause(instruction, plainly, plain.situation, grammar)
        except InstructionError as error:
            error.args = (plain.as_said(str(error)),)
            raise
        return None if found is None else replace(found, sentence=plain.as_said(found.sentence))

    def _clause_by_clause(
        self, instruction: str, tokens: list[str], situation: Situation, grammar: Grammar
    ) -> Understanding | None:
        reading = clauses_of(tokens, situation, grammar)
        if not reading.asks:
            return None
        spoken_of = situation.spoken_of
        reader = StatementReader(instruction, situation, grammar, spoken_of, statements=reading.statements)
        return beside(reader.understanding(), reading.remarks)

    def _needed_besides(self, instruction: str, situation: Situation) -> Understanding | None:
        """Return the understanding of the first clause that states a need; None if none does."""
        tokens = tokens_of(instruction, marks=True)
        reading = clauses_of(tokens, situation, grammar_of(situation))
        # Where something is asked for, a need only says why: nothing else is done in its place.
        remarks = () if reading.asks else reading.remarks
        for remark in remarks if len(remarks) > 1 else ():
            needed = self._needed(" ".join(remark), situation)
            if needed is not None:
                from foretree.reasoning.offline.knowledge.needs.need_reader import refuse_to_lose

                others = [other for other in remarks if other != remark]
                for other in others:
                    refuse_to_lose(other, needed, situation)
                return beside(needed, others)
        return None

    def _without_slips(
        self, instruction: str, situation: Situation, error: InstructionError
    ) -> Understanding | None:
        """Return the understanding of a request with its slips put right; None if that makes no sense."""
        slips = error.slips if isinstance(error, NotUnderstoodError) else {}
        if not slips:
            return None
        words = " ".join(slips.get(token, token) for token in tokens_of(instruction, marks=True))
        try:
            found = self._whole(words, situation)
        except InstructionError:
            return None
        notes = (f'"{word}" is taken for "{meant}"' for word, meant in slips.items())
        return replace(found, sentence="; ".join((found.sentence, *notes)))

    def _needed(self, instruction: str, situation: Situation) -> Understanding | None:
        """Return the understanding of needs; None if there are none that are known."""
        verbs = grammar_of(situation).verbs

        def read(request: str, spoken_of: Discourse) -> Understanding:
            # A paper towel is no towel of paper, whatever is here.
            return self._request(request, self._wider(request, situation), spoken_of)

        from foretree.reasoning.offline.knowledge.needs.need_reader import NeedReader

        return NeedReader(situation, verbs, read).understanding(instruction)

    def _alike(self, instruction: str, situation: Situation, error: InstructionError) -> Understanding | None:
        """Return the understanding of the need that words are like; None if it is not certain which.

        Raises:
            NotUnderstoodError: with the need that may be meant.
        """
        if self._embed is None or not isinstance(error, NotUnderstoodError):
            return None
        from foretree.reasoning.offline.knowledge.needs.need_reader import NeedReader
        from foretree.reasoning.offline.knowledge.needs.similar_needs import similar_need

        if (found := similar_need(instruction, self._embed)) is None:
            return None
        if not found.sure:
            raise NotUnderstoodError(f'{error} Do you mean "{found.put}"? Then say so.') from error
        verbs = grammar_of(situation).verbs
        reader = NeedReader(situation, verbs, lambda said, spoken: self._request(said, situation, spoken))
        met = reader.meeting(found.need, instruction)
        note = f'"{instruction}" is put like "{found.put}" ({found.likeness:.0%})'
        return replace(met, sentence=f"{met.sentence}; {note}")

    def _request(self, request: str, situation: Situation, spoken_of: Discourse = ()) -> Understanding:
        """Read a request as it is said, else with nouns for the descriptions in it."""
        grammar = grammar_of(situation)
        try:
            return StatementReader(request, situation, grammar, spoken_of).understanding()
        except InstructionError as error:
            wider = self._wider(request, situation)
            if wider is not situation:
                from foretree.reasoning.offline.knowledge.servings import asks_to_pour

                with suppress(InstructionError):
                    if not asks_to_pour(tokens_of(request, marks=True), wider.ontology):
                        return StatementReader(request, wider, grammar, spoken_of).understanding()
                situation = wider
            from foretree.reasoning.offline.knowledge.kinds import KindReader

            # "Look in the drawer for the keys" is about no drawer for keys.
            passed_over = SIGN.search(request) is not None or _LOOKING.search(request) is not None
            kinds = KindReader(situation)
            plain = None if passed_over else kinds.put_plainly(tokens_of(request))
            difficulty = kinds.absent or error
            if plain is None:
                raise difficulty from None

        def plain_request(text: str, spoken: Discourse) -> Understanding:
            return StatementReader(text, plain.situation, grammar, spoken).understanding()

        try:
            try:
                found = plain_request(plain.text, spoken_of)
            except NotUnderstoodError:
                if plain.asks or self._orders(request, plain.situation):
                    raise difficulty from None
                from foretree.reasoning.offline.knowledge.needs.need_reader import NeedReader

                needs = NeedReader(plain.situation, grammar.verbs, plain_request)
                needed = needs.understanding(plain.text)
                if needed is None:
                    raise difficulty from None
                found = needed
        except InstructionError as error:
            error.args = (plain.as_said(str(error)),)
            raise
        sentence = "; ".join((plain.as_said(found.sentence), *plain.notes))
        return replace(found, sentence=sentence)

    def _wider(self, words: str, situation: Situation) -> Situation:
        """Return the situation with the further nouns among some words."""
        # Dear to load, as are kinds and needs: plain requests do without.
        from foretree.reasoning.offline.knowledge.further_nouns import with_further_nouns

        return with_further_nouns(situation, tokens_of(words), grammar_of(situation).verbs)
