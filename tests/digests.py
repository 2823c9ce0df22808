"""Digests of seeded runs: what two states of the code that should behave alike are compared by.

``python tests/digests.py take FILE`` writes down digests of some two hundred runs;
``python tests/digests.py compare FILE`` takes them again and lists what differs. Digests are of ticks, actions,
facts, revisions, plans, costs and outcomes. Sentences, and names of nodes and classes, are left out: these may
be put better.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from foretree.bringup.embedded import open_household
from foretree.bringup.homes import open_home
from foretree.bringup.options import Options, Wish
from foretree.bringup.request import Request
from foretree.bringup.resume import reopen_events
from foretree.regression.core.variants import AgentVariant
from foretree.regression.homes._draw import ErrandDrawing, home_catalogue
from foretree.regression.homes.suite import Errand, HomesSuite, read_homes_suite
from foretree.regression.planning.factory import task_vocabulary
from foretree.regression.planning.suite import PlanningSuite, Trial
from foretree.regression.planning.suite_file import read_planning_suite
from foretree.regression.planning.trial import PlanningTrials
from foretree.regression.sessions.suite import ScenarioTrial, Suite, read_suite
from foretree.runs.events import Event, Tape

#: What of an event's data a digest is made of, by the event's kind. Of kinds that are not here, only when they
#: happened counts; of those about trees, nothing.
TOLD: Mapping[str, Sequence[str]] = {
    "goal.set": ("goal",),
    "plan.made": ("goal", "actions", "order", "cost", "assumptions", "links"),
    "action.intent": ("action", "execution", "targets"),
    "action.started": ("action", "execution"),
    "action.ended": ("action", "execution", "outcome"),
    "action.skipped": ("action", "guards"),
    "belief.changed": ("version", "facts"),
    "entity.changed": ("entities",),
    "look.started": ("execution", "at"),
    "look.ended": ("execution", "outcome"),
    "guard.checked": ("action", "guard", "passed"),
    "discrepancy.found": ("id", "action", "guard", "version"),
    "revision.asked": ("discrepancy", "reviser"),
    "revision.rejected": ("discrepancy", "reviser"),
    "revision.made": ("discrepancy", "reviser", "kept", "added", "removed", "in_flight", "version"),
    "fault.injected": ("what",),
    "run.ended": ("outcome", "actions", "failed", "skipped", "revisions", "seconds"),
}
#: Which digest of a run an event's kind belongs to.
ASPECTS: Mapping[str, str] = {
    "plan": "plans",
    "goal": "plans",
    "action": "actions",
    "belief": "facts",
    "entity": "facts",
    "look": "looks",
    "guard": "guards",
    "discrepancy": "revisions",
    "revision": "revisions",
    "run": "outcome",
    "fault": "outcome",
}

#: How many runs are taken of each kind.
COUNTS: Mapping[str, int] = {"smoke": 60, "noisy": 40, "building-surprises": 25}
HOMES, PLANNED, RESUMED = 20, 30, 10

#: Instructions whose plans are digested, by scene.
INSTRUCTIONS: Mapping[str, Sequence[str]] = {
    "kitchen": (
        "put the mango into the fridge",
        "wash mug1",
        "put everything that is on table1 into the fridge",
    ),
    "studio": ("put the book on the bed", "put all mugs on the desk", "put a pillow on the bed"),
    "office": ("put the eraser on table607", "put milk1 on table605", "open the fridge"),
}

Digest = dict[str, str]


def digests() -> Iterator[tuple[str, Callable[[], Digest]]]:
    """The names of all runs, each with what carries it out and digests it."""
    for name, count in COUNTS.items():
        suite = read_suite(name)
        tasks = suite.trials(max(1, -(-count // len(suite.variants))))[:count]
        for task in tasks:
            yield f"{name} {task.scenario} {task.variant} {task.seed}", partial(_of_session, suite, task)
    homes = read_homes_suite("household")
    variants = [homes.reference, *(v for v in homes.variants.values() if v != homes.reference)]
    for at, errand in enumerate(homes.all_errands(HOMES)):
        variant = variants[at % 2]
        yield f"homes {errand.label} {variant.name}", partial(_of_home, homes, errand, variant)
    building = read_planning_suite("building", task_vocabulary)
    trials = building.trials(1)
    for trial in trials[:: max(1, len(trials) // PLANNED)][:PLANNED]:
        label = f"building {trial.task} {trial.setting} {trial.variant}"
        yield label, partial(_of_planning, building, trial)
    for number in range(RESUMED):
        yield f"resumed {number}", partial(_of_resumed, number)
    for scene, instructions in INSTRUCTIONS.items():
        for instruction in instructions:
            yield f"plan {scene}: {instruction}", partial(_of_plan, scene, instruction)


def digest_events(events: Iterable[Event]) -> Digest:
    """One digest for each aspect of a run, and one of when everything happened."""
    parts: dict[str, list[Any]] = {"ticks": []}
    for event in events:
        family = event.kind.partition(".")[0]
        if family == "tree" or event.kind in ("run.started", "log"):
            continue
        moment = [event.tick, round(event.time, 6), event.kind]
        parts["ticks"].append(moment)
        told = {key: event.data[key] for key in TOLD.get(event.kind, ()) if key in event.data}
        if family in ASPECTS:
            parts.setdefault(ASPECTS[family], []).append([*moment, told])
    return {aspect: _digest(content) for aspect, content in parts.items()}


def _digest(data: object) -> str:
    text = json.dumps(data, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()[:12]


def _of_session(suite: Suite, task: ScenarioTrial) -> Digest:
    scenario, tape = suite.scenarios[task.scenario], Tape()
    options = Options(suite.agent, suite.variants[task.variant].settings, scenario.faults, task.seed)
    session, world = open_household(scenario.scene_of(task.seed), scenario.wish, options, recorder=tape)
    session.run()
    refused = [[each.skill, each.rule] for each in world.illegal]
    return {**digest_events(tape.events), "truth": _digest(refused)}


def _of_home(suite: HomesSuite, errand: Errand, variant: AgentVariant) -> Digest:
    drawn, tape = ErrandDrawing(suite).run(errand), Tape()
    session, world = open_home(
        drawn.episode(suite.things, suite.noise),
        Wish(drawn.instruction, drawn.goal),
        Options(suite.agent, variant.settings),
        recorder=tape,
        catalogue=home_catalogue(),
    )
    session.run()
    judged = world.judge()
    assert judged is not None
    return {**digest_events(tape.events), "truth": _digest([drawn.best, list(judged.conditions)])}


def _of_planning(suite: PlanningSuite, trial: Trial) -> Digest:
    result = PlanningTrials(suite).run(trial, limit=600.0)
    assert not result.trouble, result.details
    data = asdict(result)
    for unlike in ("timing", "effort", "why", "number"):
        del data[unlike]
    return {"plans": _digest(data)}


def _of_resumed(number: int) -> Digest:
    wish = ("put the mango into the fridge", "wash mug1")[number % 2]
    before, after = Tape(), Tape()
    options = Options(faults=("after 1: move mango1 on table2",), seed=number)
    session, _ = Request(Wish(wish), "kitchen", options).open(before)
    session.run()
    kept = before.events[: len(before.events) * (number + 1) // (RESUMED + 1)]
    after.events.extend(kept)
    reopen_events(kept, after).run()
    return digest_events(after.events)


def _of_plan(scene: str, instruction: str) -> Digest:
    from foretree.bringup.preview import preview

    session, _ = Request(Wish(instruction), scene).open()
    told = json.loads(preview(session, "json"))
    told.pop("how")
    return {"plans": _digest(told)}


def _take(say: Callable[[str], None]) -> dict[str, Digest]:
    taken: dict[str, Digest] = {}
    for name, carry_out in digests():
        try:
            taken[name] = carry_out()
        except Exception:  # two runs that break alike are no two runs that behave alike
            say(f"{name} broke:")
            raise
        if len(taken) % 20 == 0:
            say(f"{len(taken)} runs")
    return taken


def main(arguments: Sequence[str]) -> int:
    """Take digests, or compare with those taken earlier."""
    if len(arguments) != 2 or arguments[0] not in ("take", "compare"):
        print(__doc__, file=sys.stderr)
        return 2
    path = Path(arguments[1])
    earlier = json.loads(path.read_text()) if arguments[0] == "compare" else None
    taken = _take(lambda progress: print(progress, file=sys.stderr, flush=True))
    if earlier is None:
        path.write_text(json.dumps(taken, indent=1) + "\n")
        print(f"{len(taken)} runs.")
        return 0
    unlike = {
        name: [
            aspect
            for aspect in {**old, **taken.get(name, {})}
            if old.get(aspect) != taken.get(name, {}).get(aspect)
        ]
        for name, old in earlier.items()
        if old != taken.get(name)
    }
    for name, aspects in unlike.items():
        print(f"{name}: {', '.join(aspects)}")
    print(f"{len(earlier) - len(unlike)} of {len(earlier)} runs are the same.")
    return 1 if unlike or taken.keys() - earlier.keys() else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
