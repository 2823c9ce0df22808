"""The pages that are about runs rather than within one: the list of runs, and why an action was done."""

from __future__ import annotations

import time
from collections.abc import Iterable

from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from foretree.runs.store import Listing, RunInfo
from foretree.runs.views._ink import Ink
from foretree.runs.views.why import Why

_STATUS_STYLE = {"running": "yellow", "interrupted": "red", "reached": "green"}


#: Columns of the screen that an instruction takes at least, to stand beside its run.
_LEAST_INSTRUCTION = 20


def runs_table(listing: Listing, console: Console) -> RenderableType:
    """The runs, newest last, so that it stands next to the prompt.

    Where the screen is narrow, each instruction stands below its run: an id that is cut is of no use.
    """
    ink = Ink(console)
    cells = [(ink.fit(info.id), _status(info), f"{info.seconds:.1f} s") for info in listing.runs]
    widths = [max(map(cell_len, column)) for column in zip(("run", "status", "time"), *cells, strict=True)]
    if console.width - sum(widths) - 2 * len(widths) < _LEAST_INSTRUCTION:
        return Group(*(_below(info, row, ink) for info, row in zip(listing.runs, cells, strict=True)))
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    table.add_column("run", width=widths[0])
    table.add_column("status", width=widths[1])
    table.add_column("time", width=widths[2], justify="right")
    table.add_column("instruction", no_wrap=True, overflow="crop" if ink.ascii else "ellipsis", ratio=1)
    for info, (name, status, took) in zip(listing.runs, cells, strict=True):
        styled = ink.text(status, _STATUS_STYLE.get(status, ""))
        table.add_row(Text(name), styled, Text(took), ink.text(info.instruction))
    return table


def _below(info: RunInfo, cells: tuple[str, str, str], ink: Ink) -> RenderableType:
    """A run, and its instruction below."""
    name, status, took = cells
    head = Text.assemble(name, "  ", (status, _STATUS_STYLE.get(status, "")), "  ", took)
    return Group(head, Padding(ink.text(info.instruction), (0, 0, 0, 2)))


def run_lines(listing: Listing) -> Iterable[str]:
    """The runs for a pipe: a heading, then one per line, columns parted by tabs."""
    yield "\t".join(("run", "status", "started", "seconds", "events", "instruction"))
    for info in listing.runs:
        started = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(info.started))
        columns = (info.id, _status(info), started, f"{info.seconds:.2f}", str(info.events), info.instruction)
        yield "\t".join(" ".join(column.split()) for column in columns)


def why_page(why: Why, console: Console) -> RenderableType:
    """The story of one action."""
    ink = Ink(console)
    action = why.action
    ordinal = f", the {_nth(action.ordinal)} that the robot was told to do" if action.ordinal else ""
    parts: list[RenderableType] = [
        Text.assemble((ink.fit(str(action)), "bold"), (ink.fit(f"  {action.id}{ordinal}"), "dim"))
    ]
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")

    def rows(heading: str, lines: Iterable[tuple[str, str]]) -> None:
        for words, style in lines:
            table.add_row(heading, ink.text(words, style))
            heading = ""

    rows("goal", [(why.goal, "")] if why.goal else [])
    rows("why", [(why.origin, "")])
    rows("needed for", [(each, "") for each in why.needed_for])
    rows("assumed", [(each, "") for each in why.assumptions])
    rows("expected", [(f"{check.guard}: {check.expected}", "") for check in why.checks if check.expected])
    rows(
        "seen",
        [
            (
                f"{check.time:.1f} s  {check.guard} {'as expected' if check.passed else 'NOT as expected'}"
                + (f": {check.believed}" if check.believed else ""),
                "" if check.passed else "yellow",
            )
            for check in why.checks
        ],
    )
    rows("discrepancy", [(f"{each.time:.1f} s  {each.sentence}", "yellow") for each in why.discrepancies])
    rows("rejected", [(f"{each.reviser}: {each.why}", "") for each in why.rejections])
    rows("revised", [(f"{each.time:.1f} s  {each.reviser}: {each.why}", "cyan") for each in why.revisions])
    ended = f" at {action.ended:.1f} s" if action.ended is not None else ""
    began = f"begun at {action.started:.1f} s, " if action.started is not None else ""
    reason = f": {action.reason}" if action.reason else ""
    rows("outcome", [(f"{began}{action.status}{ended}{reason}", "green" if action.status == "done" else "")])
    return Group(*parts, table)


def _status(info: RunInfo) -> str:
    return info.outcome or info.status


def _nth(number: int) -> str:
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
