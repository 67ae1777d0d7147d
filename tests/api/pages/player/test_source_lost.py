"""What the phone shows when the camera cannot see."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from api.storage.files import save
from tests.api.cameras import CAMERA, LAYOUT
from tests.api.pages.player_page import keep_screenshot
from tests.api.serving import serve_table

pytestmark = pytest.mark.browser


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, ...]:
    """The arguments that name a camera and a layout."""
    save(CAMERA, tmp_path / "camera.json")
    save(LAYOUT, tmp_path / "layout.json")
    return ("--camera", str(tmp_path / "camera.json"), "--layout", str(tmp_path / "layout.json"))


def test_a_source_that_cannot_be_read_is_named(phone: Page, files: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "broken.mp4").write_bytes(b"this is no film")

    with serve_table("serve", "--source", str(tmp_path / "broken.mp4"), *files) as url:
        phone.goto(url)

        expect(phone.get_by_role("alert")).to_contain_text("broken.mp4")
        expect(phone.locator(".badge")).to_contain_text("source lost")
        assert phone.request.get(f"{url}api/v1/health").ok
    keep_screenshot(phone, "source-lost")


def test_a_source_that_ends_leaves_the_server_alive(phone: Page, files: tuple[str, ...], tmp_path: Path) -> None:
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    cv2.imwrite(str(pictures / "0.png"), np.full((240, 320, 3), 90, np.uint8))

    with serve_table("serve", "--source", str(pictures), *files) as url:
        phone.goto(url)

        expect(phone.get_by_role("alert")).to_contain_text("The recording has ended")
        expect(phone.locator(".badge")).to_contain_text("recording ended")
        asked = phone.request.post(f"{url}api/v1/ask-pair", data={"a": "x", "b": "y"})
    assert asked.status == 503
    assert asked.json()["type"] == "world/no_table_yet"
