"""Explanation of why words are no command, with what could be said instead."""

from __future__ import annotations

from functools import cache, cached_property, partial
from typing import TYPE_CHECKING

from foretree.reasoning.instruction_errors import (
    AmbiguousError,
    InstructionError,
    NoSuchThingError,
    NotPossibleError,
    NotUnderstoodError,
    UnreadWordsError,
)
from foretree.reasoning.offline import lexicon
from foretree.reasoning.offline.grammar.clauses import Slot
from foretree.reasoning.offline.grammar.patterns import Grammar
from foretree.reasoning.offline.interpretation.clause_reader import ClauseReader, quoted, valid
from foretree.reasoning.offline.lexicon import Phrase, skip_between
from foretree.reasoning.offline.phrases.known_things import conjoined, either, scene_of
from foretree.reasoning.offline.phrases.latest import Latest
from foretree.reasoning.offline.phrases.noun_phrases import NounPhraseParser
from foretree.reasoning.offline.sentences.unsupported import (
    explain_unsupported,
    is_foreign,
    similar_words,
    slip_for,
)
from foretree.reasoning.reasoner import Situation

if TYPE_CHECKING:
    from foretree.reasoning.offline.interpretation._what_can_be_said import Suggestions

_ARTICLES = lexicon.DEFINITE | lexicon.INDEFINITE
_RANK = (AmbiguousError, NoSuchThingError, NotPossibleError, NotUnderstoodError)


class _KnownWords:
    """All words that mean something in a scene, and those that an unknown one may be meant for.

    An instruction is explained once for each way to read it, with the same unknown words.

    Attributes:
        words: they.
    """

    def __init__(self, grammar: Grammar, nouns: NounPhraseParser, situation: Situation) -> None:
        self.words = frozenset({*grammar.words, *lexicon.FUNCTION_WORDS, *nouns.words})
        anything, names = self.words | grammar.verbs, self.words | {*situation.beliefs.entities()}
        self.verb_of_slip = cache(lambda word: slip_for(word, grammar.verbs))
        self.word_of_slip = cache(lambda word: slip_for(word, anything))
        self.noun_of_slip = cache(lambda word: slip_for(word, nouns.words))
        self.like = cache(lambda word: similar_words(word, names))


_latest = Latest[_KnownWords]()


class Explanation:
    """Reasons for which the words of a reader are no command."""

    def __init__(self, reader: ClauseReader, situation: Situation, asked: bool) -> None:
        self._reader = reader
        self.tokens = reader.tokens
        self.grammar = reader.grammar
        self.nouns = reader.nouns
        self.situation = situation
        self._difficulties = reader.difficulties
        self._asked = asked

    def error(self) -> InstructionError:
        """Return the error that says why."""
        troubles = self._difficulties
        # Where all words make a command, it is its things that are the trouble.
        read = bool(troubles.failures) and troubles.furthest == len(self.tokens)
        known = self.grammar.words
        instead = explain_unsupported(self.tokens, self._asked, known, self.grammar.verbs, read)
        if instead is not None:
            return NotUnderstoodError(instead)
        unknown = self._unknown_words()
        if unknown and not read:
            return self._unknown(unknown)
        failures = [*troubles.failures, *((at, self._no_form(at)) for at in troubles.stuck)]
        if failures:
            at, error = min(failures, key=_rank)
            if not _misfits(error) or at not in troubles.sensible:
                return self._reader.with_hint(error)
        return self._no_form()

    @cached_property
    def _known(self) -> _KnownWords:
        parts = (self.grammar, *scene_of(self.situation))
        return _latest.of(parts, lambda: _KnownWords(self.grammar, self.nouns, self.situation))

    @cached_property
    def _suggestions(self) -> Suggestions:
        # What is understood does without.
        from foretree.reasoning.offline.interpretation._what_can_be_said import Suggestions

        return Suggestions(self._reader, self.situation)

    def _unknown_words(self) -> list[int]:
        known = self._known.words
        named = self.situation.ontology.named
        return [
            at
            for at, token in enumerate(self.tokens)
            if token not in known
            and not token.isdecimal()
            and named(token) is None
            and token not in self.situation.beliefs.entities()
        ]

    def _unknown(self, unknown: list[int]) -> UnreadWordsError:
        words = tuple(dict.fromkeys(quoted(self.tokens[at]) for at in unknown))
        said = conjoined(words if len(words) < 6 else (*words[:5], "more"))
        slips = {self.tokens[at]: one for at in unknown if (one := self._slip(at))}
        sure = len(slips) == len({self.tokens[at] for at in unknown})
        hint = partial(self._hint, unknown)
        return UnreadWordsError(f"I do not understand {said}.", slips if sure else None, hint)

    def _hint(self, unknown: list[int]) -> str:
        """Return what could be said instead of unknown words."""
        meant = {self.tokens[at]: meant for at in unknown if (meant := self._meant(at))}
        if len(unknown) == 1 and meant:
            return f"Did you mean {either(next(iter(meant.values())))}?"
        if meant and (2 * len(meant) >= len(unknown) or not is_foreign(self.tokens, unknown)):
            return " ".join(f"{quoted(word)}: did you mean {either(few)}?" for word, few in meant.items())
        if is_foreign(self.tokens, unknown):
            return f"I know English only. {self._suggestions.hint()}"
        if self._is_verb(unknown[0]):
            return self._suggestions.hint()
        if self.situation.discovered:
            return valid("Things there may be", tuple(self.situation.ontology.names()))
        return valid("Things here", self.situation.beliefs.entities())

    def _slip(self, at: int) -> str | None:
        """The word that an unknown one surely is a slip for: a verb where a command begins, else any.

        After an article, words for things go before others.
        """
        word, known = self.tokens[at], self._known
        likely = known.verb_of_slip(word) if self._is_verb(at) else None
        if at and self.tokens[at - 1] in _ARTICLES:
            likely = known.noun_of_slip(word)
        return likely or known.word_of_slip(word)

    def _meant(self, at: int) -> tuple[str, ...]:
        """The words that an unknown one may have been meant for: commands where one begins, else any."""
        word = self.tokens[at]
        if self._is_verb(at):
            return similar_words(word, self.grammar.own_verbs, verb=True)
        return self._known.like(word)

    def _is_verb(self, at: int) -> bool:
        """True if a command should begin with the word at a position, or its sentence begins with none."""
        connectives = (i for i, token in enumerate(self.tokens[:-1]) if token in lexicon.CONNECTIVES)
        starts = {skip_between(self.tokens, i) for i in (0, *(i + 1 for i in connectives))}
        start = max((i for i in starts if i <= at), default=0)
        return at == start or not (
            self.grammar.starting_with(self.tokens[start]) or start in self._unknown_words()
        )

    def _no_form(self, at: int | None = None) -> UnreadWordsError:
        if at is None:
            at = skip_between(self.tokens, min(self._difficulties.furthest, len(self.tokens) - 1))
            at = min(at, len(self.tokens) - 1)
        rest = " ".join(self.tokens[at:])
        patterns = self.grammar.starting_with(self.tokens[at])
        if not patterns:
            what = f"I know the words of {quoted(rest)}, but it is no command."
            if self._is_thing():
                what = f"What shall be done with {quoted(rest)}?"
            return UnreadWordsError(what, hint=lambda: self._suggestions.hint())
        openings = [(_opening(pattern.parts[0], self.tokens[at]), pattern) for pattern in patterns]
        openings.sort(key=lambda one: len(one[0] or ()))  # "bring" before "bring over here"
        ways = list(dict.fromkeys(pattern.say({}, verb) for verb, pattern in openings))
        shown = "; ".join(quoted(way) for way in ways[:6])
        return UnreadWordsError(
            f"I know the words of {quoted(rest)}, but not what they ask for. "
            f"{self._note_on_people(self.tokens[at:])}One can say: {shown}."
        )

    def _is_thing(self) -> bool:
        """True if all that is said is what a thing is called."""
        return any(end == len(self.tokens) and not phrase.states for phrase, end in self.nouns.at(0))

    def _note_on_people(self, said: list[str]) -> str:
        """A note that no skill serves people, if the speaker asks for that."""
        for_people = any(slot.type == "person" for pattern in self.grammar.patterns for slot in pattern.slots)
        me = next((token for token in said if token in lexicon.SPEAKER), None)
        if me is None or for_people:
            return ""
        return f"I cannot hand anything to {quoted(me)} or anybody else; name a place instead. "


def _rank(failure: tuple[int, InstructionError]) -> tuple[int, int, int]:
    at, error = failure
    return -at, _misfits(error), next(i for i, kind in enumerate(_RANK) if isinstance(error, kind))


def _misfits(error: InstructionError) -> int:
    return error.misfits if isinstance(error, NotPossibleError) else 0


def _opening(part: Slot | tuple[Phrase, ...], word: str) -> Phrase | None:
    if isinstance(part, Slot):
        return None
    return next((phrase for phrase in part if phrase[0] == word), None)
