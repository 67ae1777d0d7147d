"""The page that makes a phone the camera: it sends what its camera sees, and says why it does not."""

import io
import re
from collections.abc import Iterator

import pytest
from fastapi import FastAPI
from PIL import Image
from playwright.sync_api import Page, expect

from api.camera.phone_camera import PhoneCamera
from api.live.hub import Hub
from api.routes.camera import add_phone_camera
from api.server.app import create_app, no_camera
from tests.api.fakes import ask
from tests.api.serving import serve_app

pytestmark = pytest.mark.browser
SIZE = (64, 48)
# A camera that sees a red picture.
CAMERA = f"""navigator.mediaDevices.getUserMedia = async () => {{
  const canvas = Object.assign(document.createElement("canvas"), {{ width: {SIZE[0]}, height: {SIZE[1]} }});
  const paint = () => {{
    const ground = canvas.getContext("2d");
    ground.fillStyle = "red";
    ground.fillRect(0, 0, canvas.width, canvas.height);
    requestAnimationFrame(paint);
  }};
  paint();
  return canvas.captureStream(10);
}};"""


class KeptPictures(PhoneCamera):
    """Keeps what came."""

    def __init__(self) -> None:
        super().__init__()
        self.pictures: list[bytes] = []

    async def take(self, jpeg: bytes, *, sender: str) -> None:
        await super().take(jpeg, sender=sender)
        self.pictures.append(jpeg)


@pytest.fixture
def camera() -> KeptPictures:
    return KeptPictures()


@pytest.fixture
def address(camera: KeptPictures) -> Iterator[str]:
    app: FastAPI = create_app(Hub(title="x"), ask=ask, camera=camera.feed(no_camera))
    add_phone_camera(app, camera)
    with serve_app(app) as address:
        yield address


def test_the_phone_sends_what_its_camera_sees(phone: Page, address: str, camera: KeptPictures) -> None:
    phone.add_init_script(CAMERA)
    phone.goto(f"{address}camera")
    phone.get_by_role("button", name="Start the camera").tap()
    expect(phone.get_by_role("status")).to_contain_text(re.compile(r"Sending: \d+ pictures of 64 × 48"))
    with Image.open(io.BytesIO(camera.pictures[-1])) as picture:
        red, green, blue = picture.convert("RGB").getpixel((32, 24))  # type: ignore[misc]

    assert (red > 200, green < 60, blue < 60) == (True, True, True)


def test_a_phone_says_that_another_one_is_the_camera(phone: Page, address: str, camera: KeptPictures) -> None:
    phone.add_init_script(CAMERA)
    phone.goto(f"{address}camera")
    camera._sender, camera._sent_s = "another phone", float("inf")
    phone.get_by_role("button", name="Start the camera").tap()

    expect(phone.get_by_role("status")).to_contain_text("Not sending: Another phone is the camera of this table")


def test_without_https_the_page_says_what_is_missing(phone: Page, address: str) -> None:
    phone.add_init_script("Object.defineProperty(navigator, 'mediaDevices', { value: undefined });")
    phone.goto(f"{address}camera")
    phone.get_by_role("button", name="Start the camera").tap()

    expect(phone.get_by_role("status")).to_contain_text("it did not come by HTTPS")
