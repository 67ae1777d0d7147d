import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from api.camera.protocol import ChangedPart, Job
from api.camera.table_pictures import (
    BLOCK_PX,
    NOISE_LEVELS,
    PICTURE_STILL_S,
    TablePicture,
    TablePictures,
    block_means,
    changed_blocks,
)
from calibration.arrays import Image
from tests.api.cameras import CAMERA, LAYOUT, POSE
from tests.api.worlds import camera_commands
from vision.capture.sources import Frame
from vision.tracking.tracker import FrameResult

JOB = Job(source="0", camera=CAMERA, layout=LAYOUT, edition="warmachine-prime")
HEIGHT, WIDTH = 240, 320


def grey() -> Image:
    return np.full((HEIGHT, WIDTH, 3), 90, np.uint8)


def shown(*images: Image) -> list[TablePicture]:
    """What is sent of these pictures at rest, each shown until the next is due."""
    commands = camera_commands(wants_pictures=True)
    pictures = TablePictures(commands.pictures)
    sent = []
    for number, image in enumerate(image for image in images for _ in range(2)):
        result = FrameResult(
            frame=number, t_s=number * PICTURE_STILL_S, lines=(), is_settled=True, hand=False, pose=POSE
        )
        sent.append(pictures.next_picture(Frame(number, result.t_s, image), result, JOB))
    return [one for one in sent if one is not None]


def test_a_picture_that_differs_by_noise_alone_is_not_sent() -> None:
    rng = np.random.default_rng(3)
    noisy = [np.clip(grey() + rng.normal(0, 3, (HEIGHT, WIDTH, 3)), 0, 255).astype(np.uint8) for _ in range(4)]

    assert len(shown(*noisy)) == 1


def test_the_part_that_changed_is_told_with_the_picture() -> None:
    moved = grey()
    moved[110:130, 150:170] = 220
    _, second = shown(grey(), moved)

    assert second.changed is not None
    left, top, right, bottom = second.changed
    assert 0 < right - left < 200
    assert 0 < bottom - top < 200


def test_light_that_changes_slowly_is_sent_once_it_has_gone_beyond_noise() -> None:
    """It is compared with what phones have, not with the picture before."""
    dimmed = [np.full((HEIGHT, WIDTH, 3), 90 + 3 * step, np.uint8) for step in range(9)]
    sent = shown(*dimmed)

    assert len(sent) == 3


@given(left=st.integers(0, 30), top=st.integers(0, 20), wide=st.integers(1, 12), high=st.integers(1, 12))
def test_the_box_of_changed_blocks_holds_every_changed_pixel(left: int, top: int, wide: int, high: int) -> None:
    before = np.full((171, 253, 3), 60, np.uint8)
    now = before.copy()
    at = np.s_[top * 7 : top * 7 + high * BLOCK_PX + 8, left * 8 : left * 8 + wide * BLOCK_PX + 8]
    now[at] = 60 + int(NOISE_LEVELS) * 10
    box = changed_blocks(block_means(before), block_means(now))

    assert box is not None
    part = ChangedPart(*(BLOCK_PX * edge for edge in box))
    rows, columns = np.nonzero((now != before).any(axis=2))
    assert part.left_px <= columns.min()
    assert columns.max() < part.right_px
    assert part.top_px <= rows.min()
    assert rows.max() < part.bottom_px
