"""Running the trials of a suite: those of a shard, and only those whose results are not there already."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError

from foretree.regression.core.result_cache import ResultCache, ResultCacheError
from foretree.regression.core.runner import Batch, Done, carry_out
from foretree.regression.core.selection import Selection, SuiteError
from foretree.regression.core.trial import R, T, TrialKind

if TYPE_CHECKING:
    from rich.console import Console


@dataclass(frozen=True)
class SuiteRun:
    """Way of running trials.

    Attributes:
        selection: how many processes, and which shard.
        console: where progress is shown, if it is a terminal.
        cache: where results are kept as they come in, and taken from.
        merged: results by name that stand for all that is to be done: nothing is run.
        limit: seconds on the wall after which a trial counts as hung; by default those of its kind.
    """

    selection: Selection = field(default=Selection())
    console: Console | None = None
    cache: ResultCache | None = None
    merged: Mapping[str, Mapping[str, Any]] | None = None
    limit: float | None = None

    def results(
        self, kind: TrialKind[T, R], trials: Sequence[T], what: str, in_every_shard: bool = False
    ) -> Done[R]:
        """Results of *trials*, those that are there already included.

        Args:
            kind: carries them out.
            trials: all of the suite.
            what: what they are called, for the progress bar.
            in_every_shard: whether every shard runs all of them.

        Raises:
            ResultCacheError: what is kept is no result, or cannot be kept.
            SuiteError: results are to be merged, and one is missing.
        """
        shard = None if self.merged is not None or in_every_shard else self.selection.shard
        wanted = [trial for trial in trials if shard is None or shard.holds(trial.number)]
        read: TypeAdapter[R] = TypeAdapter(kind.result)
        stored: dict[int, R] = {}
        for trial in wanted:
            if (result := self._stored(kind.key(trial), read)) is not None:
                stored[trial.number] = result.numbered(trial.number)
        rest = tuple(trial for trial in wanted if trial.number not in stored)
        if rest and self.merged is not None:
            lacking = f"{len(rest)} of {len(wanted)} {what}"
            raise SuiteError(f"The shards lack {lacking}, for example {kind.key(rest[0])}.")
        done = self._carry_out(kind, rest, what) if rest else Done(())
        results = sorted((*stored.values(), *done.results), key=lambda result: result.number)
        reused = 0 if self.merged is not None else len(stored)
        return replace(done, results=tuple(results), reused=reused)

    @contextmanager
    def with_cache(self, name: str, made_of: Callable[[], Mapping[str, str]]) -> Iterator[SuiteRun]:
        """The same, with results kept in ``NAME.jsonl`` of the selection's output folder, if it has one.

        Args:
            name: name of the suite.
            made_of: what results depend on, besides their names.

        Raises:
            ResultCacheError: results cannot be kept, or are there already but of something else.
        """
        folder = self.selection.output
        if folder is None or self.merged is not None:
            yield self
            return
        cache = ResultCache(folder / f"{name}.jsonl", made_of())
        try:
            yield replace(self, cache=cache)
        finally:
            cache.close()

    def _carry_out(self, kind: TrialKind[T, R], trials: Sequence[T], what: str) -> Done[R]:
        keys = {trial.number: kind.key(trial) for trial in trials}

        def keep(result: R) -> None:
            # What crashed or hung is run again.
            if self.cache is not None and not result.trouble:
                self.cache.add(keys[result.number], asdict(result))

        limit = kind.limit if self.limit is None else self.limit
        batch = Batch(trials, kind.run, kind.troubled, limit)
        return carry_out(batch, self.selection.jobs, self.console, keep, what)

    def _stored(self, key: str, read: TypeAdapter[R]) -> R | None:
        source = self.merged if self.merged is not None else self.cache
        result = source.get(key) if source is not None else None
        if result is None:
            return None
        try:
            return read.validate_python(result)
        except ValidationError as error:
            where = f"{self.cache.path}: what is kept" if self.cache is not None else "What a shard says"
            raise ResultCacheError(
                f"{where} of {key} is no result. Delete the file to begin anew."
            ) from error
