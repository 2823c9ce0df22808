"""Parts of an instruction that cannot be done beside others that can: "wash the plate and mow the lawn".

An instruction is taken apart into requests, each from one verb to the next. One that makes no sense by itself
although it is put as a request is left out, and so is a thing of a list that is not here. What is left is
read again. Nothing is left out of a sentence that limits what is done (if, before, or, never, without), where
a later part refers to it ("iron the shirt and fold it"), nor where the rest only prepares for it ("take the
phone and call my mother"). A word that is not known, for a deed to things that are, may mean anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from foretree.planning.pddl.syntax import TRUE, Formula, Literal, walk
from foretree.reasoning.instruction_errors import (
    AmbiguousError,
    InstructionError,
    NoSuchThingError,
    NotPossibleError,
    NotUnderstoodError,
)
from foretree.reasoning.offline.grammar.patterns import Grammar
from foretree.reasoning.offline.grammar.verb_forms import base_form
from foretree.reasoning.offline.lexicon import (
    SPEAKER,
    opening,
    phrases,
    sentences_of,
    tokens_of,
    word_set,
)
from foretree.reasoning.offline.phrases.known_things import known_things
from foretree.reasoning.offline.phrases.noun_phrases import noun_phrases
from foretree.reasoning.offline.sentences.courtesies import load_courtesies
from foretree.reasoning.offline.sentences.requests_apart import (
    BINDING,
    DETERMINERS,
    PRONOUNS,
    WHEN_OR_WHY,
    RequestWords,
    begin_of,
    is_bound,
)
from foretree.reasoning.offline.word_lists import word_lists
from foretree.reasoning.reasoner import LeftOut, Situation, Understanding

#: Understands an instruction, or raises an ``InstructionError``.
Read = Callable[[str], Understanding]
#: An instruction of more requests is not taken apart.
MOST_REQUESTS = 8
#: So many words make a thing of a list that is not known here.
_MOST_WORDS = 4
#: So many things of one list are left out.
_MOST_THINGS = 3
#: What an error begins with that is about words which are not known.
_UNKNOWN = "I do not understand"
_STOPS = (".", ";")
#: With one of these, a wish is no reason for what was asked for before: "…, I want to read".
_ADDING = frozenset({"and", "then", "plus", "also", "but"})
_JOINTS = (",", "and", "then", "plus", "also", "but", "so")
#: They say how something is done, or that it is to stay: no requests that can be left out.
_LIMITING = word_set(
    """
    keep leave let make ensure avoid mind be stop wait stay remember forget use skip ignore see refrain beware
    remain continue cancel hold limit spare save stick treat handle respect prefer favour favor consider
    exclude omit bypass evade dodge protect preserve guard watch assume suppose begin start finish
    """
)
#: What stands between a thing and what it is told by.
_DESCRIBING = word_set("with of has have having like")
#: They open a request for what somebody wishes to have.
_WISHES = phrases(
    """
    i'd like, i would like, i'd love, i would love, i want, i need, i'll have, i will have, i'll take,
    could i have, can i have, may i have, could i get, can i get
    """
)
#: "The keys and the umbrella *should* be in the box" is no list.
_FINITE = word_set("should must shall ought will would had goes go belongs belong")
#: They go with a verb whose object follows; "in" and "on" may as well tell where a thing is.
_PARTICLES = word_set("up down out off away")
_NEEDING = word_set("needs need wants want requires require deserves")
_ASKING = word_set("is are do does did where what which who whose how why when can could may should")


class PartialReader:
    """Reads an instruction without what cannot be done.

    Args:
        situation: what is known.
        grammar: knows the verbs of what can be done.
        read: understands what is left of the instruction, and its requests one by one.
    """

    def __init__(self, situation: Situation, grammar: Grammar, read: Read) -> None:
        self._situation = situation
        self._grammar = grammar
        self._read = read
        self._beyond = frozenset(word_lists("beyond").get("verbs", ()))

    def understanding(self, instruction: str) -> Understanding | None:
        """Return the understanding of what can be done of *instruction*; None if nothing can be left out."""
        tokens = load_courtesies().without(tokens_of(instruction))
        requests = list(self._requests(tokens))
        words = sum(len(request.words) for request in requests)
        if len(requests) > MOST_REQUESTS or words < 3:
            return None
        kept: list[RequestWords] = []
        left_out: list[LeftOut] = []
        loose = False  # the request before was left out, so that a pronoun would have lost what it stands for
        back = False  # what is left out refers to what is kept
        for request in requests:
            rest, gone = self._judged(request)
            if rest is not None:
                if loose and request.deed_refers:
                    return None
                kept.append(rest)
            elif kept and request.follows_from(kept[-1]):
                why = " ".join(kept.pop().words)
                gone = tuple(replace(one, words=f"{why}, {one.words}") for one in gone)
            elif request.deed_refers:
                back = True
            left_out.extend(gone)
            loose = bool(gone)
        if not left_out or not kept or any(one.plain[:1] and one.plain[0] in _ASKING for one in kept):
            return None
        try:
            found = self._read(_joined(kept))
        except AmbiguousError:
            raise  # with the answer, it is read anew
        except InstructionError:
            return None
        if found.answer or self._is_pointless(found.goal, back):
            return None
        says = "; ".join(f'left out: "{one.words}" ({one.why.rstrip(".")})' for one in left_out)
        return replace(found, sentence=f"{found.sentence}; {says}", left_out=(*found.left_out, *left_out))

    # -- taking apart ------------------------------------------------------------------------------
    def _requests(self, tokens: Sequence[str]) -> Iterator[RequestWords]:
        """Yield the requests, each with the things that are listed after its verb."""
        for number, sentence in enumerate(sentence for sentence, _ in sentences_of(tokens, _STOPS)):
            begins = [
                at
                for at in range(1, len(sentence))
                if sentence[at] in _JOINTS
                and sentence[at - 1] not in (*_JOINTS, "you")
                and self._opens(sentence[at:])
            ]
            ends = pairwise((0, *begins, len(sentence)))
            requests = [RequestWords(tuple(sentence[begin:end]), number, False) for begin, end in ends]
            bound = self.is_bound(requests)
            yield from (replace(request, bound=bound) for request in requests)

    def is_bound(self, requests: Sequence[RequestWords]) -> bool:
        """Return whether the requests of a sentence depend on each other, or are limited.

        When and why the last one is done says nothing of the others, if nothing here can do it.
        """
        *others, last = requests
        beyond = bool(others and last.plain) and (self._is_beyond(last.plain) or self._is_odd(last.plain))
        binding = BINDING - WHEN_OR_WHY if beyond else BINDING
        return any(is_bound(one.plain) for one in others) or is_bound(last.plain, binding)

    def _is_odd(self, words: Sequence[str]) -> bool:
        """Return whether something is to be done to what no word here is for: "walk the dog"."""
        _, determiner, noun, *_ = (*words, "", "", "")
        return determiner in DETERMINERS and self._is_unknown(noun)

    def _opens(self, words: Sequence[str]) -> bool:
        """Return whether a request begins with *words*, which begin with connectives."""
        start = begin_of(words)
        wishes = not _ADDING.isdisjoint(words[:start]) and opening(words, _WISHES, start)
        return start < len(words) and (bool(wishes) or self._is_verb(words, start))

    def _is_verb(self, words: Sequence[str], at: int) -> bool:
        return words[at] in self._grammar.verbs or words[at] in _LIMITING or self._is_beyond(words, at)

    def _is_beyond(self, words: Sequence[str], at: int = 0) -> bool:
        """Return whether a verb stands at a position for what nothing here does."""
        word, after, *_ = (*words[at:], "", "")
        has_object = after in DETERMINERS or after in SPEAKER or after in PRONOUNS
        if word in self._grammar.verbs or word in _LIMITING:
            return word == "make" and has_object
        if word in self._beyond:
            # "The iron", "water": nouns, too.
            return has_object or self._situation.ontology.named(word) is None
        # "The keys and gizmos in the hall should go in the box" has no second request: a noun is not known.
        if (word.endswith("s") and not word.endswith("ss")) or not _FINITE.isdisjoint(words[at:]):
            return False
        # What is done to a thing that is here may be a request for what can be done.
        begin = at + 1 + (after in _PARTICLES)  # "puff up the balloons"
        ends = range(begin + 2, min(begin + 1 + _MOST_WORDS, len(words)) + 1)
        strange = {*words[begin : begin + 1]} <= DETERMINERS and any(
            self._is_not_here(tuple(words[begin:end])) for end in ends
        )
        return strange and self._is_unknown(word)

    def _needs_beyond(self, words: Sequence[str]) -> bool:
        """Return whether a thing is said to need what nothing here does: "my shirt needs ironing"."""
        pairs = pairwise(words)
        return words[0] in DETERMINERS and any(
            word in _NEEDING and after.endswith("ing") and bool(base_form(after, self._beyond))
            for word, after in pairs
        )

    def _is_unknown(self, word: str) -> bool:
        nouns = noun_phrases([word], self._situation).words
        return (
            word.isalpha()
            and word not in self._grammar.words
            and word not in (*nouns, *DETERMINERS, *BINDING)
        )

    # -- judging -----------------------------------------------------------------------------------
    def _judged(self, request: RequestWords) -> tuple[RequestWords | None, tuple[LeftOut, ...]]:
        """Return what is kept of a request, and what is left out of it."""
        words = request.plain
        limits = "but" in (*request.words[: -len(words)], *words[:1])  # "…, but my wife is reading one"
        if request.bound or not words:
            return request, ()
        beyond = self._is_beyond(words)
        if self._needs_beyond(words):
            return None, (LeftOut(" ".join(words), "Nothing here can do that."),)
        if request.refers and not (beyond or self._is_odd(words)):
            return request, ()
        try:
            self._read(" ".join(words))
        except (NoSuchThingError, NotPossibleError, NotUnderstoodError) as error:
            if isinstance(error, NoSuchThingError) and error.wanted:
                return request, ()
            if limits and isinstance(error, NotUnderstoodError):
                return request, ()
            return self._without(request, beyond, error)
        except InstructionError:
            pass
        return request, ()

    def _without(
        self, request: RequestWords, beyond: bool, error: InstructionError
    ) -> tuple[RequestWords | None, tuple[LeftOut, ...]]:
        words = request.plain
        whole = LeftOut(" ".join(words), _reason(error))
        if beyond:
            why = (
                "Nothing here can do that."
                if words[0] in self._beyond
                else f'"{words[0]}" is not understood.'
            )
            return None, (replace(whole, why=why),)
        is_request = words[0] in self._grammar.verbs and str(error).startswith(_UNKNOWN)
        if words[0] not in _LIMITING and (is_request or not isinstance(error, NotUnderstoodError)):
            fewer, things = self._shortened(request.words)
            if things:
                gone = tuple(LeftOut(thing, f"I know of no {_bare(thing)} here.") for thing in things)
                return replace(request, words=fewer), gone
            if words[0] not in DETERMINERS:
                return None, (whole,)
        return request, ()

    def _shortened(self, words: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return *words* without as few as possible of the listed things that are not here, and these."""
        ways: list[tuple[tuple[str, ...], tuple[str, ...]]] = [(words, ())]
        for said, before in ways:
            for fewer, thing in self._shorter(said) if len(before) < _MOST_THINGS else ():
                way = fewer, (*before, thing)
                try:
                    self._read(" ".join(fewer))
                except AmbiguousError:
                    pass  # the person is asked
                except InstructionError:
                    ways.append(way)
                    continue
                return way
        return words, ()

    def _shorter(self, words: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
        """Yield *words* without one of the things of a list that is not known here, and that thing."""
        for at in (at for at, word in enumerate(words) if word in (",", "and") and at):
            begin = at + 1 + (words[at + 1 : at + 2] in (("and",), ("then",)))
            for end in range(min(begin + _MOST_WORDS, len(words)), begin, -1):
                if self._is_not_here(words[begin:end]):
                    yield (*words[:at], *words[end:]), " ".join(words[begin:end])
            if self._lacks(words[begin:]):
                yield words[:at], " ".join(words[begin:])
            for start in range(max(1, at - _MOST_WORDS), at):
                described = words[start - 1] in _DESCRIBING  # "the thing with a trunk and big ears"
                if not described and words[start] in DETERMINERS and self._is_not_here(words[start:at]):
                    yield (*words[:start], *words[begin:]), " ".join(words[start:at])

    def _lacks(self, words: tuple[str, ...]) -> bool:
        """Return whether *words* are for a thing and its place, and one of these is not known here."""
        joined = set(words).intersection(_JOINTS) or not _FINITE.isdisjoint(words)
        if words[:1] and words[0] in DETERMINERS and not joined:
            spans = ((at, min(end, len(words))) for at in range(len(words)) for end in range(at + 2, at + 5))
            return any(words[at] in DETERMINERS and self._is_not_here(words[at:end]) for at, end in spans)
        return False

    def _is_not_here(self, words: tuple[str, ...]) -> bool:
        """Return whether *words* are those for one thing, and no such thing is known."""
        determined = words[0] in DETERMINERS
        if not words[determined:] or any(word in _JOINTS for word in words):
            return False
        parser, things = noun_phrases(words, self._situation), known_things(self._situation)
        whole = [phrase for phrase, end in parser.at(0) if end == len(words) and phrase.where is None]
        if not whole:
            named = not base_form(words[-1], self._grammar.verbs)  # "the mug goes" is no thing
            unknown = self._is_unknown(words[-1]) and named
            return determined and (unknown or self._is_furniture_elsewhere(words[1:]))
        return all(
            phrase.name is None
            and phrase.class_name is not None
            and not things.of_classes(phrase.class_name, *phrase.others)
            for phrase in whole
        )

    def _is_furniture_elsewhere(self, words: Sequence[str]) -> bool:
        """Return whether words name a thing that cannot be carried and is not here: a car."""
        from foretree.reasoning.offline.knowledge.further_nouns import can_be_carried  # dear to load
        from foretree.reasoning.offline.knowledge.kinds import class_named

        name = class_named(" ".join(words))
        return bool(name) and name not in self._situation.ontology and not can_be_carried(name)

    def _is_pointless(self, goal: Formula, back: bool) -> bool:
        """Return whether reaching *goal* only prepares for what is left out."""
        if goal == TRUE:
            return True
        predicates, vocabulary = self._situation.domain.predicates, self._situation.beliefs.vocabulary
        wanted = {part.atom[0] for part in walk(goal) if isinstance(part, Literal)}
        of_robots = {name for name in wanted if predicates[name] and predicates[name][0].type == "robot"}
        if wanted == of_robots:
            return True
        return back and all(vocabulary[name].kind == "place" for name in wanted - of_robots)


def _joined(requests: Sequence[RequestWords]) -> str:
    """The requests as one instruction."""
    text = ""
    for before, request in zip((None, *requests), requests, strict=False):
        if before is not None:
            text += " and " if before.sentence == request.sentence else ". "
        text += " ".join(request.plain)
    return text


def _reason(error: InstructionError) -> str:
    """The first sentence of an error."""
    return str(error).partition(". ")[0].rstrip(".") + "."


def _bare(thing: str) -> str:
    """The words of a thing without its determiner."""
    first, _, rest = thing.partition(" ")
    return rest if first in DETERMINERS and rest else thing
