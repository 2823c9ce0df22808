import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from foretree.pictures.tree_picture import tree_as_png, tree_as_svg
from foretree.runs.export.run_source import RunSource
from foretree.runs.recorder import RunRecorder
from foretree.runs.store import RunError, RunStore

sys.path.insert(0, str(Path(__file__).parents[1] / "runs"))
from mango_run import mango_run

SVG = "{http://www.w3.org/2000/svg}"


def run_of(tmp_path, record):
    run = RunStore(tmp_path / "runs").create("x")
    recorder = RunRecorder(run)
    record(recorder)
    recorder.close("reached")
    return run


@pytest.fixture
def mango(tmp_path):
    return run_of(tmp_path, mango_run)


def svg(run, at=None):
    return ElementTree.fromstring("".join(tree_as_svg(RunSource(run, at))))


def boxes(drawing):
    """The edges of the boxes of nodes: left, top, right, bottom."""
    found = []
    for each in drawing.iter(f"{SVG}rect"):
        if each.get("rx") is not None:
            left, top, width, height = (float(each.get(key)) for key in ("x", "y", "width", "height"))
            found.append((left, top, left + width, top + height))
    return found


def test_every_node_is_drawn_and_no_box_lies_on_another(mango):
    drawing = svg(mango, at=1.0)
    found = boxes(drawing)
    assert len(found) == 15
    width, height = float(drawing.get("width")), float(drawing.get("height"))
    for number, (left, top, right, bottom) in enumerate(found):
        assert 0 < left < right < width
        assert 0 < top < bottom < height
        for other in found[:number]:
            assert left >= other[2] or right <= other[0] or top >= other[3] or bottom <= other[1]


def test_texts_lie_within_their_boxes(mango):
    drawing = svg(mango, at=1.0)
    places = boxes(drawing)
    texts = list(drawing.iter(f"{SVG}text"))
    assert texts[0].text == "put the mango into the fridge · 1.0 s"
    assert "move(robot, start, table1)" in [each.text for each in texts]
    for each in texts[1:]:
        x, y, width = (float(each.get(key)) for key in ("x", "y", "textLength"))
        assert any(left < x and x + width < right and top < y < bottom for left, top, right, bottom in places)


def test_statuses_can_be_told_without_colours(mango):
    """What runs has a thicker frame, and each status has a mark of its own: so many lines of so many points."""
    drawing = svg(mango, at=1.0)
    marks = [len(line.get("points").split()) for line in drawing.iter(f"{SVG}polyline")]
    assert marks.count(5) == 5  # agent, loop, plan, presence and act run
    assert marks.count(3) == 1  # understand has succeeded
    assert [each.get("stroke-width") for each in drawing.iter(f"{SVG}rect")].count("2") == 5


def test_names_are_no_markup(tmp_path):
    def record(recorder):
        node = {"id": "r", "parent": None, "name": '<b>\x01 & "it"\ud800', "type": "Leaf"}
        recorder.record("tree.built", nodes=[node])

    texts = [each.text for each in svg(run_of(tmp_path, record)).iter(f"{SVG}text")]
    assert texts[1] == '<b>\\x01 & "it"\\ud800'


def test_a_picture_is_as_large_as_the_drawing(mango, tmp_path):
    (path,) = tree_as_png(RunSource(mango, 1.0), tmp_path / "mango.png")
    drawing = svg(mango, at=1.0)
    with Image.open(path) as image:
        assert image.format == "PNG"
        assert image.size == (int(drawing.get("width")), int(drawing.get("height")))
        assert len(image.getcolors(1_000_000)) > 10


def wide(recorder):
    nodes = [{"id": "r", "parent": None, "name": "r", "type": "Parallel"}]
    nodes += [{"id": f"r/{n}", "parent": "r", "name": f"leaf {n}", "type": "Leaf"} for n in range(5000)]
    recorder.record("tree.built", nodes=nodes)


def test_what_is_too_large_for_a_picture_can_be_drawn_as_svg(tmp_path):
    run = run_of(tmp_path, wide)
    with pytest.raises(RunError, match=r"5,001 nodes.*The format svg draws trees of any size"):
        tree_as_png(RunSource(run), tmp_path / "x.png")
    assert len(boxes(svg(run))) == 5001


def test_a_run_without_a_tree(tmp_path):
    with pytest.raises(RunError, match="has no tree"):
        svg(run_of(tmp_path, lambda recorder: None))
