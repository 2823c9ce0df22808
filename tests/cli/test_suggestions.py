"""A name that is nearly right is answered by the right one, whichever option or argument it was given to."""

import pytest

from foretree.cli import main
from foretree.runs.store import RunStore

MANGO = "put the mango into the fridge"
PDDL = "tests/planning/pddl/gripper/"

NEARLY = {
    ("rnu",): "run",
    ("map", "shwo", "office"): "show",
    ("plan", MANGO, "--guards", "presense"): "presence",
    ("run", MANGO, "--guards", "presence,apearance"): "appearance",
    ("run", MANGO, "--reviser", "rulse"): "rules",
    ("run", MANGO, "--reviser", "rules", "--reviser", "planer"): "planner",
    ("run", MANGO, "--scene", "kichen"): "kitchen",
    ("run", MANGO, "--agent", "defalt"): "default",
    ("run", MANGO, "--home", "l_kitchn/3"): "l_kitchen",
    ("run", MANGO, "--set", "agnt.tick_hz=3"): "agent",
    ("run", MANGO, "--set", "agent.tickhz=3"): "tick_hz",
    ("run", MANGO, "--set", "scene.noise.confuson=0"): "confusion",
    ("run", MANGO, "--set", "skill.pik.retries=0"): "pick",
    ("run", MANGO, "--set", "skill.pick.retrys=0"): "retries",
    ("run", MANGO, "--fault", "aftr 1: move mango1 on table2"): "after",
    ("run", MANGO, "--fault", "after 1: mov mango1 on table2"): "move",
    ("run", MANGO, "--fault", "after 1: move mang1 on table2"): "mango1",
    ("run", MANGO, "--fault", "after 1: fail next pik"): "pick",
    ("regress", "smok"): "smoke",
    ("regress", "smoke", "--only", "mango-movd"): "mango-moved",
    ("regress", "smoke", "--variant", "gards"): "guards",
    ("regress", "smoke", "--reviser", "rulse"): "rules",
    ("regress", "building", "--setting", "dual-arms"): "dual-arm",
    ("regress", "building", "--level", "simpl"): "simple",
    ("regress", "building", "--only", "mango-into-fridge"): "mango-into-the-fridge",
    ("regress", "household", "--ablate", "presense"): "presence",
    ("regress", "household", "--mode", "fixd"): "fixed",
    ("regress", "household", "--split", "unsen"): "unseen",
    ("new", "skil", "polish"): "skill",
    ("map", "show", "offic"): "office",
    ("map", "show", "office", "--closed", "kitchn_door"): "kitchen_door",
    ("map", "show", "office", "--path", "frige1", "table605"): "fridge1",
    ("show", "mangoo"): "mango",
    ("show", "lst"): "last",
    ("export", "mango", "-f", "jsn"): "json",
}


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    home = tmp_path_factory.mktemp("home")
    RunStore(home / "runs").create("go", run_id="mango")
    return home


@pytest.mark.parametrize("words", NEARLY, ids=" ".join)
def test_what_is_nearly_a_name_is_answered_by_the_name(words, home, monkeypatch, capsys, tmp_path):
    monkeypatch.setenv("FORETREE_HOME", str(home))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as end:
        main(list(words))
    said = capsys.readouterr()
    assert end.value.code in (2, 3)
    assert said.out == ""
    _, asked, hint = said.err.partition("Did you mean ")
    assert asked, said.err
    assert NEARLY[words] in hint.partition("?")[0].split(" or ")


def test_nothing_far_is_suggested(monkeypatch, capsys, tmp_path):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit):
        main(["plan", "bring me the apple", "--set", "skill.nope.retries=1"])
    said = capsys.readouterr().err
    assert "there is no skill 'nope'" in said
    assert "Did you mean" not in said


def test_none_of_the_guards_stands_alone(monkeypatch, capsys, tmp_path):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as end:
        main(["plan", "bring me the apple", "--guards", "none,presence"])
    assert end.value.code == 2
    assert "not 'none'. For no guards at all, write none." in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--guards", "--reviser"])
@pytest.mark.parametrize("empty", ["", " "])
def test_no_name_at_all_is_answered_by_those_that_are_valid(option, empty, monkeypatch, capsys, tmp_path):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as end:
        main(["run", "bring me the apple", option, empty])
    assert end.value.code == 2
    said = capsys.readouterr().err
    assert f"{option}: expected '" in said
    assert "write none" in said


def test_what_nobody_knows_of_is_no_plan_of_nothing(monkeypatch, capsys, tmp_path):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as end:
        main(["plan", "wash all cups"])
    assert end.value.code == 1
    assert "It is not known where to find a cup. A run would look for it first" in capsys.readouterr().err


def test_a_fault_of_a_task_in_pddl(home, monkeypatch, capsys, request):
    monkeypatch.setenv("FORETREE_HOME", str(home))
    folder = request.config.rootpath / PDDL
    task = ["--domain", str(folder / "domain.pddl"), "--problem", str(folder / "problem.pddl")]
    with pytest.raises(SystemExit):
        main(["run", *task, "--fault", "after 1: claer (busy right)"])
    assert "Did you mean clear?" in capsys.readouterr().err
