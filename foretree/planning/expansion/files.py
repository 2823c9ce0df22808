"""Domain files: expanded as a whole, with every mistake told by its place in the file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from foretree.config import read_yaml
from foretree.file_errors import error_at
from foretree.planning.expansion.expand import ExpandedDomain, expand
from foretree.planning.expansion.expansion_errors import ExpansionError
from foretree.planning.expansion.options import Expansion
from foretree.planning.pddl.parser import read_domain
from foretree.planning.pddl.sexpr import Group, read
from foretree.planning.pddl.source import Source
from foretree.planning.pddl.syntax import TOTAL_COST, Domain, Typed
from foretree.planning.pddl.writer import write_domain
from foretree.world_model.beliefs.facts import (
    CONNECTED,
    HAND_FREE,
    HAS_DOOR,
    HAS_HAND,
    OBJECT_AT,
    ROBOT_AT,
    TRAVEL_COST,
)


def expand_file(path: Path, options: Expansion, said_in: Path | None = None) -> ExpandedDomain:
    """The domain in a file, expanded.

    Args:
        path: the PDDL file.
        options: how to expand it.
        said_in: the YAML file that says some of the options, for messages.

    Raises:
        PddlError: it is not a domain.
        FileError: an option of *said_in* does not fit the domain; with the line there.
        ExpansionError: it cannot be expanded so; with the file, and the line if something there is to blame.
    """
    domain = read_domain(path)
    try:
        return expand(domain, options)
    except ExpansionError as error:
        if said_in is not None and error.option in read_yaml(said_in):
            raise error_at(said_in, (error.option,), error.problem) from error
        raise error.found_at(_place(path, error.about)) from error


def _place(path: Path, about: tuple[str, str] | None) -> str:
    """``file:line:column`` of what an error is about; the file alone where that is not in it."""
    source = Source(str(path), path.read_text(encoding="utf-8"))
    at = None if about is None else next(_declared(read(source, sections_at=1), *about), None)
    return str(path) if at is None else source.show_place(at)


def _declared(top: Group, kind: str, name: str) -> Iterator[int]:
    """The offsets at which a thing of a kind is declared."""
    [define] = top.items
    assert isinstance(define, Group)
    for section, at in define.entries:
        if not isinstance(section, Group) or section.head != _SECTIONS[kind]:
            continue
        for item, place in section.entries:
            if name == (item.head if isinstance(item, Group) else item):
                yield at if kind == "domain" else place


#: The sections in which things of each kind are declared.
_SECTIONS = {
    "action": ":action",
    "predicate": ":predicates",
    "function": ":functions",
    "type": ":types",
    "domain": "domain",
}


# -- writing ----------------------------------------------------------------------------------------
def write_expanded(domain: ExpandedDomain, source: str) -> str:
    """*domain* as PDDL, with a comment before it: where it comes from, and what a problem of it must say."""
    asked = ", ".join(_asked(domain.options))
    lines = [f"Expanded from {source} with {asked}.", *changes(domain), *_needed(domain)]
    return "".join(f"; {line}\n" for line in lines) + write_domain(domain)


def _asked(options: Expansion) -> Iterator[str]:
    """The options that are not at their defaults."""
    for name, value in options.changed().items():
        said = " ".join(value) if isinstance(value, tuple) else value
        yield name if value is True else f"{name}: {said}"


def changes(domain: ExpandedDomain) -> Iterator[str]:
    """The hand predicates of the base domain, each with its name after expansion."""
    if domain.embodiment is None:
        return
    for predicate in (
        domain.embodiment.hand_predicates.hand_free,
        *domain.embodiment.hand_predicates.holding,
    ):
        now = domain.embodiment.name_of(predicate)
        yield f"{_shown(domain.base, predicate.name)} has become {_shown(domain, now)}."


def _needed(domain: ExpandedDomain) -> Iterator[str]:
    """The facts of a problem besides those of a problem of the base domain."""
    told = [
        (HAS_HAND, "for each hand of each robot"),
        (HAND_FREE, "for each that holds nothing"),
        (ROBOT_AT, "for each robot"),
        (OBJECT_AT, _resting(domain.options)),
        (CONNECTED, "for each way that is open; one line for each direction"),
        (HAS_DOOR, "for each door, open or closed; one line for each direction"),
    ]
    lines = [f"  {_shown(domain, name)} {when}" for name, when in _kinds_told(domain)]
    lines += [f"  {_shown(domain, name)} {when}" for name, when in told if name in domain.predicates]
    if TRAVEL_COST in domain.functions:
        travel = " ".join([TRAVEL_COST, *(p.name for p in domain.functions[TRAVEL_COST])])
        lines.append(f"  (= ({travel}) …) for each way, also those through closed doors")
    if TOTAL_COST in domain.functions:
        lines.append(f"  (= ({TOTAL_COST}) 0), and (:metric minimize ({TOTAL_COST}))")
    if lines:
        yield "A problem must also say:"
        yield from lines


def _kinds_told(domain: ExpandedDomain) -> Iterator[tuple[str, str]]:
    """The predicates that stand for types, where the domain has none."""
    if domain.embodiment is None or domain.embodiment.kinds.typed:
        return
    kinds = domain.embodiment.kinds
    every = [(kinds.robot, "robot"), (kinds.hand, "hand"), (kinds.node, "node"), (kinds.door, "door")]
    for name, word in every:
        if name in domain.predicates and name not in domain.base.predicates:
            yield name, f"for each {word}"


def _resting(options: Expansion) -> str:
    if not options.carry:
        return "for each thing that is not held"
    return f"for each thing that is neither held nor rests on another ({', '.join(options.carry)})"


def _shown(domain: Domain, predicate: str) -> str:
    parameters: tuple[Typed, ...] = domain.predicates[predicate]
    return f"({' '.join([predicate, *(parameter.name for parameter in parameters)])})"
