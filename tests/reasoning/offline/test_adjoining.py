"""Places beside things: "put the mug next to the plate"."""

from __future__ import annotations

import pytest

from foretree.planning.pddl.syntax import show
from foretree.reasoning.instruction_errors import InstructionError, NotUnderstoodError


def test_beside_a_thing_is_on_what_it_rests_on(reasoner, situation):
    found = reasoner.understand("put mug2 next to the plate", situation)
    assert show(found.goal) == "(on mug2 table1)"
    assert found.sentence == "put mug2 on table1, next to the plate"


def test_beside_one_of_several_at_different_places_is_asked(reasoner, situation):
    found = reasoner.understand("put the plate beside the pillow", situation)
    assert {show(reading.goal) for reading in found.readings} == {"(on plate1 sofa1)", "(on plate1 table2)"}


@pytest.mark.parametrize("said", ["put mug2 by the sofa", "leave the plate near the sink"])
def test_beside_furniture_may_be_the_floor(reasoner, situation, said):
    with pytest.raises(NotUnderstoodError, match="Name the place itself"):
        reasoner.understand(said, situation)


def test_what_is_only_told_by_what_is_beside_it_is_not_put_there(reasoner, situation):
    with pytest.raises(InstructionError):
        reasoner.understand("wash the mug next to the unicorn", situation)
    assert (
        show(reasoner.understand("pick up the mug next to the plate", situation).goal) != "(on mug1 table1)"
    )
