"""Words that may mean one of several things: a reading for each."""

import pytest

from foretree.planning.pddl.syntax import show
from foretree.reasoning.instruction_errors import AmbiguousError

READINGS = [
    ("put the mug in the sink", ["(in mug1 sink1)", "(in mug2 sink1)"]),
    ("put the mango on the table", ["(on mango1 table1)", "(on mango1 table2)"]),
    ("wash the apple on the table", ["(clean apple1)"]),
    ("bring me a mug from the table", ["(given mug1 anna)", "(given mug2 anna)"]),
    (
        "wash the plate and bring me the pillow on the sofa",
        ["(and (clean plate1) (given pillow1 anna))", "(and (clean plate1) (given pillow2 anna))"],
    ),
    (
        "put the mug on the table",
        ["(on mug1 table1)", "(on mug2 table1)", "(on mug1 table2)", "(on mug2 table2)"],
    ),
    ("take the mug and put it into the sink", ["(in mug1 sink1)", "(in mug2 sink1)"]),
]


@pytest.mark.parametrize(("said", "goals"), READINGS, ids=[case[0][:40] for case in READINGS])
def test_words_for_one_of_several_things_have_a_reading_for_each(reasoner, situation, said, goals):
    found = reasoner.understand(said, situation)
    assert sorted(show(one.goal) for one in found.readings) == sorted(goals if len(goals) > 1 else [])
    assert show(found.goal) in goals


def test_the_readings_are_told_apart_by_their_places(reasoner, situation):
    found = reasoner.understand("wash the mug", situation)
    assert [one.words for one in found.readings] == ["mug1 on table1", "mug2 on table2"]
    assert found.sentence == "wash the mug"


def test_what_may_be_too_many_things_is_not_asked_about(reasoner, situation):
    with pytest.raises(AmbiguousError, match=r'"the dish" could be any of \d'):
        reasoner.understand("put the dish on the table", situation)
