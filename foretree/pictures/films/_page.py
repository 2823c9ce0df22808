"""A frame of a film: the instruction above, the map and the plan beside it, what happens below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretree.pictures._canvas import Canvas, Rectangle
from foretree.pictures.films._map import MapView, extent, has_map
from foretree.pictures.films._moments import Moment, PlanStep, Story
from foretree.pictures.palette import (
    CLOSED_DOOR,
    DONE,
    FAILED,
    FURNITURE,
    FURNITURE_EDGE,
    GREY,
    HALL,
    INK,
    MARKED,
    OPEN_DOOR,
    PAPER,
    PATH,
    PERSON,
    PLANNED,
    ROBOT,
    ROOM,
    ROOM_NODE,
    SKIPPED,
    THING,
    TONES,
    WALL,
)
from foretree.printable import counted
from foretree.runs.views.run_state import CLOSED_STATUSES
from foretree.world_model.maps.building_map import Point

if TYPE_CHECKING:
    from PIL.Image import Image

#: Sizes for a film that is 800 pixels wide; all else is scaled.
_WIDTH = 800
_SIDE, _ABOVE, _BELOW, _LEAST_BODY, _MOST_BODY, _MAP_SHARES = 18, 62, 72, 230, 420, (0.44, 0.56)
_TITLE, _GOAL, _ROW, _STEP, _LEAST_STEP, _CHECK, _SENTENCE, _SIGN = 19, 12, 23, 13.5, 10.5, 10.5, 14, 5

#: What a step takes beside its text: its sign, and space.
_STEP_SPACE = 30

#: Letters of other sizes are not wider or narrower by quite the same factor.
_UNEVEN = 1.05

#: All colours of frames.
DRAWN_WITH = (
    *(PAPER, INK, GREY, WALL, ROOM, HALL, ROOM_NODE, OPEN_DOOR, CLOSED_DOOR, PATH),
    *(FURNITURE, FURNITURE_EDGE, THING, ROBOT, PERSON, DONE, FAILED, SKIPPED, PLANNED, MARKED),
    *(colour for tone in TONES.values() for colour in tone),
)

#: Statuses of actions that are no longer in the plan, or did not come to their end.
_BROKEN = frozenset({"failed", "lost", "cancelled"})


class Page:
    """Draws the frames of a story, *width* pixels wide."""

    def __init__(self, story: Story, width: int) -> None:
        self._story = story
        self._unit = unit = width / _WIDTH
        # Even sides, since videos take no others.
        self.width = width // 2 * 2
        with_map = has_map(story)
        side, gap = _SIDE * unit, 8 * unit
        map_width = self._map_width() if with_map else 0.0
        body = self._body_height(map_width) if with_map else self._plan_height()
        self.height = round((_ABOVE + _BELOW) * unit + body) // 2 * 2
        self._still = Canvas(self.width, self.height, PAPER)
        top, bottom = _ABOVE * unit, self.height - _BELOW * unit - gap
        left = side + map_width
        self._map = (
            MapView(story, self._still, Rectangle(side, top, left, bottom), unit) if with_map else None
        )
        self._plan = Rectangle(left + side if with_map else side, top, self.width - side, bottom)
        self._step_size = self._fitting_size(self._plan.right - self._plan.left)
        self._draw_heading(self._still)

    def _map_width(self) -> float:
        """The width of the map: less of it where steps are long, so that they can be read."""
        needed = self._widest_step() * _LEAST_STEP / _STEP + _STEP_SPACE * self._unit
        least, most = (share * self.width for share in _MAP_SHARES)
        return min(max(self.width - needed - 3 * _SIDE * self._unit, least), most)

    def _widest_step(self) -> float:
        texts = {step.text for moment in self._story.moments for step in moment.steps}
        pen = Canvas(1, 1, PAPER)
        widest = max((pen.width_of(text, _STEP * self._unit) for text in texts), default=0.0)
        return widest * _UNEVEN

    def _fitting_size(self, width: float) -> float:
        """The size of letters at which the longest step of the story fits, if it is not too small."""
        share = (width - _STEP_SPACE * self._unit) / max(self._widest_step(), 1.0)
        return max(_STEP * min(1.0, share), _LEAST_STEP) * self._unit

    def _body_height(self, map_width: float) -> float:
        low, high = extent(self._story)
        fitting = (high[1] - low[1]) / (high[0] - low[0]) * map_width / self._unit + 8
        return min(max(fitting, _LEAST_BODY), _MOST_BODY) * self._unit

    def _plan_height(self) -> float:
        steps = max(len(moment.steps) for moment in self._story.moments)
        return min(max(steps * _ROW + 16, _LEAST_BODY), _MOST_BODY) * self._unit

    def _draw_heading(self, pen: Canvas) -> None:
        unit, story = self._unit, self._story
        title = pen.cropped_to(story.title, _TITLE * unit, self.width - 130 * unit)
        pen.text((_SIDE * unit, 23 * unit), title, _TITLE * unit, INK)
        if story.goal and story.goal != story.title:
            goal = pen.cropped_to(story.goal, _GOAL * unit, self.width - 2 * _SIDE * unit)
            pen.text((_SIDE * unit, 46 * unit), goal, _GOAL * unit, GREY)

    def frame(self, moment: Moment, time: float) -> Image:
        """The frame at a time of a moment."""
        pen, unit = self._still.copy(), self._unit
        clock = f"{time:.1f} s"
        pen.text((self.width - _SIDE * unit, 23 * unit), clock, _TITLE * unit, GREY, "rm")
        if self._map is not None:
            self._map.draw(pen, moment, time)
        self._draw_plan(pen, moment.steps)
        self._draw_sentence(pen, moment)
        return pen.finished()

    # -- the plan ------------------------------------------------------------------------------------
    def _draw_plan(self, pen: Canvas, steps: tuple[PlanStep, ...]) -> None:
        unit, box = self._unit, self._plan
        rows = int((box.bottom - box.top) / (_ROW * unit))
        first = _first_shown(steps, rows)
        shown = steps[first : first + rows]
        y = box.top + _ROW * unit / 2
        for index, step in enumerate(shown):
            left_out = first if index == 0 else len(steps) - first - rows if index == rows - 1 else 0
            if left_out > 0:
                pen.text((box.left + 20 * unit, y), f"… {left_out + 1} more", self._step_size, GREY)
            else:
                self._draw_step(pen, step, y)
            y += _ROW * unit

    def _draw_step(self, pen: Canvas, step: PlanStep, y: float) -> None:
        unit, box = self._unit, self._plan
        size = self._step_size
        gone = step.status == "dropped"
        running = step.status in ("running", "intended")
        if running or (step.new and not gone):
            row = Rectangle(box.left, y - _ROW * unit / 2 + 1, box.right, y + _ROW * unit / 2 - 1)
            pen.box(row, TONES["change"][1] if step.new else TONES["plain"][1], round_by=4 * unit)
        _draw_sign(pen, step.status, (box.left + 10 * unit, y), _SIGN * unit)
        colour = PLANNED if gone or step.status in CLOSED_STATUSES else INK
        colour = GREY if step.status in CLOSED_STATUSES else FAILED if gone else colour
        text = pen.cropped_to(step.text, size, box.right - box.left - 26 * unit)
        start = box.left + 22 * unit
        end = start + pen.width_of(text, size)
        pen.text((start, y), text, size, colour)
        if gone:
            pen.line(((start - 2 * unit, y), (end + 2 * unit, y)), FAILED, 1.6 * unit)
        self._draw_checks(pen, step, end + 12 * unit, y)

    def _draw_checks(self, pen: Canvas, step: PlanStep, left: float, y: float) -> None:
        """Name the guards that were asked about an action; count them if there is no room for all."""
        unit = self._unit
        size, space = _CHECK * unit, 7 * unit
        checks = step.checks
        if left + sum(pen.width_of(name, size) + space for name, _ in checks) > self._plan.right:
            checks = ((counted(len(checks), "check"), all(passed for _, passed in checks)),)
        x = self._plan.right - sum(pen.width_of(name, size) + space for name, _ in checks)
        if x < left:
            return
        for name, passed in checks:
            pen.text((x, y), name, size, DONE if passed else FAILED)
            x += pen.width_of(name, size) + space

    # -- what happens --------------------------------------------------------------------------------
    def _draw_sentence(self, pen: Canvas, moment: Moment) -> None:
        unit, line = self._unit, moment.line
        colour, paper = TONES[line.tone]
        top = self.height - _BELOW * unit
        pen.box(Rectangle(0, top, self.width, self.height), paper)
        pen.box(Rectangle(0, top, 6 * unit, self.height), colour)
        size, left = _SENTENCE * unit, _SIDE * unit
        pen.text((left, top + 15 * unit), line.head, size, colour)
        rest = pen.wrapped(line.text, size, self.width - left - _SIDE * unit, 2)
        for index, text in enumerate(rest):
            pen.text((left, top + (35 + 20 * index) * unit), text, size, INK)


def _first_shown(steps: tuple[PlanStep, ...], rows: int) -> int:
    """The index of the first step to show, so that what is being done is in view."""
    if len(steps) <= rows:
        return 0
    now = next((i for i, step in enumerate(steps) if step.status not in CLOSED_STATUSES), len(steps))
    return max(0, min(now - rows // 3, len(steps) - rows))


def _draw_sign(pen: Canvas, status: str, at: Point, r: float) -> None:
    """Draw the sign of a status: a tick, a triangle, a cross, two angles, or a dot for what is to come."""
    x, y = at
    thick = r * 0.42
    if status == "done":
        pen.line(((x - r, y), (x - r * 0.3, y + r * 0.7), (x + r, y - r * 0.7)), DONE, thick)
    elif status in ("running", "intended"):
        pen.polygon(((x - r * 0.7, y - r), (x + r, y), (x - r * 0.7, y + r)), SKIPPED)
    elif status in _BROKEN or status == "dropped":
        for side in (-1, 1):
            pen.line(((x - r * 0.7, y - side * r * 0.7), (x + r * 0.7, y + side * r * 0.7)), FAILED, thick)
    elif status == "skipped":
        for shift in (-r * 0.9, 0.0):
            angle = ((x + shift, y - r * 0.7), (x + shift + r * 0.7, y), (x + shift, y + r * 0.7))
            pen.line(angle, SKIPPED, thick)
    else:
        pen.dot(at, r * 0.55, PLANNED, PAPER, 0.5)
