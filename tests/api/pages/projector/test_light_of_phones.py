"""A projector that was calibrated before: what phones lay on its table, and where the page's own pixels lie."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from api.live.hub import Hub
from api.projector.schemas import LightSettings, SetLight
from api.projector.service import FILE, LightService
from api.routes.projector import add_projector
from api.server.app import create_app
from calibration.arrays import Floats, Image
from calibration.camera_model.projection import intersect_plane
from calibration.projector.projector_fit import Projector
from models.verdict import Witness
from tests.api.pages.accessibility import violations
from tests.api.pages.player_page import keep_screenshot, open_table, pick, tap, wait_until
from tests.api.serving import serve_app
from tests.api.worlds import camera_commands, skirmish
from tests.calibration.projector.light_scene import FULL_HD, lens, table_layout
from tests.calibration.scene import pose_towards

pytestmark = pytest.mark.browser

PROJECTOR = Projector(
    lens=lens(FULL_HD, throw=0.95, dist=(0.02, -0.004)),
    pose=pose_towards((950.0, -300.0, 2050.0), (914.0, 590.0, 0.0)),
    covariance=tuple(map(tuple, (1e-8 * np.eye(11)).tolist())),
    rms_mm=0.04,
    dots=230,
)
RATIO = 1.5  # of the page's own pixels to those of its style sheet
STEADY = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("#projector.blink > * { visibility: visible !important; }");
  document.adoptedStyleSheets = [sheet];
}"""
HEAR = """() => { window.heard = []; speechSynthesis.speak = ({ text, lang }) => window.heard.push([lang, text]); }"""


class LitTable:
    """A server whose projector is known, and the page on it."""

    def __init__(self, url: str, light: LightService, page: Page) -> None:
        self.url, self.light, self.page = url, light, page

    def lay(self, laid: SetLight) -> None:
        answer = self.page.request.put(f"{self.url}api/v1/projector/laid", data=laid.model_dump(mode="json"))
        assert answer.ok, answer.text()
        expect(self.page.locator(".laid .witness")).to_have_count(len(laid.shapes))

    def pixels(self) -> Image:
        picture = cv2.imdecode(np.frombuffer(self.page.screenshot(scale="device"), np.uint8), cv2.IMREAD_GRAYSCALE)
        assert picture is not None
        return np.asarray(picture, np.uint8)


@contextmanager
def lit_table(browser: Browser, folder: Path) -> Iterator[LitTable]:
    """Fails when a script on the page does."""
    (folder / FILE).write_text(PROJECTOR.model_dump_json())
    hub = Hub(title="Table 4", commands=camera_commands())
    hub.show(skirmish())
    light = LightService(hub, table_layout(), folder=folder)
    light.set_settings(LightSettings(areas=False, edges=False))
    app = create_app(hub)
    add_projector(app, light)
    size = {"width": round(FULL_HD[0] / RATIO), "height": round(FULL_HD[1] / RATIO)}
    page = browser.new_page(viewport=size, device_scale_factor=RATIO)
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    with serve_app(app) as url:
        page.goto(f"{url}projector")
        expect(page.locator(".mark").first).to_be_attached()
        page.evaluate(STEADY)
        yield LitTable(url, light, page)
        page.close()
    assert not wrong, wrong


@pytest.fixture(scope="module")
def table(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LitTable]:
    with lit_table(browser, tmp_path_factory.mktemp("light")) as table:
        yield table


def project(*places_mm: tuple[float, float]) -> Floats:
    return PROJECTOR.project(np.column_stack([places_mm, np.zeros(len(places_mm))]))


@pytest.mark.parametrize("place_mm", [(300.0, 500.0), (1500.0, 900.0), (900.0, 620.0)])
def test_the_pages_pixels_shine_where_the_calibration_says(table: LitTable, place_mm: tuple[float, float]) -> None:
    """On a screen of which one length of the style sheet is one and a half pixels."""
    table.lay(SetLight(shapes=(Witness(type="point", role="hit", points_mm=(place_mm,)),)))
    (at_px,) = project(place_mm)
    left, top = np.round(at_px).astype(int) - 20
    around = table.pixels()[top : top + 41, left : left + 41].astype(np.float64)
    rows, columns = np.indices(around.shape)
    centroid = np.array([np.sum(around * columns), np.sum(around * rows)]) / around.sum() + (left, top)

    assert around.max() > 60
    assert np.linalg.norm(centroid - at_px) < 0.25


def test_what_is_too_close_to_call_is_dotted_and_nothing_else_is(table: LitTable) -> None:
    ring = Witness(type="circle", role="limit", centre_mm=(1300.0, 600.0), radius_mm=203.2)
    along = [
        project((1300 + 203.2 * np.cos(turn), 600 + 203.2 * np.sin(turn)))[0] for turn in np.linspace(0, 6.28, 1500)
    ]
    columns, rows = np.round(along).astype(int).T
    dark = []
    for is_close in (False, True):
        table.lay(SetLight(shapes=(ring,), is_close=is_close))
        dark.append(float(np.mean(table.pixels()[rows, columns] < 20)))

    assert dark[0] == 0.0
    assert 0.2 < dark[1] < 0.7


def test_a_line_across_a_figure_is_dark_from_its_base_to_its_head(table: LitTable) -> None:
    (x, y), tall_mm = skirmish().miniatures[8].at_mm, 35.0
    ends_px = PROJECTOR.project(np.array([(x, y, 0.0), (x, y, tall_mm)]))
    shares = np.linspace(-3.0, 4.0, 50)[:, None]
    along_px = ends_px[0] + shares * (ends_px[1] - ends_px[0])
    along_mm = intersect_plane(along_px, camera=PROJECTOR.lens, pose=PROJECTOR.pose, z_mm=0.0)
    table.lay(SetLight(shapes=(Witness(type="polyline", role="path", points_mm=tuple(map(tuple, along_mm))),)))
    columns, rows = np.round(along_px).astype(int).T
    shown, is_figure = table.pixels()[rows, columns], (shares[:, 0] >= 0) & (shares[:, 0] <= 1)

    assert shown[is_figure].max() == 0
    assert shown[[0, -1]].min() > 60


def test_no_light_falls_beyond_the_tables_edge(table: LitTable) -> None:
    """There people stand."""
    width, _ = table_layout().table_mm
    table.lay(SetLight(shapes=(Witness(type="circle", role="limit", centre_mm=(width - 60, 600.0), radius_mm=150.0),)))
    shown = table.pixels()
    inside, outside = (np.round(project((x, y))[0]).astype(int) for x, y in ((width - 210, 600.0), (width + 90, 600.0)))

    assert shown[inside[1] - 3 : inside[1] + 4, inside[0] - 3 : inside[0] + 4].max() > 60
    assert shown[:, outside[0] - 40 :].max() == 0


def test_a_phone_lays_rings_a_path_and_a_template_and_takes_them_away(table: LitTable, phone: Page) -> None:
    open_table(phone, table.url, bases=17)
    pick(phone, "m12")
    expect(phone.locator(".sheet[data-state=ready] .rings .ring").first).to_be_visible()
    assert violations(phone) == []
    phone.get_by_role("button", name="Draw this on the table as light").tap()
    circles = phone.locator(".around .ring .line")
    wait_until(phone, lambda: len(table.light.board().laid.shapes) == circles.count() > 0, "the rings")
    keep_screenshot(phone, "phone-lays-light")
    drawn = sorted(float(circle.get_attribute("r") or 0) for circle in circles.all())

    assert sorted(shape.radius_mm or 0 for shape in table.light.board().laid.shapes) == pytest.approx(drawn)
    assert table.light.board().laid.sigma_mm > 0

    phone.get_by_role("button", name="Clear the pair").tap()
    phone.get_by_role("button", name="Take the light off the table").tap()
    wait_until(phone, lambda: not table.light.board().laid.shapes, "the dark")

    tools = phone.get_by_role("navigation", name="Tools")
    tools.get_by_role("button", name="What if").tap()
    tap(phone, "m12")
    phone.locator(".ghost .grip").focus()
    phone.keyboard.press("Shift+ArrowLeft")
    expect(phone.locator(".ghost .lane")).to_be_attached()
    phone.get_by_role("button", name="Draw this on the table as light").tap()
    wait_until(phone, lambda: bool(table.light.board().laid.shapes), "the path")
    (path,) = table.light.board().laid.shapes

    assert (path.role, math.dist(*(path.points_mm or ()))) == ("path", pytest.approx(25.4, abs=0.1))

    tools.get_by_role("button", name="Template").tap()
    tap(phone, "m12")
    phone.get_by_role("button", name="Draw this on the table as light").tap()
    wait_until(phone, lambda: table.light.board().laid.shapes[0].role == "hit", "the template")


def test_a_phone_offers_no_light_where_no_projector_shines(table: LitTable, phone: Page) -> None:
    table.light.set_settings(LightSettings(is_black=True))
    open_table(phone, table.url, bases=17)

    expect(phone.locator(".lamp")).to_have_count(0)
    table.light.set_settings(LightSettings(areas=False, edges=False))


def test_what_comes_on_air_is_said_aloud_where_somebody_wants_it(table: LitTable) -> None:
    table.page.evaluate(HEAR)
    air = f"{table.url}api/v1/overlay/air"
    table.page.request.post(air, data={"pair": {"a": "m2", "b": "m11"}, "stays": True})
    expect(table.page.locator(".air .witness").first).to_be_attached()
    table.page.keyboard.press("s")
    wait_until(table.page, lambda: bool(table.page.evaluate("window.heard.length")), "a word")
    table.page.keyboard.press("s")
    ((language, text),) = table.page.evaluate("window.heard")
    table.page.request.delete(air)

    assert language == "en"
    assert text.startswith("Charger sees Widowmaker: Not in front. ")
