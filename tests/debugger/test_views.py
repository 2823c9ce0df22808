"""Every panel, the bar of time, comparing, and the page without a server, in a real browser."""

import re

import pytest
from viewers import recorded

from foretree.bringup.homes import home_floor
from foretree.debugger.page import write_page
from foretree.runs.recorder import RunRecorder
from foretree.simulation.grid_homes.layouts.layout_generator import generate_layout

expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed").expect


def tree(tab) -> dict[str, str]:
    """The nodes on screen and their statuses."""
    return tab.evaluate(
        "Object.fromEntries([...foretree.views[0].state.nodes.values()].map(n => [n.id, n.status]))"
    )


def test_the_page_shows_how_the_run_ended(page):
    expect(page.locator("header h1")).to_have_text("put the mango into the fridge")
    expect(page.locator("header .badge")).to_have_text("reached")
    expect(page.locator(".clock")).to_contain_text("24.7 / 24.7 s")


def test_every_panel_shows_something(page):
    for name, words in {
        "World": "table2",
        "Belief": "(in mango1 fridge1)",
        "Plan": "place_in(robot1, left_hand, mango1, fridge1)",
        "Reasoner": "put mango1 into fridge1",
        "Log": "discrepancy: pick(robot1, left_hand, mango1, table1) expects mango1 is on table1",
    }.items():
        page.get_by_role("tab", name=name).click()
        page.locator("[role=tabpanel]", has_text=words).wait_for()


def test_the_log_of_one_action(page):
    page.get_by_role("tab", name="Log").click()
    page.evaluate("foretree.views[0].select({kind: 'action', id: 'a2'})")
    page.get_by_label("only pick").check()
    told = page.locator(".log li span").all_text_contents()
    assert not [line for line in told if "open(robot1" in line and not line.startswith("step")]
    assert any(line.startswith("discrepancy: pick(robot1, left_hand, mango1, table1)") for line in told)


def test_only_what_becomes_otherwise_counts_as_changed(store, tmp_path, tab):
    """Looks confirm most of what is believed: that is no news."""
    run = store.create("looked", "")
    recorder = RunRecorder(run)
    recorder.record("run.started", instruction="", scene="", robot="robot1")
    things = [
        {"name": name, "class": "cup", "score": 0.9, "fixed": False, "pose": [1, at, 0]}
        for at, name in enumerate(["cup1", "cup2"])
    ]
    recorder.record("entity.changed", entities=things)
    for cup2 in ("true", "false"):
        facts = [[["clean", "cup1"], "true", 0.8, "view"], [["clean", "cup2"], cup2, 0.8, "view"]]
        recorder.record("belief.changed", facts=facts, version=1)
    recorder.close("ended")
    write_page([run], tmp_path / "looked.html")
    tab.goto((tmp_path / "looked.html").as_uri())
    tab.wait_for_selector(".name")
    expect(tab.locator(".name.fresh")).to_have_text(["cup2"])


def test_an_action_of_a_search_says_what_is_looked_for(store, tmp_path, tab):
    run = store.create("searched", "")
    recorder = RunRecorder(run)
    recorder.record("run.started", instruction="", scene="", robot="robot1")
    goal = "(exists (?x - mug) (exists (?y - table) (on ?x ?y)))"
    recorder.record("goal.set", goal=goal, how="put a mug on a table")
    recorder.record("agent.chose", tool="explore", why="looks for a mug beyond corner7")
    move = {"id": "a1", "skill": "move", "arguments": ["robot1", "corner1", "corner7"], "cost": 1}
    there = ["rob_at_node", "robot1", "corner7"]
    plan = {
        "by": "planner",
        "cost": 1,
        "goal": "(rob_at_node robot1 corner7)",
        "makespan": 1,
        "optimal": True,
    }
    recorder.record(
        "plan.made", actions=[move], assumptions=[], links=[["a1", there, "goal"]], order={}, **plan
    )
    facts = [["class", "mug1", "mug"], ["class", "table1", "table"], ["on", "mug1", "table1"]]
    recorder.record("belief.changed", facts=[[fact, "true", 0.9, "view"] for fact in facts], version=1)
    recorder.close("ended")
    write_page([run], tmp_path / "searched.html")
    tab.goto((tmp_path / "searched.html").as_uri())
    tab.wait_for_function("foretree.views[0].loaded")
    tab.evaluate("foretree.views[0].select({kind: 'action', id: 'a1'})")
    tab.get_by_text("So that robot1 is at corner7: the agent looks for a mug beyond corner7.").wait_for()
    tab.get_by_role("tab", name="Plan").click()
    expect(tab.locator(".goal .true span").first).to_have_attribute(
        "title", "holds"
    )  # one mug on one table is enough


def test_the_goal_says_which_parts_hold(page):
    page.keyboard.press("3")
    expect(page.locator(".goal .true span").first).to_have_attribute("title", "holds")
    page.evaluate("foretree.views[0].gotoTime(5)")
    expect(page.locator(".goal .open span").first).to_have_attribute("title", "not yet")


def test_keys_alone_reach_every_moment(page):
    page.keyboard.press("Home")
    page.wait_for_function("foretree.views[0].state.nodes.size > 0 && foretree.views[0].tick === 0")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("foretree.views[0].tick === 1")
    page.keyboard.press("Shift+ArrowRight")
    page.wait_for_function("foretree.views[0].state.actions.get('a1')?.status === 'running'")
    page.keyboard.press("End")
    page.wait_for_function("foretree.views[0].count === foretree.views[0].timeline.length")
    page.keyboard.press("Space")
    page.wait_for_function("foretree.views[0].playing")


def test_the_bar_of_time_is_dragged(page):
    box = page.locator(".scrubber").bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.9, box["y"] + 24)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 24, steps=5)
    page.mouse.up()
    time = page.evaluate("foretree.views[0].time")
    assert 9 < time < 13
    page.wait_for_function(f"location.hash.includes('{f'at={time:.3f}'[:6]}')")


def test_the_address_leads_back_to_what_is_on_screen(page):
    page.get_by_role("tab", name="Plan").click()
    page.get_by_role("button", name=re.compile(r"^2\. move")).click()
    page.evaluate("foretree.views[0].gotoTime(9.1)")
    page.wait_for_function("location.hash.includes('at=9.1')")
    address = page.url
    said = page.inner_text(".detail")
    page.goto("about:blank")
    page.goto(address)
    expect(page.locator(".detail")).to_have_text(said, use_inner_text=True)
    expect(page.locator("nav [aria-selected=true]")).to_have_attribute("title", "plan (3)")


def test_an_action_says_why_it_is_done_and_what_was_seen(page):
    page.keyboard.press("3")
    page.get_by_role("button", name=re.compile(r"^2\. move")).click()
    detail = page.locator(".detail")
    expect(detail).to_contain_text("pick(robot1, left_hand, mango1, table2) needs: robot1 is at table2.")
    expect(detail).to_contain_text("… so that mango1 is in fridge1: the goal.")
    expect(detail).to_contain_text("Added at 3.3 s by the rules reviser.")


def test_a_revision_is_shown_as_a_difference(page):
    page.get_by_role("button", name="Revision before").wait_for()
    page.evaluate("foretree.views[0].gotoTime(1)")
    page.get_by_role("button", name="Next revision").click()
    note = page.inner_text("[aria-label=Revision]")
    assert "Expected: mango1 is on table1. Seen: mango1 is on table2." in note
    removed, added = page.evaluate(
        "[foretree.views[0].state.splice.removed.map(n => n.name), [...foretree.views[0].state.splice.added]]"
    )
    assert "pick(robot1, left_hand, mango1, table1)" in removed
    assert any(name.endswith("a7/appearance/act") for name in added)


def test_a_fact_tells_its_history(page):
    page.keyboard.press("2")
    page.get_by_label("Search entities and facts").fill("on mango1 table1")
    page.get_by_role("button", name="(on mango1 table1)").first.click()
    history = page.inner_text("[aria-label='History of a fact']")
    assert "true, 95 %, from told" in history
    assert "false" in history


def test_the_tree_is_searched_folded_and_walked_by_keys(page):
    page.get_by_label("Search nodes").fill("place_in")
    page.get_by_text("1 found").wait_for()
    page.get_by_label("Search nodes").press("Enter")
    page.wait_for_function("foretree.views[0].selected.id === 'a5'")
    page.get_by_role("img", name=re.compile("Behaviour tree")).focus()
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("foretree.views[0].selected.id.endsWith('/plan')")
    page.keyboard.press("Enter")  # folds the plan
    page.get_by_text("0 found").wait_for()


def test_hostile_names_are_text(store, tmp_path, tab):
    """Names, notes and answers of models may hold anything; on screen they are words."""
    evil = "<img src=x onerror=\"document.title='owned'\"></script><script>document.title='owned'</script>"
    run = store.create(evil, evil)
    recorder = RunRecorder(run)
    recorder.record("run.started", instruction=evil, scene=evil, robot=evil)
    entity = {"name": evil, "class": evil, "score": 0.9, "fixed": False, "pose": [1, 2, 3]}
    recorder.record("entity.changed", entities=[entity])
    recorder.record("belief.changed", facts=[[["on", evil, evil], "true", 0.9, evil]], version=1)
    recorder.record("tree.built", nodes=[{"id": evil, "name": evil, "type": evil, "parent": None}])
    recorder.record("goal.set", goal=f"(on {evil})", how=evil)
    recorder.record("model.answered", model=evil, purpose=evil, question=evil, reply={"text": evil})
    recorder.record("person.asked", question=evil, choices=[evil])
    recorder.record("log", text=evil)
    recorder.close("given-up")
    write_page([run], tmp_path / "evil.html")
    tab.goto((tmp_path / "evil.html").as_uri())
    tab.wait_for_function("foretree.views[0].loaded")
    for panel in "12345":
        tab.keyboard.press(panel)
        tab.wait_for_timeout(50)
        assert tab.locator("img").count() == 0
    expect(tab.locator("header h1")).to_contain_text(evil)
    assert tab.title() != "owned"


def test_the_floor_of_a_home_lies_under_what_is_believed(store, tmp_path, tab):
    layout = generate_layout("l_kitchen/3")
    run = store.create("home", "l_kitchen/3")
    recorder = RunRecorder(run)
    recorder.record(
        "run.started", instruction="", scene=layout.name, robot="robot1", floor=home_floor(layout)
    )
    entity = {"name": "sofa1", "class": "sofa", "score": 0.9, "fixed": True, "pose": [1, 2, 0]}
    recorder.record("entity.changed", entities=[entity])
    recorder.close("ended")
    write_page([run], tmp_path / "home.html")
    tab.goto((tmp_path / "home.html").as_uri())
    tab.wait_for_selector(".thing.furniture")
    drawn = {name: tab.locator(f".floor .{name}").bounding_box() for name in ("ground", "walls")}
    assert drawn["walls"]["width"] > drawn["ground"]["width"] > 100
    assert drawn["ground"]["width"] / drawn["ground"]["height"] == pytest.approx(
        _extent(layout, 0) / _extent(layout, 1), rel=0.05
    )
    expect(tab.locator(".floor")).to_contain_text("kitchen")


def _extent(layout, axis):
    """How many cells the floor of a layout reaches along an axis."""
    return max(cell[axis] for cell in layout.floor) - min(cell[axis] for cell in layout.floor) + 1


def test_two_runs_are_compared_at_their_first_difference(store, mango, view, tab):
    recorded(store, "put the mango into the fridge", "kitchen", run_id="calm")
    tab.goto(view().page("#/compare/mango/calm"))
    tab.get_by_text("the runs diverge at 3.3 s").wait_for()
    sides = tab.locator(".side .event")
    expect(sides.first).to_contain_text("mango1")
    assert sides.first.inner_text() != sides.last.inner_text()


def test_the_list_of_runs_is_searched_and_filtered(store, mango, view, tab):
    recorded(store, "bring me the apple", "studio", run_id="apple")
    tab.goto(view().page(""))
    tab.get_by_role("link", name="put the mango into the fridge").wait_for()
    expect(tab.locator("tbody tr")).to_have_count(2)
    tab.get_by_label("Search runs").fill("apple")
    expect(tab.locator("tbody tr")).to_have_count(1)
    tab.get_by_label("Search runs").fill("")
    tab.get_by_label("scene").select_option("kitchen")
    expect(tab.locator("tbody tr")).to_have_count(1)
    tab.get_by_role("link", name="put the mango into the fridge").click()
    tab.get_by_role("tab", name="World").wait_for()
    assert "/run/mango" in tab.url


def test_a_damaged_run_is_shown_up_to_the_damage(store, mango, view, tab):
    import sqlite3

    connection = sqlite3.connect(mango.path)
    connection.execute("DROP TRIGGER events_no_UPDATE")
    connection.execute("UPDATE events SET data = '{' WHERE seq = 30")
    connection.commit()
    connection.close()
    tab.goto(view("mango").address)
    expect(tab.locator("[role=alert]")).to_contain_text("up to event 29")
    assert tab.evaluate("foretree.views[0].timeline.length") == 29


def test_an_unknown_run_says_so(store, mango, view, tab):
    tab.goto(view().page("#/run/nothing"))
    expect(tab.locator("[role=alert]")).to_contain_text("There is no run 'nothing'")


def test_names_on_the_map_keep_clear_of_each_other(store, tmp_path, tab):
    run = recorded(store, "bring me the apple", "kitchen", run_id="apple")
    write_page([run], tmp_path / "apple.html")
    tab.goto((tmp_path / "apple.html").as_uri())
    tab.locator(".world .name").first.wait_for()
    names = {name.text_content(): name.bounding_box() for name in tab.locator(".world .name").all()}
    frame = tab.locator(".world > svg").bounding_box()
    for name, box in names.items():
        assert frame["x"] <= box["x"], name
        assert box["x"] + box["width"] <= frame["x"] + frame["width"], name
        for other, there in names.items():
            wide = min(box["x"] + box["width"], there["x"] + there["width"]) - max(box["x"], there["x"])
            high = min(box["y"] + box["height"], there["y"] + there["height"]) - max(box["y"], there["y"])
            assert name == other or wide < 3 or high < 7, f"{name} and {other}"
