"""A moment on screen is whole: every way to it shows what its tick came to, in every part of the page."""

import re

import pytest

expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed").expect

#: Statuses of the boxes of the tree that carry out actions, by action.
ACTS = """Object.fromEntries([...foretree.views[0].state.nodes.values()]
  .filter(n => n.type === 'Act').map(n => [n.id.match(/a\\d+/)[0], n.status]))"""


@pytest.mark.parametrize("way", ["mark", "log", "detail"])
def test_the_start_of_an_action_shows_it_running_and_the_one_before_done(page, way):
    name = re.compile(r"^\S+ s · Action 6\. place_in")
    if way == "log":
        page.get_by_role("tab", name="Log").click()
        page.locator(".log li", has_text="start: 6. place_in").click()
        expect(page.locator(".log li.ahead", has_text="done: 6. place_in")).to_have_count(1)
    else:
        page.get_by_role("button", name=name).click()
    if way == "detail":
        page.keyboard.press("End")
        page.get_by_role("button", name="Go to its start").click()
    page.wait_for_function(f"({ACTS}).a5 === 'RUNNING'")
    assert page.evaluate(ACTS)["a4"] == "SUCCESS"
    page.keyboard.press("3")
    expect(page.locator(".gantt .actual.running")).to_have_count(1)


def test_the_mark_of_a_revision_shows_what_it_put_in_and_took_out(page):
    page.get_by_role("button", name=re.compile("Revision by")).click()
    page.locator("[aria-label=Revision]", has_text="Revision 1 of 1").wait_for()
    removed, added, kept = page.evaluate(
        """(() => { const { splice, nodes } = foretree.views[0].state; return [
          splice.removed.map(n => n.name), [...splice.added].map(id => id.match(/a\\d+/)[0]),
          [...nodes.keys()].filter(id => !splice.added.has(id)).join(' ')]; })()"""
    )
    assert "pick(robot1, left_hand, mango1, table1)" in removed
    assert {"a6", "a7"} <= set(added)
    assert not {"a1", "a4", "a5"} & set(added)
    assert "/a5" in kept
    expect(page.locator(".revisions", has_text="Revision 1 of 1")).to_have_count(1)


def test_a_first_plan_is_no_difference(page):
    page.get_by_label("Difference").check()
    page.evaluate("foretree.views[0].gotoTime(1)")
    page.locator(".revisions", has_text="before the first of 1").wait_for()
    assert page.evaluate("foretree.views[0].state.splice.revises") is False


def test_the_revision_before_leads_back_from_the_end(page):
    page.locator(".revisions", has_text="after revision 1 of 1").wait_for()
    page.get_by_role("button", name="Revision before").click()
    page.locator(".revisions", has_text="Revision 1 of 1").wait_for()
    assert page.evaluate("foretree.views[0].state.splice.removed.length") > 0
    expect(page.get_by_role("button", name="Revision before")).to_be_disabled()


def test_the_middle_of_an_action_is_a_moment(page):
    page.evaluate("foretree.views[0].gotoTime(1.5)")
    page.wait_for_function("document.querySelector('.clock').textContent.startsWith('1.5 /')")
    expect(page.locator(".clock")).to_contain_text("tick 16")
    assert page.evaluate("foretree.views[0].state.actions.get('a1').status") == "running"
    page.wait_for_function("location.hash.includes('at=1.5')")
    address = page.url
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_function("document.querySelector('.clock').textContent.startsWith('1.5 /')")


def test_a_run_that_was_just_opened_plays(page):
    expect(page.locator(".clock")).to_contain_text("24.7 / 24.7 s")
    page.keyboard.press("Space")
    page.wait_for_function("foretree.views[0].time > 0.5 && foretree.views[0].playing")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()


def test_an_address_with_no_moment_in_it_says_so(page):
    page.goto(page.url.split("#")[0] + "#/?at=abc")
    page.reload()
    expect(page.locator(".notice")).to_contain_text("at=abc, which is no number of seconds: this is the end.")
    page.keyboard.press("Home")
    expect(page.locator(".notice")).to_have_count(0)


def test_the_clock_counts_ticks_while_it_plays(page):
    page.keyboard.press("Home")
    page.keyboard.press("Space")
    page.wait_for_function("foretree.views[0].time > 1.2")
    page.keyboard.press("Space")
    time, tick = page.evaluate("[foretree.views[0].time, foretree.views[0].tick]")
    assert tick == pytest.approx(time * 10 + 1, abs=1.01)
    expect(page.locator(".clock")).to_contain_text(f"{time:.1f} /")


def test_the_first_moment_has_a_tree_and_marks_lead_to_it(page):
    page.keyboard.press("Home")
    page.wait_for_function("foretree.views[0].state.nodes.size > 0")
    expect(page.get_by_text("No tree yet")).to_have_count(0)
    page.get_by_role("button", name=re.compile(r"Action \d+\. move")).first.click()
    page.get_by_role("button", name="Previous mark").click()
    page.wait_for_function("foretree.views[0].tick === 0")
    page.wait_for_function("foretree.views[0].state.nodes.size > 0")


def test_a_fault_says_what_happened_and_the_world_shows_it(page):
    page.get_by_role("button", name=re.compile("Fault")).click()
    page.locator(".news", has_text="Fault: mango1 moved to table2").wait_for()
    told = page.get_by_label("What happened")
    expect(told).to_contain_text("Fault: mango1 moved to table2. The robot saw")
    expect(told).to_contain_text(
        "Discrepancy: pick(robot1, left_hand, mango1, table1) expects mango1 is on table1"
    )
    told.get_by_role("button", name=re.compile("^Discrepancy")).click()
    expect(page.locator(".detail h2")).to_contain_text("pick(robot1, left_hand, mango1, table1)")


def test_marks_of_one_moment_are_piled_up(page):
    fault, found = (
        page.get_by_role("button", name=re.compile(f"s · {kind}")) for kind in ("Fault", "Discrepancy")
    )
    one, other = fault.bounding_box(), found.bounding_box()
    assert (one["x"], one["y"] + one["height"]) == pytest.approx((other["x"], other["y"]), abs=2)


def test_marks_do_not_lie_on_each_other(page):
    boxes = [mark.bounding_box() for mark in page.locator(".scrubber .mark").all()]
    for index, one in enumerate(boxes):
        for other in boxes[index + 1 :]:
            assert abs(one["x"] - other["x"]) > 4 or abs(one["y"] - other["y"]) > 4


def test_a_robot_goes_from_where_it_stood_to_where_it_goes(page):
    """Under way it is believed to be nowhere; it is drawn between the two places, with what it holds."""
    move = page.evaluate("[...foretree.views[0].state.actions.values()].find(a => a.id === 'a8')")
    places = []
    for share in (0, 0.25, 0.75, 1):
        moment = move["started"] + share * (move["ended"] - move["started"])
        page.evaluate(f"foretree.views[0].gotoTime({moment})")
        expect(page.locator(".clock")).to_contain_text(f"{moment:.1f} /")
        places.append(page.locator(".thing.robot circle").bounding_box())
        held = page.locator("[aria-label^='mango1, mango'] circle").bounding_box()
        assert held["x"] == pytest.approx(
            places[-1]["x"] + places[-1]["width"] / 2 - held["width"] / 2, abs=2
        )
    expect(page.locator(".name.robot")).to_contain_text("left_hand: mango1")
    (x0, y0), (x1, y1) = [(place["x"], place["y"]) for place in (places[0], places[-1])]
    for share, place in zip((0.25, 0.75), places[1:3], strict=True):
        assert place["x"] == pytest.approx(x0 + share * (x1 - x0), abs=3)
        assert place["y"] == pytest.approx(y0 + share * (y1 - y0), abs=3)
    assert abs(x1 - x0) + abs(y1 - y0) > 50
