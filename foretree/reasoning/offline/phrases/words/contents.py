"""Contents of vessels, as part of a noun: "a cup of hot coffee", "two coffees", "the tea in the cup"."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from foretree.reasoning.offline import lexicon
from foretree.reasoning.offline.grammar.state_words import substances
from foretree.reasoning.offline.phrases.words.determiners import Determiner
from foretree.reasoning.offline.phrases.words.scene_words import SceneWords
from foretree.world_model.ontology import Naming, Ontology

#: A state and whether it holds.
State = tuple[str, bool]
#: What can hold a drink affords this.
_FILLABLE = "fillable"
#: What people drink from, the most usual first.
_VESSELS = ("cup", "mug", "glass")
_OF = ("of", "with")
_IN = ("in", "inside", "of", "from")
#: What sugar makes of a drink.
_SUGAR, _SWEET = "sugar", "sweetened"


@dataclass(frozen=True, slots=True)
class Filled:
    """A vessel by what is in it: its class, the states that this means, and where the words end."""

    naming: Naming
    states: tuple[State, ...]
    end: int


class ContentReader:
    """Reads vessels with what is in them, in one sentence.

    Args:
        tokens: the words.
        ontology: the classes.
        scene: the words for what is there.
        nouns: reads the nouns at a position.
        adjectives: reads the adjectives at a position: what they may mean, and their end.
    """

    def __init__(
        self,
        tokens: Sequence[str],
        ontology: Ontology,
        scene: SceneWords,
        nouns: Callable[[int], Iterator[tuple[Naming, int]]],
        adjectives: Callable[[int], tuple[Sequence[Sequence[State]], int]],
    ) -> None:
        self._tokens = tokens
        self._ontology = ontology
        self._scene = scene
        self._nouns = nouns
        self._adjectives = adjectives
        self._substances = substances(ontology)

    def at(self, found: Determiner, at: int) -> Iterator[Filled]:
        """Yield the vessels that the words at a position name with what is in them."""
        if not self._substances:
            return
        for naming, end in self._nouns(at):
            if self._is_vessel(naming) and self._word(end) in _OF:
                yield from self._filled(naming, end + 1)
        yield from self._by_content(found, at)

    def _filled(self, naming: Naming, at: int) -> Iterator[Filled]:
        at += self._word(at) in lexicon.SOME
        told, at = self._adjectives(at)
        has = self._substances.get(self._word(at))
        if has is not None:
            states = [self._scene.state_of(naming.class_name, meanings) for meanings in told]
            yield from self._sweetened(naming, ((has, True), *states), at + 1)

    def _sweetened(self, naming: Naming, states: tuple[State, ...], end: int) -> Iterator[Filled]:
        """Yield what there is with sugar in it, if that is said, and without."""
        words = self._word(end), self._word(end + 1)
        if _SWEET in self._ontology.predicate_words and words in (("with", _SUGAR), ("and", _SUGAR)):
            yield Filled(naming, (*states, (_SWEET, True)), end + 2)
        yield Filled(naming, states, end)

    def _by_content(self, found: Determiner, at: int) -> Iterator[Filled]:
        """Yield what is called by what is in it."""
        word = self._word(at)
        plural = word not in self._substances
        has = self._substances.get(word.removesuffix("s") if plural else word)
        if has is None:
            return
        if self._word(at + 1) in _IN:
            after = at + 2
            after += self._word(after) in (*lexicon.DEFINITE, *lexicon.INDEFINITE)
            for naming, end in self._nouns(self._adjectives(after)[1]):
                if self._is_vessel(naming):
                    yield Filled(naming, ((has, True),), end)
        if found.picks is None or self._ontology.named(word) is not None:
            return  # "The milk" is a carton.
        known = [name for name in _VESSELS if name in self._scene.kinds.values()]
        known = known or [name for name in _VESSELS if name in self._ontology]
        if known:
            others = tuple(known[1:]) if found.picks == "the" else ()
            yield from self._sweetened(Naming(known[0], plural, others), ((has, True),), at + 1)

    def _is_vessel(self, naming: Naming) -> bool:
        return naming.class_name in self._ontology and self._ontology.affords(naming.class_name, _FILLABLE)

    def _word(self, at: int) -> str:
        return self._tokens[at] if at < len(self._tokens) else ""
