"""Whether the camera still hangs where it hung: short stories of a table and its camera."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from calibration.arrays import Image
from calibration.camera_model.projection import project
from calibration.pose.pose_tracking import pose_shift_mm
from calibration.view import View
from models.layout import Layout, NoFiducials
from models.timeline import EventLine
from tests.vision import rendered
from vision.capture.sources import Frame
from vision.tracking.camera_bump import CameraBumpDetector

FPS = 10.0
CALM = rendered.Scene(eye=rendered.Eye(size_px=(640, 480), focal_px=580.0, middle_px=(322.9, 241.2)))
CAMERA, LAYOUT = CALM.eye.camera(), rendered.layout()
X, Y, Z = CALM.eye.centre_mm


def _eye(*, by_mm: float = 0.0, turn_rad: float = 0.0) -> rendered.Eye:
    return replace(CALM.eye, centre_mm=(X + by_mm, Y, Z), turn_rad=CALM.eye.turn_rad + turn_rad)


SMALL, FAR = _eye(by_mm=0.55), _eye(by_mm=2.0, turn_rad=0.06)


@cache
def _picture(eye: rendered.Eye = CALM.eye) -> Image:
    return rendered.photograph(replace(CALM, eye=eye))


def _covered(image: Image, *ids: int) -> Image:
    """With something grey over these fiducials."""
    out = image.copy()
    for marker in LAYOUT.fiducials.markers:
        if marker.id in ids:
            seen = project(marker.corners_mm, camera=CAMERA, pose=CALM.eye.pose())
            (x0, y0), (x1, y1) = seen.min(axis=0).astype(int) - 14, seen.max(axis=0).astype(int) + 14
            out[max(y0, 0) : y1, max(x0, 0) : x1] = 150
    return out


def _track(*shots: tuple[Image, float], watch: CameraBumpDetector | None = None) -> list[EventLine]:
    """What is told of a film; a shot is a picture and how many seconds it stays."""
    watch = watch or _watch()
    images = [image for image, lasts_s in shots for _ in range(round(lasts_s * FPS))]
    frames = [Frame(k, k / FPS, image) for k, image in enumerate(images)]
    return [line for frame in frames for line in watch.update(frame, is_disturbed=False, at_rest=True)]


def _watch() -> CameraBumpDetector:
    return CameraBumpDetector(CAMERA, LAYOUT)


def _off_mm(watch: CameraBumpDetector, eye: rendered.Eye) -> float:
    """How far the watch is from the truth at the table's worst corner, beyond what it was when registering."""
    first = CameraBumpDetector(CAMERA, LAYOUT)
    first.update(Frame(0, 0.0, _picture()), is_disturbed=False, at_rest=True)
    assert first.pose is not None
    assert watch.pose is not None
    at_first_mm, now_mm = (
        pose_shift_mm(View(CAMERA, true.pose(), LAYOUT), held)
        for true, held in ((CALM.eye, first.pose), (eye, watch.pose))
    )
    return now_mm - at_first_mm


def test_half_a_millimetre_is_told_within_a_second() -> None:
    (told,) = _track((_picture(), 1.0), (_picture(SMALL), 1.5))

    assert told.type == "camera-moved"
    assert 0 < told.t_s - 1.0 <= 1.0
    assert told.detail is not None
    assert "mm on the table" in told.detail


def test_a_small_shift_is_followed_and_stops_nothing() -> None:
    watch = _watch()
    _track((_picture(), 1.0), (_picture(SMALL), 1.5), watch=watch)

    assert watch.halt is None
    assert _off_mm(watch, SMALL) < 0.1


def test_two_hidden_fiducials_change_nothing_about_it() -> None:
    watch = _watch()
    (told,) = _track((_picture(), 1.0), (_covered(_picture(SMALL), 0, 2), 1.5), watch=watch)

    assert told.type == "camera-moved"
    assert _off_mm(watch, SMALL) < 0.1


def test_without_fiducials_the_background_decides_and_says_how_surely() -> None:
    watch = _watch()
    told = _track((_picture(), 1.0), (_covered(_picture(SMALL), 0, 1, 2, 3), 2.0), watch=watch)

    assert sorted(line.type for line in told) == ["camera-moved", "obstructed"]
    assert "the background keeps the camera's place to 0." in next(line.detail or "" for line in told[::-1])
    assert _off_mm(watch, SMALL) < 0.2


def test_a_large_shift_stops_rulings_until_two_looks_at_the_fiducials_agree() -> None:
    watch = _watch()
    halts = []
    for k in range(25):
        watch.update(Frame(k, k / FPS, _picture() if k < 10 else _picture(FAR)), is_disturbed=False, at_rest=True)
        halts.append(watch.halt)
    first = next(k for k, halt in enumerate(halts) if halt is not None)

    assert first <= 20
    assert "The camera was moved by 2" in halts[first].says
    assert halts[-1] is None
    assert _off_mm(watch, FAR) < 0.3


def test_a_large_shift_with_too_few_fiducials_waits_for_somebody() -> None:
    watch = _watch()
    hidden = _picture(FAR).copy()
    hidden[:240] = 90  # the far half, with two of the fiducials
    _track((_picture(), 1.0), (hidden, 3.0), watch=watch)

    assert watch.halt is not None
    assert watch.halt.why == "camera-moved"
    assert "register the table again" in watch.halt.unlock


def test_registering_again_ends_the_halt_even_with_two_fiducials() -> None:
    watch = _watch()
    hidden = _picture(FAR).copy()
    hidden[:240] = 90
    _track((_picture(), 1.0), (hidden, 2.0), watch=watch)
    watch.reset_pose()
    watch.update(Frame(30, 3.0, hidden), is_disturbed=False, at_rest=True)

    assert watch.halt is None
    assert _off_mm(watch, FAR) < 1.5


def test_registering_a_table_that_is_not_seen_says_so() -> None:
    watch = _watch()
    _track((_picture(), 1.0), watch=watch)
    watch.reset_pose()
    watch.update(Frame(10, 1.0, np.full_like(_picture(), 90)), is_disturbed=False, at_rest=True)

    assert watch.halt is not None
    assert "could not be registered" in watch.halt.says


def test_a_covered_lens_stops_rulings_and_lets_them_go_on() -> None:
    watch = _watch()
    dark = np.full_like(_picture(), 20)
    told = _track((_picture(), 1.0), (dark, 1.0), watch=watch)
    during = watch.halt
    watch.update(Frame(23, 2.3, _picture()), is_disturbed=False, at_rest=True)

    assert [line.type for line in told] == ["obstructed"]
    assert during is not None
    assert during.why == "camera-hidden"
    assert watch.halt is None


def test_a_table_registered_by_two_fiducials_is_registered_again_when_all_are_in_sight() -> None:
    watch = _watch()
    _track((_covered(_picture(), 1, 2), 0.5), watch=watch)
    before = watch.pose
    told = _track((_picture(), 3.0), watch=watch)

    assert before is not None
    assert watch.pose is not None
    assert (before.markers, watch.pose.markers) == ((0, 3), (0, 1, 2, 3))
    assert told == []
    assert _off_mm(watch, CALM.eye) < 0.05


def _dimmed(image: Image) -> Image:
    return (image * 0.7).astype(np.uint8)


def _lit_from_aside(image: Image) -> Image:
    return (image * np.linspace(1.05, 0.7, image.shape[1])[None, :, None]).clip(0, 255).astype(np.uint8)


def _half_covered(image: Image) -> Image:
    out = image.copy()
    seen = project(LAYOUT.fiducials.markers[1].corners_mm, camera=CAMERA, pose=CALM.eye.pose())
    (x0, _), (x1, y1) = seen.min(axis=0).astype(int), seen.max(axis=0).astype(int)
    out[int(seen[:, 1].mean()) : y1 + 20, x0 - 20 : x1 + 20] = (120, 150, 200)
    return out


def _slid(image: Image) -> Image:
    """The mat, four pixels to the left under fiducials that stay."""
    out = np.roll(image, -4, axis=1)
    for marker in LAYOUT.fiducials.markers:
        seen = project(marker.corners_mm, camera=CAMERA, pose=CALM.eye.pose())
        (x0, y0), (x1, y1) = seen.min(axis=0).astype(int) - 9, seen.max(axis=0).astype(int) + 10
        out[max(y0, 0) : y1, max(x0, 0) : x1] = image[max(y0, 0) : y1, max(x0, 0) : x1]
    return out


@pytest.mark.parametrize("veil", [_dimmed, _lit_from_aside, _half_covered, _slid])
def test_what_is_no_movement_of_the_camera_raises_no_alarm(veil: Callable[[Image], Image]) -> None:
    watch = _watch()
    told = _track((_picture(), 1.0), (veil(_picture()), 1.5), watch=watch)

    assert told == []
    assert _off_mm(watch, CALM.eye) < 0.1


def test_a_sagging_arm_is_followed_without_an_alarm() -> None:
    """More than a millimetre in three quarters of a minute."""
    watch, told = _watch(), []
    for k in range(6):
        for step in range(3):
            t_s = 8.0 * k + 2 * step
            told += watch.update(Frame(int(t_s), t_s, _picture(_eye(by_mm=0.25 * k))), is_disturbed=False, at_rest=True)

    assert told == []
    assert _off_mm(watch, _eye(by_mm=1.25)) < 0.15


BARE = Layout(table_mm=LAYOUT.table_mm, fiducials=NoFiducials())


def _bare_watch() -> CameraBumpDetector:
    """Over a table whose corners were tapped: no fiducial is known."""
    return CameraBumpDetector(CAMERA, BARE, start=CALM.eye.pose())


def test_a_camera_whose_place_was_told_is_followed_by_the_background_alone() -> None:
    watch = _bare_watch()
    told = _track((_picture(), 2.0), (_picture(SMALL), 1.5), watch=watch)

    assert [line.type for line in told] == ["camera-moved"]
    assert watch.halt is None
    assert watch.pose is not None
    assert pose_shift_mm(View(CAMERA, SMALL.pose(), BARE), watch.pose) < 0.2


def test_after_a_large_bump_the_corners_must_be_tapped_again() -> None:
    watch = _bare_watch()
    _track((_picture(), 1.0), (_picture(FAR), 1.5), watch=watch)

    assert watch.halt is not None
    assert "Tap the mat's corners again" in watch.halt.unlock


def test_where_the_camera_hung_once_is_not_believed_again_when_asked_to_register() -> None:
    watch = _bare_watch()
    _track((_picture(), 0.5), watch=watch)
    watch.reset_pose()
    _track((_picture(), 0.5), watch=watch)

    assert watch.halt is not None


def test_fiducials_that_are_seen_say_better_than_a_tap_where_the_camera_hangs() -> None:
    watch = CameraBumpDetector(CAMERA, LAYOUT, start=SMALL.pose())
    _track((_picture(), 0.2), watch=watch)

    assert abs(_off_mm(watch, CALM.eye)) < 0.05


def test_a_pose_that_somebody_tapped_is_believed_at_the_next_look() -> None:
    watch = _bare_watch()
    _track((_picture(), 0.0), watch=watch)
    elsewhere = SMALL.pose()
    watch.set_pose(elsewhere)
    _track((_picture(), 1.0), watch=watch)

    assert watch.pose == elsewhere
