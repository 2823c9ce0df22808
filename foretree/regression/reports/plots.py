"""Small plots as SVG: bars, intervals, curves, dumbbells.

Colours are classes (``s0``, ``s1`` …), to which the page gives those of light or dark paper.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import TypeAlias
from xml.etree.ElementTree import Element, SubElement

#: Width of a plot, in the units of its own coordinates.
WIDTH = 720.0
_HEIGHT = 322.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 56.0, 16.0, 56.0, 46.0
#: A rough width of a character of a label, and the height of a line of them.
_CHARACTER, _LINE = 6.4, 14.0
#: How far curves are drawn beside each other, and how long half of what ends an interval is.
_ASIDE, _END = 6.0, 4.0
#: A word of a name with what ends it.
_WORD = re.compile(r"[^-_ ]*[-_ ]?")


#: From where to where a value could as well be.
Span: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Axis:
    """Label of an axis, and whether it goes in powers of ten."""

    label: str
    log: bool = False


@dataclass(frozen=True)
class Curve:
    """A line through points, in the order of x.

    Attributes:
        name: what it shows.
        points: where it leads through.
        steps: whether it holds each value until the next.
        spans: from where to where each point could as well be; none for none.
    """

    name: str
    points: Sequence[tuple[float, float]]
    steps: bool = False
    spans: Sequence[Span] = ()


def bars(
    groups: Sequence[str],
    series: Sequence[tuple[str, Sequence[float | None]]],
    label: str,
    top: float | None = None,
) -> Element:
    """Bars side by side.

    Args:
        groups: what stands along the bottom, in several lines where there is no room for it in one.
        series: the bars of one colour: their name, and a value for each group (None leaves a gap).
        label: what is counted.
        top: the highest value of the axis; by default the highest that there is.
    """
    room = (WIDTH - _LEFT - _RIGHT) / max(1, len(groups))
    names = [_lines(group, room - _CHARACTER) for group in groups]
    svg = _canvas(_HEIGHT + _LINE * (max(map(len, names), default=1) - 1))
    values = [value for _, given in series for value in given if value is not None]
    highest = max([*values, 0.0]) if top is None else top
    ticks = _ticks(0.0, highest or 1.0)
    place = _scale(0.0, max(ticks[-1], highest), _HEIGHT - _BOTTOM, _TOP)
    _legend(svg, [name for name, _ in series])
    _grid(svg, [(tick, place(tick)) for tick in ticks], label)
    wide = min(44.0, 0.8 * room / max(1, len(series)))
    for column, group in enumerate(groups):
        middle = _LEFT + room * (column + 0.5)
        for line, text in enumerate(names[column]):
            _text(svg, text, middle, _HEIGHT - _BOTTOM + 18 + _LINE * line, "middle")
        for index, (name, given) in enumerate(series):
            value = given[column]
            if value is None:
                continue
            x = middle + (index - len(series) / 2) * wide
            y = place(value)
            high = max(0.0, place(0.0) - y)
            bar = _put(
                svg, "rect", {"class": f"s{index}", "rx": "2"}, x=x + 1.5, y=y, width=wide - 3, height=high
            )
            SubElement(bar, "title").text = f"{group}, {name}: {_short(value)}"
            _text(svg, _short(value), x + wide / 2, y - 4, "middle", "small")
    return svg


def intervals(rows: Sequence[tuple[str, float, Span]], label: str) -> Element:
    """A value per row, with from where to where it could as well be, and a line at 0.

    Args:
        rows: what each row is, its value and its span.
        label: what is counted.
    """
    ends = [end for _, value, span in rows for end in (value, *span)] or [1.0]
    ticks = _ticks(min(0.0, *ends), max(0.0, *ends))
    svg, across, ys = _row_chart([name for name, *_ in rows], ticks, label, top=8.0, high=22.0)
    bottom = 8.0 + 22.0 * len(rows)
    _line(svg, "between", (across(0.0), 8.0), (across(0.0), bottom))
    for y, (name, value, (low, most)) in zip(ys, rows, strict=True):
        _interval(svg, "line l0", (across(low), y), (across(most), y))
        _dot(svg, 0, across(value), y, 4.5, f"{name}: {_short(value)} ({_short(low)} to {_short(most)})")
    return svg


def dumbbells(rows: Sequence[tuple[str, float, float]], names: tuple[str, str], label: str) -> Element:
    """Two values per row, with a line between them.

    Args:
        rows: what each row is, and its two values.
        names: what the first and the second value are.
        label: what is counted.
    """
    ticks = _ticks(0.0, max([value for _, *pair in rows for value in pair] or [1.0]))
    svg, across, ys = _row_chart([name for name, *_ in rows], ticks, label, top=_TOP, high=16.0)
    _legend(svg, names)
    for y, (name, one, other) in zip(ys, rows, strict=True):
        _line(svg, "between", (across(one), y), (across(other), y))
        # The first is drawn last and smaller, so that both can be seen where they are the same.
        for order, value, radius in ((1, other, 5.0), (0, one, 3.5)):
            _dot(svg, order, across(value), y, radius, f"{name}, {names[order]}: {_short(value)}")
    return svg


def _row_chart(
    names: Sequence[str], ticks: Sequence[float], label: str, top: float, high: float
) -> tuple[Element, Callable[[float], float], list[float]]:
    """A chart with a row per name: with the scale across, and the heights of the rows."""
    left, bottom = 12.0 + _CHARACTER * max(map(len, names), default=0), top + high * len(names)
    svg = _canvas(bottom + _BOTTOM)
    across = _scale(ticks[0], ticks[-1], left, WIDTH - _RIGHT)
    for tick in ticks:
        _line(svg, "grid", (across(tick), top), (across(tick), bottom))
        _text(svg, _short(tick), across(tick), bottom + 16, "middle", "small")
    _text(svg, label, (left + WIDTH - _RIGHT) / 2, bottom + _BOTTOM - 10, "middle")
    ys = [top + high * (index + 0.5) for index in range(len(names))]
    for y, name in zip(ys, names, strict=True):
        _text(svg, name, left - 8, y + 4, "end", "small")
    return svg, across, ys


def curves(given: Sequence[Curve], x: Axis, y: Axis) -> Element:
    """Curves over the same axes; points that a logarithmic axis has no room for are left out."""
    svg = _canvas(_HEIGHT)
    _legend(svg, [curve.name for curve in given])
    shown = [
        [(px, py) for px, py in curve.points if (px > 0 or not x.log) and (py > 0 or not y.log)]
        for curve in given
    ]
    x_ticks, across = _axis(x, [px for points in shown for px, _ in points], _LEFT, WIDTH - _RIGHT)
    y_ticks, up = _axis(y, [py for points in shown for _, py in points], _HEIGHT - _BOTTOM, _TOP)
    _grid(svg, [(tick, up(tick)) for tick in y_ticks], y.label)
    for tick in x_ticks:
        _text(svg, _short(tick), across(tick), _HEIGHT - _BOTTOM + 16, "middle", "small")
    _text(svg, x.label, (_LEFT + WIDTH - _RIGHT) / 2, _HEIGHT - 10, "middle")
    for index, (curve, points) in enumerate(zip(given, shown, strict=True)):
        # Beside each other, so that each interval can be seen.
        aside = _ASIDE * (index - (len(given) - 1) / 2) if curve.spans else 0.0
        at = [(across(px) + aside, up(py)) for px, py in points]
        intervals = [
            ((cx, up(low)), (cx, up(high))) for (cx, _), (low, high) in zip(at, curve.spans, strict=False)
        ]
        _curve(svg, index, curve, points, at, intervals)
    return svg


def _curve(
    svg: Element,
    index: int,
    curve: Curve,
    points: Sequence[Span],
    at: Sequence[Span],
    intervals: Sequence[tuple[Span, Span]],
) -> None:
    """Draw one curve: its *points* are *at* these places of the picture, and so are their *intervals*."""
    if at:
        path = SubElement(svg, "path", {"class": f"line l{index}", "d": _path(at, curve.steps)})
        SubElement(path, "title").text = curve.name
    if curve.steps:
        return
    for (cx, cy), (px, py) in zip(at, points, strict=True):
        _dot(svg, index, cx, cy, 4.0, f"{curve.name}: {_short(px)}, {_short(py)}")
    for low, high in intervals:
        _interval(svg, f"line l{index}", low, high)


def _canvas(height: float) -> Element:
    return Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {WIDTH:g} {height:g}",
            "width": f"{WIDTH:g}",
            "height": f"{height:g}",
            "role": "img",
        },
    )


def _legend(svg: Element, names: Sequence[str]) -> None:
    x, y = _LEFT, 4.0
    for index, name in enumerate(names):
        wide = 18 + _CHARACTER * len(name)
        if x > _LEFT and x + wide > WIDTH - _RIGHT:
            x, y = _LEFT, y + 17
        _put(svg, "rect", {"class": f"s{index}", "rx": "2"}, x=x, y=y, width=12, height=12)
        _text(svg, name, x + 18, y + 10)
        x += wide + 20


def _grid(svg: Element, ticks: Sequence[tuple[float, float]], label: str) -> None:
    for tick, y in ticks:
        _line(svg, "grid", (_LEFT, y), (WIDTH - _RIGHT, y))
        _text(svg, _short(tick), _LEFT - 6, y + 4, "end", "small")
    middle = (_TOP + _HEIGHT - _BOTTOM) / 2
    _text(svg, label, 0, 0, "middle").set("transform", f"translate(14 {middle:g}) rotate(-90)")


def _lines(name: str, room: float) -> list[str]:
    """*name* broken where a word of it ends, so that each line has the *room* if its words do."""
    lines = [""]
    for word in _WORD.findall(name):
        if lines[-1] and _CHARACTER * len((lines[-1] + word).rstrip()) > room:
            lines.append("")
        lines[-1] += word
    return [line.rstrip() for line in lines]


def _interval(svg: Element, class_name: str, low: tuple[float, float], high: tuple[float, float]) -> None:
    """Draw a line from *low* to *high* with an end across at both."""
    if low == high:
        return
    x, y = (_END, 0.0) if low[0] == high[0] else (0.0, _END)
    _line(svg, class_name, low, high)
    for ex, ey in (low, high):
        _line(svg, class_name, (ex - x, ey - y), (ex + x, ey + y))


def _line(svg: Element, class_name: str, start: tuple[float, float], end: tuple[float, float]) -> None:
    _put(svg, "line", {"class": class_name}, x1=start[0], y1=start[1], x2=end[0], y2=end[1])


def _dot(svg: Element, series: int, x: float, y: float, radius: float, title: str) -> None:
    dot = _put(svg, "circle", {"class": f"s{series}"}, cx=x, cy=y, r=radius)
    SubElement(dot, "title").text = title


def _text(
    svg: Element, text: str, x: float, y: float, anchor: str = "start", class_name: str = "label"
) -> Element:
    element = _put(svg, "text", {"class": class_name, "text-anchor": anchor}, x=x, y=y)
    element.text = text
    return element


def _put(svg: Element, tag: str, words: dict[str, str], **numbers: float) -> Element:
    """An element of the picture with those attributes."""
    return SubElement(
        svg, tag, words | {name: f"{value:.1f}".removesuffix(".0") for name, value in numbers.items()}
    )


def _path(points: Sequence[tuple[float, float]], steps: bool) -> str:
    (x, y), *rest = points
    lines = (f"H{x:.1f}V{y:.1f}" if steps else f"L{x:.1f} {y:.1f}" for x, y in rest)
    return f"M{x:.1f} {y:.1f}" + "".join(lines)


# -- scales ------------------------------------------------------------------------------------------


def _scale(low: float, high: float, start: float, end: float) -> Callable[[float], float]:
    span = (high - low) or 1.0
    return lambda value: start + (value - low) / span * (end - start)


def _axis(
    axis: Axis, values: Sequence[float], start: float, end: float
) -> tuple[list[float], Callable[[float], float]]:
    """The ticks of an axis for *values*, and its scale."""
    low, high = min(values, default=1.0), max(values, default=1.0)
    if not axis.log:
        ticks = _ticks(min(0.0, low), high)
        return ticks, _scale(min(*ticks, low), max(*ticks, high), start, end)
    ticks = _log_ticks(low, high)
    within = _scale(log10(min(*ticks, low)), log10(max(*ticks, high)), start, end)
    return ticks, lambda value: within(log10(value))


def _ticks(low: float, high: float) -> list[float]:
    """Round numbers, about five of them, of which the last is not below *high*."""
    rough = (high - low) / 5 or 1.0
    power = 10.0 ** floor(log10(rough))
    step = next(m * power for m in (1, 2, 2.5, 5, 10) if m * power >= rough * 0.999)
    first, last = floor(low / step), ceil(high / step - 1e-9)
    return [round(index * step, 10) for index in range(first, last + 1)]


def _log_ticks(low: float, high: float) -> list[float]:
    """Powers of ten around the values, with steps between them where there is room."""
    first, last = floor(log10(low)), ceil(log10(high))
    between = (1, 2, 5) if last - first <= 3 else (1,)
    ticks = [m * 10.0**power for power in range(first, last + 1) for m in between]
    inside = [tick for tick in ticks if low / 2.5 <= tick <= high * 2.5]
    return inside or [10.0**first, 10.0**last]


def _short(value: float) -> str:
    """A number with about three digits."""
    if value == 0:
        return "0"
    digits = max(0, 2 - floor(log10(abs(value))))
    text = f"{value:.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
