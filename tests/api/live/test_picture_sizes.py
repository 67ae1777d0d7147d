import asyncio
from unittest.mock import patch

import cv2
import numpy as np
import pytest

from api.camera.protocol import ChangedPart
from api.live import annotated_video
from api.live.annotated_video import PictureSizes, Wanted, fit_picture
from calibration.arrays import Image


def jpeg(*, left: int = 40, right: int = 200) -> bytes:
    """1000 x 600: dark on the left, bright on the right."""
    picture = np.full((600, 1000, 3), left, np.uint8)
    picture[:, 500:] = right
    return bytes(cv2.imencode(".jpg", picture)[1].tobytes())


def decoded(content: bytes) -> Image:
    image = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    return np.asarray(image, np.uint8)


@pytest.mark.parametrize(
    ("width_px", "made_px"), [(1, 160), (160, 160), (161, 320), (960, 960), (961, 1000), (None, 1000)]
)
def test_a_picture_is_made_in_the_next_larger_step_and_never_larger_than_it_is(
    width_px: int | None, made_px: int
) -> None:
    image = decoded(fit_picture(jpeg(), Wanted(width_px, is_webp=True)).content)

    assert image.shape == (round(0.6 * made_px), made_px, 3)


def test_webp_is_sent_only_to_who_wants_it() -> None:
    webp, plain = (fit_picture(jpeg(), Wanted(480, is_webp=is_webp)) for is_webp in (True, False))

    assert (webp.media_type, webp.content[8:12]) == ("image/webp", b"WEBP")
    assert (plain.media_type, plain.content[:2]) == ("image/jpeg", b"\xff\xd8")


def test_parts_laid_over_an_old_picture_make_the_new_one() -> None:
    """In the size of the screen too: their edges lie between pixels there."""
    part = ChangedPart(488, 0, 1000, 600)
    old, new = jpeg(right=200), jpeg(right=120)
    canvas = decoded(fit_picture(old, Wanted(320)).content).copy()
    sized = fit_picture(new, Wanted(320, part=part))
    shown = decoded(sized.content)
    canvas[sized.top_px :, sized.left_px :][: shown.shape[0], : shown.shape[1]] = shown

    assert sized.whole_px == (320, 192)
    assert np.abs(canvas.astype(int) - decoded(fit_picture(new, Wanted(320)).content)).max() <= 4


def test_what_is_no_picture_is_handed_on_as_it_is() -> None:
    assert fit_picture(b"one", Wanted(320)).content == b"one"


def test_a_picture_that_many_ask_for_is_made_once() -> None:
    async def ask() -> int:
        sizes = PictureSizes()
        with patch.object(annotated_video, "fit_picture", wraps=fit_picture) as made:
            await asyncio.gather(*(sizes.fit(jpeg(), Wanted(320, is_webp=True)) for _ in range(50)))
            return made.call_count

    assert asyncio.run(ask()) == 1
