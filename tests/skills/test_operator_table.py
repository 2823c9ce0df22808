"""The table that says what each operator of a domain is to the robot, and the skills made from it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from foretree.config import ConfigError, find_config
from foretree.planning.expansion.options import Expansion
from foretree.planning.pddl.errors import PddlError
from foretree.planning.pddl.parser import parse_domain
from foretree.planning.pddl.syntax import show
from foretree.planning.plan import Action
from foretree.reasoning.offline.commands import CommandReasoner
from foretree.reasoning.reasoner import Situation
from foretree.skills._operator_table import ACTION_TYPES, read_operator_table
from foretree.skills.catalogue_file import load_catalogue
from foretree.world_model.beliefs.belief import Belief
from foretree.world_model.beliefs.entity_creation import add_entity
from foretree.world_model.beliefs.facts import Entity

DOMAIN = """(define (domain bench)
  (:requirements :strips :typing)
  (:types asset item - object)
  (:predicates (hand_empty) (holding ?i - item) (on ?i - item ?p - asset) (washed ?i - item) (open ?p - object))
  (:action take :parameters (?item - item ?place - asset)
    :precondition (and (hand_empty) (on ?item ?place))
    :effect (and (holding ?item) (not (hand_empty)) (not (on ?item ?place))))
  (:action heave :parameters (?item - item ?place - asset)
    :precondition (and (hand_empty) (on ?item ?place))
    :effect (and (holding ?item) (not (hand_empty)) (not (on ?item ?place))))
  (:action drop :parameters (?item - item ?place - asset)
    :precondition (holding ?item)
    :effect (and (on ?item ?place) (hand_empty) (not (holding ?item))))
  (:action wash :parameters (?rag - item ?item - item ?place - asset)
    :precondition (and (holding ?rag) (on ?item ?place))
    :effect (washed ?item)))
"""
TABLE = """domain: bench.pddl
expand:
  navigation: true
  doors: true
  hands: 2
  costs: true
  carry: ['on']
  two_handed: [heave]
  nodes: [asset]
  door_open: open
operators:
  take: {does: pick, arguments: {item: 0, place: 1}, asked: true}
  heave: {does: pick, arguments: {item: 0, place: 1}}
  drop: {does: place_on, arguments: {item: 0, place: 1}}
  wash:
    does: wipe
    arguments: {tool: 0, target: 1}
    forms:
      - {say: "scrub {item} with {rag}", goal: "(washed {item})"}
"""


@pytest.fixture
def bench(tmp_path):
    """Write the bench's files, with some text of the table replaced; the path of the table."""

    def write(old="", new=""):
        assert not old or TABLE.count(old) == 1
        (tmp_path / "bench.pddl").write_text(DOMAIN)
        (tmp_path / "bench.yaml").write_text(TABLE.replace(old, new) if old else TABLE)
        return tmp_path / "bench.yaml"

    return write


# -- skills ------------------------------------------------------------------------------------------
def test_every_operator_becomes_a_skill_that_tells_the_robot_its_type_and_roles(bench):
    catalogue = load_catalogue(str(bench()))
    assert list(catalogue.skills) == [
        "take",
        "heave",
        "drop",
        "wash",
        "move_robot",
        "open_door",
        "close_door",
    ]
    take, wash = catalogue["take"], catalogue["wash"]
    assert (take.order, take.roles) == ("pick", {"item": "item", "place": "place"})
    assert (wash.order, wash.roles) == ("wipe", {"rag": "tool", "item": "target"})
    assert catalogue["move_robot"].order == "move"
    assert catalogue["move_robot"].roles == {"from": "from", "to": "to"}
    assert catalogue["open_door"].order == "open_door"
    assert catalogue["open_door"].roles == {"d": "door", "from": "from", "to": "to"}
    assert all(skill.operator is catalogue.domain.operators[name] for name, skill in catalogue.skills.items())


def test_how_it_is_carried_out_is_said_once_for_its_type(bench):
    household, catalogue = load_catalogue(), load_catalogue(str(bench()))
    for name in ("take", "heave"):
        settings = replace(
            household["pick"], name=name, operator=catalogue[name].operator, forms=catalogue[name].forms,
            does="pick", roles=catalogue[name].roles, resources=catalogue[name].resources,
        )  # fmt: skip
        assert catalogue[name] == settings
    assert catalogue["move_robot"].time_out == household["move"].time_out


def test_it_holds_the_hands_it_uses(bench):
    catalogue = load_catalogue(str(bench()))
    action = Action("a1", "heave", ("robot1", "left", "right", "box1", "table1", "table1"))
    assert catalogue["heave"].resources_of(action) == {"left", "right"}
    assert catalogue["take"].resources == ("?hand",)
    assert catalogue["move_robot"].resources == ("base",)
    assert set(catalogue["open_door"].resources) == {"?h", "base"}


def test_hands_that_are_not_told_apart_are_the_whole_robot(bench):
    path = bench(", asked: true", "")
    text = path.read_text().replace("  hands: 2\n", "").replace("  two_handed: [heave]\n", "")
    path.write_text(text)
    catalogue = load_catalogue(str(path))
    assert catalogue["take"].resources == ("robot",)
    assert catalogue["move_robot"].resources == ("base",)


def test_a_door_is_asked_for_where_it_is_open_like_other_things(bench):
    says = [form.say for form in load_catalogue(str(bench()))["open_door"].forms]
    assert says == ["(open up|open) {d}"]
    assert [form.say for form in load_catalogue(str(bench()))["close_door"].forms] == [
        "(close|shut|pull to) {d}"
    ]
    other_words = load_catalogue(str(bench("  door_open: open\n", "")))
    assert other_words["open_door"].forms == other_words["close_door"].forms == ()


def test_people_ask_for_it_in_the_words_of_its_type_and_in_its_own(bench):
    catalogue = load_catalogue(str(bench()))
    household = load_catalogue()
    assert {form.say for form in catalogue["take"].forms} == {form.say for form in household["pick"].forms}
    assert {form.skill for form in catalogue["take"].forms} == {"take"}
    assert catalogue["heave"].forms == ()
    assert [form.say for form in catalogue["wash"].forms] == ["scrub {item} with {rag}"]


def test_what_stands_for_itself_on_the_map_is_a_node(bench):
    domain = load_catalogue(str(bench())).domain
    assert domain.is_a("asset", "node")
    assert not domain.is_a("item", "node")


def test_settings_can_be_changed_for_a_type(bench):
    catalogue = load_catalogue(str(bench()), changes={"pick": {"retries": "7"}})
    assert catalogue["take"].retries == catalogue["heave"].retries == 7
    with pytest.raises(ConfigError, match="there is no skill 'take'"):
        load_catalogue(str(bench()), changes={"take": {"retries": "7"}})


DUST = (
    "skill: dust\nsays: Dust a place.\nresources: [base]\naction: |\n"
    "  (:action dust :parameters (?robot - robot ?place - asset)\n"
    "    :precondition (rob_at_node ?robot ?place) :effect (open ?place))\n"
)


def test_further_skills_come_on_top(bench, tmp_path):
    (tmp_path / "dust.yaml").write_text(DUST)
    catalogue = load_catalogue(str(bench()), skills=[str(tmp_path / "dust.yaml")])
    assert list(catalogue.skills)[-1] == "dust"
    assert catalogue["dust"].order == "dust"


def test_a_domain_may_name_further_skills_itself(bench, tmp_path):
    (tmp_path / "dust.yaml").write_text(DUST)
    path = bench("operators:", f"skills: [{tmp_path / 'dust.yaml'}]\noperators:")
    assert list(load_catalogue(str(path)).skills)[-1] == "dust"
    path = bench(TABLE[TABLE.index("expand:") :], "skills: [dust]\n")
    with pytest.raises(ConfigError, match=r"bench.yaml:2: skills: operators: is missing"):
        load_catalogue(str(path))


def test_a_domain_without_a_table_has_none():
    path = find_config("domains", "household")
    assert read_operator_table(path, parse_domain("(define (domain d))")) is None


def test_without_expansion_the_domain_stays_as_it_is(bench):
    path = bench(TABLE[TABLE.index("expand:") : TABLE.index("operators:")], "")
    base = parse_domain(DOMAIN)
    table = read_operator_table(path, base)
    assert table.expansion == Expansion()
    assert table.expanded(base) == base
    assert list(table.entries) == list(base.operators)


# -- mistakes ----------------------------------------------------------------------------------------
TAKE = "{does: pick, arguments: {item: 0, place: 1}, asked: true}"


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("  heave: {does: pick, arguments: {item: 0, place: 1}}\n", "", 11, "heave is missing"),
        ("  heave: {", "  heav: {", 13, "operators.heav: the domain bench has no such operator. Did you mean heave"),
        (TAKE, TAKE.replace("pick", "pik"), 12, "does: there is no type of action 'pik'. Did you mean pick"),
        (TAKE, TAKE.replace(", place: 1", ""), 12, "place is missing: pick has the roles item, place"),
        (TAKE, TAKE.replace("place:", "tool:"), 12, "'tool' is no role of pick. Valid: item, place"),
        (TAKE, TAKE.replace("1", "2"), 12, "take has no argument 2. Valid: 0 ?item, 1 ?place"),
        (TAKE, TAKE.replace("1", "-1"), 12, "take has no argument -1"),
        (TAKE, TAKE.replace("1", "0"), 12, "?item is the item already"),
        (TAKE, TAKE.replace("does", "dose"), 12, "operators.take.dose: there is no such key. Did you mean does"),
        (TAKE, TAKE.replace("0", "first"), 12, "operators.take.arguments.item"),
        ("(washed {item})", "(washd {item})", 19, "forms.0.goal"),
        ("scrub {item}", "scrub {itm}", 19, "{itm} is no parameter of the action. Did you mean item"),
        ("  hands: 2", "  hands: 0", 5, "expand.hands"),
        ("two_handed: [heave]", "two_handed: [heav]", 8, "Did you mean heave"),
        ("nodes: [asset]", "nodes: [aset]", 9, "'aset' is no type of the domain bench. Did you mean asset"),
        ("  doors: true", "  dors: true", 4, "expand.dors: there is no such key. Did you mean doors"),
        ("  carry: ['on']", "  carry: ['open']", 7, "expand.carry"),
    ],
)  # fmt: skip
def test_a_table_that_makes_no_sense_is_refused(bench, old, new, line, says):
    path = bench(old, new)
    with pytest.raises(ConfigError) as refusal:
        load_catalogue(str(path))
    assert f"{path}:{line}: " in str(refusal.value)
    assert says in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_an_expansion_needs_a_table(bench):
    path = bench(TABLE[TABLE.index("operators:") :], "")
    with pytest.raises(ConfigError, match=r"bench.yaml:2: expand: operators: is missing"):
        load_catalogue(str(path))


def test_a_domain_that_cannot_be_expanded_is_refused(bench):
    path = bench()
    (path.parent / "bench.pddl").write_text(DOMAIN.replace("hand_empty", "rob_at_node"))
    with pytest.raises((ConfigError, PddlError)) as refusal:
        load_catalogue(str(path))
    assert "bench.yaml:2: expand" in str(refusal.value)


# -- the household -----------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def tabletop():
    return load_catalogue("tabletop")


def test_the_building_has_the_fifteen_types_and_four_more(tabletop):
    others = {"move", "open_door", "close_door", "inspect"}
    orders = {skill.order for skill in tabletop.skills.values()}
    assert others < orders <= {*ACTION_TYPES, *others}
    assert len(orders) == 15 + 4
    for skill in tabletop.skills.values():
        roles = ACTION_TYPES.get(skill.order)
        assert roles is None or set(skill.roles.values()) == set(roles)


def test_what_cannot_be_undone_is_looked_at_first(tabletop):
    assert {s.order for s in tabletop.skills.values() if s.irreversible} == {"cut", "pour"}


def test_what_rests_on_or_in_something_needs_no_node_of_its_own(tabletop):
    for name, operator in tabletop.domain.operators.items():
        assert "exists" not in show(operator.precondition), name


KNOWN = {
    "robot1": ("robot", None),
    "hat1": ("hat", ("on", "table601")),
    "table601": ("table", None),
    "mango1": ("mango", ("on", "table601")),
    "banana1": ("banana", ("on", "table601")),
    "cup1": ("cup", ("on", "table601")),
    "fridge1": ("fridge", None),
    "drying_rack1": ("drying_rack", None),
    "basket1": ("basket", ("on", "table601")),
    "plate1": ("plate", ("on", "table601")),
    "milk1": ("milk", ("in", "fridge1")),
    "red_block1": ("red_block", ("on", "table601")),
    "blue_block1": ("blue_block", ("on", "table601")),
    "trash_bin1": ("trash_bin", None),
    "blackboard1": ("blackboard", None),
    "window1": ("window", None),
    "laptop1": ("laptop", ("on", "table601")),
    "remote1": ("remote", ("on", "table601")),
    "new_battery1": ("new_battery", ("on", "table601")),
    "flower_bed1": ("flower_bed", None),
    "towel1": ("towel", ("on", "table601")),
    "cereal1": ("cereal", ("on", "table601")),
    "bowl1": ("bowl", ("on", "table601")),
}


@pytest.fixture(scope="module")
def situation(tabletop):
    belief = Belief(tabletop.vocabulary)
    for name, (kind, rests) in KNOWN.items():
        add_entity(
            belief, tabletop.ontology, Entity(name, {kind: 1.0}, (0.0, 0.0, 0.0)), time=0.0, source="map"
        )
        if rests is not None:
            belief.tell((rests[0], name, rests[1]))
    forms = tuple(form for skill in tabletop.skills.values() for form in skill.forms)
    return Situation(belief.snapshot(), tabletop.domain, tabletop.ontology, forms)


@pytest.mark.parametrize(
    ("instruction", "goal"),
    [
        ("place the mango into the fridge", "(in mango1 fridge1)"),
        ("put the mango into the basket", "(in mango1 basket1)"),
        ("put the mango on the plate", "(on mango1 plate1)"),
        ("hang the hat on the drying rack", "(hung_on hat1 drying_rack1)"),
        ("stack the red block on the blue block", "(on red_block1 blue_block1)"),
        ("throw away the banana", "(exists (?bin - asset) (and (waste ?bin) (in banana1 ?bin)))"),
        ("insert the battery into the remote", "(in new_battery1 remote1)"),
        ("wash the mango", "(clean mango1)"),
        ("heat up the milk", "(and (heated milk1) (hot milk1))"),
        ("fill the cup with water", "(has_water cup1)"),
        ("make coffee in the cup", "(and (brewed cup1) (has_coffee cup1))"),
        ("pour milk into the cup", "(has_milk cup1)"),
        ("put cereal into the bowl", "(has_cereal bowl1)"),  # not the box into the bowl
        ("put cereal1 into the basket", "(in cereal1 basket1)"),
        ("fold the towel", "(folded towel1)"),
        ("wipe the blackboard", "(wiped blackboard1)"),
        ("open the blinds", "(open window1)"),
        ("switch on the laptop", "(turned_on laptop1)"),
        ("water the flower bed", "(watered flower_bed1)"),
        ("cut the mango and put it on the plate", "(and (sliced mango1) (on mango1 plate1))"),
        ("go to the fridge", "(exists (?robot - robot) (rob_at_node ?robot fridge1))"),
    ],
)
def test_people_ask_in_plain_words(situation, instruction, goal):
    assert show(CommandReasoner().understand(instruction, situation).goal) == goal
