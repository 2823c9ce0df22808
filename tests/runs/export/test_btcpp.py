"""What holds here of names and kinds is what BehaviorTree.CPP 4.10 checks when it reads a tree."""

from xml.etree import ElementTree

import pytest
from export_tools import text, tree
from hypothesis import given
from hypothesis import strategies as st

from foretree.runs.events import Tape
from foretree.runs.export.btcpp import DEEPEST, tree_as_btcpp, tree_name, xml_nodes
from foretree.runs.export.btcpp import document as write_document
from foretree.runs.store import RunError
from foretree.runs.views.run_state import replay

BUILT_IN = {"Sequence": "Control", "Fallback": "Control", "Inverter": "Decorator"}
FORBIDDEN = set(" \t\n\r<>&\"'/\\:*?|.")


def read(run, at=None):
    """The document of a run, after the checks."""
    return checked(text(tree_as_btcpp, run, at))


def checked(xml):
    """A document, after the checks of BehaviorTree.CPP."""
    document = ElementTree.fromstring(xml)
    assert document.get("BTCPP_format") == "4"
    (top,) = document.findall("BehaviorTree")
    assert top.get("ID") == document.get("main_tree_to_execute")
    assert len(top) == 1
    models = {entry.get("ID"): entry for entry in document.find("TreeNodesModel")}
    assert not {top.get("ID"), *models} & {*BUILT_IN, "root", "Root", "SubTree", "Action"}
    assert top.get("ID") not in models
    for element in top[0].iter():
        kind = BUILT_IN.get(element.tag) or models[element.tag].tag
        assert len(element) == 1 if kind == "Decorator" else bool(len(element)) == (kind == "Control")
        assert not FORBIDDEN & set(element.tag)
        if element.tag in models:
            ports = {port.get("name") for port in models[element.tag]}
            assert {name for name in element.attrib if not name.startswith("_")} - {"name"} <= ports
    return document


TYPES = st.sampled_from(
    ["Sequence", "Selector", "PlanNode", "Inverter", "Presence", "Condition", "Act", "Mine", "root"]
) | st.text(max_size=8)


@given(st.lists(st.tuples(st.integers(0, 50), TYPES, st.text(max_size=8)), min_size=1, max_size=25))
def test_any_tree_is_valid(made):
    """Each node hangs below one of those before it."""
    nodes = []
    for number, (place, kind, name) in enumerate(made):
        parent = str(place % number) if number else None
        nodes.append({"id": str(number), "parent": parent, "name": name, "type": kind})
    tape = Tape()
    tape.record("tree.built", nodes=nodes)
    state = replay(tape.events)
    document = checked(write_document(xml_nodes(state, described=True), tree_name(state)))
    assert len(list(document.find("BehaviorTree").iter())) == len(made) + 1


def test_the_tree_at_a_moment(mango):
    document = read(mango, at=1.0)
    assert [element.tag for element in document.find("BehaviorTree").iter()][1:8] == [
        *("Sequence", "Understand", "Fallback", "Explore", "PlanNode", "Presence", "move")
    ]
    move = document.find(".//move")
    assert move.attrib == {
        "name": "move(robot, start, table1)",
        "_description": "RUNNING: moving",
        "arguments": "robot start table1",
        "action": "a1",
        "after": "",
    }
    assert document.find(".//pick").get("after") == "a1"
    kinds = {entry.get("ID"): entry.tag for entry in document.find("TreeNodesModel")}
    assert kinds["PlanNode"] == "Control"
    assert kinds["Presence"] == "Decorator"
    assert kinds["pick"] == "Action"


def test_after_a_revision_it_is_another_tree(mango):
    actions = [element.get("action") for element in read(mango).iter() if element.get("action")]
    assert actions == ["a1", "b1", "b2", "b3", "a4", "a5"]


def test_a_composite_without_children_is_an_action(written):
    document = read(
        written(lambda recorder: tree(recorder, ("r", "Sequence"), ("r/p", "PlanNode"), ("r/s", "Sequence")))
    )
    assert [element.tag for element in document.find("BehaviorTree")[0]] == ["EmptyPlanNode", "EmptySequence"]


@pytest.mark.parametrize("kind", ["Timeout", "Condition", "Parallel", "Switch2", "root"])
def test_what_is_called_as_something_else_there_is_called_otherwise(written, kind):
    document = read(written(lambda recorder: tree(recorder, ("r", kind), ("r/leaf", "Leaf"))))
    assert document.find("BehaviorTree")[0].tag == f"PyTrees{kind}"


def test_a_tree_is_not_called_as_a_type_is(written):
    document = read(written(lambda recorder: tree(recorder, ("Wrap", "Wrap"), ("Wrap/leaf", "Leaf"))))
    assert document.get("main_tree_to_execute") == "WrapTree"


def test_a_type_with_and_without_a_child_is_two_types(written):
    document = read(
        written(
            lambda recorder: tree(
                recorder, ("r", "Sequence"), ("r/a", "Mine"), ("r/b", "Mine"), ("r/b/c", "Leaf")
            )
        )
    )
    assert [element.tag for element in document.find("BehaviorTree")[0]] == ["Mine", "MineDecorator"]


def test_names_are_made_valid(hostile):
    document = read(hostile)
    assert "\ufffd" in document.find("BehaviorTree")[0].get("name")


@pytest.mark.parametrize("name", ["greifen-süß", "взять", "拿起", "つかむ", "집다"])
def test_letters_of_other_scripts_stay(written, name):
    document = read(written(lambda recorder: tree(recorder, (name, "Sequence"), (f"{name}/a", name))))
    assert document.find("BehaviorTree")[0][0].tag == name


def test_a_tree_that_is_too_deep(written):
    def chain(length):
        paths = ["/".join("n" * (depth + 1)) for depth in range(length)]
        return written(lambda recorder: tree(recorder, *((path, "Wrap") for path in paths)))

    read(chain(DEEPEST))
    with pytest.raises(RunError, match=f"deeper than the {DEEPEST} levels"):
        read(chain(DEEPEST + 1))
