"""A stream that repeats itself, encoded anew, is noticed; noise, hands, flicker and keyframes are none."""

from collections.abc import Callable, Iterator

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from api.camera.repetition import MOST_PICTURES, Repetition
from calibration.arrays import Image

SIZE = (60, 90)
Stream = Callable[[], Iterator[Image]]


def scene() -> Image:
    """A still table: gradients, edges and a few bases."""
    rows, columns = np.mgrid[: SIZE[0], : SIZE[1]]
    grey = (90 + 40 * np.sin(columns / 9) + 30 * np.cos(rows / 7)).astype(np.uint8)
    for x in (20, 45, 70):
        cv2.circle(grey, (x, 30), 7, 180, -1)
    return grey


def noisy(grey: Image, chance: np.random.Generator, *, sigma: float = 2.0) -> Image:
    return np.clip(grey + chance.normal(0, sigma, grey.shape), 0, 255).astype(np.uint8)


def encoded(grey: Image, quality: int) -> Image:
    decoded = cv2.imdecode(cv2.imencode(".jpg", grey, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_GRAYSCALE)
    assert decoded is not None
    return np.asarray(decoded, np.uint8)


def told_of(stream: Iterator[Image], *, pictures: int = 200) -> int | None:
    """The first round that is told of so many pictures."""
    repetition = Repetition()
    return next((turns for _ in range(pictures) if (turns := repetition.note(next(stream))) is not None), None)


@settings(max_examples=5, deadline=None)
@given(turns=st.integers(2, MOST_PICTURES), seed=st.integers(0, 99))
def test_pictures_that_take_turns_are_noticed_however_they_are_encoded(turns: int, seed: int) -> None:
    chance = np.random.default_rng(seed)
    recorded = [noisy(scene(), chance) for _ in range(turns)]

    def repeated() -> Iterator[Image]:
        k = 0
        while True:
            yield encoded(recorded[k % turns], int(chance.integers(80, 96)))
            k += 1

    assert told_of(repeated()) == turns


def still() -> Iterator[Image]:
    chance = np.random.default_rng(1)
    while True:
        yield encoded(noisy(scene(), chance), 85)


def under_a_lamp_that_flickers() -> Iterator[Image]:
    """Bands of light wander through the rows, and are back every three pictures."""
    chance, rows, k = np.random.default_rng(2), np.arange(SIZE[0])[:, None], 0
    while True:
        bands = 1 + 0.1 * np.sin(rows / 10 + 2 * np.pi * k / 3)
        yield noisy(np.clip(scene() * bands, 0, 255).astype(np.uint8), chance)
        k += 1


def with_a_hand_that_swings() -> Iterator[Image]:
    chance, phase = np.random.default_rng(3), 0.0
    while True:
        grey = scene()
        cv2.circle(grey, (int(45 + 30 * np.sin(phase)), 40), 12, 140, -1)
        yield noisy(grey, chance)
        phase += chance.normal(0.5, 0.05)  # nobody swings as evenly as a clock


def without_noise_but_at_keyframes() -> Iterator[Image]:
    """As a camera that smooths, encoded for little room: a keyframe every ten pictures changes all, alike each time."""
    k = 0
    while True:
        yield encoded(scene(), 60 if k % 10 == 0 else 80)
        k += 1


@pytest.mark.parametrize(
    "stream", [still, under_a_lamp_that_flickers, with_a_hand_that_swings, without_noise_but_at_keyframes]
)
def test_what_a_camera_shows_of_a_table_is_no_repetition(stream: Stream) -> None:
    assert told_of(stream()) is None
