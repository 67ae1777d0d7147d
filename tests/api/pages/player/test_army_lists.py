"""Two army lists on the phone, in a real browser: laid out, named with few taps, and kept."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.api.pages.accessibility import violations
from tests.api.pages.player_page import keep_screenshot, open_section, open_table, tap
from tests.api.rosters.lists import body, force, ros, selection, zipped
from tests.api.serving import call_api, find_free_port, serve_table
from tests.chromium import PHONE

pytestmark = pytest.mark.browser

SIDE_MM = 1219.2
MOST_TAPS = 60  # at two seconds each, two players need one minute
UNITS = (("Reeve", 6, 30), ("Slinger", 8, 30), ("Pikeman", 10, 30), ("Toll Guard", 3, 40), ("Heron", 1, 40))
SINGLES = (("Dame Marl", 50), ("Dredger", 120))
REGIMENTS = (("Heather Guard", 20, 20.0, 20.0), ("Mill Guard", 5, 25.0, 50.0), ("Barge Crew", 5, 25.0, 25.0))


def skirmish_of_sixty() -> dict[str, Any]:
    """Thirty a side; the far side stands as the near one does. Nobody has a name or a side."""
    bases: list[dict[str, Any]] = []
    for is_far in (False, True):
        places = [
            *((60 + 42 * (i % 3), 60 + 42 * (i // 3)) for i in range(6)),
            *((300 + 42 * (i % 4), 60 + 42 * (i // 4)) for i in range(8)),
            *((560 + 42 * (i % 5), 60 + 42 * (i // 5)) for i in range(10)),
            *((880 + 60 * i, 70) for i in range(3)),
            (1150, 80), (80, 330), (1100, 330), (460, 330),
        ]  # fmt: skip
        sizes = [30] * 24 + [40] * 3 + [40, 50, 120, 30]
        for (x, y), size in list(zip(places, sizes, strict=True))[:30]:
            at = [x, SIDE_MM - y] if is_far else [x, y]
            bases.append({"id": f"m{len(bases)}", "base": {"shape": "round", "diameter_mm": size}, "at_mm": at})
    return {"edition": "warmachine-prime", "table": {"width_mm": SIDE_MM, "depth_mm": SIDE_MM}, "miniatures": bases}


def regiments_of_sixty() -> dict[str, Any]:
    """Three ranked units a side, thirty miniatures each."""
    units = []
    for is_far in (False, True):
        for i, (_, count, width, depth) in enumerate(REGIMENTS):
            base = {"shape": "rect", "width_mm": width, "depth_mm": depth}
            block = {"front_mm": [300 + 400 * i, 1000 if is_far else 260], "facing_deg": 270 if is_far else 90}
            block |= {"files": 5, "count": count, "base": base}
            units.append({"id": f"u{len(units)}", "block": block})
    return {"edition": "warhammer-9", "table": {"width_mm": 1828.8, "depth_mm": SIDE_MM}, "units": units}


def army(*units: tuple[str, int, str]) -> bytes:
    """A list of BattleScribe's with these units, zipped as phones keep it."""
    made = []
    for name, count, base in units:
        model = selection(name, "model", number=count, cards=body(name, Base=base))
        made.append(selection(f"{name}s", "unit", model) if count > 1 else model)
    return zipped(ros(force(*made), name="Autumn march"))


SKIRMISH_ARMY = army(
    *((name, count, f"{mm}") for name, count, mm in UNITS), *((name, 1, f"{mm}") for name, mm in SINGLES)
)
RANKED_ARMY = army(*((name, count, f"{width:g}x{depth:g}") for name, count, width, depth in REGIMENTS))

_COUNT_TAPS = """
window.taps = 0;
addEventListener("click", (event) => { if (event.isTrusted) window.taps += 1; }, true);
"""


def write(path: Path, what: dict[str, Any]) -> str:
    path.write_text(json.dumps(what))
    return str(path)


def open_phone(browser: Browser, address: str, bases: int) -> Page:
    context = browser.new_context(viewport=PHONE, has_touch=True, reduced_motion="reduce", bypass_csp=True)
    page = context.new_page()
    page.add_init_script(_COUNT_TAPS)
    open_table(page, address, bases=bases)
    open_section(page, "Lists")
    return page


def lay_file(page: Page, side: str, raw: bytes, path: Path) -> None:
    path.write_bytes(raw)
    page.get_by_role("radiogroup", name="A list for").get_by_role("radio", name=side).tap()
    page.get_by_label("Choose a file").set_input_files(path)
    expect(page.get_by_role("button", name=f"Put the list of {side} away")).to_be_visible()


def name_all(page: Page, address: str, side: str) -> None:
    """One tap for what can be only one, then entry after entry as it is proposed."""
    sure = page.get_by_role("button", name="that can be only")
    if sure.count() > 0:
        sure.tap()
        expect(sure).to_have_count(0)
    heading = page.locator(".setup .pair h2")
    while any(is_open(one, side) for one in call_api(address, "lists")["entries"]):
        if heading.count() == 0:
            page.locator(f'.naming [data-entry^="{side}-"]:not(.one)').first.tap()
        entry = heading.inner_text()
        page.locator(".setup .mend.strong").tap()
        expect(heading.get_by_text(entry, exact=True)).to_have_count(0)


def is_open(one: dict[str, Any], side: str) -> bool:
    """Whether somebody of this entry has no name yet."""
    return one["expected"]["side"] == side and len(one["named"]) < one["expected"]["count"]


def taps(page: Page) -> int:
    return int(page.evaluate("window.taps"))


@pytest.fixture(params=["skirmish", "ranked"])
def game(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[str, str, bytes, int]]:
    is_skirmish = request.param == "skirmish"
    state = write(tmp_path / "state.json", skirmish_of_sixty() if is_skirmish else regiments_of_sixty())
    with serve_table("serve", "--state", state, "--open") as address:
        yield request.param, address, SKIRMISH_ARMY if is_skirmish else RANKED_ARMY, 60 if is_skirmish else 6


def test_sixty_miniatures_are_named_by_two_players(
    browser: Browser, game: tuple[str, str, bytes, int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kind, address, raw, bases = game
    pages = {side: open_phone(browser, address, bases) for side in ("red", "blue")}
    begin = time.monotonic()
    for side, page in pages.items():
        lay_file(page, side, raw, tmp_path / f"{side}.rosz")
    for side, page in pages.items():
        for other in pages:
            expect(page.get_by_role("button", name=f"Put the list of {other} away")).to_be_visible()
        name_all(page, address, side)
    took_s = time.monotonic() - begin
    counted = {side: taps(page) for side, page in pages.items()}
    keep_screenshot(pages["red"], f"lists-{kind}-named")

    state = call_api(address, "state")
    assert len(state["miniatures"]) == 60
    assert all(one.get("name") and one.get("side") for one in state["miniatures"])
    assert violations(pages["red"]) == []
    assert sum(counted.values()) <= MOST_TAPS
    with capsys.disabled():
        print(f"\n{kind}: sixty miniatures named with {counted} taps, in {took_s:.0f} s of this machine")
    for page in pages.values():
        page.context.close()


def test_a_base_is_added_and_dropped_before_it_is_named(browser: Browser, tmp_path: Path) -> None:
    state = write(tmp_path / "state.json", skirmish_of_sixty())
    with serve_table("serve", "--state", state, "--open") as address:
        page = open_phone(browser, address, 60)
        page.get_by_label("Or paste its text").fill("6 Reeve, red, 30\n8 Slinger, red, 30\n1 Dame Marl, red, 30\n")
        page.get_by_role("button", name="Read it").tap()
        page.locator(".entry", has_text="Reeve").tap()
        expect(page.locator(".base.under")).to_have_count(6)
        keep_screenshot(page, "lists-these-six")
        tap(page, "m0")
        expect(page.locator(".base.under")).to_have_count(5)
        page.get_by_role("button", name="These 5").tap()
        expect(page.locator(".setup .pair h2")).to_have_text("Slinger")

        named = [m["id"] for m in call_api(address, "state")["miniatures"] if m.get("name") == "Reeve"]
        assert named == ["m1", "m2", "m3", "m4", "m5"]
        page.context.close()


def test_a_list_that_cannot_be_read_is_said_and_the_names_stay(browser: Browser, tmp_path: Path) -> None:
    state = write(tmp_path / "state.json", skirmish_of_sixty())
    with serve_table("serve", "--state", state, "--open") as address:
        page = open_phone(browser, address, 60)
        lay_file(page, "red", SKIRMISH_ARMY, tmp_path / "good.rosz")
        (tmp_path / "bad.rosz").write_bytes(SKIRMISH_ARMY[:60])
        page.get_by_role("radiogroup", name="A list for").get_by_role("radio", name="red").tap()
        page.get_by_label("Choose a file").set_input_files(tmp_path / "bad.rosz")

        expect(page.get_by_text("cannot be unpacked")).to_be_visible()
        expect(page.locator(".naming .entry")).to_have_count(len(UNITS) + len(SINGLES))
        page.context.close()


def test_names_are_there_after_the_server_was_started_again(browser: Browser, tmp_path: Path) -> None:
    arguments = ("serve", "--state", write(tmp_path / "state.json", skirmish_of_sixty()), "--open")
    kept = ("--data", str(tmp_path / "data"))
    (tmp_path / "red.rosz").write_bytes(SKIRMISH_ARMY)
    port = find_free_port()
    with serve_table(*arguments, *kept, "--roster", f"red={tmp_path / 'red.rosz'}", port=port) as address:
        page = open_phone(browser, address, 60)
        page.get_by_role("button", name="that can be only").tap()
        expect(page.locator(".naming .entry.one").first).to_be_visible()
        named = page.locator(".naming .entry.one").count()
    with serve_table(*arguments, *kept, port=port):
        page.reload()
        open_section(page, "Lists")

        expect(page.locator(".naming .entry.one")).to_have_count(named)
        page.context.close()


UNCLEAR = """Muster of the weir
10: Reeve
8 Slinger, red, 30
Dame Marl
see you on Saturday
"""


def test_lines_that_are_not_understood_are_mended_on_the_phone_and_confirmed(browser: Browser, tmp_path: Path) -> None:
    state = write(tmp_path / "state.json", skirmish_of_sixty())
    with serve_table("serve", "--state", state, "--open") as address:
        page = open_phone(browser, address, 60)
        page.get_by_label("Or paste its text").fill(UNCLEAR)
        page.get_by_role("button", name="Read it").tap()
        expect(page.get_by_role("heading", name="Understood 80 %: one line is not")).to_be_visible()
        rows = {row: page.locator(f'.doubts [data-line="{row}"]') for row in (1, 2, 4, 5)}
        for row in (1, 5):
            rows[row].get_by_role("radio", name="Leave out").tap()
        rows[2].get_by_role("radio", name="Miniatures").tap()
        rows[2].get_by_role("button", name="More: How many").tap()
        keep_screenshot(page, "lists-lines-to-confirm")
        wrong = violations(page)
        expect(page.get_by_text("2 lines are left out.")).to_be_visible()
        page.get_by_role("button", name="Lay out 20 miniatures").tap()
        expect(page.get_by_role("button", name="Put the list of red away")).to_be_visible()

        counts = {one["expected"]["name"]: one["expected"]["count"] for one in call_api(address, "lists")["entries"]}
        assert counts == {"Slinger": 8, "Reeve": 11, "Dame Marl": 1}
        assert wrong == []
        page.context.close()


PASTED = """6 Reeve, red, 30
8 Slinger, red, 30
10 Pikeman, red, 30
three big lads, 40 mm each
1 Heron, red, 40
my dame with her dog
1 Dredger, red, 120
"""
MOST_TAPS_OF_A_LIST = 20


def test_a_list_is_pasted_two_lines_are_mended_and_thirty_bases_named(
    browser: Browser, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    world = skirmish_of_sixty()
    world["miniatures"] = world["miniatures"][:30]
    with serve_table("serve", "--state", write(tmp_path / "state.json", world), "--open") as address:
        page = open_phone(browser, address, 30)
        begin = time.monotonic()
        page.get_by_role("radiogroup", name="A list for").get_by_role("radio", name="red").tap()
        page.get_by_label("Or paste its text").fill(PASTED)
        page.get_by_role("button", name="Read it").tap()
        for row, name, count in ((4, "Toll Guard", 3), (6, "Dame Marl", 1)):
            mend_line(page, row, name, count)
        page.get_by_role("button", name="Lay out 30 miniatures").tap()
        expect(page.get_by_role("button", name="Put the list of red away")).to_be_visible()
        name_all(page, address, "red")
        took_s, counted = time.monotonic() - begin, taps(page)

        assert all(one.get("name") for one in call_api(address, "state")["miniatures"])
        assert counted <= MOST_TAPS_OF_A_LIST
        with capsys.disabled():
            print(f"\npasted, two lines mended, thirty named: {counted} taps, {took_s:.0f} s of this machine")
        page.context.close()


def mend_line(page: Page, row: int, name: str, count: int) -> None:
    line = page.locator(f'.doubts [data-line="{row}"]')
    line.get_by_role("radio", name="Miniatures").tap()
    line.get_by_label("Name").fill(name)
    line.get_by_role("spinbutton").fill(str(count))
    line.get_by_role("spinbutton").press("Tab")


def test_two_files_at_once_are_laid_for_both_sides(browser: Browser, tmp_path: Path) -> None:
    files = [tmp_path / "red.txt", tmp_path / "blue.txt"]
    for file, name in zip(files, ("Reeve", "Slinger"), strict=True):
        file.write_text(f"6 {name}, , 30\n1 Heron, , 40\n")
    with serve_table("serve", "--state", write(tmp_path / "state.json", skirmish_of_sixty()), "--open") as address:
        page = open_phone(browser, address, 60)
        page.get_by_role("radiogroup", name="A list for").get_by_role("radio", name="red").tap()
        page.get_by_label("Choose a file").set_input_files(files)
        for side in ("red", "blue"):
            expect(page.get_by_role("button", name=f"Put the list of {side} away")).to_be_visible()

        laid = {(one["expected"]["side"], one["expected"]["name"]) for one in call_api(address, "lists")["entries"]}
        assert laid == {("red", "Reeve"), ("red", "Heron"), ("blue", "Slinger"), ("blue", "Heron")}
        page.context.close()


@pytest.mark.parametrize("sent", ["?list-title=Muster&list-text=", "#list="])
def test_a_list_that_is_shared_with_the_page_stands_where_one_is_pasted(
    browser: Browser, tmp_path: Path, sent: str
) -> None:
    with serve_table("serve", "--state", write(tmp_path / "state.json", skirmish_of_sixty()), "--open") as address:
        page = browser.new_context(viewport=PHONE, has_touch=True).new_page()
        page.goto(f"{address}{sent}{quote('6 Reeve, red, 30')}")
        expect(page.get_by_label("Or paste its text")).to_have_value("6 Reeve, red, 30")
        page.get_by_text("From another device").tap()
        expect(page.locator(".other-device img")).to_be_visible()
        keep_screenshot(page, "lists-from-another-device")
        wrong = violations(page)
        page.get_by_role("button", name="Read it").tap()
        expect(page.locator(".entry", has_text="Reeve")).to_be_visible()

        assert "list" not in page.url
        assert wrong == []
        page.context.close()


def test_the_army_is_kept_on_the_phone(browser: Browser, tmp_path: Path) -> None:
    """Losses by tap, one taken back; a reserve, damage, an activation and a new turn; points of what is destroyed."""
    state = write(tmp_path / "state.json", skirmish_of_sixty())
    (tmp_path / "red.txt").write_text("Muster (130 points)\n\nUNITS\n\n6 Reeve (90 points)\n\nDame Marl (40 points)\n")
    arguments = ("serve", "--state", state, "--open", "--roster", f"red={tmp_path / 'red.txt'}")
    with serve_table(*arguments) as address:
        page = open_phone(browser, address, 60)
        open_section(page, "Army")
        expect(page.get_by_text("0 of 130 points destroyed")).to_be_visible()
        page.locator(".army .entry", has_text="Dame Marl").tap()
        page.get_by_role("button", name="More: Casualties: Dame Marl").tap()
        expect(page.get_by_text("40 of 130 points destroyed")).to_be_visible()
        page.locator(".army .entry", has_text="Reeve").tap()
        opened = page.locator(".army li", has_text="Reeve")
        for lost in (1, 2):
            opened.get_by_role("button", name="More: Casualties: Reeve").tap()
            expect(opened.locator("output")).to_contain_text(f"{lost} of 6 lost")
        opened.get_by_role("button", name="Less: Casualties: Reeve").tap()
        expect(opened.locator("output")).to_contain_text("1 of 6 lost")
        opened.get_by_role("radio", name="In reserve").tap()
        opened.get_by_label("Damage").fill("3 of 8")
        opened.get_by_role("button", name="Save").first.tap()
        expect(opened.locator(".entry small")).to_have_text("1 of 6 lost · In reserve · damage 3 of 8")
        opened.get_by_role("button", name="Activated").tap()
        expect(opened.get_by_role("button", name="Activated", pressed=True)).to_be_visible()
        keep_screenshot(page, "army-opened")
        assert violations(page) == []
        page.get_by_role("button", name="New turn").tap()
        expect(opened.get_by_role("button", name="Activated", pressed=False)).to_be_visible()
        page.context.close()


def test_a_named_base_falls_where_it_is_tapped(browser: Browser, tmp_path: Path) -> None:
    state = write(tmp_path / "state.json", skirmish_of_sixty())
    (tmp_path / "red.rosz").write_bytes(SKIRMISH_ARMY)
    with serve_table("serve", "--state", state, "--open", "--roster", f"red={tmp_path / 'red.rosz'}") as address:
        page = open_phone(browser, address, 60)
        (reeve,) = (one for one in call_api(address, "lists")["entries"] if one["expected"]["name"] == "Reeve")
        named = [{"entry": reeve["expected"]["entry"], "ids": reeve["proposed"]}]
        call_api(address, "lists/name", body={"choices": named}, method="POST")
        open_section(page, "Army")
        page.locator(".army .entry", has_text="Reeve").tap()
        page.get_by_role("button", name="More: Casualties: Reeve").tap()
        expect(page.get_by_text("Tap the base that fell.")).to_be_visible()
        tap(page, reeve["proposed"][2])
        expect(page.locator(".army li", has_text="Reeve").locator("output")).to_contain_text("1 of 6 lost")

        expect(page.locator(f'.base[data-id="{reeve["proposed"][2]}"]')).to_have_count(0)
        page.context.close()
