import pydot
import pytest
from export_tools import HOSTILE, text

from foretree.runs.export.dot import tree_as_dot
from foretree.runs.store import RunError

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:pydot")


def graph(run, at=None):
    (found,) = pydot.graph_from_dot_data(text(tree_as_dot, run, at))
    return found


def test_the_tree_at_a_moment_with_its_statuses(mango):
    found = graph(mango, at=1.0)
    nodes = {
        node.get_name(): node.get_attributes() for node in found.get_nodes() if node.get_name() != "node"
    }
    assert len(nodes) == 15
    assert nodes["n0"]["label"] == '"▶ agent"'
    assert nodes["n1"]["label"] == '"✓ understand\\n(in mango1 fridge1)"'
    assert nodes["n0"]["fillcolor"] != nodes["n1"]["fillcolor"]
    edges = [
        (edge.get_source(), edge.get_destination()) for edge in found.get_edges() if not edge.get("style")
    ]
    assert len(edges) == 14
    assert edges[:4] == [("n0", "n1"), ("n0", "n2"), ("n2", "n3"), ("n2", "n4")]


def test_the_order_of_the_plan_is_dashed(mango):
    def order(at):
        return [
            (edge.get_source(), edge.get_destination())
            for edge in graph(mango, at).get_edges()
            if edge.get("style") == "dashed"
        ]

    assert order(1.0) == [("n5", "n7"), ("n7", "n9"), ("n9", "n11"), ("n11", "n13")]
    assert order(None) == [("n13", "n15")]


def test_texts_are_quoted(hostile):
    names = [node.get_name() for node in graph(hostile).get_nodes()]
    assert names == ["node", "n0", "n1", "n2", "n3"]
    assert HOSTILE.partition(" ")[0] in text(tree_as_dot, hostile)


def test_a_run_without_a_tree(store):
    with pytest.raises(RunError, match="has no tree"):
        text(tree_as_dot, store.create("x"))
