"""Values of configuration files that are set for one run."""

import pytest

from foretree.changes import Changes
from foretree.config import ConfigError, find_config
from foretree.simulation.household.scene_file import load_scene
from foretree.skills.catalogue_file import load_catalogue


def scene(**changes):
    path = find_config("scenes", "kitchen")
    return load_scene(path, load_catalogue().ontology, {k.replace("__", "."): v for k, v in changes.items()})


def test_what_is_changed_is_a_copy():
    data = {"a": {"b": [1, 2]}, "c": "x"}
    changed = Changes("scene", {"a.b.1": "5", "c": "[y, on]", "d.e": "0.5"}).made_in(data)
    assert changed == {"a": {"b": [1, 5]}, "c": ["y", "on"], "d": {"e": 0.5}}
    assert data == {"a": {"b": [1, 2]}, "c": "x"}


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("c.x", "1", "there is no 'x' that could be set there"),
        ("c.x.y", "1", "there is nothing called 'x' to look into there"),
        ("a.b.7", "1", "there is no '7'"),
        ("c", "{", "not a valid YAML value"),
    ],
)
def test_keys_that_lead_nowhere(key, value, says):
    with pytest.raises(ConfigError, match=rf"--set scene\.{key}=.*{says}"):
        Changes("scene", {key: value}).made_in({"a": {"b": [1]}, "c": "x"})


def test_scenes():
    changed = scene(noise__confusion="0.25", known="map", robot__hands="[paw]", chance__move="0.5")
    assert changed.noise.confusion == 0.25
    assert changed.known == "map"
    assert changed.robot.hands == ("paw",)
    assert changed.chance.move == 0.5
    assert scene().known == "everything"


def test_a_mistake_in_a_change_names_the_change_and_not_the_file():
    with pytest.raises(ConfigError) as caught:
        scene(noise__confusion="2")
    assert str(caught.value).startswith("--set scene.noise.confusion=2: ")
    assert ".yaml" not in str(caught.value)


def test_a_mistake_within_a_change_says_where():
    with pytest.raises(ConfigError, match=r"--set scene\.noise=.*: noise\.misread: .*not 3"):
        scene(noise="{misread: 3}")


def test_a_mistake_elsewhere_is_the_files():
    """What is changed can put something else in the wrong: that is where it is reported."""
    with pytest.raises(ConfigError, match=r"kitchen\.yaml:\d+: furniture\.bin1\.at: .* from table2"):
        scene(furniture__table2__at="[0.6, 0.8]")


def test_skills():
    changed = load_catalogue(changes={"pick": {"retries": "0", "time_out": "5"}})
    assert (changed["pick"].retries, changed["pick"].time_out) == (0, 5.0)
    assert load_catalogue()["pick"].retries == 2
    with pytest.raises(ConfigError, match=r"--set skill\.pick\.certainty=7: "):
        load_catalogue(changes={"pick": {"certainty": "7"}})
    with pytest.raises(ConfigError, match=r"--set skill\.pick\.resources=.*'\?arm' is no parameter"):
        load_catalogue(changes={"pick": {"resources": '["?arm"]'}})
    with pytest.raises(ConfigError, match=r"--set skill\.pikc\.retries: .*Did you mean pick"):
        load_catalogue(changes={"pikc": {"retries": "0"}})
