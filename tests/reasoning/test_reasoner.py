from __future__ import annotations

import inspect
from textwrap import dedent

import pytest

from foretree.planning.pddl.syntax import show
from foretree.reasoning.instruction_errors import InstructionError
from foretree.reasoning.reasoner import Reasoner


def test_the_example_of_a_reasoner_of_ones_own(situation):
    example = inspect.getdoc(Reasoner).partition("::\n")[2]
    names: dict = {}
    exec(dedent(example), names)
    butler: Reasoner = names["Butler"]()
    assert show(butler.understand("I am thirsty", situation).goal) == "(exists (?m - mug) (filled ?m))"
    with pytest.raises(InstructionError, match="Say that you are thirsty"):
        butler.understand("dance", situation)
