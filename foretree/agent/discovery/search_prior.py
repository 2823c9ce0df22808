"""The prior over places: how likely something that was never seen is at each piece of furniture.

A class that nothing is expected of goes by those that are expected somewhere and are most like it: a mango is
where apples and oranges are. Where nothing is like it, no place is likelier than another.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from heapq import nlargest
from typing import TYPE_CHECKING

from foretree.reasoning.alternatives import likeness
from foretree.world_model.affordances.placement import Placer
from foretree.world_model.affordances.shipped import shipped_placer
from foretree.world_model.ontology import Ontology

if TYPE_CHECKING:
    from foretree.reasoning.dialogs.place_hints import PlaceHint
    from foretree.world_model.likely_places import LikelyPlaces

#: So many classes stand for one that nothing is expected of, each at least so much like it.
_STAND_INS, _ALIKE = 3, 0.75


class SearchPrior:
    """The chances of a class at each place.

    Args:
        ontology: the words for classes, by which expectations may name them.
        hints: where a person has said that things are.
    """

    def __init__(self, ontology: Ontology, hints: Iterable[PlaceHint] = ()) -> None:
        self._ontology = ontology
        self._hints = tuple(hints)

    def chances(self, class_name: str, places: Mapping[str, str]) -> dict[str, float]:
        """Return how likely a thing of a class is at each of *places*, if it is at one of them.

        Args:
            class_name: what is looked for; need not be a class of the ontology.
            places: furniture, each with its class.
        """
        if not places:
            return {}
        kinds = {name: self._expected_name(kind) for name, kind in places.items()}
        found = dict.fromkeys(places, 0.0)
        for weight, thing in self._stand_ins(class_name):
            known = {name: kind for name, kind in kinds.items() if kind in self._furniture}
            of_kind = self._expected.likelihood(thing, known.values())
            whole = sum(of_kind[kind] for kind in known.values())
            for name, kind in kinds.items():
                # Of furniture that nothing is expected of, as much is hoped as of any.
                chance = of_kind[kind] / whole if name in known else 1.0 / max(1, len(known))
                found[name] += weight * chance
        whole = sum(found.values())
        return {name: chance / whole if whole else 1.0 / len(places) for name, chance in found.items()}

    @cached_property
    def _expected(self) -> LikelyPlaces:
        from foretree.world_model.likely_places import load_expectations

        expected = load_expectations()
        usual = expected.places()
        for hint in self._hints:
            names = [thing for _, thing in self._stand_ins_of(hint.thing, expected)]
            alike = [self._name_among(kind, usual) for kind in hint.alike]
            for name in names or [hint.thing]:
                expected.hint(name, self._name_among(hint.place, usual), alike)
        return expected

    @cached_property
    def _furniture(self) -> frozenset[str]:
        return self._expected.places()

    def _stand_ins(self, class_name: str) -> list[tuple[float, str]]:
        """The classes whose usual places say where one is, each with its weight."""
        return self._stand_ins_of(class_name, self._expected)

    def _stand_ins_of(self, class_name: str, expected: LikelyPlaces) -> list[tuple[float, str]]:
        named = next(filter(expected.expects, self._names(class_name)), None)
        if named is not None:
            return [(1.0, named)]
        placer = _placer()
        if not placer.place(class_name).classes:
            return []
        alike = ((likeness(class_name, thing, placer), thing) for thing in expected.things())
        return [(weight, thing) for weight, thing in nlargest(_STAND_INS, alike) if weight >= _ALIKE]

    def _expected_name(self, kind: str) -> str:
        """The name by which a class of furniture is expected to hold things: a cupboard is a cabinet."""
        return self._name_among(kind, self._furniture)

    def _name_among(self, kind: str, known: frozenset[str]) -> str:
        return next((name for name in self._names(kind) if name in known), kind)

    def _names(self, class_name: str) -> Iterator[str]:
        yield class_name
        if class_name in self._ontology:
            yield from (word.replace(" ", "_") for word in self._ontology[class_name].words)


@lru_cache(maxsize=1)
def _placer() -> Placer:
    return shipped_placer()
