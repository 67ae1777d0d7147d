"""An event without another program, in a real browser: check-in, late entry, drop, pairings, standings, alerts."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.api.pages.accessibility import violations
from tests.api.pages.hall.test_hall_page import Hall, as_seat, go, open_page
from tests.api.pages.hall.test_hall_page import hall as hall  # the fixture, with a hub of its own
from tests.api.pages.player_page import keep_screenshot
from tests.chromium import PHONE

pytestmark = pytest.mark.browser


def open_rounds(browser: Browser, hall: Hall) -> Page:
    page = as_seat(browser, hall, "Organiser")
    go(page, "Rounds")
    return page


def enter(page: Page, names: str) -> None:
    page.locator(".players-card textarea").fill(names)
    page.get_by_role("button", name="Let them enter").tap()
    for name in names.split("\n"):
        expect(page.locator(".player", has_text=name.split(",")[0])).to_be_visible()


def swap_late_comer_with_one_form(page: Page, hall: Hall) -> None:
    """Another opponent who plays elsewhere: the two who are left play each other, in one step."""
    games = {game["b"]["name"]: game for game in hall.ask("Organiser", "hall")["rounds"][0]["pairings"]}
    late, (other,) = games.pop("Late Comer"), games.values()
    line = page.locator(".pairing-line", has_text=f"against {other['b']['name']}")
    row = page.locator("[data-round='1'] .pairings li", has=line)
    row.locator("summary").tap()
    row.get_by_label("Opponent").select_option("Late Comer")
    row.get_by_role("button", name="Change this pairing").tap()
    wanted = {
        (other["table"], other["a"]["name"], "Late Comer"),
        (late["table"], other["b"]["name"], late["a"]["name"]),
    }
    expect(page.locator("[data-round='1'] .pairing-line", has_text="against Late Comer")).to_contain_text(
        other["a"]["name"]
    )
    now = hall.ask("Organiser", "hall")["rounds"][0]["pairings"]

    assert {(one["table"], *sorted((one["a"]["name"], one["b"]["name"]))) for one in now} == {
        (table, *sorted(names)) for table, *names in wanted
    }


def test_an_event_is_played_from_check_in_to_the_standings(browser: Browser, hall: Hall) -> None:
    page = open_rounds(browser, hall)
    page.locator(".players-card summary").tap()
    enter(page, "Ada\nBen\nCem\nDot, Reds")
    page.get_by_role("button", name="Open check-in by scanning").tap()
    code = page.locator(".players-card img.code")
    expect(code).to_be_visible()

    phone = open_page(browser, str(code.get_attribute("alt")))
    phone.get_by_label("Find your name").fill("ad")
    phone.get_by_role("button", name="Ada").tap()
    expect(phone.get_by_role("status")).to_have_text("Ada is checked in.")
    keep_screenshot(phone, "hall-check-in-390")
    found = violations(phone)
    phone.close()

    expect(page.get_by_role("button", name="Ada: here", pressed=True)).to_be_visible()
    for name in ("Ben", "Cem"):
        page.get_by_role("button", name=f"{name}: here").tap()
        expect(page.get_by_role("button", name=f"{name}: here", pressed=True)).to_be_visible()
    page.get_by_role("button", name="Pair round 1").tap()
    expect(page.locator("[data-round='1'] .pairings li")).to_have_count(2)
    expect(page.locator("[data-round='1'] .pairing-line", has_text="Dot")).to_have_count(0)
    page.get_by_role("button", name="Begin round 1").tap()
    page.get_by_role("button", name="Begin now").tap()
    expect(page.locator(".hall-clock")).to_contain_text("Round 1")

    enter(page, "Late Comer")
    bye = page.locator("[data-round='1'] .pairings li", has=page.locator(".pairing-line > small"))
    bye.locator("summary").tap()
    bye.get_by_label("Opponent").select_option("Late Comer")
    bye.locator("select[name=table]").select_option("7")
    keep_screenshot(page, "hall-change-pairing-390")
    found += violations(page)
    bye.get_by_role("button", name="Change this pairing").tap()
    expect(page.locator("[data-round='1'] .pairing-line", has_text="against Late Comer")).to_be_visible()
    swap_late_comer_with_one_form(page, hall)
    page.get_by_role("button", name="Dot: drops").tap()
    expect(page.locator(".player", has_text="Dot")).to_contain_text("has dropped")

    for game in hall.ask("Organiser", "hall")["rounds"][0]["pairings"]:
        path = f"hall/rounds/1/tables/{game['table']}/result"
        hall.ask("Anna", path, {"winner": "player-a", "points_a": 5, "points_b": 2}, method="PUT")
    page.locator(".standings-card summary").tap()
    expect(page.locator(".standings tbody tr").first).to_contain_text("1–0–0")
    keep_screenshot(page, "hall-standings-390")
    found += violations(page)
    projector = open_page(browser, f"{hall.url}hall/clock", (1440, 900))
    expect(projector.get_by_role("region", name="Standings").locator("tbody tr")).to_have_count(5)
    keep_screenshot(projector, "hall-clock-standings-1440")
    found += violations(projector)
    projector.close()
    page.close()

    assert found == []


def test_players_hear_of_the_last_fifteen_minutes_on_their_phones(browser: Browser, hall: Hall) -> None:
    rounds = [view["round"] for view in hall.ask("Organiser", "hall")["rounds"]]
    number = max((one["number"] for one in rounds), default=0) + 1
    for earlier in (one["number"] for one in rounds if one["state"] == "running"):
        hall.ask("Organiser", f"hall/rounds/{earlier}/end", {}, method="POST")
    phone = open_page(browser, hall.table_join["players"], PHONE_SIZE)
    expect(phone.locator(".base").first).to_be_visible()
    page = open_rounds(browser, hall)
    csv = {"name": "p.csv", "mimeType": "text/csv", "buffer": b"Table,Player 1,Player 2\n3,Uma,Vic\n"}
    page.locator("input[type=file]").set_input_files(csv)
    page.get_by_label("Round, when the file does not say").fill(str(number))
    page.get_by_role("button", name="Import", exact=True).tap()
    expect(page.locator(".notice")).to_contain_text(f"Round {number}")
    hall.ask("Organiser", f"hall/rounds/{number}/start", {"minutes": 14.9, "clock_minutes": 0}, method="POST")

    expect(phone.get_by_text("15 minutes left in the round").first).to_be_visible()
    phone.get_by_role("navigation").get_by_role("button", name="Hall").tap()
    expect(phone.locator(".sheet.hall [role=timer]")).to_contain_text("minutes left in the round")
    keep_screenshot(phone, "hall-time-left-390")
    phone.close()
    page.close()


PHONE_SIZE = (PHONE["width"], PHONE["height"])
