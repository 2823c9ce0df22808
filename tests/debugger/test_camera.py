"""Camera images in the debugger, in a real Chromium."""

import json
import sqlite3
from contextlib import closing

import pytest
from camera_runs import look, record_looks
from starlette.testclient import TestClient

from foretree.debugger.page import write_page
from foretree.debugger.page_images import images_message
from foretree.debugger.server import Access, application
from foretree.runs.attachments import attachment_sizes

expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed").expect

RED, BLUE = (200, 0, 0), (0, 0, 200)

#: The colour of the middle of the image on screen.
MIDDLE = """() => {
  const image = document.querySelector(".camera img"), canvas = document.createElement("canvas");
  canvas.width = image.naturalWidth; canvas.height = image.naturalHeight;
  canvas.getContext("2d").drawImage(image, 0, 0);
  return [...canvas.getContext("2d").getImageData(32, 24, 1, 1).data].slice(0, 3);
}"""
#: The colour of the masks at a pixel of the image.
MASK = """([x, y]) =>
  [...document.querySelector(".camera canvas").getContext("2d").getImageData(x, y, 1, 1).data]"""


def show(tab, address, at):
    tab.goto(f"{address}#/run/looks?at={at}")
    tab.wait_for_function("foretree.views[0].loaded")


def whole(tab):
    tab.wait_for_function(
        "() => { const i = document.querySelector('.camera img'); return i && i.complete && i.naturalWidth > 0; }"
    )


@pytest.fixture
def looks(store):
    return record_looks(store, "looks", look(RED), look(BLUE))


@pytest.fixture
def page(looks, tmp_path, tab):
    write_page([looks], tmp_path / "looks.html")
    tab.context.set_offline(True)
    return (tmp_path / "looks.html").as_uri()


def test_the_newest_image_at_the_moment_is_shown(page, tab):
    show(tab, page, 1)
    whole(tab)
    assert tab.evaluate(MIDDLE) == list(RED)
    tab.keyboard.press("ArrowRight")
    tab.wait_for_function(f"({MIDDLE})()[2] === 200")
    tab.evaluate("foretree.views[0].goto(2)")
    tab.get_by_text("No camera image yet at this moment.").wait_for()


def test_a_box_tells_its_scores_and_selects_what_it_is(page, tab):
    show(tab, page, 1)
    tab.get_by_role("button", name="mug1: mug 80 %, cup 20 %").hover()
    tab.locator(".camera .told", has_text="mug1: mug 80 %, cup 20 %").wait_for()
    tab.get_by_role("button", name="mug1: mug 80 %, cup 20 %").click()
    tab.locator(".camera .box.chosen").wait_for()
    tab.wait_for_function("foretree.views[0].thing.id === 'mug1'")
    tab.get_by_role("button", name="not taken for anything: plate 60 %").focus()
    tab.locator(".camera .told", has_text="not taken for anything: plate 60 %").wait_for()
    tab.get_by_label("boxes").uncheck()
    expect(tab.locator(".camera .box")).to_have_count(0)


def test_masks_are_switched_on_and_off(page, tab):
    show(tab, page, 1)
    expect(tab.locator(".camera canvas")).to_have_count(0)
    tab.get_by_label("masks").check()
    tab.wait_for_function(f"({MASK})([10, 20])[3] > 0")
    mug, other, between = (tab.evaluate(MASK, at) for at in ([10, 20], [50, 20], [30, 20]))
    assert mug[:3] != other[:3]
    assert (other[3] > 0, between[3]) == (True, 0)
    tab.get_by_label("masks").uncheck()
    expect(tab.locator(".camera canvas")).to_have_count(0)


def test_an_image_is_asked_for_once_and_when_it_is_shown(looks, view, tab):
    asked = []
    tab.on("request", lambda request: asked.append(request.url) if "/images/" in request.url else None)
    show(tab, view("looks").address.split("#")[0], 1)
    whole(tab)
    assert len(asked) == 1
    tab.keyboard.press("ArrowRight")
    tab.wait_for_function(f"({MIDDLE})()[2] === 200")
    tab.keyboard.press("ArrowLeft")
    tab.wait_for_function(f"({MIDDLE})()[0] === 200")
    assert len(set(asked)) == 2


def test_a_run_without_a_camera_says_so(mango, tmp_path, tab):
    write_page([mango], tmp_path / "mango.html")
    assert '"images"' not in (tmp_path / "mango.html").read_text()
    tab.goto((tmp_path / "mango.html").as_uri())
    tab.get_by_text("No camera on record.").wait_for()


def test_a_damaged_image_is_said_to_be_damaged(looks, tmp_path, tab):
    with closing(sqlite3.connect(looks.path)) as connection, connection:
        connection.execute("UPDATE attachments SET content = x'00112233' WHERE rowid = 1")
    write_page([looks], tmp_path / "looks.html")
    show(tab, (tmp_path / "looks.html").as_uri(), 1)
    tab.get_by_text("This image cannot be shown").wait_for()
    expect(tab.locator(".camera .box")).to_have_count(2)


def test_an_image_that_could_not_be_encoded_says_why(store, tmp_path, tab):
    run = record_looks(store, "looks", look(RED, media_type="text/html"))
    write_page([run], tmp_path / "looks.html")
    show(tab, (tmp_path / "looks.html").as_uri(), 1)
    tab.get_by_text("'text/html' is none of image/png").wait_for()


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"image": 3},
        {"image": {"width": -1, "height": "x", "digest": []}},
        {"image": {"detections": [None]}},
    ],
)
def test_a_damaged_event_is_no_trouble(store, tmp_path, tab, data):
    from foretree.runs.recorder import RunRecorder

    run = store.create("look", "here", "looks")
    recorder = RunRecorder(run)
    recorder.record("run.started", instruction="look", scene="here")
    recorder.record("camera.seen", **data)
    recorder.close("reached")
    write_page([run], tmp_path / "looks.html")
    tab.goto((tmp_path / "looks.html").as_uri())
    tab.get_by_text("What is on record of this image is damaged.").wait_for()


def test_hostile_labels_are_text(store, tmp_path, tab):
    evil = "<img src=x onerror=\"document.title='owned'\"></svg><script>document.title='owned'</script>"
    run = record_looks(store, "looks", look(RED, mug=evil), mug=evil)
    write_page([run], tmp_path / "looks.html")
    show(tab, (tmp_path / "looks.html").as_uri(), 1)
    tab.locator(".camera .box").last.hover()
    tab.locator(".camera .told", has_text="<img src=x").wait_for()
    expect(tab.locator("img")).to_have_count(1)  # the picture itself
    assert tab.title() != "owned"


def test_a_page_leaves_out_images_beyond_a_limit_and_says_so(store):
    looks = [look((shade, 0, 0)) for shade in range(40)]
    run = record_looks(store, "looks", *looks)
    total = sum(attachment_sizes(run).values())
    [said] = map(json.loads, images_message(run))
    assert (len(said["images"]), said["leftOut"]) == (41, 0)  # the masks are the same in all
    [said] = map(json.loads, images_message(run, total // 2))
    assert 5 < 40 - said["leftOut"] <= 20
    assert sum(len(address) for address in said["images"].values()) < total


def test_only_images_are_served(looks, store):
    [digest, *_] = attachment_sizes(looks)
    served = TestClient(application(store, Access(frozenset({"127.0.0.1"}))), base_url="http://127.0.0.1")
    answer = served.get(f"/runs/looks/images/{digest}")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/png")
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert served.get("/runs/looks/images/nothing").status_code == 404
    assert served.get(f"/runs/..%2Flooks/images/{digest}").status_code == 404
    with closing(sqlite3.connect(looks.path)) as connection, connection:
        connection.execute("UPDATE attachments SET type = 'text/html'")
    assert served.get(f"/runs/looks/images/{digest}").status_code == 404
