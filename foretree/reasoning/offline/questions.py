"""Questions about what is believed: "where is the milk?", "what is on the table?", "is the fridge open?".

An answer says what the belief says, no more: what is not known is said to be unknown. Nothing is looked for,
and nothing moves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from foretree.reasoning.offline.lexicon import Phrase, skip_fillers, starts_with, tokens_of
from foretree.reasoning.offline.phrases.descriptions import LocationPhrase, NounPhrase
from foretree.reasoning.offline.phrases.known_things import conjoined, known_things
from foretree.reasoning.offline.phrases.noun_phrases import NounPhraseParser
from foretree.reasoning.offline.phrases.referents import ReferentResolver
from foretree.reasoning.reasoner import Situation
from foretree.world_model.beliefs.facts import WHEREABOUTS, Truth
from foretree.world_model.ontology import plurals

#: Short forms, each with what it stands for.
_SHORT = {
    "what's": ("what", "is"),
    "where's": ("where", "is"),
    "where're": ("where", "are"),
    "isn't": ("is", "not"),
    "aren't": ("are", "not"),
    "there's": ("there", "is"),
}
#: What a question begins with that is put politely.
_OPENINGS: tuple[Phrase, ...] = (
    ("do", "you", "know"),
    ("can", "you", "tell", "me"),
    ("could", "you", "tell", "me"),
    ("tell", "me"),
    ("and",),
    ("so",),
)
_WITHIN = frozenset({"in", "inside", "on", "into", "onto"})
_BE = frozenset({"is", "are"})
#: As many things are listed in an answer.
_MOST_LISTED = 12


def answer_question(instruction: str, situation: Situation) -> str | None:
    """Return the answer to a question about what is believed; None if it is no such question."""
    return _Question(instruction, situation).answer()


def _named(tokens: list[str], situation: Situation) -> list[str]:
    """Return *tokens* with a name for "it": what was spoken of last, but furniture only after "in", say."""
    said = [group[0] for group in situation.spoken_of if len(group) == 1 and not group[0].beside]
    known = situation.beliefs.entities()
    things = [one for one in said if one.term in known and not known[one.term].fixed]
    named = list(tokens)
    for at, token in enumerate(tokens):
        if token == "it" and said:
            within = at > 0 and tokens[at - 1] in _WITHIN
            named[at] = (said if within or not things else things)[-1].term
    return named


class _Question:
    """The words of a question, and the readings that they may have."""

    def __init__(self, instruction: str, situation: Situation) -> None:
        words = (_SHORT.get(token, (token,)) for token in tokens_of(instruction))
        self._tokens = _named([word for short in words for word in short], situation)
        while self._tokens and self._tokens[-1] in (".", ",", ";", "please", "now"):
            self._tokens.pop()
        self._beliefs = situation.beliefs
        self._nouns = NounPhraseParser(self._tokens, situation)
        self._resolver = ReferentResolver(situation)
        self._things = known_things(situation)

    def answer(self) -> str | None:
        at = skip_fillers(self._tokens, 0)
        while opening := next((o for o in _OPENINGS if starts_with(self._tokens, at, o)), None):
            at += len(opening)
            at = skip_fillers(self._tokens, at + (self._word(at) == ","))
        readings: tuple[Callable[[int], Iterator[str]], ...] = (
            self._where_is,
            self._what_is,
            self._how_many,
            self._which_are,
            self._is_there,
            self._is_so,
        )
        return next((answer for reading in readings for answer in reading(at)), None)

    # -- the words ---------------------------------------------------------------------------------
    def _word(self, at: int) -> str:
        return self._tokens[at] if at < len(self._tokens) else ""

    def _ends(self, at: int) -> bool:
        return skip_fillers(self._tokens, at) == len(self._tokens)

    def _locations(self, at: int) -> Iterator[LocationPhrase]:
        """The places that the words from *at* to the end name."""
        for where, end in self._nouns.locations(at):
            if self._ends(end):
                yield where

    # -- readings ----------------------------------------------------------------------------------
    def _where_is(self, at: int) -> Iterator[str]:
        """Where is the milk? Do you know where the mugs are?"""
        if self._word(at) != "where":
            return
        before = self._word(at + 1) in _BE
        for phrase, end in self._nouns.at(at + 1 + before):
            if self._ends(end) if before else self._word(end) in _BE and self._ends(end + 1):
                names = self._meant(phrase)
                yield " ".join(map(self._place, names)) if names else self._none(phrase)

    def _what_is(self, at: int) -> Iterator[str]:
        """What is on the table? What is there in the fridge?"""
        if self._word(at) != "what" or self._word(at + 1) not in _BE:
            return
        places = list(self._locations(at + 2 + (self._word(at + 2) == "there")))
        # A room may have the name of a spot in it, at which nothing rests.
        for where in sorted(places, key=lambda where: not self._located(where)):
            yield self._content(where)

    def _located(self, where: LocationPhrase) -> tuple[str, ...]:
        return self._resolver.located(tuple(self._things.classes), where)

    def _content(self, where: LocationPhrase) -> str:
        """What is there; place by place where several are meant."""
        places = self._resolver.entities_meant(where.place) if where.place is not None else ()
        if len(places) < 2:
            return self._listing(self._located(where), f"I know of nothing {where.text}.")
        things = tuple(self._things.classes)
        found = {place: self._things.resting(things, where.relations, place) for place in places}
        said = [f"{place}: {self._list(names)}." for place, names in found.items() if names]
        return " ".join(said) or f"I know of nothing {where.text}."

    def _how_many(self, at: int) -> Iterator[str]:
        """How many mugs are there? How many mugs are on the table, how many are dirty?"""
        if not starts_with(self._tokens, at, ("how", "many")):
            return
        for phrase, end in self._nouns.at(at + 2):
            for names, said in self._narrowed(phrase, end):
                known = f": {self._list(names)}" if names else ""
                yield f"I know of {len(names) or 'no'} {self._noun(phrase, len(names))}{said}{known}."

    def _which_are(self, at: int) -> Iterator[str]:
        """Which mugs are dirty? Which things are in the fridge?"""
        if self._word(at) not in ("which", "what"):
            return
        for phrase, end in self._nouns.at(at + 1):
            for names, said in self._narrowed(phrase, end):
                yield self._listing(names, f"I know of no {self._noun(phrase, 0)}{said}.")

    def _is_there(self, at: int) -> Iterator[str]:
        """Is there a banana? Are there any mugs in the cupboard?"""
        if self._word(at) not in _BE or self._word(at + 1) != "there":
            return
        for phrase, end in self._nouns.at(at + 2):
            if self._ends(end):
                names = self._meant(phrase)
                yield f"Yes: {self._list(names)}." if names else self._none(phrase)

    def _is_so(self, at: int) -> Iterator[str]:
        """Is the fridge open? Is the milk in the fridge?"""
        if self._word(at) not in _BE:
            return
        for phrase, end in self._nouns.at(at + 1 + (self._word(at + 1) == "not")):
            denied = self._word(end) == "not"
            names = self._meant(phrase)
            state = self._nouns.state(end + denied)
            if state is not None and self._ends(state[1]):
                predicate, positive = state[0]
                words = " ".join(self._tokens[end + denied : state[1]])
                said = [self._is(name, words, self._truth((predicate, name), positive)) for name in names]
                yield " ".join(said) if said else self._none(phrase)
            for where in self._locations(end + denied):
                there = self._resolver.located(names, where)
                said = [self._there(name, name in there) for name in names]
                yield " ".join(said) if said else self._none(phrase)

    # -- what is believed ---------------------------------------------------------------------------
    def _meant(self, phrase: NounPhrase) -> tuple[str, ...]:
        return tuple(
            dict.fromkeys(n for part in (phrase, *phrase.also) for n in self._resolver.entities_meant(part))
        )

    def _narrowed(self, phrase: NounPhrase, end: int) -> Iterator[tuple[tuple[str, ...], str]]:
        """What a phrase means, narrowed down by what follows it, with those words."""
        names = self._meant(phrase)
        at = end + (self._word(end) in _BE)
        at += self._word(at) == "there"
        words = " ".join(self._tokens[at:])
        if self._ends(at):
            yield names, ""
        for where in self._locations(at):
            yield self._resolver.located(names, where), f" {words}"
        state = self._nouns.state(at)
        if state is not None and self._ends(state[1]):
            predicate, positive = state[0]
            yield (
                tuple(n for n in names if self._truth((predicate, n), positive) is Truth.TRUE),
                f" that {'are' if phrase.plural else 'is'} {words}",
            )

    def _truth(self, atom: tuple[str, ...], positive: bool) -> Truth:
        truth = self._beliefs.truth(atom)
        return truth if positive else ~truth

    # -- sentences ---------------------------------------------------------------------------------
    @staticmethod
    def _is(name: str, words: str, truth: Truth) -> str:
        if truth is Truth.UNKNOWN:
            return f"I do not know whether {name} is {words}."
        return f"Yes, {name} is {words}." if truth is Truth.TRUE else f"No, {name} is not {words}."

    def _there(self, name: str, there: bool) -> str:
        if not there and self._is_unplaced(name):
            return self._place(name)
        return f"{'Yes' if there else 'No'}, {name} is {self._things.describe_place(name)}."

    def _is_unplaced(self, name: str) -> bool:
        return self._beliefs.placement(WHEREABOUTS, name) is None and self._things.room_of(name) is None

    def _place(self, name: str) -> str:
        if self._is_unplaced(name):
            return f"I do not know where {name} is."
        return f"{name} is {self._things.describe_place(name)}."

    def _listing(self, names: tuple[str, ...], otherwise: str) -> str:
        return f"{self._list(names)}." if names else otherwise

    def _list(self, names: tuple[str, ...]) -> str:
        more = len(names) - _MOST_LISTED
        return conjoined([*names[:_MOST_LISTED], *([f"{more} more"] if more > 0 else [])])

    def _none(self, phrase: NounPhrase) -> str:
        where = f" {phrase.where.text}" if phrase.where is not None else ""
        return f"I know of no {self._noun(phrase, 1)}{where}."

    def _noun(self, phrase: NounPhrase, number: int) -> str:
        noun = (phrase.class_name or "thing").replace("_", " ")
        return noun if number == 1 else next(iter(plurals(noun)))
