"""What a goal costs that asks for some of many things: three of 54 mugs among 600 things of a flat.

    python benchmarks/bench_counting.py
    python benchmarks/bench_counting.py --things 2000 --mugs 180 --seeds 1
    python benchmarks/bench_counting.py --beside OTHER/bin/foretree     # two installations in turns

Prints the processor time of the whole command ``foretree plan``, and what its plan costs, for scenes of
several seeds.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
from importlib.resources import files
from pathlib import Path

from foretree.skills.catalogue_file import load_catalogue

GOAL = "(at-least 3 (?m - mug) (and (clean ?m) (on ?m bed1)))"
FLAT = Path(str(files("foretree"))).parent / "configs" / "scenes" / "flat.yaml"


def crowded(things: int, mugs: int, seed: int) -> str:
    """The scene of the flat with so many things altogether, wherever they fit."""
    text = FLAT.read_text()
    ontology = load_catalogue("household").ontology
    rng = random.Random(seed)
    furniture, items = text.split("\nfurniture:")[1].split("\nitems:")
    places = []
    for name, class_name in re.findall(r"(\w+): +\{class: (\w+)", furniture):
        affords = ontology[class_name].affords
        if {"surface", "container"} & set(affords):
            places.append(f"{'on' if 'surface' in affords else 'in'}: {name}")
    have = re.findall(r"\w+: +\{class: (\w+)", items.split("\npeople:")[0])
    classes = [name for name, known in ontology.classes.items() if known.parent == "item" and name != "mug"]
    more = ["mug"] * (mugs - have.count("mug"))
    more += [rng.choice(classes) for _ in range(things - len(have) - len(more))]
    lines = [f"  more{n}: {{class: {name}, {rng.choice(places)}}}\n" for n, name in enumerate(more)]
    return text.replace("\npeople:", "\n" + "".join(lines) + "\npeople:")


def measure(command: str, scene: Path, goal: str, seconds: float) -> str:
    """Processor time and cost of one plan."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        ran = subprocess.run(
            [command, "plan", "--goal", goal, "--scene", str(scene), "--json"],
            capture_output=True,
            text=True,
            timeout=seconds,
            env=environment,
        )
    except subprocess.TimeoutExpired:
        return f"no end in {seconds:g} s"
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    cost = json.loads(ran.stdout).get("cost") if ran.stdout else None
    return f"{used:6.2f} s, cost {cost}"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--things", type=int, default=600)
    parser.add_argument("--mugs", type=int, default=54)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--goal", default=GOAL)
    parser.add_argument("--beside", help="another installation's foretree")
    parser.add_argument("--seconds", type=float, default=300.0, help="how long to wait for one plan")
    options = parser.parse_args()
    commands = [str(Path(sys.executable).with_name("foretree")), *filter(None, [options.beside])]
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(options.seeds):
            scene = Path(folder) / f"crowded{seed}.yaml"
            scene.write_text(crowded(options.things, options.mugs, seed))
            for command in commands:
                print(seed, command, measure(command, scene, options.goal, options.seconds), flush=True)


if __name__ == "__main__":
    main()
