"""The map: whose view it is, what is open and what is in it, and names that keep their places."""

import re

import pytest

from foretree.debugger.page import write_page
from foretree.runs.recorder import RunRecorder

expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed").expect

#: Where the name of a piece of furniture, or of a thing, begins on the map.
PLACE = "name => name.querySelector('tspan').getAttribute('x') + ' ' + name.querySelector('tspan').getAttribute('y')"


def entity(name, kind, at, fixed=False):
    return {"name": name, "class": kind, "score": 0.9, "fixed": fixed, "pose": [*at, 0]}


def facts(*told):
    return [[atom.split(), truth, 0.9, "view"] for atom, truth in told]


@pytest.fixture
def moved(store, tmp_path, tab):
    """The page of a run in which a mango is moved, which the robot sees a second later."""
    run = store.create("looked", "")
    recorder = RunRecorder(run)
    recorder.record("run.started", instruction="", scene="", robot="robot1")
    things = [
        entity("table1", "table", (1, 1), fixed=True),
        entity("table2", "table", (5, 1), fixed=True),
        entity("fridge1", "fridge", (1, 4), fixed=True),
        entity("mango1", "mango", (1, 1)),
        entity("mug1", "mug", (1, 1)),
        entity("egg1", "egg", (1, 4)),
    ]
    recorder.record("entity.changed", entities=things)
    told = facts(
        ("on mango1 table1", "true"),
        ("on mug1 table1", "true"),
        ("in egg1 fridge1", "true"),
        ("openable fridge1", "true"),
        ("open fridge1", "false"),
    )
    recorder.record("belief.changed", facts=told, version=1)
    recorder.mark(10, 1.0)
    recorder.record("fault.injected", what="at 1: move mango1 on table2")
    recorder.mark(20, 2.0)
    told = facts(("on mango1 table1", "false"), ("on mango1 table2", "true"), ("open fridge1", "true"))
    recorder.record("belief.changed", facts=told, version=2)
    recorder.close("ended")
    write_page([run], tmp_path / "moved.html")
    tab.goto((tmp_path / "moved.html").as_uri())
    tab.wait_for_function("foretree.views[0].loaded")
    return tab


def test_the_map_says_that_it_is_what_the_robot_believes(moved):
    expect(moved.locator(".believed")).to_have_text("As the robot believes at 2.0 s")


def test_a_fault_that_the_robot_has_not_seen_is_shown_as_such(moved):
    moved.evaluate("foretree.views[0].gotoTime(1.5)")
    said = moved.locator(".believed .unseen")
    expect(said).to_contain_text("The robot has not seen yet: mango1 moved on table2 (1.0 s)")
    expect(moved.locator("svg g.unseen line")).to_have_count(1)
    moved.evaluate("foretree.views[0].gotoTime(2)")
    expect(said).to_have_count(0)
    expect(moved.locator("svg g.unseen line")).to_have_count(0)


def test_open_and_shut_furniture_look_different(moved):
    fridge = moved.get_by_role("button", name=re.compile("^fridge1, fridge"))
    expect(fridge.locator(".front.open")).to_have_count(1)
    moved.evaluate("foretree.views[0].gotoTime(1.5)")
    expect(fridge.locator(".front.shut")).to_have_count(1)
    expect(fridge.locator(".front.open")).to_have_count(0)
    expect(moved.get_by_role("button", name="table1, table")).to_have_count(1)
    expect(moved.get_by_role("button", name="table1, table").locator(".front")).to_have_count(0)


def test_what_is_in_furniture_is_said_under_the_pointer_and_shown_of_what_is_chosen(moved):
    moved.get_by_role("button", name=re.compile("^fridge1, fridge")).hover()
    expect(moved.get_by_role("tooltip")).to_contain_text("in it: egg1")
    expect(moved.get_by_role("tooltip")).to_contain_text("open")
    name = moved.locator(".name", has_text="fridge1")
    expect(name).to_have_text("fridge1 (1)")
    moved.get_by_role("button", name=re.compile("^fridge1, fridge")).click()
    expect(moved.locator(".facts")).to_contain_text("egg1 is in fridge1")


def test_names_keep_their_places_over_the_run(moved):
    names = [moved.locator(".name", has_text=name) for name in ("table1", "table2", "fridge1", "mug1")]
    expect(moved.locator(".believed")).to_contain_text("2.0 s")
    after = [name.evaluate(PLACE) for name in names]
    moved.evaluate("foretree.views[0].gotoTime(1.5)")
    expect(moved.locator(".believed")).to_contain_text("1.5 s")
    assert [name.evaluate(PLACE) for name in names] == after


def test_names_keep_their_places_while_a_robot_moves_things(page):
    names = ("table1", "table2", "fridge1", "counter1", "bread1", "mug1", "cloth1")
    places = []
    for time in (1, 6, 12, 20, 24):
        page.evaluate(f"foretree.views[0].gotoTime({time})")
        expect(page.locator(".believed")).to_contain_text(f"{time}.0 s")
        places.append([page.locator(".name", has_text=name).evaluate(PLACE) for name in names])
    assert all(place == places[0] for place in places)


def test_what_lies_on_furniture_stands_by_it_and_a_line_leads_there(store, tmp_path, tab):
    """Twelve things on a table, and a shelf just above it that has none."""
    run = store.create("full", "")
    recorder = RunRecorder(run)
    recorder.record("run.started", instruction="", scene="", robot="robot1")
    names = [f"thing{number}" for number in range(12)]
    recorder.record(
        "entity.changed",
        entities=[
            entity("robot1", "robot", (3, 1)),
            entity("table1", "table", (2, 2), fixed=True),
            entity("shelf1", "shelf", (2, 4), fixed=True),
            entity("corner1", "waypoint", (4, 1), fixed=True),
            entity("corner2", "waypoint", (5, 1), fixed=True),
            *(entity(name, "thing", (2, 2)) for name in names),
        ],
    )
    told = facts(*((f"on {name} table1", "true") for name in names))
    told += facts(("rob_at_node robot1 corner1", "true"), ("hand_free robot1 left_hand", "true"))
    recorder.record(
        "belief.changed", facts=[*told, [["connected", "corner1", "shelf1"], "true", 1, "map"]], version=1
    )
    recorder.mark(10, 1.0)
    gone = [["connected", "shelf1", "corner1"], "false", 1, "default"]
    recorder.record("belief.changed", facts=[gone, *facts(("on thing3 table1", "false"))], version=2)
    recorder.close("ended")
    write_page([run], tmp_path / "full.html")
    tab.goto((tmp_path / "full.html").as_uri())
    tab.wait_for_selector(".name")
    table, shelf = (
        tab.get_by_role("button", name=re.compile(f"^{name}")).bounding_box() for name in ("table1", "shelf1")
    )
    for name in (*names[:3], *names[4:]):
        dot = tab.get_by_role("button", name=re.compile(f"^{name},")).bounding_box()
        from_table, from_shelf = (
            abs(dot["x"] - other["x"]) + abs(dot["y"] - other["y"]) for other in (table, shelf)
        )
        assert from_table < from_shelf, name
    expect(tab.locator(".stem")).to_have_count(1)
    expect(tab.locator(".name.fresh")).to_have_text(["thing3"])
    expect(tab.locator(".name.spot")).to_have_text(["corner1"])  # nothing says that corner2 matters
    tab.get_by_role("button", name=re.compile("^robot1")).click()
    expect(tab.locator(".facts")).to_contain_text("robot1's left_hand is free")
