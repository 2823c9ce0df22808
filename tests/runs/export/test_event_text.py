import csv
import io
import json

from export_tools import text
from mango_run import mango_events

from foretree.runs.export.event_text import csv_lines, json_document, json_lines


def test_the_events_as_json_lines_json_and_csv(mango):
    expected = [(event.seq, event.kind, event.data) for event in mango_events()]

    lines = [json.loads(line) for line in text(json_lines, mango).splitlines()]
    assert [(line["seq"], line["kind"], line["data"]) for line in lines] == expected

    document = json.loads(text(json_document, mango))
    assert document["meta"]["instruction"] == "put the mango into the fridge"
    assert [(line["seq"], line["kind"], line["data"]) for line in document["events"]] == expected

    rows = list(csv.DictReader(io.StringIO(text(csv_lines, mango))))
    assert [(int(row["seq"]), row["kind"], json.loads(row["data"])) for row in rows] == expected


def test_a_run_without_events(store):
    run = store.create("x")
    assert text(json_lines, run) == ""
    assert json.loads(text(json_document, run))["events"] == []
    assert text(csv_lines, run).strip() == "seq,tick,time,wall,kind,data"
