"""What a planning suite came to: the arithmetic, and the document that says it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from statistics import fmean, median
from typing import Any

from foretree.regression.document import Bullets, Document, Plot, Section, Table
from foretree.regression.junit import Case, Verdict
from foretree.regression.planning_episode import PlanningEpisode
from foretree.regression.planning_suite import RANGES, PlanningSuite
from foretree.regression.plots import Axis, Curve, bars, curves, dumbbells
from foretree.regression.remarks import in_short, interruption, unsound
from foretree.regression.report import Rate

#: What a plan can consist of, navigation included. Together, the tasks of a suite should need all of them.
ACTIONS = (
    *("pick", "place_in", "place_on", "place_under", "open", "close", "pour", "cut", "stir", "scoop", "fold"),
    *("wipe", "turn_on", "turn_off", "hang_on", "open_door", "move"),
)


@dataclass(frozen=True, slots=True)
class Growth:
    """How long planning takes in larger buildings.

    Attributes:
        name: on which map, and which plans.
        points: how many times the size, and seconds.
    """

    name: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class PlanningSummary:
    """Trials, added up. Costs and actions are means over those that were solved, seconds those of all plans.

    Attributes:
        name: what they have in common.
        success: trials whose plan the world accepted, and the task was done.
        proved: plans that are known to be the cheapest with what was looked at, of all plans.
        refused: plans that the world did not accept.
        cost: of a plan.
        actions: of a plan.
        first_median: until the first plan.
        first_worst: until the first plan.
        proof_median: until the proof, of those that were proved.
        search_median: of the search alone.
        asked: how often a model would have been asked.
    """

    name: str
    success: Rate
    proved: Rate
    refused: int
    cost: float
    actions: float
    first_median: float
    first_worst: float
    proof_median: float
    search_median: float
    asked: float


@dataclass(frozen=True, slots=True)
class Gain:
    """How much shorter plans are in one way than in another, over the trials that both solved.

    Attributes:
        name: what is compared.
        pairs: how many trials both solved.
        actions: mean relative reduction of the number of actions.
        cost: the same of the costs.
        shorter: pairs with fewer actions.
        dearer: pairs in which the first of the two plans costs more.
        other: pairs whose plans differ in cost or number of actions.
    """

    name: str
    pairs: int
    actions: float
    cost: float
    shorter: int
    dearer: int
    other: int


@dataclass(frozen=True)
class PlanningReport:
    """What a planning suite came to.

    Attributes:
        suite: what was run.
        seed: what the trials' seeds were made from.
        episodes: in the order of the suite, however they were run.
        wall: seconds that it took.
        processor: seconds of processors that it took, planners included.
        missing: how many more trials were to be run when somebody interrupted it.
        growth: what larger buildings take, measured elsewhere.
    """

    suite: PlanningSuite
    seed: int
    episodes: tuple[PlanningEpisode, ...]
    wall: float = 0.0
    processor: float = 0.0
    missing: int = 0
    growth: tuple[Growth, ...] = ()

    @property
    def name(self) -> str:
        """The suite's name."""
        return self.suite.name

    @property
    def complete(self) -> bool:
        """Whether all trials were run; nobody interrupted it."""
        return not self.missing

    @property
    def interruption(self) -> str:
        """How many of all trials were run, if somebody interrupted it."""
        return interruption(len(self.episodes), self.missing, "trials")

    @property
    def ok(self) -> bool:
        """Whether every trial ended as it must: see :attr:`PlanningEpisode.sound`."""
        return all(episode.sound for episode in self.episodes)

    @property
    def reference(self) -> str:
        """The variant that the others are compared with."""
        return next(iter(self.suite.variants))

    def of(self, **wanted: str) -> tuple[PlanningEpisode, ...]:
        """The episodes with these values: ``report.of(variant="full", level="simple")``."""
        return tuple(e for e in self.episodes if all(getattr(e, key) == wanted[key] for key in wanted))

    def gain(self, name: str, better: Mapping[str, str], worse: Mapping[str, str]) -> Gain:
        """Compare the trials of the same task and seed that differ as *better* and *worse* say."""
        return compare(name, self.of(**better), self.of(**worse), across="setting" in better)

    def as_data(self) -> dict[str, Any]:
        """All of it as plain data, for JSON."""
        return {
            "suite": self.name,
            "seed": self.seed,
            "ok": self.ok,
            "complete": self.complete,
            "missing": self.missing,
            "wall": round(self.wall, 3),
            "processor": round(self.processor, 3),
            "variants": [_data(summarise_trials(v, self.of(variant=v))) for v in self.suite.variants],
            "settings": [
                _data(summarise_trials(s, self.of(variant=self.reference, setting=s)))
                for s in self.suite.settings
            ],
            "gains": [asdict(gain) for gain in gains(self)],
            "growth": [asdict(point) for point in self.growth],
            "episodes": [asdict(episode) for episode in self.episodes],
        }

    def document(self) -> Document:
        """All of it for people."""
        return Document(
            self.name,
            f"{self.suite.says} {len(self.episodes)} trials, seed {self.seed}.",
            tuple(_sections(self)),
        )

    def cases(self) -> Iterator[Case]:
        """A case for each task in each setting and variant."""
        for variant in self.suite.variants:
            for task in self.suite.tasks:
                for setting in self.suite.settings:
                    found = self.of(variant=variant, task=task, setting=setting)
                    if found:
                        yield _case(f"{self.name}.{variant}", found)


def summarise_trials(name: str, episodes: Sequence[PlanningEpisode]) -> PlanningSummary:
    """Add *episodes* up."""
    planned = [e for e in episodes if e.planned]
    solved = [e for e in episodes if e.success]
    return PlanningSummary(
        name,
        Rate(len(solved), len(episodes)),
        Rate(sum(e.proved for e in planned), len(planned)),
        sum(e.planned and not e.success for e in episodes),
        _mean(e.cost for e in solved),
        _mean(e.actions for e in solved),
        _median(e.timing.first for e in planned),
        max((e.timing.first for e in planned), default=0.0),
        _median(e.timing.proof for e in planned if e.proved),
        _median(e.timing.search for e in planned),
        _mean(sum(e.asked.values()) for e in planned),
    )


def compare(
    name: str, better: Iterable[PlanningEpisode], worse: Iterable[PlanningEpisode], across: bool = False
) -> Gain:
    """How much shorter the plans of *better* are, over the trials that both solved.

    A pair has the same task and seed, and the same setting unless settings are what is compared (*across*).
    """

    def key(episode: PlanningEpisode) -> tuple[str, int, str]:
        return episode.task, episode.seed, "" if across else episode.setting

    long = {key(e): e for e in worse if e.success}
    pairs = [(e, long[key(e)]) for e in better if e.success and key(e) in long]
    return Gain(
        name,
        len(pairs),
        _mean(_reduction(one.actions, other.actions) for one, other in pairs),
        _mean(_reduction(one.cost, other.cost) for one, other in pairs),
        sum(one.actions < other.actions for one, other in pairs),
        sum(one.cost > other.cost for one, other in pairs),
        sum((one.actions, one.cost) != (other.actions, other.cost) for one, other in pairs),
    )


def gains(report: PlanningReport) -> Iterator[Gain]:
    """What two hands are worth, what closed doors cost, and what each part of planning contributes."""
    settings = report.suite.settings.values()
    for one in settings:
        for other in settings:
            if one.hands == 2 and other.hands == 1 and one.doors == other.doors:
                better = {"variant": report.reference, "setting": one.name}
                yield report.gain(f"{one.name} over {other.name}", better, {**better, "setting": other.name})
            if not one.doors and other.doors and one.hands == other.hands:
                better = {"variant": report.reference, "setting": one.name}
                yield report.gain(f"{one.name} over {other.name}", better, {**better, "setting": other.name})
    for variant in report.suite.variants:
        if variant != report.reference:
            name = f"{report.reference} over {variant}"
            yield report.gain(name, {"variant": report.reference}, {"variant": variant})


def _reduction(short: float, long: float) -> float:
    return (long - short) / long if long else 0.0


def _mean(values: Iterable[float]) -> float:
    given = list(values)
    return fmean(given) if given else 0.0


def _median(values: Iterable[float]) -> float:
    given = list(values)
    return median(given) if given else 0.0


def _data(summary: PlanningSummary) -> dict[str, Any]:
    return {
        name: value.as_data() if isinstance(value, Rate) else value
        for name in PlanningSummary.__slots__
        for value in (getattr(summary, name),)
    }


# -- JUnit -------------------------------------------------------------------------------------------


def _case(suite: str, episodes: Sequence[PlanningEpisode]) -> Case:
    first = episodes[0]
    bad = [e for e in episodes if not e.success]
    verdict: Verdict = "passed"
    if any(e.trouble for e in bad):
        verdict = "error"
    elif bad:
        verdict = "failure" if all(e.must for e in bad) else "skipped"
    summary = summarise_trials("", episodes)
    return Case(
        suite,
        f"{first.level}.{first.task}",
        first.setting,
        sum(e.effort.wall for e in episodes),
        verdict,
        f"{len(bad)} of {len(episodes)} seeds did not succeed: {_fault(bad[0])}" if bad else "",
        "\n".join(f"seed {e.seed}: {e.details or _fault(e)}" for e in bad),
        {
            "success": f"{summary.success.count}/{summary.success.of}",
            "proved": f"{summary.proved.count}/{summary.proved.of}",
            "cost": f"{summary.cost:.1f}",
            "actions": f"{summary.actions:.1f}",
            "first_plan_median": f"{summary.first_median:.3f}",
            "proof_median": f"{summary.proof_median:.3f}",
        },
    )


def _fault(episode: PlanningEpisode) -> str:
    if episode.trouble:
        return in_short(episode.trouble, episode.details)
    if not episode.planned:
        return f"no plan: {episode.why or 'nobody knows why'}"
    if episode.refused:
        return f"the world refused {episode.refused}"
    return "the plan was carried out, but the task is not done"


# -- the document ------------------------------------------------------------------------------------

_Cells = Callable[[PlanningSummary], str]

_FIGURES: Sequence[tuple[str, _Cells]] = (
    ("success", lambda s: str(s.success)),
    ("plans that failed", lambda s: str(s.refused)),
    ("proved cheapest", lambda s: f"{100 * s.proved.value:.1f} %"),
    ("plan cost", lambda s: f"{s.cost:.1f}"),
    ("actions", lambda s: f"{s.actions:.2f}"),
    ("first plan, median", lambda s: _seconds(s.first_median)),
    ("first plan, worst", lambda s: _seconds(s.first_worst)),
    ("proof, median", lambda s: _seconds(s.proof_median)),
    ("search alone, median", lambda s: _seconds(s.search_median)),
    ("model calls", lambda s: f"{s.asked:.1f}"),
)


def _seconds(value: float) -> str:
    """A time; a dash for what was never done, which is what exactly none means."""
    if value == 0:
        return "–"
    return f"{value:.3f} s" if value >= 0.01 else f"{1000 * value:.2f} ms"


def _sections(report: PlanningReport) -> Iterator[Section]:
    suite, reference = report.suite, report.reference
    summaries = [summarise_trials(name, report.of(variant=name)) for name in suite.variants]
    settings = [summarise_trials(name, report.of(variant=reference, setting=name)) for name in suite.settings]
    yield Section("Remarks", (Bullets(tuple(_remarks(report))),))
    yield Section(
        "By variant",
        (
            _upright("variant", summaries),
            Bullets([f"{v.name}: {v.says}" for v in suite.variants.values() if v.says]),
            Plot("Success by level and variant, in percent", _success_plot(report)),
            Plot("Share of plans found, by seconds until the first plan", _time_plot(report, "first")),
            Plot("Share of plans proved, by seconds until the proof", _time_plot(report, "proof")),
        ),
    )
    yield Section(
        f"By setting, {reference}",
        (
            _upright("setting", settings),
            Bullets([f"{s.name}: {s.says}" for s in suite.settings.values() if s.says]),
            Plot("Actions per plan, by level and setting", _level_plot(report, "actions")),
            Plot("Cost per plan, by level and setting", _level_plot(report, "cost")),
        ),
    )
    yield Section(
        "Plan quality",
        (
            "Mean relative reduction over the trials of the same task and seed that both sides solved; in "
            "how many of these the first plan is shorter, in how many it is dearer, in how many different.",
            Table(
                ("compared", "pairs", "fewer actions", "lower cost", "shorter", "dearer", "different"),
                [
                    (
                        gain.name,
                        str(gain.pairs),
                        f"{100 * gain.actions:.1f} %",
                        f"{100 * gain.cost:.1f} %",
                        str(gain.shorter),
                        str(gain.dearer),
                        str(gain.other),
                    )
                    for gain in gains(report)
                ],
            ),
            *_per_task_plots(report),
        ),
    )
    yield Section("Where the time goes", tuple(_break_down(report)))
    if report.growth:
        yield Section("Growth", (Plot("Planning in larger buildings", _growth_plot(report.growth)),))
    yield Section("Plans without proof", tuple(_unproved(report)), long=True)
    yield Section("Tasks", (_tasks(report),), long=True)


def _upright(what: str, summaries: Sequence[PlanningSummary]) -> Table:
    """A column for each summary: there are more figures than that, and a page is only so wide."""
    return Table(
        (what, *(summary.name for summary in summaries)),
        [(heading, *(cell(summary) for summary in summaries)) for heading, cell in _FIGURES],
    )


def _remarks(report: PlanningReport) -> Iterator[str]:
    if report.interruption:
        yield report.interruption
    if report.processor > 0:
        yield f"{report.wall:.1f} s on the wall, {report.processor:.1f} s of processors."
    used = {action for e in report.of(variant=report.reference) for action in e.used}
    missing = [action for action in ACTIONS if action not in used]
    if missing:
        yield f"No plan uses {', '.join(missing)}."
    else:
        yield f"All {len(ACTIONS)} kinds of action are used."
    outside = [f"{name} ({found})" for name, found in _outside(report)]
    if outside:
        yield f"Not what their level says: {', '.join(outside)}."
    for name, tasks in _differing(report):
        yield f"{name}: {len(tasks)} of {len(report.suite.tasks)} tasks."
    bad = [e for e in report.episodes if not e.sound]
    yield from unsound(
        [f"{e.task}, {e.setting}, {e.variant}, seed {e.seed}: {_fault(e)}" for e in bad], "trials"
    )


def _differing(report: PlanningReport) -> Iterator[tuple[str, list[str]]]:
    """The tasks in which two hands make a shorter plan, and those in which doors change it."""
    for one in report.suite.settings.values():
        for other in report.suite.settings.values():
            hands = one.hands == 2 and other.hands == 1 and not one.doors and not other.doors
            doors = one.hands == other.hands == 2 and not one.doors and other.doors
            if hands or doors:
                yield (
                    "Two hands make a shorter plan in" if hands else "Doors make another plan in",
                    [
                        task
                        for task in report.suite.tasks
                        for gain in (
                            report.gain(
                                task,
                                {"variant": report.reference, "task": task, "setting": one.name},
                                {"variant": report.reference, "task": task, "setting": other.name},
                            ),
                        )
                        if (gain.shorter if hands else gain.other)
                    ],
                )


def _outside(report: PlanningReport) -> Iterator[tuple[str, str]]:
    """The tasks whose best plan with two hands and open doors is not what their level says."""
    for setting in report.suite.settings.values():
        if setting.hands != 2 or setting.doors:
            continue
        for name, task in report.suite.tasks.items():
            tried = report.of(variant=report.reference, task=name, setting=setting.name)
            found = [e for e in tried if e.proved]
            if not found:
                continue
            stops, actions = (sorted({getattr(e, of) for e in found}) for of in ("stops", "actions"))
            (least_stops, most_stops), (least, most) = RANGES[task.level]
            if stops[0] < least_stops or stops[-1] > most_stops or actions[0] < least or actions[-1] > most:
                yield name, f"{_span(stops)} stops, {_span(actions)} actions"


def _span(values: Sequence[int]) -> str:
    return str(values[0]) if values[0] == values[-1] else f"{values[0]} to {values[-1]}"


def _levels(report: PlanningReport) -> list[str]:
    return [level for level in RANGES if any(task.level == level for task in report.suite.tasks.values())]


def _success_plot(report: PlanningReport) -> Any:
    levels = _levels(report)

    def share(variant: str, level: str) -> float | None:
        found = report.of(variant=variant, level=level)
        return 100 * Rate(sum(e.success for e in found), len(found)).value if found else None

    given = [(variant, [share(variant, level) for level in levels]) for variant in report.suite.variants]
    return bars(levels, given, "success, %", top=100.0)


def _level_plot(report: PlanningReport, what: str) -> Any:
    levels = _levels(report)

    def value(setting: str, level: str) -> float | None:
        found = [e for e in report.of(variant=report.reference, level=level, setting=setting) if e.success]
        return _mean(getattr(e, what) for e in found) if found else None

    given = [(setting, [value(setting, level) for level in levels]) for setting in report.suite.settings]
    return bars(levels, given, what)


def _time_plot(report: PlanningReport, what: str) -> Any:
    given = []
    for variant in report.suite.variants:
        found = report.of(variant=variant)
        times = sorted(getattr(e.timing, what) for e in found if e.planned and (e.proved or what == "first"))
        points = [(seconds, 100 * (index + 1) / len(found)) for index, seconds in enumerate(times)]
        given.append(Curve(variant, points, steps=True))
    return curves(given, Axis("seconds", log=True), Axis("trials, %"))


def _growth_plot(growth: Sequence[Growth]) -> Any:
    return curves(
        [Curve(line.name, line.points) for line in growth],
        Axis("times the size"),
        Axis("seconds", log=True),
    )


def _per_task_plots(report: PlanningReport) -> Iterator[Plot]:
    settings = list(report.suite.settings.values())
    pairs = [
        (one, other)
        for one in settings
        for other in settings
        if (one.hands, other.hands, one.doors, other.doors) in ((2, 1, False, False), (2, 2, False, True))
    ]
    for one, other in pairs:
        rows = []
        for task in report.suite.tasks:
            means = [
                _mean(e.actions for e in solved)
                for s in (one, other)
                for solved in (
                    [e for e in report.of(variant=report.reference, task=task, setting=s.name) if e.success],
                )
                if solved
            ]
            if len(means) == 2:
                rows.append((task, means[0], means[1]))
        if rows:
            plot = dumbbells(rows, (one.name, other.name), "actions per plan")
            yield Plot(f"Actions of each task: {one.name} and {other.name}", plot)


def _break_down(report: PlanningReport) -> Iterator[Table]:
    planned = {v: [e for e in report.of(variant=v) if e.planned] for v in report.suite.variants}
    parts = dict.fromkeys(part for found in planned.values() for e in found for part in e.timing.parts)

    def row(name: str, seconds: Callable[[PlanningEpisode], float]) -> tuple[str, ...]:
        return name, *(_seconds(_median(map(seconds, found))) for found in planned.values())

    yield Table(
        ("part of the way to the first plan, median", *planned),
        [*(row(part, partial(_part, part)) for part in parts), row("all of it", lambda e: e.timing.first)],
    )
    again = {v: [e for e in found if e.again is not None] for v, found in planned.items()}
    again = {variant: found for variant, found in again.items() if found}
    if again:
        yield Table(
            ("planned again after a change", "led to the goal", "map, median", "first plan, median"),
            [
                (
                    variant,
                    f"{sum(bool(e.again) for e in found)}/{len(found)}",
                    _seconds(_median(e.timing.again_map or 0.0 for e in found)),
                    _seconds(_median(e.timing.again or 0.0 for e in found)),
                )
                for variant, found in again.items()
            ],
        )


def _part(name: str, episode: PlanningEpisode) -> float:
    return episode.timing.parts.get(name, 0.0)


def _unproved(report: PlanningReport) -> Iterator[Table | str]:
    found = [e for e in report.of(variant=report.reference) if e.planned and not e.proved]
    if not found:
        yield f"None: every plan of {report.reference} is proved to be the cheapest with what was looked at."
        return
    yield Table(
        ("task", "setting", "seed", "cost", "no plan is below", "why"),
        [
            (e.task, e.setting, str(e.seed), str(e.cost), str(e.lower_bound), e.why or "not tried")
            for e in found
        ],
    )


def _tasks(report: PlanningReport) -> Table:
    rows = []
    for name, task in report.suite.tasks.items():
        cells = []
        for setting in report.suite.settings:
            found = report.of(variant=report.reference, task=name, setting=setting)
            solved = [e for e in found if e.success]
            actions = f", {_mean(e.actions for e in solved):.1f} actions" if solved else ""
            cells.append(f"{len(solved)}/{len(found)}{actions}")
        rows.append((name, task.level, *cells))
    return Table(("task", "level", *report.suite.settings), rows)
