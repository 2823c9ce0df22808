"""Putting the shards of a suite together: the report is the one that a single run would have written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from foretree.regression.core.selection import Shard, SuiteError
from foretree.regression.core.trial import result_key
from foretree.regression.reports.suite_report import SuiteReport
from foretree.regression.saved_report import SavedReport, read_saved_report
from foretree.regression.suites import regress

#: What may differ between shards.
_FREE = ("jobs", "output", "shard", "keep")


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
        wall=max(float(shard.data["wall"]) for shard in shards),
        processor=sum(float(shard.data["processor"]) for shard in shards),
    )


def _results(shard: SavedReport) -> Iterable[tuple[str, dict[str, Any]]]:
    """Results of a shard, by the names of their trials."""
    identity = shard.report.result.identity
    try:
        for episode in (*shard.data["episodes"], *shard.data.get("empty", ())):
            yield result_key(identity, episode), episode
        for drawn in shard.data.get("errands", ()):
            errand = drawn["errand"]
            yield "/".join(str(errand[name]) for name in ("family", "mode", "split", "turn")), drawn
    except (KeyError, TypeError) as error:
        raise SuiteError(f"{shard.path} has results that cannot be read.") from error


def _check(shards: Sequence[SavedReport]) -> None:
    first = shards[0]
    for shard in shards:
        if shard.selection.shard is None:
            raise SuiteError(f"{shard.path} is no shard: it was run without --shard.")
        if not shard.data["complete"]:
            raise SuiteError(f"{shard.path} is of a run that was interrupted: run that shard again.")
        for field in fields(shard.selection):
            mine, theirs = (getattr(one.selection, field.name) for one in (first, shard))
            if field.name not in _FREE and mine != theirs:
                raise SuiteError(
                    f"{first.path} and {shard.path} are shards of different runs: {field.name} is {mine!r} "
                    f"in one and {theirs!r} in the other."
                )
    there = [shard.selection.shard for shard in shards]
    wanted = [Shard(index, there[0].of) for index in range(1, there[0].of + 1)] if there[0] else []
    if missing := [str(one) for one in wanted if one not in there]:
        raise SuiteError(f"These are not all the shards: {', '.join(missing)} is missing.")
    if len(there) != len(wanted):
        raise SuiteError("A shard was named twice, or shards are of runs that were cut differently.")
