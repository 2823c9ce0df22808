"""Ways of executing: what the robot is told, and what it is not."""

from __future__ import annotations

import sys
from dataclasses import replace

import pytest

from foretree.planning.pddl.parser import parse_domain
from foretree.planning.plan import Action
from foretree.skills.catalogue import Catalogue
from foretree.skills.catalogue_file import load_catalogue
from foretree.skills.executors import (
    EXECUTORS,
    ExecutorError,
    TargetError,
    check_executor_name,
    find_executor,
)
from foretree.skills.robot import Outcome
from foretree.world_model.beliefs.belief import Belief
from foretree.world_model.beliefs.facts import Entity

CATALOGUE = load_catalogue()


class Listener:
    """A robot that only takes down what it is told."""

    name = "robot1"
    hands = ("left", "right")

    def __init__(self):
        self.heard = []

    def start(self, order, execution_id):
        self.heard.append((order, execution_id))
        return "started"

    def look(self, request, execution_id):
        self.heard.append((request, execution_id))
        return "looking"


@pytest.fixture
def beliefs():
    belief = Belief(CATALOGUE.vocabulary)
    belief.put_entity(Entity("mug1", {"mug": 0.8, "cup": 0.2}, (1.0, 2.0, 0.8), features=(0.5, 0.1)))
    belief.put_entity(Entity("table1", {"table": 1.0}, (1.0, 2.0, 0.0), fixed=True))
    belief.put_entity(Entity("sink1", {"sink": 1.0}, (4.0, 2.0, 0.0), fixed=True))
    belief.put_entity(Entity("robot1", {"robot": 1.0}, fixed=True))
    belief.put_entity(Entity("right", {"hand": 1.0}, fixed=True))
    belief.tell(("holding", "robot1", "right", "mug1"))
    return belief.snapshot()


def begin(executor, name, arguments, beliefs, catalogue=CATALOGUE):
    robot = Listener()
    execution = find_executor(executor).begin(
        Action("a1", name, tuple(arguments)), catalogue[name], beliefs, robot, "a1.1"
    )
    return execution, robot.heard


def test_act_gives_one_order_with_targets_from_the_belief(beliefs):
    execution, [(order, execution_id)] = begin(
        "act", "place_on", ["robot1", "right", "mug1", "table1"], beliefs
    )
    assert (execution, execution_id) == ("started", "a1.1")
    assert (order.skill, order.hand, order.parameters) == ("place_on", "right", {})
    assert list(order.targets) == ["item", "place"]
    mug = order.targets["item"]
    assert (mug.classes, mug.pose, mug.features, mug.held_in) == (
        {"mug": 0.8, "cup": 0.2}, (1.0, 2.0, 0.8), (0.5, 0.1), "right",
    )  # fmt: skip
    assert order.targets["place"].held_in is None


def test_an_order_never_carries_the_agents_names(beliefs):
    _, [(order, _)] = begin("act", "place_on", ["robot1", "right", "mug1", "table1"], beliefs)
    assert not any(name in repr(order) for name in ("mug1", "table1", "robot1"))


def test_both_ends_of_a_move_are_targets_and_no_hand_is_used(beliefs):
    _, [(order, _)] = begin("act", "move", ["robot1", "table1", "sink1"], beliefs)
    assert {name: target.pose for name, target in order.targets.items()} == {
        "from": (1.0, 2.0, 0.0),
        "to": (4.0, 2.0, 0.0),
    }
    assert order.hand is None


def test_nothing_is_told_about_what_nothing_is_known_of(beliefs):
    with pytest.raises(TargetError, match="'mug9'"):
        begin("act", "pick", ["robot1", "right", "mug9", "table1"], beliefs)


def test_look_looks_at_the_targets(beliefs):
    execution, [(request, _)] = begin("look", "inspect", ["robot1", "table1"], beliefs)
    assert execution == "looking"
    assert [target.pose for target in request.at] == [(1.0, 2.0, 0.0)]
    assert request.why == CATALOGUE["inspect"].says


def test_instant_is_done_without_the_robot(beliefs):
    execution, heard = begin("instant", "inspect", ["robot1", "table1"], beliefs)
    execution.cancel()
    assert execution.poll().outcome is Outcome.DONE
    assert heard == []


def test_in_a_bare_domain_the_order_carries_the_names():
    domain = parse_domain(
        "(define (domain d) (:types room) (:predicates (here ?r - room))"
        " (:action go :parameters (?a ?b - room) :effect (and (here ?b) (not (here ?a)))))"
    )
    catalogue = Catalogue.from_domain(domain)
    _, [(order, _)] = begin("act", "go", ["hall", "attic"], Belief().snapshot(), catalogue)
    assert (order.skill, dict(order.targets)) == ("go", {})
    assert order.parameters == {"arguments": ["hall", "attic"]}


def test_a_skills_parameters_travel_with_every_order(beliefs):
    import dataclasses

    gently = dataclasses.replace(CATALOGUE["pick"], parameters={"force": 0.2})
    robot = Listener()
    find_executor("act").begin(
        Action("a1", "pick", ("robot1", "right", "mug1", "table1")), gently, beliefs, robot, "e"
    )
    assert robot.heard[0][0].parameters == {"force": 0.2}


# -- finding them ------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", EXECUTORS)
def test_known_executors(name):
    assert hasattr(find_executor(name), "begin")


def test_a_class_of_ones_own(tmp_path, monkeypatch):
    (tmp_path / "my_executors.py").write_text(
        "class Hum:\n    def begin(self, *told):\n        return 'hum'\nclass Mute:\n    pass\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    try:
        assert find_executor("my_executors:Hum").begin(None, None, None, None, "e") == "hum"
        with pytest.raises(ExecutorError, match=r"no class or function 'Humm'\. Did you mean Hum\?"):
            find_executor("my_executors:Humm")
        with pytest.raises(ExecutorError, match="begin"):
            find_executor("my_executors:Mute")
    finally:
        sys.modules.pop("my_executors", None)


@pytest.mark.parametrize("name", ["actt", "a.b", "a.b:", ":C", "a..b:C", "a.b:C d", ""])
def test_what_cannot_be_an_executor_is_refused_without_importing(name):
    with pytest.raises(ExecutorError, match=r"act, ask, instant, look|Did you mean"):
        check_executor_name(name)


def test_a_module_that_is_not_there():
    with pytest.raises(ExecutorError, match="cannot be imported: No module named 'nowhere'"):
        find_executor("nowhere.at_all:Class")


def test_roles_rename_what_the_robot_is_told_and_leave_out_the_rest(beliefs):
    skill = replace(CATALOGUE["wash"], does="rinse", roles={"item": "thing"})
    robot = Listener()
    action = Action("a1", "wash", ("robot1", "right", "mug1", "sink1"))
    find_executor("act").begin(action, skill, beliefs, robot, "a1.1")
    [(order, _)] = robot.heard
    assert (order.skill, set(order.targets), order.hand, order.other_hand) == (
        "rinse",
        {"thing"},
        "right",
        None,
    )


@pytest.mark.parametrize(
    "name", ["json:loads", "json:dump", "os:system", "os:abort", "os:makedirs", "builtins:print"]
)
def test_what_can_make_no_behaviour_is_refused_before_it_is_called(name):
    with pytest.raises(ExecutorError, match=r"skill pick: .* is not an executor"):
        find_executor(name, "pick")


def test_functions_that_make_behaviours(tmp_path, monkeypatch):
    (tmp_path / "my_shaking.py").write_text(
        "from functools import partial\n"
        "from py_trees.common import Access\n"
        "from foretree.config import stamp, find_config\n"
        "def make_shake(action, namespace):\n    raise KeyError('cup')\n"
        "def few(action): ...\n"
        "def more(times, action, namespace): ...\n"
        "thrice = partial(more, 3)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    action = Action("a1", "shake", ("robot1",))
    try:
        with pytest.raises(
            ExecutorError, match=r"skill shake: .*KeyError.*called with \(action, namespace\)"
        ):
            find_executor("my_shaking:make_shake").make_behaviour(action)
        assert find_executor("my_shaking:thrice")
        for wrong in ("few", "more", "find_config"):
            with pytest.raises(ExecutorError, match="is not an executor"):
                find_executor(f"my_shaking:{wrong}")
        with pytest.raises(ExecutorError, match=r"skill shake: .*class or function") as caught:
            find_executor("my_shaking:mkae_shake", "shake")
        assert "make_shake" in str(caught.value)
        assert "Access" not in str(caught.value)
    finally:
        sys.modules.pop("my_shaking", None)
