from __future__ import annotations

import pytest
from evaluation_files import KITCHEN

from foretree.config import ConfigError
from foretree.regression.language.autogptp.scene_file import read_scene
from foretree.regression.language.autogptp.scene_problem import SceneProblem
from foretree.regression.language.autogptp.trial import scenario_domain


def scene_of(tmp_path, text):
    path = tmp_path / "scene.txt"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_scene(path, scenario_domain().base.domain.predicates)


def problem_of(tmp_path, text):
    return SceneProblem(scene_of(tmp_path, text), scenario_domain())


def small(objects, relations="", locations=""):
    return (
        f"OBJECTS\n{objects}\nEND-OBJECTS\nRELATIONS\n{relations}\nEND-RELATIONS\n"
        f"LOCATIONS\n{locations}\nEND-LOCATIONS\n"
    )


def test_a_scene_is_read_with_blank_lines_and_any_line_ends(tmp_path):
    scene = scene_of(tmp_path, KITCHEN)
    assert scene.description == "A kitchen with a person in it."
    assert (scene.objects["glass1"], len(scene.objects)) == ("glass", 20)  # with a robot and a person
    assert ("in", "milk0", "fridge0") in scene.facts
    assert scene.locations["table0"] == ("table0", "apple0", "glass1", "plate0")
    assert scene_of(tmp_path, b"\xef\xbb\xbf" + KITCHEN.replace("\n", "\r\n").encode()) == scene


def test_where_things_are_follows_from_what_they_rest_on(tmp_path):
    scene = scene_of(tmp_path, KITCHEN)
    assert [scene.place_of(name) for name in ("knife0", "milk0", "robot0")] == [
        "counter0",
        "fridge0",
        "counter0",
    ]
    assert scene.place_of("water0") is None


def test_only_what_is_at_explored_places_is_known(tmp_path):
    problem = problem_of(tmp_path, KITCHEN)
    places = {"table0", "counter0", "fridge0", "sink0", "stove0"}
    always = {*places, "robot0", "human0", "water0"}
    assert problem.known([]) == always
    assert problem.known(["fridge0"]) == always | {"milk0", "cucumber0"}
    believed = problem.belief(problem.known(["fridge0"])).snapshot()
    assert ("in", "milk0", "fridge0") in {*believed.true_atoms()}
    assert not any("apple0" in atom for atom in believed.true_atoms())


@pytest.mark.parametrize(
    ("objects", "relations", "locations", "fact"),
    [
        ("cup:0 table:0", "on cup:0 table:0", "table0 table:0", ("at", "cup0", "table0")),
        ("cup:0 table:0", "", "table0 table:0 cup:0", ("on", "cup0", "table0")),
        ("cup:0", "", "kitchen cup:0", ("on", "cup0", "kitchen")),
        ("milk:0", "", "", ("liquid_in", "milk0", "milk0")),
        ("water:0 sink:0", "", "", ("liquid_in", "water0", "sink0")),
        ("water:0 sink:0 jug:0", "liquid_in water:0 jug:0", "", ("liquid_in", "water0", "jug0")),
        ("robot:3 sofa:0", "at robot:3 sofa:0", "", ("at", "robot3", "sofa0")),
        ("cup:0", "", "", ("at", "robot0", "start")),
        ("cup:0", "", "", ("free", "human0")),
        ("jug:0", "liquid_warm jug0", "", ("warmed", "jug0")),
        ("jug:0", "visited robot0 jug0", "", None),
    ],
)
def test_what_a_scene_leaves_unsaid(tmp_path, objects, relations, locations, fact):
    text = small(objects, relations, locations)
    if fact is None:  # a jug is no place, but that is for the domain to say
        assert scene_of(tmp_path, text).facts == (("visited_by", "robot0", "jug0"),)
    else:
        assert fact in problem_of(tmp_path, text).facts


def test_what_the_list_forgot_is_there(tmp_path):
    scene = scene_of(tmp_path, small("cup:0 table:0", "on cup:1 table:0\non spoon:0 table:0"))
    assert (scene.objects["cup1"], scene.objects["spoon0"]) == ("cup", "spoon")


def test_who_holds_something_is_not_free(tmp_path):
    facts = problem_of(tmp_path, small("cup:0", "inhand cup:0 human:0")).facts
    assert ("free", "robot0") in facts
    assert ("free", "human0") not in facts


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("nothing", 1, "no line OBJECTS"),
        ("OBJECTS\napple\nEND-OBJECTS", 2, "as in apple:0"),
        ("OBJECTS\napple:0\napple0\nEND-OBJECTS", 3, "listed twice"),
        ("OBJECTS\napple:0", 1, "write END-OBJECTS"),
        ("OBJECTS\napple:0\nRELATIONS\nEND-RELATIONS", 3, "expected END-OBJECTS"),
        ("OBJECTS\nEND-OBJECTS\nEND-RELATIONS", 3, "expected one of OBJECTS"),
        (small("apple:0", "onn apple:0 apple:0"), 5, "Did you mean on"),
        (small("apple:0", "on apple:0"), 5, "write on ITEM BELOW"),
        (small("apple:0", "clean aple:0"), 5, "Did you mean apple0"),
        (small("apple:0", "", "table0 apple:0\ntable0"), 9, "listed twice"),
    ],
)
def test_a_mistake_in_a_scene_is_told_with_its_line(tmp_path, text, line, says):
    with pytest.raises(ConfigError, match=rf"scene.txt:{line}: (?s:.*){says}"):
        scene_of(tmp_path, text)
