"""Take the picture of a run that the README shows: ``python docs/make_picture.py``.

It carries out the example of ``make run`` and draws, with the project's own terminal view, what the terminal
shows a moment after the plan was rewritten.
"""

from __future__ import annotations

from io import StringIO
from pathlib import Path

from rich.console import Console

from foretree.runs.events import Tape
from foretree.runs.terminal import Show
from foretree.trees.embedded import Options, Wish, open_household

PICTURE = Path(__file__).resolve().parent / "images" / "run.svg"

INSTRUCTION = "put the mango into the fridge"
FAULT = "after 1: move mango1 on table2"
COLUMNS = 112


def picture() -> str:
    """The run as SVG."""
    tape = Tape()
    session, _ = open_household("kitchen", Wish(INSTRUCTION), Options(faults=(FAULT,)), recorder=tape)
    session.run()
    revised = next(event.tick for event in tape.events if event.kind == "revision.made")
    # Shown at the first pick after the revision: some steps are done, one runs, some are still to come.
    shown = next(
        event.tick
        for event in tape.events
        if event.kind == "action.intent" and event.tick > revised and event.data["action"]["skill"] == "pick"
    )
    console = Console(
        record=True,
        width=COLUMNS,
        file=StringIO(),
        force_terminal=True,
        color_system="truecolor",
        highlight=False,
    )
    view = Show("plain", console)
    for event in tape.events:
        if event.tick <= shown:
            view.lines(event)
    console.print(f'[bold]$[/bold] foretree run "{INSTRUCTION}" --fault "{FAULT}"')
    view.print(view.live(view.state))
    return console.export_svg(title="foretree", unique_id="run")


if __name__ == "__main__":
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(picture(), encoding="utf-8")
    print(f"{PICTURE} is drawn.")
