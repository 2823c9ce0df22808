"""`foretree domain expand`: what is written, and what every mistake says."""

from __future__ import annotations

from pathlib import Path

import pytest
from expansions import CORPUS
from typer.testing import CliRunner

from foretree.cli import app
from foretree.errors import ForetreeError
from foretree.planning.expansion.expand import expand
from foretree.planning.expansion.files import expand_file
from foretree.planning.expansion.options import Expansion
from foretree.planning.pddl.parser import parse_domain, read_domain

BLOCKS = CORPUS / "blocks" / "domain.pddl"
TRAY = CORPUS / "tray" / "domain.pddl"


def run(*words: object) -> str:
    """What the command prints."""
    result = CliRunner().invoke(app, ["domain", "expand", *map(str, words)])
    if isinstance(result.exception, ForetreeError):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.output


def test_the_result_is_printed():
    text = run(BLOCKS, "--navigation", "--doors", "--hands", "2", "--costs")
    options = Expansion(navigation=True, doors=True, hands=2, costs=True)
    assert parse_domain(text) == expand(read_domain(BLOCKS), options)


def test_the_result_is_written(tmp_path):
    output = tmp_path / "out.pddl"
    assert run(BLOCKS, "--navigation", "-o", output) == f"Wrote {output}.\n"
    assert read_domain(output) == expand(read_domain(BLOCKS), Expansion(navigation=True))


def test_every_option(tmp_path):
    anchors = tmp_path / "anchors.yaml"
    anchors.write_text("hand_free: hand_empty\nholding: holding\n", encoding="utf-8")
    text = run(
        TRAY, "--carry", "on", "--two-handed", "lift_tray, put_tray", "--mobile", "tray", "--robots", 2,
        "--placeless", "cup", "--anchors", anchors,
    )  # fmt: skip
    options = Expansion(
        carry=("on",), two_handed=("lift_tray", "put_tray"), mobile=("tray",), robots=2, placeless=("cup",)
    )
    assert parse_domain(text) == expand(read_domain(TRAY), options)


def test_it_says_what_a_problem_needs():
    head = [
        line
        for line in run(TRAY, "--doors", "--hands", 2, "--costs", "--carry", "on").splitlines()
        if line[0] == ";"
    ]
    assert head[0] == "; Expanded from domain.pddl with doors, hands: 2, costs, carry: on."
    assert "; (hand_empty) has become (hand_free ?r ?h)." in head
    assert "; (holding ?i) has become (holding ?r ?h ?i)." in head
    for predicate in ("rob_has_hand", "rob_at_node", "obj_at_node", "connected", "has_door", "travel_cost"):
        assert any(f"({predicate} ?" in line for line in head), predicate


def test_it_says_only_what_a_problem_needs():
    text = run(BLOCKS, "--costs")
    assert "(= (total-cost) 0)" in text
    assert "hand" not in text.split("(define")[0]


# -- mistakes --------------------------------------------------------------------------------------------
def mistake(*words: object) -> str:
    with pytest.raises(ForetreeError) as caught:
        run(*words)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def changed(folder: Path, path: Path, old: str, new: str) -> Path:
    text = path.read_text(encoding="utf-8")
    assert old in text
    copy = folder / "base.pddl"
    copy.write_text(text.replace(old, new), encoding="utf-8")
    return copy


def test_nothing_to_add():
    assert "Say what to add to the domain" in mistake(BLOCKS)


def test_the_base_is_not_overwritten(tmp_path):
    copy = changed(tmp_path, BLOCKS, "blocks", "bricks")
    assert "is the domain that is to be expanded" in mistake(copy, "--navigation", "-o", copy)


def test_a_place_that_cannot_be_written(tmp_path):
    assert "Cannot write" in mistake(BLOCKS, "--navigation", "-o", tmp_path / "no" / "out.pddl")


def test_no_such_file():
    assert "Cannot read the PDDL file nothing.pddl" in mistake("nothing.pddl", "--navigation")


def test_a_syntax_error(tmp_path):
    copy = changed(
        tmp_path, BLOCKS, "(holding ?x)))\n  (:action put-down", "(holding ?x))\n  (:action put-down"
    )
    assert f"{copy}:9:3: (:action begins inside" in mistake(copy, "--navigation")


def test_no_anchors(tmp_path):
    hanoi = tmp_path / "hanoi.pddl"
    hanoi.write_text(
        "; Disks that move by themselves.\n(define (domain hanoi) (:predicates (on ?d ?p) (clear ?p))\n"
        "(:action move :parameters (?d ?p ?q) :precondition (and (on ?d ?p) (clear ?q))\n"
        ":effect (and (on ?d ?q) (clear ?p) (not (on ?d ?p)) (not (clear ?q)))))"
    )
    says = mistake(hanoi, "--navigation")
    assert f'{hanoi}:2:9: No pair of predicates of the domain "hanoi" means' in says
    assert "hand_free: … and holding: …" in says


def test_unclear_anchors(tmp_path):
    copy = changed(tmp_path, BLOCKS, "(clear ?x) (handempty) (on", "(clear ?x) (on")
    says = mistake(copy, "--navigation")
    assert f"{copy}:4:63: (holding ?x) and (on ?x ?y) change as a free hand and a held thing do" in says


def test_ambiguous_anchors(tmp_path):
    copy = changed(tmp_path, BLOCKS, "(not (holding ?x))", "(not (holding ?x)) (not (lifted ?x))")
    text = copy.read_text().replace("(holding ?x))\n  (:action", "(holding ?x) (lifted ?x))\n  (:action")
    copy.write_text(
        text.replace("(not (handempty)) (holding ?x)", "(not (handempty)) (holding ?x) (lifted ?x)")
    )
    says = mistake(copy, "--navigation")
    assert f'{copy}:5:12: "pick-up" makes (holding ?x) and (lifted ?x) true at once' in says
    assert "holding: holding" in says


def test_what_cannot_take_two_hands(tmp_path):
    says = mistake(TRAY, "--two-handed", "lift_tray,put_tray,drink,fold")
    assert 'two_handed names "fold"' in says
    copy = changed(tmp_path, TRAY, "(:action drink", "(:action wink :parameters ()) (:action drink")
    says = mistake(copy, "--two-handed", "wink")
    assert (
        f'{copy}:30:12: two_handed names "wink", which cannot be made to take two hands: it needs no hand'
        in says
    )
    says = mistake(CORPUS / "grippers" / "domain.pddl", "--two-handed", "grab")
    assert "domain.pddl:6:12" in says
    assert "it names its hands itself" in says


def test_unknown_names():
    assert f'{TRAY}: carry names "onn"' in mistake(TRAY, "--carry", "onn")
    assert f'{TRAY}: mobile names "trolley"' in mistake(TRAY, "--carry", "on", "--mobile", "trolley")


def test_too_few_hands():
    assert "hands is 0" in mistake(BLOCKS, "--hands", "0")
    assert "hands is -1" in mistake(BLOCKS, "--hands", "-1")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("(laden ?t - tray)", "(laden ?t - tray) (connected ?a ?b)", '5:94: The predicate "connected"'),
        ("surface item - object", "surface item node - object", '4:24: The type "node"'),
        (
            "(:action drink",
            "(:action open_door :parameters ()) (:action drink",
            '30:12: The action "open_door"',
        ),
    ],
)
def test_names_that_are_taken(old, new, says, tmp_path):
    copy = changed(tmp_path, TRAY, old, new)
    found = mistake(copy, "--doors")
    assert found.startswith(f"{copy}:{says}")
    assert "rename it in the domain" in found


def test_a_domain_that_was_expanded(tmp_path):
    output = tmp_path / "out.pddl"
    run(BLOCKS, "--navigation", "-o", output)
    says = mistake(output, "--hands", 2)
    assert says.startswith(f"{output}:")
    assert "has been expanded before: it has rob_at_node and obj_at_node" in says


def test_a_mistake_in_the_file_of_anchors(tmp_path):
    anchors = tmp_path / "anchors.yaml"
    anchors.write_text("hand_fre: handempty\n", encoding="utf-8")
    assert f"{anchors}:1: hand_fre: there is no such key" in mistake(
        BLOCKS, "--navigation", "--anchors", anchors
    )


def test_expanding_a_file_in_a_program():
    domain = expand_file(BLOCKS, Expansion(navigation=True))
    assert domain.base == read_domain(BLOCKS)
    assert domain.options.navigation


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        (
            "holding: inhnd",
            r'\.yaml:2: holding: holding names "inhnd", which is not a predicate.*Valid: .*holding',
        ),
        (
            "holding: (holding ?item",
            r'holding is "\(holding \?item", which is neither a name nor a name with',
        ),
        ("robots: both", r"\.yaml:2: robots: expected true or false, or a whole number, not 'both'\."),
        ("carry: [onn]", r'\.yaml:2: carry: carry names "onn".*Did you mean on'),
        ("two_handed: [lift]", r'\.yaml:2: two_handed: two_handed names "lift".*lift_tray'),
    ],
)
def test_a_mistake_of_the_options_file_is_told_by_its_place_there(tmp_path, said, problem):
    options = tmp_path / "options.yaml"
    options.write_text(f"hands: 2\n{said}\n", encoding="utf-8")
    with pytest.raises(ForetreeError, match=problem) as caught:
        run(TRAY, "--navigation", "--anchors", options)
    assert caught.value.exit_code == 2


def test_what_kinds_things_are_of_is_said_where_there_are_no_types(tmp_path):
    base = tmp_path / "base.pddl"
    base.write_text(
        """(define (domain d) (:predicates (free) (held ?x) (lies ?x))
             (:action pick :parameters (?x) :precondition (and (free) (lies ?x))
               :effect (and (held ?x) (not (free)) (not (lies ?x))))
             (:action put :parameters (?x) :precondition (held ?x)
               :effect (and (not (held ?x)) (free) (lies ?x))))"""
    )
    head = [line for line in run(base, "--doors", "--hands", 2).splitlines() if line[0] == ";"]
    for kind in ("robot", "hand", "node", "door"):
        assert f";   ({kind} ?x) for each {kind}" in head
    assert not any("for each node" in line for line in run(TRAY, "--doors").splitlines())
