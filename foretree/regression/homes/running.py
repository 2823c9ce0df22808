"""Running a suite of household tasks: first all errands are drawn, then carried out in every variant."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace

from foretree._version import __version__
from foretree.config import config_roots, find_config
from foretree.perception.gallery import own_gallery_path
from foretree.regression.core.result_cache import code_files, digest
from foretree.regression.core.runner import Done
from foretree.regression.core.selection import Selection
from foretree.regression.core.suite_run import SuiteRun
from foretree.regression.homes._draw import DrawnErrand, ErrandDrawing
from foretree.regression.homes._episode import HomeEpisode, HomesTrial, HomeTrials
from foretree.regression.homes._recovery import trials_without_noise
from foretree.regression.homes.report import HomesReport
from foretree.regression.homes.suite import HomesSuite, read_homes_suite
from foretree.world_model.likely_places import own_places_path

#: The configs that episodes depend on, besides the suite's own file.
_KINDS = ("agents", "domains", "homes", "skills")


def open_homes_suite(selection: Selection) -> HomesSuite:
    """The suite as it is selected.

    Raises:
        ConfigError: the suite makes no sense.
        SuiteError: what was selected is not in it.
    """
    suite = read_homes_suite(selection.suite)
    if selection.noise is not None:
        suite = replace(suite, noise=selection.noise)
    if selection.persistence is not None:
        suite = replace(suite, persistence=selection.persistence)
    if selection.ablate:
        suite = suite.ablated(selection.ablate)
    suite = suite.only(selection.only, selection.variants, selection.modes, selection.splits)
    return suite.revised_by(selection.revisers)


def run_homes_suite(suite: HomesSuite, run: SuiteRun) -> HomesReport:
    """Run a suite of household tasks.

    Ctrl-C ends it early, with a report on the episodes that were done by then.

    Raises:
        ResultCacheError: results cannot be kept, or are there already but of something else.
    """
    selection = run.selection
    errands = suite.all_errands(selection.episodes, selection.seed)
    with run.with_cache(suite.name, lambda: fingerprint(suite, selection)) as cached:
        # Which trials there are follows from all errands, so every shard draws all of them.
        drawn = cached.results(ErrandDrawing(suite), errands, "errands", in_every_shard=True)
        trials = all_trials(suite, drawn.results, selection.sweep) if not drawn.missing else ()
        episodes = carry_out_trials(suite, cached, HomeTrials(suite, selection.keep), trials)
    return HomesReport(
        suite,
        episodes.results,
        selection,
        drawn.results,
        wall=drawn.wall + episodes.wall,
        processor=drawn.processor + episodes.processor,
        # Nothing was carried out where the drawing was interrupted.
        missing=len(errands) * len(suite.variants) if drawn.missing else episodes.missing,
        reused=episodes.reused,
    )


def carry_out_trials(
    suite: HomesSuite, run: SuiteRun, kind: HomeTrials, trials: Sequence[HomesTrial]
) -> Done[HomeEpisode]:
    """Carry out *trials*; where recovery is to be measured, then those without noise that this takes."""
    first = run.results(kind, trials, HomesReport.what)
    if not run.selection.recovery or first.missing:
        return first
    shard = run.selection.shard
    without = trials_without_noise(suite, trials, first.results, shard.of if shard else 1)
    then = run.results(kind, without, "episodes without noise")
    return Done(
        (*first.results, *then.results),
        first.wall + then.wall,
        first.processor + then.processor,
        then.missing,
        first.reused + then.reused,
    )


def all_trials(suite: HomesSuite, drawn: Sequence[DrawnErrand], sweep: bool) -> tuple[HomesTrial, ...]:
    """Every errand that could be drawn in every variant, and then some of them with other noise."""
    usable = [one for one in drawn if one.usable]
    wanted = [(one, variant, suite.noise) for one in usable for variant in suite.variants]
    if sweep and suite.sweep is not None:
        chosen = [name for name in suite.sweep.variants if name in suite.variants]
        wanted += [
            (one, variant, noise)
            for noise in suite.sweep.noise
            if noise != suite.noise
            for one in usable[: suite.sweep.errands]
            for variant in chosen
        ]
    return tuple(HomesTrial(number, *trial) for number, trial in enumerate(wanted))


def fingerprint(suite: HomesSuite, selection: Selection, file: str = "") -> Mapping[str, str]:
    """Everything that results depend on, besides their names; the suite's own *file* included."""
    configured = [
        path for root in config_roots() for kind in _KINDS for path in sorted((root / kind).rglob("*.*"))
    ]
    learned = [own_gallery_path(), own_places_path()]
    asks = any("llm" in str(variant.settings.get("revisers", "")) for variant in suite.variants.values())
    return {
        "suite": suite.name,
        "version": __version__,
        "seed": str(selection.seed),
        "reviser": ",".join(suite.revisers),
        **({} if suite.persistence is None else {"persistence": f"{suite.persistence:g}"}),
        "language model": os.environ.get("FORETREE_LLM_MODEL", "") if asks else "",
        "configuration": digest([find_config("suites", file or selection.suite), *configured, *learned]),
        "code": digest(code_files()),
    }
