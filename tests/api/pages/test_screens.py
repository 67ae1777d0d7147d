"""Every screen as people see it: what lies on it can be hit, read and typed into, at the sizes that people hold."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from api.hall.keys import TableKey, make_keys, write_keys
from api.hall.rounds import JudgeCalled
from api.hall.sender import Sender
from api.hall.table_link import HttpTransport
from api.journal.file_journal import FileJournal
from api.server.journal_entries import ENTRY_CLASSES
from tests.api.pages.player_page import hold_news, keep_screenshot, open_section, pick, tap
from tests.api.pages.side_by_side import SharedTable, serve_shared, sit_down
from tests.api.pages.visible_faults import ALL_SIZES, QUICK_SIZES, faults_at
from tests.api.serving import find_free_port, folders_of_user, read_addresses, start_program
from tests.api.worlds import skirmish

pytestmark = pytest.mark.browser

SHARED_SIZES = pytest.mark.parametrize(
    "sizes", [pytest.param(QUICK_SIZES, id="quick"), pytest.param(ALL_SIZES, id="all", marks=pytest.mark.slow)]
)
TYPED, KEY_MS, WATCHED_MS = "17.1", 700, 3000
Screen = Callable[[Page], None]


@pytest.fixture
def table() -> Iterator[SharedTable]:
    with serve_shared(skirmish()) as table:
        yield table


def show_tool(name: str) -> Screen:
    return lambda page: page.get_by_role("navigation", name="Tools").get_by_role("button", name=name).tap()


def show_part(name: str) -> Screen:
    def show(page: Page) -> None:
        button = page.get_by_role("navigation").get_by_role("button", name=name, exact=True)
        button.tap()
        expect(button).to_have_attribute("aria-current", "page")

    return show


def show_section(name: str) -> Screen:
    def show(page: Page) -> None:
        open_section(page, name)
        expect(page.locator(".setup [aria-checked=true]", has_text=name).first).to_be_visible()

    return show


def pick_first(page: Page) -> None:
    pick(page, "m7")
    expect(page.locator(".sheet.alone .other[data-id]").first).to_be_visible()


def pick_second(page: Page) -> None:
    tap(page, "m10")
    expect(page.locator(".sheet [data-slot=sight] b").first).to_be_visible()


def toggle(slot: str) -> Screen:
    return lambda page: page.locator(f"[data-slot={slot}]").first.tap()


ASKED: dict[str, Screen] = {
    "nobody picked": lambda _: None,
    "one picked": pick_first,
    "a pair": pick_second,
    "an opened line": toggle("sight"),
    "what if": show_tool("What if"),
    "a template": show_tool("Template"),
}
SETTINGS: dict[str, Screen] = {"the table": show_tool("Table")} | {
    name: show_section(name) for name in ("Who", "Lists", "Army", "Terrain", "Rules", "Steps", "Past", "This phone")
}
JUDGED: dict[str, Screen] = {name: show_part(name) for name in ("Tables", "Timeline", "Clocks", "Stream", "Table")}


def faults_of(page: Page, screens: dict[str, Screen], sizes: tuple[str, ...]) -> list[str]:
    """The faults of each of these screens, shown one after the other."""
    faults = []
    for name, show in screens.items():
        show(page)
        faults += [f"{name}: {fault}" for fault in faults_at(page, sizes)]
        keep_screenshot(page, f"screen-{name.replace(' ', '-')}")
    return faults


@SHARED_SIZES
@pytest.mark.parametrize("screens", [ASKED, SETTINGS], ids=["asked", "settings"])
def test_a_player_can_hit_and_read_all_that_is_there(
    browser: Browser, table: SharedTable, screens: dict[str, Screen], sizes: tuple[str, ...]
) -> None:
    with sit_down(browser, table, "players", seat="player-a") as page:
        faults = faults_of(page, screens, sizes)

    assert not faults, "\n".join(faults)


@SHARED_SIZES
def test_news_is_read_whole_while_the_clocks_run(browser: Browser, table: SharedTable, sizes: tuple[str, ...]) -> None:
    with (
        sit_down(browser, table, "players", seat="player-a") as first,
        sit_down(browser, table, "players", seat="player-b") as second,
    ):
        first.request.put(f"{table.url}api/v1/clocks", data={"minutes": 60})
        first.request.post(f"{table.url}api/v1/clocks/pass", data={"to": "player-b"})
        expect(first.locator(".clock-strip")).to_be_visible()

        def tell(_: Page) -> None:
            told = {"do": "miniature", "ids": ["m16"], "name": "Standard Bearer of the Third Company"}
            second.request.post(f"{table.url}api/v1/corrections", data=told)
            expect(first.get_by_text("Standard Bearer of the Third Company").first).to_be_visible()

        screens = {"news": tell, "the chess clock": lambda page: page.locator(".clock-strip").tap()}
        faults = faults_of(first, screens, sizes)

    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("size", ALL_SIZES)
def test_news_lies_on_no_base(browser: Browser, table: SharedTable, size: str) -> None:
    """Also on a table that is looked at closely, where bases leave little room."""
    with (
        sit_down(browser, table, "players", seat="player-a") as first,
        sit_down(browser, table, "players", seat="player-b") as second,
    ):
        hold_news(first)
        faults = list[list[str]]()
        for show in (lambda _: None, pick_first, pick_second):
            show(first)
            name = f"Bearer of the Third Company {len(faults)}"
            second.request.post(
                f"{table.url}api/v1/corrections", data={"do": "miniature", "ids": ["m16"], "name": name}
            )
            expect(first.locator(".toast")).to_contain_text(name)
            faults.append(faults_at(first, [size]))
            keep_screenshot(first, f"news-{size.replace(' ', '-')}-{len(faults)}")

    assert [fault for found in faults for fault in found if "over base" in fault or "over label" in fault] == []


def test_words_on_the_table_keep_out_of_what_lies_on_it(browser: Browser, table: SharedTable) -> None:
    """A banner takes the lower edge, and the round buttons go to the upper one."""
    with sit_down(browser, table, "players", seat="player-a") as page:
        for show in (pick_first, pick_second):
            show(page)
        table.hub.alarms.sound("disk", "The disk is full: nothing more is written, and no ruling is kept")
        expect(page.locator(".banner")).to_be_visible()
        faults = faults_at(page, QUICK_SIZES)

    assert not faults, "\n".join(faults)


@SHARED_SIZES
def test_a_judge_can_hit_and_read_all_that_is_there(
    browser: Browser, table: SharedTable, sizes: tuple[str, ...]
) -> None:
    def judge_two(page: Page) -> None:
        for name in ("Trencher", "Sergeant"):
            page.locator(".entry", has_text=name).first.tap()
        page.locator(".verdicts [data-slot=distance] .verdict").tap()

    with sit_down(browser, table, "judge") as judge:
        judge.request.put(f"{table.url}api/v1/clocks", data={"minutes": 61})
        faults = faults_of(judge, {**JUDGED, "a verdict": judge_two}, sizes)

    assert not faults, "\n".join(faults)


def call_judge(folder: Path, url: str, key: TableKey) -> None:
    """A table without a server, at which a player calls a judge."""
    folder.mkdir(parents=True)
    with closing(FileJournal(folder, ENTRY_CLASSES)) as journal:
        journal.write(JudgeCalled(by="player-a", verdict="A sees B: Too close"))
    sender = Sender(folder, HttpTransport(url, key), key, lambda _: None)
    threading.Thread(target=lambda: asyncio.run(sender.run()), daemon=True).start()


@SHARED_SIZES
def test_every_waiting_call_of_a_hall_can_be_answered(browser: Browser, tmp_path: Path, sizes: tuple[str, ...]) -> None:
    keys, tables = make_keys("spring-open", tables=4, judges=("Ben",), head_judge="Anna", call_stops_clock=True)
    write_keys(tmp_path / "keys", keys, tables)
    folders = ("--keys", str(tmp_path / "keys"), "--data", str(tmp_path / "hub"))
    port = find_free_port()
    with ExitStack() as stack:
        read_addresses(stack.enter_context(start_program("hub", "run", *folders, port=port)))
        url = f"http://127.0.0.1:{port}/"
        for key in tables[:2]:
            call_judge(tmp_path / f"table-{key.table}", url, key)
        page = browser.new_page(viewport={"width": 390, "height": 844}, has_touch=True, reduced_motion="reduce")
        code = next(one.code for one in keys.seats if one.name == "Anna")
        page.goto(f"{url}j/{code}")

        def show_calls(page: Page) -> None:
            page.locator("[data-tab=calls]").tap()
            expect(page.locator(".card.call")).to_have_count(2)

        def open_table(page: Page) -> None:
            page.locator(".card.call .link").first.tap()
            expect(page.locator("main .card.call")).to_have_count(1)

        parts = {name: show_part(name) for name in ("Tables", "Rounds", "Penalties", "Event")}
        faults = faults_of(page, {"calls": show_calls, "a table that calls": open_table, **parts}, sizes)
        page.close()

    assert not faults, "\n".join(faults)


@SHARED_SIZES
def test_a_table_is_set_up_from_pictures_that_are_seen(
    browser: Browser, tmp_path: Path, sizes: tuple[str, ...]
) -> None:
    with start_program("setup", environment=folders_of_user(tmp_path)) as program:
        page = browser.new_page(viewport={"width": 390, "height": 844}, has_touch=True, reduced_motion="reduce")
        page.goto(read_addresses(program)["join"]["players"])

        def choose_table(page: Page) -> None:
            page.get_by_role("radio", name="This phone, now and then").tap()
            page.get_by_role("button", name="Next").tap()
            expect(page.locator(".laying")).to_be_attached()

        faults = faults_of(page, {"which camera": lambda _: None, "how the pages lie": choose_table}, sizes)
        page.close()

    assert not faults, "\n".join(faults)


def test_what_is_typed_stays_while_the_table_lives(browser: Browser, table: SharedTable) -> None:
    """The clock redraws the page every half second, and each move of the table does."""
    with sit_down(browser, table, "players", seat="player-a") as page:
        page.request.put(f"{table.url}api/v1/clocks", data={"minutes": 60})
        page.request.post(f"{table.url}api/v1/clocks/pass", data={"to": "player-b"})
        pick_first(page)
        pick_second(page)
        page.locator("[data-slot=range]").first.tap()
        field = page.locator(".stepper input").first
        field.tap()
        for letter in TYPED:
            page.keyboard.press(letter)
            page.wait_for_timeout(KEY_MS)
        table.move("m2", (60.0, 60.0))
        page.wait_for_timeout(WATCHED_MS - 2 * KEY_MS)

        expect(field).to_be_focused()
        assert field.input_value() == TYPED
        page.keyboard.press("Enter")
        expect(page.locator("[data-slot=range]").first).to_contain_text("17.1″")
