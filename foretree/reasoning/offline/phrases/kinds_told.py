"""Kinds that are called by the last word of their names: "the table in the meeting room", "the old one"."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from foretree.reasoning.offline.lexicon import ONE
from foretree.reasoning.offline.phrases.descriptions import LocationPhrase, NounPhrase
from foretree.reasoning.offline.phrases.discourse import Discourse
from foretree.reasoning.offline.phrases.known_things import KnownThings
from foretree.world_model.ontology import Ontology, plain

#: The things of some names that are at a place.
Located = Callable[["tuple[str, ...]", LocationPhrase], "tuple[str, ...]"]


class KindsTold:
    """Finds the kinds that are meant by words for less special ones, in one situation."""

    def __init__(self, ontology: Ontology, things: KnownThings) -> None:
        self._ontology = ontology
        self._things = things

    def there(self, phrase: NounPhrase, located: Located) -> NounPhrase:
        """The phrase by the kinds that are where it says: "the table in the meeting room"."""
        where, kind = phrase.where, phrase.class_name or ""
        if where is None or phrase.others or phrase.same_kind or kind not in self._ontology:
            return phrase
        if where.likely or located(self._things.of_classes(kind), where):
            return phrase
        there = located(self._things.of_classes(*self._special(phrase.noun, kind)), where)
        first, *rest = dict.fromkeys(self._things.classes[name] for name in there) or (kind,)
        return replace(phrase, class_name=first, others=tuple(rest))

    def spoken_of(self, phrase: NounPhrase, discourse: Discourse) -> NounPhrase:
        """The phrase by the kind that was spoken of last: "the pot" after a flower pot."""
        kind = phrase.class_name or ""
        if not phrase.is_bare or phrase.qualities or kind not in self._ontology or phrase.others:
            return phrase
        special = {*self._special(phrase.noun, kind)}
        for group in reversed(discourse):
            if group[0].type == kind:
                return phrase
            if group[0].type in special and not group[0].beside:
                return replace(phrase, class_name=group[0].type)
        return phrase

    def sibling(self, phrase: NounPhrase, discourse: Discourse) -> NounPhrase:
        """The phrase by the kind that its adjective tells: "the old one" after a new battery."""
        if not {*phrase.text.split()} & ONE or len(phrase.qualities) != 1:
            return phrase
        spoken = (group[0].type for group in reversed(discourse))
        for kind in (phrase.class_name, *spoken):
            other = f"{phrase.qualities[0]}_{(kind or '').split('_')[-1]}"
            if kind is not None and "_" in kind and other in self._things.classes.values():
                noun = plain(other)
                return replace(phrase, class_name=other, noun=noun, qualities=(), same_kind=False)
        return phrase

    def place(self, phrase: NounPhrase, discourse: Discourse) -> NounPhrase:
        """The phrase for a place by the kind of furniture that was spoken of last: "on the third one"."""
        if not phrase.same_kind or phrase.class_name is not None:
            return phrase
        kinds = (group[0].type for group in reversed(discourse))
        furniture = (kind for kind in kinds if self._things.all_on_the_map(kind))
        return replace(phrase, class_name=next(furniture, None))

    def _special(self, noun: str, kind: str) -> Iterator[str]:
        """Yield the kinds here of which a name ends with a noun: a kitchen table is a table."""
        last = noun.split() or kind.split("_")
        if len(last) > 1:
            return
        for other in dict.fromkeys(self._things.classes.values()):
            if other == kind or other not in self._ontology:
                continue
            names = (plain(other), *map(plain, self._ontology[other].words))
            if any(name.split()[-1:] == last for name in names):
                yield other
