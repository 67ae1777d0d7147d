"""The stream's overlay as a streaming program shows it, in a real browser: the right picture each time."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import pytest
from playwright.sync_api import Browser, Page, expect

from api.live.hub import Hub
from api.server.app import create_app
from api.setups.schemas import ExpectedMiniature, RosterSet
from models.base import RoundBase
from tests.api.fakes import ask
from tests.api.pages.accessibility import violations
from tests.api.pages.hosted_table import Hosted, host_table, is_near, opacity
from tests.api.pages.player_page import hold_clock, keep_screenshot, wait_for_frame
from tests.api.serving import serve_app
from tests.api.worlds import SKIRMISH, skirmish
from tests.plugins import Install

pytestmark = pytest.mark.browser

PAIR = {"a": "m8", "b": "m14"}
FAILING_WIDGET = Path(__file__).with_name("failing_widget.js")
STREAM = {"width": 1920, "height": 1080}
_HEARD = """window.EventSource = class extends EventSource {
  constructor(address) {
    super(address);
    this.addEventListener("message", ({ data }) => { window.board = JSON.parse(data); });
  }
};"""


@pytest.fixture(scope="module")
def table() -> Iterator[Hosted]:
    with host_table("serve", "--state", str(SKIRMISH)) as table:
        yield table


@pytest.fixture
def program(browser: Browser, table: Hosted) -> Iterator[Page]:
    """A streaming program's browser source, and nothing on air."""
    table.call("PUT", "overlay/production", {})
    table.call("DELETE", "overlay/air")
    page = browser.new_page(viewport=STREAM)
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    yield page
    page.close()
    assert not wrong, wrong


class Studio:
    """A table whose clock goes on when a test says so, and a browser source that heard its boards."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._now_s = 1000.0
        hold_clock(page)
        page.add_init_script(_HEARD)

    @contextmanager
    def serve(self) -> Iterator[str]:
        hub = Hub(title="test table")
        hub.show(skirmish())
        with serve_app(create_app(hub, ask=ask, clock=lambda: self._now_s)) as url:
            yield url

    def push(self, url: str) -> int:
        return int(self._page.request.post(f"{url}api/v1/overlay/air", data={"pair": PAIR}).json()["id"])

    def wait(self, seconds: float) -> None:
        """So much later at the table and, by the next board, at the browser source."""
        self._now_s += seconds
        self.hear(f"board.now_s === {self._now_s}")

    def hear(self, what: str) -> None:
        """Wait for a board of which this is true, and until the page is drawn after it."""
        self._page.wait_for_function(f"() => {{ const board = window.board; return board && {what}; }}")
        wait_for_frame(self._page)


@pytest.fixture
def studio(program: Page) -> Studio:
    return Studio(program)


def push(table: Hosted, **more: Any) -> int:
    return int(table.call("POST", "overlay/air", {"pair": PAIR, "stays": True, **more})["id"])


def expect_on_air(page: Page, id_: int) -> None:
    expect(page.locator("main.on")).to_have_attribute("data-on", str(id_))
    expect(page.locator("main.on")).to_have_css("opacity", "1")
    expect(page.locator(".card")).to_have_css("opacity", "1")


def expect_nothing_on_air(page: Page) -> None:
    expect(page.locator("main.off")).to_have_css("opacity", "0")


def open_overlay(page: Page, table: Hosted, parameters: str = "") -> None:
    page.goto(f"{table.url}overlay{parameters}")
    expect(page.locator("main")).to_be_attached()


def test_with_nothing_on_air_not_one_pixel_is_drawn(program: Page, table: Hosted) -> None:
    open_overlay(program, table)

    assert opacity(program).max() == 0


def test_a_verdict_lies_within_the_safe_edges_and_leaves_the_rest_free(program: Page, table: Hosted) -> None:
    open_overlay(program, table, "?safe=5&table=Table 3")
    expect_on_air(program, push(table))

    keep_screenshot(program, "overlay")
    alpha = opacity(program)
    ys, xs = alpha.nonzero()
    assert 54 <= xs.min() < xs.max() < 1920 - 54
    assert 54 <= ys.min() < ys.max() < 1080 - 54
    assert (alpha > 0).mean() < 0.3


def test_the_card_says_the_answer_by_how_much_and_where_the_rule_stands(program: Page, table: Hosted) -> None:
    open_overlay(program, table)
    expect_on_air(program, push(table))

    expect(program.locator(".row").first).to_contain_text("Not in front")
    expect(program.locator(".row").nth(1)).to_contain_text("24.96″")
    expect(program.locator("cite")).to_contain_text("p. 39")
    expect(program.locator(".closeup .witness.blocked .stroke").first).to_be_attached()


def test_it_hides_itself(program: Page, studio: Studio) -> None:
    with studio.serve() as url:
        program.goto(f"{url}overlay?stays=1")
        expect_on_air(program, studio.push(url))

        studio.wait(1)

        expect_nothing_on_air(program)
        assert opacity(program).max() == 0


def test_a_refresh_loses_nothing(program: Page, studio: Studio) -> None:
    with studio.serve() as url:
        program.goto(f"{url}overlay")
        id_ = studio.push(url)
        expect_on_air(program, id_)

        program.reload()

        expect_on_air(program, id_)


def test_a_refresh_after_its_time_brings_nothing_back(program: Page, studio: Studio) -> None:
    with studio.serve() as url:
        program.goto(f"{url}overlay?stays=1")
        expect_on_air(program, studio.push(url))
        studio.wait(1)
        expect_nothing_on_air(program)

        program.reload()

        studio.hear("board.items.length === 1")
        assert opacity(program).max() == 0


def test_a_source_that_was_hidden_shows_what_is_on_air_when_it_is_seen_again(program: Page, table: Hosted) -> None:
    open_overlay(program, table)
    expect_on_air(program, push(table))
    program.context.new_cdp_session(program).send("Page.setWebLifecycleState", {"state": "frozen"})
    newest = push(table)

    program.context.new_cdp_session(program).send("Page.setWebLifecycleState", {"state": "active"})

    expect_on_air(program, newest)


def test_a_delayed_stream_shows_it_as_much_later(program: Page, studio: Studio) -> None:
    with studio.serve() as url:
        program.goto(f"{url}overlay?delay=1.5")
        id_ = studio.push(url)
        studio.hear("board.items.length === 1")
        studio.wait(1.4)
        assert program.locator("main.on").count() == 0

        studio.wait(0.1)

        expect_on_air(program, id_)


def test_nothing_is_shown_before_it_is_resolved(program: Page, table: Hosted) -> None:
    table.call("PUT", "overlay/production", {"hide_until_resolved": True})
    open_overlay(program, table)
    earlier, id_ = push(table), push(table, pair={"a": "m10", "b": "m7"})
    with pytest.raises(HTTPError, match="404"):  # a pair that another took the place of comes back by no answer
        table.call("POST", f"overlay/air/{earlier}/resolved", {"ruling": "Rolled"})
    expect(program.locator("main.on")).to_have_count(0)

    table.call("POST", f"overlay/air/{id_}/resolved", {"ruling": "Accepted"})

    expect_on_air(program, id_)
    expect(program.locator(".ruled")).to_contain_text("Judge Accepted")


def test_what_is_taken_off_is_gone_at_once(program: Page, table: Hosted) -> None:
    open_overlay(program, table)
    expect_on_air(program, push(table))

    table.call("DELETE", "overlay/air")

    expect_nothing_on_air(program)


def test_the_lines_alone_lie_where_the_address_says(program: Page, table: Hosted) -> None:
    open_overlay(program, table, "?widgets=lines&box=100,40,1000,1000")
    push(table)
    expect(program.locator("main.on")).to_be_attached()

    alpha = opacity(program)

    scale = 1000 / 1219.2
    assert is_near(alpha, (100 + scale * 506.8, 40 + scale * (1219.2 - 766.2)))
    assert alpha[:, 1100:].max() == 0


def test_the_card_breaks_no_rule_of_accessibility(program: Page, table: Hosted) -> None:
    open_overlay(program, table, "?theme=light")
    expect_on_air(program, push(table))

    assert violations(program) == []


def test_the_card_says_how_many_bases_of_the_lists_are_unseen(browser: Browser) -> None:
    hub = Hub(title="test table")
    hub.show(skirmish())
    giant = ExpectedMiniature(name="Giant", base=RoundBase(diameter_mm=120))
    hub.expect(RosterSet(expected=(giant,), by="judge"))
    page = browser.new_page(viewport=STREAM)
    with serve_app(create_app(hub, ask=ask)) as url:
        page.request.post(f"{url}api/v1/overlay/air", data={"pair": PAIR, "stays": True})
        page.goto(f"{url}overlay")
        expect(page.locator(".roll")).to_have_text("1 base of the lists is unseen")
        keep_screenshot(page, "overlay-roll")
    page.close()


@pytest.mark.usefixtures("example_package")
def test_a_widget_of_another_package_is_drawn_and_one_that_fails_is_left_out(program: Page, install: Install) -> None:
    """One is asked for that no package brings, and one that fails as it draws: neither hides the third."""
    install("broken", overlay_widgets={"bad": "tests.api.pages.overlay.test_overlay_page:FAILING_WIDGET"})
    said: list[str] = []
    program.on("console", lambda message: said.append(message.text))
    hub = Hub(title="test table")
    hub.show(skirmish())
    with serve_app(create_app(hub, ask=ask)) as url:
        program.goto(f"{url}overlay?widgets=on-air-count,bad,none")
        expect(program.locator("#plugin-widgets")).to_have_text("0 on air so far")
        program.request.post(f"{url}api/v1/overlay/air", data={"pair": PAIR})
        expect(program.locator("#plugin-widgets")).to_have_text("1 on air so far")
        keep_screenshot(program, "overlay-plugin-widget")
        listed = program.request.get(f"{url}api/v1/overlay/widgets").json()

    assert listed == ["bad", "on-air-count"]
    assert sorted(text.split(" left out")[0] for text in said if "left out" in text) == ["widget bad", "widget none"]


def at_beat(page: Page, seconds: float) -> dict[str, float]:
    """What is to be seen so long after a verdict went on air: opacities, and how wide the close-up's drawing is."""
    return page.evaluate(  # type: ignore[no-any-return]
        """(seconds) => {
          const gone = parseFloat(document.querySelector(".card").style.getPropertyValue("--gone"));
          for (const one of document.getAnimations()) { one.pause(); one.currentTime = (seconds + gone) * 1000; }
          const of = (name) => Number(getComputedStyle(document.querySelector(name)).opacity);
          return { dim: of(".dim"), word: of(".said .row"), label: of(".closeup .tag"),
                   scale: new DOMMatrix(getComputedStyle(document.querySelector(".approach")).transform).a };
        }""",
        seconds,
    )


def test_a_verdict_goes_on_air_in_three_beats_and_then_the_word(program: Page, table: Hosted) -> None:
    program.goto(f"{table.url}overlay")
    table.call("POST", "overlay/air", {"pair": PAIR, "stays": True})
    expect(program.locator(".card .row").first).to_be_visible()
    dimmed, near, told = (at_beat(program, seconds) for seconds in (0.1, 1.9, 9.0))

    assert dimmed["dim"] > 0.4
    assert dimmed["scale"] < 0.6
    assert (dimmed["label"], dimmed["word"]) == (0, 0)
    assert (near["dim"], near["scale"], near["label"], near["word"]) == (0, 1, 1, 0)
    assert (told["scale"], told["word"]) == (1, 1)


def test_who_wants_no_motion_sees_the_end_at_once(browser: Browser, table: Hosted) -> None:
    page = browser.new_page(viewport=STREAM, reduced_motion="reduce")
    page.goto(f"{table.url}overlay")
    table.call("POST", "overlay/air", {"pair": PAIR, "stays": True})
    expect(page.locator(".card .row").first).to_be_visible()
    moving = page.evaluate("document.getAnimations().map((one) => one.animationName)")
    seen = at_beat(page, 0.0)
    page.close()

    assert moving == []
    assert (seen["scale"], seen["word"], seen["dim"]) == (1, 1, 0)


def test_the_armies_stand_with_what_is_left_and_what_is_destroyed(browser: Browser, tmp_path: Path) -> None:
    lists = {"red": "Muster (130 points)\n\nUNITS\n\n6 Reeve (90 points)\n\nDame Marl (40 points)\n"}
    lists["blue"] = lists["red"].replace("Dame Marl", "Heron")
    for side, text in lists.items():
        (tmp_path / f"{side}.txt").write_text(text)
    rosters = [part for side in lists for part in ("--roster", f"{side}={tmp_path / f'{side}.txt'}")]
    with host_table("serve", "--state", str(SKIRMISH), "--open", *rosters) as table:
        entry = next(one for one in table.call("GET", "lists")["entries"] if one["expected"]["name"] == "Dame Marl")
        table.call("POST", "lists/casualty", {"entry": entry["expected"]["entry"]})
        page = browser.new_page(viewport=STREAM)
        page.goto(f"{table.url}overlay?widgets=army")
        armies = page.get_by_role("complementary", name="Armies").locator("section")
        expect(armies).to_have_count(2)
        expect(armies.first).to_contain_text("90 of 130 points")
        expect(armies.first).to_contain_text("6 of 7 miniatures")
        expect(armies.first).to_contain_text("Destroyed: Dame Marl")
        expect(armies.last).to_contain_text("130 of 130 points")
        keep_screenshot(page, "overlay-armies")
        wrong = violations(page)
        page.close()

    assert wrong == []
