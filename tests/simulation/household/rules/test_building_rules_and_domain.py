"""The building's rules and the tabletop domain are written independently; here they are compared."""

from __future__ import annotations

import random
from itertools import islice

import pytest

from foretree.planning.pddl.syntax import And, Literal
from foretree.planning.semantics.actions import TypedObjects, fired, instantiate
from foretree.planning.semantics.evaluation import evaluate
from foretree.simulation.household.household_state import House
from foretree.simulation.household.plan_execution import WorldStep, execute
from foretree.skills.catalogue_file import load_catalogue
from foretree.world_model.beliefs.consequences import class_facts, consequences
from foretree.world_model.beliefs.facts import Truth

#: What the domain only remembers to have done, so that the world cannot tell.
REMEMBERED = {"flushed", "soaked"}

#: What is not compared when it ends: in a microwave, the domain knows exactly of one thing how warm it is.
GIVEN_UP = {"cold"}

#: What a device does to more than the plan is about: a domain need not say so of everything in it.
BESIDES = {"clean", "hot", "heated", "filled", "has_water"}

#: Things that the small office lacks and some operators need.
MORE = {
    "box2": {"class": "box", "on": "table1", "states": ["open"]},
    "pen1": {"class": "pen", "in": "box2"},
    "bowl2": {"class": "bowl", "on": "table1"},
    "orange1": {"class": "orange", "in": "bowl2"},
    "cereal1": {"class": "cereal", "on": "table1"},
    "soil1": {"class": "soil_bag", "on": "table1"},
    "trowel1": {"class": "trowel", "on": "table1"},
    "pot1": {"class": "flowerpot", "on": "table1"},
    "bottle1": {"class": "water_bottle", "on": "table1"},
    "board1x": {"class": "chopping_board", "on": "table1"},
    "tomato1": {"class": "tomato", "on": "board1x"},
    "magnet1": {"class": "magnet", "hung_on": "fridge1"},
    "magnet2": {"class": "magnet", "on": "table1"},
    "envelope1": {"class": "envelope", "on": "table1"},
    "vase1": {"class": "vase", "on": "table1"},
    "flower1": {"class": "flower", "in": "vase1"},
    "flower2": {"class": "flower", "on": "table1"},
    "teapot1": {"class": "teapot", "on": "table1", "states": ["filled", "has_tea", "hot"]},
    "jug1": {"class": "jug", "on": "table1", "states": ["filled", "has_juice"]},
    "mug2": {"class": "mug", "on": "table1", "states": ["filled", "has_milk"]},
    "mug3": {"class": "mug", "on": "table1", "states": ["filled", "has_milk", "hot"]},
    "mug4": {"class": "mug", "on": "table1", "states": ["filled", "has_tea"]},
    "crate1": {"class": "crate", "under": "table1"},
    "basket1": {"class": "laundry_basket", "in": "wardrobe1"},
    "book1": {"class": "book", "on": "table1"},
    "sock1": {"class": "sock", "in": "washer1"},
    "jar1": {"class": "jar", "in": "wardrobe1"},
    "spoon2": {"class": "spoon", "on": "table1", "states": ["laden", "has_sugar"]},
    "spoon3": {"class": "spoon", "on": "table1", "states": ["laden", "has_cereal"]},
    "trowel2": {"class": "trowel", "on": "table1", "states": ["laden", "has_soil"]},
    "cup3": {"class": "cup", "on": "table1", "states": ["filled", "has_tea", "has_sugar"]},
    "plate3": {"class": "plate", "in": "dishes1"},
}
FURNITURE = {
    "wardrobe1": {"class": "wardrobe", "room": "hall", "at": [10, 4], "states": ["open"]},
    "dishes1": {"class": "dishwasher", "room": "hall", "at": [10, 6]},
    "bin1": {"class": "trash_bin", "room": "hall", "at": [10, 8]},
    "window1": {"class": "window", "room": "hall", "at": [11.5, 5]},
}


@pytest.fixture(scope="module")
def catalogue():
    return load_catalogue("tabletop")


class Walk:
    """Random actions that the domain allows, done in the world. The robot is taken to where they are."""

    def __init__(self, scene, catalogue, seed):
        self.rng = random.Random(seed)
        self.house = House(scene)
        self.catalogue = catalogue
        self.domain = catalogue.domain
        house = self.house
        self.classes = {name: house[i].class_name for name, i in house.names.items()}
        self.classes |= {n.name: "waypoint" for n in house.nodes.values() if n.kind in ("pose", "room")}
        self.classes |= {scene.robot.name: "robot", **dict.fromkeys(house.hands, "hand")}
        self.objects = TypedObjects(self.domain, self.classes)
        self.remembered = set()

    def truths(self):
        """Everything that is true, but for where the robot is."""
        house, ontology = self.house, self.house.scene.ontology
        names = {i: name for name, i in house.names.items()}
        facts = {("rob_has_hand", "robot1", hand) for hand in house.hands}
        facts |= {("hand_free", "robot1", hand) for hand, held in house.hands.items() if held is None}
        facts |= {("holding", "robot1", h, names[held]) for h, held in house.hands.items() if held}
        for passage in house.scene.places.passages():
            for ends in ((passage.one, passage.other), (passage.other, passage.one)):
                if house.is_passable(passage):
                    facts.add(("connected", *ends))
                if passage.door:
                    facts.add(("has_door", passage.door, *ends))
        facts |= {(deed, *(names[i] for i in ids)) for deed, *ids in house.past_events}
        for thing in house.things.values():
            name = names[thing.id]
            facts.update(ontology.affordance_atoms(name, thing.class_name))
            facts.update((state, name) for state in thing.states)
            if thing.kind == "asset":
                facts.add(("obj_at_node", name, name))
            elif thing.rests is not None and thing.rests.support in names:
                facts.add((thing.rests.relation, name, names[thing.rests.support]))
        kinds = class_facts(self.classes, ontology.type_of)
        facts |= consequences(ontology.follows, [*facts, *kinds])
        return facts | self.remembered

    def step(self, wanted):
        """Do one of the *wanted* operators, the first that can be done somewhere. Its name, or None."""
        facts = self.truths()
        at = {("rob_at_node", "robot1", node) for node in self.house.nodes}
        for name in wanted:
            operator = self.domain.operators[name]
            for binding in self.bindings(operator, facts | at):
                arguments = [binding[p.name] for p in operator.parameters]
                action = instantiate(operator, arguments, self.objects)
                nodes = {a.atom[2] for a in _literals(action.precondition) if a.atom[0] == "rob_at_node"}
                here = facts | {("rob_at_node", "robot1", node) for node in nodes}
                if len(nodes) == 1 and self.holds(action.precondition, here):
                    self.house.arrive(*nodes)
                    self.do(
                        name,
                        action,
                        here,
                        dict(zip((p.name for p in operator.parameters), arguments, strict=True)),
                    )
                    return name
        return None

    def bindings(self, operator, facts):
        """Some ways to choose the arguments that agree with what the precondition asks for outright."""
        types = {p.name: p.type for p in operator.parameters}
        by_name = {}
        for fact in sorted(facts):
            by_name.setdefault(fact[0], []).append(fact)
        asked = [literal.atom for literal in _literals(operator.precondition) if literal.positive]
        asked.sort(key=lambda atom: len(by_name.get(atom[0], ())))

        def extend(binding, left):
            if not left:
                others = {n: self.rng.choice(self.objects.of_type(t)) for n, t in types.items()}
                yield others | binding
                return
            pattern = min(left, key=lambda atom: sum(term not in binding for term in atom[1:]))
            choices = [f for f in by_name.get(pattern[0], ()) if self.fits(pattern, f, binding, types)]
            self.rng.shuffle(choices)
            for fact in choices:
                bound = {t: v for t, v in zip(pattern[1:], fact[1:], strict=True) if t[0] == "?"}
                yield from extend(binding | bound, [atom for atom in left if atom is not pattern])

        return islice(extend({}, asked), 20)

    def fits(self, pattern, fact, binding, types):
        return all(
            binding.get(term, value) == value
            and (term[0] != "?" or self.domain.is_a(self.classes[value], types[term]))
            and (term[0] == "?" or term == value)
            for term, value in zip(pattern[1:], fact[1:], strict=True)
        )

    def holds(self, formula, facts):
        return evaluate(formula, _oracle(facts), self.objects) is Truth.TRUE

    def do(self, name, action, before, given):
        skill = self.catalogue[name]
        roles = {role: given[f"?{parameter}"] for parameter, role in skill.roles.items()}
        types = {p.name: p.type for p in skill.operator.parameters}
        hands = tuple(value for parameter, value in given.items() if types[parameter] == "hand")
        effects = fired(action, _oracle(before), self.objects)
        verdict = execute(self.house, [WorldStep(skill.does, roles, hands)])
        assert verdict.refusal is None, f"{action}: {verdict.refusal}"
        for effect in effects:
            if effect.atom[0] in REMEMBERED:
                (self.remembered.add if effect.positive else self.remembered.discard)(effect.atom)
        after = self.truths() | {("rob_at_node", "robot1", self.house.node)}
        added = {e.atom for e in effects if e.positive}
        assert added - self.remembered <= after, str(action)
        gone = {e.atom for e in effects if not e.positive} - added
        assert not {atom for atom in gone & after if atom[0] not in GIVEN_UP}, str(action)
        lost = {a for a in before - gone - after if a[0] != "rob_at_node" and a[0] in self.domain.predicates}
        assert not {a for a in lost if a[0] not in GIVEN_UP}, f"{action}: {sorted(lost)}"
        more = {a for a in after - before - added if a[0] != "rob_at_node" and a[0] in self.domain.predicates}
        more = {a for a in more if a[0] not in BESIDES}
        assert not more, f"{action}: {sorted(more)}"


def _literals(formula):
    if isinstance(formula, And):
        return [literal for part in formula.parts for literal in _literals(part)]
    return [formula] if isinstance(formula, Literal) else []


def _oracle(facts):
    return lambda atom: Truth.TRUE if atom in facts else Truth.FALSE


#: What is held at the start of a walk.
TOOLS = (
    *(
        "scissors1",
        "eraser1",
        "spoon1",
        "knife1",
        "sponge1",
        "cloth1",
        "trowel1",
        "kettle1",
        "juice1",
        "bottle1",
    ),
    *(
        "cup2",
        "mug2",
        "mug3",
        "mug4",
        "jug1",
        "teapot1",
        "milk1",
        "magnet2",
        "envelope1",
        "keys1",
        "plate1",
        "green1",
    ),
    *("spoon2", "spoon3", "trowel2"),
)


@pytest.mark.parametrize(
    ("tools", "most"),
    [(TOOLS[::4], 60), pytest.param(TOOLS, 100, marks=pytest.mark.slow)],
    ids=["some", "all"],
)
def test_whatever_the_domain_allows_the_world_does(office, catalogue, tools, most):
    scene = office(items=MORE, furniture=FURNITURE)
    done = set()
    # To look closely at a place does nothing to the world.
    everything = sorted(name for name in catalogue.domain.operators if catalogue[name].does)
    for seed, tool in enumerate(tools):
        walk = Walk(scene, catalogue, seed)
        walk.house.grasp(walk.house.named(tool), "left")
        for count in range(18):
            walk.rng.shuffle(everything)
            undone = [name for name in everything if name not in done]
            done.add(walk.step([*undone, *everything] if count % 3 else everything))
    assert len(done) >= most, " ".join(sorted(set(everything) - done))
