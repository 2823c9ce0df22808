"""Household tasks of realistic size, for the tests of grounding and solving."""

from __future__ import annotations

import random
from pathlib import Path

from foretree.planning.pddl.parser import read_domain
from foretree.planning.pddl.syntax import Problem
from foretree.planning.task.goals import parse_goal

DOMAIN = read_domain(Path(__file__).parent / "household_flat.pddl")

AFFORDS = {
    "fridge": "container openable cools", "freezer": "container openable cools",
    "microwave": "container openable switchable heats", "oven": "container openable switchable heats",
    "dishwasher": "container openable switchable", "sink": "container washes has_tap",
    "counter": "surface wipeable", "table": "surface wipeable has_space_under",
    "coffee_table": "surface wipeable has_space_under", "sofa": "surface", "shelf": "surface",
    "cupboard": "container openable", "drawer": "container openable", "wardrobe": "container openable",
    "bed": "surface has_space_under", "bin": "container", "lamp": "switchable", "desk": "surface wipeable",
    "coat_rack": "hanger", "basket": "container", "armchair": "surface", "tv": "switchable",
    "mug": "fillable", "plate": "", "knife": "blade", "spoon": "stirrer scoop_tool", "sponge": "wiper",
    "apple": "sliceable", "mango": "sliceable", "book": "", "pillow": "", "bottle": "fillable",
    "towel": "foldable hangable", "coat": "hangable", "cloth": "wiper foldable hangable", "bowl": "fillable",
    "egg": "", "bread": "sliceable", "phone": "", "remote": "",
}  # fmt: skip

KITCHEN = ["fridge1", "microwave1", "sink1", "counter1", "table1", "cupboard1", "drawer1", "shelf1"]
FLAT = [
    *KITCHEN, "freezer1", "oven1", "dishwasher1", "counter2", "cupboard2", "table2", "coffee_table1", "sofa1",
    "shelf2", "bed1", "wardrobe1", "bin1", "lamp1", "desk1", "coat_rack1", "basket1", "armchair1",
]  # fmt: skip
KITCHEN_ITEMS = [
    "mango1", "apple1", "mug1", "mug2", "plate1", "plate2", "knife1", "spoon1", "sponge1", "bottle1", "bowl1",
    "egg1", "bread1", "cloth1", "towel1",
]  # fmt: skip
FLAT_ITEMS = [
    *KITCHEN_ITEMS, "apple2", "mug3", "plate3", "bowl2", "bottle2", "pillow1", "pillow2", "pillow3", "book1",
    "book2", "book3", "coat1", "towel2", "phone1", "remote1", "spoon2", "knife2", "cloth2", "egg2", "bread2",
]  # fmt: skip


def household(furniture: list[str], items: list[str], goal: str, seed: int = 0, rooms: int = 1) -> Problem:
    """Furniture in rooms around waypoints, items wherever they fit, everything reachable."""
    rng = random.Random(seed)
    objects = {"robot": "robot", "left": "hand", "right": "hand", "anna": "person"}
    objects |= dict.fromkeys(furniture, "asset") | dict.fromkeys(items, "item")
    init = {
        ("rob_at_node", "robot", "room1"),
        ("rob_has_hand", "robot", "left"),
        ("rob_has_hand", "robot", "right"),
    }
    init |= {("hand_free", "robot", "left"), ("hand_free", "robot", "right")}
    functions = {}
    nodes_of: dict[str, list[str]] = {}
    for number in range(1, rooms + 1):
        objects[f"room{number}"] = "waypoint"
        nodes_of[f"room{number}"] = [f"room{number}"]
    for number, name in enumerate([*furniture, "anna"]):
        nodes_of[f"room{number * rooms // (len(furniture) + 1) + 1}"].append(name)
    edges = {(f"room{n}", f"room{n + 1}"): 4 for n in range(1, rooms)}
    for nodes in nodes_of.values():
        edges |= {(a, b): rng.randint(1, 3) for a in nodes for b in nodes if a < b}
    for (a, b), cost in edges.items():
        for pair in ((a, b), (b, a)):
            init.add(("connected", *pair))
            functions[("travel_cost", *pair)] = cost
    for name in [*furniture, *items]:
        afforded = AFFORDS[name.rstrip("0123456789")].split()
        init |= {(word, name) for word in afforded}
        if "container" in afforded and "openable" not in afforded:
            init.add(("open", name))
    for item in items:
        place = rng.choice([f for f in furniture if ("surface", f) in init or ("container", f) in init])
        init.add(("on" if ("surface", place) in init else "in", item, place))
    parsed = parse_goal(goal, DOMAIN, objects)
    return Problem("household", DOMAIN, objects, frozenset(init), parsed.formula, functions)


def kitchen(goal: str, seed: int = 0) -> Problem:
    """A short task: 8 pieces of furniture, 15 items, one room."""
    return household(KITCHEN, KITCHEN_ITEMS, goal, seed)


def flat(goal: str, seed: int = 0) -> Problem:
    """60 things in 6 rooms."""
    return household(FLAT, FLAT_ITEMS, goal, seed, rooms=6)
