"""The stream's overlay as a streaming program shows it, in a real browser: the right picture each time."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.api.accessibility import violations
from tests.api.onair import Hosted, hosted, is_near, opacity
from tests.api.phone_pages import keep_screenshot
from tests.api.worlds import SKIRMISH

pytestmark = pytest.mark.browser

PAIR = {"a": "m8", "b": "m14"}
STREAM = {"width": 1920, "height": 1080}


@pytest.fixture(scope="module")
def table() -> Iterator[Hosted]:
    with hosted("serve", "--state", str(SKIRMISH)) as table:
        yield table


@pytest.fixture
def program(browser: Browser, table: Hosted) -> Iterator[Page]:
    """A streaming program's browser source, and nothing on air."""
    table.tell("PUT", "overlay/production", {})
    table.tell("DELETE", "overlay/air")
    page = browser.new_page(viewport=STREAM)
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    yield page
    page.close()
    assert not wrong, wrong


def push(table: Hosted, **more: Any) -> int:
    return int(table.tell("POST", "overlay/air", {"pair": PAIR, **more})["id"])


def shown(page: Page, id_: int) -> None:
    expect(page.locator("main.on")).to_have_attribute("data-on", str(id_))
    expect(page.locator(".card")).to_have_css("opacity", "1")


def nothing_shown(page: Page) -> None:
    expect(page.locator("main.off")).to_have_css("opacity", "0")


def opened(page: Page, table: Hosted, parameters: str = "") -> None:
    page.goto(f"{table.url}overlay{parameters}")
    expect(page.locator("main")).to_be_attached()


def test_with_nothing_on_air_not_one_pixel_is_drawn(program: Page, table: Hosted) -> None:
    opened(program, table)

    assert opacity(program).max() == 0


def test_a_verdict_lies_within_the_safe_edges_and_leaves_the_rest_free(program: Page, table: Hosted) -> None:
    opened(program, table, "?safe=5&table=Table 3")
    shown(program, push(table, stays=True))
    program.wait_for_timeout(400)

    keep_screenshot(program, "overlay")
    alpha = opacity(program)
    ys, xs = alpha.nonzero()
    assert 54 <= xs.min() < xs.max() < 1920 - 54
    assert 54 <= ys.min() < ys.max() < 1080 - 54
    assert (alpha > 0).mean() < 0.3


def test_the_card_says_the_answer_by_how_much_and_where_the_rule_stands(program: Page, table: Hosted) -> None:
    opened(program, table)
    shown(program, push(table))

    expect(program.locator(".row").first).to_contain_text("Not in front")
    expect(program.locator(".row").nth(1)).to_contain_text("24.96″")
    expect(program.locator("cite")).to_contain_text("p. 39")
    expect(program.locator(".closeup .witness.blocked .stroke").first).to_be_attached()


def test_it_hides_itself(program: Page, table: Hosted) -> None:
    opened(program, table, "?stays=1")
    shown(program, push(table))

    nothing_shown(program)
    program.wait_for_timeout(300)
    assert opacity(program).max() == 0


def test_a_refresh_loses_nothing(program: Page, table: Hosted) -> None:
    opened(program, table)
    id_ = push(table)
    shown(program, id_)

    program.reload()

    shown(program, id_)


def test_a_refresh_after_its_time_brings_nothing_back(program: Page, table: Hosted) -> None:
    opened(program, table, "?stays=1")
    shown(program, push(table))
    nothing_shown(program)

    program.reload()

    expect(program.locator("main")).to_be_attached()
    program.wait_for_timeout(500)
    assert opacity(program).max() == 0


def test_a_source_that_was_hidden_shows_what_is_on_air_when_it_is_seen_again(program: Page, table: Hosted) -> None:
    opened(program, table)
    shown(program, push(table))
    program.context.new_cdp_session(program).send("Page.setWebLifecycleState", {"state": "frozen"})
    newest = push(table, stays=True)

    program.context.new_cdp_session(program).send("Page.setWebLifecycleState", {"state": "active"})

    shown(program, newest)


def test_a_delayed_stream_shows_it_as_much_later(program: Page, table: Hosted) -> None:
    opened(program, table, "?delay=1.5")

    id_ = push(table)

    program.wait_for_timeout(700)
    expect(program.locator("main.on")).to_have_count(0)
    shown(program, id_)


def test_nothing_is_shown_before_it_is_resolved(program: Page, table: Hosted) -> None:
    table.tell("PUT", "overlay/production", {"hide_until_resolved": True})
    opened(program, table)
    id_ = push(table)
    program.wait_for_timeout(500)
    expect(program.locator("main.on")).to_have_count(0)

    table.tell("POST", f"overlay/air/{id_}/resolved", {"ruling": "Accepted"})

    shown(program, id_)
    expect(program.locator(".ruled")).to_contain_text("Judge Accepted")


def test_what_is_taken_off_is_gone_at_once(program: Page, table: Hosted) -> None:
    opened(program, table)
    shown(program, push(table, stays=True))

    table.tell("DELETE", "overlay/air")

    nothing_shown(program)


def test_the_lines_alone_lie_where_the_address_says(program: Page, table: Hosted) -> None:
    opened(program, table, "?widgets=lines&box=100,40,1000,1000")
    push(table, stays=True)
    expect(program.locator("main.on")).to_be_attached()
    program.wait_for_timeout(400)

    alpha = opacity(program)

    scale = 1000 / 1219.2
    assert is_near(alpha, (100 + scale * 506.8, 40 + scale * (1219.2 - 766.2)))
    assert alpha[:, 1100:].max() == 0


def test_the_card_breaks_no_rule_of_accessibility(program: Page, table: Hosted) -> None:
    opened(program, table, "?theme=light")
    shown(program, push(table, stays=True))
    program.wait_for_timeout(400)

    assert violations(program) == []
