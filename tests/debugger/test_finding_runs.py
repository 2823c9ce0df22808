"""The list of runs, runs and moments that do not exist, comparing, and passing a run on."""

import pytest
from starlette.testclient import TestClient
from viewers import recorded

from foretree.debugger.server import Access, application

expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed").expect


@pytest.fixture
def calm(store):
    """A run of the same instruction in which nothing happens."""
    return recorded(store, "put the mango into the fridge", "kitchen", run_id="calm")


def test_the_list_has_ids_and_counts_actions_and_revisions(store, mango, calm, view, tab):
    tab.goto(view().page(""))
    rows = {name: tab.locator("tbody tr", has_text=name) for name in ("mango", "calm")}
    expect(rows["calm"].locator("code")).to_have_text("calm")
    expect(rows["calm"].locator("td").nth(6)).to_have_text("5")
    expect(rows["calm"].locator("td").nth(7)).to_have_text("0")
    tab.get_by_label("Search runs").fill("calm")
    expect(tab.locator("tbody tr")).to_have_count(1)
    tab.get_by_label("Search runs").fill("")
    revised = tab.locator("tbody tr").filter(has=tab.locator("code", has_text="mango"))
    expect(revised.locator("td").nth(7)).to_have_text("1")


def test_a_third_run_cannot_be_ticked(store, mango, calm, view, tab):
    recorded(store, "bring me the apple", "studio", run_id="apple")
    tab.goto(view().page(""))
    tab.get_by_label("Compare mango").check()
    tab.get_by_label("Compare apple").check()
    expect(tab.get_by_label("Compare calm")).to_be_disabled()
    expect(tab.get_by_role("link", name="Compare the two")).to_have_attribute("href", "#/compare/mango/apple")
    tab.get_by_label("Compare apple").uncheck()
    expect(tab.get_by_label("Compare calm")).to_be_enabled()


def test_of_a_run_that_does_not_exist_there_is_nothing_but_the_way_to_the_list(store, mango, view, tab):
    tab.goto(view().page("#/run/nothing"))
    expect(tab.get_by_role("alert")).to_contain_text("There is no run 'nothing'")
    expect(tab.locator("footer, canvas, [role=tab]")).to_have_count(0)
    tab.get_by_role("link", name="Show all runs").click()
    expect(tab.get_by_role("link", name="put the mango into the fridge")).to_be_visible()


def test_an_address_of_what_the_run_does_not_have_is_told(store, mango, view, tab):
    tab.goto(view().page("#/run/mango?at=999&action=a99"))
    notices = tab.locator(".notice")
    expect(notices.first).to_contain_text("there is no moment 999 s: this is its end")
    expect(notices.last).to_contain_text("This run has no action a99. It has a1, a2")
    tab.get_by_role("button", name="Close").click()
    tab.keyboard.press("Home")
    expect(notices).to_have_count(0)


def test_runs_are_compared_action_by_action(store, mango, calm, view, tab):
    address = view().page("#/compare/mango/calm")
    tab.goto(address)
    expect(tab.get_by_text("The runs diverge at 3.3 s, after action 1 began.")).to_be_visible()
    left, right = (tab.get_by_label(name, exact=True) for name in ("mango", "calm"))
    expect(left.locator(".steps li")).to_have_count(6)
    expect(right.locator(".steps li")).to_have_count(5)
    tab.get_by_role("button", name="Next action").click()
    expect(left.locator("h2")).to_contain_text("action 2 of 6")
    expect(right.locator("h2")).to_contain_text("action 2 of 5")
    expect(left.locator(".steps .now")).to_contain_text("2. move(robot1, table1, table2)")
    expect(left.locator(".steps .now")).to_contain_text("not so in the other run")
    right.get_by_role("button", name="1. move").click()
    expect(left.locator("h2")).to_contain_text("action 1 of 6")
    tab.wait_for_timeout(400)  # the time after which a run alone would change the address
    assert tab.url == address


def test_a_run_is_passed_on_as_a_file_and_as_an_address(store, mango, view, tab, tmp_path):
    tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
    tab.goto(view("mango").address)
    tab.wait_for_function("foretree.views[0].loaded")
    tab.evaluate("foretree.views[0].gotoTime(5)")
    tab.get_by_role("button", name="Share").click()
    tab.get_by_role("button", name="Copy the address of this moment").click()
    expect(tab.get_by_label("Share").get_by_role("status")).to_contain_text("Copied")
    assert tab.evaluate("navigator.clipboard.readText()").endswith("#/run/mango?at=5&panel=world")
    with tab.expect_download() as download:
        tab.get_by_role("link", name="Download the run as one HTML file").click()
    assert download.value.suggested_filename == "mango.html"
    download.value.save_as(tmp_path / "saved.html")
    tab.goto((tmp_path / "saved.html").as_uri())
    expect(tab.get_by_role("heading", level=1)).to_have_text("put the mango into the fridge")
    tab.get_by_role("button", name="Share").click()
    expect(tab.get_by_role("link", name="Download")).to_have_count(0)


def test_the_file_of_a_run_is_never_opened_as_a_page_of_the_server(store, mango):
    loopback = Access(frozenset({"127.0.0.1"}))
    client = TestClient(application(store, loopback), base_url="http://127.0.0.1")
    answer = client.get("/runs/mango/page")
    assert answer.headers["content-disposition"] == 'attachment; filename="mango.html"'
    assert answer.headers["content-security-policy"] == "sandbox"
    assert client.get("/runs/nothing/page").status_code == 404
    assert client.get("/runs/..%2Fmango/page").status_code == 404
