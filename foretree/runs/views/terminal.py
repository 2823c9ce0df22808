"""A run on the terminal: a live tree for people, plain lines for pipes, JSON lines for programs.

Everything is drawn from a :class:`~foretree.runs.views.run_state.RunState`, so that a run can be watched from
another terminal, or replayed, exactly as it looked where it was started.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from types import TracebackType

from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from foretree.printable import counted
from foretree.runs.encoding import event_json
from foretree.runs.event_kinds import GuardChecked, RunEnded
from foretree.runs.events import Event
from foretree.runs.views._ink import Ink
from foretree.runs.views._tree_view import tree_lines
from foretree.runs.views.run_state import CLOSED_STATUSES, RunState
from foretree.runs.views.wording import Line, spending, tell

#: How a run can be shown; ``auto`` is ``live`` on a terminal that can, else ``plain``.
MODES = ("auto", "live", "plain", "json")

#: Lines about what happened last that :meth:`Show.live` ends with.
RECENT = 8

#: Lines of a live view that are not the tree: heading, rules and footer.
_AROUND_TREE = 7

#: Lines of the tree below which the heading makes room for it.
_LEAST_TREE = 5

_TONE_STYLE = {
    "plain": "",
    "faint": "dim",
    "good": "green",
    "bad": "red",
    "notice": "yellow",
    "change": "cyan",
}


class Show:
    """Shows one run. Hand it every event: :meth:`event` is what a recorder's listener, or a reader, calls.

    Use it as a context manager. In live mode what happens is printed line by line, and below it the tree is
    kept up to date; on exit it stays on screen as it last was.

    Args:
        mode: one of :data:`MODES`.
        console: where; standard output by default.
        run_id: named in the heading and in the summary.

    Attributes:
        unwritten: why not everything could be written, if so. A reader who has seen enough is no reason.
    """

    def __init__(self, mode: str = "auto", console: Console | None = None, run_id: str = "") -> None:
        self.console = console or Console(highlight=False)
        self.run_id = run_id
        if mode == "auto":
            can = self.console.is_terminal and not self.console.is_dumb_terminal
            mode = "live" if can else "plain"
        self.mode = mode
        self.state = RunState()
        self._ink = Ink(self.console)
        self._recent: deque[tuple[float, Line]] = deque(maxlen=RECENT)
        self._said: dict[tuple[str, str], str] = {}
        # Never held while printing: the thread that redraws takes rich's lock first and this one second.
        self._lock = threading.Lock()
        self._live: Live | None = None
        self._mute = False
        self.unwritten = ""

    def __enter__(self) -> Show:
        self._go_live()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._stand_still()

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Stop the live picture while a person is asked something; it goes on below."""
        self._stand_still()
        try:
            yield
        finally:
            self._go_live()

    def _go_live(self) -> None:
        if self.mode == "live":
            self._live = Live(
                console=self.console,
                get_renderable=self._current,
                refresh_per_second=8,
                redirect_stdout=False,
                redirect_stderr=False,
            )
            self._live.start()

    def _stand_still(self) -> None:
        if self._live is not None:
            live, self._live = self._live, None
            live.stop()

    # -- taking events in ----------------------------------------------------------------------------
    def event(self, event: Event) -> None:
        """Take *event* in, and show what it changes."""
        if self.mode == "live":
            news = self.news(event)
            if news is not None and self._live is not None:
                self.console.print(news)
        else:
            self._write(self.lines(event))

    def news(self, event: Event) -> RenderableType | None:
        """Take *event* in; what the live view prints about it, None if it is not worth a line."""
        with self._lock:
            news = self._news(event)
        return self._styled((event.time, line) for line in news) if news else None

    def lines(self, event: Event) -> list[str]:
        """Take *event* in; the lines it is worth, without colours."""
        with self._lock:
            news = self._news(event)
        if self.mode == "json":
            return [event_json(event)]
        return [self._ink.fit(f"[{event.tick:>5} {event.time:8.2f}s] {line}") for line in news]

    def _news(self, event: Event) -> list[Line]:
        self.state.apply(event)
        news = [line for line in tell(self.state) if self._is_new(line)]
        self._recent.extend((event.time, line) for line in news)
        return news

    def _is_new(self, line: Line) -> bool:
        """Return whether a line is new: a watched condition is the same tick after tick."""
        data = self.state.latest
        if not isinstance(data, GuardChecked):
            return True
        key = data.action, data.guard
        repeated = self._said.get(key) == str(line)
        self._said[key] = str(line)
        return not repeated

    def _write(self, lines: Iterable[str]) -> None:
        if self._mute:
            return
        try:
            for line in lines:
                self.console.file.write(line + "\n")
            self.console.file.flush()
        except BrokenPipeError:
            # Whoever read us has seen enough; the run goes on.
            self._mute = True
        except OSError as error:
            # The device is full, say; the run goes on, and is on record.
            self._mute, self.unwritten = True, error.strerror or str(error)

    # -- drawing ---------------------------------------------------------------------------------------
    def live(self, state: RunState, *, height: int | None = None, recent: bool = True) -> RenderableType:
        """The whole picture of *state*: heading, tree, footer, and what happened last if *recent*.

        The tree is shortened so that all but the recent lines fits into *height* lines, if given.
        """
        ink = self._ink
        parts: list[RenderableType] = [ink.rule(), *self._heading(state), ink.rule()]
        room = height - _AROUND_TREE if height is not None else None
        if room is not None and room < _LEAST_TREE:  # what runs matters more than what is asked for
            parts, room = [], max(1, room + 4)
        parts += tree_lines(state, ink, room)
        parts += [ink.rule(), *self._footer(state)]
        if recent and self._recent:
            parts += [ink.rule(), self._styled(self._recent)]
        return Group(*parts)

    def tree(self, state: RunState) -> RenderableType:
        """The behaviour tree alone, in full."""
        return Group(*tree_lines(state, self._ink))

    def summary(self, state: RunState, beside: Sequence[str] = ()) -> RenderableType:
        """Outcome of the run as a table; *beside* are lines to put under it."""
        ink = self._ink
        ended = state.ended or RunEnded()
        table = Table.grid(padding=(0, 2))
        table.add_column(style="dim", no_wrap=True)
        table.add_column(overflow="fold")
        reached = state.outcome == "reached"
        sign = ink.glyph("SUCCESS" if reached else "FAILURE" if state.outcome else "INVALID")
        # Where a question is all that was answered, "reached" would tell of deeds.
        came_to = (
            "answered" if reached and state.answer and not state.actions else state.outcome or "not ended"
        )
        instead = f", with {' and '.join(state.replaced)}" if reached and state.replaced else ""
        reason = f": {ended.reason}" if ended.reason else ""
        table.add_row(
            "result",
            Text.assemble(
                (f"{sign} {came_to}", "bold green" if reached else "bold red"),
                ink.fit(instead + reason),
            ),
        )
        if state.answer:
            table.add_row("answer", ink.text(state.answer))
        elif state.goal:
            table.add_row("goal", ink.text(state.goal))
        if _acts(state):
            table.add_row("actions", ink.text(_action_counts(state)))
            table.add_row("revised", ink.text(_revision_counts(state)))
        for note in state.revisions[-3:]:
            table.add_row("", ink.text(f"{note.reviser}: {note.why}", "cyan"))
        if state.ended is not None and state.faults_to_come():
            table.add_row("faults", ink.text(f"never struck: {'; '.join(state.faults_to_come())}", "yellow"))
        if spending(ended):
            table.add_row("models", ink.text(spending(ended)))
        seconds = state.time if ended.seconds is None else ended.seconds
        table.add_row("time", ink.text(f"{seconds:.1f} s, {counted(state.tick, 'tick')}"))
        if self.run_id:
            table.add_row("run", ink.text(self.run_id))
            table.add_row("view", ink.text(f"foretree view {self.run_id}"))
        return Group(ink.rule(), table, *(ink.text(line) for line in beside))

    def print(self, *renderables: RenderableType) -> None:
        """Print on the console, without colours where it has none."""
        for renderable in renderables:
            self.console.print(renderable)

    def _current(self) -> RenderableType:
        with self._lock:
            return self.live(self.state, height=self.console.height, recent=False)

    def _heading(self, state: RunState) -> list[RenderableType]:
        run_id = f"  {self.run_id}" if self.run_id else ""
        # Rather the instruction is cut than the id, which people copy.
        asked = self._ink.line((state.instruction or "…", "bold"))
        asked.truncate(max(1, self.console.width - cell_len(run_id)), overflow=asked.overflow)
        lines: list[RenderableType] = [asked.append(self._ink.fit(run_id), "dim")]
        if state.goal and state.goal != state.instruction:
            lines.append(self._ink.line(("goal ", "dim"), (state.goal, "cyan")))
        return lines

    def _styled(self, lines: Iterable[tuple[float, Line]]) -> RenderableType:
        """Lines about what happened, wrapped beside their times: the reason often stands at the end."""
        grid = Table.grid(padding=(0, 1))
        grid.add_column(style="dim", no_wrap=True, justify="right", min_width=9)
        grid.add_column(overflow="fold")
        fit = self._ink.fit
        for moment, line in lines:
            style = _TONE_STYLE[line.tone]
            rest = f": {line.text}" if line.text else ""
            text = Text.assemble((fit(line.head), f"{style} bold"), (fit(rest), style))
            grid.add_row(Text(f"{moment:.1f} s"), text)
        return grid

    def _footer(self, state: RunState) -> list[RenderableType]:
        actions = f" · {_action_counts(state)}" if _acts(state) else ""
        figures = f"tick {state.tick} · {state.time:.1f} s{actions}"
        if state.revisions:
            figures += f" · revised {len(state.revisions)}"
        return [self._ink.line((_doing(state), "bold")), self._ink.line((figures, "dim"))]


def _doing(state: RunState) -> str:
    """Current activity of the run, in a few words."""
    if state.ended is not None:
        return state.outcome
    if state.paused:
        return "paused"
    if state.asking:
        return f"waiting for the {state.asking} reviser"
    running = ", ".join(str(action) for action in state.running())
    if running:
        return running
    if state.looking:
        return f"looking at {next(iter(state.looking.values())) or 'everything around'}"
    return ", ".join(_running_leaves(state)) if state.started.own_tree else "thinking"


def _acts(state: RunState) -> bool:
    """Return whether there are actions to speak of: trees of people's own may do without."""
    return bool(state.actions) or not state.started.own_tree


def _running_leaves(state: RunState) -> list[str]:
    """The names of the nodes that run and have nothing below that runs."""
    running = {node.id: node for node in state.nodes.values() if node.status == "RUNNING"}
    above = {node.parent for node in running.values()}
    return [node.name for node in running.values() if node.id not in above]


def _action_counts(state: RunState) -> str:
    done = state.count("done")
    # What was cancelled or has failed is still to be done as long as it stands in the plan.
    remaining = sum(state.actions[name].status not in CLOSED_STATUSES for name in state.plan)
    words = [f"{done} of {done + remaining} done" if remaining else f"{done} done"]
    for status in ("skipped", "failed", "cancelled", "lost"):
        number = state.count(status)
        if number:
            words.append(f"{number} {status}")
    return ", ".join(words)


def _revision_counts(state: RunState) -> str:
    times = len(state.revisions)
    found = len(state.discrepancies)
    return (
        f"{'once' if times == 1 else 'never' if times == 0 else f'{times} times'}; "
        f"{found} discrepanc{'y' if found == 1 else 'ies'} in {state.checks} checks"
    )
