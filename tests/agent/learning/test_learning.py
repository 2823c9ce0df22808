"""What a run in a home has found out is known to the runs after it, unless they are frozen."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from foretree.bringup.homes import open_home
from foretree.bringup.options import Options, Wish
from foretree.bringup.request import Request
from foretree.cli import app
from foretree.perception.gallery import load_pictures, own_gallery_path
from foretree.regression.homes._draw import ErrandDrawing
from foretree.regression.homes._episode import HomesTrial, HomeTrials
from foretree.regression.homes.suite import read_homes_suite
from foretree.runs.encoding import canonical, without_wall
from foretree.runs.events import Event, Tape
from foretree.runs.views.run_state import RunState
from foretree.runs.views.wording import tell
from foretree.simulation.grid_homes.disturbances import UNDISTURBED, Disturbances
from foretree.simulation.grid_homes.episode import EpisodeSpec
from foretree.world_model.likely_places import load_likely_places, read_sightings

#: A newspaper lies on a table, in plain view.
EASY = EpisodeSpec("l_kitchen/1", 1, "pick_and_place", {"item": "newspaper", "place": "counter"}, noise=0.0)
ON_A_COUNTER = "(exists (?item - newspaper ?place - counter) (on ?item ?place))"
#: All plates are dirty.
DIRTY = EpisodeSpec("l_kitchen/1", 1, "clean_and_place", {"item": "plate", "place": "table"}, noise=0.0)
CLEAN = "(exists (?item - plate ?place - table) (and (clean ?item) (on ?item ?place)))"
#: A mug in which the robot makes coffee, under a machine where nobody else would have put it.
COFFEE = EpisodeSpec("l_kitchen/1", 1, "coffee", {"vessel": "mug"}, noise=0.0)
COFFEE_ON_A_TABLE = "(exists (?mug - mug ?place - table) (and (has_coffee ?mug) (on ?mug ?place)))"


@pytest.fixture(autouse=True)
def folder(monkeypatch, tmp_path):
    """Where what is learned is kept."""
    folder = tmp_path / "kept"
    monkeypatch.setenv("FORETREE_HOME", str(folder))
    return folder


def opened(episode=EASY, goal=ON_A_COUNTER, learns=True):
    tape = Tape()
    session, world = open_home(episode, Wish(goal=goal), Options("homes"), recorder=tape, learns=learns)
    return session, world, tape


def carry_out(episode=EASY, goal=ON_A_COUNTER, learns=True):
    session, world, tape = opened(episode, goal, learns)
    assert session.run().outcome == "reached"
    return session, world, tape


def sightings(folder):
    return read_sightings(folder / "likely_places.json")


def lines(tape):
    state, told = RunState(), []
    for event in tape.events:
        state.apply(event)
        told += [str(line) for line in tell(state)]
    return told


# -- where things are --------------------------------------------------------------------------------
def test_where_a_thing_was_picked_up_is_known_to_later_runs(folder):
    before = load_likely_places().likelihood("newspaper", ["table", "bed"])
    _, _, tape = carry_out()
    assert sightings(folder) == {"newspaper": {"table": 1}}
    assert tape.of("run.learned")[0].data == {"places": [["newspaper", "table"]]}
    assert "learned: newspaper at table" in lines(tape)
    assert tape.events[-1].kind == "run.ended"
    assert load_likely_places().likelihood("newspaper", ["table", "bed"])["table"] > before["table"]
    carry_out()
    assert sightings(folder) == {"newspaper": {"table": 2}}


def test_a_later_run_expects_things_where_they_were_found(folder):
    fresh, _, _ = opened()
    folder.mkdir()
    (folder / "likely_places.json").write_text(json.dumps({"sightings": {"newspaper": {"stove": 500}}}))
    taught, _, _ = opened(learns=False)
    for session in (fresh, taught):
        for _ in range(8):
            session.step()
    kinds = {piece.name: piece.best_class for piece in taught.context.tracker.pieces()}
    stoves = [name for name, kind in kinds.items() if kind == "stove"]
    assert stoves
    for name in stoves:
        assert taught.context.topological_map.chances("newspaper")[name] > 0.3
        assert fresh.context.topological_map.chances("newspaper")[name] < 0.1


def test_what_the_robot_has_put_somewhere_is_no_news(folder):
    _, world, _ = carry_out(COFFEE, COFFEE_ON_A_TABLE)
    mugs = [one for one in world.body.rules.log.pickups if one.class_name == "mug"]
    assert len(mugs) == 2, "once where it was, once under the machine"
    assert sum(sightings(folder)["mug"].values()) == 1
    assert "coffee_machine" not in sightings(folder)["mug"]


def test_what_is_not_certainly_what_it_is_taken_for_is_not_learned(folder, monkeypatch):
    monkeypatch.setattr("foretree.agent.learning.learner._SURE", 1.1)
    _, _, tape = carry_out()
    assert not folder.exists()
    assert not tape.of("run.learned")


def test_a_run_that_is_cancelled_keeps_what_it_has_found_out(folder):
    session, world, tape = opened()
    while not tape.of("action.ended") or tape.of("action.ended")[-1].data["action"] == "a1":
        session.step()
    session.step()
    session.cancel()
    assert session.result.outcome == "cancelled"
    assert [one.class_name for one in world.body.rules.log.pickups] == ["newspaper"]
    assert sightings(folder) == {"newspaper": {"table": 1}}


# -- how things look ---------------------------------------------------------------------------------
def test_what_the_robot_has_washed_shows_later_runs_what_clean_things_look_like(folder):
    _, _, tape = carry_out(DIRTY, CLEAN)
    assert tape.of("run.learned")[0].data["pictures"] == [["plate", {"clean": True}]]
    assert "learned: what plate looks like: clean" in lines(tape)
    ((_, class_name, states),) = load_pictures(own_gallery_path()).rows()
    assert (class_name, states) == ("plate", {"clean": True})
    later, _, _ = opened(learns=False)
    assert len(later.context.robot.senses.eyes.gallery) == 1 + 734
    assert later.context.robot.senses.eyes.gallery.frozen


class Unlucky:
    """Chance that has every manipulation fail, and the robot told that it was done."""

    def next_outcome(self):
        return "silent"

    def intervene(self, home):
        return None


def test_what_is_only_said_to_be_done_is_not_learned():
    session, world, tape = opened(DIRTY, CLEAN)

    def washed():
        return [one for one in tape.of("action.intent") if one.data["action"]["skill"] == "wash_at_tap"]

    while not washed():
        session.step()
    world.body.rules._disturbances = Unlucky()
    said = len(tape.events)
    while not any(event.kind == "action.ended" for event in tape.events[said:]):
        session.step()
    assert tape.of("action.ended")[-1].data["outcome"] == "done"
    rules = world.body.rules
    plate = rules.home[rules.log.pickups[-1].thing]
    assert "clean" not in plate.states
    assert len(session.context.learner._taken) == 1, "a picture was taken in good faith"
    rules._disturbances = Disturbances(0, UNDISTURBED)
    assert session.run().outcome == "reached"
    assert len(washed()) == 2, "it was seen to be dirty, and washed once more"
    assert [one.data["pictures"] for one in tape.of("run.learned")] == [[["plate", {"clean": True}]]]
    assert "clean" in plate.states


# -- frozen ------------------------------------------------------------------------------------------
def test_unless_it_is_to_learn_a_run_leaves_nothing_behind(folder):
    for episode, goal in ((EASY, ON_A_COUNTER), (DIRTY, CLEAN)):
        _, _, tape = carry_out(episode, goal, learns=False)
        assert not tape.of("run.learned")
    assert not folder.exists()


def test_a_suite_leaves_what_is_known_as_it_is(folder, tmp_path):
    carry_out(DIRTY, CLEAN)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert {"likely_places.json", "gallery.npz"} <= set(before)
    path = tmp_path / "little.yaml"
    path.write_text(
        "{suite: little, kind: homes, things: 25, families: [clean_and_place], splits: [seen], modes: [diverse], "
        "errands: 1, variants: {none: {settings: {guards: none}}}}"
    )
    suite = read_homes_suite(str(path))
    drawn = [ErrandDrawing(suite).run(errand) for errand in suite.all_errands(seed=2)]
    episode = HomeTrials(suite).run(HomesTrial(0, drawn[0], "none", 0.0))
    assert not episode.trouble
    assert episode.actions
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_the_same_run_with_the_same_files_is_the_same(folder, tmp_path, monkeypatch):
    carry_out(DIRTY, CLEAN)
    records = []
    for name in ("one", "other"):
        shutil.copytree(folder, tmp_path / name)
        monkeypatch.setenv("FORETREE_HOME", str(tmp_path / name))
        _, _, tape = carry_out(replace(DIRTY, noise=1.0), CLEAN)
        records.append([canonical([*event[:-1], without_wall(event.data)]) for event in tape.events])
    assert records[0] == records[1]


def test_the_comparison_with_the_same_run_without_guards_teaches_nothing(folder):
    wish = Wish(goal=ON_A_COUNTER)
    next(Request(wish, options=Options(seed=1), home="l_kitchen/1", learns=True).baselines())
    assert not folder.exists()


# -- when it cannot be kept --------------------------------------------------------------------------
def test_that_nothing_can_be_kept_is_said_and_does_no_harm(folder):
    session, _, tape = opened(DIRTY, CLEAN)
    folder.write_text("This is a file, and no folder.")
    assert session.run().outcome == "reached"
    notes = [event.data["text"] for event in tape.of("log")]
    assert [note.partition(" Cannot write ")[0] for note in notes] == ["What was learned is not kept."] * 2
    assert not tape.of("run.learned")
    assert folder.read_text() == "This is a file, and no folder."


def test_a_fault_in_who_learns_is_noted_when_the_run_is_over(monkeypatch):
    session, _, tape = opened()
    monkeypatch.setattr(session.context.learner, "keep", lambda: 1 / 0)
    assert session.run().outcome == "reached"
    said = tape.of("log")[-1].data["text"]
    assert said.startswith("What was learned is not kept. In tick ")
    assert said.endswith("ZeroDivisionError was raised: division by zero")
    assert tape.events[-1].kind == "run.ended"


# -- from the command line ---------------------------------------------------------------------------
@pytest.mark.parametrize("frozen", [False, True])
def test_runs_from_the_command_line_learn_unless_they_are_frozen(folder, frozen):
    asked = ["run", "--goal", ON_A_COUNTER, "--home", "l_kitchen/1", "--seed", "1", "--set", "scene.noise=0"]
    result = CliRunner().invoke(app, [*asked, *(["--frozen"] if frozen else [])])
    assert result.exit_code == 0, result.output
    assert (folder / "likely_places.json").exists() is not frozen
    assert ("learned: newspaper at table" in result.output) is not frozen


def test_an_event_of_another_version_is_told_as_far_as_it_goes():
    state = RunState()
    state.apply(Event(1, 1, 0.0, "run.learned", {}))
    assert tell(state) == []
