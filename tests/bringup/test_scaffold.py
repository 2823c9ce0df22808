"""New files work as they are."""

from __future__ import annotations

import importlib.util
import inspect

import pytest

from foretree.bringup.embedded import open_household
from foretree.bringup.options import Wish
from foretree.bringup.scaffold import ScaffoldError, create, kinds
from foretree.clock import SimulatedClock
from foretree.planning.plan import Action
from foretree.simulation.household.scene_file import load_scene
from foretree.skills.catalogue_file import load_catalogue
from foretree.skills.executive.executive import Executive
from foretree.skills.executors import find_executor
from foretree.skills.robot import LookRequest, Order, Outcome, Robot
from foretree.world_model.beliefs.belief import Belief
from foretree.world_model.beliefs.facts import Entity


def load_robot(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_there_is_something_to_make():
    assert {"skill", "robot", "scene"} <= set(kinds())


def test_a_new_skill_is_one_the_planner_can_use(tmp_path, monkeypatch):
    path = create("skill", "deep_polish", tmp_path / "skills")
    assert path == tmp_path / "skills" / "deep_polish.yaml"
    monkeypatch.setenv("FORETREE_CONFIGS", str(tmp_path))
    catalogue = load_catalogue()
    assert catalogue["deep_polish"].forms[0].say == "(deep polish|do deep polish on) {item}"
    assert catalogue.vocabulary["deep_polish_done"].kind == "attribute"
    assert "my_skill" not in path.read_text()


def test_a_new_skill_works_in_the_embedded_scenes(tmp_path, monkeypatch):
    create("skill", "deep_polish", tmp_path / "skills")
    monkeypatch.setenv("FORETREE_CONFIGS", str(tmp_path))
    session, _ = open_household("kitchen", Wish("deep polish mug1"))
    assert session.run().outcome == "reached"


def test_a_new_robot_takes_orders(tmp_path, capsys):
    path = create("robot", "tin_man", tmp_path)
    robot = load_robot(path).TinMan()
    assert robot.name == "tin_man"
    catalogue = load_catalogue()
    belief = Belief(catalogue.vocabulary)
    for name, class_name in (("mug1", "mug"), ("table1", "table")):
        belief.put_entity(Entity(name, {class_name: 1.0}, (1.0, 2.0, 0.0)))
    action = Action("a1", "pick", ("tin_man", "left_hand", "mug1", "table1"))
    skill = catalogue["pick"]
    executive = Executive(robot, SimulatedClock())
    lease = executive.start(
        "e1",
        lambda: find_executor(skill.executor).begin(action, skill, belief.snapshot(), robot, "e1"),
        skill.resources_of(action),
    )
    assert lease.poll().outcome is Outcome.DONE
    assert "e1: pick" in capsys.readouterr().out
    assert executive.stop_all() == {}


def test_a_new_robot_offers_what_the_protocol_asks(tmp_path):
    robot = load_robot(create("robot", "tin_man", tmp_path)).TinMan()
    for name, member in inspect.getmembers(Robot, inspect.isfunction):
        if name.startswith("__"):
            continue
        assert (
            list(inspect.signature(getattr(robot, name)).parameters)
            == list(inspect.signature(member).parameters)[1:]
        ), name
    looking = robot.look(LookRequest(), "e1")
    assert robot.attach("e1") is looking
    assert robot.attach("e2") is None
    assert robot.observations() == []
    started = robot.start(Order("wave"), "e3")
    robot.stop()
    assert started.poll().outcome is Outcome.CANCELLED
    started.cancel()
    assert started.poll().outcome is Outcome.CANCELLED
    done = robot.start(Order("wave"), "e4")
    assert done.poll().outcome is Outcome.DONE
    done.cancel()
    assert done.poll().outcome is Outcome.DONE


def test_a_new_scene_is_a_world(tmp_path):
    path = create("scene", "cottage", tmp_path)
    scene = load_scene(path, load_catalogue().ontology)
    assert scene.name == "cottage"
    assert "mango1" in scene.items


@pytest.mark.parametrize("kind", ["skill", "robot", "scene"])
def test_nothing_is_overwritten(tmp_path, kind):
    path = create(kind, "thing", tmp_path)
    path.write_text("mine")
    with pytest.raises(ScaffoldError, match="is there already"):
        create(kind, "thing", tmp_path)
    assert path.read_text() == "mine"


def test_an_unknown_kind():
    with pytest.raises(ScaffoldError, match=r"no template for a skil\. Did you mean skill\?"):
        create("skil", "polish", None)


@pytest.mark.parametrize(
    ("name", "instead"),
    [("Deep Polish", "deep_polish"), ("3d-print", "d_print"), ("../up", "up"), ("class", None), ("", None)],
)
def test_a_name_that_is_none(tmp_path, name, instead):
    with pytest.raises(ScaffoldError, match=f"for example {instead}" if instead else "cannot be the name"):
        create("skill", name, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_ones_own_templates_go_first(tmp_path, monkeypatch):
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "skill.yaml").write_text("skill: my_skill # mine\n")
    monkeypatch.setenv("FORETREE_CONFIGS", str(tmp_path))
    assert create("skill", "wave", tmp_path / "out").read_text() == "skill: wave # mine\n"


def test_a_folder_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ScaffoldError, match=r"Cannot write .*: Not a directory|is there already"):
        create("skill", "wave", tmp_path / "file" / "skills")
