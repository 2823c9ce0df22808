"""Loaders of all that people write, and ways to spoil what they are given.

By hand, for as many inputs as there is time for: ``make fuzz N=1000000``.
"""

from __future__ import annotations

import random
import re
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import yaml

from foretree import _yaml
from foretree.agent.agent_file import read_agent
from foretree.config import find_config, read_yaml
from foretree.errors import ForetreeError
from foretree.perception.eyes import load_eye_settings
from foretree.planning.expansion.options import read_expansion
from foretree.planning.pddl.parser import parse_domain, parse_problem, read_domain
from foretree.planning.pddl.syntax import Domain
from foretree.planning.task.goals import parse_goal
from foretree.printable import LONGEST_MESSAGE, clean
from foretree.regression.homes.household_tasks import read_choices
from foretree.regression.homes.suite import read_homes_suite
from foretree.regression.planning.factory import task_vocabulary
from foretree.regression.planning.suite_file import read_planning_suite
from foretree.regression.sessions.suite import read_suite
from foretree.simulation.faults.fault_script import parse_faults
from foretree.simulation.grid_homes._object_classes import load_object_classes
from foretree.simulation.grid_homes.camera.noise import load_noise
from foretree.simulation.grid_homes.layouts.spawning import load_spawn_priors
from foretree.simulation.household._disturbances import parse_disturbance
from foretree.simulation.household.scene import Scene
from foretree.simulation.household.scene_file import load_scene
from foretree.skills._operator_table import read_operator_table
from foretree.skills._skill_file import read_skill_file
from foretree.skills.catalogue import Catalogue
from foretree.skills.catalogue_file import load_catalogue
from foretree.trees.agent_tree import build_agent
from foretree.world_model.affordances.evaluation import evaluate, read_ground_truth
from foretree.world_model.affordances.evidence_file import read_evidence
from foretree.world_model.affordances.mapping_file import load_mapping
from foretree.world_model.affordances.placement import Placer
from foretree.world_model.likely_places import load_likely_places, read_sightings
from foretree.world_model.maps.graphml import read_graphml, write_graphml
from foretree.world_model.maps.map_file import load_map
from foretree.world_model.ontology_file import load_ontology

CONFIGS = Path(__file__).resolve().parent.parent / "configs"

#: A change of a text: where in it (a fraction of its length), how many pieces go, and what comes instead.
Edit = tuple[float, int, str]

#: What nobody writes who means well.
SPITE = (
    "&a",
    "*a",
    "<<: *a",
    "!!int abc",
    "!!binary x",
    "!!python/object:os.system x",
    "!!timestamp x",
    "!!set {a, b}",
    "2020-99-99",
    "12:30",
    "0x",
    "0b2",
    "1e308",
    "-1e308",
    "1e400",
    ".nan",
    "-.inf",
    "9" * 5000,
    "-1",
    "0",
    "1.5",
    "²",
    "true",
    "null",
    "~",
    "''",
    "[]",
    "{}",
    "[1]",
    "[" * 900,
    "{a: " * 200,
    "- " * 300,
    "? ",
    "- ",
    ": ",
    "\t",
    "\n",
    "\n  ",
    " ",
    "---\n",
    "|\n",
    "#",
    '"',
    "'",
    "(",
    ")",
    "(" * 900,
    "(not ",
    "{item}",
    "|)",
    "?x",
    "x" * 300,
    "x" * 5000,
    "../" * 20,
    "/dev/null",
    "\x1b[31m",
    "\x00",
    "\x7f",
    "\u202e",
    "\ud800",
    "\ufeff",
    "é",
)

#: The same as values.
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 2, 1.5, -0.5, 1e308, -1e308, float("nan"), float("inf"), 10**90),
    *(
        "",
        " ",
        "x",
        "none",
        "0",
        "1e5",
        "x" * 300,
        "\x1b[31m",
        "\u202e",
        "a.b",
        "a[0]",
        "..",
        "/dev/null",
        ".",
    ),
    *(
        "[",
        "{item}",
        "{",
        "(",
        ")",
        "(on ?x ?y)",
        "(not)",
        "((a))",
        "?x",
        "\n",
        "a\nb",
        "(a|b",
        "(|)",
        "*",
        "\\",
    ),
    *([], [None], [[]], [1], ["x", "x"], [{}], {}, {"": ""}, {None: None}, {1: 1}, {"x": {}}, {"x": None}),
)

AGENT = """\
settings: {tick_hz: 10, guards: [presence], llm_retries: 1, careful: true, plans: good}
tree:
  sequence: agent
  children: [understand, {persevere: {selector: pursue, children: [give_up, {sequence: s, children: [plan]}]}}]
"""
SUITE = """\
suite: s
extends: ""
agent: default
seeds: 2
chance: {move: 0.1}
variants: {one: {says: one, settings: {guards: none, tick_hz: 5}}}
scenarios:
  a: {scene: studio, goal: (on book1 desk1), faults: ["after 2: move book1 under bed1"], ends: given-up}
"""
PLANNED = """\
suite: s
kind: planning
scene: office
closed: 0.5
settings: {one: {says: one hand, hands: 1, doors: true}}
variants: {full: {says: all}, less: {says: less, without: selection, seeds: 2}}
places: {west: [table601, table602]}
tasks:
  a: {level: simple, instruction: hang, otherwise: hang, items: {hat1: {class: hat, on: west}},
      assets: {fridge1: [open]}, goal: (hung_on hat1 drying_rack1)}
"""
AFFORDING = """\
usual: 0.9
otherwise: 0.05
classes:
  mug: {words: [coffee mug, beaker], like: [cup], affords: [grasp, drink, {push: 0.6}]}
  cup: {affords: [grasp, {stack: 0.5}]}
"""
LABELS = "object,affordances\nmug,grasp\nespresso cup,liquid-contain\nbroken jar,\n"
EXPANSION = """\
navigation: true
doors: true
hands: 2
costs: true
robots: 1
carry: [tray]
two_handed: box
nesting: 2
holding: [holding]
"""
MAP = f"""\
map: flat
rooms: {{kitchen: {{from: [0, 0], to: [5, 4]}}, living: {{from: [5, 0], to: [10, 4], says: The living room.}}}}
poses: {{in: {{room: kitchen, at: [4.5, 2]}}, out: {{room: living, at: [5.5, 2]}}}}
assets: {{fridge1: {{class: fridge, room: kitchen, at: [0.6, 3.4], image: {CONFIGS}/maps/office/blackboard1.png, caption: Cold.}}}}
doors: {{door1: {{at: [5, 2]}}}}
ways: [[kitchen, in], [living, out], [kitchen, fridge1]]
edges: [{{between: [in, out], door: door1, cost: 12}}]
"""
DOMAIN = """\
(define (domain d) (:requirements :strips :typing :action-costs) (:types box place - object)
  (:constants home - place) (:predicates (at ?b - box ?p - place)) (:functions (total-cost) - number)
  (:action go :parameters (?b - box ?p ?q - place) :precondition (and (at ?b ?p) (not (= ?p ?q)))
    :effect (and (not (at ?b ?p)) (at ?b ?q) (increase (total-cost) 2))))
"""
PROBLEM = """\
(define (problem p) (:domain d) (:objects b1 - box there - place) (:init (at b1 home) (= (total-cost) 0))
  (:goal (exists (?b - box) (and (at ?b there) (not (at ?b home))))) (:metric minimize (total-cost)))
"""


@dataclass(frozen=True)
class Loader:
    """What reads something, and something that it reads.

    Attributes:
        good: what is read without complaint.
        read: takes a text, and a path that nothing was written to yet.
        is_yaml: it reads YAML.
    """

    good: str
    read: Callable[[str, Path], object]
    is_yaml: bool = False


def _of_file(good: str | Path, read: Callable[[Path], object]) -> Loader:
    def written(text: str, path: Path) -> object:
        path.write_bytes(text.encode("utf-8", errors="surrogatepass"))
        return read(path)

    text = good if isinstance(good, str) else good.read_text(encoding="utf-8")
    return Loader(text, written, is_yaml=not text.startswith(("<", "{")))


@cache
def _household() -> Catalogue:
    return load_catalogue()


def _agent(path: Path) -> None:
    build_agent(read_agent(str(path)), MagicMock(), MagicMock(), MagicMock())


@cache
def _placer() -> Placer:
    return Placer(load_mapping())


def _evaluation(path: Path) -> None:
    evaluate(_placer(), read_ground_truth(path, _placer().mapping))


def _skill(path: Path) -> None:
    read_skill_file(path, _household().domain).skill(_household().domain)


@cache
def _tabletop() -> Domain:
    return read_domain(CONFIGS / "domains/tabletop.pddl")


def _operators(path: Path) -> None:
    read_operator_table(path, _tabletop())


def _set_scene(text: str, path: Path) -> None:
    key, _, value = text.partition("=")
    load_scene(find_config("scenes", "studio"), _household().ontology, {key: value})


def _set_agent(text: str, path: Path) -> None:
    key, _, value = text.partition("=")
    read_agent("homes", {key: value})


@cache
def _studio() -> Scene:
    return load_scene(find_config("scenes", "studio"), _household().ontology)


def _goal(text: str, path: Path) -> None:
    things = {**_studio().furniture, **_studio().items}
    parse_goal(text, _household().domain, {name: thing.class_name for name, thing in things.items()})


def _fault(text: str, path: Path) -> None:
    parse_faults([text], partial(parse_disturbance, scene=_studio()), ["pick"])


def _graphml() -> str:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "flat.yaml").write_text(MAP)
        write_graphml(load_map(Path(folder) / "flat.yaml"), Path(folder) / "flat.graphml")
        text = (Path(folder) / "flat.graphml").read_text(encoding="utf-8")
    return re.sub(r"[./]*[^ >]*/blackboard1.png", str(CONFIGS / "maps/office/blackboard1.png"), text)


def _in_home(name: str, load: Callable[[str], object]) -> Loader:
    return _of_file(CONFIGS / "homes" / f"{name}.yaml", lambda path: load(str(path)))


#: What makes each loader, by its name: some take a while.
LOADERS: Mapping[str, Callable[[], Loader]] = {
    "agent": lambda: _of_file(AGENT, _agent),
    "scene": lambda: _of_file(
        CONFIGS / "templates/scene.yaml", lambda path: load_scene(path, _household().ontology)
    ),
    "scene on a map": lambda: _of_file(CONFIGS / "scenes/office.yaml", load_scene),
    "skill": lambda: _of_file(CONFIGS / "skills/pick.yaml", _skill),
    "map": lambda: _of_file(MAP, lambda path: load_map(path, _household().ontology)),
    "graphml": lambda: _of_file(_graphml(), read_graphml),
    "domain": lambda: _of_file(CONFIGS / "domains/household.yaml", load_ontology),
    "operator table": lambda: _of_file(CONFIGS / "domains/tabletop.yaml", _operators),
    "suite": lambda: _of_file(SUITE, lambda path: read_suite(str(path))),
    "planning suite": lambda: _of_file(PLANNED, lambda path: read_planning_suite(str(path), task_vocabulary)),
    "homes suite": lambda: _of_file(
        CONFIGS / "suites/household.yaml", lambda path: read_homes_suite(str(path))
    ),
    "expansion": lambda: _of_file(EXPANSION, lambda path: read_expansion(read_yaml(path), path)),
    "bodies": lambda: _in_home("bodies", load_object_classes),
    "habits": lambda: _in_home("habits", load_spawn_priors),
    "noise": lambda: _in_home("noise", load_noise),
    "eyes": lambda: _in_home("eyes", load_eye_settings),
    "likely places": lambda: _in_home("likely_places", lambda name: load_likely_places(Path("none"), name)),
    "sightings": lambda: _of_file('{"sightings": {"mug": {"table": 3}}}', read_sightings),
    "affordances": lambda: _of_file(CONFIGS / "affordances/affordances.yaml", load_mapping),
    "affording classes": lambda: _of_file(AFFORDING, lambda path: load_mapping(classes=path)),
    "affordance labels": lambda: replace(_of_file(LABELS, _evaluation), is_yaml=False),
    "affordance evidence": lambda: _of_file(
        '{"evidence": {"mug": {"push": {"held": 1, "failed": 2.5}}}}', read_evidence
    ),
    "families": lambda: _of_file(
        CONFIGS / "homes/families.yaml",
        partial(read_choices, load_ontology(CONFIGS / "domains/home.yaml")),
    ),
    "--set scene": lambda: Loader("noise.confusion=0.1", _set_scene),
    "--set agent": lambda: Loader("tick_hz=20", _set_agent),
    "goal": lambda: Loader("(exists (?i - item) (and (on ?i desk1) (not (open cupboard1))))", _goal),
    "fault": lambda: Loader("after 2: move book1 under bed1", _fault),
    "PDDL domain": lambda: Loader(DOMAIN, lambda text, path: parse_domain(text)),
    "PDDL problem": lambda: Loader(PROBLEM, lambda text, path: parse_problem(text, parse_domain(DOMAIN))),
}


@cache
def loader(name: str) -> Loader:
    """The loader of that name."""
    return LOADERS[name]()


def edited(text: str, edits: Sequence[Edit]) -> str:
    """*text* with changes made at the ends of its words."""
    for where, gone, instead in edits:
        at = int(where * len(text))
        while 0 < at < len(text) and text[at - 1].isalnum():
            at -= 1
        end = at
        for _ in range(gone):
            end += 1
            while end < len(text) and text[end - 1].isalnum() and text[end].isalnum():
                end += 1
        text = text[:at] + instead + text[end:]
    return text


_parsed = cache(_yaml.load)


def rearranged(text: str, rng: random.Random) -> str:
    """A text in YAML with up to three of its values changed, moved, copied or left out."""
    data = deepcopy(_parsed(text))
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        spots = list(_spots(data))
        if not spots:
            break
        around, key = rng.choice(spots)
        other, other_key = rng.choice(spots)
        value = deepcopy(rng.choice((rng.choice(VALUES), other[other_key])))
        if rng.random() < 0.2:
            del around[key]
        elif isinstance(around, list) and rng.random() < 0.3:
            around.append(value)
        elif isinstance(around, dict) and rng.random() < 0.3:
            around[value if isinstance(value, Hashable) else "new"] = around.pop(key)
        else:
            around[key] = value
    dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    return str(yaml.dump(data, Dumper=dumper, allow_unicode=True, sort_keys=False))


def _spots(data: Any) -> Iterator[tuple[Any, Any]]:
    """All that could be something else in *data*: what is around it, and its key there."""
    pairs = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in pairs:
        yield data, key
        yield from _spots(value)


def check(by: Loader, text: str, path: Path) -> bool:
    """Return whether *text* was read; if it was refused, then as it should be."""
    try:
        by.read(text, path)
    except ForetreeError as error:
        message = str(error)
        assert message.strip()
        assert len(message) <= 4 * LONGEST_MESSAGE
        assert message == clean(message)
        return False
    return True


def _cost(by: Loader, path: Path) -> float:
    """Seconds of CPU for spoiling and reading what *by* reads, once it has been read before."""
    by.read(by.good, path)
    begun = time.process_time()
    if by.is_yaml:
        rearranged(by.good, random.Random(0))
    by.read(by.good, path.with_stem(f"{path.stem} again"))
    return time.process_time() - begun + 0.0005


def _fuzz(most: int, seed: int = 0) -> int:
    """Spoil up to *most* inputs at random, and print how fast, and every traceback once."""
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        costs = {name: _cost(loader(name), Path(folder) / f"{name}.yaml") for name in LOADERS}
    names, shares = list(costs), [1 / cost for cost in costs.values()]  # each gets the same time
    found: Counter[str] = Counter()
    slowest, said = (0.0, "", ""), time.monotonic()
    begun, number, refused = said, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for number in count(1):
            [name] = rng.choices(names, shares)
            by = loader(name)
            pieces = [*SPITE, *(by.good[at : at + 12] for at in range(0, 60, 7))]
            edits = [
                (rng.random(), rng.choice((0, 0, 1, 1, 2, 9)), rng.choice(pieces))
                for _ in range(rng.choice((1, 1, 1, 2, 3)))
            ]
            path = Path(folder) / f"{number}.yaml"
            text = edited(by.good, edits)
            if by.is_yaml and number % 2:
                edits, text = [], rearranged(by.good, rng)
            cpu = time.process_time()
            try:
                refused += not check(by, text, path)
            except Exception as error:  # all of them are what is looked for
                frame = traceback.extract_tb(error.__traceback__)[-1]
                key = f"{name}: {type(error).__name__} at {Path(frame.filename).name}:{frame.lineno}"
                found[key] += 1
                if found[key] == 1:
                    traceback.print_exc()
                    print(f"-- {key}, after {edits or text!r:.600}", flush=True)
            slowest = max(slowest, (time.process_time() - cpu, name, f"{edits or text!r:.300}"))
            path.unlink(missing_ok=True)
            if number >= most or time.monotonic() - said > 60:
                said = time.monotonic()
                rate = number / (said - begun)
                print(
                    f"{number:,} inputs, {rate:.0f} a second; {refused:,} refused; "
                    f"{sum(found.values())} tracebacks of {len(found)} kinds; "
                    f"the slowest took {slowest[0]:.2f} s: {slowest[1]} {slowest[2]}",
                    flush=True,
                )
            if number >= most:
                break
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(_fuzz(int(sys.argv[1]), *map(int, sys.argv[2:])))
