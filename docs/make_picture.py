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

#: Of what happened, what there is no room for.
LEFT_OUT = ("run.started", "goal.set", "guard.checked", "revision.asked")


def picture() -> str:
    """The run as SVG."""
    tape = Tape()
    session, _ = open_household("kitchen", Wish(INSTRUCTION), Options(faults=(FAULT,)), recorder=tape)
    session.run()
    # The tree as it is at the first pick after the plan was rewritten: some steps are done, one runs, some
    # are still to come. Above it, what happened since the plan was made.
    ticks = [event.tick for event in tape.events if event.kind == "revision.made"]
    shown = next(
        event.tick
        for event in tape.events
        if event.kind == "action.intent" and event.tick > ticks[0] and event.data["action"]["skill"] == "pick"
    )
    console = Console(
        record=True,
        width=COLUMNS,
        file=StringIO(),
        force_terminal=True,
        color_system="truecolor",
        highlight=False,
    )
    view = Show("live", console)
    console.print(f'[bold]$[/bold] foretree run "{INSTRUCTION}" --fault "{FAULT}"')
    for event in tape.events:
        news = view.news(event) if event.tick <= shown else None
        if news is not None and event.kind not in LEFT_OUT:
            console.print(news)
    view.print(view.live(view.state, recent=False))
    return console.export_svg(title="foretree", unique_id="run")


if __name__ == "__main__":
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(picture(), encoding="utf-8")
    print(f"{PICTURE} is drawn.")
