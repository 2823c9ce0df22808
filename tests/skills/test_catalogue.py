"""The catalogue: the household's, a user's own, and that of a bare PDDL domain."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from effort import times_as_much

from foretree.config import ConfigError
from foretree.planning.pddl.parser import parse_domain
from foretree.planning.pddl.syntax import Typed
from foretree.planning.plan import Action
from foretree.skills.catalogue import Catalogue, UnknownSkillError
from foretree.skills.catalogue_file import load_catalogue

GRIPPER = """
(define (domain rooms)
  (:requirements :typing)
  (:types room ball)
  (:predicates (at ?b - ball ?r - room) (here ?r - room) (carried ?b - ball))
  (:action take :parameters (?b - ball ?r - room)
    :precondition (and (at ?b ?r) (here ?r)) :effect (and (carried ?b) (not (at ?b ?r)))))
"""

POLISH = """
skill: polish
says: Polish a held thing.
predicates:
  polished: {signature: "(polished ?item - item)", observable: true, default: null, shelf_life: 90}
action: |
  (:action polish
    :parameters (?robot - robot ?hand - hand ?item - item)
    :precondition (and (rob_has_hand ?robot ?hand) (holding ?robot ?hand ?item))
    :effect (and (polished ?item) (increase (total-cost) 3)))
resources: [?hand]
forms:
  - {say: "polish {item}", goal: "(polished {item})"}
"""


@pytest.fixture
def own(tmp_path, monkeypatch):
    """A user's own configs, searched before ours."""
    (tmp_path / "skills").mkdir()
    (tmp_path / "domains").mkdir()
    monkeypatch.setenv("FORETREE_CONFIGS", str(tmp_path))
    return tmp_path


def test_the_household_catalogue_is_whole():
    catalogue = load_catalogue()
    assert set(catalogue.domain.operators) == set(catalogue.skills)
    assert catalogue.domain.is_a("mango", "item")
    assert catalogue.domain.is_a("fridge", "node")
    assert catalogue.domain.types["person"] == "node", "a class that is a type already stays what it is"
    assert catalogue.vocabulary["on"].group == "rests"
    assert catalogue.vocabulary["connected"].kind == "place", "the file overrules what would be inferred"
    assert catalogue.vocabulary["heats"].kind == "class"
    assert not catalogue.vocabulary["heats"].observable


def test_it_is_read_in_little_more_than_its_yaml():
    texts = [path.read_text() for path in (Path(__file__).parents[2] / "configs" / "skills").glob("*.yaml")]
    assert len(texts) > 20
    assert times_as_much(load_catalogue, lambda: [yaml.safe_load(text) for text in texts]) < 3


def test_a_skill_that_is_not_there():
    with pytest.raises(UnknownSkillError, match=r"'pik'.*Did you mean pick"):
        load_catalogue()["pik"]


def test_some_skills_only():
    catalogue = load_catalogue(skills=["pick", "move"])
    assert list(catalogue.skills) == ["pick", "move"]
    assert set(catalogue.domain.operators) == {"pick", "move"}
    assert catalogue.vocabulary["open"].kind == "attribute", (
        "stated in the file, though nothing changes it now"
    )


def test_a_users_skill_brings_its_own_predicate(own):
    (own / "skills" / "polish.yaml").write_text(POLISH)
    catalogue = load_catalogue()
    assert len(catalogue.skills) == 25
    assert catalogue.domain.predicates["polished"] == (Typed("?item", "item"),)
    info = catalogue.vocabulary["polished"]
    assert (info.kind, info.observable, info.default, info.shelf_life) == ("attribute", True, None, 90)
    action = Action("a1", "polish", ("robot1", "left", "mug1"))
    assert catalogue["polish"].resources_of(action) == {"left"}


def test_a_users_file_of_the_same_name_takes_the_place_of_ours(own):
    ours = load_catalogue()["pick"]
    text = Path(__file__).parents[2].joinpath("configs/skills/pick.yaml").read_text()
    (own / "skills" / "pick.yaml").write_text(text.replace("time_out: 30", "time_out: 99"))
    assert (ours.time_out, load_catalogue()["pick"].time_out) == (30, 99)


def test_a_predicate_that_the_domain_has_cannot_be_declared_again(own):
    (own / "skills" / "polish.yaml").write_text(POLISH.replace("polished", "clean"))
    with pytest.raises(ConfigError, match=r"polish\.yaml:5: predicates\.clean: the domain household has"):
        load_catalogue()


def test_two_files_cannot_describe_one_skill(own):
    for name in ("polish", "shine"):
        (own / "skills" / f"{name}.yaml").write_text(POLISH)
    with pytest.raises(ConfigError, match=r"shine\.yaml:2: skill: .*polish\.yaml already describes 'polish'"):
        load_catalogue()


def test_two_skills_may_share_a_new_predicate_if_they_agree_on_it(own):
    (own / "skills" / "polish.yaml").write_text(POLISH)
    other = POLISH.replace("polish\n", "shine\n")
    (own / "skills" / "shine.yaml").write_text(other)
    assert "shine" in load_catalogue().skills
    (own / "skills" / "shine.yaml").write_text(other.replace("shelf_life: 90", "shelf_life: 9"))
    with pytest.raises(ConfigError, match="not in the same way"):
        load_catalogue()


@pytest.mark.parametrize(
    ("yaml", "problem"),
    [
        (
            "classes: {ball: {is: bal}}",
            r"mine\.yaml:2: classes\.ball\.is: 'bal' is no type .* Did you mean ball",
        ),
        (
            "classes: {red: {is: ball, affords: [carrid]}}",
            r"classes\.red\.affords\.0: .* Did you mean carried",
        ),
        ("classes: {red: {is: ball, affords: [at]}}", "'at' is no predicate of one thing"),
        ("classes: {room: {is: ball}}", "has a type of this name, below 'object'"),
        ("predicates: {att: {observable: true}}", r"predicates\.att: .* no such predicate\. Did you mean at"),
    ],
)
def test_classes_and_predicates_have_to_fit_the_pddl_domain(own, yaml, problem):
    (own / "domains" / "rooms.pddl").write_text(GRIPPER)
    (own / "domains" / "mine.yaml").write_text(f"domain: rooms.pddl\n{yaml}\n")
    with pytest.raises(ConfigError, match=problem):
        load_catalogue("mine", skills=())


def test_a_domain_of_ones_own_may_have_its_actions_in_the_pddl_file(own):
    (own / "domains" / "rooms.pddl").write_text(GRIPPER)
    (own / "domains" / "mine.yaml").write_text(
        "domain: rooms.pddl\npredicates: {at: {observable: true}}\nclasses: {red: {is: ball}}\n"
    )
    catalogue = load_catalogue("mine", skills=())
    assert list(catalogue.skills) == ["take"]
    assert catalogue.vocabulary["at"].kind == "place", "the file does not say, so it is inferred"
    assert catalogue.vocabulary["at"].observable


def test_a_domain_file_has_to_name_its_pddl(own):
    (own / "domains" / "mine.yaml").write_text("classes: {}\n")
    with pytest.raises(ConfigError, match=r"mine\.yaml: domain: is missing"):
        load_catalogue("mine")


def test_a_bare_domain_has_a_default_skill_for_each_action():
    catalogue = Catalogue.from_domain(parse_domain(GRIPPER))
    skill = catalogue["take"]
    assert skill.executor == "act"
    assert skill.parameters == {"by_name": True}
    assert skill.resources_of(Action("a1", "take", ("ball1", "hall"))) == {"robot"}
    assert catalogue.vocabulary["at"].kind == "place"
    assert not catalogue.vocabulary["at"].observable, "what a problem does not state is false"
