"""How something is to be done: refused where nobody can watch it, left out where it changes nothing."""

import pytest

from foretree.planning.pddl.syntax import show
from foretree.reasoning.instruction_errors import NotUnderstoodError
from foretree.reasoning.offline.commands import CommandReasoner


@pytest.mark.parametrize(
    "said",
    [
        "hold the bottle upright",
        "bring me the bottle and keep it level",
        "carry the bottle to the sink without spilling",
        "bring me the plate but don't break it",
        "put the bottle upside down on the counter",
        "fetch the plate without making a mess",
    ],
)
def test_what_nobody_can_watch_is_refused(situation, said):
    with pytest.raises(NotUnderstoodError, match="cannot be watched"):
        CommandReasoner().understand(said, situation)


@pytest.mark.parametrize(
    ("said", "left_out"),
    [
        ("carefully wash the plate", '"carefully"'),
        ("wash the plate, and be gentle", '"be gentle"'),
        ("quickly, please wash the plate very carefully", '"quickly" and "very carefully"'),
    ],
)
def test_adverbs_that_change_nothing_are_said_to_be_left_out(situation, said, left_out):
    found = CommandReasoner().understand(said, situation)
    assert show(found.goal) == "(clean plate1)"
    assert found.sentence.endswith(f"; {left_out} changes nothing about how it is done")


def test_to_drop_something_somewhere_can_be_forbidden(situation):
    found = CommandReasoner().understand("wash the plate, but don't drop it into the fridge", situation)
    assert show(found.goal) == "(clean plate1)"
    assert found.constraints
