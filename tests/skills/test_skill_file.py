"""Mistakes in skill files: each is refused with its place and with what would have been valid."""

from __future__ import annotations

import pytest

from foretree.errors import ForetreeError
from foretree.skills.catalogue_file import load_catalogue

GOOD = """\
skill: polish
says: Polish a held thing.
predicates:
  polished: {signature: "(polished ?item - item)"}
action: |
  (:action polish
    :parameters (?robot - robot ?hand - hand ?item - item)
    :precondition (holding ?robot ?hand ?item)
    :effect (polished ?item))
executor: act
resources: ["?hand"]
time_out: 30
forms:
  - say: "(polish|shine) {item}"
    goal: "(polished {item})"
"""


@pytest.fixture
def load(tmp_path):
    def load(text: str):
        path = tmp_path / "polish.yaml"
        path.write_text(text)
        return load_catalogue(skills=[str(path)])["polish"]

    return load


def test_the_example_is_good(load):
    skill = load(GOOD)
    assert (skill.time_out, skill.retries, skill.watch) == (30, 1, True)
    assert skill.forms[0].goal == "(polished {item})"


def test_an_unquoted_parameter_among_the_resources_is_understood(load):
    assert load(GOOD.replace('["?hand"]', "[?hand, base]")).resources == ("?hand", "base")


SAY, GOAL = '{item}"\n    goal', '(polished {item})"'


@pytest.mark.parametrize(
    ("before", "after", "problem"),
    [
        ("time_out: 30", "timeout: 30", r"yaml:12: timeout: there is no such key\. Did you mean time_out\?"),
        ("time_out: 30", "time_out: soon", r"yaml:12: time_out: .* not 'soon'"),
        ("time_out: 30", "time_out: 0", r"yaml:12: time_out: expected a number above 0, not 0"),
        ("time_out: 30", "certainty: 1.5", r"yaml:12: certainty: expected a number up to 1, not 1.5"),
        ("says: Polish a held thing.\n", "", r"polish\.yaml:1: says: is missing"),
        ("executor: act", "executor: actt", r"yaml:10: executor: .*'actt'.*Did you mean act\?.*module:name"),
        ('["?hand"]', '["?hnad"]', r"yaml:11: resources\.0: '\?hnad' is no par.*Did you mean \?hand\?"),
        ("action polish", "action polis", r"yaml:5: action: the action is called 'polis', but the skill"),
        (SAY, SAY.replace("item", "itm"), r"yaml:14: forms\.0\.say: \{itm\} is no parameter of the action"),
        ("(polish|shine)", "(polish|shine", r"yaml:14: forms\.0\.say: alternatives are written \(put\|pl"),
        (GOAL, '(polished {hand})"', r"yaml:15: forms\.0\.goal: \{hand\} is no parameter that the form says"),
        (
            GOAL,
            '(polishd {item})"',
            r"yaml:15: forms\.0\.goal: .*column 2: .*polishd.* mean \(polished \?item",
        ),
        (GOAL, '(clean {item}) (folded {itm})"', r"forms\.0\.goal: \{itm\} is no parameter .* mean item\?"),
        (GOAL, '(polished {item}"', r"yaml:15: forms\.0\.goal: "),
        ("    goal:", "    gaol:", r"yaml:15: forms\.0\.gaol: there is no such key\. Did you mean goal\?"),
        ("item - item)", "item - itm)", r"yaml:4: predicates\.polished\.signature: .*itm.*Did you mean item"),
        ('"(polished', '"(polishd', r"yaml:4: predicates\.polished\.signature: write \(polished"),
        ('item)"}', 'item)", kind: state}', r"yaml:4: predicates\.polished\.kind: .*'place'.*not 'state'"),
        ('item)"}', 'item)", shelflife: 3}', r"predicates\.polished\.shelflife: .*Did you mean shelf_life"),
    ],
)
def test_a_mistake_is_refused_with_its_line_and_what_would_be_valid(load, before, after, problem):
    assert before in GOOD
    with pytest.raises(ForetreeError, match=problem):
        load(GOOD.replace(before, after, 1))


@pytest.mark.parametrize(
    ("before", "after", "place"),
    [
        ("holding ?robot ?hand", "holdin ?robot ?hand", r"polish\.yaml:8:20: .*Did you mean \(holding "),
        ("?hand - hand", "?hand - hadn", r"polish\.yaml:7:41: .*Did you mean hand"),
        ("(polished ?item))", "(polished ?thing))", r"polish\.yaml:9:\d+: .*\?thing"),
        ("(polished ?item))\n", "(polished ?item)\n", r"polish\.yaml:6:\d+: .*never closed"),
    ],
)
def test_a_mistake_in_the_pddl_is_placed_in_the_yaml_file(load, before, after, place):
    assert before in GOOD
    with pytest.raises(ForetreeError, match=place):
        load(GOOD.replace(before, after))


def test_a_mistake_in_pddl_on_one_line(load):
    action = "(:action polish :parameters (?robot - robot ?hand - hand ?item - item) :effect (polishd ?item))"
    start, end = GOOD.index("action: |"), GOOD.index("executor")
    with pytest.raises(ForetreeError, match=r"polish\.yaml:5:\d+: .*polishd"):
        load(GOOD[:start] + f'action: "{action}"\n' + GOOD[end:])


def test_a_file_without_an_action_is_for_domains_that_say_themselves_what_is_of_its_type(
    tmp_path, monkeypatch
):
    start, end = GOOD.index("predicates:"), GOOD.index("executor")
    settings = GOOD[:start] + GOOD[end : GOOD.index("forms:")]
    (tmp_path / "skills").mkdir()
    path = tmp_path / "skills" / "polish.yaml"
    path.write_text(settings)
    monkeypatch.setenv("FORETREE_CONFIGS", str(tmp_path))
    assert "polish" not in load_catalogue().skills
    with pytest.raises(ForetreeError, match=r"polish\.yaml:1: skill: action: is missing.*does: polish"):
        load_catalogue(skills=["polish"])
