"""The eye is not fooled: only frames without a projector's light are measured in, and light that moved is noticed."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from api.camera.frame_loop import FrameLoop
from api.camera.light_gate import LightGate
from api.camera.protocol import ImageReport, Job, LightMarks, LightReport
from benchmarks.detection.projected_light import LitFilm, first_dark
from calibration.arrays import Floats, Floats32, Image
from calibration.projector.light_marks import MARK_MM, mark_places
from calibration.projector.projector_fit import Projector
from calibration.view import View
from models.base import Catalogue, RoundBase
from models.camera import CameraPose
from tests.api.worlds import camera_commands
from tests.calibration.projector.light_scene import FULL_HD, LightScene
from tests.calibration.scene import pose_towards
from tests.vision import rendered
from vision.capture.sources import Frame
from vision.locate import locate
from vision.tracking.tracker import FrameResult

FPS = 15.0
EVERY, BLACK = 9, 2  # frames from blink to blink, and how many of them are black
WARM_UP_S = 1.0
BASES = (
    rendered.Base((150.0, 120.0), 40.0, 200.0, "front-half"),
    rendered.Base((420.0, 250.0), 30.0, 75.0, "ticks+dot", paint=rendered.WHITE, seed=2),
)


@pytest.fixture(scope="module")
def scene() -> LightScene:
    return LightScene.draw(5, size_px=(960, 540))


@pytest.fixture(scope="module")
def projector(scene: LightScene) -> Projector:
    covariance = ((0.0,) * 11,) * 11
    return Projector(lens=scene.projector, pose=scene.projector_pose, covariance=covariance, rms_mm=0, dots=99)


def lit_page(projector: Projector, *, rings: bool = True) -> Image:
    """The marks, and rings as large as bases are: what light could be taken for."""
    page = np.zeros((FULL_HD[1], FULL_HD[0]), np.uint8)
    for middle in mark_places(projector, (1828.8, 1219.2)):
        cv2.fillPoly(page, [_rim_px(projector, middle, MARK_MM)], 188, cv2.LINE_AA)
    for middle in np.array([(500, 500), (700, 800), (1100, 400), (1300, 700)]) if rings else ():
        cv2.polylines(page, [_rim_px(projector, middle, 20.0)], True, 200, 4, cv2.LINE_AA)
    return page


def _rim_px(projector: Projector, middle: Floats, radius_mm: float) -> Floats:
    turns = np.linspace(0, 2 * np.pi, 60)
    rim = np.column_stack([middle[0] + radius_mm * np.cos(turns), middle[1] + radius_mm * np.sin(turns), 0 * turns])
    return np.round(projector.project(rim)).astype(np.int32)


class Film:
    """Frames of a table whose light blinks; each third blink is caught with the light half gone (a rolling shutter)."""

    def __init__(self, scene: LightScene, page: Image) -> None:
        random = np.random.default_rng(2)
        self._black, self._lit = (
            [np.clip(picture + random.normal(0, 1.2, picture.shape), 0, 255).astype(np.uint8) for _ in range(3)]
            for picture in (scene.photograph(), scene.photograph(page))
        )

    def frame(self, index: int) -> tuple[Frame, bool]:
        """The frame, and whether it is wholly black."""
        phase, blink = index % EVERY, index // EVERY
        black, lit = self._black[index % 3], self._lit[index % 3]
        if phase >= BLACK:
            return Frame(index, index / FPS, lit), False
        if phase == 0 and blink % 3 == 2:
            half = len(lit) // 2
            return Frame(index, index / FPS, np.concatenate([lit[:half], black[half:]])), False
        return Frame(index, index / FPS, black), True


class Watching:
    """A tracker that remembers which frames it was given."""

    def __init__(self, pose: CameraPose) -> None:
        self.frames: list[int] = []
        self._pose = pose

    def update(self, frame: Frame) -> FrameResult:
        self.frames.append(frame.index)
        return FrameResult(frame.index, frame.t_s, (), True, False, self._pose)


def test_the_tracker_sees_every_black_frame_and_no_other(scene: LightScene, projector: Projector) -> None:
    film, tracker, commands = Film(scene, lit_page(projector)), Watching(scene.view.pose), camera_commands()
    job = Job(source="0", camera=scene.view.camera, layout=scene.written, edition="open", pose=scene.view.pose)
    loop = FrameLoop(job, commands, lambda _: tracker)
    commands.lights.put(LightMarks(tuple(map(tuple, mark_places(projector, scene.view.table_mm)))))
    black: list[int] = []
    for index in range(60):
        frame, is_black = film.frame(index)
        list(loop.fit_camera(frame))
        if loop.see_light(frame) is None:
            list(loop.process_frame(frame, 0.0))
        if is_black:
            black.append(index)

    assert set(tracker.frames) <= set(black)
    assert [index for index in tracker.frames if index > WARM_UP_S * FPS] == [i for i in black if i > WARM_UP_S * FPS]


def test_while_dots_are_shown_nothing_is_measured_and_pictures_are_sent(scene: LightScene) -> None:
    tracker, commands = Watching(scene.view.pose), camera_commands()
    job = Job(source="0", camera=scene.view.camera, layout=scene.written, edition="open", pose=scene.view.pose)
    loop = FrameLoop(job, commands, lambda _: tracker)
    frame = Frame(0, 0.0, scene.photograph())
    list(loop.fit_camera(frame))
    commands.lights.put(LightMarks((), is_hidden=True))
    commands.edged.set()
    (report,) = loop.see_light(frame) or ()

    assert isinstance(report, ImageReport)
    assert report.pose == scene.view.pose
    assert tracker.frames == []


def test_without_a_projector_every_frame_is_measured_in(scene: LightScene) -> None:
    gate = LightGate()

    assert not gate.is_lit(Frame(0, 0.0, scene.photograph()), scene.view)


def test_a_projector_that_was_pushed_is_noticed_and_one_that_was_not_is_not(
    scene: LightScene, projector: Projector
) -> None:
    x, y, z = scene.projector_pose.centre_mm
    pushed = replace(scene, projector_pose=pose_towards((x, y, z), (920.0, 596.0, 0.0)))
    page = lit_page(projector)

    assert _moved(Film(scene, page), scene, projector) < 1.0
    assert _moved(Film(pushed, page), scene, projector) > 3.0


def test_marks_that_are_seen_nowhere_are_told_of(scene: LightScene, projector: Projector) -> None:
    gate, frame = LightGate(), scene.photograph()
    gate.watch(LightMarks(tuple(map(tuple, mark_places(projector, scene.view.table_mm)))))
    frames = [Frame(index, index / 2, frame) for index in range(20)]
    waits = [gate.is_lit(frame, scene.view) for frame in frames]

    assert waits[0]
    assert not waits[-1]
    assert list(gate.reports(frames[-1], scene.view)) == [LightReport(None)]


def test_light_makes_no_bases_and_hides_none() -> None:
    """Discs and rings of light as large as bases, on bare ground and across the rims of those that stand there."""
    eye = rendered.Eye()
    view, table = eye.view(), rendered.photograph(rendered.Scene(BASES, eye=eye))
    marks = np.array([(x, y) for x in (60.0, 300.0, 540.0) for y in (40.0, 360.0)])
    film = LitFilm(table, _spots_of_light(view, marks), seed=1, power=6.0)
    plain, lit, dark = (_places(image, view) for image in (film.plain, film.lit, first_dark(film, marks, view)))

    assert np.abs(film.lit.astype(float) - film.plain).max() > 60
    assert np.abs(lit - plain).max() > 0.05
    assert np.abs(dark - plain).max() < 0.02


def _spots_of_light(view: View, marks: Floats) -> Floats32:
    light = np.zeros(view.camera.image_size[::-1], np.uint8)
    for middle, radius_mm in (
        ((300.0, 100.0), 15.0),
        ((435.0, 250.0), 30.0),
        ((165.0, 120.0), 20.0),
        *((at, 7.0) for at in marks),
    ):
        turns = np.linspace(0, 2 * np.pi, 90)
        rim = np.add(middle, radius_mm * np.column_stack([np.cos(turns), np.sin(turns)]))
        px = np.round(view.project(np.column_stack([rim, 0 * turns]))).astype(np.int32)
        cv2.fillPoly(light, [px], 255, cv2.LINE_AA)
    return light.astype(np.float32) / 255


def _places(image: Image, view: View) -> Floats:
    """Where bases are seen, from left to right, (N, 2)."""
    sizes = Catalogue(bases=tuple(RoundBase(diameter_mm=base.diameter_mm) for base in BASES))
    state = locate(image, view=view, catalogue=sizes, edition="warmachine-prime")
    return np.array(sorted(one.at_mm for one in state.miniatures))


def _moved(film: Film, scene: LightScene, projector: Projector) -> float:
    """How far the light is said to have moved."""
    gate = LightGate()
    gate.watch(LightMarks(tuple(map(tuple, mark_places(projector, scene.view.table_mm)))))
    reports: list[LightReport] = []
    for index in range(40):
        frame, _ = film.frame(index)
        if not gate.is_lit(frame, scene.view):
            reports += gate.reports(frame, scene.view)
    (report,) = reports
    assert report.moved_mm is not None
    return report.moved_mm
