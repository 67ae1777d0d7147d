"""What a producer does to the stream, from outside, and what a streaming program shows of the overlay."""

import json
from typing import Any
from urllib.request import Request, urlopen

import cv2
import numpy as np
from numpy.typing import NDArray
from playwright.sync_api import Page


def tell(address: str, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
    """The server's answer."""
    request = Request(
        f"{address}api/v1/{path}",
        data=None if body is None else json.dumps(body).encode(),
        headers={"Content-Type": "application/json"},
        method=method,
    )
    with urlopen(request, timeout=20) as answer:
        return json.load(answer)


def opacity(page: Page) -> NDArray[np.uint8]:
    """The alpha channel of what the program lays over its video."""
    picture = cv2.imdecode(np.frombuffer(page.screenshot(omit_background=True), np.uint8), cv2.IMREAD_UNCHANGED)
    assert picture is not None
    return np.asarray(picture[..., 3], dtype=np.uint8)


def is_near(alpha: NDArray[np.uint8], place: tuple[float, float], *, within_px: float = 30) -> bool:
    """Whether something is drawn around here."""
    ys, xs = alpha.nonzero()
    return bool(((abs(xs - place[0]) < within_px) & (abs(ys - place[1]) < within_px)).any())
