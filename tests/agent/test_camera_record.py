"""Camera images of a session in a home, as its run has them."""

import json

import pytest

from foretree.agent.camera_record import RecordedImage, record_image
from foretree.bringup.homes import open_home
from foretree.bringup.options import Options, Wish
from foretree.runs.attachments import read_attachment
from foretree.runs.events import Tape
from foretree.runs.reader import events
from foretree.runs.recorder import RunRecorder
from foretree.runs.store import RunStore
from foretree.simulation.grid_homes.episode import EpisodeSpec
from foretree.world_model.look_image import EncodedImage
from foretree.world_model.observation import Detection, Observation

EPISODE = EpisodeSpec("l_kitchen/1", 1, "pick_and_place", {"item": "newspaper", "place": "counter"}, noise=0)
GOAL = "(exists (?x - newspaper ?y - counter) (on ?x ?y))"


def episode(tmp_path, name, **changes):
    run = RunStore(tmp_path / "runs").create("newspaper", run_id=name)
    recorder = RunRecorder(run)
    session, world = open_home(EPISODE, Wish(goal=GOAL), Options("homes", **changes), recorder=recorder)
    recorder.close(session.run().outcome)
    world.close()
    return list(events(run)), run


def test_each_look_in_a_home_has_its_image_and_knows_what_is_in_it(tmp_path):
    happened, run = episode(tmp_path, "one")
    classes: dict[str, str] = {}
    seen = matched = right = 0
    for event in happened:
        for entity in event.data.get("entities", ()) if event.kind == "entity.changed" else ():
            classes[entity["name"]] = entity["class"]
        if event.kind != "camera.seen":
            continue
        image = event.data["image"]
        assert (image["width"], image["height"]) == (96, 72)
        for digest in (image["digest"], image["masks"]):
            assert read_attachment(run, digest).content.startswith(b"\x89PNG")
        for one in image["detections"]:
            seen += 1
            matched += "entity" in one
            right += classes.get(one.get("entity", "")) == one["class"]
    assert seen > 100
    assert matched > 0.9 * seen
    assert right > 0.8 * matched
    again, _ = episode(tmp_path, "two")
    assert [e.data for e in again if e.kind == "camera.seen"] == [
        e.data for e in happened if e.kind == "camera.seen"
    ]


def test_images_are_not_recorded_where_they_are_not_wanted(tmp_path):
    happened, _ = episode(tmp_path, "none", overrides={"record_images": "false"})
    assert [event for event in happened if event.kind == "look.ended"]
    assert not [event for event in happened if event.kind == "camera.seen"]


def test_a_recorder_that_knows_nothing_of_images_takes_the_event_as_json():
    tape = Tape()
    record_image(tape, Observation(0.0, "look", image=EncodedImage(1, 1, b"")), {})
    assert json.loads(json.dumps(tape.events[0].data)) == {"source": "look", "image": {}}


class Broken:
    def encoded(self):
        raise OSError("the camera is gone")


@pytest.mark.parametrize(
    ("image", "words"),
    [(Broken(), "the camera is gone"), (EncodedImage(1, 1, b"", "text/html"), "text/html")],
)
def test_an_image_that_cannot_be_encoded_is_said_so(image, words):
    made = RecordedImage(Observation(0.0, "look", image=image), {}).made(lambda *_: "digest")
    assert words in made["trouble"]


def test_that_a_file_cannot_be_kept_is_not_laid_to_the_camera():
    def full(*_):
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="disk is full"):
        RecordedImage(Observation(0.0, "look", image=EncodedImage(1, 1, b"file")), {}).made(full)


def test_only_what_is_in_the_image_is_listed():
    seen = (Detection("d1", {"mug": 0.9, "cup": 0.0001}, (0, 0, 0)), Detection("d2", {"hat": 1.0}, (0, 0, 0)))
    image = EncodedImage(4, 4, b"file", boxes={"d1": (0, 0, 2, 2)})
    made = RecordedImage(Observation(0.0, "look", seen, image=image), {"d1": "mug1"}).made(
        lambda *_: "digest"
    )
    assert made["detections"] == [
        {"class": "mug", "scores": {"mug": 0.9}, "entity": "mug1", "box": [0.0, 0.0, 2.0, 2.0]}
    ]
