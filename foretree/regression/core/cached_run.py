"""Results that are run unless they were kept by an earlier run, and kept as they come in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import Field, asdict, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar

from pydantic import TypeAdapter, ValidationError

from foretree.config import PACKAGE
from foretree.regression.core.attempt import Trouble
from foretree.regression.core.result_cache import ResultCache, ResultCacheError
from foretree.regression.core.runner import Batch, Done, Numbered, carry_out

if TYPE_CHECKING:
    from rich.console import Console

T = TypeVar("T", bound=Numbered)
R = TypeVar("R", bound="_Keepable")


class _Keepable(Numbered, Protocol):
    """A result, which is a dataclass, that can be kept."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    @property
    def trouble(self) -> Trouble:
        """Whether it crashed or hung."""
        ...

    def numbered(self: R, number: int) -> R:
        """The same at another place."""
        ...


class Shelf(Generic[T, R]):
    """Results of one kind, run unless they were kept.

    Attributes:
        taken: how many were there already.

    Args:
        kept: where they are kept; None: nowhere.
        kind: what they are.
        asked: the key of what is to be done.
        told: the key of what it came to: the same.
    """

    def __init__(
        self, kept: ResultCache | None, kind: type[R], asked: Callable[[T], str], told: Callable[[R], str]
    ) -> None:
        self.taken = 0
        self._kept = kept
        self._read: TypeAdapter[R] = TypeAdapter(kind)
        self._asked = asked
        self._told = told

    def fill(self, work: Batch[T, R], jobs: int | None, console: Console | None, what: str) -> Done[R]:
        """All results of *work*, those that were kept included."""
        there = list(self._there(work.tasks))
        numbers = {result.number for result in there}
        self.taken = len(there)
        rest = replace(work, tasks=tuple(task for task in work.tasks if task.number not in numbers))
        done = carry_out(rest, jobs, console, self._take, what) if rest.tasks else Done((), 0.0, 0.0, 0)
        results = sorted((*there, *done.results), key=lambda result: result.number)
        return replace(done, results=tuple(results))

    def _there(self, tasks: Sequence[T]) -> Iterator[R]:
        for task in tasks:
            key = self._asked(task)
            if self._kept is None or key not in self._kept:
                continue
            try:
                result = self._read.validate_python(self._kept[key])
            except ValidationError as error:
                raise ResultCacheError(
                    f"{self._kept.path}: what is kept of {key} is no result. Delete the file to begin anew."
                ) from error
            yield result.numbered(task.number)

    def _take(self, result: R) -> None:
        # What crashed or hung is run again.
        if self._kept is not None and not result.trouble:
            self._kept.add(self._told(result), asdict(result))


def code_files() -> Sequence[Path]:
    """All modules of the package: results depend on them."""
    return sorted(PACKAGE.rglob("*.py"))


def digest(paths: Iterable[Path]) -> str:
    """Tells apart what is in files, as far as they are there."""
    read = (path.read_bytes() for path in paths if path.is_file())
    return sha256(b"".join(sha256(content).digest() for content in read)).hexdigest()[:12]
