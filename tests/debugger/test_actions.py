"""Questions about one action: which it was, why it was done, what the world looked like, what became of it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect
from viewers import recorded

from foretree.debugger.page import write_page
from foretree.runs.recorder import RunRecorder
from foretree.runs.store import Run

#: The second action of the run fails, so that the third is one that a revision has put in.
THIRD = "3. move(robot1, table1, table2)"


def open_page(tab: Page, run: Run, folder) -> None:
    write_page([run], folder / "run.html")
    tab.goto((folder / "run.html").as_uri())
    tab.wait_for_function("foretree.views[0].loaded")


@pytest.fixture
def moved(store, tmp_path, tab):
    """The page of a run in which the mango is moved while the robot reaches for it."""
    run = recorded(store, "put the mango into the fridge", "kitchen", "at 5: move mango1 table2")
    open_page(tab, run, tmp_path)
    return tab


def shown(tab: Page):
    return tab.get_by_label("Moment shown")


def detail(tab: Page):
    return tab.locator(".detail")


def chip(tab: Page, number: int):
    return tab.get_by_role("button", name=re.compile(f"^Action {number},"))


def test_the_third_action_is_found_and_shown_at_its_start(moved):
    expect(moved.locator(".step")).to_have_count(7)
    expect(chip(moved, 2)).to_have_accessible_name(
        "Action 2, failed: pick(robot1, left_hand, mango1, table1)"
    )
    expect(shown(moved)).to_contain_text("the end of the run")
    chip(moved, 3).click()
    expect(shown(moved)).to_contain_text(f"5.4 s, the start of {THIRD}")
    expect(detail(moved).locator("h2")).to_contain_text(THIRD)
    expect(detail(moved)).to_contain_text(
        "4. pick(robot1, left_hand, mango1, table2) needs: robot1 is at table2."
    )
    expect(moved.locator(".name.fresh")).to_have_text("mango1")
    expect(chip(moved, 4)).to_have_accessible_name(re.compile("still to come"))
    expect(moved).to_have_url(re.compile(r"at=5\.4\d*&panel=world&action=a6$"))


def test_the_way_back_leads_to_where_one_was(moved):
    moved.evaluate("foretree.views[0].gotoTime(9.1)")
    chip(moved, 1).click()
    chip(moved, 5).click()
    expect(shown(moved)).to_contain_text("the start of 5.")
    moved.get_by_role("button", name="Back to 9.1 s").click()
    expect(shown(moved)).to_contain_text(f"9.1 s, during {THIRD}")
    expect(moved.get_by_role("button", name="Back to")).to_have_count(0)
    expect(moved).to_have_url(re.compile(r"at=9\.1&"))


def test_keys_walk_the_tree_at_one_moment_and_lead_to_a_start_and_back(moved):
    moved.get_by_label("Search nodes").fill("place_in")
    moved.get_by_label("Search nodes").press("Enter")
    moved.get_by_role("img", name=re.compile("Behaviour tree")).focus()
    moved.keyboard.press("ArrowUp")
    expect(detail(moved).locator("h2")).to_contain_text("6. open(robot1, right_hand, fridge1)")
    expect(shown(moved)).to_contain_text("the end of the run")
    moved.keyboard.press("s")
    expect(shown(moved)).to_contain_text("the start of 6. open")
    moved.keyboard.press("Backspace")
    expect(shown(moved)).to_contain_text("the end of the run")


def test_keys_walk_the_row_of_actions(moved):
    moved.get_by_role("button", name="Keys").focus()
    moved.keyboard.press("Tab")
    expect(chip(moved, 7)).to_be_focused()
    for _ in range(4):
        moved.keyboard.press("ArrowLeft")
    expect(chip(moved, 3)).to_be_focused()
    expect(shown(moved)).to_contain_text("the end of the run")
    moved.keyboard.press("Enter")
    expect(shown(moved)).to_contain_text(f"the start of {THIRD}")


def place_in_tree(tab: Page, words: str) -> tuple[float, float]:
    """Where the tree shows the node that is called *words*."""
    tab.get_by_label("Search nodes").fill(words)  # brings it into view
    expect(tab.get_by_text("1 found")).to_be_visible()
    box = tab.locator(".canvas canvas").bounding_box()
    assert box is not None
    x, y = box["x"] + 270, box["y"] + 5
    while tab.locator(".hint", has_text=words).count() == 0:
        y += 8
        assert y < box["y"] + box["height"], f"{words} is nowhere in the tree"
        tab.mouse.move(x, y)
        tab.evaluate("() => new Promise(drawn => requestAnimationFrame(() => setTimeout(drawn)))")
    return x, y


def test_a_click_in_the_tree_shows_the_start_and_goes_on_following(moved):
    moved.mouse.click(*place_in_tree(moved, "move(robot1, table1, table2)"))
    expect(shown(moved)).to_contain_text(f"the start of {THIRD}")
    expect(detail(moved).locator("h2")).to_contain_text(THIRD)
    expect(moved.get_by_label("Follow")).to_be_checked()


def test_a_double_click_in_the_tree_unfolds_what_its_first_click_met(moved):
    moved.mouse.dblclick(*place_in_tree(moved, "move(robot1, table1, table2)"))
    expect(detail(moved).locator("h2")).to_contain_text(THIRD)  # it may have opened before the second click
    moved.get_by_label("Search nodes").fill("presence")
    expect(moved.get_by_text(" found")).to_have_text("1 found")


def test_a_failed_action_tells_its_discrepancy_and_the_revision_once(moved):
    chip(moved, 2).click()
    told = detail(moved)
    expect(told).to_contain_text("later failed at 5.4 s")
    expect(told).to_contain_text("expects mango1 is on table1, but mango1 is on table2")
    expect(told.get_by_text("mango1 is now on table2; going there first.")).to_have_count(1)
    expect(told).to_contain_text(
        "taken out: 2. pick(robot1, left_hand, mango1, table1), move(robot1, table1, fridge1)"
    )
    expect(told).to_contain_text(f"put in: {THIRD}, 4. pick(robot1, left_hand, mango1, table2)")
    expect(told).not_to_contain_text("Instead of")
    told.get_by_role("button", name="Go to its end (5.4 s)").click()
    news = moved.locator(".news")
    expect(news).to_contain_text("Discrepancy: mango1 is on table2")
    expect(news).to_contain_text("Revision: mango1 is now on table2; going there first.")
    expect(news.get_by_text("Action 3 begins")).to_be_visible()


def test_the_log_calls_actions_by_their_numbers(moved):
    moved.keyboard.press("5")
    log = moved.locator(".log")
    expect(log).to_contain_text(f"start: {THIRD}")
    expect(log).to_contain_text("revised by rules: mango1 is now on table2; going there first.")
    expect(log).to_contain_text("step removed: move(robot1, table1, fridge1)")  # it never began
    expect(log).not_to_contain_text(re.compile(r"\ba\d+ \w+\("))


def test_the_plan_keeps_costs_and_seconds_apart(moved):
    moved.keyboard.press("3")
    plan = moved.locator(".plan")
    expect(plan).to_contain_text("Plan 2 of 2, made at 5.4 s by rules:")
    row = plan.get_by_role("button", name=re.compile(r"^3\. move"))
    expect(row.locator(".cost")).to_have_text("27")
    expect(plan.locator(".bars .planned")).to_have_count(0)
    row.click()
    expect(shown(moved)).to_contain_text(f"the start of {THIRD}")


def test_a_cancelled_action_says_what_came_in_its_place(store, tmp_path, tab):
    run = store.create("searched", "")
    recorder = RunRecorder(run)
    recorder.record("run.started", instruction="", scene="", robot="robot1")
    recorder.record("goal.set", goal="(exists (?x - mug) (on ?x table1))", how="put a mug on table1")
    for number, place in enumerate(("corner1", "corner7"), 1):
        recorder.record("agent.chose", tool="explore", why=f"looks for a mug beyond {place}")
        move = {"id": f"a{number}", "skill": "move", "arguments": ["robot1", "here", place], "cost": 1}
        recorder.record(
            "plan.made",
            actions=[move],
            assumptions=[],
            links=[],
            order={},
            by="planner",
            goal=f"(at {place})",
        )
        recorder.record("action.intent", action=move, execution=f"x{number}", targets={})
        recorder.record("action.started", action=f"a{number}", execution=f"x{number}")
        if number == 1:
            recorder.record(
                "action.ended",
                action="a1",
                execution="x1",
                outcome="cancelled",
                reason="all that there is to see at corner1 has been seen on the way",
            )
    recorder.close("ended")
    open_page(tab, run, tmp_path)
    chip(tab, 1).click()
    expect(detail(tab)).to_contain_text(
        "Cancelled: all that there is to see at corner1 has been seen on the way."
    )
    expect(detail(tab)).to_contain_text("the agent chose anew: it looks for a mug beyond corner7")
    expect(detail(tab)).to_contain_text(
        "The plan that planner made next, at 0.0 s: 2. move(robot1, here, corner7)."
    )


def act(number: int, skill: str, *arguments: str) -> dict:
    return {"id": f"a{number}", "skill": skill, "arguments": ["robot1", *arguments], "cost": 1}


@pytest.fixture
def washed(store, tmp_path, tab):
    """The page of a run with a goal of two parts; its search is over before the tree can say that a1 is done."""
    run = store.create("washed", "")
    recorder = RunRecorder(run)
    goal = "(and (clean mug1) (on mug1 table1))"
    recorder.record("run.started", instruction="", scene="", robot="robot1")
    recorder.record("goal.set", goal=goal, how="wash the mug")
    nodes = [
        {"id": "agent", "name": "agent", "type": "PlanNode", "parent": None},
        {"id": "agent/a1", "name": "presence", "type": "Presence", "parent": "agent"},
        {"id": "agent/a1/act", "name": "open(robot1, cabinet1)", "type": "Act", "parent": "agent/a1"},
    ]
    recorder.record("tree.built", nodes=nodes)
    plan = {"assumptions": [], "by": "planner", "goal": goal}
    search = [act(1, "open", "cabinet1"), act(2, "inspect", "cabinet1")]
    links = [["a1", ["open", "cabinet1"], "a2"], ["a2", ["inspected", "cabinet1"], "goal"]]
    recorder.record("plan.made", actions=search, links=links, order={"a2": ["a1"]}, **plan)
    recorder.mark(10, 1.0)
    recorder.record("action.intent", action=search[0], execution="x1", targets={})
    recorder.record("action.started", action="a1", execution="x1")
    recorder.mark(20, 2.0)
    recorder.record("action.ended", action="a1", execution="x1", outcome="done", reason="")
    recorder.record("tree.changed", status={node["id"]: ["INVALID", ""] for node in nodes})
    rest = [act(3, "pick", "mug1"), act(4, "wash", "mug1"), act(5, "place", "mug1", "table1")]
    held = ["holding", "robot1", "hand", "mug1"]
    links = [
        ["a3", held, "a4"],
        ["a3", held, "a5"],
        ["a4", ["clean", "mug1"], "goal"],
        ["a5", ["on", "mug1", "table1"], "goal"],
    ]
    recorder.record("plan.made", actions=rest, links=links, order={}, **plan)
    recorder.close("ended")
    open_page(tab, run, tmp_path)
    return tab


def test_why_an_action_is_done_does_not_depend_on_the_moment_on_screen(washed):
    washed.evaluate("foretree.views[0].select({kind: 'action', id: 'a1'})")
    expect(detail(washed)).to_contain_text("inspect(robot1, cabinet1) needs: cabinet1 is open.")
    washed.evaluate("foretree.views[0].gotoTime(1)")
    expect(shown(washed)).to_contain_text("1.0 s")
    expect(detail(washed)).to_contain_text("inspect(robot1, cabinet1) needs: cabinet1 is open.")


def test_an_action_says_all_parts_of_the_goal_that_it_is_for(washed):
    washed.evaluate("foretree.views[0].select({kind: 'action', id: 'a3'})")
    told = detail(washed)
    expect(told).to_contain_text("wash(robot1, mug1) needs: robot1 is holding mug1 in hand.")
    expect(told).to_contain_text("… so that mug1 is clean: a part of the goal.")
    expect(told).to_contain_text("place(robot1, mug1, table1) needs: robot1 is holding mug1 in hand.")
    expect(told).to_contain_text("… so that mug1 is on table1: a part of the goal.")


def test_what_is_done_is_so_in_the_tree_though_its_node_was_stopped(washed):
    washed.mouse.move(*place_in_tree(washed, "open(robot1, cabinet1)"))
    expect(washed.locator(".canvas .hint")).to_contain_text("Act · success")
    washed.evaluate("foretree.views[0].gotoTime(0.5)")
    washed.mouse.move(0, 0)
    washed.mouse.move(*place_in_tree(washed, "open(robot1, cabinet1)"))
    expect(washed.locator(".canvas .hint")).to_contain_text("Act · not run")


def test_what_was_never_begun_says_why_it_was_planned(moved):
    moved.evaluate("foretree.views[0].select({kind: 'action', id: 'a3'})")
    told = detail(moved)
    expect(told.locator("h2")).to_contain_text("move(robot1, table1, fridge1) a3")
    expect(told.get_by_role("heading", name="Why it was planned")).to_be_visible()
    expect(told.get_by_text("mango1 is now on table2; going there first.")).to_have_count(1)
    expect(told).not_to_contain_text("..")


def test_the_keys_begin_before_the_row_of_actions_and_in_the_tree_at_what_is_at_work(moved):
    for _ in range(2):  # Share and the keys; the file has no list of runs
        moved.keyboard.press("Tab")
    expect(moved.get_by_role("button", name="Keys")).to_be_focused()
    moved.keyboard.press("Tab")
    expect(chip(moved, 7)).to_be_focused()
    for _ in range(3):
        moved.keyboard.press("Shift+ArrowLeft")
    moved.get_by_role("img", name=re.compile("Behaviour tree")).focus()
    moved.keyboard.press("Enter")
    expect(detail(moved).locator("h2")).to_contain_text(re.compile(r"^\d\. "))


def test_chips_show_where_a_way_leads(moved):
    expect(chip(moved, 3)).to_have_text(re.compile(r"move → table2$"))
    expect(chip(moved, 4)).to_have_text(re.compile(r"pick mango1 table2$"))
