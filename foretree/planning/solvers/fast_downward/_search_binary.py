"""Run Fast Downward's search binary on one task, watched.

The binary is GPL software. It runs as a program of its own: it reads a task from a pipe and writes text to
another, and nothing of it is imported or linked here.
"""

from __future__ import annotations

import os
import re
import selectors
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import IO

from foretree.children import LimitedProgram
from foretree.planning.solvers.base import SolverError
from foretree.planning.solvers.finite_domain.task import SearchResult

#: A search that does not count is over its limit, too, if it takes longer than if it expanded so few in a
#: second; one that counts only if something is amiss. Seconds of the processor, so that other work on the
#: machine makes no difference; with some more for the beginning.
_SLOWEST_PACE, _SAFETY_PACE, _BEGINNING = 4000, 1000, 3

_BOUND = re.compile(rb"\] f = (\d+)[ ,]")
_COST = re.compile(rb"\] Plan cost: (\d+)\s*$")
_PROGRESS = re.compile(rb"(\d+) expanded\s*$")
_COUNTED = re.compile(rb"Pruning ratio after (\d+) calls")
_TOTAL = re.compile(rb"\] Expanded (\d+) state")
_EVALUATED = re.compile(rb"\] Evaluated (\d+) state")
_GENERATED = re.compile(rb"\] Generated (\d+) state")
_STEP = re.compile(rb"(\d+) \(\d+\)\s*$")

#: Exit codes, and the limits that some of them stand for.
_UNSOLVABLE, _INPUT_ERRORS = (10, 11, 12), (31, 32, 33, 34)
_LIMITS = {
    **dict.fromkeys((20, 22, 24), "memory"),
    **dict.fromkeys((21, 23, -signal.SIGXCPU), "processor"),
    -signal.SIGKILL: "killed",
}


class InterruptedSearchError(Exception):
    """The search was interrupted from outside."""


class TooLateError(Exception):
    """The time for a problem is over."""


def output_of(
    process: LimitedProgram, task: bytes, deadline: float, watch: int, interrupted: Callable[[], bool]
) -> Iterator[bytes]:
    """Yield what a program says until it ends, while it is given a *task*, if it reads any.

    Args:
        deadline: when to give up, by ``time.monotonic``.
        watch: a file descriptor; whenever it can be read, *interrupted* is asked whether to stop.

    Raises:
        TooLateError: the deadline has passed.
        InterruptedSearchError: *interrupted* said so.
    """
    assert process.stdout is not None
    rest = memoryview(task)
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        selector.register(watch, selectors.EVENT_READ)
        if process.stdin is not None:
            os.set_blocking(process.stdin.fileno(), False)
            selector.register(process.stdin, selectors.EVENT_WRITE)
        while True:
            ready = selector.select(timeout=max(0.0, deadline - time.monotonic()))
            if time.monotonic() >= deadline:
                raise TooLateError
            for key, _ in ready:
                if key.fileobj is process.stdout:
                    chunk = os.read(key.fd, 1 << 16)
                    if not chunk:
                        return
                    yield chunk
                elif key.fd == watch:
                    if interrupted():
                        raise InterruptedSearchError
                elif process.stdin is not None:
                    rest = _feed(process.stdin, rest)
                    if not rest:
                        selector.unregister(process.stdin)
                        process.stdin.close()


def _feed(stdin: IO[bytes], rest: memoryview) -> memoryview:
    """Write some of the *rest* of a task; return what is left of it."""
    try:
        return rest[os.write(stdin.fileno(), rest[: 1 << 16]) :]
    except BlockingIOError:
        return rest
    except BrokenPipeError:
        return rest[:0]  # what the program has to say about this comes on its output


def search(
    binary: str,
    configuration: Sequence[str],
    task: bytes,
    expansions: int | None,
    deadline: float,
    watch: int,
    interrupted: Callable[[], bool],
    enough: int | None = None,
    exactly: int = 0,
) -> SearchResult:
    """Search *task*.

    The number of expansions decides whether a limit on them was exceeded: the search is stopped as soon as
    its progress shows that it was, and an answer that took more is not accepted either. One that shows no
    progress is stopped when it has used the processor for as long as no search within the limit should.

    Args:
        configuration: alternatives; the next is tried when the binary does not understand one.
        deadline: when to give up, by ``time.monotonic``.
        enough: stop (out of limits) once it is proved that no plan is cheaper than this.
        exactly: how many states a search may expand that follows a plan, to prove it the best or find that.
        watch: a file descriptor; whenever it can be read, *interrupted* is asked whether to stop.

    Raises:
        InterruptedSearchError: *interrupted* said so. The search is gone.
        SolverError: the binary broke.
    """
    for alternative in configuration:
        run = _Run(binary, alternative, expansions)
        try:
            outcome = run.result(
                output_of(run.process, task, deadline, watch, interrupted), expansions, enough, exactly
            )
        finally:
            run.process.end()
        if outcome is not None:
            return outcome
    raise SolverError(
        f"{binary} understands none of the searches it should run: {run.complaint}. "
        "It has to be a build of Fast Downward 23.06 or later."
    )


class _Run:
    def __init__(self, binary: str, configuration: str, expansions: int | None) -> None:
        command = [binary, "--search", configuration, "--internal-plan-file", os.devnull]
        self._binary = binary
        try:
            self.process = LimitedProgram(command, _most_seconds(configuration, expansions))
        except OSError as error:
            raise SolverError(f"Fast Downward cannot be run: {error}.") from None
        self._proves = configuration.startswith("astar")
        self._expanded = 0
        self._bound = 0
        #: What each plan that was found costs, and its operators.
        self._plans: list[tuple[int, list[int]]] = []
        self._steps: list[int] = []
        #: How many states the search for the first plan has expanded, while another one follows it.
        self._at_first = 0
        self._proving = self._proved = False
        self._evaluated = self._generated = 0
        self._plan_follows = False
        self._last_lines: list[bytes] = []
        self.complaint = ""

    def result(
        self, output: Iterable[bytes], expansions: int | None, enough: int | None, exactly: int
    ) -> SearchResult | None:
        """The outcome; None if the binary did not understand the configuration."""
        rest = b""
        try:
            for chunk in output:
                *lines, rest = (rest + chunk).split(b"\n")
                for line in lines:
                    self._read(line)
                    if self._proving:
                        if self._expanded > exactly:
                            return self._found()
                    elif not self._proved and expansions is not None and self._expanded > expansions:
                        return self._out("expansions")
                    if enough is not None and self._bound >= enough:
                        return self._out("bound")
        except TooLateError:
            return self._out("time")
        return self._outcome()

    def _out(self, why: str) -> SearchResult:
        if self._proving:
            return self._found(why)  # there is a plan, which was only not proved to be the best
        return SearchResult("out-of-limits", (), self._expanded, why, self._bound)

    def _found(self, why: str = "") -> SearchResult:
        """The cheapest plan; among those that cost the same, the one that was found first."""
        expanded = self._at_first + self._expanded
        if not self._plans:
            raise SolverError(f"{self._binary} says that it has found a plan, but its output has none.")
        cost, operators = min(self._plans, key=lambda plan: plan[0])
        bound = cost if self._proved else self._bound
        branching = 1 + self._generated // max(1, self._expanded)
        return SearchResult(
            "solved", tuple(operators), expanded, why, bound, self._proved, self._evaluated, branching, cost
        )

    def _read(self, line: bytes) -> None:
        self._last_lines = [*self._last_lines[-4:], line]
        if match := _PROGRESS.search(line) or _COUNTED.search(line) or _TOTAL.search(line):
            self._expanded = int(match.group(1))
            if self._proves and (match := _BOUND.search(line)):
                self._bound = max(self._bound, int(match.group(1)))
        elif match := _EVALUATED.search(line):
            self._evaluated = int(match.group(1))
        elif match := _GENERATED.search(line):
            self._generated = int(match.group(1))
        elif line.endswith(b"Solution found!"):
            self._plan_follows, self._steps = True, []
        elif self._plan_follows and (match := _STEP.match(line)):
            self._steps.append(int(match.group(1)))
        elif self._plan_follows and (match := _COST.search(line)):
            self._plan_follows = False
            self._plans.append((int(match.group(1)), self._steps))
        elif self._plans and line.endswith(b"] Starting search: astar"):
            self._at_first, self._expanded = self._expanded, 0
            self._proving = self._proves = True
        elif self._proving and line.endswith(b"] Cumulative statistics:"):
            # Both have ended; from here on, it speaks of both together. The second shows no plan that costs
            # as much as the first.
            self._at_first, self._proving, self._proved = 0, False, True

    def _outcome(self) -> SearchResult | None:
        """The result of a search that has ended by itself."""
        code = self.process.wait()
        if code == 0:
            return self._found()
        if code in _UNSOLVABLE:
            return SearchResult("unsolvable", (), self._expanded)
        if code in _LIMITS:
            return self._out(_LIMITS[code])
        self.complaint = b" ".join(self._last_lines).decode(errors="replace").strip()
        if code in _INPUT_ERRORS:
            return None
        raise SolverError(f"{self._binary} failed with exit code {code}: {self.complaint}")


def _most_seconds(configuration: str, expansions: int | None) -> int | None:
    """The seconds of the processor for a search that may expand so many states."""
    if expansions is None:
        return None
    return _BEGINNING + expansions // (_SAFETY_PACE if "limited_pruning" in configuration else _SLOWEST_PACE)
