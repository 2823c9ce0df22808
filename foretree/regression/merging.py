"""Putting the shards of a suite together: the report is the one that a single run would have written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from itertools import islice
from pathlib import Path
from typing import Any

from foretree.regression.core.selection import Shard, SuiteError
from foretree.regression.core.trial import result_key
from foretree.regression.reports.suite_report import SuiteReport
from foretree.regression.saved_report import SavedReport, read_saved_report
from foretree.regression.suites import regress

#: What may differ between shards.
_FREE = ("jobs", "output", "shard", "keep")
#: Missing shards are named up to this many.
_MOST_NAMED = 10


def merge(paths: Iterable[Path]) -> SuiteReport[Any, Any]:
    """Put the reports of all shards together.

    Nothing is run: the suite is read anew, and the results of all its trials are taken from the shards.

    Raises:
        SuiteError: they are not all the shards of one run, or a shard was interrupted.
    """
    shards = [read_saved_report(path) for path in paths]
    _check(shards)
    results = {name: result for shard in shards for name, result in _results(shard)}
    selection = replace(shards[0].selection, jobs=None, output=None, shard=None)
    report = regress(selection, merged=results)
    # Shards are run side by side.
    return replace(
        report,
        wall=max(shard.said("wall") for shard in shards),
        processor=sum(shard.said("processor") for shard in shards),
    )


def _results(shard: SavedReport) -> Iterable[tuple[str, dict[str, Any]]]:
    """Results of a shard, by the names of their trials."""
    identity = shard.report.result.identity
    try:
        for episode in (*shard.data["episodes"], *shard.data.get("empty", ())):
            yield result_key(identity, episode), episode
        for drawn in shard.data.get("errands", ()):
            errand = drawn["errand"]
            names = ("trial",) if "trial" in errand else ("family", "mode", "split", "turn")
            yield "/".join(str(errand[name]) for name in names), drawn
    except (KeyError, TypeError) as error:
        raise SuiteError(f"{shard.path} has results that cannot be read.") from error


def _check(shards: Sequence[SavedReport]) -> None:
    first = shards[0]
    for shard in shards:
        if shard.selection.shard is None:
            raise SuiteError(f"{shard.path} is no shard: it was run without --shard.")
        if not shard.said("complete"):
            raise SuiteError(f"{shard.path} is of a run that was interrupted: run that shard again.")
        for field in fields(shard.selection):
            mine, theirs = (getattr(one.selection, field.name) for one in (first, shard))
            if field.name not in _FREE and mine != theirs:
                raise SuiteError(
                    f"{first.path} and {shard.path} are shards of different runs: {field.name} is {mine!r} "
                    f"in one and {theirs!r} in the other."
                )
    there = [shard.selection.shard for shard in shards]
    of = there[0].of if there[0] else 0
    # Not all of them are made: a report may say that there are any number.
    missing = (str(one) for one in (Shard(index, of) for index in range(1, of + 1)) if one not in there)
    if named := list(islice(missing, _MOST_NAMED + 1)):
        more = [] if len(named) <= _MOST_NAMED else ["more"]
        is_missing = "is missing" if len(named) == 1 else "are missing"
        raise SuiteError(
            f"These are not all the shards: {', '.join([*named[:_MOST_NAMED], *more])} {is_missing}."
        )
    if len(there) != of:
        raise SuiteError("A shard was named twice, or shards are of runs that were cut differently.")
