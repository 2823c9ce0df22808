"""How many sentences of people the offline reasoner understands as they were meant.

    python benchmarks/people_sentences.py                     # rooms with even numbers, to learn from
    python benchmarks/people_sentences.py --rooms odd         # the others, to report
    python benchmarks/people_sentences.py --half tune         # half of the even ones; the other is for checks
    python benchmarks/people_sentences.py --show 40           # with sentences that were not understood

The sentences belong to the trials of ALFRED (askforalfred/alfred, MIT), each with what its task asks for.
They are no part of this project: ``FORETREE_ALFRED`` names the folder with ``trials.jsonl.gz`` and
``layouts/``, by default ``../shared/alfred`` beside the project. Where it is absent, one line says so and
nothing is measured. Sentences of odd rooms are never printed.

For each trial the reasoner is told of everything in its room, as a robot believes it that has looked around
there. A sentence is understood *as meant* if its goal can be reached, and only in states in which the
task's goal holds. That is decided by going through every way to reach the goal that the reasoner gave, with
the objects of the room: what has to be true for it, and nothing else. Goals of tasks want things to be
true, never false, so what holds in the least of these states holds in all. Where there are too many ways to
go through, the sentence does not count as understood.

*A part* is less than what was meant and nothing else; often the sentence says no more ("turn on the lamp").
*Not there*: the goal is about things of which there are too few in the room, so that nothing can come of it
but a report. *Asked*: a question; a line below the table says how often what was meant is among its answers.
*Something else* is all other goals. A line tells them apart by what the sentence has words for, whatever was
understood: it lacks one for something that the task is about ("put a potato in the microwave", where it was
an egg); it has one for something to be carried that the task is not about ("a pan with a knife and a tomato
in it", where the knife only lay there); or neither. The last row of the table is of the sentences that have a
word for all that the task is about.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from itertools import chain, combinations
from math import dist
from pathlib import Path
from statistics import quantiles
from time import process_time
from typing import Any

from foretree.planning.pddl.syntax import (
    And,
    Count,
    Equal,
    Exists,
    Forall,
    Formula,
    Literal,
    Not,
    Or,
    Typed,
    names_by_type,
    substitute,
)
from foretree.planning.semantics.evaluation import bindings, evaluate, negate, state_oracle
from foretree.reasoning.instruction_errors import AmbiguousError, InstructionError
from foretree.reasoning.offline.commands import CommandReasoner
from foretree.reasoning.offline.lexicon import tokens_of
from foretree.reasoning.reasoner import Situation, Understanding
from foretree.regression.core.statistics import Rate
from foretree.skills.catalogue_file import load_catalogue
from foretree.world_model.beliefs.belief import Belief
from foretree.world_model.beliefs.entity_creation import add_entity
from foretree.world_model.beliefs.facts import Atom, Entity, Truth

#: The class of a home for each kind of thing that is called otherwise there.
CLASSES = {
    "ArmChair": "armchair",
    "BaseballBat": "bat",
    "BasketBall": "ball",
    "Bathtub": "bathtub",
    "BathtubBasin": "bathtub",
    "Boots": "shoe",
    "ButterKnife": "knife",
    "CellPhone": "phone",
    "CounterTop": "counter",
    "DeskLamp": "lamp",
    "DiningTable": "table",
    "DishSponge": "sponge",
    "FloorLamp": "lamp",
    "Footstool": "ottoman",
    "GarbageCan": "bin",
    "Glassbottle": "bottle",
    "HandTowel": "towel",
    "HandTowelHolder": "towel_rail",
    "HousePlant": "plant",
    "KeyChain": "keys",
    "LaundryHamper": "laundry_basket",
    "RemoteControl": "remote",
    "SinkBasin": "sink",
    "SoapBar": "soap",
    "StoveBurner": "stove",
    "TVStand": "sideboard",
    "TeddyBear": "toy",
    "TennisRacket": "racket",
    "Television": "tv",
    "ToiletPaperHanger": "toilet_paper_holder",
    "TowelHolder": "towel_rail",
}
#: What follows from a deed that is remembered.
FOLLOWS = {"examined_by": "examined", "heated": "hot", "cooked": "hot", "washed_at": "clean"}
#: The parameters of a task that name things: what is moved, in what, and where to.
PARAMETERS = ("object_target", "mrecep_target", "parent_target")
RESTING = ("on", "in", "under")
#: A goal with more ways to reach it is not gone through.
MOST_WAYS = 20_000
#: Further from every piece of furniture, nothing rests on it, in metres.
FAR = 1.0

State = frozenset[Literal]


class Room:
    """A room of a trial, as a robot believes it that has looked around there."""

    def __init__(self, trial: Mapping[str, Any], layouts: Path) -> None:
        self.catalogue = load_domain()
        self._belief = Belief(self.catalogue.vocabulary)
        self.classes: dict[str, str] = {}
        self.places: dict[str, Atom] = {}
        for name in ("robot", "hand"):
            self._add(name, f"{name}1", None)
        plan = trial["floor_plan"]
        places = [*json.loads((layouts / f"{plan}-openable.json").read_text())]
        found = [
            (kind, [float(part) for part in at]) for kind, *at in (name.split("|")[:4] for name in places)
        ]
        listed = {class_of(kind) for kind, _ in found}
        furniture = {self._new(class_of(kind), at): at for kind, at in found}
        for kind in json.loads((layouts / f"{plan}-objects.json").read_text()):
            if class_of(kind) not in listed and self._type(kind) == "asset":
                listed.add(class_of(kind))
                self._new(class_of(kind), None)
        furniture.pop("", None)
        for pose in trial["object_poses"]:
            at = [pose["position"][axis] for axis in "xyz"]
            name = self._new(class_of(pose["name"].split("_")[0]), at)
            nearest = min(furniture, key=lambda one: dist(furniture[one], at), default="")
            if name and nearest and dist(furniture[nearest], at) <= FAR:
                way = self.catalogue.ontology.way_to_rest("in", self.classes[nearest])
                self.places[name] = (way, name, nearest)
                self._belief.tell(self.places[name])
        for toggle in trial["object_toggles"]:
            for name in self.of_class(class_of(toggle["objectType"])):
                self._belief.tell(("turned_on", name), bool(toggle["isOn"]))

    def situation(self) -> Situation:
        """What the reasoner is told."""
        known = self._belief.snapshot(), self.catalogue.domain, self.catalogue.ontology
        return Situation(*known, load_forms(), discovered={"asset"})

    def of_class(self, name: str) -> list[str]:
        """Return the things of a class."""
        return [one for one, kind in self.classes.items() if kind == name]

    def _type(self, kind: str) -> str:
        return str(self.catalogue.ontology.type_of(class_of(kind)))

    def _new(self, class_name: str, at: Sequence[float] | None) -> str:
        """Add a thing; return its name, empty if homes have no such class."""
        if class_name not in self.catalogue.ontology:
            return ""
        name = f"{class_name}{len(self.of_class(class_name)) + 1}"
        self._add(class_name, name, at)
        return name

    def _add(self, class_name: str, name: str, at: Sequence[float] | None) -> None:
        ontology = self.catalogue.ontology
        where = (at[0], at[2], at[1]) if at else None
        entity = Entity(name, {class_name: 1.0}, where, fixed=ontology.type_of(class_name) != "item")
        add_entity(self._belief, ontology, entity, time=0.0, source="look")
        self.classes = {one: known.best_class for one, known in self._belief.entities().items()}


class Things(dict[str, tuple[str, ...]]):
    """The objects of a room by type, with some of each class that is still to be found."""

    def of_type(self, type_name: str) -> Sequence[str]:
        """Return the names of the objects of a type."""
        return self.get(type_name, ())


@cache
def load_domain() -> Any:
    """Read the catalogue of homes."""
    return load_catalogue("home")


@cache
def load_forms() -> tuple[Any, ...]:
    """Read the wordings of all skills, once, so that the grammar is made once."""
    return tuple(form for skill in load_domain().skills.values() for form in skill.forms)


def class_of(kind: str) -> str:
    """The class of a home for a kind of thing: ``SaltShaker`` is a ``salt_shaker``."""
    words = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in kind)
    return CLASSES.get(kind, kind.lower() if kind.isupper() else words.strip("_"))


# -- what was meant --------------------------------------------------------------------------------------


def meant(trial: Mapping[str, Any]) -> tuple[Formula, Formula]:
    """The goal of a trial's task, and all that carrying it out brings about.

    To be resting at a place means on, in or under it: the tasks do not tell these apart. Slices and the
    sliced thing are one there. Who holds something and has the lamp on has done what the task calls looking
    at it.
    """
    asked, kind = trial["pddl_params"], trial["task_type"]
    item, holder, place = (class_of(asked[key]) for key in PARAMETERS)
    if kind == "look_at_obj_in_light":
        lit = exists("lamp", lambda lamp: Literal(("turned_on", lamp)))
        hands = (Typed("?robot", "robot"), Typed("?hand", "hand"))
        held = exists(item, lambda x: Exists(hands, Literal(("holding", "?robot", "?hand", x))))
        seen = exists(item, lambda x: Literal(("examined", x)))
        return Or((seen, And((held, lit)))), And((seen, held, lit))
    state = {"pick_clean": "clean", "pick_heat_": "hot", "pick_cool_": "cold"}.get(kind[:10])
    states = [state] if state else []
    if kind == "pick_two_obj_and_place":
        goal = exists(place, lambda p: two(item, asked["object_sliced"], p))
    elif holder:
        goal = exists(
            place,
            lambda p: exists(holder, lambda h: And((one(item, asked["object_sliced"], (), h), rests(h, p)))),
        )
    else:
        goal = exists(place, lambda p: one(item, asked["object_sliced"], states, p))
    return goal, goal


def exists(class_name: str, body: Any) -> Formula:
    """A thing of a class such that the body holds of it."""
    variable = f"?{class_name}"
    return Exists((Typed(variable, class_name),), body(variable))


def rests(thing: str, place: str) -> Formula:
    """A thing is on, in or under a place."""
    return Or(tuple(Literal((relation, thing, place)) for relation in RESTING))


def one(item: str, sliced: bool, states: Iterable[str], place: str) -> Formula:
    """One thing of a class, or of its slices, in these states and at a place."""
    literals = [Literal((state, f"?{item}")) for state in states]
    if not sliced:
        return exists(item, lambda x: And((*literals, rests(x, place))))
    whole = exists(item, lambda x: And((*literals, Literal(("sliced", x)), rests(x, place))))
    slices = [Literal((state, f"?{item}_slice")) for state in states]
    return Or((whole, exists(f"{item}_slice", lambda x: And((*slices, rests(x, place))))))


def two(item: str, sliced: bool, place: str) -> Formula:
    """Two things of a class, or two of its slices, at a place."""
    classes = (item, f"{item}_slice") if sliced else (item,)
    return Or(tuple(Count(Typed("?x", name), rests("?x", place), at_least=2) for name in classes))


# -- whether it was understood ---------------------------------------------------------------------------


def classify(understanding: Understanding, room: Room, trial: Mapping[str, Any]) -> str:
    """What became of a sentence that the reasoner understood."""
    classes, domain, ontology = dict(room.classes), room.catalogue.domain, room.catalogue.ontology
    for class_name in understanding.wanted:
        classes |= {f"{class_name}_to_find_{number}": class_name for number in (1, 2)}
    things = Things({**names_by_type(domain, classes), "object": tuple(classes)})
    goal, full = meant(trial)
    named = (trial["pddl_params"][key] for key in PARAMETERS)
    if not all(not name or class_of(name) in ontology for name in named):
        return "something else"
    if implies(understanding.goal, goal, things, room):
        return "as meant"
    if understanding.wanted:
        return "not there"
    return "a part" if implies(full, understanding.goal, things, room, RESTING) else "something else"


def implies(goal: Formula, other: Formula, things: Things, room: Room, alike: Iterable[str] = ()) -> bool:
    """True if a goal can be reached, and *other* holds in the least state of every way to reach it.

    Relations that are *alike* hold together.
    """
    number = 0
    for number, way in enumerate(ways(goal, things), 1):
        state = least_state(way, room)
        state |= {(name, *atom[1:]) for atom in state if atom[0] in alike for name in alike}
        if number > MOST_WAYS or evaluate(other, state_oracle(state), things) is not Truth.TRUE:
            return False
    return number > 0


def least_state(way: State, room: Room) -> frozenset[Atom]:
    """What is true if just this is, and what follows from it.

    What something is put on or into stays where it is, unless it is to be elsewhere.
    """
    atoms = {literal.atom for literal in way if literal.positive}
    moved = {atom[1] for atom in atoms if atom[0] in RESTING}
    supports = {atom[2] for atom in atoms if atom[0] in RESTING} - moved
    atoms |= {room.places[name] for name in supports if name in room.places}
    return frozenset(atoms | {(FOLLOWS[atom[0]], atom[1]) for atom in atoms if atom[0] in FOLLOWS})


def ways(formula: Formula, things: Things) -> Iterator[State]:
    """Every way to make a formula true, in literals that do not contradict each other."""
    if isinstance(formula, Literal):
        yield frozenset({formula})
    elif isinstance(formula, And):
        yield from ways_to_all(formula.parts, things)
    elif isinstance(formula, Or):
        yield from chain.from_iterable(ways(part, things) for part in formula.parts)
    elif isinstance(formula, (Exists, Forall, Count)):
        bodies = [substitute(formula.body, b) for b in bindings(formula.variables, things)]
        if isinstance(formula, Exists):
            yield from ways(Or(tuple(bodies)), things)
        elif isinstance(formula, Forall):
            yield from ways_to_all(bodies, things)
        else:
            for chosen in combinations(bodies, formula.at_least):
                yield from ways_to_all(chosen, things)
    elif isinstance(formula, Equal):
        yield from (frozenset(),) if formula.left == formula.right else ()
    elif isinstance(formula.part, Equal):
        yield from (frozenset(),) if formula.part.left != formula.part.right else ()
    else:
        denied = negate(formula.part)
        yield from () if isinstance(denied, Not) else ways(denied, things)


def ways_to_all(parts: Sequence[Formula], things: Things) -> Iterator[State]:
    """Every way to make all parts true."""
    if not parts:
        yield frozenset()
        return
    for first in ways(parts[0], things):
        for rest in ways_to_all(parts[1:], things):
            if is_possible(first | rest):
                yield first | rest


def is_possible(state: State) -> bool:
    """True if nothing is both so and not so, and nothing rests at two places."""
    placed = [
        literal.atom for literal in state if literal.positive and literal.atom[0] in (*RESTING, "holding")
    ]
    movers = [atom[-1] if atom[0] == "holding" else atom[1] for atom in placed]
    return len(movers) == len({*movers}) and not any(~literal in state for literal in state)


# -- measuring -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Result:
    """What became of one sentence.

    Attributes:
        kind: the type of its task.
        outcome: one of those of the table.
        why: what was understood, or the refusal.
        seconds: the time that it took.
        named: whether it has a word for all that the task is about.
        besides: whether it has one for something that can be carried and that the task is not about.
        offered: whether what was meant is among the answers to the question.
    """

    kind: str
    sentence: str
    outcome: str
    why: str
    seconds: float
    named: bool = True
    besides: bool = False
    offered: bool = False


def measure(trials: Iterable[Mapping[str, Any]], layouts: Path) -> Iterator[Result]:
    """Put every sentence of some trials to the reasoner."""
    reasoner = CommandReasoner()
    for trial in trials:
        room = Room(trial, layouts)
        situation = room.situation()
        for sentence in trial["task_descriptions"]:
            begun = process_time()
            why = ""
            understood: Understanding | None = None
            try:
                understood = reasoner.understand(sentence, situation)
            except InstructionError as error:
                why = f"{type(error).__name__}: {error}"
                outcome = "asked" if isinstance(error, AmbiguousError) else "refused"
            seconds = process_time() - begun
            offered = False
            if understood is not None and understood.readings:
                outcome, why = "asked", understood.sentence
                told = (replace(understood, goal=one.goal, readings=()) for one in understood.readings)
                offered = any(classify(one, room, trial) == "as meant" for one in told)
            elif understood is not None:
                outcome, why = classify(understood, room, trial), understood.sentence
            said = names_all(sentence, trial), names_more(sentence, trial), offered
            yield Result(trial["task_type"], sentence, outcome, why, seconds, *said)


def names_all(sentence: str, trial: Mapping[str, Any]) -> bool:
    """True if a sentence has a word for each thing that a trial's task is about, or for a kind of it."""
    ontology, words = load_domain().ontology, tokens_of(sentence)
    longest = range(1, ontology.longest_name + 1)
    phrases = (" ".join(words[at : at + length]) for at in range(len(words)) for length in longest)
    named = {name for phrase in phrases for name in classes_called(phrase)}
    return things_of(trial) <= named


def names_more(sentence: str, trial: Mapping[str, Any]) -> bool:
    """True if a sentence has a word for something to be carried that a trial's task is not about.

    What is part of a longer word is none: there is no towel on "the towel rack".
    """
    ontology, words = load_domain().ontology, tokens_of(sentence)
    at = 0
    while at < len(words):
        lengths = range(ontology.longest_name, 0, -1)
        ends = (at + length for length in lengths if ontology.named(" ".join(words[at : at + length])))
        end = next(ends, at)
        called = classes_called(" ".join(words[at:end]))
        if not called & things_of(trial) and any(ontology.type_of(name) == "item" for name in called):
            return True
        at = max(end, at + 1)
    return False


def classes_called(words: str) -> set[str]:
    """The classes that words name, and those that they may mean, too; a slice is of its thing's class."""
    ontology = load_domain().ontology
    naming = ontology.named(words)
    classes = () if naming is None else (naming.class_name, *naming.others)
    return {one for name in classes for one in (name.removesuffix("_slice"), *ontology[name].covers)}


def things_of(trial: Mapping[str, Any]) -> set[str]:
    """The classes of the things that a trial's task is about."""
    return {class_of(name) for key in PARAMETERS if (name := trial["pddl_params"][key])}


OUTCOMES = ("as meant", "a part", "something else", "not there", "asked", "refused")


def report(results: Sequence[Result]) -> None:
    """Print the shares per type of task, what lies behind them, and the times."""
    print(f"{'':34}{'sentences':>10}" + "".join(f"{outcome:>24}" for outcome in OUTCOMES))
    for kind in sorted({result.kind for result in results}):
        print_shares(kind, [result for result in results if result.kind == kind])
    print_shares("all", results)
    print_shares("all that name what was meant", [result for result in results if result.named])
    others = [result for result in results if result.outcome == "something else"]
    unnamed = sum(not result.named for result in others)
    more = sum(result.named and result.besides for result in others)
    print(f"something else: of {len(others)} sentences, {unnamed} do not name what was meant")
    print(
        f"                of the others, {more} name a further thing, and {len(others) - unnamed - more} none"
    )
    asked = [result for result in results if result.outcome == "asked"]
    offered = sum(result.offered for result in asked)
    print(f"asked: of {len(asked)} questions, {offered} offer what was meant")
    times = quantiles([1000 * result.seconds for result in results], n=20)
    print(f"time per sentence: {times[9]:.1f} ms (median), {times[18]:.1f} ms (95 %)")


def print_shares(name: str, results: Sequence[Result]) -> None:
    """Print a row of the table."""
    rates = [Rate(sum(r.outcome == outcome for r in results), len(results)) for outcome in OUTCOMES]
    print(f"{name:34}{len(results):>10}" + "".join(f"{rate!s:>24}" for rate in rates))


def show(results: Sequence[Result], most: int) -> None:
    """Print why sentences were refused, and some that were not understood as meant."""
    reasons = Counter(r.why.split('"')[0][:70] for r in results if r.outcome == "refused")
    for reason, count in reasons.most_common(most):
        print(f"{count:6}  {reason}")
    for outcome in OUTCOMES[1:]:
        these = [result for result in results if result.outcome == outcome]
        print(f"\n{outcome}: {len(these)}")
        for result in these[:: max(1, len(these) // most)][:most]:
            print(f"  [{result.kind}] {result.sentence}\n      {result.why[:200]}")


def half_of(trial: Mapping[str, Any]) -> str:
    """The half that a trial belongs to: one to learn from, one to see what is not just learned by heart."""
    return ("tune", "check")[sha256(str(trial["trial"]).encode()).digest()[0] % 2]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rooms", choices=("even", "odd"), default="even", help="by their numbers")
    parser.add_argument(
        "--show", type=int, default=0, metavar="N", help="sentences per outcome; not of odd rooms"
    )
    parser.add_argument("--half", choices=("tune", "check"), help="of the trials, drawn by their names")
    options = parser.parse_args()
    default = Path(__file__).resolve().parents[2] / "shared" / "alfred"
    folder = Path(os.environ.get("FORETREE_ALFRED", default))
    if not (folder / "trials.jsonl.gz").is_file():
        print(f"Skipped: there are no trials in {folder}; FORETREE_ALFRED names their folder.")
        return
    with gzip.open(folder / "trials.jsonl.gz", "rt") as lines:
        trials = [json.loads(line) for line in lines]
    odd = options.rooms == "odd"
    chosen = [trial for trial in trials if (int(trial["scene_num"]) % 2 == 1) is odd]
    if options.half:
        chosen = [trial for trial in chosen if half_of(trial) == options.half]
    results = list(measure(chosen, folder / "layouts"))
    report(results)
    if options.show and not odd:
        show(results, options.show)


if __name__ == "__main__":
    main()
