"""Plans of household actions as trees: which guards are nested, what each checks, how the tree is exported."""

from __future__ import annotations

from functools import cache
from xml.etree import ElementTree

import pydot
import pytest
from py_trees.behaviours import Success
from py_trees.common import ParallelPolicy
from py_trees.composites import Parallel, Selector, Sequence
from py_trees.decorators import Inverter
from toolbox import Leaves, NoRobot, context_for, domain_of, plan_of

from foretree.agent.context import AgentContext
from foretree.agent.settings import Settings
from foretree.clock import SimulatedClock
from foretree.planning.pddl.syntax import And, Literal
from foretree.planning.plan import Action, Plan
from foretree.skills.catalogue_file import load_catalogue
from foretree.trees.compiler import Compiler
from foretree.trees.export import dot, outline, xml
from foretree.trees.plan_node import PlanNode
from foretree.world_model.beliefs.belief import Belief
from foretree.world_model.beliefs.entity_creation import add_entity
from foretree.world_model.beliefs.facts import Entity
from foretree.world_model.maps.places import PlaceGraph

catalogue = cache(load_catalogue)

ENTITIES = {
    "robot1": "robot",
    "left": "hand",
    "right": "hand",
    "table1": "table",
    "sink1": "sink",
    "fridge1": "fridge",
    "microwave1": "microwave",
    "mango1": "mango",
    "mug1": "mug",
    "knife1": "knife",
}
TRUE = """
rob_at_node robot1 table1, rob_has_hand robot1 left, rob_has_hand robot1 right, hand_free robot1 left, hand_free robot1 right,
on mango1 table1, on mug1 table1, on knife1 table1,
connected table1 sink1, connected sink1 table1, connected table1 fridge1, connected fridge1 table1,
connected sink1 fridge1, connected fridge1 sink1, connected table1 microwave1, connected microwave1 table1
"""


def kitchen(**settings) -> AgentContext:
    """A belief made by hand: three things on a table, a sink, a fridge and a microwave, both shut and off."""
    belief = Belief(catalogue().vocabulary)
    places = PlaceGraph()
    for name, class_name in ENTITIES.items():
        fixed = class_name not in ("mango", "mug", "knife")
        entity = Entity(name, {class_name: 0.95}, (0.0, 0.0, 0.0), fixed=fixed)
        add_entity(belief, catalogue().ontology, entity, time=0.0, source="map")
        if name.rstrip("1") == class_name and fixed and class_name != "robot":
            places.add(name, (0.0, 0.0, 0.0), "kitchen", "asset")
    for words in TRUE.replace("\n", " ").split(","):
        belief.tell(tuple(words.split()))
    for name in ("fridge1", "microwave1"):
        belief.tell(("open", name), False)
        belief.tell(("turned_on", name), False)
    return AgentContext(
        NoRobot(), catalogue(), belief, places, SimulatedClock(), settings=Settings(**settings)
    )


def plan(goal: str, *steps: str) -> Plan:
    actions = []
    for number, step in enumerate(steps, 1):
        skill, *arguments = step.split()
        actions.append(Action(f"a{number}", skill, tuple(arguments)))
    literals = tuple(Literal(tuple(words.split())) for words in goal.split(","))
    classes = {name: ENTITIES[name] for name in ("mango1", "mug1", "knife1")}
    return Plan(literals[0] if len(literals) == 1 else And(literals), tuple(actions), classes=classes)


def guards(step: str, products: str = "", state: str = "", **settings) -> dict[str, list[str]]:
    """What each guard of one action checks, outermost first."""
    context = kitchen(**settings)
    for words in filter(None, state.split(",")):
        context.belief.tell(tuple(words.split()))
    skill, *arguments = step.split()
    made = {Literal(tuple(words.split())) for words in filter(None, products.split(","))}
    classes = {name: ENTITIES[name] for name in ("mango1", "mug1", "knife1")}
    nodes = Compiler(context).build(Action("a1", skill, tuple(arguments)), made, classes)
    return {guard.name: [str(expectation) for expectation in guard.expectations] for guard in nodes.guards}


# -- which guards --------------------------------------------------------------------------------------------

GUARDED = {
    "pick robot1 left mango1 table1": (
        "holding robot1 left mango1",
        {
            "presence": [
                "robot1 is at table1",
                "robot1's left is free",
                "mango1 is on table1 or mango1 is under table1",
            ],
            "appearance": ["mango1 is a mango"],
        },
    ),
    "place_in robot1 left mango1 fridge1": (
        "in mango1 fridge1",
        {
            "presence": ["robot1 is at fridge1", "robot1 is holding mango1 in left"],
            "appearance": ["mango1 is a mango"],
            "attribute": ["fridge1 is open"],
            "relationship": ["not yet: mango1 is in fridge1"],
        },
    ),
    "wash robot1 left mug1 sink1": (
        "clean mug1",
        {
            "presence": ["robot1 is at sink1", "robot1 is holding mug1 in left"],
            "appearance": ["mug1 is a mug"],
            "attribute": ["not yet: mug1 is clean"],
        },
    ),
    "move robot1 table1 sink1": (
        "rob_at_node robot1 sink1",
        {"presence": ["robot1 is at table1", "the way table1 – sink1 is free"]},
    ),
    "open robot1 left fridge1": (
        "open fridge1",
        {
            "presence": ["robot1 is at fridge1", "robot1's left is free"],
            "attribute": ["fridge1 is not open", "not yet: fridge1 is open"],
        },
    ),
    "turn_on robot1 left microwave1": (
        "turned_on microwave1",
        {
            "presence": ["robot1 is at microwave1", "robot1's left is free"],
            "attribute": [
                "microwave1 is not turned on",
                "microwave1 is not open",
                "not yet: microwave1 is turned on",
            ],
        },
    ),
    "cut robot1 left knife1 mango1 table1": (
        "sliced mango1",
        {
            "presence": ["robot1 is at table1", "robot1 is holding knife1 in left", "mango1 is on table1"],
            "appearance": ["knife1 is a knife", "mango1 is a mango"],
            "attribute": ["not yet: mango1 is sliced"],
        },
    ),
}


@pytest.mark.parametrize("step", GUARDED)
def test_each_guard_has_something_to_check(step):
    products, expected = GUARDED[step]
    found = guards(step, products)
    assert found == expected
    assert list(found) == [
        name for name in ("presence", "appearance", "attribute", "relationship") if name in found
    ]


def test_what_nobody_needs_is_no_purpose():
    assert "attribute" not in guards("wash robot1 left mug1 sink1")
    assert "relationship" not in guards("place_in robot1 left mango1 fridge1")


def test_leaving_a_place_is_no_purpose_arriving_is():
    found = guards("pick robot1 left mango1 table1", "holding robot1 left mango1")
    assert "relationship" not in found


def test_an_agent_without_some_guards_gets_none_of_them():
    found = guards("place_in robot1 left mango1 fridge1", "in mango1 fridge1", guards=("attribute",))
    assert found == {"attribute": ["fridge1 is open"]}
    assert guards("place_in robot1 left mango1 fridge1", "in mango1 fridge1", guards=()) == {}


def test_without_anything_to_check_the_action_stands_alone():
    context = context_for(domain_of({"shout": ("", "loud")}))
    nodes = Compiler(context).build(Action("a1", "shout", ()), (), {})
    assert nodes.top is nodes.leaf


# -- the tree for other eyes -----------------------------------------------------------------------------------

COLD = plan(
    "in mango1 fridge1",
    "move robot1 table1 fridge1",
    "open robot1 left fridge1",
    "move robot1 fridge1 table1",
    "pick robot1 left mango1 table1",
    "move robot1 table1 fridge1",
    "place_in robot1 left mango1 fridge1",
)


OUTLINE = """\
[p] plan
    <?> presence  robot1 is at table1; the way table1 – fridge1 is free
        --> move(robot1, table1, fridge1)
    <?> presence  robot1 is at fridge1; robot1's left is free
        <?> attribute  fridge1 is not open; not yet: fridge1 is open
            --> open(robot1, left, fridge1)
    <?> presence  robot1 is at fridge1; the way fridge1 – table1 is free
        --> move(robot1, fridge1, table1)
    <?> presence  robot1 is at table1; robot1's left is free; mango1 is on table1 or mango1 is under table1
        <?> appearance  mango1 is a mango
            --> pick(robot1, left, mango1, table1)
    <?> presence  robot1 is at table1; the way table1 – fridge1 is free
        --> move(robot1, table1, fridge1)
    <?> presence  robot1 is at fridge1; robot1 is holding mango1 in left
        <?> appearance  mango1 is a mango
            <?> attribute  fridge1 is open
                <?> relationship  not yet: mango1 is in fridge1
                    --> place_in(robot1, left, mango1, fridge1)"""


def test_outline():
    assert outline(PlanNode(kitchen(), COLD), ascii_only=True) == OUTLINE
    assert outline(PlanNode(kitchen(guards=()), COLD), ascii_only=True).count("<?>") == 0


@pytest.mark.filterwarnings("ignore::DeprecationWarning:pydot")
def test_dot_is_well_formed():
    node = PlanNode(kitchen(), COLD)
    (graph,) = pydot.graph_from_dot_data(dot(node))
    names = {n.get_name() for n in graph.get_nodes()} - {"node"}
    assert len(names) == len(list(node.iterate()))
    ends = {end for edge in graph.get_edges() for end in (edge.get_source(), edge.get_destination())}
    assert ends == names
    order = [edge for edge in graph.get_edges() if edge.get_attributes().get("style") == "dashed"]
    assert len(order) == len(list(node.precedence())) > 0


@pytest.mark.filterwarnings("ignore::DeprecationWarning:pydot")
def test_dot_escapes_what_names_may_contain():
    node = PlanNode(kitchen(), COLD, name='say "yes" \\ or\nno')
    (graph,) = pydot.graph_from_dot_data(dot(node))
    assert graph.get_node("n0")[0].get_attributes()["label"] == r'"say \"yes\" \\ or\nno"'


#: The nodes that BehaviorTree.CPP 4 brings along, as far as py_trees has the like.
BUILT_IN = {"Sequence", "ReactiveSequence", "Fallback", "ReactiveFallback", "Parallel", "Inverter"}


def read(root) -> ElementTree.Element:
    """The exported tree, after checking what holds of any."""
    document = ElementTree.fromstring(xml(root))
    assert document.tag == "root"
    assert document.get("BTCPP_format") == "4"
    trees = document.findall("BehaviorTree")
    assert [tree.get("ID") for tree in trees] == [document.get("main_tree_to_execute")]
    assert len(trees[0]) == 1, "a tree has one root"
    declared = {}
    for entry in document.find("TreeNodesModel"):
        assert entry.tag in ("Action", "Condition", "Control", "Decorator")
        assert entry.get("ID") not in BUILT_IN
        declared[entry.get("ID")] = (entry.tag, {port.get("name") for port in entry})
    for element in trees[0].iter():
        if element.tag == "BehaviorTree":
            continue
        assert element.tag in BUILT_IN or element.tag in declared, element.tag
        if element.tag in declared:
            kind, ports = declared[element.tag]
            assert set(element.attrib) - {"name"} <= ports
            assert not (kind == "Decorator" and len(element) != 1)
            assert not (kind == "Action" and len(element))
    return document


def test_xml_declares_its_nodes_and_says_what_they_are_for():
    document = read(PlanNode(kitchen(), COLD))
    place = document.find(".//place_in")
    assert place.attrib == {
        "name": "place_in(robot1, left, mango1, fridge1)",
        "robot": "robot1",
        "hand": "left",
        "item": "mango1",
        "place": "fridge1",
        "action": "a6",
        "after": "a2;a4;a5",
    }
    model = document.find("TreeNodesModel")
    assert {entry.get("ID"): entry.tag for entry in model} == {
        "PlanNode": "Control",
        "Presence": "Decorator",
        "Appearance": "Decorator",
        "Attribute": "Decorator",
        "Relationship": "Decorator",
        "move": "Action",
        "open": "Action",
        "pick": "Action",
        "place_in": "Action",
    }


def test_xml_of_a_plan_with_leaves_of_ones_own():
    context = context_for(domain_of({"one": ("", "a"), "two": ("a", "b")}))
    document = read(PlanNode(context, plan_of("one two", "b"), builder=Leaves()))
    leaves = [(leaf.get("name"), leaf.get("after")) for leaf in document.iter("Scripted")]
    assert leaves == [("one()", None), ("two()", "one()")]


@pytest.mark.parametrize(
    ("composite", "tag"),
    [
        (Sequence("s", memory=True), "Sequence"),
        (Sequence("s", memory=False), "ReactiveSequence"),
        (Selector("s", memory=True), "Fallback"),
        (Selector("s", memory=False), "ReactiveFallback"),
        (Parallel("s", policy=ParallelPolicy.SuccessOnAll()), "PyTreesParallel"),
    ],
)
def test_xml_uses_the_composites_that_behave_alike(composite, tag):
    """BehaviorTree.CPP's SequenceWithMemory goes on behind what succeeded even after a failure; ours does not."""
    composite.add_child(Inverter("not", Success("yes")))
    document = read(composite)
    assert document.find("BehaviorTree")[0].tag == tag
