"""Films of runs: the map with the robot on its way, the plan, and the sentence of what happens.

A film is made of a run's record alone: no robot, no world and no scene file is needed. GIF takes Pillow; MP4
takes ffmpeg, on the path or from the extra ``film``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from foretree.errors import ForetreeError
from foretree.pictures.films._encoding import write_gif, write_mp4
from foretree.pictures.films._moments import Moment, Story, story
from foretree.pictures.films._page import DRAWN_WITH, Page
from foretree.runs.events import Event

#: Widths that a film may have, in pixels; that of a film for which none is asked.
NARROWEST, WIDEST, WIDTH = 320, 3840, 800

#: Unless a speed is asked for, a run takes about so many seconds, and is at least so many times as fast.
_LENGTH, _LEAST_SPEED = 10.0, 2.0

#: Frames a second while something moves.
_GIF_RATE, _MP4_RATE = 8, 25


class FilmError(ForetreeError):
    """A film that cannot be made."""


@dataclass(frozen=True, slots=True)
class Film:
    """A film that was written.

    Attributes:
        file: where.
        seconds: how long it takes.
        frames: the number of pictures in it.
        size: its size in bytes.
    """

    file: Path
    seconds: float
    frames: int
    size: int


def write_film(
    events: Iterable[Event],
    file: Path,
    *,
    speed: float | None = None,
    width: int = WIDTH,
    until: int | None = None,
) -> Film:
    """Write the film of a run.

    Args:
        events: its record.
        file: a name that ends in ``.gif`` or ``.mp4``.
        speed: how many times as fast as it was; by default so that a short film comes of it.
        width: pixels from left to right.
        until: the tick that it ends with; by default the last one.

    Raises:
        ForetreeError: the file is of another kind, the width is none, the run has nothing to show, the file
            cannot be written, or ffmpeg is missing or fails.
    """
    kind = file.suffix.lower()
    if kind not in (".gif", ".mp4"):
        raise FilmError(f"A film is a .gif or an .mp4 file, which {file} is not.")
    if not NARROWEST <= width <= WIDEST:
        raise FilmError(f"A film is {NARROWEST} to {WIDEST} pixels wide, not {width}.")
    told = story(events, until)
    if not told.moments:
        raise FilmError("There is nothing to film: the record has not begun.")
    page = Page(told, width)
    rate = _GIF_RATE if kind == ".gif" else _MP4_RATE
    cuts = list(_cuts(told, speed or max(_LEAST_SPEED, told.seconds / _LENGTH), rate))
    frames = ((page.frame(cut.moment, cut.time), cut.seconds) for cut in cuts)
    try:
        if kind == ".gif":
            samples = [page.frame(cut.moment, cut.time) for cut in _samples(cuts)]
            write_gif(frames, samples, DRAWN_WITH, file)
        else:
            write_mp4(frames, (page.width, page.height), _MP4_RATE, file)
        size = file.stat().st_size
    except OSError as error:
        raise FilmError(f"Cannot write {file}: {error.strerror or error}.") from error
    return Film(file, sum(cut.seconds for cut in cuts), len(cuts), size)


@dataclass(frozen=True, slots=True)
class _Cut:
    """A picture of a film: a moment at a time, shown for some seconds."""

    moment: Moment
    time: float
    seconds: float


def _cuts(told: Story, speed: float, rate: int) -> Iterator[_Cut]:
    """The pictures of a film: one for each moment, and more of them while a robot moves."""
    for moment, following in zip_longest(told.moments, told.moments[1:]):
        if moment.hold:
            yield _Cut(moment, moment.time, moment.hold)
        span = following.time - moment.time if following is not None else 0.0
        if span <= 0:
            continue
        seconds = span / speed
        moving = told.ways.moves(moment.time, following.time)
        count = max(1, round(seconds * rate)) if moving else 1
        for index in range(count):
            yield _Cut(moment, moment.time + index * span / count, seconds / count)


def _samples(cuts: list[_Cut]) -> list[_Cut]:
    """Pictures that have all colours of a film among them: one of each tone, the first and the last."""
    tones = {cut.moment.line.tone: cut for cut in cuts}
    return [cuts[0], *tones.values(), cuts[-1]]
