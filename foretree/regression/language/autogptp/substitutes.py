"""Substitutes: what a person takes in place of what is missing, and the instruction that asks for it."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from foretree.world_model.affordances.placement import Placer
from foretree.world_model.ontology import Ontology, plain, plurals


class Substitutes:
    """Classes that a person takes in place of each missing one, whatever names the classes have there.

    Args:
        accepted: the substitutes of each missing class, as a file of AutoGPT+P names them.
        placer: knows which names are those of one class.
    """

    def __init__(self, accepted: Mapping[str, Collection[str]], placer: Placer) -> None:
        self._placer = placer
        self._accepted: dict[str, set[str]] = {}
        for missing, others in accepted.items():
            self._accepted.setdefault(self._kind(missing), set()).update(map(self._kind, others))

    def __bool__(self) -> bool:
        return bool(self._accepted)

    def accepts(self, missing: str, other: str) -> bool:
        """Return whether the person takes a thing of a class in place of a missing one."""
        return self._kind(other) in self._accepted.get(self._kind(missing), ())

    def _kind(self, name: str) -> str:
        """The listed class that a name is another word for, else the name."""
        placed = self._placer.place(name)
        return next(iter(placed.classes)) if placed.confidence == 1.0 else plain(name)


def with_other_noun(instruction: str, missing: str, other: str, ontology: Ontology) -> str | None:
    """The instruction with the words for a class replaced by those for another; None if it has none."""
    known = ontology.classes.get(missing)
    names: dict[str, str] = {}
    for singular in map(plain, (missing, *(known.words if known is not None else ()))):
        names.update(dict.fromkeys(plurals(singular), plurals(plain(other))[0]))
    for singular in map(plain, (missing, *(known.words if known is not None else ()))):
        names[singular] = plain(other)
    words = (re.escape(name).replace(r"\ ", "[ _-]") for name in sorted(names, key=len, reverse=True))
    pattern = re.compile(rf"\b(?:{'|'.join(words)})\b", re.IGNORECASE)
    said, number = pattern.subn(lambda found: names[plain(found[0])], instruction)
    return said if number else None
