"""Affordances of single objects: by their class scores, and by what was learned about the objects themselves.

P(affordance | object) is the sum over its classes of P(class | evidence) · P(affordance | class), less what
has failed with it. A person's word about an object replaces what its classes tell.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from math import prod

from foretree.world_model.affordances.mapping import LIKELY, AffordanceMapping, Outcomes
from foretree.world_model.affordances.placement import Placer
from foretree.world_model.beliefs.facts import Atom, Entity

#: How many outcomes with an object its classes count as: fewer than for a class, as it may be a bad one.
OBJECT_STRENGTH = 2.0
#: The probability of what a person has said of an object.
SAID = 0.97


@dataclass(frozen=True, slots=True)
class Remark:
    """A person's word about what a thing affords, or about its state.

    Attributes:
        thing: its name; empty where a whole class is meant.
        class_name: the class, where all of it is meant.
        affordance: what it affords or does not.
        state: or else, the state that it is in or is not.
        holds: whether it has the affordance, or is in the state.
    """

    thing: str = ""
    class_name: str = ""
    affordance: str = ""
    state: str = ""
    holds: bool = True


@dataclass(frozen=True, slots=True)
class ObjectEvidence:
    """Evidence about one object.

    Attributes:
        kind: its class.
        outcomes: outcomes by affordance.
        said: what people have said, by affordance.
        states: the states that people have told of.
    """

    kind: str
    outcomes: Mapping[str, Outcomes] = field(default_factory=dict)
    said: Mapping[str, bool] = field(default_factory=dict)
    states: frozenset[str] = frozenset()


@dataclass
class ObjectAffordances:
    """Affordances of each object; it learns from outcomes of actions and from what people say.

    Attributes:
        placer: knows what classes afford, also those that the mapping does not list.
        outcomes: outcomes by object and affordance.
        said: what people have said, by object and affordance.
        states: states of objects that take affordances away, by object: ``broken``.
    """

    placer: Placer
    outcomes: dict[tuple[str, str], Outcomes] = field(default_factory=dict)
    said: dict[tuple[str, str], bool] = field(default_factory=dict)
    states: dict[str, frozenset[str]] = field(default_factory=dict)

    @property
    def mapping(self) -> AffordanceMapping:
        """The mapping that class scores are weighed with."""
        return self.placer.mapping

    def probability(self, thing: Entity, *affordances: str) -> float:
        """The probability that an object has each of the affordances.

        Those that only its classes tell of are taken together: a thing that is either a knife or a spoon does
        not cut and scoop.
        """
        known = {one: own for one in affordances if (own := self.own(thing, one)) is not None}
        return self._by_classes(thing, *(one for one in affordances if one not in known)) * prod(
            known.values()
        )

    def tell(self, thing: str, affordance: str, holds: bool) -> None:
        """Take a person's word that an object has an affordance, or has it not; forget earlier outcomes."""
        self.said[thing, affordance] = holds
        self.outcomes.pop((thing, affordance), None)

    def tell_state(self, thing: str, state: str, holds: bool = True) -> None:
        """Take a person's word that an object is in a state, such as broken, or is not."""
        states = self.states.get(thing, frozenset())
        self.states[thing] = states | {state} if holds else states - {state}

    def take(self, remark: Remark) -> None:
        """Take a person's remark about an object, or about all of a class."""
        if remark.class_name and remark.affordance:
            self.mapping.tell(remark.class_name, remark.affordance, remark.holds)
        elif remark.affordance:
            self.tell(remark.thing, remark.affordance, remark.holds)
        elif remark.thing:
            self.tell_state(remark.thing, remark.state, remark.holds)
            if not remark.holds:  # what it failed at, it failed at in that state
                for lost in self.mapping.lost_in([remark.state]):
                    self.outcomes.pop((remark.thing, lost), None)
                    if not self.said.get((remark.thing, lost), True):
                        del self.said[remark.thing, lost]

    def known_objects(self) -> frozenset[str]:
        """The objects about which anything was learned."""
        return frozenset((*(n for n, _ in self.outcomes), *(n for n, _ in self.said), *self.states))

    def evidence_of(self, name: str, kind: str) -> ObjectEvidence:
        """Return what was learned about an object of a class."""
        return ObjectEvidence(
            kind,
            {affordance: seen for (one, affordance), seen in self.outcomes.items() if one == name},
            {affordance: holds for (one, affordance), holds in self.said.items() if one == name},
            self.states.get(name, frozenset()),
        )

    def recall(self, name: str, evidence: ObjectEvidence) -> None:
        """Take over what was learned about an object in another session."""
        self.outcomes.update({(name, affordance): seen for affordance, seen in evidence.outcomes.items()})
        self.said.update({(name, affordance): holds for affordance, holds in evidence.said.items()})
        if evidence.states:
            self.states[name] = evidence.states

    def record(self, thing: Entity, affordance: str, held: bool, weight: float = 1.0) -> None:
        """Count whether an object had an affordance when an action relied on it.

        Each object counts as one outcome in its classes, however often it was tried: a knife that fails
        twenty times says little of other knives.
        """
        key = thing.name, affordance
        before = self.outcomes.get(key, Outcomes())
        after = before + (Outcomes(held=weight) if held else Outcomes(failed=weight))
        self.outcomes[key] = after
        change = _share(after) + _share(before, -1.0)
        for name, score in thing.classes.items():
            for known, part in self.placer.place(name).classes.items():
                share = score * part
                self.mapping.learn(known, affordance, Outcomes(share * change.held, share * change.failed))

    def record_action(
        self, relied_on: Collection[Atom], things: Mapping[str, Entity], succeeded: bool
    ) -> None:
        """Count the outcome of an action that relied on static facts, such as ``(blade knife1)``.

        A success confirms each affordance. The blame for a failure is shared: the more doubtful an affordance
        was, the likelier it was the one that was missing.
        """
        used = [
            (things[atom[1]], affordance)
            for atom in relied_on
            if len(atom) == 2 and atom[1] in things and (affordance := self.mapping.of_predicate(atom[0]))
        ]
        doubts = [1.0 - self.probability(thing, affordance) for thing, affordance in used]
        whole = sum(doubts)
        for (thing, affordance), doubt in zip(used, doubts, strict=True):
            weight = 1.0 if succeeded else doubt / whole if whole else 1.0 / len(used)
            self.record(thing, affordance, succeeded, weight)

    def word_on(self, name: str, affordance: str) -> bool | None:
        """Return whether people say that an object has an affordance; None if they have not said."""
        if (name, affordance) in self.said:
            return self.said[name, affordance]
        return False if affordance in self.mapping.lost_in(self.states.get(name, ())) else None

    def complaint(self, thing: Entity) -> str:
        """Complaint of people about an object: that it "is broken", or does not do what its like does.

        Empty if they have no complaint.
        """
        lacks = [
            f"does not afford {affordance}"
            for (name, affordance), holds in self.said.items()
            if name == thing.name and not holds and self._by_classes(thing, affordance) >= LIKELY
        ]
        return " and ".join((*(f"is {state}" for state in sorted(self.states.get(thing.name, ()))), *lacks))

    def own(self, thing: Entity, affordance: str) -> float | None:
        """The probability by what is known of the object itself; None if nothing is."""
        key = thing.name, affordance
        word = self.word_on(*key)
        expected = None if word is None else SAID if word else 1.0 - SAID
        if key not in self.outcomes:
            return expected
        if expected is None:
            expected = self._by_classes(thing, affordance)
        return self.outcomes[key].rated(expected, OBJECT_STRENGTH)

    def _by_classes(self, thing: Entity, *affordances: str) -> float:
        """The probability by the class scores; what they leave open goes to the base rates."""
        by_class = [
            score * self.placer.probability(name, *affordances) for name, score in thing.classes.items()
        ]
        left_open = max(0.0, 1.0 - sum(thing.classes.values()))
        return sum(by_class) + left_open * prod(map(self.mapping.base_rate, affordances))


def _share(outcomes: Outcomes, sign: float = 1.0) -> Outcomes:
    """Outcomes with an object as what they count in its class: together no more than one."""
    scale = sign / max(1.0, outcomes.count)
    return Outcomes(scale * outcomes.held, scale * outcomes.failed)
