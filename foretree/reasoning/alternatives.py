"""Alternatives for a missing thing: what else would do for this task, by what objects afford.

The affordances of the missing thing that the instruction speaks of are relevant: to stir takes what stirs.
What has all of them is a candidate. Candidates are ordered by the relevant affordance that is rarest among
the things at hand, then by their likeness to the missing thing in all that they afford. Where nothing has
what the instruction speaks of, what tells the missing thing's use is relevant.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import log, sqrt

from foretree.world_model.affordances.mapping import LIKELY
from foretree.world_model.affordances.placement import Placer

#: An affordance that so many classes have tells nothing of what a thing is for.
COMMON = 0.25
#: Endings of verbs: a word is a verb's form if it differs from it by one of these.
_ENDINGS = ("", "s", "es", "d", "ed", "ing", "er", "ers")


@dataclass(frozen=True, slots=True)
class Alternative:
    """A thing that would do in place of a missing one.

    Attributes:
        thing: its name.
        affords: the relevant affordances; empty where it is suggested for another reason.
        certainty: the probability that it has all of them.
        likeness: how much it is like the missing thing, from 0 to 1.
    """

    thing: str
    affords: tuple[str, ...]
    certainty: float
    likeness: float

    @property
    def why(self) -> str:
        """The reason, in a sentence."""
        if not self.affords:
            return f"{self.thing} would do as well, as far as is known."
        return f"{self.thing} affords {', '.join(self.affords)}, as the missing thing does."


def suggest_alternatives(
    missing: str, instruction: str, things: Mapping[str, str] | Collection[str], placer: Placer
) -> tuple[Alternative, ...]:
    """Return the things that would do in place of *missing* for *instruction*, the best first.

    Args:
        missing: the class of what is missing.
        instruction: what it is needed for.
        things: the things at hand, each with its class; or classes alone.
        placer: knows what classes afford, those that no list has included.
    """
    classes = things if isinstance(things, Mapping) else {name: name for name in things}
    for relevant in relevant_affordances(missing, instruction, placer):
        able = {
            name: certainty
            for name, kind in classes.items()
            if (certainty := placer.probability(kind, *relevant)) >= LIKELY
        }
        if able:
            rarest = _rarest(relevant, list(classes.values()), placer)
            found = (
                Alternative(name, relevant, certainty, likeness(missing, classes[name], placer))
                for name, certainty in able.items()
            )
            return tuple(sorted(found, key=lambda one: _rank(one, classes[one.thing], rarest, placer)))
    return ()


def most_similar(
    missing: str, things: Mapping[str, str] | Collection[str], placer: Placer
) -> tuple[Alternative, ...]:
    """Return all *things*, those first that are most like what is missing, whatever it is needed for.

    It is what :func:`suggest_alternatives` is compared with.
    """
    classes = things if isinstance(things, Mapping) else {name: name for name in things}
    found = (Alternative(name, (), 1.0, likeness(missing, kind, placer)) for name, kind in classes.items())
    return tuple(sorted(found, key=lambda one: (-one.likeness, one.thing)))


def relevant_affordances(missing: str, instruction: str, placer: Placer) -> tuple[tuple[str, ...], ...]:
    """The affordances of *missing* that *instruction* needs, in sets to be tried in turn, the rarest first.

    Those that it speaks of; then those that tell what the thing is for, of which the most common ones are
    dispensed with one after the other, and at last the rarest.
    """
    mapping = placer.mapping
    own = [name for name in mapping.affordances if placer.probability(missing, name) >= LIKELY]
    own.sort(key=mapping.base_rate)
    said = frozenset(re.findall(r"[^\W\d_]+", instruction.lower()))
    spoken = [name for name in own if said & _forms((name, *mapping.affordances[name].words))]
    telling = [name for name in own if mapping.base_rate(name) <= COMMON] or own
    fewer = [telling[:number] for number in range(len(telling), 0, -1)]
    fewer += [telling[number:] for number in range(1, len(telling))]
    return tuple(dict.fromkeys(tuple(names) for names in (spoken, *fewer) if names))


def _forms(verbs: Sequence[str]) -> frozenset[str]:
    """The forms of *verbs*: stir, stirs, stirred, stirring, stirrer."""
    forms: set[str] = set()
    for verb in verbs:
        short = verb.removesuffix("e")
        for stem in (verb, short, verb + verb[-1:]):
            forms.update(stem + ending for ending in _ENDINGS)
    return frozenset(forms)


def _rarest(relevant: Sequence[str], kinds: Sequence[str], placer: Placer) -> str:
    """The relevant affordance that the fewest of the things at hand have, but some."""
    counts = {name: sum(placer.probability(kind, name) >= LIKELY for kind in kinds) for name in relevant}
    return min((name for name in relevant if counts[name]), key=counts.__getitem__, default=relevant[0])


def _rank(one: Alternative, kind: str, rarest: str, placer: Placer) -> tuple[float, float, str]:
    return -round(placer.probability(kind, rarest), 1), -one.likeness, one.thing


def likeness(one: str, other: str, placer: Placer) -> float:
    """How much two classes are alike, from 0 to 1: the cosine of what they afford.

    What is rare counts for more.
    """
    mapping = placer.mapping
    product = left = right = 0.0
    for name in mapping.affordances:
        weight = -log(min(max(mapping.base_rate(name), 1e-3), 0.99))
        a, b = placer.probability(one, name), placer.probability(other, name)
        product += weight * a * b
        left += weight * a * a
        right += weight * b * b
    return product / sqrt(left * right) if left and right else 0.0
