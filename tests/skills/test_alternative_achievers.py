"""A form's goal is out of reach without the deed that its words ask for, done to the things that they name."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import product

import pytest

from foretree.bringup.doctor import examine
from foretree.config import find_config
from foretree.planning.grounding.compilation import compile_away
from foretree.planning.grounding.grounding import ground
from foretree.planning.pddl.syntax import And, Equal, Literal, Not, Problem, substitute
from foretree.planning.semantics.actions import TypedObjects
from foretree.reasoning.offline.grammar.patterns import Grammar
from foretree.reasoning.phrase_templates import PhraseTemplate
from foretree.skills.alternative_achievers import alternative_achievers
from foretree.skills.catalogue_file import load_catalogue

CATALOGUES = {name: load_catalogue(name) for name in ("household", "tabletop", "home")}
FORMS = [
    pytest.param(catalogue, form, id=f"{name}: {form.skill}: {form.say}")
    for name, catalogue in CATALOGUES.items()
    for skill in catalogue.skills.values()
    for form in skill.forms
]


@pytest.mark.parametrize(("catalogue", "form"), FORMS)
def test_only_the_deed_that_is_asked_for_reaches_the_goal(catalogue, form):
    assert form.wish or alternative_achievers(form, catalogue) == ()


def test_what_is_declared_a_wish_could_come_about_otherwise_somewhere():
    open_to_others: dict[str, bool] = {}
    for catalogue in CATALOGUES.values():
        for form in (form for skill in catalogue.skills.values() for form in skill.forms if form.wish):
            say = re.sub(r"\{\w+\}", "{}", form.say)  # the operators of a domain name their parameters
            open_to_others[say] = open_to_others.get(say, False) or bool(
                alternative_achievers(form, catalogue)
            )
    assert [say for say, found in open_to_others.items() if not found] == []


@pytest.mark.parametrize(
    ("domain", "skill", "say", "goal", "others"),
    [
        # What the forms said once: a glass of water for one who asked for milk, boiled eggs for fried ones.
        (
            "household",
            "pour",
            "pour {item} into {target}",
            "(and (filled {target}) (not (filled {item})))",
            "pour",
        ),
        ("household", "fill", "fill {item} with water", "(filled {item})", "pour"),
        ("household", "heat", "heat {item} in {place}", "(and (hot {item}) (in {item} {place}))", "heat"),
        ("household", "scoop", "scoop from {item}", "(exists (?tool - item) (laden ?tool))", "scoop"),
        ("home", "fill_at_tap", "fill {item} with water", "(filled {item})", "brew_coffee pour_water"),
        ("home", "fry_in_pan", "fry {item}", "(cooked {item})", "put_in_hot_pan boil_in_pot toast_bread"),
        ("tabletop", "pour_away", "pour away {item}", "(not (filled {item}))", "pour_milk water_plant"),
        ("tabletop", "heat_in_microwave", "heat {item}", "(hot {item})", "brew_coffee pour_hot_tea"),
        # A disjunction promises nothing.
        ("household", "open", "open {place}", "(or (open {place}) (turned_on {place}))", ""),
    ],
)
def test_another_deed_is_found_out(domain, skill, say, goal, others):
    found = alternative_achievers(PhraseTemplate(say, goal, skill, (skill,)), CATALOGUES[domain])
    assert set(others.split()) <= set(found)
    assert found or not others


def test_the_template_asks_for_its_own_deed():
    catalogue = load_catalogue(skills=[str(find_config("templates", "skill"))])
    assert [alternative_achievers(form, catalogue) for form in catalogue["my_skill"].forms] == [()]


# -- the same by planning ------------------------------------------------------------------------------------

HOUSEHOLD = CATALOGUES["household"]
#: Of most things two, and of every way to do something one that is not named.
_THINGS = """
robot1: robot, left: hand, right: hand, ann: person, bob: person, door1: door, door2: door, near: waypoint,
far: waypoint, table1: table, table2: table, fridge1: fridge, freezer1: freezer, sink1: sink, sink2: sink,
microwave1: microwave, oven1: oven, rack1: drying_rack, rack2: coat_rack, mug1: mug, jug1: jug, kettle1: kettle,
milk1: milk, knife1: knife, knife2: knife, apple1: apple, bread1: bread, spoon1: spoon, ladle1: ladle,
towel1: towel, cloth1: cloth, cloth2: cloth
"""
THINGS = dict(pair.strip().split(": ") for pair in _THINGS.split(","))


def _task(goal, domain) -> Problem:
    typed = TypedObjects(domain, THINGS)
    atoms = {("rob_at_node", "robot1", "table1"), ("filled", "kettle1"), ("filled", "jug1")}
    for hand in ("left", "right"):
        atoms |= {("rob_has_hand", "robot1", hand), ("hand_free", "robot1", hand)}
    nodes = [name for name in typed.of_type("node") if name != "far"]
    atoms |= {("connected", a, b) for a, b in product(nodes, nodes) if a != b}
    atoms |= {
        ("has_door", door, *ends)
        for door in ("door1", "door2")
        for ends in (("near", "far"), ("far", "near"))
    }
    for name, kind in THINGS.items():
        atoms |= set(HOUSEHOLD.ontology.affordance_atoms(name, kind))
    atoms |= {("on", item, "table1") for item in typed.of_type("item")}
    return Problem("task", domain, THINGS, frozenset(atoms), goal)


def _reachable(goal, domain, so_far=()) -> bool:
    """Whether the goal is within reach when nothing is ever deleted, from a state in which it is not so."""
    problem = _task(goal, domain)
    undone = {part.atom for part in so_far if not part.positive}
    compiled = compile_away(replace(problem, init=problem.init | undone))
    return ground(compiled.problem).solvable


@pytest.mark.parametrize("form", [f for s in HOUSEHOLD.skills.values() for f in s.forms], ids=lambda f: f.say)
def test_the_goal_is_out_of_reach_without_the_deed(form):
    domain = HOUSEHOLD.domain
    pattern = Grammar((form,), domain, HOUSEHOLD.ontology).commands[0]
    typed = TypedObjects(domain, THINGS)
    named = {}
    for slot in pattern.slots:
        fits = (
            name
            for name in typed.of_type(slot.type)
            if name not in named.values()
            and {(need, name) for need in slot.must_afford}
            <= set(HOUSEHOLD.ontology.affordance_atoms(name, THINGS[name]))
        )
        # The kettle is full: no good as what is to be filled, all the better as what is poured.
        full = form.skill == "pour" and slot.name == "item"
        taken = ("jug1", "kettle1", "table1")
        named[slot.stand_in] = "kettle1" if full else next(name for name in fits if name not in taken)
    goal = substitute(pattern.goal, named)
    undone = [goal] if isinstance(goal, Literal) else []
    assert _reachable(goal, domain, undone), "with the deed"
    operator = domain.operators[form.skill]
    same = [Equal(f"?{slot.name}", named[slot.stand_in]) for slot in pattern.slots]
    barred = replace(operator, precondition=And((operator.precondition, Not(And(tuple(same))))))
    without = replace(domain, operators={**domain.operators, operator.name: barred})
    reachable = _reachable(goal, without, undone)
    assert reachable is (form.wish and bool(alternative_achievers(form, HOUSEHOLD)))


def test_doctor_lists_forms_that_another_skill_can_answer(tmp_path, monkeypatch):
    (tmp_path / "skills").mkdir()
    (tmp_path / "skills" / "scrub.yaml").write_text(
        "skill: scrub\nsays: Scrub a held thing.\nexecutor: instant\n"
        'forms: [{say: "scrub {item}", goal: "(clean {item})"}]\n'
        "action: |\n  (:action scrub\n    :parameters (?robot - robot ?hand - hand ?item - item)\n"
        "    :precondition (holding ?robot ?hand ?item)\n    :effect (clean ?item))\n"
    )
    assert next(finding for finding in examine() if finding.part == "skills").ok
    monkeypatch.setenv("FORETREE_CONFIGS", str(tmp_path))
    finding = next(finding for finding in examine() if finding.part == "skills")
    assert not finding.ok
    assert '"scrub {item}" can be answered by wash' in finding.says
