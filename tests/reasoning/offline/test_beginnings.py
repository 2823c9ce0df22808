"""What a request begins with is said after it, and done before the rest."""

from __future__ import annotations

import pytest

from foretree.planning.constraints.constraints import Before
from foretree.planning.pddl.syntax import Literal
from foretree.reasoning.instruction_errors import NotUnderstoodError
from foretree.reasoning.offline.sentences.rewording.beginnings import with_beginnings_told

VERBS = {"wash", "put", "bring", "open", "start", "begin"}


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (
            "wash the cup and the jug, begin with the jug",
            "first wash the jug , then wash the cup",
        ),
        (
            "Bring me the hat, the scarf and the coat, but take the coat first.",
            "first bring me the coat , then bring me the hat and the scarf .",
        ),
        (
            "please put the pen and the ruler in the box, ruler first",
            "please first put the ruler in the box , then put the pen in the box",
        ),
        (
            "wash all the jugs starting with the blue jug",
            "first wash the blue jug , then wash all the jugs",
        ),
    ],
)
def test_it_is_put_first(said, told):
    assert with_beginnings_told(said, VERBS) == told


@pytest.mark.parametrize(
    "said",
    [
        "wash the cup first, then the jug",
        "start with the jug, then wash the cup",
        "wash the cup and the jug, then begin with washing the hat",
        "bring me the hat, first wash it",
        "open the first drawer",
    ],
)
def test_other_words_of_order_are_left(said):
    assert with_beginnings_told(said, VERBS) == said


def test_the_order_is_kept(reasoner, situation):
    found = reasoner.understand("wash the plate and the bottle, and start with the bottle", situation)
    bottle, plate = (Literal(("clean", name)) for name in ("bottle1", "plate1"))
    assert found.constraints == (Before(bottle, plate),)


def test_what_is_none_of_the_things_is_refused(reasoner, situation):
    with pytest.raises(NotUnderstoodError, match="done first"):
        reasoner.understand("wash the plate and the bottle, begin with the knife", situation)
