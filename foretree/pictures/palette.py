"""The colours of everything that is drawn for people: maps, occupancy grids, and pages with plots."""

from __future__ import annotations

from colorsys import hsv_to_rgb
from typing import TypeAlias

#: Red, green and blue, from 0 to 255.
Colour: TypeAlias = tuple[int, int, int]

# -- maps ----------------------------------------------------------------------------------------------
PAPER, INK, GREY = "#ffffff", "#22262b", "#5c646e"
WALL, ROOM, HALL = "#3a4149", "#f6f7f9", "#e8ecf0"
EDGE, POSE, ROOM_NODE = "#9db4cc", "#4d7fb3", "#7a5aa6"
OPEN_DOOR, CLOSED_DOOR, PATH, HIGHLIGHT = "#3c8a5b", "#c0392b", "#f28c1e", "#ffd84d"

# -- what stands on a floor ------------------------------------------------------------------------------
FURNITURE, FURNITURE_EDGE, RAISED = "#dbe3ec", "#76828f", "#c3cfdc"
THING, ROBOT, PERSON = "#d9730d", "#2a6fdb", "#12876a"

# -- films of runs: by the tone of a line, the colour of its head and of the paper behind it ---------------
TONES = {
    "plain": ("#3a4149", "#f6f7f9"),
    "faint": ("#5c646e", "#f6f7f9"),
    "good": ("#12876a", "#e3f4ee"),
    "bad": ("#c0392b", "#fbe6e3"),
    "notice": ("#b25e00", "#fff1d6"),
    "change": ("#2a6fdb", "#e4eefc"),
}
DONE, FAILED, SKIPPED, PLANNED, MARKED = "#12876a", "#c0392b", "#2a6fdb", "#aab3bd", "#c0392b"

# -- occupancy grids -----------------------------------------------------------------------------------
UNKNOWN_CELL: Colour = (196, 200, 204)
FREE_CELL: Colour = (252, 252, 250)
OCCUPIED_CELL: Colour = (84, 88, 94)
BLOCKED_CELL: Colour = (226, 74, 60)
FRONTIER: Colour = (250, 214, 120)
GRID_PATH: Colour = (38, 112, 214)
BODY: Colour = (24, 72, 150)

#: The step around the circle of hues that keeps neighbours in a list far apart.
_GOLDEN = 0.618034


def class_colour(number: int) -> Colour:
    """The colour of the class with a number; classes with neighbouring numbers look different."""
    red, green, blue = (round(255 * part) for part in hsv_to_rgb(number * _GOLDEN % 1, 0.4, 0.9))
    return red, green, blue


# -- pages ---------------------------------------------------------------------------------------------
#: CSS variables of pages, light and dark. The series of plots are ``--c0`` and so on:
#: five colours that people who see colours differently can tell apart.
PAGE_COLOURS = """
:root { color-scheme: light dark; --paper: #ffffff; --ink: #1c2024; --soft: #5f6770; --line: #dfe3e7;
  --row: #f6f7f9; --c0: #2a6fdb; --c1: #e07b00; --c2: #12876a; --c3: #a2458f; --c4: #7d8690; }
@media (prefers-color-scheme: dark) { :root { --paper: #14171a; --ink: #e6e9ec; --soft: #9aa4ae;
  --line: #2e343a; --row: #1b1f23; --c0: #6aa5ff; --c1: #f5a347; --c2: #45bd9a; --c3: #d788c6;
  --c4: #8b959f; } }
"""
