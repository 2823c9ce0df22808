"""Further nouns for the classes of a domain, and for classes that it lacks.

They come from ``configs/language/nouns.yaml`` and from the affordances. A thing of a class that the domain
lacks can be asked for like any other: it is looked for, and another one may take its place.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache

from foretree.reasoning.offline.english.lexicon.lexicon_file import english_words
from foretree.reasoning.offline.knowledge.kinds_file import load_kinds
from foretree.reasoning.offline.lexicon import DEFINITE, FUNCTION_WORDS, INDEFINITE, NUMBERS, UNIVERSAL
from foretree.reasoning.offline.word_lists import word_lists
from foretree.reasoning.reasoner import Situation
from foretree.world_model.affordances.mapping import LIKELY
from foretree.world_model.affordances.shipped import common_placer
from foretree.world_model.ontology import ObjectClass, Ontology, plain, plurals

_DETERMINERS = frozenset({*DEFINITE, *INDEFINITE, *NUMBERS, *UNIVERSAL, "both", "some", "no"})
#: So many ontologies with further nouns are kept.
_MOST_KEPT = 32
#: The situations whose words were widened, and what became of them.
_kept: dict[tuple[int, int, tuple[tuple[str, str], ...]], tuple[Situation, Situation]] = {}


def with_further_nouns(situation: Situation, tokens: Sequence[str], verbs: Collection[str]) -> Situation:
    """Return the situation with the further nouns among the words of an instruction.

    Args:
        verbs: words that are nouns only right behind a determiner: "the throw".
    """
    rooms = {word for room in situation.rooms.values() for word in room.lower().split("_")}
    # "The kitchen sink" is the one in that room, "the sofa cushion" the one there.
    names = {
        name
        for words in dict.fromkeys((tuple(tokens), tuple(token.removesuffix("'s") for token in tokens)))
        for name in _found(situation.ontology, words, verbs)
        if name.split()[0] not in rooms and not _tells_place(name, situation.ontology)
    }
    if not names:
        return situation
    here = {entity.best_class for entity in situation.beliefs.entities().values()}
    found = tuple((name, _class_of(name, situation.ontology, here)) for name in sorted(names))
    key = id(situation.ontology), id(situation.domain), found
    kept = _kept.pop(key, None)
    if kept is None:
        kept = situation, _widened(situation, found)
    _kept[key] = kept
    while len(_kept) > _MOST_KEPT:
        _kept.pop(next(iter(_kept)))
    return replace(situation, ontology=kept[1].ontology, domain=kept[1].domain)


def with_classes(situation: Situation, names: Collection[str]) -> Situation:
    """Return the situation with classes of things that only the affordances know."""
    placer, domain = common_placer(), situation.domain
    added: dict[str, ObjectClass] = {}
    for name in names:
        affords = [
            predicate
            for known in placer.mapping.affordances.values()
            if placer.probability(name, known.name) >= LIKELY
            for predicate in known.predicates
            if predicate in domain.predicates
        ]
        added[name] = ObjectClass(name, "item", tuple(affords))
    return replace(
        situation,
        ontology=replace(situation.ontology, classes={**situation.ontology.classes, **added}),
        domain=replace(domain, types={**domain.types, **dict.fromkeys(added, "item")}),
    )


def can_be_carried(name: str) -> bool:
    """Return whether things of a class that only the affordances know are no furniture."""
    return common_placer().probability(name, "carry") >= LIKELY


def _tells_place(name: str, ontology: Ontology) -> bool:
    """Return whether a noun is one for furniture, and another one for what is there."""
    place, _, thing = name.partition(" ")
    furniture = ontology.named(place)
    is_furniture = furniture is not None and ontology.type_of(furniture.class_name) == "asset"
    return is_furniture and ontology.named(thing) is not None


def _class_of(name: str, ontology: Ontology, here: Collection[str]) -> str:
    """The class that a noun names: of several, one of which something is here, or that the domain has."""
    classes = [kind for kind in _classes()[name] if kind in ontology]
    return next((kind for kind in classes if kind in here), next(iter((*classes, *_classes()[name]))))


def _found(ontology: Ontology, tokens: Sequence[str], verbs: Collection[str]) -> Iterator[str]:
    """Yield the nouns among some words that the ontology does not know, in the singular."""
    nouns = _forms()
    longest, at = _longest(), 0
    while at < len(tokens):
        for length in range(min(longest, len(tokens) - at), 0, -1):
            words = plain(" ".join(tokens[at : at + length]))
            if ontology.named(words) is not None and length == len(words.split()):
                at += length
                break
            name = nouns.get(words)
            if name is None:
                continue
            lacking = {*_classes()[name]}.isdisjoint(ontology.classes)
            if lacking and not can_be_carried(_classes()[name][0]):
                continue
            if (kind := load_kinds().nouns.get(words)) is not None and len(kind.of) > 1:
                continue  # it may be any of several
            if length == 1 and not _is_noun(tokens, at, verbs, lacking):
                continue
            yield name
            at += length
            break
        else:
            at += 1


def _is_noun(tokens: Sequence[str], at: int, verbs: Collection[str], lacking: bool) -> bool:
    """Return whether a word may be a noun where it stands.

    One for what the domain lacks is none where it may be a deed: "iron the shirt".
    """
    word = tokens[at]
    if word in FUNCTION_WORDS:
        return False
    deed = word in verbs or (lacking and "verb" in english_words().parts_of_speech(word))
    return not deed or (at > 0 and tokens[at - 1] in _DETERMINERS)


def _widened(situation: Situation, found: Sequence[tuple[str, str]]) -> Situation:
    lacking = {kind for _, kind in found if kind not in situation.ontology}
    wider = with_classes(situation, sorted(lacking)) if lacking else situation
    classes = dict(wider.ontology.classes)
    for name, kind in found:
        classes[kind] = replace(classes[kind], words=(*classes[kind].words, name))
    return replace(wider, ontology=replace(wider.ontology, classes=classes))


@cache
def _classes() -> Mapping[str, tuple[str, ...]]:
    """The classes that each noun may name, the likeliest first."""
    found: dict[str, dict[str, None]] = {}
    mapping = common_placer().mapping.classes
    for kind, words in word_lists("nouns").items():
        for word in words:
            # What has a class of its own is that, where a domain has it.
            own = {plain(word).replace(" ", "_"): None} if plain(word).replace(" ", "_") in mapping else {}
            found.setdefault(plain(word), own).setdefault(kind)
    for kind, known in mapping.items():
        for word in (kind, *known.words):
            found.setdefault(plain(word), {}).setdefault(kind)
    return {word: tuple(kinds) for word, kinds in found.items()}


@lru_cache(maxsize=1)
def _forms() -> Mapping[str, str]:
    """The nouns by their forms: singular and plural."""
    singular = {name: name for name in _classes()}
    return {form: name for name in singular for form in plurals(name)} | singular


@cache
def _longest() -> int:
    """The number of words of the longest noun."""
    return max(len(form.split()) for form in _forms())
