"""A bridge that a test plays: a program of the standard library, run in place of the real one.

The name of a skill says what becomes of it. What was started is kept in the file that it is given, so that the
next bridge finds it again, as the skill manager would; a test may write other ends into it.
"""

import json
import os
import select
import struct
import sys
import time
from pathlib import Path

RECORD, BEHAVIOUR = Path(sys.argv[1]), sys.argv[2]


def say(**message):
    text = json.dumps(message).encode()
    os.write(1, struct.pack(">Q", len(text)) + text)


def end(call, status, why="", **data):
    say(say="ended", id=call, status=status, why=why, data=data)


def started():
    return json.loads(RECORD.read_text()) if RECORD.exists() else {}


def note(call, status):
    partial = RECORD.with_suffix(".new")
    partial.write_text(json.dumps({**started(), call: status}))
    partial.rename(RECORD)


def start(message):
    call, skill = message["id"], message["skill"]
    note(call, "Running")
    if skill in ("Succeed", "Tell"):
        end(call, "Succeeded", params=message.get("params"), executor=message["executor"])
    elif skill == "Fail":
        end(call, "Failed", error={"says": "the door is locked", "code": 7})
    elif skill == "Refuse":
        end(call, "Refused", "SkillNotFound: no such skill")
    elif skill == "GiveUp":
        end(call, "Aborted")
    elif skill == "Change":
        end("another call", "Failed")
        end(call, "Succeeded")
        end(call, "Failed")
    elif skill == "New":
        end(call, "Sideways")
    elif skill == "Crash":
        print("Segmentation fault, as it were", file=sys.stderr, flush=True)
        os._exit(11)
    elif skill == "Garbage":
        os.write(1, struct.pack(">Q", 9) + b"not JSON!")
    elif skill == "Noise":
        os.write(1, b"\xff" * 40)  # the length of a message that never comes
        time.sleep(3600)
    elif skill == "Hang":
        time.sleep(3600)


def hear(message):
    call = message.get("id")
    if message["do"] == "start":
        start(message)
    elif message["do"] == "cancel":
        note(f"cancel {call}", "told")
        if call in started() and "Stubborn" not in call:
            note(call, "Aborted")
            end(call, "Aborted")
    elif message["do"] == "find":
        status = started().get(call, "Unknown")
        if status != "Running":
            end(call, status, "found")
    elif message["do"] == "stop":
        note("stop", message["emergency"])
        for each, status in started().items():
            if status == "Running":
                note(each, "Aborted")
                end(each, "Aborted")


if BEHAVIOUR == "unreachable":
    say(say="failed", why="ConnectionRefused: ArmarX is not started")
    sys.exit(1)
if BEHAVIOUR == "mute":
    time.sleep(3600)
say(say="ready", skills={"arm": ["Succeed", "Fail"], "left": ["Wait"]})
OBJECTS = RECORD.with_suffix(".objects")
received, beat, looked = b"", 0.0, 0.0
while True:
    if select.select([0], [], [], 0.005)[0]:
        chunk = os.read(0, 65536)
        if not chunk:
            sys.exit()
        received += chunk
        while len(received) >= 8 and len(received) >= 8 + struct.unpack(">Q", received[:8])[0]:
            until = 8 + struct.unpack(">Q", received[:8])[0]
            text, received = received[8:until], received[until:]
            hear(json.loads(text))
    if time.monotonic() > beat:
        beat = time.monotonic() + 0.05
        say(say="beat")
        if OBJECTS.exists():
            say(**json.loads(OBJECTS.read_text()))
