"""Films of runs, read back with what people will read them with."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest
from PIL import Image, ImageSequence

from foretree.bringup.embedded import open_household, open_pddl
from foretree.bringup.options import Options, Wish
from foretree.pictures.films import _encoding
from foretree.pictures.films._map import has_map
from foretree.pictures.films._moments import story
from foretree.pictures.films._world import RunFloor
from foretree.pictures.films.film import FilmError, write_film
from foretree.runs.encoding import canonical
from foretree.runs.events import Event, Tape

PARCELS = Path(__file__).parents[3] / "docs" / "examples"
MANGO, FAULT = "put the mango into the fridge", "after 1: move mango1 table2"


def taken(scene, instruction, *faults):
    tape = Tape()
    session, _ = open_household(scene, Wish(instruction), Options(faults=faults), recorder=tape)
    assert session.run().reached
    return tape.events


@pytest.fixture(scope="module")
def mango():
    return taken("kitchen", MANGO, FAULT)


@pytest.fixture(scope="module")
def gif(mango, tmp_path_factory):
    file = tmp_path_factory.mktemp("film") / "mango.gif"
    return write_film(mango, file)


def near(picture, colour):
    return sum(
        number
        for number, found in picture.convert("RGB").getcolors(1 << 24)
        if all(abs(one - other) < 10 for one, other in zip(found, colour, strict=True))
    )


# -- what is told ----------------------------------------------------------------------------------------
def test_the_surprise_and_the_revision_are_told(mango):
    told = story(mango)
    heads = [moment.line.head for moment in told.moments]
    assert heads.index("discrepancy") < heads.index("revised by rules") < heads.index("ended")
    found = told.moments[heads.index("discrepancy")]
    assert {"mango1", "table1", "table2"} <= found.marked
    assert found.hold > 1
    [pick] = [step for step in found.steps if step.text == "pick(mango1, table1)"]
    assert pick.checks == (("presence", False),)
    mango1 = next(thing for thing in found.world.items if thing.name == "mango1")
    assert mango1.holder == "table2"


def test_a_revision_shows_what_went_and_what_came(mango):
    told = story(mango)
    revised = next(moment for moment in told.moments if moment.line.head == "revised by rules")
    assert [(step.text, step.status, step.new) for step in revised.steps] == [
        ("move(kitchen, table1)", "done", False),
        ("pick(mango1, table1)", "dropped", False),
        ("move(table1, fridge1)", "dropped", False),
        ("move(table1, table2)", "planned", True),
        ("pick(mango1, table2)", "planned", True),
        ("move(table2, fridge1)", "planned", True),
        ("open(fridge1)", "planned", False),
        ("place_in(mango1, fridge1)", "planned", False),
    ]
    last = told.moments[-1]
    assert [step.status for step in last.steps] == ["done"] * 6
    assert last.line.text == "reached"


def test_the_robot_is_on_its_way_between_nodes(mango):
    told = story(mango)
    [robot] = told.ways.robots()
    start, there = told.ways.at(robot, 0), told.ways.at(robot, 3.5)
    half = told.ways.at(robot, 1.8)
    assert min(start[0], there[0]) < half[0] < max(start[0], there[0])
    assert told.ways.moves(1, 2)
    assert not told.ways.moves(9.5, 11)
    assert told.ways.heading(robot, 0) is None
    assert len(told.ways.until(robot, 24)) > 6


def test_what_is_held_is_where_the_robot_is(mango):
    carried = [moment for moment in story(mango).moments if 11.1 < moment.time < 21]
    assert carried
    for moment in carried:
        assert [thing.holder for thing in moment.world.items if thing.name == "mango1"] == ["robot1"]


def test_several_robots_are_named_in_steps():
    told = story(taken("two_robots", "wash the mug and put the book on the shelf"))
    assert sorted(told.ways.robots()) == ["robot1", "robot2"]
    assert {step.text.split("(")[1][:6] for step in told.moments[-1].steps} == {"robot1", "robot2"}
    assert told.floor.openings


def test_a_film_ends_with_the_tick_that_is_asked_for(mango):
    told = story(mango, until=40)
    assert told.moments[-1].time < 5
    assert told.moments[-1].hold >= 3, "the last picture stays"


def test_doors_of_the_floor():
    told = story(taken("studio", "put the juice into the fridge"))
    assert [door.name for door in told.floor.doors] == ["bathroom_door"]
    assert "bathroom_door" not in told.moments[0].world.open_doors
    assert told.floor.room_at((7, 1)).name == "kitchenette"


@pytest.mark.parametrize(
    "said", [{}, {"rooms": 3}, {"rooms": [{"name": "x"}]}, {"doors": [{"at": "here"}]}, [1]]
)
def test_a_floor_that_is_none(said):
    assert RunFloor.read(said) == RunFloor()


# -- files -----------------------------------------------------------------------------------------------
def test_a_gif_is_small_and_repeats(gif):
    with Image.open(gif.file) as film:
        assert film.size[0] == 800
        assert film.info["loop"] == 0
        durations = [frame.info["duration"] for frame in ImageSequence.Iterator(film)]
    assert sum(durations) / 1000 == pytest.approx(gif.seconds, abs=0.2)
    assert min(durations) >= 20
    assert gif.frames > 40
    assert gif.size == gif.file.stat().st_size < 1_500_000


def test_its_colours_are_those_of_the_palette(gif):
    with Image.open(gif.file) as film:
        frames = [frame.convert("RGB") for frame in ImageSequence.Iterator(film)]
    assert any(near(frame, (255, 241, 214)) > 30_000 for frame in frames), "the surprise"
    assert any(near(frame, (228, 238, 252)) > 30_000 for frame in frames), "the revision"
    assert near(frames[-1], (227, 244, 238)) > 30_000, "the end"
    assert near(frames[0], (217, 115, 13)) > 30, "the mango"
    assert near(frames[-1], (242, 140, 30)) > 500, "the way"


def test_a_film_of_the_record_is_the_same_every_time(mango, gif, tmp_path):
    read_back = [Event(*event[:4], json.loads(canonical(event.data))) for event in mango]
    write_film(read_back, tmp_path / "again.gif")
    assert (tmp_path / "again.gif").read_bytes() == gif.file.read_bytes()


def test_speed_and_width(mango, tmp_path):
    slow = write_film(mango, tmp_path / "slow.gif", speed=5, width=400, until=100)
    fast = write_film(mango, tmp_path / "fast.gif", speed=50, width=401, until=100)
    assert slow.seconds > fast.seconds
    assert slow.frames > fast.frames
    assert Image.open(slow.file).size == Image.open(fast.file).size, "videos have even sides"


def test_a_run_without_a_map_shows_its_plan(tmp_path):
    tape = Tape()
    session, _ = open_pddl(PARCELS / "parcels.pddl", PARCELS / "parcels-problem.pddl", recorder=tape)
    assert session.run().reached
    assert not has_map(story(tape.events))
    film = write_film(tape.events, tmp_path / "parcels.gif", width=640)
    with Image.open(film.file) as picture:
        picture.seek(picture.n_frames - 1)
        assert near(picture, (18, 135, 106)) > 100, "ticks"


def test_a_record_without_a_floor_has_a_map_of_what_was_found(mango, tmp_path):
    bare = [replace_data(event, floor=None) if event.kind == "run.started" else event for event in mango]
    told = story(bare, until=40)
    assert told.floor == RunFloor()
    assert has_map(told)
    assert write_film(bare, tmp_path / "bare.gif", width=320, until=40).size > 1000


def replace_data(event, **changes):
    return event._replace(data={**event.data, **changes})


def test_names_that_nobody_can_draw(mango, tmp_path):
    evil = [event for event in mango if event.tick <= 20]
    evil[0] = replace_data(evil[0], instruction="line\nbreak \x1b[31m \x00 漢字 " + "long " * 400)
    assert write_film(evil, tmp_path / "evil.gif", width=320).size > 1000


@pytest.mark.parametrize(
    ("file", "options", "says"),
    [
        ("run.avi", {}, "A film is a .gif or an .mp4 file, which .*run.avi is not."),
        ("run", {}, "A film is a .gif or an .mp4 file"),
        ("run.gif", {"width": 10}, "A film is 320 to 3840 pixels wide, not 10."),
        ("no/run.gif", {"width": 320, "until": 5}, "Cannot write .*run.gif: No such file or directory."),
        ("no/run.mp4", {"width": 320, "until": 5}, "Cannot write .*run.mp4: No such file or directory."),
    ],
)
def test_mistakes(mango, tmp_path, file, options, says):
    pytest.importorskip("imageio_ffmpeg")
    with pytest.raises(FilmError, match=says):
        write_film(mango, tmp_path / file, **options)


def test_nothing_to_film(tmp_path):
    with pytest.raises(FilmError, match="nothing to film"):
        write_film([], tmp_path / "none.gif")


# -- videos ----------------------------------------------------------------------------------------------
def test_a_video_can_be_played(mango, tmp_path):
    ffmpeg = pytest.importorskip("imageio_ffmpeg")
    film = write_film(mango, tmp_path / "mango.mp4", width=400, until=40, speed=4)
    reader = ffmpeg.read_frames(str(film.file))
    about = next(reader)
    assert (about["codec"], about["fps"]) == ("h264", 25)
    assert about["pix_fmt"].startswith("yuv420p")
    assert about["size"][0] == 400
    assert sum(1 for _ in reader) / 25 == pytest.approx(film.seconds, abs=0.2)


def test_a_video_without_ffmpeg(mango, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    says = re.escape("pip install 'foretree[film]'")
    with pytest.raises(_encoding.EncodingError, match=says):
        write_film(mango, tmp_path / "mango.mp4", width=320, until=5)


def test_a_video_that_ffmpeg_cannot_write(mango, tmp_path, monkeypatch):
    script = tmp_path / "ffmpeg"
    script.write_text("#!/bin/sh\necho nothing doing >&2\nexit 1\n")
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    with pytest.raises(_encoding.EncodingError, match=r"ffmpeg could not write .*: nothing doing"):
        write_film(mango, tmp_path / "mango.mp4", width=320, until=5)
