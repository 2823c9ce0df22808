"""The examples in the docstrings of what users extend run as they stand there."""

from __future__ import annotations

import inspect
from textwrap import dedent

import pytest
from py_trees.common import Status

from foretree.behaviours.guards import Guard
from foretree.trees.plan_node import PlanNode


def example(documented):
    """The indented block after the first ``::`` of a docstring."""
    block = inspect.getdoc(documented).split("::\n\n", 1)[1].splitlines()
    end = next(number for number, line in enumerate(block) if line and not line.startswith("    "))
    return dedent("\n".join(block[:end]))


@pytest.mark.parametrize("documented", [PlanNode, Guard])
def test_the_example_runs(documented):
    names = {}
    exec(example(documented), names)
    node = names["fetch"]
    assert isinstance(node, PlanNode)
    if documented is PlanNode:
        assert node.status is Status.SUCCESS
        assert names["world"].holds(names["goal"])
    else:
        looking = [type(below).__name__ for below in node.iterate() if isinstance(below, Guard)]
        assert "SecondLook" in looking
        assert "Attribute" not in looking
    node.shutdown()
