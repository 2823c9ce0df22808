"""The words of a question, the things that they speak of, and what is said of these."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from foretree.reasoning.offline.lexicon import skip_fillers
from foretree.reasoning.offline.phrases.descriptions import LocationPhrase, NounPhrase
from foretree.reasoning.offline.phrases.known_things import conjoined, known_things
from foretree.reasoning.offline.phrases.noun_phrases import noun_phrases
from foretree.reasoning.offline.phrases.referents import ReferentResolver
from foretree.reasoning.reasoner import Situation
from foretree.world_model.beliefs.facts import BODY, WHEREABOUTS, Truth
from foretree.world_model.ontology import plurals

_WITHIN = frozenset({"in", "inside", "on", "into", "onto"})
BE = frozenset({"is", "are", "was", "were"})
#: As many things are listed in an answer.
_MOST_LISTED = 12


def _named(tokens: Sequence[str], situation: Situation) -> list[str]:
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


class QuestionWords:
    """The words of a question, without its frame.

    Attributes:
        tokens: the words; "it" is the name of what was spoken of.
        declared: whether they have the order of a statement.
        spoken_of: the known things that its readings have come upon.
    """

    def __init__(self, tokens: Sequence[str], declared: bool, situation: Situation) -> None:
        self.tokens = _named(tokens, situation)
        self.declared = declared
        self.text = " ".join(self.tokens)
        self.situation = situation
        self.beliefs = situation.beliefs
        self.nouns = noun_phrases(self.tokens, situation)
        self.resolver = ReferentResolver(situation)
        self.things = known_things(situation)
        self.spoken_of: tuple[str, ...] = ()

    # -- the words ---------------------------------------------------------------------------------
    def word(self, at: int) -> str:
        """Return the word at a position; empty past the last."""
        return self.tokens[at] if at < len(self.tokens) else ""

    def ends(self, at: int) -> bool:
        """Return whether nothing but fillers stands from a position on."""
        return skip_fillers(self.tokens, at) == len(self.tokens)

    def locations(self, at: int) -> Iterator[LocationPhrase]:
        """Yield the places that the words from *at* to the end name."""
        for where, end in self.nouns.locations(at):
            if self.ends(end):
                yield where

    def state(self, at: int) -> tuple[tuple[str, bool], int] | None:
        """Return the state that the words from *at* on name, with where they end; "off" is "turned off"."""
        found = self.nouns.state(at)
        if found is None and self.word(at) in ("on", "off") and self.ends(at + 1):
            turned = noun_phrases(["turned", self.word(at)], self.situation).state(0)
            found = None if turned is None else (turned[0], at + 1)
        return found

    def whole(self, at: int, end: int | None = None) -> Iterator[NounPhrase]:
        """Yield the noun phrases that reach from *at* to the end, or to *end*."""
        for phrase, stop in self.nouns.at(at):
            if stop == end or (end is None and self.ends(stop)):
                yield phrase

    def meant(self, phrase: NounPhrase) -> tuple[str, ...]:
        """Return the known things that a phrase may mean."""
        parts = (phrase, *phrase.also, *phrase.alternatives)
        names = tuple(dict.fromkeys(n for part in parts for n in self.resolver.entities_meant(part)))
        known = self.things.classes
        names = tuple(name for name in names if name in known)
        self.spoken_of = self.spoken_of or names
        return names

    def truth(self, atom: tuple[str, ...], positive: bool) -> Truth:
        """Return how it stands with an atom, or with its contrary."""
        truth = self.beliefs.truth(atom)
        return truth if positive else ~truth

    # -- sentences ---------------------------------------------------------------------------------
    def is_unplaced(self, name: str) -> bool:
        """Return whether it is not known where a thing is."""
        return self.beliefs.placement(WHEREABOUTS, name) is None and self.things.room_of(name) is None

    def place(self, name: str) -> str:
        """Return the sentence that says where a thing is, or a robot."""
        if self.beliefs.placement(BODY, name) is not None:
            return self.stand_of(name, f"{name} is")
        if self.is_unplaced(name):
            return f"I do not know where {name} is."
        return f"{name} is {self.things.describe_place(name)}."

    def stand_of(self, robot: str, who: str) -> str:
        """Return the sentence that says where a robot stands; *who*: "I am", "robot2 is"."""
        at = self.beliefs.placement(BODY, robot)
        if at is None:
            return f"{who} at a place that I do not know."
        room = self.things.room_of(at[-1])
        if room == at[-1]:
            return f"{who} in the {room.replace('_', ' ')}."
        within = f", in the {room.replace('_', ' ')}" if room is not None else ""
        return f"{who} at {at[-1]}{within}."

    def listing(self, names: tuple[str, ...], otherwise: str) -> str:
        """Return the names as a sentence; *otherwise* where there are none."""
        return f"{self.listed(names)}." if names else otherwise

    @staticmethod
    def listed(names: Sequence[str]) -> str:
        """Return the names as a list; not more than can be taken in."""
        more = len(names) - _MOST_LISTED
        return conjoined([*names[:_MOST_LISTED], *([f"{more} more"] if more > 0 else [])])

    def none(self, phrase: NounPhrase) -> str:
        """Return the sentence that nothing is known of what a phrase means."""
        if phrase.class_name is None and phrase.where is not None:
            return f"I know of nothing {phrase.where.text}."
        where = f" {phrase.where.text}" if phrase.where is not None else ""
        return f"I know of no {self.noun(phrase, 1)}{where}."

    @staticmethod
    def noun(phrase: NounPhrase, number: int) -> str:
        """Return the noun of a phrase, in the singular or the plural."""
        noun = (phrase.class_name or "thing").replace("_", " ")
        return noun if number == 1 else next(iter(plurals(noun)))


def first(answers: Iterable[str]) -> str | None:
    """Return the first answer; None if there is none."""
    return next(iter(answers), None)
