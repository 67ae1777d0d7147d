"""The judge's page in a real browser, on a phone and on a tablet: what a judge does in a game."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.api.pages.accessibility import violations
from tests.api.pages.hosted_table import Hosted, host_table
from tests.api.pages.player_page import keep_screenshot
from tests.api.worlds import SKIRMISH

pytestmark = pytest.mark.browser

PHONE, TABLET, SMALL, DESK = (390, 844), (1024, 768), (320, 640), (1440, 900)
PAIR = ("Trencher", "Sergeant")


@pytest.fixture(scope="module")
def table() -> Iterator[Hosted]:
    with host_table("serve", "--state", str(SKIRMISH)) as table:
        yield table


def page_of(browser: Browser, size: tuple[int, int], *, is_calm: bool = False) -> Page:
    return browser.new_page(
        viewport={"width": size[0], "height": size[1]},
        has_touch=True,
        is_mobile=size[0] < 500,
        reduced_motion="reduce" if is_calm else "no-preference",
    )


@pytest.fixture(params=[PHONE, TABLET, DESK], ids=["phone", "tablet", "desk"])
def judge(request: pytest.FixtureRequest, browser: Browser, table: Hosted) -> Iterator[Page]:
    """The page as the judge's code opens it; the test fails when a script on it does."""
    page = page_of(browser, request.param)
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(table.join["judge"])
    expect(page.locator(".desk .base").first).to_be_visible()
    yield page
    page.close()
    assert not wrong, wrong


def go(page: Page, tab: str) -> None:
    button = page.get_by_role("navigation").get_by_role("button", name=tab, exact=True)
    button.tap()
    expect(button).to_have_attribute("aria-current", "page")


def pick_pair(page: Page) -> None:
    go(page, "Table")
    for name in PAIR:
        page.locator(".entry", has_text=name).first.tap()
    expect(page.locator(".verdicts [data-slot=completely]")).to_be_visible()


def open_verdict(page: Page, slot: str) -> None:
    page.locator(f"[data-slot={slot}] .verdict").tap()
    expect(page.get_by_role("group", name="Your ruling")).to_be_visible()


def newest(table: Hosted) -> dict[str, object]:
    return dict(table.call("GET", "rulings")[-1])


def test_a_verdict_is_accepted_with_one_tap_and_once_only_on_bad_wifi(judge: Page, table: Hosted) -> None:
    pick_pair(judge)
    open_verdict(judge, "distance")

    before = len(table.call("GET", "rulings"))
    judge.route("**/api/v1/rulings", lambda route: (route.fetch(), route.abort())[1], times=1)  # the answer is lost
    judge.get_by_role("button", name="Accept", exact=True).tap()
    expect(judge.get_by_text("The server cannot be reached.")).to_be_visible()

    judge.get_by_role("button", name="Accept", exact=True).tap()

    expect(judge.locator(".written")).to_contain_text("written. Accepted")
    assert len(table.call("GET", "rulings")) == before + 1
    keep_screenshot(judge, f"judge-{judge.viewport_size['width']}")  # type: ignore[index]
    assert newest(table)["said"] == "Accepted"
    assert newest(table)["title"] == "Distance"


def test_overruling_asks_what_stands_and_why_and_offers_both(judge: Page, table: Hosted) -> None:
    pick_pair(judge)
    open_verdict(judge, "sight")
    judge.get_by_role("button", name="Overrule", exact=True).tap()
    write = judge.get_by_role("button", name="Write the ruling")
    expect(write).to_be_disabled()

    judge.get_by_role("button", name="Clear", exact=True).tap()
    judge.get_by_role("button", name="The camera could not see it").tap()
    write.tap()

    expect(judge.locator(".written")).to_contain_text("Overruled: Clear")
    assert newest(table)["said"] == "Overruled: Clear"


def test_a_tape_takes_the_cameras_place_and_says_so(judge: Page) -> None:
    pick_pair(judge)
    camera = judge.locator("[data-slot=distance] b").inner_text()
    judge.get_by_role("button", name="Tape reading").tap()
    judge.get_by_label("Inches").fill("9.3")
    judge.get_by_role("button", name="Use the tape").tap()

    expect(judge.locator(".tape.laid")).to_contain_text(f"By your tape: 9.30″. The camera had {camera}")
    expect(judge.locator("[data-slot=distance] b")).to_have_text("9.30″")
    open_verdict(judge, "distance")
    expect(judge.locator(".because").first).to_contain_text("judge measured 9.30 in ± 0.06 with a tape")
    judge.get_by_role("button", name="Use the camera").tap()
    expect(judge.locator("[data-slot=distance] b")).to_have_text(camera)


def test_the_judge_types_any_range(judge: Page) -> None:
    pick_pair(judge)
    open_verdict(judge, "range")
    typed = judge.get_by_role("spinbutton", name="Range")
    typed.fill("7.25")
    typed.press("Enter")

    shot = judge.locator("[data-slot=range] .verdict")
    expect(shot).to_contain_text("A shoots B 7.25″")
    expect(shot.locator("b").first).to_have_text("Out of range")
    keep_screenshot(judge, "judge-range")


def test_an_earlier_moment_is_asked_about_again(judge: Page) -> None:
    go(judge, "Timeline")
    judge.get_by_role("button", name="At rest").tap()
    judge.get_by_role("button", name=re.compile("came to rest")).last.tap()

    expect(judge.locator(".when.then")).to_contain_text("As it was at")
    pick_pair(judge)
    expect(judge.locator("[data-slot=distance] b")).to_contain_text("″")
    for drawn in (".base.side-0", ".base.side-1", ".hatched"):  # sides and ground by pattern, as on players' phones
        expect(judge.locator(drawn).first).to_be_attached()
    judge.get_by_role("button", name="Back to now").tap()
    expect(judge.locator(".when.now")).to_have_text("Now")


def test_the_judge_sets_the_score_and_what_is_typed_stays(judge: Page, table: Hosted) -> None:
    go(judge, "Clocks")
    form = judge.locator("form.score")
    form.get_by_label("Points of Player A").fill("7")
    said = table.call("PUT", "scoreboard/score", {"round": 3, "points": {"player-a": 1, "player-b": 2}})
    expect(form.get_by_label("Points of Player B")).to_have_value("2")
    expect(form.get_by_label("Points of Player A")).to_have_value("7")

    with judge.expect_response("**/scoreboard/score"):
        form.get_by_role("button", name="Set the score").tap()
    score = table.call("GET", "scoreboard")["score"]
    assert (score["round"], score["points"], score["by"]) == (3, {"player-a": 7, "player-b": 2}, "judge")
    table.call("PUT", "scoreboard/score", {"round": 4, "points": {"player-a": 8, "player-b": 2}})
    expect(form.get_by_label("Points of Player A")).to_have_value("8")  # no field is in use any more

    assert table.call("GET", "scoreboard")["score"]["n"] == said["score"]["n"] + 2
    assert violations(judge) == []
    keep_screenshot(judge, "judge-score")


def test_the_clocks_run_stop_for_a_ruling_and_get_time_with_a_note(judge: Page, table: Hosted) -> None:
    table.call("DELETE", "clocks")
    go(judge, "Clocks")
    judge.get_by_role("button", name="60 minutes each").tap()
    judge.get_by_role("button", name=re.compile("^Player A.*1:00:00")).tap()
    expect(judge.locator(".face.runs")).to_contain_text(re.compile(r"59:\d\d"))

    judge.get_by_role("button", name="Stop the clocks").tap()
    expect(judge.locator(".clock-line")).to_contain_text("Clocks stopped for a ruling")
    judge.get_by_role("button", name="Player B", exact=True).tap()
    judge.get_by_role("button", name="Late start").tap()
    judge.get_by_role("button", name="Give +3 min").tap()

    expect(judge.locator(".given")).to_contain_text("+3 min Player B")
    expect(judge.locator(".face").nth(1)).to_contain_text("1:03:00")
    judge.get_by_role("button", name="Run again").tap()
    expect(judge.locator(".face.runs")).to_contain_text("Player A")


def test_a_ruling_is_withdrawn_with_a_reason_and_its_record_printed(judge: Page, table: Hosted) -> None:
    about = {"pair": {"a": "m7", "b": "m10"}, "slot": "distance"}
    n = table.call("POST", "rulings", {"about": about, "decision": "accepted"})["number"]
    go(judge, "Timeline")
    line = judge.locator("li.ruled").first

    with judge.expect_popup() as record:
        line.get_by_role("link", name=f"Record {n}").tap()
    expect(record.value.get_by_role("heading", name=f"Ruling {n}")).to_be_visible()
    assert record.value.locator("figure svg").count() == 1
    record.value.close()
    line.get_by_role("button", name="Withdraw").tap()
    judge.get_by_label("Why does it not hold?").fill("wrong miniature")
    line.get_by_role("button", name="Withdraw").tap()

    expect(line).to_contain_text("Withdrawn: wrong miniature")


def test_what_the_judge_pushes_is_on_the_stream_until_it_is_taken_off(judge: Page, table: Hosted) -> None:
    table.call("PUT", "overlay/production", {})
    pick_pair(judge)
    open_verdict(judge, "sight")
    judge.get_by_role("button", name="Put on stream").tap()
    expect(judge.get_by_text("On the stream.")).to_be_visible()
    assert table.call("GET", "overlay")["items"][-1]["lines"][0]["slot"] == "sight"

    go(judge, "Stream")
    judge.get_by_role("switch", name=re.compile("Hide until resolved")).tap()
    judge.get_by_role("button", name="Take off air").tap()

    expect(judge.get_by_text("Nothing is on air.")).to_be_visible()
    assert table.call("GET", "overlay")["production"]["hide_until_resolved"] is True


def test_another_table_is_seen_at_a_glance(judge: Page, table: Hosted) -> None:
    table.call("PUT", "tables", {"tables": []})
    go(judge, "Tables")
    judge.get_by_text("Add a table").tap()
    judge.get_by_label("Name").fill("Table 7")
    judge.get_by_label("Address").fill(table.url)
    judge.get_by_role("button", name="Add", exact=True).tap()

    other = judge.get_by_role("link", name=re.compile("Table 7"))
    expect(other).to_contain_text("17 miniatures")
    judge.get_by_role("button", name="Remove Table 7").tap()
    expect(other).to_have_count(0)


def test_whoever_has_no_code_looks_and_writes_nothing(browser: Browser, table: Hosted) -> None:
    page = page_of(browser, PHONE)
    page.goto(f"{table.url}judge")
    pick_pair(page)
    page.locator("[data-slot=sight] .verdict").tap()

    expect(page.locator(".details")).to_contain_text("p. ")
    expect(page.get_by_role("group", name="Your ruling")).to_have_count(0)
    go(page, "Tables")
    page.get_by_label("Judge's code").fill(table.join["judge"].rsplit("/", 1)[1])
    page.get_by_role("button", name="Take the seat").tap()
    expect(page.get_by_text("Add a table")).to_be_visible()
    go(page, "Table")
    expect(page.get_by_role("group", name="Your ruling")).to_be_visible()
    page.close()


@pytest.mark.parametrize("size", [SMALL, PHONE], ids=["small", "phone"])
def test_no_part_is_wider_than_the_screen(browser: Browser, table: Hosted, size: tuple[int, int]) -> None:
    table.call("PUT", "clocks", {"minutes": 60})
    table.call("POST", "clocks/pass", {"to": "player-b"})
    page = page_of(browser, size)
    page.goto(table.join["judge"])
    expect(page.locator(".clock-line")).to_be_visible()

    widths = {"Tables": page.evaluate("document.documentElement.scrollWidth")}
    for tab in ("Timeline", "Table", "Clocks", "Stream"):
        go(page, tab)
        widths[tab] = page.evaluate("document.documentElement.scrollWidth")
    assert {tab: wide for tab, wide in widths.items() if wide > size[0]} == {}
    page.close()


@pytest.mark.parametrize("size", [SMALL, TABLET, DESK], ids=["small", "tablet", "desk"])
def test_no_part_breaks_the_rules_of_accessibility(browser: Browser, table: Hosted, size: tuple[int, int]) -> None:
    table.call("PUT", "clocks", {"minutes": 60})
    table.call("POST", "clocks/pass", {"to": "player-b"})
    page = page_of(browser, size, is_calm=True)
    page.goto(table.join["judge"])
    expect(page.locator(".desk .base").first).to_be_visible()
    found = {"table": violations(page)}
    for tab in ("Tables", "Timeline", "Clocks", "Stream"):
        go(page, tab)
        found[tab] = violations(page)
    pick_pair(page)
    open_verdict(page, "sight")
    found["verdict"] = violations(page)
    page.get_by_role("button", name="Overrule", exact=True).tap()
    page.get_by_role("button", name="Tape reading").tap()
    found["draft"] = violations(page)

    assert {part: wrong for part, wrong in found.items() if wrong} == {}
    page.close()
