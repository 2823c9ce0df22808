"""Make the pictures of the documentation: ``python docs/make_picture.py``.

For the run that the README shows it carries out the example of ``make run``, films it, and draws, with the
project's own terminal view, what the terminal shows a moment after the plan was rewritten. The other pictures
are those of the office floor, with a path through it, of a scene and of a grid home, and an occupancy grid of
a home that is being explored.
"""

from __future__ import annotations

from io import StringIO
from pathlib import Path

from PIL.Image import Image
from rich.console import Console

from foretree.bringup.embedded import open_household
from foretree.bringup.options import Options, Wish
from foretree.config import find_config
from foretree.pictures.films.film import write_film
from foretree.pictures.map_picture import draw
from foretree.pictures.occupancy_picture import draw_occupancy
from foretree.pictures.scene_picture import draw_site, open_site
from foretree.runs.events import Tape
from foretree.runs.views.terminal import Show
from foretree.simulation.grid_homes.episode import open_episode
from foretree.skills.embodied.body import Control
from foretree.world_model.maps.map_file import load_map
from foretree.world_model.occupancy.frontiers import frontiers
from foretree.world_model.occupancy.occupancy_grid import OccupancyGrid
from foretree.world_model.occupancy.paths import (
    Motion,
    ShortestPaths,
    cheapest_motions,
    headings_along,
    make_costmap,
)

IMAGES = Path(__file__).resolve().parent / "images"

INSTRUCTION = "put the mango into the fridge"
FAULT = "after 1: move mango1 on table2"
COLUMNS = 112

#: Of what happened, what there is no room for.
LEFT_OUT = ("run.started", "goal.set", "guard.checked", "revision.asked")


#: What the picture of the office shows a path between, and which door is closed on the way.
ENDS = ("fridge1", "table605")
CLOSED = ("kitchen_door",)

#: The scene and the home that are drawn, and their files.
SITES = {"flat": "flat.png", "l_kitchen/3": "home.png"}

#: The home that is explored, and how often the body has gone to a frontier when the occupancy grid is drawn.
HOME = "quad_flat/1"
TRIPS = 6


def run() -> Tape:
    """The events of the run."""
    tape = Tape()
    session, _ = open_household("kitchen", Wish(INSTRUCTION), Options(faults=(FAULT,)), recorder=tape)
    session.run()
    return tape


def picture(tape: Tape) -> str:
    """The run as SVG."""
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


def office() -> Image:
    """The office floor, and the way between two of its assets."""
    building = load_map(find_config("maps", "office"))
    path = building.places.path(*ENDS, lambda door: door not in CLOSED)
    assert path is not None, "one closed door does not part them"
    return draw(building, path=path.nodes, highlight=ENDS, closed=CLOSED)


def occupancy(path: Path) -> None:
    """An occupancy grid after some trips to frontiers, the other frontiers and the path to the next."""
    body = open_episode(HOME, seed=1)
    frame = body.step(Control("look_down"))
    seen = OccupancyGrid.around(frame.stance)
    walk: tuple[Motion, ...] = ("rotate_left",) * 4
    for trip in range(TRIPS + 1):
        for motion in walk:
            frame = body.step(Control(motion))
            scores = {mask.label: mask.scores for mask in frame.masks}
            seen.update(frame.depth, frame.stance, body.lens, frame.labels, scores)
        ways = ShortestPaths(make_costmap(seen), seen.grid.cell_at(frame.stance.x, frame.stance.y))
        ends = frontiers(seen, ways)
        way = ways.to(ends[0].spot)
        assert way is not None, "frontiers are where one can go"
        shown = [way]
        if trip < TRIPS:
            walk = cheapest_motions(headings_along(way), frame.stance.heading, ends[0].heading)
    draw_occupancy(seen, path, frame.stance, shown, ends)


if __name__ == "__main__":
    IMAGES.mkdir(exist_ok=True)
    tape = run()
    write_film(tape.events, IMAGES / "run.gif")
    (IMAGES / "run.svg").write_text(picture(tape), encoding="utf-8")
    for name, file in SITES.items():
        draw_site(open_site(name)).save(IMAGES / file, optimize=True)
    office().save(IMAGES / "office.png", optimize=True)
    occupancy(IMAGES / "chart.png")
    print(f"The pictures in {IMAGES} are drawn.")
