from __future__ import annotations

from xml.etree.ElementTree import tostring

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foretree.regression.reports.plots import WIDTH, Axis, Curve, bars, curves, dumbbells, intervals


def found(svg, tag, class_name=None):
    return [e for e in svg.iter(tag) if class_name is None or class_name in e.get("class", "").split()]


def texts(svg):
    return [e.text for e in svg.iter("text")]


def test_a_bar_is_as_high_as_its_value():
    svg = bars(
        ["simple", "moderate"], [("full", [100.0, 50.0]), ("without", [None, 25.0])], "success, %", 100.0
    )
    full = [float(bar.get("height")) for bar in found(svg, "rect", "s0") if bar.find("title") is not None]
    (without,) = [
        float(bar.get("height")) for bar in found(svg, "rect", "s1") if bar.find("title") is not None
    ]
    assert full[0] == pytest.approx(2 * full[1], abs=0.2)
    assert full[1] == pytest.approx(2 * without, abs=0.2)
    assert {"simple", "moderate", "full", "without", "success, %", "100", "50", "25"} <= set(texts(svg))


def test_a_logarithmic_axis_has_equal_steps_for_equal_ratios():
    points = [(0.01, 1.0), (0.1, 2.0), (1.0, 3.0)]
    svg = curves([Curve("full", points)], Axis("seconds", log=True), Axis("plans"))
    x = [float(dot.get("cx")) for dot in svg.iter("circle")]
    assert x[1] - x[0] == pytest.approx(x[2] - x[1], abs=0.2)
    assert "0.1" in texts(svg)


def test_what_a_logarithmic_axis_cannot_show_is_left_out():
    svg = curves([Curve("full", [(0.0, 1.0), (1.0, 2.0)])], Axis("s", log=True), Axis("n"))
    assert len(found(svg, "circle")) == 1
    assert found(curves([Curve("none", [])], Axis("s", log=True), Axis("n")), "path") == []


def test_steps_go_across_and_then_up():
    svg = curves([Curve("full", [(1.0, 1.0), (2.0, 2.0)], steps=True)], Axis("s"), Axis("n"))
    (path,) = found(svg, "path")
    assert "H" in path.get("d")
    assert "V" in path.get("d")
    assert not found(svg, "circle")


def test_a_dumbbell_joins_two_values():
    svg = dumbbells([("swap", 4.0, 8.0), ("fold", 2.0, 2.0)], ("dual", "single"), "actions")
    (one, other), (same, again) = (
        sorted(float(d.get("cx")) for d in found(svg, "circle") if d.find("title").text.startswith(name))
        for name in ("swap", "fold")
    )
    assert other > one
    assert same == again
    (line, *_) = found(svg, "line", "between")
    assert {float(line.get("x1")), float(line.get("x2"))} == {one, other}


def test_names_below_bars_that_are_too_long_for_one_line_go_on_in_the_next():
    names = ["all-guards", "without-relationship", "without-appearance", "none-no-replanning", *"abcd"]
    svg = bars(names, [("success", [1.0] * len(names))], "success")
    said = {e.text: (float(e.get("x")), float(e.get("y"))) for e in svg.iter("text")}
    assert said["relationship"][1] > said["all-guards"][1]
    assert "none-no-" in said
    assert said["replanning"][1] > said["none-no-"][1]
    assert max(y for _, y in said.values()) <= float(svg.get("height"))


def test_an_interval_lies_around_its_value_and_beside_0():
    svg = intervals([("better", 10.0, (5.0, 15.0)), ("worse", -5.0, (-20.0, 10.0))], "points")
    better, worse = (float(dot.get("cx")) for dot in found(svg, "circle"))
    (zero,) = (float(line.get("x1")) for line in found(svg, "line", "between"))
    low, high = (float(found(svg, "line", "l0")[0].get(x)) for x in ("x1", "x2"))
    assert worse < zero < low < better < high <= WIDTH
    assert {"better", "worse", "points", "0"} <= set(texts(svg))


numbers = st.floats(1e-4, 1e6)


@given(
    st.lists(st.tuples(numbers, numbers), max_size=6),
    st.booleans(),
    st.booleans(),
)
def test_everything_is_within_the_picture(points, log_x, log_y):
    svg = curves([Curve("all", sorted(points))], Axis("x", log_x), Axis("y", log_y))
    height = float(svg.get("height"))
    for dot in svg.iter("circle"):
        assert -0.1 <= float(dot.get("cx")) <= WIDTH
        assert -0.1 <= float(dot.get("cy")) <= height
    bar = bars([str(i) for i in range(len(points))], [("all", [y for _, y in points])], "y")
    for rect in bar.iter("rect"):
        assert float(rect.get("height")) >= 0
        assert -0.1 <= float(rect.get("y")) <= height
    assert tostring(svg) == tostring(
        curves([Curve("all", sorted(points))], Axis("x", log_x), Axis("y", log_y))
    )


def test_a_legend_that_is_too_long_for_one_line_goes_on_in_the_next():
    names = [
        "full",
        "without-expansion",
        "without-compression",
        "without-incremental-map",
        "without-selection",
    ]
    svg = bars(["simple"], [(name, [1.0]) for name in names], "success")
    said = {e.text: (float(e.get("x")), float(e.get("y"))) for e in svg.iter("text") if e.text in names}
    assert list(said) == names
    assert all(x + 7 * len(name) <= WIDTH for name, (x, _) in said.items())
    assert said["without-selection"][1] > said["full"][1] == said["without-expansion"][1]
