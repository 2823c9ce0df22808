"""The same looks make the same belief, in the same order, whatever strings hash to."""

import os
import subprocess
import sys
from pathlib import Path

SCRIPT = """
from foretree.config import find_config
from foretree.world_model.beliefs.belief import Belief
from foretree.world_model.beliefs.facts import Entity
from foretree.world_model.beliefs.entity_creation import add_entity
from foretree.world_model.observation import Covered, Detection, Observation
from foretree.world_model.ontology_file import load_ontology
from foretree.world_model.tracking.tracker import Tracker

ontology = load_ontology(find_config("domains", "household"))
belief = Belief(ontology.vocabulary)
for n in range(4):
    add_entity(belief, ontology, Entity(f"table{n}", {"table": 1.0}, (3.0 * n, 0.0, 0.7), fixed=True),
               time=0.0, source="map")
tracker = Tracker(belief, ontology)
kinds = ["mug", "cup", "apple", "mango", "plate"]
for look in range(12):
    tables = [Detection(f"t{n}", {"table": 0.9}, (3.0 * n, 0.0, 0.7)) for n in range(4)]
    things = [
        Detection(f"d{i}", {kind: 0.7, kinds[(i + look) % 5]: 0.2}, (3.0 * ((i * look) % 4), 0.1 * i, 0.7),
                  {"clean": 0.9 if look % 3 else 0.1}, ("on", f"t{(i * look) % 4}"))
        for i, kind in enumerate(kinds) if (i + look) % 4
    ]
    print(tracker.observe(Observation(
        float(look), "view", (*tables, *things), tuple(Covered("on", f"t{n}") for n in range(look % 5 % 4)),
        {("hand_free", "robot1", "left"): True})))
print(belief.changes_since(0), belief.version)
print(sorted(belief.snapshot().facts()))
"""


def test_hash_seeds_make_no_difference():
    root = Path(__file__).parents[3]
    told = [
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(root)},
            cwd=root,
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert told[0]
    assert told[0] == told[1]
