"""What happens when the camera is bumped: in a recording with a bump, and on pictures bumped by a known amount.

The known bumps are warps: what lies on the plane of the table is where the moved camera would see it. Every frame has
noise of its own.

    python -m benchmarks.calibration.camera_bump --tables FOLDER [--only recording,bumps,drift]
        [--stills wm1,wf1] [--draws 3]
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import Annotated

import cv2
import numpy as np
import typer
from numpy.typing import NDArray

from benchmarks.calibration import rendered_scenes
from benchmarks.calibration.rendered_scenes import Scene
from benchmarks.harness import run
from calibration.arrays import Floats, Image
from calibration.camera_model import projection
from calibration.intrinsics.calibrate_camera import calibrate_camera
from calibration.pose.pose_fit import perturb_pose
from calibration.pose.pose_tracking import pose_shift_mm
from calibration.view import View
from models.camera import Camera, CameraPose
from models.timeline import EventLine, StateLine, TimelineLine
from models.written_book import catalogue_in_play
from vision.capture.sources import Frame
from vision.tracking.camera_bump import CameraBumpDetector
from vision.tracking.tracker import FrameResult, Tracker

Veil = Callable[[Image, Scene], Image]

FPS = 10.0
BEFORE, AFTER = 10, 15  # frames
STILLS = "wm1,wm3,wf1"
DRIFT_MM_A_MINUTE, MINUTES = 0.5, 3


@dataclass(frozen=True)
class Options:
    """Where the pictures are, which stills to bump besides the recording's first frame, how often each."""

    tables: Path
    stills: tuple[str, ...]
    draws: int


@dataclass(frozen=True)
class Case:
    """A bump of the camera, what covers the picture from then on, and whether it must raise the alarm."""

    name: str
    bump_mm: float = 0.0
    veil: Veil = lambda image, _: image


@dataclass(frozen=True)
class Outcome:
    """`alarm_s`: from the bump to the alarm, None without one; errors of table points through the pose held, mm."""

    alarm_s: float | None
    is_halted: bool
    before_mm: float
    after_mm: float
    look_s: float


CASES = (
    Case("nothing happens"),
    *(Case(f"a bump of {size} mm", size) for size in (0.2, 0.5, 1.0, 3.0, 10.0, 25.0)),
    Case(
        "0.5 mm, two of four fiducials hidden",
        0.5,
        lambda image, scene: cover_fiducials(image, scene, (0, 1)),
    ),
    Case(
        "3 mm, two of four fiducials hidden",
        3.0,
        lambda image, scene: cover_fiducials(image, scene, (0, 2)),
    ),
    Case(
        "0.5 mm, all fiducials hidden",
        0.5,
        lambda image, scene: cover_fiducials(image, scene, (0, 1, 2, 3)),
    ),
    Case(
        "3 mm, all fiducials hidden",
        3.0,
        lambda image, scene: cover_fiducials(image, scene, (0, 1, 2, 3)),
    ),
    Case("the lamp is dimmed to 0.7", veil=lambda image, _: dim(image)),
    Case("the light comes from elsewhere", veil=lambda image, _: light_from_aside(image)),
    Case(
        "a hand over half a fiducial",
        veil=lambda image, scene: cover_fiducials(image, scene, (1,), share=0.5),
    ),
    Case("hands over two fiducials", veil=lambda image, scene: cover_fiducials(image, scene, (0, 3))),
)


def measure_recording(asked: Options) -> None:
    """The recording through the whole tracker, its camera calibrated from its own views of a board."""
    scenes = list(rendered_scenes.read_recording(asked.tables, every=1))
    camera = _camera(asked.tables, scenes[0].camera_name)
    tracker = Tracker(
        camera, scenes[0].layout, edition="warmachine-prime", catalogue=catalogue_in_play("warmachine-prime", None)
    )
    results = [tracker.update(Frame(k, k / FPS, scene.image)) for k, scene in enumerate(scenes)]
    bump = next(k for k, scene in enumerate(scenes) if scene.pose != scenes[0].pose)
    alarm = next(k for k, result in enumerate(results) if _count_alarms(result.lines))
    mended = next(k for k in range(alarm, len(results)) if results[k].halt is None)
    size = pose_shift_mm(View(scenes[0].camera, scenes[0].pose, scenes[0].layout), scenes[bump].pose)
    print(f"the camera is bumped at {bump / FPS:.1f} s: {size:.1f} mm at the table's worst corner")
    print(f"alarm after {(alarm - bump) / FPS:.1f} s; rulings stopped for {(mended - alarm) / FPS:.1f} s")
    errors = [_error(scene, camera, result.pose) for scene, result in zip(scenes, results, strict=True)]
    parts = (("before", 0, bump), ("between bump and alarm", bump, alarm), ("after", mended, len(scenes)))
    for name, first, last in parts:
        print(
            f"table points through the pose held, {name}: RMS {_rms(errors[first:last]):.3f} mm ({last - first} frames)"
        )
    print(f"states measured between bump and registration: {sum(map(_has_state, results[bump:mended]))}")
    print(
        f"frames between alarm and registration that would rule: {sum(g.halt is None for g in results[alarm:mended])}"
    )
    print(
        f"camera-moved told {sum(_count_alarms(result.lines) for result in results)} times"
        f" in {len(results) / FPS:.0f} s"
    )


def measure_bumps(asked: Options) -> None:
    """Known bumps, and what must raise no alarm; errors are RMS over table points, mm."""
    scenes = _scenes(asked)
    print(f"{len(scenes)} pictures, {asked.draws} draws each, {FPS:.0f} frames a second")
    print(f"{'':38}alarms  delay s (median, most)  stopped  error before, after (median, most)")
    looks = []
    for case in CASES:
        done = [_watch_bump(case, scene, seed) for scene in scenes for seed in range(asked.draws)]
        looks += [outcome.look_s for outcome in done]
        print(_format_case(case, done))
    print(f"a look takes {1e3 * float(np.median(looks)):.0f} ms (median)")


def measure_drift(asked: Options) -> None:
    """An arm that sags: followed, and no alarm."""
    for scene in _scenes(asked):
        random = np.random.default_rng(3)
        unit = draw_pose_change(scene, DRIFT_MM_A_MINUTE, random)
        watch, alarms, worst = CameraBumpDetector(scene.camera, scene.layout), 0, 0.0
        for second in range(60 * MINUTES + 1):
            true = perturb_pose(scene.pose, unit * second / 60)
            frame = Frame(
                second,
                float(second),
                add_noise(warp_to_pose(scene, true), random),
            )
            alarms += _count_alarms(watch.update(frame, is_disturbed=False, at_rest=True))
            worst = max(worst, _error(replace(scene, pose=true), scene.camera, watch.pose))
        print(
            f"{scene.name}: {DRIFT_MM_A_MINUTE} mm a minute for {MINUTES} minutes:"
            f" {alarms} alarms, largest error {worst:.3f} mm"
        )


def _watch_bump(case: Case, scene: Scene, seed: int) -> Outcome:
    """Frames before and after, looked at by a watch that knows nothing of either."""
    random = np.random.default_rng([seed, round(10 * case.bump_mm)])
    true = perturb_pose(scene.pose, draw_pose_change(scene, case.bump_mm, random))
    after = case.veil(warp_to_pose(scene, true) if case.bump_mm else scene.image, scene)
    watch, alarm_s, took = CameraBumpDetector(scene.camera, scene.layout), None, []
    before_mm, bump = 0.0, BEFORE + int(random.integers(3))  # anywhere between two looks
    for k in range(bump + AFTER):
        image = add_noise(scene.image if k < bump else after, random)
        if k == bump:
            before_mm = _error(scene, scene.camera, watch.pose)
        start = time.perf_counter()
        lines = watch.update(Frame(k, k / FPS, image), is_disturbed=False, at_rest=True)
        took.append(time.perf_counter() - start)
        if _count_alarms(lines) and alarm_s is None:
            alarm_s = (k - bump) / FPS
    after_mm = _error(replace(scene, pose=true), scene.camera, watch.pose)
    looked = [seconds for seconds in took[1:] if seconds > 1e-3]
    return Outcome(alarm_s, watch.halt is not None, before_mm, after_mm, float(np.median(looked)))


def _format_case(case: Case, done: list[Outcome]) -> str:
    alarms = [outcome.alarm_s for outcome in done if outcome.alarm_s is not None]
    delay = f"{np.median(alarms):6.1f} {max(alarms):6.1f}" if alarms else f"{'-':>6} {'-':>6}"
    before, after = ([getattr(outcome, name) for outcome in done] for name in ("before_mm", "after_mm"))
    return (
        f"{case.name:38}{len(alarms):3d} of {len(done):2d} {delay}{'':9}{sum(run.is_halted for run in done):5d}"
        f"    {np.median(before):.3f} {max(before):.3f}   {np.median(after):.3f} {max(after):.3f}"
    )


def _scenes(asked: Options) -> list[Scene]:
    stills = (scene for scene in rendered_scenes.read_stills(asked.tables) if scene.name in asked.stills)
    return list(chain(stills, islice(rendered_scenes.read_recording(asked.tables, every=1), 1)))


def _camera(tables: Path, name: str) -> Camera:
    described, views = next(
        (board, views) for camera_name, board, views in rendered_scenes.read_boards(tables) if camera_name == name
    )
    return calibrate_camera(views, described.board, image_size=described.image_size).camera


def _error(scene: Scene, camera: Camera, pose: CameraPose | None) -> float:
    return (
        float("nan")
        if pose is None
        else rendered_scenes.table_error(scene, camera=camera, pose=pose, doubted=False).rms_mm
    )


def _count_alarms(lines: tuple[TimelineLine, ...]) -> int:
    return sum(isinstance(line, EventLine) and line.type == "camera-moved" for line in lines)


def _has_state(result: FrameResult) -> bool:
    return any(isinstance(line, StateLine) for line in result.lines)


def _rms(values: list[float]) -> float:
    return float(np.sqrt(np.nanmean(np.square(values)))) if values else float("nan")


PARTS: dict[str, Callable[[Options], None]] = {
    "recording": measure_recording,
    "bumps": measure_bumps,
    "drift": measure_drift,
}


def main(
    tables: Annotated[Path, typer.Option(help="rendered tables with their truth")],
    only: Annotated[str, typer.Option(help="parts to run: " + ", ".join(PARTS))] = ",".join(PARTS),
    stills: Annotated[str, typer.Option(help="which to bump, besides the recording's first frame")] = STILLS,
    draws: int = 3,
) -> None:
    for part in only.split(","):
        print(f"\n== {part}: {(PARTS[part].__doc__ or '').strip()}")
        PARTS[part](Options(tables, tuple(stills.split(",")), draws))


if __name__ == "__main__":
    run(main)


SKIN = (120, 150, 200)
NOISE_GREY = 2.0
_GRID_PX = 16
_SPREAD = np.array([1e-4, 1e-4, 1e-4, 0.1, 0.1, 0.05])  # turning by a tenth of a mrad, shifting by a tenth of a mm


def draw_pose_change(scene: Scene, size_mm: float, random: np.random.Generator) -> Floats:
    """A change of the six parameters of the pose that moves the table's worst corner by so much."""
    unit = random.normal(0, 1, 6) * _SPREAD
    if size_mm == 0:
        return np.zeros(6)
    for _ in range(20):
        view = View(scene.camera, scene.pose, scene.layout)
        unit *= size_mm / pose_shift_mm(view, perturb_pose(scene.pose, unit))
    return np.asarray(unit)


def warp_to_pose(scene: Scene, pose: CameraPose) -> Image:
    """The picture from another place: exact for what lies on the plane of the table."""
    height, width = scene.image.shape[:2]
    x, y = (np.linspace(0, side - 1, side // _GRID_PX) for side in (width, height))
    places = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    on_table = projection.intersect_plane(places, camera=scene.camera, pose=pose, z_mm=0)
    source_px = projection.project(
        np.column_stack([on_table, np.zeros(len(places))]), camera=scene.camera, pose=scene.pose
    )
    coarse = np.nan_to_num(source_px, nan=-1e4).reshape(len(y), len(x), 2).astype(np.float32)
    across, down = (np.linspace(0, len(side) - 1, n).astype(np.float32) for side, n in ((x, width), (y, height)))
    maps = cv2.remap(coarse, *np.meshgrid(across, down), cv2.INTER_LINEAR)
    seen = cv2.remap(scene.image, maps[..., 0], maps[..., 1], cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.uint8)


def add_noise(image: Image, random: np.random.Generator) -> Image:
    """With noise of its own."""
    rough: NDArray[np.int16] = np.empty(image.shape, np.int16)
    cv2.setRNGSeed(int(random.integers(2**31)))
    cv2.randn(rough, np.zeros(3), np.full(3, NOISE_GREY))
    return np.asarray(np.clip(image + rough, 0, 255), np.uint8)


def cover_fiducials(image: Image, scene: Scene, ids: tuple[int, ...], *, share: float = 1.0) -> Image:
    """With hands, and their soft shadows, over these fiducials: over all of them, or over this share from below."""
    out = image.astype(np.float32)
    for marker in scene.layout.fiducials.markers:
        if marker.id in ids:
            corners = projection.project(marker.corners_mm, camera=scene.camera, pose=scene.pose)
            low, high = corners.min(axis=0) - 8, corners.max(axis=0) + 8
            low[1] = high[1] - share * (high[1] - low[1])
            shade = np.zeros(image.shape[:2], np.float32)
            cv2.rectangle(shade, tuple(map(int, low)), tuple(map(int, high)), 1.0, -1)
            soft = cv2.GaussianBlur(shade, (0, 0), 0.15 * float(np.ptp(corners[:, 0])))
            out *= 1 - 0.4 * soft[..., None]
            out[shade > 0] = SKIN
    return np.asarray(np.clip(out, 0, 255), np.uint8)


def dim(image: Image) -> Image:
    """With the lamp at seven tenths."""
    return np.asarray(np.clip(0.7 * image.astype(np.float32), 0, 255), np.uint8)


def light_from_aside(image: Image) -> Image:
    """With the light falling off from left to right and from top to bottom."""
    height, width = image.shape[:2]
    ramp = np.linspace(1.15, 0.75, width)[None, :] * np.linspace(1.1, 0.85, height)[:, None]
    return np.asarray(np.clip(image * ramp[..., None].astype(np.float32), 0, 255), np.uint8)
