"""The 22 household skills and inspect: what they do to a state, and what people can say."""

from __future__ import annotations

import random
from itertools import product

import pytest
from household_uses import REFUSALS, USES
from hypothesis import given, settings
from hypothesis import strategies as st

from foretree.planning.semantics.actions import TypedObjects, applicable, apply, instantiate
from foretree.skills.catalogue_file import load_catalogue

# fmt: off
SKILLS = [
    "pick", "place_in", "place_on", "place_under", "open", "close", "pour", "cut", "stir", "scoop", "fold",
    "wipe", "turn_on", "turn_off", "hang_on", "open_door", "close_door", "move", "wash", "heat", "cool", "fill", "handover",
    "inspect",
]
# fmt: on

CATALOGUE = load_catalogue()
OBJECTS = {
    "robot1": "robot",
    "left": "hand",
    "right": "hand",
    "door1": "door",
    "door1_kitchen_side": "waypoint",
    "door1_hall_side": "waypoint",
    "ann": "person",
    "table1": "table",
    "fridge1": "fridge",
    "microwave1": "microwave",
    "sink1": "sink",
    "rack1": "drying_rack",
    "mug1": "mug",
    "jug1": "jug",
    "knife1": "knife",
    "spoon1": "spoon",
    "apple1": "apple",
    "towel1": "towel",
    "cloth1": "cloth",
}
TYPED = TypedObjects(CATALOGUE.domain, OBJECTS)
PLACES = ("table1", "fridge1", "microwave1", "sink1", "rack1")
ITEMS = TYPED.of_type("item")


def start(**extra: str) -> frozenset[tuple[str, ...]]:
    """Everything on the table, which the robot stands at; *extra* moves items (``mug1="in sink1"``)."""
    atoms = {("rob_at_node", "robot1", "table1")}
    atoms |= {("rob_has_hand", "robot1", hand) for hand in ("left", "right")}
    atoms |= {("hand_free", "robot1", hand) for hand in ("left", "right")}
    near, far = "door1_kitchen_side", "door1_hall_side"
    nodes = [*PLACES, "ann", near]
    atoms |= {("connected", a, b) for a, b in product(nodes, nodes) if a != b}
    atoms |= {("has_door", "door1", near, far), ("has_door", "door1", far, near)}
    for name, class_name in OBJECTS.items():
        atoms |= set(CATALOGUE.ontology.affordance_atoms(name, class_name))
    for item in ITEMS:
        relation, place = extra.get(item, "on table1").split()
        atoms.add((relation, item, place))
    return frozenset(atoms)


def do(state, *steps: str):
    """Apply ``"pick left mug1 table1"`` and so on; the robot is understood."""
    for step in steps:
        name, *arguments = step.split()
        action = instantiate(CATALOGUE.domain.operators[name], ["robot1", *arguments], TYPED)
        assert applicable(action, state, TYPED), f"{step} is not applicable"
        state = apply(action, state, TYPED)
    return state


def possible(state, step: str) -> bool:
    name, *arguments = step.split()
    action = instantiate(CATALOGUE.domain.operators[name], ["robot1", *arguments], TYPED)
    return applicable(action, state, TYPED)


def test_the_catalogue_has_exactly_these_skills():
    assert sorted(CATALOGUE.skills) == sorted(SKILLS)


@pytest.mark.parametrize("name", SKILLS)
def test_every_skill_says_what_it_does_and_how_to_ask_for_it(name):
    skill = CATALOGUE[name]
    assert skill.says.endswith(".")
    assert skill.forms
    assert skill.resources
    assert 0 < skill.time_out <= 120


@pytest.mark.parametrize(
    ("steps", "where", "true", "false"), USES, ids=[use[0].split("; ")[-1] for use in USES]
)
def test_a_skill_does_what_it_says(steps, where, true, false):
    state = do(start(**where), *steps.split("; "))
    assert tuple(true.split()) in state
    assert not false or tuple(false.split()) not in state


def test_every_skill_is_used_above():
    used = {step.split()[0] for steps, *_ in USES for step in steps.split("; ")}
    assert used == set(SKILLS)


@pytest.mark.parametrize(
    ("step", "before", "why"), REFUSALS, ids=[f"{step}: {why}" for step, _, why in REFUSALS]
)
def test_a_skill_cannot_be_done(step, before, why):
    state = do(start(apple1="in fridge1"), *filter(None, before.split("; ")))
    assert not possible(state, step), why


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6))
def test_whatever_is_done_every_thing_stays_in_one_place(seed):
    """A random walk: no item is ever in two places or none, no hand both free and full."""
    rng = random.Random(seed)
    state = start()
    operators = [CATALOGUE.domain.operators[name] for name in SKILLS]
    kept = {
        atom
        for atom in state
        if atom[0] in ("surface", "container", "openable", "sliceable", "rob_has_hand", "heats")
    }
    for _ in range(40):
        operator = rng.choice(operators)
        arguments = [rng.choice(TYPED.of_type(p.type)) for p in operator.parameters]
        action = instantiate(operator, arguments, TYPED)
        if not applicable(action, state, TYPED):
            continue
        state = apply(action, state, TYPED)
        for item in ITEMS:
            places = [a for a in state if a[0] in ("on", "in", "under", "hung_on", "given") and a[1] == item]
            hands = [a for a in state if a[0] == "holding" and a[3] == item]
            assert len(places) + len(hands) == 1, (action, places, hands)
        for hand in ("left", "right"):
            held = [a for a in state if a[0] == "holding" and a[2] == hand]
            assert len(held) + (("hand_free", "robot1", hand) in state) == 1, action
        assert len([a for a in state if a[0] == "rob_at_node"]) == 1, action
        assert kept <= state, action


def test_manipulating_holds_the_hand_and_moving_the_base():
    from foretree.planning.plan import Action

    def held(*action: str) -> frozenset[str]:
        return CATALOGUE[action[0]].resources_of(Action("a1", action[0], ("robot1", *action[1:])))

    assert held("pick", "left", "mug1", "table1") == {"left"}
    assert held("move", "table1", "sink1") == {"base"}
    assert held("open_door", "right", "door1", "table1", "hall") == {"right", "base"}
    assert held("inspect", "table1") == {"camera"}


def test_only_what_cannot_be_undone_is_irreversible_and_it_demands_most():
    irreversible = {name for name, skill in CATALOGUE.skills.items() if skill.irreversible}
    assert irreversible == {"cut", "pour"}
    rest = max(skill.certainty for name, skill in CATALOGUE.skills.items() if name not in irreversible)
    assert all(CATALOGUE[name].certainty > rest for name in irreversible)


@pytest.mark.parametrize(
    ("name", "say", "goal"),
    [
        ("handover", "(bring|give|hand|pass|fetch|get) {person} {item}", "(given {item} {person})"),
        (
            "place_on",
            "(take|bring|carry|move|return|transfer|relocate|deliver) {item} to {place}",
            "(on {item} {place})",
        ),
        ("close", "(close|shut) {place}", "(not (open {place}))"),
        ("open_door", "(open up|open) {door}", "(open {door})"),
        ("close_door", "(close|shut|pull to) {door}", "(not (open {door}))"),
        ("cut", "(slice up|slice|cut up|cut|chop up|chop) {item}", "(sliced {item})"),
    ],
)
def test_how_people_ask(name, say, goal):
    assert (say, goal) in [(form.say, form.goal) for form in CATALOGUE[name].forms]
