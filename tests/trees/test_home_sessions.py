"""Sessions in homes of which nobody has told the robot anything."""

import json
import os
import subprocess
import sys

import pytest

from foretree.bringup.homes import open_home, open_named_home
from foretree.bringup.options import Options, Wish
from foretree.bringup.request import Request
from foretree.bringup.resume import ResumeError, reopen_events
from foretree.config import ConfigError
from foretree.errors import ForetreeError
from foretree.simulation.grid_homes.episode import EpisodeSpec
from foretree.simulation.grid_homes.layouts.layout_generator import LayoutError

#: A newspaper lies in plain view, and a counter stands not far away.
EASY = EpisodeSpec("l_kitchen/1", 6, "pick_and_place", {"item": "newspaper", "place": "counter"}, noise=0.0)
ON_A_COUNTER = "(exists (?item - newspaper ?place - counter) (on ?item ?place))"


class Notes:
    """Takes down what happens, as a run's record would."""

    def __init__(self):
        self.events = []
        self.at = (0, 0.0)

    def mark(self, tick, time):
        self.at = (tick, time)

    def record(self, kind, **data):
        data.pop("wall", None)
        self.events.append((*self.at, kind, json.loads(json.dumps(data))))

    commit = record

    def lines(self):
        return "\n".join(json.dumps(event) for event in self.events)

    def of(self, kind):
        return [data for _, _, name, data in self.events if name == kind]


def carry_out(episode=EASY, goal=ON_A_COUNTER, ticks=None, remote=False, **overrides):
    notes = Notes()
    session, world = open_home(
        episode, Wish(goal=goal), Options("homes", overrides), recorder=notes, remote=remote
    )
    try:
        if ticks is None:
            session.run()
        else:
            for _ in range(ticks):
                session.step()
            session.cancel()
        return session, world, notes, world.judge()
    finally:
        world.close()


def test_a_thing_is_put_where_it_is_wanted_in_a_home_nobody_told_of():
    session, _, notes, verdict = carry_out()
    assert session.result.outcome == "reached"
    assert verdict.reached
    assert verdict.conditions == (True,)
    started = notes.of("run.started")[0]
    assert started["home"]["layout"] == "l_kitchen/1"
    assert started["scene"] == "l_kitchen/1"


def test_words_may_speak_of_furniture_that_nobody_has_seen_yet():
    notes = Notes()
    wish, options = Wish("put a mug on a table"), Options(seed=11)
    session, _ = open_named_home("l_kitchen/3", wish, options, recorder=notes)
    session.run()
    assert notes.of("goal.set")[0]["goal"] == "(exists (?x - mug) (exists (?y - table) (on ?x ?y)))"
    assert session.result.outcome == "reached"


def test_furniture_that_is_nowhere_is_looked_for_and_given_up():
    notes = Notes()
    session, _ = open_named_home("bathroom/3", Wish("put a mug on the sofa"), Options(seed=2), recorder=notes)
    session.run()
    assert session.result.outcome == "given-up"
    assert "a sofa could not be found" in session.result.reason


def test_to_begin_with_the_agent_knows_its_body_and_nothing_else():
    session, _ = open_home(EASY, Wish(goal=ON_A_COUNTER), Options("homes"))
    assert {entity.best_class for entity in session.context.belief.entities().values()} == {"robot", "hand"}
    assert len(session.context.places) == 0


def test_the_map_is_what_the_home_is_like():
    session, world, _, _ = carry_out(ticks=20)
    context, home = session.context, world.body.rules.home
    found = {piece.name: piece for piece in context.tracker.pieces()}
    true = [thing for thing in home.things.values() if thing.class_name in home.classes.furniture]
    assert len(found) >= len(true) // 2
    assert len(found) <= len(true)
    for name, piece in found.items():
        off = [
            max(abs(a - b) for a, b in zip(piece.pose[:2], thing.extent_middle[:2], strict=True))
            for thing in _middles(true)
            if thing.class_name == piece.best_class
        ]
        assert min(off) < 0.5, f"there is no such thing as {name} there"
        assert name in context.places
    here = context.node()
    reached = context.places.distances(here)
    assert len(reached) > len(found) // 2
    for way in context.places.passages():
        assert context.belief.truth(("connected", way.one, way.other)).value == "true"
        assert context.belief.truth(("connected", way.other, way.one)).value == "true"
    assert context.task.functions == context.places.travel_costs()


def _middles(things):
    class Middle:
        def __init__(self, thing):
            x0, y0, z0, x1, y1, z1 = thing.extent
            self.class_name = thing.class_name
            self.extent_middle = ((x0 + x1) / 2, (y0 + y1) / 2, (z0 + z1) / 2)

    return [Middle(thing) for thing in things]


def test_the_same_seed_gives_the_same_run_byte_for_byte():
    noisy = EpisodeSpec("l_kitchen/2", 3, noise=1.0)
    one, other = (carry_out(noisy, ON_A_COUNTER, ticks=60)[2].lines() for _ in range(2))
    assert one == other
    assert '"look.ended"' in one


def test_another_seed_gives_another_run():
    one, other = (
        carry_out(EpisodeSpec("l_kitchen/2", seed), ON_A_COUNTER, ticks=20)[2].lines() for seed in (3, 4)
    )
    assert one != other


def test_frames_are_all_that_the_agent_has_of_its_home():
    """With its body in a process of its own, and nothing but frames coming from there, the run is the same
    from beginning to end."""
    noisy = EpisodeSpec("l_kitchen/2", 3, noise=1.0)
    here = carry_out(noisy, ON_A_COUNTER)
    there = carry_out(noisy, ON_A_COUNTER, remote=True)
    assert here[0].result.outcome == "reached"
    assert there[2].lines() == here[2].lines()
    assert there[3] is None, "the truth is elsewhere"


@pytest.mark.slow
def test_runs_do_not_depend_on_how_strings_are_hashed(tmp_path):
    code = (
        "from test_home_sessions import *\n"
        "print(carry_out(EpisodeSpec('l_kitchen/2', 3, noise=1.0), ON_A_COUNTER, ticks=80)[2].lines())"
    )
    said = [
        subprocess.run(
            [sys.executable, "-c", code],
            env={
                **os.environ,
                "PYTHONHASHSEED": seed,
                "PYTHONPATH": os.pathsep.join([os.getcwd(), os.path.dirname(__file__)]),
            },
            capture_output=True,
            check=True,
            timeout=120,
        ).stdout
        for seed in ("1", "2")
    ]
    assert said[0] == said[1]


def test_what_all_is_wanted_of_is_searched_for_before_anything_is_reached():
    session, _, notes, _ = carry_out(EASY, "(forall (?item - newspaper) (clean ?item))", ticks=30)
    assert session.result.outcome == "cancelled"
    assert any("looks for all of a newspaper" in chosen["why"] for chosen in notes.of("agent.chose"))


def test_an_episode_has_what_its_task_takes():
    body = EpisodeSpec("l_kitchen/1", 1, "pick_and_place", {"item": "newspaper", "place": "counter"}).open()
    assert any(thing.class_name == "newspaper" for thing in body.rules.home.things.values())


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"scene.noisy": "1"}, "of a home there is no 'noisy'"),
        ({"scene.noise": "loud"}, "it must be a number, not 'loud'"),
        ({"scene.things": "1.5"}, "it must be a whole number"),
        ({"scene.mode": "divers"}, "there is no mode 'divers'"),
    ],
)
def test_settings_of_a_home_that_make_no_sense(changes, said):
    with pytest.raises(ConfigError, match=said):
        open_home(EASY, Wish(goal=ON_A_COUNTER), Options("homes", changes=changes))


def test_a_layout_that_does_not_exist():
    with pytest.raises(LayoutError, match="no family of layouts 'castle'"):
        Request(Wish("x"), home="castle/1").open()


def test_faults_are_not_for_homes():
    with pytest.raises(ConfigError, match="Faults are for scenes"):
        Request(Wish("x"), options=Options(faults=("at 5: lose",)), home="l_kitchen/1").open()


def test_the_agent_for_homes_needs_a_home():
    with pytest.raises(ConfigError, match="finds its way about by itself"):
        Request(Wish(goal="(on mug1 table1)"), options=Options("homes")).open()


def test_a_run_in_a_home_cannot_be_taken_up():
    _, _, notes, _ = carry_out(ticks=2)

    class Event:
        kind, data = "run.started", notes.of("run.started")[0]

    with pytest.raises(ResumeError, match="not on record"):
        reopen_events([Event()], Notes())


def test_a_home_can_be_asked_for_by_its_layout():
    session, world = Request(Wish(goal=ON_A_COUNTER), options=Options(seed=1), home="l_kitchen/1").open()
    assert world.episode == EpisodeSpec("l_kitchen/1", 1)
    assert session.context.topological_map is not None
    with pytest.raises(ForetreeError):
        Request(Wish(goal="(on nothing1 counter1)"), home="l_kitchen/1").open()


def test_a_search_opens_nothing_that_is_to_stay_shut_although_it_is_found_on_the_way():
    shut = "(always (forall (?thing - object) (not (open ?thing))))"
    notes = Notes()
    wish = Wish(goal="(exists (?item - spoon ?place - table) (on ?item ?place))", constraints=(shut,))
    session, world = open_named_home("l_kitchen/3", wish, Options("homes", seed=3), recorder=notes)
    try:
        session.run()
    finally:
        world.close()
    assert session.result.outcome == "given-up"
    assert "drawer1" in session.result.reason.partition(f"Not searched, to keep {shut}: ")[2]
    assert not [data for data in notes.of("action.intent") if data["action"]["skill"].startswith("open_")]
    assert "fridge1" in session.result.reason.partition("Not searched")[0]


def test_a_person_who_watches_lets_something_happen_in_a_home():
    notes = Notes()
    session, world = open_home(EASY, Wish(goal=ON_A_COUNTER), Options("homes"), recorder=notes)
    with pytest.raises(ForetreeError, match="knows of no"):
        session.surprise("move newspaper1 sofa1")
    while not notes.of("action.intent"):  # until it is on its way to the newspaper
        assert session.result is None
        session.step()
    session.surprise("move newspaper1 shelf1")
    assert notes.of("fault.injected") == [{"what": "move newspaper1 shelf1"}]
    session.run()
    assert session.result.outcome == "reached"
    assert world.judge().reached
    assert notes.of("plan.revised") or len(notes.of("plan.made")) > 1


def test_every_node_has_one_place_in_the_tree_and_every_action_counts_once():
    session, _, notes, _ = carry_out()
    nodes = list(session.tree.root.iterate())
    assert len(nodes) == len(set(nodes))
    assert all(child.parent is node for node in nodes for child in node.children)
    [built] = notes.of("tree.built")
    searches = [node["id"] for node in built["nodes"] if node["type"] == "PlanNode"]
    assert [path.split("/")[3] for path in searches] == ["search for all", "reach the goal", "search"]
    [ended] = notes.of("run.ended")
    assert ended["actions"] == sum(each["outcome"] == "done" for each in notes.of("action.ended"))
