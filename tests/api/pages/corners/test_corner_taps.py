"""The page on which the mat's corners are tapped, in a real browser as large as a phone."""

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from calibration.camera_model import projection
from calibration.pose.mat_sides import corners_mm
from models.camera import CameraPose
from tests.api.pages.player_page import keep_screenshot, wait_for_frame, wait_until
from tests.api.serving import serve_table
from tests.calibration import mats

pytestmark = pytest.mark.browser

TRUE = projection.project(corners_mm(mats.TABLE), camera=mats.CAMERA, pose=mats.TRUE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corners")
    cv2.imwrite(str(folder / "table.png"), mats.picture(0.6, 0.2))
    (folder / "camera.json").write_text(mats.CAMERA.model_dump_json(exclude_none=True))
    return folder


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    files = (str(folder / "table.png"), "--camera", str(folder / "camera.json"))
    with serve_table("calibrate", "table", *files, "--tap", "-o", str(folder / "pose.json")) as url:
        yield url


@pytest.fixture
def page(phone: Page, address: str) -> Page:
    phone.goto(address)
    expect(phone.get_by_role("status")).to_contain_text("Tap the near left corner")
    return phone


def _on_screen(page: Page, at_px: np.ndarray) -> tuple[float, float]:
    """Where this pixel of the picture is on the screen, while nothing is zoomed."""
    box = page.locator(".picture").bounding_box()
    assert box is not None
    x, y = (at_px + 0.5) * box["width"] / mats.CAMERA.image_size[0]
    return box["x"] + float(x), box["y"] + float(y)


def _tap(page: Page, corners: np.ndarray) -> None:
    for number, corner in enumerate(corners):
        page.touchscreen.tap(*_on_screen(page, corner))
        expect(page.locator(".corner")).to_have_count(number + 1)


def _choose_size(page: Page) -> None:
    page.get_by_role("radio", name="Other").tap()
    page.get_by_label("Width").fill(str(mats.TABLE[0]))
    page.get_by_label("Depth").fill(str(mats.TABLE[1]))
    page.get_by_label("Depth").blur()


def test_four_taps_and_a_size_find_the_camera_and_keep_it(page: Page, folder: Path) -> None:
    _tap(page, TRUE)
    _choose_size(page)
    expect(page.locator(".verdict")).to_contain_text("places are known to")
    keep_screenshot(page, "corners")

    page.get_by_role("button", name="Keep").tap()
    expect(page.locator(".verdict")).to_contain_text("Kept as")
    kept = CameraPose.model_validate_json((folder / "pose.json").read_bytes())
    assert kept.centre_mm == pytest.approx(mats.TRUE.centre_mm, abs=2.0)


def test_taps_across_each_other_are_refused_in_words(page: Page) -> None:
    _tap(page, TRUE[[0, 2, 1, 3]])
    _choose_size(page)

    expect(page.get_by_role("alert")).to_contain_text("cross")
    expect(page.get_by_role("button", name="Keep")).to_be_disabled()


def test_a_corner_is_nudged_dragged_and_put_back(page: Page) -> None:
    _tap(page, TRUE[:1])
    corner = page.locator('[data-corner="0"]')
    places = [_place(page)]
    corner.focus()
    page.keyboard.press("Shift+ArrowRight")
    places.append(_place(page))
    page.get_by_role("button", name="Down").click()
    places.append(_place(page))
    page.mouse.move(*places[-1])
    page.mouse.down()
    page.mouse.move(places[-1][0] + 40, places[-1][1] - 30, steps=4)
    page.mouse.up()
    places.append(_place(page))
    scale = page.locator(".picture").bounding_box()["width"] / mats.CAMERA.image_size[0]  # type: ignore[index]
    steps = np.diff(np.array(places), axis=0)

    assert steps == pytest.approx(np.array([[10 * scale, 0], [0, scale], [40, -30]]), abs=0.6)
    for _ in range(3):
        page.get_by_role("button", name="Undo").tap()
    wait_until(page, lambda: _place(page) == pytest.approx(places[0], abs=0.2), "the corner at its first place")


def test_a_picked_corner_goes_where_the_next_tap_is(page: Page) -> None:
    _tap(page, TRUE)
    page.touchscreen.tap(*_on_screen(page, TRUE[2]))
    expect(page.locator('[data-corner="2"]')).to_have_attribute("aria-pressed", "true")
    there = _on_screen(page, TRUE[2] + np.array([-140.0, 120.0]))
    page.touchscreen.tap(*there)

    wait_until(page, lambda: _place(page, 2) == pytest.approx(there, abs=1.5), "the corner at its new place")


def test_every_button_is_large_enough_for_a_thumb(page: Page) -> None:
    buttons = page.locator("button").evaluate_all(
        "all => all.map((one) => [one.getAttribute('aria-label') ?? one.textContent.trim(),"
        " one.getBoundingClientRect().width, one.getBoundingClientRect().height])"
    )

    assert len(buttons) > 8
    assert [one for one in buttons if not one[0] or min(one[1:]) < 43.9] == []


def _place(page: Page, number: int = 0) -> tuple[float, float]:
    wait_for_frame(page)
    box = page.locator(f'[data-corner="{number}"] .grip').bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
