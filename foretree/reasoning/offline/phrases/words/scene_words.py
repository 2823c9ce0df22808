"""Words for the rooms, states and places of one situation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from foretree.planning.semantics.operator_index import index_of
from foretree.reasoning.offline import lexicon
from foretree.reasoning.offline.grammar.state_words import state_words
from foretree.reasoning.offline.lexicon import Phrase, Phrases
from foretree.reasoning.offline.phrases.known_things import scene_of
from foretree.reasoning.offline.phrases.latest import Latest
from foretree.reasoning.offline.phrases.words.rooms import RoomPhrases
from foretree.reasoning.reasoner import Situation
from foretree.world_model.beliefs.facts import WHEREABOUTS

_latest = Latest["SceneWords"]()
_latest_predicates = Latest["_PredicateWords"]()


def scene_words(situation: Situation) -> SceneWords:
    """The words of a situation."""
    return _latest.of(scene_of(situation), lambda: SceneWords(situation))


class SceneWords:
    """The phrases for what there is in a situation, apart from those for classes of things.

    Attributes:
        kinds: the class of each entity.
        named: the entities, by their names written together.
        rooms: the rooms, by their phrases.
        states: the states that each phrase may mean.
        relations: the predicates that each phrase for how a thing rests may mean, longer ones first.
        relation_words: these phrases.
    """

    def __init__(self, situation: Situation) -> None:
        self._domain = situation.domain
        self._ontology = situation.ontology
        self.kinds = {name: one.best_class for name, one in situation.beliefs.entities().items()}
        entities = sorted(self.kinds)
        self.named = {name.replace("_", "").lower(): name for name in entities} | {n: n for n in entities}
        self.rooms = RoomPhrases(situation)
        parts = (situation.domain, situation.beliefs.vocabulary, situation.ontology.predicate_words)
        predicates = _latest_predicates.of(parts, lambda: _PredicateWords(situation))
        self.states = predicates.states
        self._after_copula = predicates.after_copula
        self.relations = predicates.relations
        self.relation_words = Phrases(self.relations)
        self.first_of_states = frozenset(said[0] for said in self.states)
        self._longest_state = max((len(said) for said in self.states), default=0)
        self.words = frozenset(
            word for phrase in (*self.states, *self.relations, *self.rooms) for word in phrase
        )

    @property
    def nouns(self) -> frozenset[str]:
        """The words of the nouns for classes of things."""
        return self._ontology.words_of_names

    @cached_property
    def known(self) -> frozenset[str]:
        """The words that mean something here, or anywhere."""
        return self.words | self.nouns | lexicon.FUNCTION_WORDS | frozenset(self.named)

    def states_at(
        self, tokens: Sequence[str], at: int, *, after_copula: bool = False
    ) -> tuple[Sequence[tuple[str, bool]], int] | None:
        """The states that the words at a position may mean, with where the words end."""
        states = self._after_copula if after_copula else self.states
        for length in range(self._longest_state, 0, -1):
            words = tuple(tokens[at : at + length])
            if words in states:
                return states[words], at + len(words)
        return None

    def state_of(self, class_name: str, meanings: Sequence[tuple[str, bool]]) -> tuple[str, bool]:
        """The state that a word means of things of a class: of what is not cooked, "cooked" is hot."""
        able = (state for state in meanings if self._can_become(class_name, state[0]))
        return meanings[0] if len(meanings) == 1 else next(able, meanings[0])

    def _can_become(self, class_name: str, predicate: str) -> bool:
        """True if an action brings about the state, of things that afford what those of the class do."""
        for operator in self._domain.operators.values():
            static = index_of(self._domain).parts(operator).static
            for effect in operator.effects:
                predicate_of, *terms = effect.literal.atom
                if predicate_of == predicate and effect.literal.positive:
                    needs = (
                        part.atom[0] for part in static if part.positive and part.atom[1:] == (terms[0],)
                    )
                    if all(self._ontology.affords(class_name, need) for need in needs):
                        return True
        return False


class _PredicateWords:
    """The phrases for the predicates of a domain, whatever things there are.

    Attributes:
        states: the states that each phrase may mean.
        after_copula: the same for phrases behind "is".
        relations: the predicates that each phrase for how a thing rests may mean, longer ones first.
    """

    def __init__(self, situation: Situation) -> None:
        self.states: dict[Phrase, list[tuple[str, bool]]] = {}
        self.after_copula: dict[Phrase, list[tuple[str, bool]]] = {}
        for said, state in _state_words(situation):
            self.after_copula.setdefault(said, []).append(state)
            if said not in (("on",), ("off",), ("out",)):  # "the lamp is on", but not "the on lamp"
                self.states.setdefault(said, []).append(state)
        relations = dict(_relation_words(situation))
        self.relations = {
            said: relations[said] for said in sorted(relations, key=lambda one: (-len(one), one))
        }


def _state_words(situation: Situation) -> Iterator[tuple[Phrase, tuple[str, bool]]]:
    """The phrases for the states of things that actions change and that can be seen.

    Where several states have the same word, that comes first which is called so.
    """
    vocabulary = situation.beliefs.vocabulary
    changing = index_of(situation.domain).fluents
    found: list[tuple[Phrase, tuple[str, bool]]] = []
    for predicate, parameters in situation.domain.predicates.items():
        if len(parameters) == 1 and predicate in changing and vocabulary[predicate].kind != "robot":
            words, opposites = state_words(predicate, situation.ontology)
            found += ((tuple(said.split()), (predicate, True)) for said in words)
            found += ((tuple(said.split()), (predicate, False)) for said in opposites)
    return iter(sorted(found, key=lambda one: one[0] != (one[1][0],)))


def _relation_words(situation: Situation) -> Iterator[tuple[Phrase, tuple[str, ...]]]:
    """The phrases for how a thing rests somewhere, each with the predicates that it may mean."""
    vocabulary = situation.beliefs.vocabulary
    meanings: dict[Phrase, list[str]] = {}
    for predicate, parameters in situation.domain.predicates.items():
        info = vocabulary[predicate]
        if len(parameters) == 2 and info.group == WHEREABOUTS and info.subject == 1:
            for said in situation.ontology.predicate_words.get(predicate, (predicate.replace("_", " "),)):
                meanings.setdefault(tuple(said.split()), []).append(predicate)
    return ((words, tuple(predicates)) for words, predicates in meanings.items())
