"""Grounded problems as Fast Downward reads them."""

from __future__ import annotations

from foretree.planning.grounding import GroundEffect, Grounding, GroundOperator
from foretree.planning.solvers.sas import write_sas


def operators_of(*operators: GroundOperator) -> list[list[str]]:
    p, q, r = ("p",), ("q",), ("r",)
    atoms = frozenset({p, q, r})
    text = write_sas(
        Grounding(operators, frozenset({p}), atoms, atoms, ((q, True), (r, False)), (), False, None)
    )
    lines = text.split("\n")
    starts = [i for i, line in enumerate(lines) if line == "begin_operator"]
    ends = [i for i, line in enumerate(lines) if line == "end_operator"]
    return [lines[start + 1 : end] for start, end in zip(starts, ends, strict=True)]


def test_an_operator_tests_before_it_changes() -> None:
    # The goal numbers the atoms first: q is variable 0, r is 1, p is 2; the value 0 is true.
    swap = GroundOperator(
        "swap",
        (),
        ((("p",), True), (("r",), False)),
        (GroundEffect((("q",), True)), GroundEffect((("p",), False))),
        3,
    )
    assert operators_of(swap) == [["0", "1", "1 1", "2", "0 0 -1 0", "0 2 0 1", "3"]]


def test_an_addition_wins_over_a_deletion() -> None:
    both = GroundOperator("both", (), (), (GroundEffect((("q",), False)), GroundEffect((("q",), True))), 1)
    assert operators_of(both) == [["0", "0", "1", "0 0 -1 0", "1"]]


def test_a_conditional_addition_wins_where_it_happens() -> None:
    effects = (GroundEffect((("q",), True), ((("p",), True), (("r",), True))), GroundEffect((("q",), False)))
    (lines,) = operators_of(GroundOperator("some", (), (), effects, 1))
    assert lines[2:6] == ["3", "2 2 0 1 0 0 -1 0", "1 2 1 0 -1 1", "1 1 1 0 -1 1"]


def test_an_operator_that_changes_nothing_is_left_out_and_the_others_keep_their_numbers() -> None:
    idle = GroundOperator("idle", (), ((("p",), True),), (GroundEffect((("p",), True)),), 1)
    real = GroundOperator("real", (), (), (GroundEffect((("q",), True)),), 1)
    assert [lines[0] for lines in operators_of(idle, real)] == ["1"]
