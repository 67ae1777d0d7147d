"""What the phone shows when the camera was moved, and of the self-check."""

import asyncio
import re
import threading
import time
from collections.abc import AsyncIterator
from contextlib import AbstractContextManager, asynccontextmanager
from dataclasses import replace
from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from api.camera.protocol import CameraCommands, CameraHealth, Report, SelfCheckReport
from api.live.hub import Hub
from api.routes.question_desk import PAUSE_S
from api.server.app import create_app
from models.halt import Halt
from models.queries import BaseQuery, Distance
from models.self_check import LengthComparison, SelfCheck
from models.state import TableState
from models.timeline import EventLine, Waypoint
from models.verdict import Answer, Verdict
from tests.api.fakes import ask
from tests.api.pages.accessibility import violations
from tests.api.pages.player_page import keep_screenshot, open_section, open_table, tap
from tests.api.serving import serve_app
from tests.api.worlds import camera_commands, frame_report, move_miniature, skirmish, state_line
from tests.chromium import PATIENCE_MS

pytestmark = pytest.mark.browser
PATIENCE_S = PATIENCE_MS / 1000

MOVED = Halt(why="camera-moved", says="The camera was moved by 28 mm on the table.", unlock="Register the table again.")
UNFIT = SelfCheck(
    is_fit=False,
    says="calibrate again: scale 0.6% too large",
    mend=("calibrate again: scale 0.6% too large",),
    compared=(LengthComparison(what="card 20, width", known_mm=80, measured_mm=80.48, sigma_mm=0.1, is_fine=False),),
    table_sigma_mm=0.13,
)


class Table:
    """A server whose camera says what the test says."""

    def __init__(self) -> None:
        self.flags: CameraCommands = camera_commands()
        self.hub = Hub(title="test table", commands=self.flags)
        self.loop: asyncio.AbstractEventLoop | None = None

    @asynccontextmanager
    async def camera(self, _: Hub) -> AsyncIterator[None]:
        self.loop = asyncio.get_running_loop()
        self.hub.handle_report(frame_report(state_line(skirmish())))
        yield

    def says(self, report: Report) -> None:
        assert self.loop is not None
        self.loop.call_soon_threadsafe(self.hub.handle_report, report)


def serve(table: Table) -> AbstractContextManager[str]:
    return serve_app(create_app(table.hub, ask=ask, camera=table.camera))


@pytest.fixture
def table() -> Table:
    return Table()


def test_a_moved_camera_is_said_and_can_be_registered_again(phone: Page, table: Table) -> None:
    with serve(table) as url:
        open_table(phone, url, bases=17)
        table.says(frame_report(halt=MOVED))
        expect(phone.get_by_role("alert")).to_contain_text("moved by 28 mm")
        expect(phone.locator(".badge")).to_contain_text("camera moved")
        keep_screenshot(phone, "camera-moved")
        phone.get_by_role("button", name="Register again").tap()
        expect(phone.locator(".toast")).to_contain_text("Looking for the table")
        assert table.flags.register.wait(PATIENCE_S)
        table.says(frame_report())

        expect(phone.get_by_role("alert")).to_have_count(0)
        expect(phone.locator(".toast")).to_contain_text("known again")


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_no_button_comes_under_a_finger_for_a_camera_that_is_known_again_at_once(
    phone: Page, table: Table, motion: Literal["no-preference", "reduce"]
) -> None:
    phone.emulate_media(reduced_motion=motion)
    with serve(table) as url:
        open_table(phone, url, bases=17)
        table.says(frame_report(halt=MOVED))
        expect(phone.get_by_role("alert")).to_contain_text("moved by 28 mm")
        waiting = "document.querySelector('.banner .mend').getAnimations()[0]"
        phone.evaluate(f"const one = {waiting}; one.pause(); one.currentTime = 1000")
        expect(phone.locator(".banner .mend")).to_be_hidden()

        phone.evaluate(f"{waiting}.finish()")

        expect(phone.locator(".banner .mend")).to_be_visible()


def test_no_row_leaves_its_place_under_a_finger_while_threats_come_in(phone: Page, table: Table) -> None:
    """Of those around m10 only the third nearest threatens it; m7 is answered about when the test says."""
    last = threading.Event()

    def only_m3(state: TableState, query: BaseQuery) -> Verdict:
        names = [id_ for _, id_ in query.names()]
        if "m3" in names:
            time.sleep(2 * PAUSE_S)  # what comes sooner after the part before is told with the next
        if "m7" in names and not isinstance(query, Distance):
            last.wait(PATIENCE_S)
        verdict = ask(state, query)
        is_told = isinstance(query, Distance) or names[:1] == ["m3"]
        return verdict if is_told else verdict.model_copy(update={"answer": Answer.NO})

    with serve_app(create_app(table.hub, ask=only_m3, camera=table.camera)) as url:
        open_table(phone, url, bases=17)
        tap(phone, "m10")
        rows = phone.locator("button.other")
        expect(phone.locator('button.other.threat[data-id="m3"]')).to_be_visible()
        expect(phone.locator("h3")).to_contain_text("Looking for threats")
        coming = [row.get_attribute("data-id") for row in rows.all()[:3]]
        last.set()
        expect(phone.locator("h3").first).to_contain_text("1 known to threaten it")

        assert coming == ["m4", "m16", "m3"]
        assert rows.first.get_attribute("data-id") == "m3"


def test_a_told_facing_says_how_long_it_holds_and_when_it_has_ended(phone: Page, table: Table) -> None:
    with serve_app(create_app(table.hub, camera=table.camera)) as url:
        open_table(phone, url, bases=17)
        for id_ in ("m16", "m4"):
            phone.locator(f'.base[data-id="{id_}"]').focus()
            phone.keyboard.press("Enter")
        phone.locator('[data-slot="front-ab"]').tap()
        phone.get_by_role("button", name="Standard Bearer away").tap()
        expect(phone.locator(".toast")).to_contain_text("Told until it moves. Both players see it")
        assert violations(phone) == []
        keep_screenshot(phone, "told-until-it-moves")

        table.says(frame_report(state_line(move_miniature(skirmish(), "m16", (500.0, 300.0)))))

        expect(phone.locator(".toast")).to_contain_text("moved: say anew which way it looks.")


def test_a_move_that_went_round_is_told_with_its_way(phone: Page, table: Table) -> None:
    """300 mm straight, 330 mm by the way on which it was seen."""
    way = (Waypoint(t_s=1.5, at_mm=(450.0, 370.0), sigma_mm=1.5),)
    event = EventLine(
        type="moved", t_s=2, frame=20, ids=("m1",), from_mm=(300, 300), to_mm=(600, 300), path=way, travelled_mm=330.2
    )
    with serve(table) as url:
        open_table(phone, url, bases=17)
        table.says(frame_report(event))

        expect(phone.locator(".toast")).to_contain_text("moved 11.81″, by a way of at least 13.00″")


def test_answers_are_refused_while_it_is_moved_and_come_back(phone: Page, table: Table) -> None:
    with serve(table) as url:
        open_table(phone, url, bases=17)
        phone.locator(".entry").nth(0).tap()
        phone.locator("button.other").nth(3).tap()
        sight = phone.locator('.sheet [data-slot="sight"]')
        expect(sight).not_to_contain_text("Register")
        table.says(frame_report(halt=MOVED))
        expect(sight).to_contain_text("Register the table again.")
        keep_screenshot(phone, "camera-moved-pair")
        mend, look = phone.locator(".banner").bounding_box(), phone.locator(".look").bounding_box()
        assert mend is not None
        assert look is not None
        assert look["y"] + look["height"] < mend["y"], "one button lies over the other"
        table.says(frame_report())

        expect(sight).not_to_contain_text("Register")


def test_a_check_says_what_to_mend(phone: Page, table: Table) -> None:
    with serve(table) as url:
        open_table(phone, url, bases=17)
        open_section(phone, "This phone")
        phone.get_by_role("button", name="Check the table").tap()
        expect(phone.get_by_role("heading", name="Measuring")).to_be_visible()
        assert table.flags.check.wait(PATIENCE_S)
        table.says(SelfCheckReport(UNFIT))

        expect(phone.get_by_role("heading", name="Not yet fit to judge")).to_be_visible()
        expect(phone.get_by_label("Self-check")).to_contain_text("scale 0.6% too large")
        expect(phone.get_by_role("row").nth(1)).to_contain_text("80.48 mm")
        keep_screenshot(phone, "self-check")


DULL = CameraHealth(
    frames_per_s=7.5,
    size_px=(1920, 1080),
    sharpness=0.41,
    brightness=105,
    exposure="good",
    calibration_px=0.07,
    table_sigma_mm=0.13,
)


def test_how_the_camera_does_stands_on_the_phone_with_what_is_amiss_marked(phone: Page, table: Table) -> None:
    with serve(table) as url:
        open_table(phone, url, bases=17)
        table.says(replace(frame_report(), health=DULL, hidden=("m12",)))
        open_section(phone, "This phone")
        panel = phone.locator(".health")
        panel.scroll_into_view_if_needed()

        expect(panel).to_contain_text("7.5 looked at per second")
        expect(panel.locator(".off")).to_have_text([re.compile("41 % of the sharpest"), re.compile("Reaver")])
        assert violations(phone) == []
        keep_screenshot(phone, "camera-health")
        table.says(frame_report(halt=MOVED))
        expect(panel.locator(".off").first).to_contain_text("moved by 28 mm")


def test_no_line_is_drawn_to_where_one_of_the_two_stood(phone: Page, table: Table) -> None:
    with serve(table) as url:
        open_table(phone, url, bases=17)
        phone.locator(".entry").nth(0).tap()
        phone.locator("button.other").nth(3).tap()
        line = phone.locator(".witness.limit .stroke")
        expect(line).to_have_count(1)
        first = phone.locator(".base.a").get_attribute("data-id") or ""
        before = line.get_attribute("points")
        table.says(frame_report(state_line(move_miniature(skirmish(), first, (600.0, 612.5)))))

        expect(phone.locator('.sheet[data-state="ready"]')).to_be_attached()
        expect(line).not_to_have_attribute("points", before or "")
        expect(line).to_have_attribute("points", re.compile(r"600\.00,612\.50"))
