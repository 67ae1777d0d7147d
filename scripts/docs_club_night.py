"""Pictures of the tutorial "A club night": what each person sees, one after the other, from the demo's own table."""

import json
import tempfile

from playwright.sync_api import Browser, Page, ViewportSize, expect

from api.printing.boards import render_setup_pages
from api.printing.paper import PaperName
from scripts.docs_album import PICTURES, Album, open_page
from tests.api.pages.hosted_table import Hosted, host_table
from tests.api.pages.player_page import middle, open_section, pick, pick_pair, tap
from tests.api.pages.side_by_side import serve_shared, sit_down
from tests.api.serving import start_program
from tests.api.worlds import skirmish

ALBUM = Album(PICTURES / "club-night")
TABLET = ViewportSize(width=1024, height=768)
STREAM = ViewportSize(width=1920, height=1080)
PAIR = ("Reeve Sergeant", "Slinger")
_BASES = 16


def take(browser: Browser) -> None:
    """Take all of them."""
    ALBUM.keep_print(render_setup_pages(PaperName.A4), "1-page", scale=1.2)
    _set_up(browser)
    with host_table("demo") as table:
        phone = _sit_down(browser, table)
        _ask(phone)
        _look_further(phone)
        _put_on_air(browser, table)
        _rule(browser, table)
        _read_ruling(browser, phone, table)
    _dispute(browser)


def _set_up(browser: Browser) -> None:
    """The first page of `tableside setup`, on a phone."""
    command = ("setup", "--table-name", "Table 4")
    with (
        tempfile.TemporaryDirectory() as folder,
        start_program(*command, environment={"TABLESIDE_TABLES": folder}) as server,
    ):
        assert server.stdout is not None
        page = open_page(browser, json.loads(server.stdout.readline())["join"]["players"])
        expect(page.get_by_role("button", name="Next")).to_be_visible()
        ALBUM.shoot(page, "2-setup")
        page.get_by_role("radio", name="This phone, now and then").tap()
        page.get_by_role("button", name="Next").tap()
        expect(page.get_by_role("button", name="Back")).to_be_visible()
        ALBUM.shoot(page, "2-setup-next")
        page.context.close()


def _sit_down(browser: Browser, table: Hosted) -> Page:
    """Anna follows the code on the screen, and says who she is."""
    phone = open_page(browser, table.join["players"])
    sheet = phone.get_by_role("region", name="Take a seat")
    expect(phone.locator(".base").nth(_BASES - 1)).to_be_attached()
    sheet.get_by_role("radiogroup", name="I play").get_by_role("radio").first.tap()
    phone.get_by_label("Your name").fill("Anna")
    ALBUM.shoot(phone, "3-join")
    phone.get_by_role("button", name="Ready").tap()
    expect(sheet).to_have_count(0)
    expect(phone.locator(".picker")).to_contain_text("Dame Marl")
    return phone


def _ask(phone: Page) -> None:
    """Around one, between two, and the proof of an answer."""
    ids = {name: phone.evaluate(_ID_OF, name) for name in (*PAIR, "Bog Witch")}
    tap(phone, ids["Bog Witch"])
    expect(phone.get_by_role("button", name="Hide the ring: Threat on the charge")).to_be_visible()
    ALBUM.shoot(phone, "4-around-one")
    phone.keyboard.press("Escape")
    pick_pair(phone, *(ids[name] for name in PAIR))
    ALBUM.shoot(phone, "5-between-two")
    phone.locator("[data-slot=sight] .verdict, [data-slot=sight]").first.tap()
    expect(phone.locator(".details").first).to_be_visible()
    ALBUM.shoot(phone, "6-proof")


def _look_further(phone: Page) -> None:
    """What if, the lists, the army, what was before, and an answer to hand on."""
    phone.get_by_role("button", name="Share this answer").tap()
    expect(phone.locator(".share input")).to_be_visible()
    ALBUM.shoot(phone, "6-share")
    tools = phone.get_by_role("navigation", name="Tools")
    phone.keyboard.press("Escape")
    tools.get_by_role("button", name="What if").tap()
    one = phone.evaluate(_ID_OF, PAIR[0])
    tap(phone, one)
    x, y = middle(phone, one)
    phone.touchscreen.tap(x + 40, y + 40)
    expect(phone.locator(".ghost").first).to_be_attached()
    ALBUM.shoot(phone, "6-what-if")
    for part in ("Lists", "Army", "Past", "This phone"):
        open_section(phone, part)
        expect(phone.get_by_role("radio", name=part, exact=True)).to_be_checked()
        ALBUM.shoot(phone, f"6-table-{part.split()[-1].lower()}")


def _put_on_air(browser: Browser, table: Hosted) -> None:
    """The same two on the stream."""
    stream = open_page(browser, f"{table.join['overlay']}?widgets=ruling,closeup,lowerthird", size=STREAM)
    stream.evaluate("document.body.style.background = 'url(api/v1/picture.jpg) center / cover'")
    table.call("POST", "overlay/air", {"pair": dict(zip("ab", _ids(table), strict=True)), "stays": True})
    expect(stream.locator(".card .row").first).to_be_visible()
    ALBUM.shoot(stream, "7-on-air")
    stream.context.close()


def _dispute(browser: Browser) -> None:
    """Both phones and the judge's desk open one sheet; the end of it is a line under the answer."""
    with (
        serve_shared(skirmish()) as table,
        sit_down(browser, table, "players", seat="player-a") as first,
        sit_down(browser, table, "players", seat="player-b") as second,
        sit_down(browser, table, "judge") as judge,
    ):
        pick(first, "m7")
        tap(first, "m10")
        first.locator(".lines > .dispute").tap()
        expect(second.locator(".disputed .sentence")).to_be_visible()
        expect(judge.locator(".queued").first).to_be_visible()
        expect(judge.locator("[data-slot=sight] .verdict")).to_be_visible()
        ALBUM.shoot(first, "10-dispute")
        ALBUM.shoot(judge, "10-dispute-desk")
        for phone in (first, second):
            phone.get_by_role("button", name="Clear", exact=True).tap()
        expect(first.locator(".sheet .settled")).to_be_visible()
        ALBUM.shoot(first, "10-settled")


_ID_OF = """async (name) => {
  const { miniatures } = await (await fetch("api/v1/state")).json();
  return miniatures.find((one) => one.name === name).id;
}"""


def _rule(browser: Browser, table: Hosted) -> None:
    """The judge overrules on a tablet."""
    judge = open_page(browser, table.join["judge"], size=TABLET)
    judge.get_by_role("navigation").get_by_role("button", name="Table", exact=True).tap()
    for name in PAIR:
        judge.locator(".entry", has_text=name).first.tap()
    judge.locator("[data-slot=sight] .verdict").tap()
    judge.get_by_role("button", name="Overrule").tap()
    judge.get_by_role("button", name="The camera could not see it").tap()
    ALBUM.shoot(judge, "7-judge")
    judge.context.close()
    about = {"pair": dict(zip("ab", _ids(table), strict=True)), "slot": "sight"}
    table.call("POST", "rulings", {
        "about": about, "decision": "overruled", "stands": "Blocked", "reason": "The camera could not see it",
    })  # fmt: skip


def _ids(table: Hosted) -> list[str]:
    miniatures = {one.get("name"): one["id"] for one in table.call("GET", "state")["miniatures"]}
    return [miniatures[name] for name in PAIR]


def _read_ruling(browser: Browser, phone: Page, table: Hosted) -> None:
    """Anna reads it, and its record is printed."""
    phone.keyboard.press("Escape")
    expect(phone.locator(".ruling-notice")).to_be_visible()
    ALBUM.shoot(phone, "8-notice")
    record = open_page(browser, f"{table.url}api/v1/rulings/1/record.html", size=ViewportSize(width=800, height=900))
    ALBUM.shoot(record, "9-record")
    record.context.close()
