"""Derived facts: what follows from where objects are, such as that a block with something on it is occupied.

Planning without quantifiers needs such facts spelt out. They are derived by forward chaining from the rules
under ``follows`` in a domain's YAML file, and never observed.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import is_

from foretree.world_model.beliefs.belief import Belief, Snapshot
from foretree.world_model.beliefs.facts import Atom

#: In a condition: ``(is ?place asset)``, an object is of a class or type.
IS = "is"
#: In a condition: ``(differ ?one ?other)``; both variables are bound by conditions before it.
DIFFER = "differ"
_ATOM = re.compile(r"\(\s*([a-z][\w-]*(?:\s+\??[a-z][\w-]*)+)\s*\)")


@dataclass(frozen=True, slots=True)
class ConsequenceRule:
    """A Horn rule: where all of *when* holds, so does *then*. Terms that begin with ``?`` are variables."""

    when: tuple[Atom, ...]
    then: Atom


def read_pattern(text: str) -> Atom | None:
    """Parse an atom such as ``(on ?item ?below)``; None if it is not one."""
    found = _ATOM.fullmatch(text.strip().lower())
    return tuple(found[1].split()) if found else None


def class_facts(classes: Mapping[str, str], type_of: Callable[[str], str]) -> Iterator[Atom]:
    """``is`` facts for the conditions of rules: the class of each object, and the type above that."""
    for name, class_name in classes.items():
        yield (IS, name, class_name)
        yield (IS, name, type_of(class_name))


def consequences(rules: Sequence[ConsequenceRule], facts: Iterable[Atom]) -> frozenset[Atom]:
    """All facts that follow from *facts*, directly or by way of others."""
    asked = {atom[0] for rule in rules for atom in rule.when}
    known: dict[tuple[str, int, str], set[Atom]] = defaultdict(set)
    everything: dict[str, set[Atom]] = defaultdict(set)

    def learn(atom: Atom) -> None:
        everything[atom[0]].add(atom)
        for position, term in enumerate(atom[1:], 1):
            known[atom[0], position, term].add(atom)

    for fact in facts:
        if fact[0] in asked:
            learn(fact)

    def matches(conditions: tuple[Atom, ...], binding: dict[str, str]) -> Iterator[dict[str, str]]:
        if not conditions:
            yield binding
            return
        pattern = tuple(binding.get(term, term) for term in conditions[0])
        if pattern[0] == DIFFER:
            if pattern[1] != pattern[2]:
                yield from matches(conditions[1:], binding)
            return
        if not any(term[0] == "?" for term in pattern[1:]):
            if pattern in everything.get(pattern[0], ()):
                yield from matches(conditions[1:], binding)
            return
        bound = [(i, term) for i, term in enumerate(pattern) if i and term[0] != "?"]
        candidates = (
            min((known.get((pattern[0], i, term), set()) for i, term in bound), key=len)
            if bound
            else everything.get(pattern[0], set())
        )
        for atom in candidates:
            extended = _matched(pattern, atom, binding)
            if extended is not None:
                yield from matches(conditions[1:], extended)

    found: set[Atom] = set()
    open_rules = list(rules)
    while open_rules:
        news: set[str] = set()
        for rule in open_rules:
            for binding in list(matches(rule.when, {})):
                atom = tuple(binding.get(term, term) for term in rule.then)
                if atom not in found:
                    found.add(atom)
                    if atom[0] in asked:
                        learn(atom)
                        news.add(atom[0])
        open_rules = [rule for rule in rules if any(condition[0] in news for condition in rule.when)]
    return frozenset(found)


def _matched(pattern: Atom, atom: Atom, binding: dict[str, str]) -> dict[str, str] | None:
    if len(pattern) != len(atom):
        return None
    extended = dict(binding)
    for wanted, term in zip(pattern[1:], atom[1:], strict=True):
        if wanted[0] != "?":
            if wanted != term:
                return None
        elif extended.setdefault(wanted, term) != term:
            return None
    return extended


class ConsequenceUpdater:
    """Keeps the derived facts of a belief up to date.

    Args:
        rules: the rules of derivation.
        type_of: the type above a class.
    """

    def __init__(self, rules: Sequence[ConsequenceRule], type_of: Callable[[str], str]) -> None:
        self._rules = rules
        self._type_of = type_of
        self._follow = sorted({rule.then[0] for rule in rules})
        self._asked = sorted({condition[0] for rule in rules for condition in rule.when} - {*self._follow})
        self._given: list[Collection[Atom]] = []
        self._classes: dict[str, str] = {}
        self._known: frozenset[Atom] | None = None

    def update(self, belief: Belief, time: float) -> None:
        """Tell what follows from the belief, and retract derived facts that do not."""
        if not self._rules:
            return
        state = belief.snapshot()
        now = self._following(state)
        before = {atom for predicate in self._follow for atom in state.true_of(predicate)}
        belief.retract(sorted(before - now))
        for atom in sorted(now - before):
            belief.tell(atom, time=time, source="follows")

    def _following(self, state: Snapshot) -> frozenset[Atom]:
        """The derived facts; computed anew only if the facts that rules ask for have changed."""
        given = [state.true_of(predicate) for predicate in self._asked]
        classes = {name: entity.best_class for name, entity in state.entities().items()}
        same = len(given) == len(self._given) and all(map(is_, given, self._given))
        if self._known is None or not same or classes != self._classes:
            kinds = class_facts(classes, self._type_of)
            self._known = consequences(self._rules, [*chain.from_iterable(given), *kinds])
            self._given, self._classes = given, classes
        return self._known
