"""Dangers: what no goal may ask for and no plan may bring about (``configs/language/dangers.yaml``)."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

from foretree.config import find_config
from foretree.config_cache import cached
from foretree.planning.pddl.syntax import (
    Count,
    Exists,
    Forall,
    Formula,
    Literal,
    Not,
    parts_of,
    substitute_atom,
)
from foretree.planning.semantics.operator_index import unify
from foretree.reasoning.instruction_errors import UnsafeError
from foretree.world_model.articles import with_article
from foretree.world_model.beliefs.facts import Atom
from foretree.world_model.ontology import Ontology, plain, plurals

#: The class of an object, or of a variable.
ClassOf = Callable[[str], str]
#: Words with which an instruction does not ask for what it names.
_DENYING = frozenset(
    ("never", "not", "don't", "without", "out", "from", "off", "away", "avoid", "prevent", "unless")
)
#: Words with which it asks a question.
_ASKING = frozenset(
    ("is", "are", "was", "were", "does", "did", "where", "why", "who", "what", "which", "how")
)
#: What comes before a deed, and what begins what it is done to.
_BEFORE_DEEDS = frozenset({",", ".", ";", ":", "and", "then", "to", "please"})
_DONE_TO = frozenset({"it", "them", "the", "my", "that", "this", "these", "those", "both", "all"})
#: They can do something, and are no can.
_ABLE = frozenset(
    {"i", "you", "we", "he", "she", "it", "they", "that", "this", ",", ".", "so", "and", "then"}
)
#: What may stand between two commands, and what else may stand before a verb.
_JOINTS = frozenset((",", ";", ".", ":", "and", "then", "but"))
_BEFORE_VERBS = _JOINTS | {"please", "also", "just", "now", "afterwards", "finally", "next"}
#: By these a command goes back to what was named before: "open the microwave and put the phone in there".
_GOING_BACK = frozenset(
    ("it", "its", "them", "that", "this", "those", "these", "there", "inside", "one", "ones", "both", "in")
)
#: So it does to a place.
_BACK_TO_PLACE = re.compile(
    r" (?:there|inside) | (?:in|into|inside|on|onto|over|under|at|to|from) (?:it|that|this|them|one|both) "
    r"| (?:in|on) (?:[,;.:] )?$"
)
#: Where something is.
_PLACE = re.compile(r"(?: (?:in|into|on|onto|inside|from|to)(?: the| a| an| my| your| our)?) \S+")
#: The first word of what a place is only told by: "next to the microwave".
_LANDMARK = re.compile(
    r"(?: (?:next to|close to|in front of|(?:left|right) of|near|beside|by|behind|above|below|beneath|under"
    r"|underneath)(?: the| a| an| my| your| our)?) \S+"
)


@dataclass(frozen=True, slots=True)
class Danger:
    """Facts that are dangerous where they hold together.

    Attributes:
        together: atoms over variables; none where it is told by words alone.
        where: the classes of what the variables stand for.
        because: the reason; ``{thing}`` is what ``?thing`` stands for.
        said: words of an instruction that tell of it, besides the names of the things; any if empty.
    """

    together: tuple[Atom, ...]
    where: Mapping[str, frozenset[str]]
    because: str
    said: tuple[str, ...] = ()

    def among(self, atoms: Collection[Atom], class_of: ClassOf) -> str | None:
        """Return the danger if all of its facts are among *atoms*, in a sentence."""
        binding = next(self._bindings(self.together, atoms, class_of, {}), None) if self.together else None
        return None if binding is None else self._says(binding)

    def follows(
        self, atom: Atom, names: Mapping[str, Sequence[str]], holds: Callable[[Atom], bool]
    ) -> str | None:
        """Return the danger if it holds with *atom*, which has just come true.

        Args:
            atom: what has come true.
            names: the objects of each class.
            holds: whether an atom holds besides.
        """
        classes = {name: kind for kind, those in names.items() for name in those}
        for at, pattern in enumerate(self.together):
            bound = unify(pattern, atom, {})
            if bound is None or not self._fits(bound, lambda name: classes.get(name, "")):
                continue
            rest = (*self.together[:at], *self.together[at + 1 :])
            free = sorted({term for one in rest for term in one[1:] if term[0] == "?"} - bound.keys())
            kinds = (
                [n for kind in sorted(self._kinds(term, names)) for n in names.get(kind, ())] for term in free
            )
            for chosen in product(*kinds):
                binding = {**bound, **dict(zip(free, chosen, strict=True))}
                if all(holds(substitute_atom(one, binding)) for one in rest):
                    return self._says(binding)
        return None

    def in_words(self, named: Collection[str], words: Collection[str], text: str) -> str | None:
        """Return the danger if an instruction with these classes and words tells of it."""
        found = {variable: sorted(kinds & set(named)) for variable, kinds in self.where.items()}
        # A toaster that is named once is not put in a toaster.
        if not all(found.values()) or len(frozenset().union(*found.values())) < len(found):
            return None
        if self.said and not any(f" {one} " in text if " " in one else one in words for one in self.said):
            return None
        return self._says({f"?{variable}": with_article(kinds[0]) for variable, kinds in found.items()})

    def _kinds(self, term: str, names: Mapping[str, Sequence[str]]) -> Collection[str]:
        return self.where.get(term[1:], names.keys())

    def _says(self, binding: Mapping[str, str]) -> str:
        names = {variable[1:]: term for variable, term in binding.items()}
        return f"That is not safe: {self.because.format_map(names)}."

    def _bindings(
        self, patterns: Sequence[Atom], atoms: Collection[Atom], class_of: ClassOf, binding: dict[str, str]
    ) -> Iterator[dict[str, str]]:
        if not patterns:
            yield binding
            return
        for atom in atoms:
            bound = unify(patterns[0], atom, binding) if len(atom) == len(patterns[0]) else None
            if bound is not None and self._fits(bound, class_of):
                yield from self._bindings(patterns[1:], atoms, class_of, bound)

    def _fits(self, binding: Mapping[str, str], class_of: ClassOf) -> bool:
        return all(
            class_of(term) in self.where[variable[1:]]
            for variable, term in binding.items()
            if variable[1:] in self.where
        )


def refuse_dangerous(goal: Formula, classes: Mapping[str, str]) -> None:
    """Check that *goal* asks for nothing dangerous.

    Args:
        goal: what shall be reached.
        classes: the class of each object.

    Raises:
        UnsafeError: it does.
    """
    types: dict[str, str] = {}
    atoms = [literal.atom for literal in _asked(goal, types, True)]
    for danger in load_dangers():
        says = danger.among(atoms, lambda term: types.get(term) or classes.get(term, ""))
        if says is not None:
            names = [variable for variable in types if variable in says]
            for name in sorted(names, key=len, reverse=True):
                says = says.replace(name, with_article(types[name]))
            raise UnsafeError(says)


def danger_in_words(tokens: Sequence[str], ontology: Ontology, verbs: Collection[str] = ()) -> str | None:
    """Return the danger that an instruction tells of that is not understood; None if it tells of none.

    Args:
        tokens: the words, with the marks between them.
        ontology: knows what things are called.
        verbs: what commands begin with. The spoon of "heat the bowl in the microwave and bring a spoon" is in
            another command than the microwave, and so in no danger.
    """
    said = [token.removesuffix("'s") for token in tokens]
    if _DENYING.intersection(said) or not said or said[0] in _ASKING:
        return None
    telling = frozenset().union(*(danger.said for danger in load_dangers()))  # "microwave it" tells of one
    for part in _parts(said, verbs):
        words = frozenset(part)
        things = ("" if _is_deed(part, at) and word not in telling else word for at, word in enumerate(part))
        text = _LANDMARK.sub("", " ".join(("", *things, "")))
        for danger in load_dangers():
            kinds = frozenset().union(*danger.where.values())
            named = [kind for kind in kinds if any(f" {name} " in text for name in _names(kind, ontology))]
            says = danger.in_words(named, words, text) if named else None
            if says is not None:
                return says
    return None


def _parts(said: Sequence[str], verbs: Collection[str]) -> Iterator[Sequence[str]]:
    """Yield the commands of an instruction, each after those words before it that it may go back to."""
    begins = [0]
    for at in range(1, len(said)):
        first = next((word for word in said[at:] if word not in _BEFORE_VERBS), "")
        if said[at] in _JOINTS and said[at - 1] not in _JOINTS and first in verbs:
            begins.append(at)
    before: Sequence[str] = ()
    for begin, end in zip(begins, (*begins[1:], len(said)), strict=True):
        part = said[begin:end]
        spoken = " ".join(("", *part, ""))
        if not _GOING_BACK.intersection(part):
            before = ()
        elif not _BACK_TO_PLACE.search(spoken):
            # What "it" is may be any thing named before, but nothing is done where that was.
            things = _PLACE.sub("", " ".join(("", *before, ""))).split()
            before = [word for word in things if word not in verbs]
        yield (*before, *part)
        before = (*before, *part)


def _is_deed(words: Sequence[str], at: int) -> bool:
    """Return whether a word begins a clause and is done to something: "wash it, *iron it*" names no iron."""
    if words[at] == "can":
        return at == 0 or words[at - 1] in _ABLE
    begins = at == 0 or words[at - 1] in _BEFORE_DEEDS
    return begins and at + 1 < len(words) and words[at + 1] in _DONE_TO


def dangers_about(predicates: Collection[str]) -> tuple[Danger, ...]:
    """Return the dangers in which any of *predicates* has a part."""
    return tuple(one for one in load_dangers() if any(atom[0] in predicates for atom in one.together))


@cache
def load_dangers() -> tuple[Danger, ...]:
    """Read ``configs/language/dangers.yaml``.

    Raises:
        ConfigError: it cannot be read, or says something that makes no sense.
    """

    def read() -> tuple[Danger, ...]:
        # Only here: what reads and checks files is dear to load.
        from foretree.reasoning._danger_file import read_danger_file

        return tuple(Danger(*entry) for entry in read_danger_file(find_config("language", "dangers")))

    return cached("dangers", read)


def _names(kind: str, ontology: Ontology) -> Iterable[str]:
    words = (plain(kind), *(ontology[kind].words if kind in ontology else ()))
    for word in words:
        yield from (word, *plurals(word))


def _asked(goal: Formula, types: dict[str, str], positive: bool) -> Iterator[Literal]:
    """Yield the literals that *goal* asks for; *types* gets the types of its variables."""
    if isinstance(goal, Literal):
        if goal.positive is positive:
            yield goal
        return
    if isinstance(goal, (Exists, Forall)):
        types.update({variable.name: variable.type for variable in goal.variables})
    if isinstance(goal, Count):
        types[goal.variable.name] = goal.variable.type
    for part in parts_of(goal):
        yield from _asked(part, types, positive is not isinstance(goal, Not))
