"""Alternatives for a missing thing: what else would do for this task, by what objects afford.

The affordances of the missing thing that the instruction speaks of are relevant: to stir takes what stirs.
What has all of them is a candidate. Candidates are ordered by the relevant affordance that is rarest among
the things at hand, then by how far they have all that the missing thing affords. Where the instruction speaks
of none, or nothing has them, what tells the missing thing's use is; candidates then have to be like it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import log, prod, sqrt
from typing import TypeAlias

from foretree.world_model.affordances.mapping import LIKELY, RELIABLE
from foretree.world_model.affordances.placement import BY_HEAD, Placer
from foretree.world_model.ontology import plain, plurals

#: An affordance that so many classes have tells nothing of what a thing is for.
COMMON = 0.25
#: So many affordances that were spoken of are looked for, the rarest ones.
MOST_SPOKEN = 5
#: What is less like the missing thing in use is suggested only if the instruction speaks of what it affords.
LEAST_ALIKE = 0.45
#: Where nothing has what is needed, what has at least this part of the missing thing's uses may do.
LAST_RESORT = 0.3
#: What is of the same kind may do as well if it is so much like the missing thing.
LEAST_AKIN = 0.25
#: A thing with a probability of this has an affordance as surely as others.
SURE = 0.6
#: How much more what the missing thing affords counts in its replacement than what that affords besides.
OWN = 0.7
#: A thing has what is needed if it has it likely, or nearly as surely as the missing thing.
AS_SURELY = 0.9
#: How much more a thing of a similar shape replaces another one, and one of the same kind.
ALIKE_IN_SHAPE = 0.1
ALIKE_IN_KIND = 0.1
#: How much more food of the same name (fruit, dairy) does, as long as it is a name for so few classes: what
#: food affords tells little of what it is.
CALLED_ALIKE, MOST_CALLED_ALIKE = 0.4, 25
_FOOD = "consumable"
#: What a person speaks of, a thing that is named with it may well have if it is at least so likely.
SPOKEN = 0.2
#: What a preposition before the missing thing says that it affords.
_PLACES = {
    **dict.fromkeys(("in", "into", "inside"), "contain"),
    **dict.fromkeys(("on", "onto"), "support"),
}
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
        is_makeshift: whether it is for something else, so that the person has to accept it first.
    """

    thing: str
    affords: tuple[str, ...]
    certainty: float
    likeness: float
    is_makeshift: bool = False

    @property
    def why(self) -> str:
        """The reason, in a sentence."""
        if not self.affords:
            return f"{self.thing} would do as well, as far as is known."
        return f"{self.thing} affords {', '.join(self.affords)}, as the missing thing does."


#: The probability that a thing has an affordance, by what is known of it alone; None if nothing is.
Own: TypeAlias = Callable[[str, str], float | None]


def suggest_alternatives(
    missing: str,
    instruction: str,
    things: Mapping[str, str] | Collection[str],
    placer: Placer,
    own: Own = lambda thing, affordance: None,
) -> tuple[Alternative, ...]:
    """Return the things that would do in place of *missing* for *instruction*, the best first.

    Args:
        missing: the class of what is missing.
        instruction: what it is needed for.
        things: the things at hand, each with its class; or classes alone.
        placer: knows what classes afford, those that no list has included.
        own: knows what single things afford: one has failed, another is broken.
    """

    def rate(name: str, *affordances: str) -> float:
        known = {one: p for one in affordances if (p := own(name, one)) is not None}
        others = (one for one in affordances if one not in known)
        return placer.probability(classes[name], *others) * prod(known.values())

    classes = things if isinstance(things, Mapping) else {name: name for name in things}
    spoken = spoken_affordances(missing, instruction, placer)
    for relevant, enough, least in _stages(missing, instruction, placer):
        able = {
            name: certainty
            for name, kind in classes.items()
            if (certainty := rate(name, *relevant)) >= enough
            and (not least or likeness(missing, kind, placer, of_use=True) >= least)
        }
        if able:
            rarest = _rarest(relevant, list(classes.values()), placer)
            found = (
                Alternative(name, relevant, certainty, likeness(missing, classes[name], placer))
                for name, certainty in able.items()
            )
            needed = rarest if spoken.issuperset(relevant) else ""
            sure = {
                name: _sureness(rate(name, needed), missing, needed, placer) if needed else 0.0
                for name in able
            }
            nearness = {name: _replaces(classes[name], missing, placer) for name in able}
            return tuple(sorted(found, key=lambda one: (-sure[one.thing], -nearness[one.thing], one.thing)))
    return _most_alike(missing, classes, placer, rate)


def _stages(missing: str, instruction: str, placer: Placer) -> Iterator[tuple[tuple[str, ...], float, float]]:
    """Yield what a thing must afford, how probably, and how much it must be like the missing one, in turn.

    What serves now and then for what was spoken of comes before what serves for something else.
    """
    spoken = spoken_affordances(missing, instruction, placer)
    known = bool(placer.place(missing).classes)
    sets = relevant_affordances(missing, instruction, placer)
    of_speech = [relevant for relevant in sets if spoken.issuperset(relevant)]

    def enough(relevant: tuple[str, ...]) -> float:
        as_surely = AS_SURELY * placer.probability(missing, *relevant)
        may_have_all = known and all(placer.probability(missing, name) >= SPOKEN for name in relevant)
        return min(LIKELY, as_surely) if may_have_all else LIKELY

    yield from ((relevant, enough(relevant), 0.0) for relevant in of_speech)
    yield from ((relevant, SPOKEN, LEAST_ALIKE) for relevant in of_speech)
    yield from ((one, enough(one), LEAST_ALIKE) for one in sets if one not in of_speech)


def _most_alike(
    missing: str, classes: Mapping[str, str], placer: Placer, rate: Callable[..., float]
) -> tuple[Alternative, ...]:
    """Return what serves for a part of what the missing thing is made for, or is of its kind.

    Nothing is for all of it.
    """
    affordances = placer.mapping.affordances
    uses = {name: _weight(name, placer) for name in _own(missing, placer) if affordances[name].is_use}
    whole = sum(uses.values())
    found: list[Alternative] = []
    for thing, kind in classes.items():
        part = sum(weight * rate(thing, name) for name, weight in uses.items())
        of_class = sum(weight * placer.probability(kind, name) for name, weight in uses.items())
        akin = _of_a_kind(missing, kind, placer) * likeness(missing, kind, placer)
        # What is known to be broken is of the kind, but of no use.
        serves = bool(whole) and part >= LAST_RESORT * whole
        if serves or (akin >= LEAST_AKIN and part >= AS_SURELY * of_class):
            found.append(Alternative(thing, (), part / (whole or 1.0), likeness(missing, kind, placer)))
    found.sort(key=lambda one: (-_replaces(classes[one.thing], missing, placer), one.thing))
    return tuple(found)


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

    Those that it speaks of, as many as can be had; then those that tell what the thing is for. The
    most common ones are dispensed with one after the other, and at last the rarest.
    """
    own = _own(missing, placer)
    said = spoken_affordances(missing, instruction, placer)
    spoken = sorted(said, key=placer.mapping.base_rate)
    mapping = placer.mapping
    uses = [name for name in own if mapping.affordances[name].is_use]
    # What it only may be used for does not tell what it is for.
    uses = [name for name in uses if placer.probability(missing, name) >= RELIABLE] or uses
    telling = [name for name in uses if mapping.base_rate(name) <= COMMON] or uses
    spoken = spoken[:MOST_SPOKEN]
    sets = [list(some) for size in range(len(spoken), 0, -1) for some in combinations(spoken, size)]
    sets += [telling[:number] for number in range(len(telling), 0, -1)]
    sets += [telling[number:] for number in range(1, len(telling))]
    return tuple(dict.fromkeys(tuple(names) for names in sets if names))


def spoken_affordances(missing: str, instruction: str, placer: Placer) -> frozenset[str]:
    """The affordances of *missing* that *instruction* speaks of; of what nothing is known, all that it does.

    The name of the thing is not taken for a verb: a *hammer* is not asked to hammer. A preposition before
    it says that it holds or bears something.
    """
    text = " ".join(re.findall(r"[^\W\d_]+", instruction.lower()))
    names = "|".join(map(re.escape, (plain(missing), *plurals(plain(missing)))))
    named = re.compile(rf"\b(?:(in|into|inside|on|onto) )?((?:(?:the|a|an|my|your|our|some) )?(?:{names}))\b")
    places = {_PLACES[found[1]] for found in named.finditer(text) if found[1] in _PLACES}
    said = frozenset(named.sub(" ", text).split())
    affordances = placer.mapping.affordances
    meant = [
        name for name, known in affordances.items() if name in places or said & _forms((name, *known.words))
    ]
    placed = placer.place(missing)
    if not placed.classes:
        return frozenset(meant)
    chances = {name: placer.probability(missing, name) for name in meant}
    least = LIKELY if any(chance >= LIKELY for chance in chances.values()) else SPOKEN
    found = frozenset(
        name
        for name, chance in chances.items()
        if chance >= LIKELY or (chance >= least and affordances[name].is_use)
    )
    # By a part of its name alone it is a guess what a thing is; what it shall be used for says more.
    guessed = placed.confidence < BY_HEAD and not found
    return (
        frozenset(name for name in meant if affordances[name].is_use and name not in places)
        if guessed
        else found
    )


def _own(missing: str, placer: Placer) -> list[str]:
    """The affordances of what is missing, the rarest first."""
    mapping = placer.mapping
    own = [name for name in mapping.affordances if placer.probability(missing, name) >= LIKELY]
    return sorted(own, key=mapping.base_rate)


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


def _sureness(certainty: float, missing: str, needed: str, placer: Placer) -> float:
    """Degree to which a thing has what is needed, compared with the missing one, at most 1."""
    return min(round(certainty / max(placer.probability(missing, needed), LIKELY), 1), SURE)


def _replaces(kind: str, missing: str, placer: Placer) -> float:
    """Degree to which *kind* has what *missing* is made for, and is like it; the rest matters less.

    Classes that are taken for each other have a similar shape; those of one section are of one kind.
    """
    shared, left, right = _overlap(missing, kind, placer)
    covered: float = shared / (left**OWN * right ** (1.0 - OWN)) if left and right else 0.0
    alike = (covered + likeness(missing, kind, placer)) / 2.0
    alike += ALIKE_IN_SHAPE * _look_alike(missing, kind, placer)
    alike += CALLED_ALIKE * are_called_alike(missing, kind, placer)
    return alike + ALIKE_IN_KIND * _of_a_kind(missing, kind, placer)


def _look_alike(one: str, other: str, placer: Placer) -> bool:
    ones, others = placer.place(one).classes, placer.place(other).classes
    classes = placer.mapping.classes
    return any(a in classes[b].like or b in classes[a].like for a in ones for b in others)


def _of_a_kind(one: str, other: str, placer: Placer) -> float:
    """Degree to which two classes are listed in the same section."""
    classes = placer.mapping.classes
    ones, others = placer.place(one).classes, placer.place(other).classes
    return sum(
        p * q for a, p in ones.items() for b, q in others.items() if classes[a].section == classes[b].section
    )


def _kinds_called(name: str, placer: Placer) -> frozenset[str]:
    """The words by which people call food of a class and of a few others: fruit, but not groceries."""
    if placer.probability(name, _FOOD) < LIKELY:
        return frozenset()
    from foretree.reasoning.offline.knowledge.kinds_file import load_kinds  # only where something is missing

    classes = placer.mapping.classes
    words = {plain(name)}
    for kind in placer.place(name).classes:
        words.update(map(plain, (kind, *classes[kind].words)))
    kinds = load_kinds().by_name
    return frozenset(
        called
        for called, kind in kinds.items()
        if len(kind.of) <= MOST_CALLED_ALIKE
        and not words.isdisjoint(kind.of)
        and kinds.keys().isdisjoint({*kind.of} - {called})
    )


def are_akin(one: str, other: str, placer: Placer) -> bool:
    """Return whether two classes are listed among the same kind of things, or taken for each other."""
    return _of_a_kind(one, other, placer) >= LIKELY or _look_alike(one, other, placer)


def are_called_alike(one: str, other: str, placer: Placer) -> bool:
    """Return whether people have a word for food of two classes and of few others: both are fruit."""
    return not _kinds_called(one, placer).isdisjoint(_kinds_called(other, placer))


def likeness(one: str, other: str, placer: Placer, of_use: bool = False) -> float:
    """Likeness of two classes, from 0 to 1: the cosine of what they afford.

    What is rare counts for more. With *of_use*, only what things are made for counts.
    """
    mapping = placer.mapping
    product = left = right = 0.0
    for name, affordance in mapping.affordances.items():
        if of_use and not affordance.is_use:
            continue
        weight = _weight(name, placer)
        a, b = placer.probability(one, name), placer.probability(other, name)
        product += weight * a * b
        left += weight * a * a
        right += weight * b * b
    return product / sqrt(left * right) if left and right else 0.0


def _weight(affordance: str, placer: Placer) -> float:
    """Weight of an affordance: the rarer it is, the more it tells."""
    return -log(min(max(placer.mapping.base_rate(affordance), 1e-3), 0.99))


def _overlap(one: str, other: str, placer: Placer) -> tuple[float, float, float]:
    """The weights of what two classes both afford, of what the first does, and of what the second does."""
    shared = left = right = 0.0
    for name in placer.mapping.affordances:
        weight = _weight(name, placer)
        a, b = placer.probability(one, name), placer.probability(other, name)
        shared += weight * a * min(a, b)
        left += weight * a * a
        right += weight * b * b
    return shared, left, right
