"""What an operator's target is follows from the operator."""

import pytest

from foretree.planning.pddl.parser import parse_domain
from foretree.revision._simulator import Simulator
from foretree.revision.llm._action_space import ActionSpace
from foretree.revision.plan_task import PlanTask
from foretree.revision.rules.precondition_repair import PreconditionRepair
from foretree.skills.catalogue import Catalogue
from foretree.skills.catalogue_file import load_catalogue


def space_of(catalogue):
    repair = PreconditionRepair(Simulator(PlanTask(catalogue.domain)), catalogue.vocabulary)
    return ActionSpace(catalogue.domain, catalogue.vocabulary, catalogue.skills, repair.moves_robot)


@pytest.fixture(scope="module")
def spaces():
    return {name: space_of(load_catalogue(name)) for name in ("household", "tabletop", "home")}


def parts(space, operator):
    shape = space.shape_of(operator)
    found = [shape.target, shape.subject, shape.parent]
    return " ".join("-" if i is None else shape.operator.parameters[i].name[1:] for i in found)


@pytest.mark.parametrize(
    ("domain", "operator", "target_subject_parent"),
    [
        ("household", "pick", "item item place"),
        ("household", "place_in", "place item place"),
        ("household", "handover", "person item person"),
        ("household", "wash", "place item place"),
        ("household", "heat", "item item place"),
        ("household", "cut", "item item place"),
        ("household", "pour", "target target place"),
        ("household", "open", "place place -"),
        ("household", "open_door", "door door -"),
        ("tabletop", "pick_from_surface", "item item place"),
        ("tabletop", "unstack", "item item below"),
        ("tabletop", "stack_on", "below item below"),
        ("tabletop", "put_in_microwave", "place item place"),
        ("tabletop", "rinse_item", "place place -"),
        ("tabletop", "open_door", "d d -"),
        ("tabletop", "wipe_window", "place tool place"),
        ("home", "pick_from_container", "item item place"),
        ("home", "take_out_of_item", "item item holder"),
        ("home", "put_on_surface", "place item place"),
        ("home", "put_in_item", "holder item holder"),
        ("home", "put_under_coffee_machine", "place item place"),
        ("home", "open_container", "place place -"),
        ("home", "open_item", "item item -"),
        ("home", "heat_in_microwave", "place place -"),
        ("home", "wash_at_tap", "place item place"),
        ("home", "pour_water", "target item target"),
        ("home", "slice_food", "item tool item"),
    ],
)
def test_targets_and_parents(spaces, domain, operator, target_subject_parent):
    assert parts(spaces[domain], operator) == target_subject_parent


def test_moves_are_no_part_of_it(spaces):
    for space in spaces.values():
        assert "move" in space.moves
        assert "move" not in space.shapes
    for name in ("tabletop", "home"):
        assert spaces[name].shape_of("move_robot") is None


@pytest.mark.parametrize(("domain", "at_least"), [("tabletop", 11), ("home", 5)])
def test_operators_go_by_what_the_robot_is_told(spaces, domain, at_least):
    space = spaces[domain]
    assert space.type_of("pick_from_surface") == "pick"
    picking = {name for name, skill in load_catalogue(domain).skills.items() if skill.order == "pick"}
    assert {shape.operator.name for shape in space.shapes["pick"]} == picking
    assert len(picking) >= at_least


def test_any_pddl_domain_has_one():
    domain = parse_domain(
        """(define (domain blocks) (:requirements :strips :typing) (:types block)
        (:predicates (on ?x ?y - block) (clear ?x - block) (idle))
        (:action stack :parameters (?x ?y - block) :precondition (clear ?y) :effect (on ?x ?y))
        (:action rest :parameters () :precondition (idle) :effect (idle)))"""
    )
    space = space_of(Catalogue.from_domain(domain))
    assert parts(space, "stack") == "x x -"
    assert parts(space, "rest") == "- - -"
    assert ("rest", "none") in {(kind, target) for kind, _, target, _ in space.described()}
