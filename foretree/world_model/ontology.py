"""The ontology: classes of objects, their affordances, and the words for them.

It is data: ``configs/domains/*.yaml``, read by :mod:`~foretree.world_model.ontology_file`. A class becomes a
PDDL type below the type it names as ``is``; its affordances become static facts about each entity of it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Annotated, Any, ClassVar

from annotated_types import Ge, MinLen

from foretree.errors import ForetreeError, suggest
from foretree.world_model.beliefs.consequences import ConsequenceRule
from foretree.world_model.beliefs.facts import Atom, Vocabulary

#: The affordance that an object needs for others to rest in a relation to it.
_NEEDED_TO_REST = {"on": "surface", "in": "container"}
#: The relation in which objects rest at what has neither, by affordance.
_ELSE = {"under": "brews"}


class UnknownClassError(ForetreeError):
    """There is no class of that name in the ontology."""


@dataclass(frozen=True, slots=True)
class ObjectClass:
    """One class of objects.

    Attributes:
        name: the class, which is also a PDDL type (``coffee_machine``).
        parent: the PDDL type that it is a kind of (``asset``).
        affords: static unary predicates that hold of every such object.
        words: other words for it.
        like: classes that it is easily taken for.
        covers: classes that its words mean, too: an armchair is a chair.
        instead: classes that its words may mean where there is nothing of the class itself.
    """

    name: str
    parent: str
    affords: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    like: tuple[str, ...] = ()
    covers: tuple[str, ...] = ()
    instead: tuple[str, ...] = ()


class _FromFile:
    """Data that a file states as they are."""

    __slots__ = ()
    __pydantic_config__: ClassVar[Any] = {"extra": "forbid"}


@dataclass(frozen=True, slots=True)
class AlwaysRule(_FromFile):
    """Objects with *has* but not *lacks* always are *then*: a container that cannot be opened is open."""

    has: str
    lacks: str
    then: str


@dataclass(frozen=True, slots=True)
class Parts(_FromFile):
    """The parts that objects of some classes can be taken apart into.

    Each part is an entity as soon as the whole is one.

    Attributes:
        of: the class of the parts, by the class of the whole.
        number: how many parts each whole has.
        called: the end of the parts' names: the first of ``apple1`` is ``apple1_slice1``.
        within: ``(part_of part whole)``: it has not been taken off yet, and is where the whole is.
        listed: ``(slices whole first second …)``: which parts a whole has.
    """

    of: Annotated[Mapping[str, str], MinLen(1)]
    number: Annotated[int, Ge(1)]
    called: str
    within: str
    listed: str

    def names(self, whole: str) -> tuple[str, ...]:
        """The names of the parts of an object."""
        return tuple(f"{whole}_{self.called}{number}" for number in range(1, self.number + 1))

    def predicates(self) -> tuple[tuple[str, str, int], ...]:
        """The predicates, each with the key that names it in the file, and its number of arguments."""
        return ("within", self.within, 2), ("listed", self.listed, 1 + self.number)


@dataclass(frozen=True, slots=True)
class Need(_FromFile):
    """Tools that an instruction needs without naming them.

    Attributes:
        said: words for it, in any of their forms: ``slice``, ``cut``.
        take: the affordances (``blade``) or classes of objects that it needs; each of them.
    """

    said: Annotated[tuple[str, ...], MinLen(1)]
    take: Annotated[tuple[str, ...], MinLen(1)]


@dataclass(frozen=True, slots=True)
class ClassGroup(_FromFile):
    """Words that name several classes: ``dish`` for plates, mugs and bowls.

    A *collective* word has no plural, and means several things all the same: ``cutlery``.
    """

    words: Annotated[tuple[str, ...], MinLen(1)]
    of: Annotated[tuple[str, ...], MinLen(2)]
    collective: bool = False


@dataclass(frozen=True, slots=True)
class GoalCondition:
    """Facts that no goal may ask for together.

    Attributes:
        together: atoms over variables, each with whether it is to hold. Those that no action changes come
            last: they are not what the goal asks for, but what is so.
        because: the reason, in a sentence; ``{item}`` is what ``?item`` stands for.
    """

    together: tuple[tuple[Atom, bool], ...]
    because: str


@dataclass(frozen=True, slots=True)
class Naming:
    """A class as it was named: ``pillows`` is ``pillow``, in the plural.

    ``others`` are the further classes that the word names: ``dishes`` are plates, and mugs, and bowls.
    """

    class_name: str
    plural: bool
    others: tuple[str, ...] = ()


@dataclass(frozen=True)
class Ontology:
    """All classes, and how the belief treats predicates.

    Attributes:
        classes: by name, in the order of the file.
        vocabulary: the predicates as the belief treats them.
        kinds_given: the predicates whose kind the file states; the others' kind can be inferred.
        domain: the PDDL file that the classes extend, if there is one.
        always: states that some affordances bring with them.
        follows: the rules of derived facts.
        parts: the parts that objects can be taken apart into.
        predicate_words: the words for a predicate: ``full`` for ``filled``, ``inside`` for ``in``.
        predicate_opposites: the words for its negation: ``dirty`` for not ``clean``.
        needs: the tools that instructions need without naming them.
        groups: words that name several classes.
        never: what no goal may ask for together.
        source: the file it was read from.
    """

    classes: Mapping[str, ObjectClass] = field(default_factory=dict)
    vocabulary: Vocabulary = field(default_factory=Vocabulary)
    kinds_given: frozenset[str] = frozenset()
    domain: Path | None = None
    always: tuple[AlwaysRule, ...] = ()
    follows: tuple[ConsequenceRule, ...] = ()
    parts: Parts | None = None
    predicate_words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    predicate_opposites: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    needs: tuple[Need, ...] = ()
    groups: tuple[ClassGroup, ...] = ()
    never: tuple[GoalCondition, ...] = ()
    source: Path | None = None

    def __contains__(self, class_name: str) -> bool:
        return class_name in self.classes

    def __getitem__(self, class_name: str) -> ObjectClass:
        try:
            return self.classes[class_name]
        except KeyError:
            where = f"{self.source}: " if self.source else ""
            raise UnknownClassError(
                f"{where}there is no class {class_name!r}. {suggest(class_name, self.classes)}"
            ) from None

    def type_of(self, class_name: str) -> str:
        """The PDDL type above a class. A class that is not listed (``robot``, ``hand``) is a type itself."""
        known = self.classes.get(class_name)
        return known.parent if known else class_name

    def types(self) -> dict[str, str]:
        """The PDDL types that the classes add, each with its parent."""
        return {c.name: c.parent for c in self.classes.values() if c.name != c.parent}

    def affords(self, class_name: str, predicate: str) -> bool:
        """Return whether objects of a class have an affordance."""
        known = self.classes.get(class_name)
        return known is not None and predicate in known.affords

    def affordance_atoms(self, entity: str, class_name: str) -> tuple[Atom, ...]:
        """The facts that hold of *entity* because of its class; none for a class that is not listed."""
        known = self.classes.get(class_name)
        if known is None:
            return ()
        implied = [r.then for r in self.always if r.has in known.affords and r.lacks not in known.affords]
        return tuple((predicate, entity) for predicate in (*known.affords, *implied))

    def way_to_rest(self, relation: str, class_name: str) -> str:
        """The relation to an object of a class in which something rests that was seen in *relation* to it.

        Perception that took a shelf for a cabinet sees books in it that lie on it.
        """
        needed = _NEEDED_TO_REST.get(relation)
        if class_name not in self or needed is None or self.affords(class_name, needed):
            return relation
        ways = {**_NEEDED_TO_REST, **_ELSE}
        return next((way for way, has in ways.items() if self.affords(class_name, has)), relation)

    def bears_nothing(self, class_name: str) -> bool:
        """Return whether nothing can rest on, in or under things of a class."""
        needed = (*_NEEDED_TO_REST.values(), *_ELSE.values())
        return class_name in self and not any(self.affords(class_name, one) for one in needed)

    def with_all(self, traits: Collection[str]) -> list[str]:
        """The classes that have all *traits*: affordances and states that these bring with them."""
        return [
            name
            for name in self.classes
            if {*traits} <= {atom[0] for atom in self.affordance_atoms("", name)}
        ]

    def look_alike(self, one: str, other: str) -> bool:
        """Return whether either class is easily taken for the other."""
        return other in self._likes.get(one, ()) or one in self._likes.get(other, ())

    def named(self, phrase: str) -> Naming | None:
        """The class of that name; upper case, underscores and plural forms are fine."""
        return self._namings.get(plain(phrase))

    def names(self) -> Iterator[str]:
        """Every name of a class in the singular: class names first, then other words."""
        for known in self.classes.values():
            yield plain(known.name)
        for known in self.classes.values():
            yield from map(plain, known.words)
        for group in self.groups:
            yield from group.words

    def all_names(self) -> Iterator[str]:
        """Every name of a class, plural forms included."""
        return iter(self._namings)

    @cached_property
    def words_of_names(self) -> frozenset[str]:
        """The words of the names, plural forms included."""
        return frozenset(word for name in self._namings for word in name.split())

    @cached_property
    def longest_name(self) -> int:
        """The number of words of the longest name."""
        return max((len(name.split()) for name in self._namings), default=0)

    @cached_property
    def _likes(self) -> dict[str, frozenset[str]]:
        return {known.name: frozenset(known.like) for known in self.classes.values()}

    @cached_property
    def _namings(self) -> dict[str, Naming]:
        singular: dict[str, Naming] = {}
        plural: dict[str, Naming] = {}
        for known in self.classes.values():
            for name in map(plain, (known.name, *known.words)):
                singular[name] = Naming(known.name, plural=False)
                for many in plurals(name):
                    plural.setdefault(many, Naming(known.name, plural=True))
        for group in self.groups:
            first, *others = group.of
            for name in group.words:
                singular[name] = Naming(first, group.collective, tuple(others))
                for many in plurals(name):
                    plural[many] = Naming(first, True, tuple(others))
        # A class that is called "keys" is not several of something.
        return {**plural, **singular}


#: Plurals that no rule gives.
_IRREGULAR = {
    "person": "people", "human": "humans", "tooth": "teeth", "foot": "feet", "child": "children",
    "mouse": "mice", "goose": "geese", "man": "men", "woman": "women", "louse": "lice", "die": "dice",
}  # fmt: skip


@lru_cache(maxsize=8192)
def plurals(name: str) -> tuple[str, ...]:
    """The plural forms of a noun: ``knives``; ``mangoes`` and ``mangos``."""
    head, of, rest = name.partition(" of ")
    *before, noun = head.split(" ")
    return tuple(" ".join((*before, form)) + of + rest for form in _noun_plurals(noun))


def _noun_plurals(noun: str) -> tuple[str, ...]:
    if noun in _IRREGULAR:
        return (_IRREGULAR[noun],)
    if re.search(r"(ss|x|z|ch|sh|us)$", noun):
        return (f"{noun}es",)
    if noun.endswith("s"):
        return (noun,)
    if re.search(r"[^aeiou]y$", noun):
        return (f"{noun[:-1]}ies",)
    if noun.endswith("fe"):
        return (f"{noun[:-2]}ves", f"{noun}s")
    if re.search(r"[^f]f$", noun):
        return (f"{noun[:-1]}ves", f"{noun}s")
    if re.search(r"[^aeiou]o$", noun):
        return (f"{noun}es", f"{noun}s")
    return (f"{noun}s",)


@lru_cache(maxsize=16384)
def plain(phrase: str) -> str:
    """Return *phrase* as names are compared: in small letters, with single blanks."""
    return " ".join(phrase.lower().replace("_", " ").replace("-", " ").split())
