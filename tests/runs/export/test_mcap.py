"""Files are read back by the reader of the package ``mcap``."""

import base64
import io
import json
import re
import threading
from pathlib import Path

import pytest
from mango_run import mango_events
from mcap.exceptions import EndOfFile
from mcap.reader import make_reader
from mcap.stream_reader import StreamReader

from foretree.runs.attachments import DeferredValue
from foretree.runs.event_kinds import EVENT_TYPES
from foretree.runs.export.mcap_events import IMAGES, LINES, schema_of, topic_of, write_mcap
from foretree.runs.export.mcap_log import McapLog, MessageSchema
from foretree.runs.export.run_source import RunSource
from foretree.runs.recorder import RunRecorder
from foretree.runs.store import RunStore

JSON_TYPES = {
    "string": str,
    "number": (int, float),
    "integer": int,
    "boolean": bool,
    "object": dict,
    "array": list,
}


def conforms(value, schema):
    """What of JSON Schema the schemas here use, by hand."""
    if not isinstance(value, JSON_TYPES[schema["type"]]):
        return False
    if schema["type"] == "array":
        return all(conforms(each, schema["items"]) for each in value)
    properties = schema.get("properties", {})
    return all(conforms(value[name], each) for name, each in properties.items() if name in value)


def as_foxglove_reads(schema):
    """Foxglove and Lichtblick refuse a file with a schema that is not like this."""
    if schema["type"] == "object":
        return all(as_foxglove_reads(each) for each in schema["properties"].values())
    if schema["type"] == "array":
        return schema["items"]["type"] in ("boolean", "string", "number", "integer", "object")
    return schema["type"] in ("boolean", "string", "number", "integer")


def read(path):
    """The messages, each with its schema and channel, after checking that they fit."""
    found = []
    with path.open("rb") as file:
        for schema, channel, message in make_reader(file, validate_crcs=True).iter_messages():
            assert channel.message_encoding == "json"
            assert schema.encoding == "jsonschema"
            value = json.loads(message.data)
            assert conforms(value, json.loads(schema.data)), (channel.topic, value)
            found.append((channel.topic, schema.name, message, value))
    return found


def test_every_event_is_a_message_on_the_topic_of_its_kind(mango, tmp_path):
    (path,) = write_mcap(RunSource(mango), tmp_path / "mango.mcap")
    found = [each for each in read(path) if each[0] != LINES]
    assert [
        (topic, value["seq"]) for topic, _, _, value in sorted(found, key=lambda each: each[3]["seq"])
    ] == [(topic_of(event.kind), event.seq) for event in mango_events()]
    began = mango.info().started
    for topic, name, message, value in found:
        assert name == f"foretree.{topic.removeprefix('/foretree/').replace('/', '.')}"
        assert message.log_time == message.publish_time
        assert message.log_time / 1e9 == pytest.approx(began + value["time"])
    (plan,) = [value for topic, _, _, value in found if topic == "/foretree/plan/made"]
    assert plan["data"]["cost"] == 9
    assert plan["data"]["actions"][0]["skill"] == "move"


def test_lines_are_a_log_that_foxglove_shows(mango, tmp_path):
    (path,) = write_mcap(RunSource(mango), tmp_path / "mango.mcap")
    lines = [value for topic, name, _, value in read(path) if topic == LINES and name == "foxglove.Log"]
    (found,) = [line for line in lines if line["message"].startswith("discrepancy")]
    assert found["level"] == 3
    assert found["message"] == "discrepancy: the mango is not on table1; it was seen on table2"
    assert found["timestamp"]["sec"] == int(mango.info().started + 2.3)


def test_properties_of_the_run_and_figures_are_in_the_summary(mango, tmp_path):
    (path,) = write_mcap(RunSource(mango), tmp_path / "mango.mcap")
    with path.open("rb") as file:
        reader = make_reader(file)
        (metadata,) = reader.iter_metadata()
        summary = reader.get_summary()
        assert reader.get_header().library == "foretree"
    assert metadata.name == "run"
    assert metadata.metadata["instruction"] == "put the mango into the fridge"
    assert summary.statistics.channel_count == len({event.kind for event in mango_events()}) + 1


@pytest.mark.parametrize("kind", [*EVENT_TYPES, "of.a.newer.version"])
def test_viewers_can_read_the_schema_of_every_kind(kind):
    assert as_foxglove_reads(schema_of(kind).definition)


def test_fields_have_their_types_in_schemas():
    data = schema_of("plan.made").definition["properties"]["data"]["properties"]
    assert data["cost"] == {"type": "number"}
    assert data["optimal"] == {"type": "boolean"}
    assert data["by"] == {"type": "string"}
    assert schema_of("revision.made").definition["properties"]["data"]["properties"]["removed"] == {
        "type": "array",
        "items": {"type": "string"},
    }


def test_a_robot_writes_while_it_runs(tmp_path):
    """Several threads, topics of its own, and nothing that has to be known before."""
    joints = MessageSchema(
        "robot.JointStates",
        {"type": "object", "properties": {"position": {"type": "array", "items": {"type": "number"}}}},
    )
    path = tmp_path / "robot.mcap"
    with path.open("wb") as file, McapLog(file, chunk=1000) as log:

        def send(topic):
            for number in range(200):
                log.write(topic, {"position": [number]}, 10**18 + number, joints)

        threads = [threading.Thread(target=send, args=(topic,)) for topic in ("/left", "/right")]
        for thread in threads:
            thread.start()
        log.write("/note", {"text": "anything"}, 10**18)
        for thread in threads:
            thread.join()
    found = read(path)
    assert len(found) == 401
    for topic in ("/left", "/right"):
        mine = [(message.sequence, value["position"]) for each, _, message, value in found if each == topic]
        assert mine == [(number + 1, [number]) for number in range(200)]
    assert {name for _, name, _, _ in found} == {"robot.JointStates", "object"}


def test_what_was_written_before_a_crash_can_be_read():
    file = io.BytesIO()
    log = McapLog(file, chunk=1000)
    for number in range(100):
        log.write("/a", {"text": "x" * 100}, number)
    records = StreamReader(io.BytesIO(file.getvalue())).records  # it was never closed
    seen = []
    with pytest.raises(EndOfFile):
        seen.extend(type(record).__name__ for record in records)
    assert seen.count("Message") > 80


def test_what_json_has_no_word_for():
    log = McapLog(io.BytesIO())
    with pytest.raises(ValueError, match="JSON"):
        log.write("/a", {"x": float("nan")}, 0)


def test_the_example_of_the_page(tmp_path, monkeypatch):
    page = Path(__file__).parents[3] / "docs" / "runs.md"
    (program,) = (
        block for block in re.findall(r"```python\n(.*?)```", page.read_text(), re.S) if "McapLog" in block
    )
    monkeypatch.chdir(tmp_path)
    exec(program, {})
    ((topic, name, _, value),) = read(tmp_path / "robot.mcap")
    assert (topic, name, value) == ("/joints", "robot.Joints", {"position": [0.1, -0.4]})


class _Picture(DeferredValue):
    def made(self, keep):
        return {"camera": "head", "digest": keep("image/jpeg", b"file", b"")}


def test_camera_images_are_images_to_foxglove(tmp_path):
    run = RunStore(tmp_path / "runs").create("look")
    recorder = RunRecorder(run)
    recorder.mark(1, 2.5)
    recorder.record("camera.seen", source="look", image=_Picture())
    recorder.record("camera.seen", source="look", image={"digest": "not kept any more"})
    recorder.close("reached")
    (path,) = write_mcap(RunSource(run), tmp_path / "look.mcap")
    [(_, name, message, image)] = [each for each in read(path) if each[0] == IMAGES]
    assert name == "foxglove.CompressedImage"
    assert (image["frame_id"], image["format"]) == ("head", "jpeg")
    assert base64.b64decode(image["data"]) == b"file"
    assert image["timestamp"]["sec"] * 10**9 + image["timestamp"]["nsec"] == message.log_time
