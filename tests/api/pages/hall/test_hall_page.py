"""The hall's pages in a real browser: what judges, organiser and spectators do at a real hub with a real table."""

import re
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from api.hall.keys import EventKeys, TableKey, make_keys, write_keys
from tests.api.pages.accessibility import violations
from tests.api.pages.player_page import keep_screenshot, pick_pair
from tests.api.pages.visible_faults import faults_at
from tests.api.serving import call_api, find_free_port, read_addresses, start_program
from tests.api.worlds import SKIRMISH, skirmish

pytestmark = pytest.mark.browser

PHONE, DESK = (390, 844), (1440, 900)
PAIRINGS = "Table,Player 1,Player 2,Army 1,Army 2\n3,Ada,Ben,Cygnar,Khador\n4,Cem,Dot,Cryx,Menoth\n"


@dataclass
class Hall:
    """A hub of twelve tables, and table 3 as it is played at."""

    url: str
    keys: EventKeys
    tables: tuple[TableKey, ...]
    table_url: str
    table_join: dict[str, str]

    def code(self, name: str) -> str:
        return next(one.code for one in self.keys.seats if one.name == name)

    def ask(self, name: str, path: str, body: dict[str, Any] | None = None, *, method: str = "GET") -> Any:
        token = next(one.token for one in self.keys.seats if one.name == name)
        return call_api(self.url, path, token=token, body=body, method=method)


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    folder = tmp_path_factory.mktemp("hall")
    made = make_keys("spring-open", tables=12, judges=("Ben",), head_judge="Anna", call_stops_clock=True)
    write_keys(folder / "keys", *made)
    port = find_free_port()
    with ExitStack() as stack:
        program = ("hub", "run", "--keys", str(folder / "keys"), "--data", str(folder / "hub"))
        read_addresses(stack.enter_context(start_program(*program, port=port)))
        url = f"http://127.0.0.1:{port}/"
        options = ("--hub", url, "--table", "3", "--key", str(folder / "keys" / "table-3.json"))
        files = ("--state", str(SKIRMISH), "--data", str(folder / "table"))
        table = read_addresses(stack.enter_context(start_program("serve", *files, *options, port=find_free_port())))
        yield Hall(url, *made, table["urls"][0], table["join"])


def open_page(browser: Browser, url: str, size: tuple[int, int] = PHONE, *, locale: str = "en-GB") -> Page:
    viewport, is_phone = {"width": size[0], "height": size[1]}, size[0] < 500
    page = browser.new_page(
        viewport=viewport, has_touch=True, is_mobile=is_phone, reduced_motion="reduce", locale=locale
    )
    page.on("pageerror", lambda error: page.evaluate("(m) => { window.wrong = m }", str(error)))
    page.goto(url)
    return page


def as_seat(browser: Browser, hall: Hall, name: str, size: tuple[int, int] = PHONE) -> Page:
    page = open_page(browser, f"{hall.url}j/{hall.code(name)}", size)
    expect(page.locator(".cell").first).to_be_visible()
    return page


def go(page: Page, tab: str) -> None:
    page.get_by_role("navigation").get_by_role("button", name=tab).tap()


def import_pairings(page: Page, text: str, number: int) -> None:
    go(page, "Rounds")
    page.locator("input[type=file]").set_input_files({"name": "p.csv", "mimeType": "text/csv", "buffer": text.encode()})
    page.get_by_label("Round, when the file does not say").fill(str(number))
    page.get_by_role("button", name="Import", exact=True).tap()


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_all_tables_stand_in_three_densities_and_axe_finds_nothing(
    browser: Browser, hall: Hall, size: tuple[int, int]
) -> None:
    page = as_seat(browser, hall, "Anna", size)
    found = []
    for density in ("3", "4", "8"):
        page.get_by_role("group", name="Columns").get_by_role("button", name=density, exact=True).tap()
        expect(page.locator(f".dense-{density} .cell")).to_have_count(12)
        keep_screenshot(page, f"hall-tables-{density}-{size[0]}")
        found += violations(page)
    page.close()

    assert found == []


def test_chips_leave_only_the_tables_that_need_somebody(browser: Browser, hall: Hall) -> None:
    page = as_seat(browser, hall, "Anna")
    expect(page.locator("[data-table='3']")).to_contain_text("fixed state")
    page.locator("[data-filter=silent]").tap()
    expect(page.locator(".cell")).to_have_count(11)
    expect(page.locator("[data-table='3']")).to_have_count(0)
    page.close()


def test_a_wrong_code_opens_nothing_and_says_so(browser: Browser, hall: Hall) -> None:
    page = open_page(browser, f"{hall.url}hall")
    page.get_by_label("Your code").fill("ZZZZZZ")
    page.get_by_role("button", name="Take the seat").tap()
    expect(page.get_by_role("alert")).to_contain_text("Nobody in this hall hands out that code")
    found = violations(page)
    page.close()

    assert found == []


def test_a_round_from_a_file_to_a_result_that_both_players_enter(browser: Browser, hall: Hall) -> None:
    page = as_seat(browser, hall, "Organiser")
    import_pairings(page, PAIRINGS.replace("Player 1", "Heim").replace("Player 2", "Gast"), 1)
    expect(page.get_by_role("alert")).to_contain_text("no column is known as player_a or player_b")
    page.locator("form.map").get_by_label("Heim").select_option("player_a")
    page.locator("form.map").get_by_label("Gast").select_option("player_b")
    page.get_by_role("button", name="Remember and import").tap()
    expect(page.locator(".notice")).to_contain_text("Round 1: 2 pairings")
    page.get_by_role("button", name="Begin round 1").tap()
    expect(page.locator(".deeds.next")).to_contain_text("its clock runs for the whole hall")
    page.get_by_role("button", name="Cancel").tap()
    page.get_by_role("button", name="Begin round 1").tap()
    expect(page.locator(".hall-clock")).to_have_count(0)
    page.get_by_role("button", name="Begin now").tap()
    expect(page.locator(".hall-clock")).to_contain_text("Round 1")
    found = violations(page)
    keep_screenshot(page, "hall-rounds-390")

    for _ in range(2):
        enter_result(browser, hall)
    expect(page.locator(".pairing-line", has_text="Ada")).to_contain_text("Ada 5:2")
    expect(page.locator(".pairing-line", has_text="Ada")).to_contain_text("both players")
    page.close()

    assert found == []


def skirmish_pair() -> tuple[str, str]:
    first, second, *_ = (m.id for m in skirmish().miniatures if m.name in ("Trencher", "Sergeant"))
    return first, second


def enter_result(browser: Browser, hall: Hall) -> None:
    phone = open_page(browser, hall.table_join["players"])
    for name in ("Ada", "Ben"):  # who plays here is known: one tap says which of the two it is
        expect(phone.get_by_role("region", name="Take a seat").get_by_role("button", name=name)).to_be_visible()
    phone.get_by_role("navigation").get_by_role("button", name="Hall").tap()
    expect(phone.locator(".sheet.hall")).to_contain_text("Ada against Ben")
    phone.get_by_label("Ada won").check()
    phone.get_by_label("Points of Ada").fill("5")
    phone.get_by_label("Points of Ben").fill("2")
    keep_screenshot(phone, "hall-result-390")
    found = violations(phone)
    phone.get_by_role("button", name="the result").tap()
    expect(phone.locator(".hall-says", has_text="5:2").first).to_be_visible()
    phone.close()

    assert found == []


def test_one_tap_calls_a_judge_who_rules_and_the_head_judge_hears_the_appeal(browser: Browser, hall: Hall) -> None:
    phone = open_page(browser, hall.table_join["players"])
    expect(phone.locator(".base").first).to_be_visible()
    pick_pair(phone, *skirmish_pair())
    phone.locator("[data-slot=sight]").tap()
    phone.locator(".call-judge").tap()
    expect(phone.locator(".call-judge")).to_have_attribute("aria-pressed", "true")

    ben = as_seat(browser, hall, "Ben")
    expect(ben.locator("[data-table='3']")).to_contain_text("judge called")
    go(ben, "Calls")
    expect(ben.locator(".call")).to_contain_text("In dispute")
    ben.get_by_role("button", name="I go").tap()
    expect(ben.locator(".call")).to_contain_text("Ben goes")
    ben.get_by_role("button", name="Rule", exact=True).tap()
    ben.get_by_role("button", name="Roll for it").tap()
    found = violations(ben)
    keep_screenshot(ben, "hall-call-390")
    ben.get_by_role("button", name="Send the ruling").tap()
    phone.locator(".call-judge").tap()
    expect(phone.locator(".hall-says").first).to_contain_text("Ben rules: Roll for it")

    ben.get_by_role("button", name="Appeal").tap()
    ben.get_by_label("Why is it appealed?").fill("The terrain had moved")
    ben.get_by_role("button", name="Send to the head judge").tap()
    anna = as_seat(browser, hall, "Anna")
    go(anna, "Calls")
    anna.get_by_role("button", name="I go").tap()
    anna.get_by_role("button", name="Rule again").tap()
    anna.get_by_label("What you rule").fill("The verdict stands")
    anna.get_by_role("button", name="Send the ruling").tap()
    expect(anna.locator("p.ruled", has_text="Ben: Roll for it")).to_be_visible()
    expect(anna.locator("p.ruled", has_text="Anna: The verdict stands")).to_be_visible()
    keep_screenshot(anna, "hall-appeal-390")
    anna.get_by_role("button", name="Close", exact=True).tap()
    expect(anna.locator(".proposed")).to_be_visible()
    anna.locator(".proposed").tap()
    expect(anna.locator(".call")).to_have_count(0)
    expect(phone.locator(".call-judge")).to_have_attribute("aria-pressed", "false")
    for page in (phone, ben, anna):
        page.close()

    assert found == []


def test_a_cell_opens_its_table_and_the_way_to_its_judges_page(browser: Browser, hall: Hall) -> None:
    page = as_seat(browser, hall, "Anna")
    page.locator("[data-table='3']").tap()
    expect(page.locator("svg.drawn .base").first).to_be_visible()
    found = violations(page)
    keep_screenshot(page, "hall-table-390")
    page.get_by_role("button", name="Open the table's judge page").tap()
    page.wait_for_url("**/judge")
    expect(page.locator(".desk .base").first).to_be_visible()
    page.close()

    assert found == []


def test_a_desk_shows_who_waits_the_table_and_what_is_decided(browser: Browser, hall: Hall) -> None:
    phone = open_page(browser, hall.table_join["players"])
    calls = f"{hall.table_url}api/v1/call"
    phone.request.post(calls, data={"verdict": "Trencher sees Sergeant: Too close"})
    page = as_seat(browser, hall, "Anna", DESK)
    card = page.locator(".queued", has_text="Trencher sees Sergeant: Too close")
    expect(card).to_contain_text("waits")
    expect(card.locator(".thumbnail .base").first).to_be_visible()
    assert page.locator(".middle .cell").count() == 12
    card.tap()
    expect(page.locator(".middle svg.drawn .base").first).to_be_visible()
    expect(page.locator(".aside .call").get_by_role("button", name="I go")).to_be_visible()
    found = [*violations(page), *faults_at(page, ("laptop", "large screen"))]
    page.emulate_media(color_scheme="light")
    found += violations(page)
    keep_screenshot(page, "hall-desk-light")
    go(page, "Event")
    expect(page.locator(".aside form.card")).to_be_visible()
    expect(page.locator(".middle svg.drawn .base").first).to_be_visible()  # what is looked at stays
    keep_screenshot(page, "hall-desk")
    phone.request.delete(calls)
    expect(card).to_have_count(0)
    page.close()
    phone.close()

    assert found == []


def test_a_penalty_is_given_from_the_list_and_withdrawn_with_a_reason(browser: Browser, hall: Hall) -> None:
    page = as_seat(browser, hall, "Anna")
    go(page, "Penalties")
    page.get_by_label("Player").fill("Ada")
    page.locator("select[name=penalty]").select_option("Warning")
    page.get_by_role("button", name="Give it").tap()
    expect(page.locator(".card-list")).to_contain_text("Ada: Warning")
    page.get_by_label("Player").fill("Ada")
    expect(page.locator("select[name=penalty]")).to_have_value("Game loss")
    expect(page.locator("form.card")).to_contain_text("1 penalty before. Next step: Game loss.")
    page.get_by_label("Player").fill("Ben")
    expect(page.locator("select[name=penalty]")).to_have_value("Warning")
    page.locator(".card-list summary").tap()
    page.get_by_label("Why does it not hold?").fill("It was Ben")
    found = violations(page)
    keep_screenshot(page, "hall-penalties-390")
    page.get_by_role("button", name="Withdraw", exact=True).tap()
    expect(page.locator(".card-list")).to_contain_text("withdrawn: It was Ben")
    page.close()

    assert found == []


def test_the_organiser_sets_the_event_and_a_judge_looks_at_it(browser: Browser, hall: Hall) -> None:
    page = as_seat(browser, hall, "Organiser")
    go(page, "Event")
    page.get_by_label("Spectators see tables late").fill("0")
    page.get_by_label("Featured table").select_option("3")
    found = violations(page)
    keep_screenshot(page, "hall-event-390")
    page.get_by_role("button", name="Save").tap()
    expect(page.locator(".notice")).to_have_text("Saved.")
    page.close()
    judge = as_seat(browser, hall, "Anna")
    go(judge, "Event")
    expect(judge.get_by_label("A round lasts")).to_be_disabled()
    judge.close()

    assert found == []
    assert hall.ask("Anna", "hall")["settings"]["featured"] == 3


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_anybody_watches_a_table_and_the_clock(browser: Browser, hall: Hall, size: tuple[int, int]) -> None:
    settings = hall.ask("Organiser", "hall")["settings"]
    hall.ask("Organiser", "hall/settings", settings | {"delay_s": 0}, method="PUT")
    page = open_page(browser, f"{hall.url}hall/tables/3", size)
    expect(page.locator("svg.drawn .base").first).to_be_visible()
    found = violations(page)
    keep_screenshot(page, f"hall-watch-{size[0]}")
    page.goto(f"{hall.url}hall/clock")
    expect(page.get_by_role("timer").or_(page.get_by_text("No round has begun"))).to_be_visible()
    found += violations(page)
    keep_screenshot(page, f"hall-clock-{size[0]}")
    page.goto(f"{hall.url}hall/tables/99")
    expect(page.get_by_text("The event has no such table.")).to_be_visible()
    page.close()

    assert found == []


TABS = {
    "de": ["Tische", "Rufe", "Runden", "Strafen", "Turnier"],
    "fr": ["Tables", "Appels", "Rondes", "Pénalités", "Tournoi"],
    "es": ["Mesas", "Llamadas", "Rondas", "Sanciones", "Torneo"],
}
ENGLISH = r"\b(?:the|Round|Penalty|Player|judge|against|Save|Calls|Rounds|Event|Nobody|heard|seen|Import|late|both)\b"


@pytest.mark.parametrize("language", sorted(TABS))
def test_a_judge_reads_the_hall_in_the_language_of_the_phone(browser: Browser, hall: Hall, language: str) -> None:
    page = open_page(browser, f"{hall.url}j/{hall.code('Anna')}", locale=language)
    found, english = [], []
    for tab in TABS[language]:
        go(page, tab)
        expect(page.get_by_role("heading", level=2)).to_be_visible()
        keep_screenshot(page, f"hall-{language}-{tab}")
        found += violations(page)
        english += re.findall(ENGLISH, page.locator("main").inner_text())
    is_too_wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    page.get_by_label("Sprache").or_(page.get_by_label("Langue")).or_(page.get_by_label("Idioma")).select_option("en")
    expect(page.get_by_role("heading", name="Event")).to_be_visible()
    page.goto(f"{hall.url}hall/tables/3")
    expect(page.get_by_role("heading", name="Table 3")).to_be_visible()
    page.get_by_label("Language").select_option(language)
    expect(page.locator("html")).to_have_attribute("lang", language)
    keep_screenshot(page, f"hall-watch-{language}")
    expect(page.locator("svg.drawn").or_(page.locator(".hint").first).first).to_be_visible()
    english += re.findall(ENGLISH, page.locator("main").inner_text())
    page.close()

    assert (found, english, is_too_wide) == ([], [], False)


def test_the_overlay_follows_the_featured_table(browser: Browser, hall: Hall) -> None:
    settings = hall.ask("Organiser", "hall")["settings"]
    hall.ask("Organiser", "hall/settings", settings | {"featured": 3}, method="PUT")
    page = open_page(browser, f"{hall.url}overlay?table=featured&theme=light", (1920, 1080))
    expect(page.frame_locator("iframe").locator("#overlay")).to_be_attached()
    address = str(page.locator("iframe").get_attribute("src"))
    hall.ask("Organiser", "hall/settings", settings | {"featured": None}, method="PUT")
    expect(page.locator("iframe")).to_have_count(0)
    page.close()

    assert address.startswith(f"{hall.table_url}overlay?")
    assert "theme=light" in address
