"""Options: one after the other or all at once, from YAML, and what makes no sense."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from itertools import permutations
from pathlib import Path

import pytest
from expansions import NAMES, base_problem, told
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_bases import tasks

from foretree import _yaml
from foretree.config import ConfigError
from foretree.planning.expansion.expand import ExpandedDomain, expand
from foretree.planning.expansion.expansion_errors import AlreadyExpandedError, ExpansionOptionError
from foretree.planning.expansion.options import Expansion, read_expansion
from foretree.planning.pddl.parser import parse_domain
from foretree.planning.pddl.syntax import Operator
from foretree.planning.pddl.writer import write_domain

ONE_EACH = [
    Expansion(navigation=True),
    Expansion(doors=True),
    Expansion(hands=2),
    Expansion(costs=True),
    Expansion(robots=2),
]
ALL = reduce(Expansion.__or__, ONE_EACH)


# -- any order -----------------------------------------------------------------------------------------
def same(first: ExpandedDomain, second: ExpandedDomain) -> bool:
    """Equal, and written the same: the order of everything included."""
    return first == second and write_domain(first) == write_domain(second)


def test_every_order_gives_the_same_domain():
    base = base_problem("crew").domain
    at_once = expand(base, ALL)
    for order in permutations(ONE_EACH):
        assert same(reduce(expand, order, base), at_once)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_some_orders_of_the_corpus(name, data):
    base = base_problem(name).domain
    steps = [*ONE_EACH, told(name)]
    if name == "tray":
        steps.append(Expansion(two_handed=("put_tray",)))
        steps.append(Expansion(two_handed=("lift_tray",)))
    order = data.draw(st.permutations(steps))
    assert same(reduce(expand, order, base), expand(base, reduce(Expansion.__or__, steps)))


@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(task=tasks(), data=st.data())
def test_some_orders_of_random_domains(task, data):
    problem, options, _ = task
    first = Expansion(hand_free="unbusy", holding=("has",))
    steps = [
        Expansion(navigation=True),
        Expansion(costs=True),
        Expansion(hands=2),
        Expansion(carry=options.carry),
    ]
    order = data.draw(st.permutations(steps))
    at_once = expand(problem.domain, reduce(Expansion.__or__, [first, *steps]))
    assert same(reduce(expand, [first, *order], problem.domain), at_once)


def test_the_order_of_names_does_not_matter():
    assert Expansion(carry=("on", "IN", "on")) == Expansion(carry=("in", "on"))


# -- twice -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", NAMES)
def test_expanding_again_changes_nothing(name):
    options = ALL | told(name)
    once = expand(base_problem(name).domain, options)
    assert same(expand(once, options), once)


@pytest.mark.parametrize("name", NAMES)
def test_what_was_written_is_not_expanded_again(name):
    text = write_domain(expand(base_problem(name).domain, ALL | told(name)))
    with pytest.raises(AlreadyExpandedError, match="has been expanded before: it has rob_at_node"):
        expand(parse_domain(text), ALL)


def test_what_was_changed_afterwards_is_not_expanded_again():
    once = expand(base_problem("blocks").domain, Expansion(navigation=True))
    changed = replace(once, operators={**once.operators, "wait": Operator("wait", ())})
    with pytest.raises(AlreadyExpandedError):
        expand(changed, Expansion(doors=True))


def test_costs_alone_can_be_written_and_expanded():
    base = base_problem("blocks").domain
    text = write_domain(expand(base, Expansion(costs=True)))
    assert expand(parse_domain(text), ALL) == expand(base, ALL)


# -- what follows from what --------------------------------------------------------------------------
def test_doors_and_carrying_need_places():
    base = base_problem("tray").domain
    assert expand(base, Expansion(doors=True)) == expand(base, Expansion(doors=True, navigation=True))
    assert expand(base, Expansion(carry=("on",))) == expand(base, Expansion(carry=("on",), navigation=True))


def test_two_hands_at_once_need_hands():
    base = base_problem("tray").domain
    lift = Expansion(two_handed=("lift_tray",))
    assert lift.hands_each == 2
    assert expand(base, lift) == expand(base, lift | Expansion(hands=2))


# -- mistakes --------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"hands": 0}, r"hands is 0; it must be a whole number from 1 on"),
        ({"hands": -2}, r"hands is -2"),
        ({"robots": 0}, r"robots is 0"),
        ({"nesting": -1}, r"nesting is -1; it must be a whole number from 0 on"),
        ({"hands": 1, "two_handed": ("lift",)}, r"lift takes two hands at once, and hands is 1"),
        ({"mobile": ("trolley",)}, r"name them under carry"),
    ],
)
def test_options_that_make_no_sense(values, says):
    with pytest.raises(ExpansionOptionError, match=says):
        Expansion(**values)


def test_options_that_contradict_each_other():
    with pytest.raises(ExpansionOptionError, match="hands is 2 in one expansion and 3 in the other"):
        Expansion(hands=2) | Expansion(hands=3)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (Expansion(two_handed=("lift_try",)), r'two_handed names "lift_try".*Did you mean lift_tray'),
        (Expansion(carry=("onn",)), r'carry names "onn".*Did you mean on'),
        (Expansion(carry=("laden",)), r'carry names "laden", which is not a predicate of two arguments'),
        (
            Expansion(carry=("on",), mobile=("trai",)),
            r'mobile names "trai", which is not a type.*Did you mean tray',
        ),
        (Expansion(navigation=True, placeless=("cop",)), r'placeless names "cop".*Did you mean cup'),
        (Expansion(doors=True, door_open="on"), r'door_open names "on", which is not a unary predicate'),
        (Expansion(doors=True, door_open="drunk"), r"takes only things of type cup"),
    ],
)
def test_options_that_name_what_is_not_there(options, says):
    with pytest.raises(ExpansionOptionError, match=says):
        expand(base_problem("tray").domain, options)


def test_an_untyped_domain_names_unary_predicates_where_a_typed_one_names_types():
    base = base_problem("nested").domain
    assert "push_container" in expand(base, Expansion(carry=("in",), mobile=("container",))).operators
    with pytest.raises(
        ExpansionOptionError, match=r'"shut", which is not a unary predicate that never changes'
    ):
        expand(base, Expansion(carry=("in",), mobile=("shut",)))


# -- YAML ----------------------------------------------------------------------------------------------
YAML = """\
name: something
expand:
  navigation: true
  hands: true
  robots: 2
  carry: [on, in]
  two_handed: lift_tray
"""


def read(text: str, folder: Path) -> Expansion:
    path = folder / "options.yaml"
    path.write_text(text, encoding="utf-8")
    return read_expansion(_yaml.load(text)["expand"], path, ("expand",))


def test_options_are_read(tmp_path):
    assert read(YAML, tmp_path) == Expansion(
        navigation=True, hands=2, robots=2, carry=("on", "in"), two_handed=("lift_tray",)
    )
    assert read("expand: {hands: false}", tmp_path) == Expansion()


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (
            "door_opn: open",
            r"options\.yaml:8: expand\.door_opn: there is no such key. Did you mean door_open",
        ),
        ("costs: 3", r"options\.yaml:8: expand\.costs: "),
        ("carry: {on: in}", r"options\.yaml:\d: expand\.carry: "),
        ("mobile: [1]", r"options\.yaml:8: expand\.mobile\.0: "),
        ("nesting: -1", r"options\.yaml:8: expand\.nesting: nesting is -1"),
    ],
)
def test_mistakes_in_yaml(line, says, tmp_path):
    text = YAML.replace("  carry: [on, in]\n", "") if line.startswith("carry") else YAML
    with pytest.raises(ConfigError, match=says):
        read(f"{text}  {line}\n", tmp_path)


def test_hands_that_yaml_counts_too_low(tmp_path):
    with pytest.raises(ConfigError, match=r"options\.yaml:4: expand\.hands: hands is 0"):
        read(YAML.replace("hands: true", "hands: 0"), tmp_path)
