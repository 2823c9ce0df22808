"""Furniture in place of some that is not here: "warm it in the oven" where there is a microwave.

It has to be for the same, and the instruction has to say so: what is only put into the oven need not be warm.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from foretree.reasoning.reasoner import Situation
from foretree.reasoning.replacements import is_needed_for
from foretree.world_model.affordances.placement import Placer
from foretree.world_model.affordances.purposes import load_purposes, names_of
from foretree.world_model.affordances.shipped import common_placer
from foretree.world_model.ontology import plain, plurals


@dataclass(frozen=True, slots=True)
class FurnitureInPlace:
    """An instruction with other furniture in it.

    Attributes:
        text: the instruction.
        note: what is taken in place of what.
    """

    text: str
    note: str


def with_furniture_in_place(instruction: str, situation: Situation) -> FurnitureInPlace | None:
    """Return an instruction with furniture that is here for some that is not; None if none would do."""
    ontology, placer = situation.ontology, common_placer()
    text = instruction.lower()
    classes = {entity.best_class for entity in situation.beliefs.entities().values()}
    here = sorted(kind for kind in classes if kind in ontology and ontology.type_of(kind) == "asset")
    for said, missing in _named(text, placer):
        known = ontology.named(said)
        if (known is not None and known.class_name in classes) or missing in classes:
            continue
        for kind in here:
            names = "|".join(map(re.escape, names_of(kind, placer)))
            if is_needed_for(missing, kind, instruction, placer) and not re.search(rf"\b(?:{names})\b", text):
                put = re.sub(rf"\b{re.escape(said)}\b", plain(kind), text)
                return FurnitureInPlace(put, f"{plain(kind)} is taken in place of {said}")
    return None


def _named(text: str, placer: Placer) -> Iterator[tuple[str, str]]:
    """Yield the furniture that a text names, as it is said, with its class; longer names first."""
    found: dict[str, str] = {}
    for purpose in load_purposes().purposes:
        for made in purpose.made if purpose.words else ():
            kind = next(iter(placer.place(made).classes))
            for name in names_of(kind, placer) if placer.probability(kind, "carry") < 0.5 else ():
                found.update(
                    (form, kind) for form in (name, *plurals(name)) if re.search(rf"\b{form}\b", text)
                )
    yield from sorted(found.items(), key=lambda one: -len(one[0]))
