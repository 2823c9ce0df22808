"""The caption index: what is said of each asset of a map, and what was seen there, as text to search in."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from foretree.world_model.belief import Snapshot
from foretree.world_model.building_map import BuildingMap

#: The predicates that say what a thing rests on, in, under or hung on; the thing comes first.
RESTS = ("on", "in", "under", "hung_on")


@dataclass(frozen=True)
class CaptionIndex:
    """One text per asset node: its caption, and what was last seen there.

    It is a value: what changes the contents gives a new index and leaves this one as it was.

    Attributes:
        captions: what the map says of each asset.
        contents: what was seen at it, in words.
    """

    captions: Mapping[str, str]
    contents: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, building: BuildingMap) -> CaptionIndex:
        """The index of a map in which nobody has looked around yet."""
        return cls({asset.name: asset.caption for asset in building.assets.values()})

    @cached_property
    def texts(self) -> Mapping[str, str]:
        """What there is to search in, by asset node, in the order of the map."""
        return {node: _text(caption, self.contents.get(node, ())) for node, caption in self.captions.items()}

    def with_contents(self, node: str, things: Iterable[str]) -> CaptionIndex:
        """The index after *things* were seen at *node*, and nothing else.

        Raises:
            KeyError: the map has no such asset.
        """
        self.captions[node]
        return replace(self, contents={**self.contents, node: tuple(things)})

    def with_belief(self, belief: Snapshot, rests: Collection[str] = RESTS) -> CaptionIndex:
        """The index after everything that is believed to be somewhere: what is in a box is where the box is.

        Args:
            belief: what is believed.
            rests: the predicates that say where a thing is: ``(on mango1 table2)``.
        """
        place_of = {atom[1]: atom[2] for atom in belief.true_atoms() if atom[0] in rests and len(atom) == 3}
        contents: dict[str, list[str]] = {node: [] for node in self.captions}
        for thing in sorted(place_of):
            node, passed = place_of[thing], {thing}
            while node not in contents and node in place_of and node not in passed:
                passed.add(node)
                node = place_of[node]
            if node in contents:
                entity = belief.entity(thing)
                contents[node].append(_words(entity.best_class if entity and entity.classes else "", thing))
        return replace(self, contents={node: tuple(things) for node, things in contents.items()})


def _text(caption: str, things: tuple[str, ...]) -> str:
    return f"{caption} Seen there: {', '.join(things)}." if things else caption


def _words(class_name: str, name: str) -> str:
    """``coffee mug (mug1)``: the class in words, and the name, which may be what people use."""
    return f"{class_name.replace('_', ' ')} ({name})" if class_name else name
