"""Fifteen errands of people at a table, walked in a real browser with touch, with their taps counted.

    python -m benchmarks.server.page_errands [--only TEXT]

Each begins at a whole table that somebody has sat down at, on a table of its own, and ends when what was wanted stands
on the screen. Prints taps and typed letters; a tap into a field counts. Taps of both players, and of the judge, add up.
In the end, of pairs that nobody has asked about: how long after the second finger is down the sentence stands.
"""

import argparse
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, expect

from api.hall.keys import make_keys, write_keys
from benchmarks.harness import spread_ms
from models.state import TableState
from tests.api.pages.player_page import middle, tap
from tests.api.pages.side_by_side import SharedTable, serve_shared, sit_down
from tests.api.serving import find_free_port, read_addresses, start_program
from tests.api.worlds import SKIRMISH, skirmish
from tests.chromium import PATIENCE_MS, PHONE, launch_chromium

MINE, THEIRS = "m7", "m10"
LIST = "Muster (130 points)\n\nUNITS\n\n1 Trencher (90 points)\n\n1 Mage (40 points)\n"
SETTLED = ".sheet .settled"
SENTENCE = "from the second tap to the sentence"
PAIRS = (("m7", "m10"), ("m3", "m12"), ("m1", "m6"), ("m5", "m2"), ("m9", "m4"), ("m11", "m8"), ("m7", "m2"))
_WATCH = """() => {
  let tapped_ms = 0;
  addEventListener("pointerdown", () => { tapped_ms = performance.now(); window.sentence_ms = null; }, true);
  new MutationObserver(() => {
    const says = document.querySelector(".sentence:not(.asking)")?.innerText ?? "";
    if (says !== "" && window.sentence_ms === null) window.sentence_ms = performance.now() - tapped_ms;
  }).observe(document.body, { subtree: true, childList: true, attributes: true });
}"""


@dataclass
class Finger:
    """What is done on a page, counted."""

    page: Page
    taps: int = 0
    letters: int = 0

    def tap(self, what: Locator) -> None:
        what.tap()
        self.taps += 1

    def button(self, name: str) -> None:
        self.tap(self.page.get_by_role("button", name=name, exact=True))

    def radio(self, name: str) -> None:
        self.tap(self.page.get_by_role("radio", name=name, exact=True))

    def base(self, id_: str) -> None:
        tap(self.page, id_)
        self.taps += 1

    def ground(self, id_: str, off_px: float) -> None:
        """Beside a base."""
        x, y = middle(self.page, id_)
        self.page.touchscreen.tap(x + off_px, y + off_px)
        self.taps += 1

    def write(self, field: Locator, text: str) -> None:
        self.tap(field)
        field.fill(text)
        self.letters += len(text)


@dataclass(frozen=True)
class Desk:
    """Two players and a judge, each at a page of one table."""

    table: SharedTable
    browser: Browser
    mara: Finger
    jonas: Finger
    judge: Finger

    def pair(self) -> None:
        """Ask about the two, on Mara's phone."""
        self.mara.base(MINE)
        self.mara.base(THEIRS)
        expect(self.mara.page.locator(".sentence:not(.asking)")).to_be_visible()

    def dispute(self) -> None:
        self.pair()
        self.mara.tap(self.mara.page.locator(".lines > .dispute"))
        expect(self.jonas.page.locator(".disputed .sentence")).to_be_visible()

    def pinned(self, says: str) -> None:
        for finger in (self.mara, self.jonas):
            expect(finger.page.locator(SETTLED).first).to_contain_text(says)


def join(desk: Desk) -> None:
    with sit_down(desk.browser, desk.table, "players", seat="player-b", is_known=False) as page:
        finger = Finger(page)
        finger.write(page.get_by_label("Your name"), "Ines")
        finger.tap(page.get_by_role("radiogroup", name="I play").get_by_role("radio", name="red"))
        finger.button("Ready")
        expect(page.get_by_role("heading", name="Tap a miniature")).to_be_visible()
        desk.mara.taps += finger.taps
        desk.mara.letters += finger.letters


def own_list(desk: Desk) -> None:
    page = desk.mara.page
    desk.mara.button("Table")
    desk.mara.radio("My army")
    desk.mara.tap(page.get_by_role("radiogroup", name="A list for").get_by_role("radio", name="blue"))
    desk.mara.write(page.locator("textarea"), LIST)
    desk.mara.letters -= len(LIST)  # pasted
    desk.mara.tap(page.locator("form button", has_text="Read"))
    expect(page.get_by_role("button", name="Put the list of blue away")).to_be_visible()


def may_i_shoot(desk: Desk) -> None:
    desk.pair()
    expect(desk.mara.page.locator(".sentence[data-topic=shoot]")).to_be_visible()


def may_i_charge(desk: Desk) -> None:
    desk.pair()
    desk.mara.tap(desk.mara.page.locator(".topic", has_text="Charge"))
    expect(desk.mara.page.locator(".sentence[data-topic=charge]:not(.asking)")).to_be_visible()


def how_far_may_i_go(desk: Desk) -> None:
    desk.mara.base(MINE)
    expect(desk.mara.page.locator("button.ring.walk")).to_contain_text("″")


def who_threatens_me(desk: Desk) -> None:
    desk.mara.base(MINE)
    expect(desk.mara.page.locator(".sheet.alone[data-state=ready]")).to_contain_text("threaten")


def what_if(desk: Desk) -> None:
    desk.mara.button("What if")
    desk.mara.base(MINE)
    desk.mara.ground(MINE, 40)
    desk.mara.base(THEIRS)
    expect(desk.mara.page.locator(".sheet.plan .sentence:not(.asking)")).to_be_visible()


def agree(desk: Desk) -> None:
    desk.dispute()
    for finger in (desk.mara, desk.jonas):
        finger.button("Clear")
    desk.pinned("Agreed: Clear")


def roll(desk: Desk) -> None:
    desk.table.hub.disputes._roll = iter((5, 2)).__next__
    desk.dispute()
    for finger in (desk.mara, desk.jonas):
        finger.button("Roll my die")
    desk.mara.button("Blocked")
    desk.pinned("Rolled")


def tape(desk: Desk) -> None:
    """A range that the tape decides otherwise."""
    desk.pair()
    page = desk.mara.page
    desk.mara.tap(page.locator("[data-slot=range], [data-slot^='range-']").first)
    desk.mara.tap(page.locator(".opened .dispute"))
    for finger in (desk.mara, desk.jonas):
        finger.write(finger.page.get_by_label("Inches, from rim to rim"), "10.5")
        finger.tap(finger.page.locator(".disputed form button"))
    desk.pinned("Tape 10.5″ · 10.5″: Out of range")


def call_the_judge(desk: Desk) -> None:
    desk.dispute()
    desk.mara.button("Call the judge")
    judge = desk.judge
    expect(judge.page.locator(".queued.called")).to_be_visible()
    write_ruling(judge)
    expect(desk.jonas.page.locator(".ruling-notice")).to_contain_text("Overruled: Clear")


def write_ruling(judge: Finger) -> None:
    page = judge.page
    judge.tap(page.locator(".queued"))
    judge.button("Overrule")
    judge.tap(page.locator(".draft .options").first.get_by_role("button", name="Clear"))
    judge.tap(page.locator(".draft .options").last.get_by_role("button").first)
    judge.button("Write the ruling")
    expect(page.locator(".written")).to_be_visible()


def ruling_and_picture(desk: Desk) -> None:
    desk.dispute()
    desk.mara.taps = 0  # the players' part is the errand before
    write_ruling(desk.judge)
    with desk.judge.page.context.expect_page() as opened:
        desk.judge.tap(desk.judge.page.locator(".written").get_by_role("link", name="Record"))
    expect(opened.value.locator("figure svg").first).to_be_visible()


def clock(desk: Desk) -> None:
    desk.mara.button("Chess clock")
    desk.mara.button("Set the clocks")
    desk.mara.tap(desk.mara.page.locator(".half.near"))
    expect(desk.mara.page.locator(".half.near.runs")).to_be_visible()


def score(desk: Desk) -> None:
    page = desk.mara.page
    desk.mara.button("Chess clock")
    desk.mara.write(page.locator(".score [name=player-a]"), "3")
    desk.mara.button("Say the score")
    expect(page.locator(".score-said summary")).to_contain_text("3–0")


def correct_a_base(desk: Desk) -> None:
    page = desk.mara.page
    desk.mara.button("Table")
    desk.mara.base("m12")
    desk.mara.write(page.get_by_label("Name"), "Wizard")
    desk.mara.button("Save")
    expect(page.locator(".setup .pair h2")).to_have_text("Wizard")


def earlier_moment(desk: Desk) -> None:
    desk.table.move("m2", (60.0, 60.0))
    desk.mara.button("Table")
    desk.mara.radio("Past")
    desk.mara.button("Moment before")
    expect(desk.mara.page.locator(".moment-says time")).to_be_visible()


def hand_on_a_link(desk: Desk) -> None:
    desk.pair()
    desk.mara.button("Share this answer")
    expect(desk.mara.page.locator(".share input")).to_be_visible()


ERRANDS: tuple[tuple[str, Callable[[Desk], None]], ...] = (
    ("join", join),
    ("own list", own_list),
    ("may I shoot", may_i_shoot),
    ("may I charge", may_i_charge),
    ("how far may I go", how_far_may_i_go),
    ("who threatens me", who_threatens_me),
    ("what if", what_if),
    ("dispute: agree", agree),
    ("dispute: roll", roll),
    ("dispute: tape", tape),
    ("dispute: judge", call_the_judge),
    ("ruling and its picture", ruling_and_picture),
    ("clock set and running", clock),
    ("score", score),
    ("correct a base", correct_a_base),
    ("earlier moment", earlier_moment),
    ("hand on a link", hand_on_a_link),
)
IN_A_HALL = "call in a hall"


@contextmanager
def sit_all(browser: Browser) -> Iterator[Desk]:
    """A fresh table with both players and a judge."""
    state = skirmish()
    sided = [one.model_copy(update={"side": ("blue", "red")[i % 2]}) for i, one in enumerate(state.miniatures)]
    state = TableState.model_validate(state.model_dump() | {"miniatures": [one.model_dump() for one in sided]})
    with ExitStack() as stack:
        table = stack.enter_context(serve_shared(state))
        pages = [
            stack.enter_context(sit_down(browser, table, door, seat=seat))
            for door, seat in (("players", "player-a"), ("players", "player-b"), ("judge", None))
        ]
        yield Desk(table, browser, *map(Finger, pages))


def call_in_a_hall(browser: Browser) -> Finger:
    """From the table's own page, until the hall's judge has it on the list."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        keys, tables = make_keys("spring-open", tables=1, judges=("Ben",), head_judge="Anna", call_stops_clock=True)
        write_keys(Path(folder) / "keys", keys, tables)
        port = find_free_port()
        kept = ("--keys", f"{folder}/keys", "--data", f"{folder}/hub")
        read_addresses(stack.enter_context(start_program("hub", "run", *kept, port=port)))
        url = f"http://127.0.0.1:{port}/"
        hall = ("--hub", url, "--table", "1", "--key", f"{folder}/keys/table-1.json")
        serve = ("serve", "--state", str(SKIRMISH), "--data", f"{folder}/table", *hall)
        table = stack.enter_context(start_program(*serve, port=find_free_port()))
        page = browser.new_page(viewport=PHONE, has_touch=True, reduced_motion="reduce")
        page.goto(read_addresses(table)["join"]["players"])
        page.get_by_role("region", name="Take a seat").locator("button.round").tap()
        finger = Finger(page)
        finger.tap(page.locator(".call-judge"))
        judge = browser.new_page(viewport=PHONE, has_touch=True, reduced_motion="reduce")
        judge.goto(f"{url}j/{next(one.code for one in keys.seats if one.name == 'Ben')}")
        expect(judge.locator("[data-table='1'].calls")).to_be_visible()
        return finger


def sentence_times(browser: Browser) -> list[float]:
    """Milliseconds on Mara's phone, of each pair once."""
    times = []
    with sit_all(browser) as desk:
        page = desk.mara.page
        page.evaluate(_WATCH)
        for a, b in PAIRS:
            desk.mara.base(a)
            expect(page.locator(".sheet.alone")).to_be_visible()
            desk.mara.base(b)
            expect(page.locator(".sentence:not(.asking)")).not_to_be_empty()
            times.append(page.evaluate("window.sentence_ms"))
            page.keyboard.press("Escape")
            expect(page.locator(".sentence")).to_have_count(0)
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="")
    only = parser.parse_args().only
    expect.set_options(timeout=PATIENCE_MS)
    print(f"{'errand':26s}taps  letters", flush=True)
    with launch_chromium() as browser:
        for name, walk in ERRANDS:
            if only in name:
                with sit_all(browser) as desk:
                    walk(desk)
                    fingers = (desk.mara, desk.jonas, desk.judge)
                    _tell(name, sum(one.taps for one in fingers), sum(one.letters for one in fingers))
        if only in IN_A_HALL:
            finger = call_in_a_hall(browser)
            _tell(IN_A_HALL, finger.taps, finger.letters)
        if only in SENTENCE:
            print(f"{SENTENCE}: {spread_ms(sentence_times(browser))}")


def _tell(name: str, taps: int, letters: int) -> None:
    print(f"{name:26s}{taps:4d}{letters:9d}", flush=True)


if __name__ == "__main__":
    main()
