"""Problems over the tabletop domain, from a line of facts and a line of goals."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from foretree.config import find_config
from foretree.planning.parser import read_domain
from foretree.planning.syntax import And, Domain, Literal, Problem
from foretree.world_model.facts import Atom
from foretree.world_model.ontology import load_ontology

ONTOLOGY = load_ontology(find_config("domains", "tabletop"))
assert ONTOLOGY.domain is not None
#: The tabletop domain with the classes of things as types.
BASE = read_domain(ONTOLOGY.domain)
BASE = replace(BASE, types={**BASE.types, **ONTOLOGY.types()})

#: The furniture of every scene.
FURNITURE = (
    "blackboard1", "coffee_maker1", "couch1", "cupboard1", "dishwasher1", "drying_rack1", "flower_bed1",
    "fridge1", "meeting_table1", "microwave1", "projector1", "sink1", "table1", "trash_bin1", "tv1",
    "wardrobe1", "washing_machine1", "window1",
)  # fmt: skip


def literals(line: str) -> Iterable[Literal]:
    """What a line such as ``on cup1 table1, not open fridge1`` says."""
    for words in filter(None, (part.split() for part in line.split(","))):
        yield Literal(tuple(words[1:]), False) if words[0] == "not" else Literal(tuple(words))


def class_of(thing: str) -> str:
    """``red_block`` for ``red_block1``."""
    return thing.rstrip("0123456789")


def affordances(things: Iterable[str]) -> set[Atom]:
    """The static facts about things."""
    return {atom for thing in things for atom in ONTOLOGY.affordance_atoms(thing, class_of(thing))}


def tabletop(facts: str, goal: str, domain: Domain = BASE) -> Problem:
    """The problem of reaching *goal* from *facts* among the furniture."""
    told, wanted = tuple(literals(facts)), tuple(literals(goal))
    things = sorted({*FURNITURE, *(name for literal in (*told, *wanted) for name in literal.atom[1:])})
    init = {literal.atom for literal in told} | affordances(things)
    if not any(atom[0] == "holding" for atom in init):
        init.add(("hand_empty",))
    objects = {thing: class_of(thing) for thing in things}
    return Problem("tabletop", domain, objects, frozenset(init), And(wanted))
