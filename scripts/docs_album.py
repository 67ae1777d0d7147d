"""Album: a folder of the documentation's pictures, taken from pages and prints of the product."""

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import pypdfium2
from numpy.typing import NDArray
from playwright.sync_api import Browser, Page, ViewportSize

from tests.chromium import PHONE

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
_JPEG = [cv2.IMWRITE_JPEG_QUALITY, 84]
_SETTLED_MS = 300  # the last picture of the table may be on its way

Shot = NDArray[np.uint8]


@dataclass(frozen=True)
class Album:
    """Each picture replaces the one of its name before."""

    folder: Path = PICTURES

    def shoot(self, page: Page, name: str) -> None:
        """What the page shows now."""
        page.wait_for_timeout(_SETTLED_MS)
        self.keep(shot_of(page), name)

    def keep_print(self, pdf: bytes, name: str, *, scale: float) -> None:
        """The first page, as the printer has it."""
        page = pypdfium2.PdfDocument(pdf)[0]
        self.keep(np.asarray(page.render(scale=scale).to_pil().convert("RGB"))[:, :, ::-1], name)

    def keep(self, picture: Shot, name: str) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"{name}.jpg"
        cv2.imwrite(str(path), picture, _JPEG)
        print(path)


def shot_of(page: Page) -> Shot:
    picture = cv2.imdecode(np.frombuffer(page.screenshot(animations="disabled"), np.uint8), cv2.IMREAD_COLOR)
    return np.asarray(picture, np.uint8)


def open_page(browser: Browser, address: str, *, size: ViewportSize = PHONE) -> Page:
    """A page of a browser that knows nobody, under fingers."""
    page = browser.new_context(viewport=size, has_touch=True, reduced_motion="reduce").new_page()
    page.goto(address)
    return page
