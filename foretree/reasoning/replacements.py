"""Replacements of a missing thing: alternatives by affordances, kept to what is for the same.

What things afford tells which of them could serve, often too many: milk pours like shampoo. What they are
for (:mod:`foretree.world_model.affordances.purposes`) tells which would be accepted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from foretree.reasoning.alternatives import (
    Alternative,
    Own,
    are_akin,
    likeness,
    spoken_affordances,
    suggest_alternatives,
)
from foretree.world_model.affordances.mapping import LIKELY
from foretree.world_model.affordances.placement import Placer
from foretree.world_model.affordances.purpose import Purpose
from foretree.world_model.affordances.purposes import names_of, purposes_of, rank_for
from foretree.world_model.ontology import plurals

#: Where one of these is said, a thing may be put somewhere since it is not needed any more.
_NO_NEED = frozenset(
    {"away", "back", "over", "finished", "done", "longer", "anymore", "no", "not", "never", "t"}
)
#: How much a thing has to be like a missing one that it is not known to be for the same as.
LEAST_LIKENESS = 0.55


def replacements(
    missing: str,
    instruction: str,
    things: Mapping[str, str],
    placer: Placer,
    own: Own = lambda thing, affordance: None,
) -> tuple[Alternative, ...]:
    """Return the things that may take the place of *missing* for *instruction*, the best first.

    Where the instruction speaks of what the missing thing affords, what has that comes first; else what is
    made for the same. Makeshifts come last. The arguments are those of
    :func:`~foretree.reasoning.alternatives.suggest_alternatives`.
    """
    purposes = purposes_of(missing, placer)
    if purposes == ():
        return ()  # nothing takes its place
    found = suggest_alternatives(missing, instruction, things, placer, own)
    said = spoken_affordances(missing, instruction, placer)
    spoken = bool(found and found[0].affords) and said.issuperset(found[0].affords)
    known = {one.thing: one for one in found}
    order = {name: at for at, name in enumerate(known)}
    ranks = {
        name: (order.get(name, len(order)), rank) if spoken else (rank, order.get(name, len(order)))
        for name, rank in _ranks(missing, purposes, things, placer, own)
    }
    fit = (
        known.get(name) or Alternative(name, (), 1.0, likeness(missing, things[name], placer))
        for name in sorted(ranks, key=lambda name: (*ranks[name], name))
    )
    others = [one for one in found if one.thing not in ranks and one.likeness >= LEAST_LIKENESS]
    return (*fit, *_alike(missing, others, things, placer, certain=purposes is None))


def is_needed_for(missing: str, kind: str, instruction: str, placer: Placer) -> bool:
    """Return whether an instruction says what a missing thing is needed for, and a class is for that, too.

    "Put the tureen on the table, there is soup" does; what is only put away is not needed.
    """
    words = re.findall(r"[^\W_]+", instruction.lower())
    if not _NO_NEED.isdisjoint(words):
        return False
    text = f" {' '.join(words)} "
    for name in sorted(names_of(missing, placer), key=len, reverse=True):
        for form in (name, *plurals(name)):
            text = text.replace(f" {form} ", " ")
    return any(
        purpose.rank(names_of(kind, placer)) is not None
        for purpose in purposes_of(missing, placer) or ()
        if any(f" {word} " in text for word in purpose.words)
    )


def _ranks(
    missing: str, purposes: Sequence[Purpose] | None, things: Mapping[str, str], placer: Placer, own: Own
) -> Iterator[tuple[str, int]]:
    """Yield the things that are for the same as the missing one, and how well each will do."""
    for name, kind in things.items():
        rank = rank_for(purposes or (), kind, placer)
        if rank is not None and not _has_failed(name, missing, placer, own):
            yield name, rank


def _alike(
    missing: str, found: Sequence[Alternative], things: Mapping[str, str], placer: Placer, certain: bool
) -> Iterator[Alternative]:
    """Yield what is only like the missing thing, or food for other food: a makeshift, if not certain."""
    eaten = any(placer.probability(missing, name) >= LIKELY for name in ("consumable", "drinkable"))
    for one in found:
        akin = are_akin(missing, things[one.thing], placer)
        if akin or eaten:
            yield replace(one, is_makeshift=not (certain and akin))


def _has_failed(name: str, missing: str, placer: Placer, own: Own) -> bool:
    """Return whether a thing itself is known not to have a use that the missing one is likely to have."""
    return any(
        placer.probability(missing, use) >= LIKELY
        and (known := own(name, use)) is not None
        and known < LIKELY
        for use, affordance in placer.mapping.affordances.items()
        if affordance.is_use
    )
