"""Two players with a phone each, in a real browser, who correct the same table at the same instant."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.api.pages.accessibility import violations
from tests.api.pages.hosted_table import Hosted, host_table
from tests.api.pages.player_page import (
    REACTION_S,
    hold_clock,
    keep_screenshot,
    open_section,
    open_table,
    pass_time,
    tap,
)
from tests.api.worlds import SKIRMISH

pytestmark = pytest.mark.browser

READ_MS = 4000  # so long at least an answer is there to be read
_NOTICES = """() => {
  const line = document.querySelector(".toast");
  window.notices = [];
  new MutationObserver(() => {
    const says = line.querySelector("p").innerText;
    if (says !== window.notices.at(-1)?.[0]) window.notices.push([says, Date.now()]);
  }).observe(line, { subtree: true, childList: true, characterData: true });
}"""


@pytest.fixture(scope="module")
def server() -> Iterator[Hosted]:
    with host_table("serve", "--state", str(SKIRMISH)) as table:
        yield table


@pytest.fixture
def phones(browser: Browser, server: Hosted) -> Iterator[tuple[Page, Page]]:
    """Player A's and player B's, with nothing corrected."""
    for step in server.call("GET", "corrections"):
        if not step["is_undone"]:
            server.call("POST", "corrections/undo", {"n": step["n"]})
    pages = [player(browser, server) for _ in range(2)]
    for page, seat in zip(pages, ("player-a", "player-b"), strict=True):
        page.request.put(f"{server.url}api/v1/seat", data={"seat": seat})
        open_table(page, server.url, bases=17)
    yield pages[0], pages[1]
    for page in pages:
        page.context.close()


def player(browser: Browser, server: Hosted) -> Page:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, reduced_motion="reduce")
    page = context.new_page()
    hold_clock(page)
    page.goto(server.join["players"])
    return page


def name(page: Page, id_: str, called: str) -> None:
    open_section(page, "Who")
    tap(page, id_)
    page.get_by_label("Name").fill(called)
    page.get_by_role("button", name="Save").tap()


def name_at_once(*, first: Page, second: Page) -> None:
    """The second's name is on its way while the first's is told and held."""

    def overtake(route: Route) -> None:
        with first.expect_response("**/corrections?seen=*"):  # a tap returns before the server has heard of it
            name(first, "m12", "Gorman")
        route.continue_()

    second.route("**/corrections?seen=*", overtake, times=1)
    name(second, "m12", "Juggernaut")


def test_an_undo_that_comes_second_does_not_let_the_step_hold_again(phones: tuple[Page, Page], server: Hosted) -> None:
    mine, theirs = phones
    name(mine, "m12", "Gorman")
    for page in phones:
        open_section(page, "Steps")
        expect(page.locator(".step").first).to_contain_text("Gorman")
    place = theirs.locator(".step .mend").first.bounding_box()
    assert place is not None
    for page in phones:
        pass_time(page, REACTION_S)

    mine.locator(".step .mend").first.tap()
    theirs.wait_for_selector(".step.undone")  # their finger was on its way to what said Undo
    theirs.touchscreen.tap(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)

    expect(theirs.locator(".toast p")).to_have_text("The list has just changed. Look again.")
    expect(theirs.locator(".step").first).to_contain_text("Player A, taken back")
    keep_screenshot(theirs, "undo-that-came-second")
    assert violations(theirs) == []
    assert server.call("GET", "corrections")[-1]["is_undone"] is True


def test_two_undos_that_cross_on_the_way_take_one_step_back_and_tell_who_did(
    phones: tuple[Page, Page], server: Hosted
) -> None:
    mine, theirs = phones
    name(mine, "m12", "Gorman")
    open_section(theirs, "Steps")
    expect(theirs.locator(".step").first).to_contain_text("Gorman")
    before = steps_that_hold(server)

    def undo_first(route: Route) -> None:
        server.call("POST", "corrections/undo", {"n": max(before)})
        route.continue_()

    theirs.route("**/corrections/undo", undo_first)
    pass_time(theirs, REACTION_S)
    theirs.locator(".step .mend").first.tap()

    expect(theirs.locator(".toast p")).to_have_text(re.compile("“(Reaver: )?Gorman”: The judge took it back already."))
    assert steps_that_hold(server) == before - {max(before)}


def test_who_names_a_miniature_second_sees_who_was_first_and_may_then_overrule(
    phones: tuple[Page, Page], server: Hosted
) -> None:
    mine, theirs = phones
    name_at_once(first=mine, second=theirs)

    expect(theirs.locator(".toast")).to_contain_text(
        re.compile("Player A has just told “(Reaver: )?Gorman”. Look, then tell it again.")
    )
    keep_screenshot(theirs, "named-at-once")
    assert violations(theirs) == []
    expect(mine.locator(".setup .pair h2")).to_have_text("Gorman")
    name(theirs, "m12", "Juggernaut")

    expect(mine.locator(".setup .pair h2")).to_have_text("Juggernaut")
    expect(mine.locator(".toast p")).to_have_text(re.compile(r"^Player B: (\w+: )?Juggernaut$"))


def test_two_numbers_of_a_card_told_one_after_the_other_both_hold(phones: tuple[Page, Page], server: Hosted) -> None:
    mine, theirs = phones
    for page in phones:
        open_section(page, "Who")
        tap(page, "m14")
        expect(page.get_by_role("radiogroup", name="Speed")).to_be_visible()

    mine.get_by_role("radiogroup", name="Speed").get_by_text("7″").tap()
    mine.get_by_role("radiogroup", name="Melee reach").get_by_text("2″").tap()
    expect(theirs.get_by_role("radio", name="2″", exact=True)).to_be_checked()
    theirs.get_by_role("button", name="stealth").tap()
    expect(mine.get_by_role("button", name="stealth")).to_have_attribute("aria-pressed", "true")

    (card,) = (m["profile"] for m in server.call("GET", "state")["miniatures"] if m["id"] == "m14")
    assert (card["spd_in"], card["melee"][0]["reach_in"], card["abilities"]) == (7, 2, ["stealth"])


def test_news_waits_until_it_was_read_why_a_tap_came_to_nothing(phones: tuple[Page, Page], server: Hosted) -> None:
    mine, theirs = phones
    theirs.evaluate(_NOTICES)
    name_at_once(first=mine, second=theirs)
    expect(theirs.locator(".toast")).to_contain_text("Player A has just told")
    server.call("POST", "corrections/undo", {"n": max(steps_that_hold(server))})

    expect(theirs.locator(".toast p")).to_have_text(re.compile(r"^Judge took back: (\w+: )?Gorman$"))
    (answer, answered_ms), (_, news_ms) = theirs.evaluate("window.notices")[-2:]
    assert "Player A has just told" in answer
    assert news_ms - answered_ms > READ_MS


def steps_that_hold(server: Hosted) -> set[int]:
    return {step["n"] for step in server.call("GET", "corrections") if not step["is_undone"]}
