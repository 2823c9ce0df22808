"""Problems over the base domain of homes, from a line of facts and a line of goals; what it takes to use each
operator; and what the domain refuses to plan."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from foretree.config import find_config
from foretree.planning.pddl.parser import read_domain
from foretree.planning.pddl.syntax import And, Literal, Problem
from foretree.world_model.beliefs.consequences import class_facts, consequences
from foretree.world_model.ontology_file import load_ontology

ONTOLOGY = load_ontology(find_config("domains", "home"))
assert ONTOLOGY.domain is not None
PLAIN = read_domain(ONTOLOGY.domain)
#: The base domain with the classes of things as types.
BASE = replace(PLAIN, types={**PLAIN.types, **ONTOLOGY.types()})
#: The furniture of every scene.
FURNITURE = ("coffee_machine1", "counter1", "fridge1", "lamp1", "microwave1", "plant1", "sink1", "stove1", "table1", "toaster1")  # fmt: skip


def literals(line: str) -> Iterable[Literal]:
    """What a line such as ``on cup1 table1, not open fridge1`` says."""
    for words in filter(None, (part.split() for part in line.split(","))):
        yield Literal(tuple(words[1:]), False) if words[0] == "not" else Literal(tuple(words))


def class_of(thing: str) -> str:
    """``apple`` for ``apple1``, and ``apple_slice`` for ``apple1_slice1``."""
    whole, is_part, _ = thing.partition(f"_{ONTOLOGY.parts.called}")
    if is_part and whole[-1].isdigit():
        return ONTOLOGY.parts.of[class_of(whole)]
    return thing.rstrip("0123456789")


def home(facts: str, goal: str) -> Problem:
    """The problem of reaching *goal* from *facts* among the furniture, with all that follows from the facts."""
    told, wanted = tuple(literals(facts)), tuple(literals(goal))
    named = {*FURNITURE, *(name for literal in (*told, *wanted) for name in literal.atom[1:])}
    init = {literal.atom for literal in told}
    parts = ONTOLOGY.parts
    for whole in sorted(name for name in named if class_of(name) in parts.of):
        slices = parts.names(whole)
        named |= {*slices}
        init.add((parts.listed, whole, *slices))
        init |= {(parts.within, name, whole) for name in slices}
    objects = {name: class_of(name) for name in sorted(named)}
    for name, kind in objects.items():
        init |= {*ONTOLOGY.affordance_atoms(name, kind)}
    if not any(atom[0] == "holding" for atom in init):
        init.add(("hand_empty",))
    init |= consequences(ONTOLOGY.follows, [*init, *class_facts(objects, ONTOLOGY.type_of)])
    return Problem("home", BASE, objects, frozenset(init), And(wanted))


#: For each operator, facts and a goal that takes it.
USES = {
    "pick_from_surface": ("on mug1 table1", "holding mug1"),
    "pick_from_container": ("in mug1 sink1", "holding mug1"),
    "pick_from_under": ("under book1 table1", "holding book1"),
    "take_off_item": ("on plate1 table1, on apple1 plate1", "holding apple1"),
    "take_out_of_item": ("on bowl1 table1, in apple1 bowl1", "holding apple1"),
    "put_on_surface": ("holding apple1", "on apple1 table1"),
    "put_on_stove": ("holding pan1", "on pan1 stove1"),
    "put_on_item": ("holding apple1, on plate1 table1", "on apple1 plate1"),
    "put_in_container": ("holding apple1", "in apple1 sink1"),
    "put_in_microwave": ("on apple1 table1", "in apple1 microwave1"),
    "put_in_toaster": ("on bread_slice1 table1", "in bread_slice1 toaster1"),
    "put_in_item": ("holding apple1, on bowl1 table1", "in apple1 bowl1"),
    "put_in_narrow_item": ("holding pen1, on mug1 table1", "in pen1 mug1"),
    "put_in_hot_pan": ("holding potato1, on pan1 stove1, turned_on stove1", "cooked potato1"),
    "put_in_boiling_water": (
        "holding potato1, on pot1 stove1, filled pot1, has_water pot1, turned_on stove1",
        "cooked potato1",
    ),
    "put_under_coffee_machine": ("holding mug1", "under mug1 coffee_machine1"),
    "open_container": ("", "open fridge1"),
    "open_appliance": ("turned_on microwave1", "open microwave1"),
    "open_item": ("on box1 table1, on apple1 table1", "in apple1 box1"),
    "close_container": ("open fridge1", "not open fridge1"),
    "cool_in_fridge": ("on apple1 table1", "cold apple1, on apple1 table1"),
    "close_item": ("on box1 table1, open box1, on apple1 table1", "in apple1 box1, not open box1"),
    "heat_in_microwave": ("on apple1 table1", "hot apple1, on apple1 table1"),
    "toast_bread": ("on bread_slice1 table1", "cooked bread_slice1, on bread_slice1 table1"),
    "brew_coffee": ("on mug1 table1, filled mug1, has_water mug1", "has_coffee mug1"),
    "fry_in_pan": ("on pan1 stove1, in potato1 pan1", "cooked potato1"),
    "boil_in_pot": ("on pot1 stove1, in potato1 pot1, filled pot1, has_water pot1", "cooked potato1"),
    "switch_on": ("", "turned_on lamp1"),
    "switch_off": ("turned_on lamp1", "not turned_on lamp1"),
    "wash_at_tap": ("on mug1 table1, filled mug1, has_coffee mug1", "clean mug1"),
    "fill_at_tap": ("on glass1 table1", "has_water glass1, on glass1 table1"),
    "pour_water": ("holding jug1, filled jug1, has_water jug1, on vase1 table1", "has_water vase1"),
    "water_plant": ("on bottle1 table1", "watered plant1"),
    "pour_away": (
        "holding bottle1, filled bottle1, has_water bottle1",
        "not filled bottle1, not watered plant1",
    ),
    "slice_food": ("on knife1 table1, in apple1 fridge1", "on apple1_slice2 table1"),
    "examine_in_light": ("on book1 table1", "examined book1"),
}

#: Facts, a step, and what it lacks.
REFUSALS = [
    (
        "in spoon1 microwave1, in egg1 microwave1",
        "heat_in_microwave egg1 microwave1",
        "not unsafe microwave1",
    ),
    ("holding spoon1, open microwave1", "put_in_microwave spoon1 microwave1", "heatable spoon1"),
    ("turned_on microwave1", "open_appliance microwave1", "not turned_on microwave1"),
    ("in egg1 microwave1, broken microwave1", "heat_in_microwave egg1 microwave1", "not broken microwave1"),
    ("holding book1", "put_on_surface book1 stove1", "not burner stove1"),
    ("holding pan1, turned_on stove1", "put_on_stove pan1 stove1", "not turned_on stove1"),
    (
        "holding cup1, under mug1 coffee_machine1",
        "put_under_coffee_machine cup1 coffee_machine1",
        "not occupied coffee_machine1",
    ),
    ("under mug1 coffee_machine1, filled mug1", "brew_coffee mug1 coffee_machine1", "not filled mug1"),
    ("on mug1 table1, broken mug1", "pick_from_surface mug1 table1", "not broken mug1"),
    ("holding pen1, on mug1 table1", "put_in_item pen1 mug1 table1", "not narrow mug1"),
    ("holding phone1, on mug1 table1", "put_in_narrow_item phone1 mug1 table1", "slender phone1"),
    ("holding phone1, on pot1 table1, filled pot1", "put_in_item phone1 pot1 table1", "not filled pot1"),
    ("holding book1, open toaster1", "put_in_container book1 toaster1", "not toasts toaster1"),
    ("holding book1", "examine_in_light book1 lamp1", "turned_on lamp1"),
    (
        "holding knife1, on apple1 stove1",
        "slice_food knife1 apple1 apple1_slice1 apple1_slice2 apple1_slice3 stove1",
        "not burner stove1",
    ),
    (
        "holding knife1, on apple1 table1, sliced apple1",
        "slice_food knife1 apple1 apple1_slice1 apple1_slice2 apple1_slice3 table1",
        "not sliced apple1",
    ),
    (
        "holding fork1, on apple1 table1",
        "slice_food fork1 apple1 apple1_slice1 apple1_slice2 apple1_slice3 table1",
        "blade fork1",
    ),
]

#: Facts, what is on or in something besides, and a step for which that must be empty.
LADEN = [
    ("in bowl1 microwave1", "in fork1 bowl1", "heat_in_microwave bowl1 microwave1"),
    ("holding bowl1, open microwave1", "in egg1 bowl1", "put_in_microwave bowl1 microwave1"),
    ("holding plate1", "on egg1 plate1", "wash_at_tap plate1 sink1"),
    ("under mug1 coffee_machine1", "in spoon1 mug1", "brew_coffee mug1 coffee_machine1"),
]
