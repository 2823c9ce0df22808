"""Needs and observations read as requests: "I am thirsty" is "bring me something to drink".

An instruction that asks for nothing is taken apart into needs that the file knows and remarks. The requests
that meet the needs count. What is assumed is said.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product

from foretree.planning.pddl.syntax import show
from foretree.reasoning.instruction_errors import (
    AmbiguousError,
    InstructionError,
    NoSuchThingError,
    NotPossibleError,
    NotUnderstoodError,
)
from foretree.reasoning.offline.grammar.verb_forms import base_form
from foretree.reasoning.offline.knowledge.kinds import KindReader
from foretree.reasoning.offline.knowledge.needs.needs_file import PersonalNeed, filled, load_needs
from foretree.reasoning.offline.knowledge.wordings import plain_words
from foretree.reasoning.offline.lexicon import Phrase, skip_fillers, starts_with, tokens_of, word_set
from foretree.reasoning.offline.phrases.discourse import Discourse
from foretree.reasoning.offline.phrases.noun_phrases import noun_phrases
from foretree.reasoning.offline.sentences.courtesies import load_courtesies
from foretree.reasoning.reasoner import Situation, Understanding
from foretree.world_model.ontology import plurals

#: Understands a plain request, given the things spoken of before.
ReadRequest = Callable[[str, Discourse], Understanding]
#: So many parts of one sentence are told apart, so many of them put one need, and so many ways to meet the
#: needs are tried.
_MOST_PARTS, _MOST_JOINED, _MOST_WAYS = 10, 4, 24


_JOINTS = word_set(", and but so because since as cause that's therefore while cos")
#: Openings of requests.
_MODALS = frozenset({"can", "could", "may", "might", "must", "shall", "should", "will", "would"})
_ASKING: tuple[Phrase, ...] = tuple(
    tuple(words.split())
    for words in re.split(
        r",\s+",
        """could you, can you, would you, will you, please, i want you to, i need you to, i would like you to,
        i'd like you to, let's, you could, you can, you should, you may, do me a favour and, be so kind""",
    )
)
_DENYING = word_set(
    """
    not no never nobody nothing none neither nor without unless if until hardly cannot except instead stop
    don't doesn't didn't can't won't isn't aren't wasn't couldn't shouldn't wouldn't haven't hasn't mustn't
    wait cancel what where when which how whether or must should shall ought
    """
)
#: What a remark begins with: something that tells of a person, a thing or the weather.
_SUBJECTS = word_set(
    """
    i i'm i've i'd i'll we we're we've we'll he he's she she's they they're they've it it's there there's that
    that's this the a an my our your his her their some someone somebody everyone everybody tonight today
    tomorrow
    """
)
_TELLING = word_set(
    "i i'm i've we we're we've he he's she she's they they're it it's there there's that's my our"
)
#: Words before what somebody wants to have.
_WANTING = word_set("want need like love fancy murder crave craving require use enjoy after prefer")
#: "I'd *have* a blanket".
_HAVING = word_set("have take get")
_WOULD = word_set("would will i'd i'll we'd we'll he'd she'd")
_ASKED_PLAINLY = word_set("the a an my our your his her their this that these those there")


#: "There's jam on the table *where the fruit is*".
_WHERE_IT_IS = re.compile(
    r"(?<=[a-z\d] )where (?P<thing>(?:the|my|our|that|those|all the) (?:[a-z\d-]+ ){1,3}?)"
    r"(?:is|are|lies|lie|stands|stand|sits|sit)(?=\s*(?:[.,;:!?]|$))",
    re.IGNORECASE,
)
#: A sentence of what the speaker wants to have.
_WISH = re.compile(
    r"(?:(?:i|we) (?:really |badly )?(?:need|want|require|would like|would love)|i'd like) (?!to\b)"
)
#: Requests that bring a thing of a class.
_BRINGING = re.compile(r"bring me (?:an? )?([a-z ]+)")
#: With these before a noun, the thing is what somebody does without.
_LACKING = word_set("no without not any")


@dataclass(frozen=True)
class _Part:
    """A part of an instruction: a request, a need with what its slots stand for, or a remark."""

    words: tuple[str, ...]
    request: bool = False
    needs: tuple[tuple[PersonalNeed, Mapping[str, str]], ...] = ()


@dataclass(frozen=True)
class _Way:
    """A way to meet a need: what is taken to be so, the request, and whether the need names no thing."""

    means: str
    request: str
    of_nothing: bool


class NeedReader:
    """Reads what is no request in one situation."""

    def __init__(self, situation: Situation, verbs: Collection[str], read: ReadRequest) -> None:
        self._situation = situation
        self._verbs = frozenset(verbs)
        self._read = read
        self._kinds = KindReader(situation)

    def understanding(self, instruction: str) -> Understanding | None:
        """Return the goal of an instruction with needs or remarks; None if it has none that are known.

        Raises:
            InstructionError: what it needs cannot be done here, or could be several things.
        """
        if _is_plain_question(instruction):
            return None
        text = _WHERE_IT_IS.sub(r"with \g<thing>", instruction)
        tokens = tuple(load_courtesies().without(tokens_of(text)))
        asked = self._needs(tokens, asks=True)
        try:
            if asked:
                return self._met([_Part(tokens, needs=asked)])
        except NotUnderstoodError:
            pass
        except NotPossibleError:
            # "I'd like some light" is about no thing that can be brought.
            if not self._needs(tokens):
                raise
        parts = self._parts(tokens)
        if parts is None:
            return None
        # Requests are read by clauses, with what is told besides.
        return None if any(part.request for part in parts) else self._met(parts)

    def meeting(self, need: PersonalNeed, said: str) -> Understanding:
        """Return the goal of a need that is about no certain thing.

        Raises:
            InstructionError: it cannot be met here, or could be in several ways.
        """
        return self._met([_Part(tuple(tokens_of(said)), needs=((need, {}),))])

    # -- parts -------------------------------------------------------------------------------------
    def _parts(self, tokens: tuple[str, ...]) -> list[_Part] | None:
        """The parts; None if one of them is neither a request nor a need nor a harmless remark."""
        parts: list[_Part] = []
        for begin, end in _pieces(tokens, (".", ";")):
            read = self._sentence(tokens[begin:end])
            if read is None:
                return self._all_as_need(tokens)
            parts.extend(read)
        if all(part.request for part in parts):
            return None
        return parts if any(part.request or part.needs for part in parts) else self._all_as_need(tokens)

    def _all_as_need(self, tokens: tuple[str, ...]) -> list[_Part] | None:
        """One need that several sentences put; none of them is a request."""
        pieces = _pieces(tokens, (*_JOINTS, ".", ";"))
        if any(self._is_request(tokens[begin:end]) for begin, end in pieces):
            return None
        needs = self._needs(tokens)
        return [_Part(tokens, needs=needs)] if needs else None

    def _sentence(self, words: tuple[str, ...]) -> list[_Part] | None:
        """The parts of a sentence, with as many needs and as few remarks as may be."""
        pieces = [one for one in _pieces(words, _JOINTS) if plain_words(words[slice(*one)]) != ("",)]
        if len(pieces) > _MOST_PARTS:
            return None
        begun = next((i for i, (at, end) in enumerate(pieces) if self._is_request(words[at:end])), None)
        request = [] if begun is None else self._from_request(words, pieces[begun:])
        #: The best parts of the first pieces, by the number of pieces.
        best: list[list[_Part] | None] = [[]]
        for last in range(1, len(pieces if begun is None else pieces[:begun]) + 1):
            found: list[list[_Part]] = []
            for first in range(max(0, last - _MOST_JOINED), last):
                before = best[first]
                said = words[pieces[first][0] : pieces[last - 1][1]]
                if before is not None and (needs := self._needs(said)):
                    found.append([*before, _Part(said, needs=needs)])
                elif before is not None and first == last - 1 and self._is_remark(said):
                    found.append([*before, _Part(said)])
            best.append(max(found, key=_worth, default=None))
        return None if best[-1] is None else [*best[-1], *request]

    def _from_request(self, words: tuple[str, ...], pieces: Sequence[tuple[int, int]]) -> list[_Part]:
        """A request, and what is told after it: "bring me a blanket, I'm cold"."""
        told = len(pieces)
        while told > 1 and self._is_told(words[pieces[told - 1][0] : pieces[told - 1][1]]):
            told -= 1
        after = [words[begin:end] for begin, end in pieces[told:]]
        request = _Part(words[pieces[0][0] : pieces[told - 1][1]], request=True)
        return [request, *(_Part(piece, needs=self._needs(piece)) for piece in after)]

    def _is_told(self, words: tuple[str, ...]) -> bool:
        return words[0] in _TELLING and (self._is_remark(words) or bool(self._needs(words)))

    def _needs(
        self, tokens: Sequence[str], asks: bool = False
    ) -> tuple[tuple[PersonalNeed, Mapping[str, str]], ...]:
        ways = plain_words(tokens)
        said = {word for words in ways for word in words.split()}
        needs = (need for need in load_needs().among(said) if need.asks is asks)
        found = ((need, slots) for need in needs for words in ways for slots in need.matches(words))
        return tuple(one for one in found if self._is_of_kind(*one) and not self._names_more(tokens, *one))

    def _names_more(self, tokens: Sequence[str], need: PersonalNeed, slots: Mapping[str, str]) -> bool:
        """Return whether things are named beside what a need is about: "so my coat and something dry".

        What would meet the need may be named: "I'm cold, a blanket!".
        """
        pieces = [tuple(tokens[begin:end]) for begin, end in _pieces(tokens, (*_JOINTS, ".", ";"))]
        told = " ".join(slots.values())
        if slots and _wants_besides(tokens, told):
            return True
        return len(pieces) > 1 and any(
            end == len(piece) and phrase.determined and " ".join(piece) not in told
            for piece in pieces
            if not any(_is_named(then, piece) for then in need.then)
            for phrase, end in noun_phrases(piece, self._situation).at(0)
        )

    def _is_of_kind(self, need: PersonalNeed, slots: Mapping[str, str]) -> bool:
        """Return whether the slots name things of the kinds that the need is about."""
        for slot, kind in need.only.items():
            words = slots.get(slot, "").split()
            nouns = noun_phrases(words, self._situation).at(0) if words else ()
            named = [phrase.class_name for phrase, end in nouns if end == len(words)]
            if words and not any(name in self._kinds.classes(kind) for name in named):
                return False
        return True

    def _is_request(self, words: tuple[str, ...]) -> bool:
        if any(starts_with(words, 0, asking) for asking in _ASKING):
            return True
        first = skip_fillers(words, 0)
        if words[first : first + 1] and words[first] in _MODALS and "be" in words[first:]:
            return True  # "could a pitcher of water be set on the table?"
        return first < len(words) and words[first] in self._verbs

    def _is_remark(self, words: tuple[str, ...]) -> bool:
        told = not _DENYING & {*words} and not any(base_form(word, ("want", "need")) for word in words)
        if not told or (words[0] not in _SUBJECTS and len(words) > 1):
            return False
        # "My coat" beside a need may be wanted, too.
        nouns = noun_phrases(words, self._situation).at(0)
        return not any(end == len(words) for _, end in nouns)

    # -- readings ----------------------------------------------------------------------------------
    def _met(self, parts: list[_Part]) -> Understanding:
        """The goal of the first requests that meet the needs."""
        failures: list[tuple[str, str, InstructionError]] = []
        to_be_found: list[Understanding] = []
        needy = [part for part in parts if part.needs]
        remarks = [part for part in parts if not part.needs]
        covered = {name for part in needy for need, _ in part.needs for name in need.covers}
        ways = [tuple(_ways(part)) for part in needy if {need.name for need, _ in part.needs} - covered]
        for chosen in islice(product(*dict.fromkeys(ways)), _MOST_WAYS):
            means = "; ".join(dict.fromkeys(one.means for one in chosen))
            text = ". ".join(dict.fromkeys(one.request for one in chosen))
            try:
                found = self._read(text, ())
            except InstructionError as error:
                if isinstance(error, NotUnderstoodError) and all(one.of_nothing for one in chosen):
                    # The file of needs names things that this domain has not.
                    error = NoSuchThingError("Nothing of these is known here.")
                failures.append((means, text, error))
                continue
            for part in parts:
                refuse_to_lose(part.words, found, self._situation)
            found = _told(replace(found, sentence=f"{means}: {found.sentence}"), remarks)
            if not found.wanted:
                return found
            to_be_found.append(found)
        # What is known to be here does rather than what must be found first.
        if to_be_found:
            return to_be_found[0]
        raise _unmet(failures)


def refuse_to_lose(words: Sequence[str], found: Understanding, situation: Situation) -> None:
    """Refuse a need that is met without the thing that is asked for: "I could murder a glass of milk".

    Raises:
        NotUnderstoodError: with the thing.
    """
    names = {*re.findall(r"[\w-]+", show(found.goal))}
    entities = situation.beliefs.entities()
    met = names | {entities[name].best_class for name in names if name in entities}
    for at, word in enumerate(words[:-1]):
        wished = word in _HAVING and words[at - 1 : at] and words[at - 1] in _WOULD
        if word not in _WANTING and not wished:
            continue
        after = at + 1 + (words[at + 1] in ("is", "are"))
        for phrase, _ in noun_phrases(words, situation).at(after):
            wanted = {phrase.class_name or phrase.name, *phrase.others}
            if phrase.picks in ("a", "the", "some", "name") and wanted != {None} and not wanted & met:
                raise NotUnderstoodError(
                    f'What shall be done with "{phrase.text}" is not clear. Say it as a request.'
                )


def _wants_besides(tokens: Sequence[str], told: str) -> bool:
    """Return whether a sentence apart from what a need is about wants something: "we need hot water"."""
    sentences = (" ".join(tokens[begin:end]) for begin, end in _pieces(tokens, (".", ";")))
    return any(_WISH.match(said) and told not in said for said in sentences)


def _worth(parts: Sequence[_Part]) -> tuple[int, int]:
    return sum(bool(part.needs) for part in parts), -len(parts)


def _told(found: Understanding, remarks: list[_Part]) -> Understanding:
    """Return the understanding with what was left out."""
    if not remarks:
        return found
    said = ", ".join(f'"{" ".join(part.words)}"' for part in remarks)
    return replace(found, sentence=f"{found.sentence}; nothing else is done about {said}")


def _is_plain_question(instruction: str) -> bool:
    """Return whether a sentence that states something is put as a question: "the fridge is open?"."""
    tokens = tokens_of(instruction)
    return instruction.rstrip().endswith("?") and tokens[0] in _ASKED_PLAINLY and "," not in tokens


def _ways(part: _Part) -> Iterator[_Way]:
    """Yield the ways to meet the need of a part; only those with the thing that is named, if one is."""
    for need, slots in part.needs:
        means = filled(need.means, slots)
        named = [then for then in need.then if _is_named(then, part.words)]
        for then in named or need.then:
            request = filled(then, slots)
            if request is not None and means is not None:
                yield _Way(means, request, of_nothing=not slots)


def _is_named(request: str, words: tuple[str, ...]) -> bool:
    """Return whether the words ask for what a request brings: "just out of the shower, towel!"."""
    match = _BRINGING.fullmatch(request)
    if match is None:
        return False
    noun = tokens_of(match[1])
    forms = [tuple(noun), *(tuple(tokens_of(form)) for form in plurals(match[1]))]
    return any(
        words[at : at + len(form)] == form and not _LACKING & {*words[max(0, at - 2) : at]}
        for form in forms
        for at in range(len(words))
    )


def _unmet(failures: list[tuple[str, str, InstructionError]]) -> InstructionError:
    """The error that no request that would meet a need can be carried out."""
    if not failures:
        return NotUnderstoodError("What would help is not known. Say what shall be done.")
    order = (AmbiguousError, NoSuchThingError, NotPossibleError, NotUnderstoodError)
    means, _, error = next(one for kind in order for one in failures if isinstance(one[2], kind))
    tried = "; ".join(
        f'"{text}"' for text in dict.fromkeys(text for one, text, _ in failures if one == means)
    )
    error.args = (f"Taken to mean that {means}. What would help: {tried}. {error}",)
    return error


def _pieces(tokens: Sequence[str], marks: Collection[str]) -> Iterator[tuple[int, int]]:
    """Beginnings and ends of the words between marks."""
    begin = 0
    for at, word in enumerate((*tokens, None)):
        if word is None or word in marks:
            if begin < at:
                yield begin, at
            begin = at + 1
