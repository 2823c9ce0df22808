"""Grounded problems as Fast Downward reads them."""

from __future__ import annotations

from foretree.planning.grounding.ground_task import GroundOperator, GroundTask, SignedAtom, SignedEffect
from foretree.planning.solvers.finite_domain.sas_encoding import finite_domain
from foretree.world_model.beliefs.facts import Atom


def operators_of(*operators: GroundOperator) -> list[list[str]]:
    p, q, r = ("p",), ("q",), ("r",)
    atoms = frozenset({p, q, r})
    text = finite_domain(
        GroundTask(operators, frozenset({p}), atoms, atoms, ((q, True), (r, False)), (), False, None)
    ).text
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
        (SignedEffect((("q",), True)), SignedEffect((("p",), False))),
        3,
    )
    assert operators_of(swap) == [["0", "1", "1 1", "2", "0 0 -1 0", "0 2 0 1", "3"]]


def test_an_addition_wins_over_a_deletion() -> None:
    both = GroundOperator("both", (), (), (SignedEffect((("q",), False)), SignedEffect((("q",), True))), 1)
    assert operators_of(both) == [["0", "0", "1", "0 0 -1 0", "1"]]


def test_a_conditional_addition_wins_where_it_happens() -> None:
    effects = (SignedEffect((("q",), True), ((("p",), True), (("r",), True))), SignedEffect((("q",), False)))
    (lines,) = operators_of(GroundOperator("some", (), (), effects, 1))
    assert lines[2:6] == ["3", "2 2 0 1 0 0 -1 0", "1 2 1 0 -1 1", "1 1 1 0 -1 1"]


def test_an_operator_that_changes_nothing_is_left_out_and_the_others_keep_their_numbers() -> None:
    idle = GroundOperator("idle", (), ((("p",), True),), (SignedEffect((("p",), True)),), 1)
    real = GroundOperator("real", (), (), (SignedEffect((("q",), True)),), 1)
    assert [lines[0] for lines in operators_of(idle, real)] == ["1"]


def grounding_of(*operators: GroundOperator, init: Atom, goal: SignedAtom) -> GroundTask:
    atoms = tuple(sorted({e.literal[0] for o in operators for e in o.effects} | {init}))
    return GroundTask(
        operators, frozenset({init}), frozenset(atoms), frozenset({init}), (goal,), (), False, None, (atoms,)
    )


def go(start: str, end: str) -> GroundOperator:
    effects = (SignedEffect(((end,), True)), SignedEffect(((start,), False)))
    return GroundOperator("go", (start, end), (((start,), True),), effects, 1)


def test_atoms_that_exclude_each_other_share_a_variable() -> None:
    text = finite_domain(grounding_of(go("p", "q"), go("q", "r"), init=("p",), goal=(("r",), True))).text
    assert text.count("begin_variable") == 1
    assert "0 0 1 2" in text.split("\n")  # from p, the second value after the goal's r, to q


def test_an_atom_that_is_tested_to_be_false_keeps_a_variable_of_its_own() -> None:
    unless = GroundOperator("unless", (), ((("q",), False),), (SignedEffect((("r",), True)),), 1)
    text = finite_domain(grounding_of(go("p", "q"), unless, init=("p",), goal=(("r",), True))).text
    assert text.count("begin_variable") == 2
    assert text.count("NegatedAtom q()") == 1


def test_an_atom_that_is_deleted_unseen_keeps_a_variable_of_its_own() -> None:
    sweep = GroundOperator("sweep", (), (), (SignedEffect((("q",), False)),), 1)
    text = finite_domain(
        grounding_of(go("p", "q"), go("q", "r"), sweep, init=("p",), goal=(("r",), True))
    ).text
    assert text.count("begin_variable") == 2
    assert text.count("NegatedAtom q()") == 1
