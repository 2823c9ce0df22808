"""A run that goes on, watched and steered from a real browser."""

from urllib.parse import urlsplit

import pytest
from waiting import until

from foretree.debugger._attendance import GRACE
from foretree.runs.reader import events

expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed").expect


def test_a_surprise_is_caught_at_a_breakpoint(store, live, view, tab):
    run = live("put the mango into the fridge", "--scene", "kitchen", "--speed", "0.3")
    address = view("live", "--control").address
    until(
        lambda: any(e.kind == "action.started" for e in events(run)),
        "there is a plan, and its first action begins",
    )
    tab.goto(address)
    tab.get_by_role("button", name="Pause", exact=True).click()
    tab.get_by_role("button", name="Continue").wait_for()
    tick = run.info().tick
    tab.get_by_role("button", name="Step").click()
    until(lambda: run.info().tick == tick + 1, "one tick is made")
    tab.get_by_label("Halt at discrepancies").select_option("any")
    tab.get_by_role("button", name="● discrepancy any ✕").wait_for()
    tab.get_by_role("button", name="mango1, mango").click()
    tab.get_by_label("Where to").select_option("table2")
    tab.get_by_role("button", name="Do it").click()
    until(lambda: any(e.kind == "fault.injected" for e in events(run)), "the surprise happens")
    tab.get_by_role("button", name="Continue").click()
    until(
        lambda: any(e.kind == "session.paused" and "discrepancy" in e.data["by"] for e in events(run)),
        "the guard catches it, and the run halts there",
    )
    started = [e.data["action"] for e in events(run) if e.kind == "action.started"]
    assert started == ["a1"]  # nothing begins at a breakpoint
    tab.get_by_text("Revision 1 of 1").wait_for()
    tab.get_by_role("button", name="Continue").click()
    until(
        lambda: any(e.kind == "action.started" and e.data["action"] != "a1" for e in events(run)),
        "the run goes on with the revised plan",
    )
    tab.get_by_role("button", name="Stop").click()
    tab.locator("header .badge", has_text="cancelled").wait_for()


def test_an_action_is_halted_before_it_begins(store, live, view, tab):
    run = live("put the mango into the fridge", "--scene", "kitchen", "--speed", "0.3")
    address = view("live", "--control").address
    until(
        lambda: any(e.kind == "action.started" for e in events(run)),
        "there is a plan, and its first action begins",
    )
    tab.goto(address)
    tab.get_by_role("button", name="Pause", exact=True).click()
    tab.get_by_role("button", name="Continue").wait_for()
    tab.keyboard.press("3")
    tab.get_by_role("button", name="pick(robot1, left_hand, mango1, table1)").click()
    tab.get_by_role("button", name="Halt here").click()
    tab.get_by_role("button", name="● action pick(robot1, left_hand, mango1, table1) ✕").wait_for()
    tab.get_by_role("button", name="Continue").click()
    until(
        lambda: any(e.kind == "session.paused" and "action pick" in e.data["by"] for e in events(run)),
        "the run halts at the action",
    )
    assert not any(e.kind == "action.intent" and e.data["action"]["id"] == "a2" for e in events(run))
    tab.get_by_role("button", name="Stop").click()
    until(lambda: run.info().outcome == "cancelled", "the run stops")


def test_a_question_is_answered(store, live, view, tab):
    run = live("bring me the mug", "--scene", "kitchen", "--speed", "1", "--view")
    tab.goto(view("live", "--control").address)
    tab.locator(".question b").wait_for()
    choices = tab.locator(".question button[type=button]")
    chosen = choices.first.inner_text()
    choices.first.click()
    until(lambda: any(e.kind == "person.said" for e in events(run)), "the answer is heard")
    said = next(e.data["words"] for e in events(run) if e.kind == "person.said")
    assert said == chosen


def test_who_only_watches_has_no_buttons(store, live, view, tab):
    live("put the mango into the fridge", "--scene", "kitchen", "--speed", "2")
    tab.goto(view("live").address)
    tab.get_by_text("watching only").wait_for()
    expect(tab.get_by_role("button", name="Stop")).to_have_count(0)


def test_a_surprise_that_makes_no_sense_is_refused_in_words(store, live, view, tab):
    run = live("put the mango into the fridge", "--scene", "kitchen", "--speed", "1")
    tab.goto(view("live", "--control").address)
    tab.get_by_role("button", name="table1, table").click()
    tab.get_by_label("What happens").select_option("open it")
    tab.get_by_role("button", name="Do it").click()
    until(lambda: any(e.kind == "request.refused" for e in events(run)), "it is refused")
    tab.locator(".halts", has_text="table").wait_for()


def test_a_surprise_can_befall_what_is_in_a_cupboard(store, live, view, tab):
    run = live("put the mango into the fridge", "--scene", "kitchen", "--speed", "0.5")
    tab.goto(view("live", "--control").address)
    tab.get_by_role("button", name="Pause", exact=True).click()
    expect(tab.get_by_role("button", name="Continue")).to_be_visible()
    tab.get_by_role("button", name="cupboard1, cupboard").click()
    tab.get_by_label("To what").select_option("glass1")
    tab.get_by_label("What happens").select_option("make it dirty")
    tab.get_by_role("button", name="Do it").click()
    until(
        lambda: any("dirty glass1" in e.data["what"] for e in events(run) if e.kind == "fault.injected"), "it"
    )


def test_a_run_that_a_viewer_has_paused_stays_so_when_it_has_gone_and_the_terminal_says_it(
    store, live, view, tab, tmp_path
):
    run = live("put the mango into the fridge", "--scene", "kitchen", "--speed", "0.5")
    viewer = view("live", "--control")
    tab.goto(viewer.address)
    tab.get_by_role("button", name="Pause", exact=True).click()
    expect(tab.get_by_role("button", name="Continue")).to_be_visible()
    tab.close()
    host = urlsplit(viewer.address).netloc
    told = f"by the viewer at {host}, which has gone; `foretree go live` continues"
    until(lambda: told in (tmp_path / "terminal.txt").read_text(), "the terminal says it")
    tick = run.info().tick
    run.request("resume")
    until(lambda: run.info().tick > tick, "the run goes on")


def test_breakpoints_outlast_a_page_that_is_loaded_again_but_not_one_that_is_closed(store, live, view, tab):
    run = live("put the mango into the fridge", "--scene", "kitchen", "--speed", "0.5")
    tab.goto(view("live", "--control").address)
    tab.get_by_role("button", name="Pause", exact=True).click()
    tab.get_by_label("Halt at discrepancies").select_option("any")
    chip = tab.get_by_role("button", name="● discrepancy any ✕")
    expect(chip).to_be_visible()
    tab.reload()
    expect(chip).to_be_visible()
    tab.wait_for_timeout((GRACE + 1) * 1000)
    expect(chip).to_be_visible()
    tab.close()
    until(lambda: _breakpoints(run) == [], "the breakpoint is lifted")
    assert any("which has gone" in e.data["by"] for e in events(run) if e.kind == "session.paused")


def _breakpoints(run):
    return [e.data["breakpoints"] for e in events(run) if e.kind == "breakpoints.changed"][-1]
