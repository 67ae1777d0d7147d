"""What calibration claims, measured against exact truth, beside plain OpenCV.

python benchmarks/calibration --tables FOLDER [--real FOLDER] [--only stills,corners,redrawn,...] [--draws 200]
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Annotated

import cv2
import numpy as np
import typer

from benchmarks.calibration import (
    monte_carlo_calibration,
    monte_carlo_fusion,
    monte_carlo_survey,
    opencv_baseline,
    published_poses,
    rendered_scenes,
)
from benchmarks.harness import rms
from calibration.camera_model import projection
from calibration.intrinsics.calibrate_camera import Calibration, calibrate_camera
from calibration.pose.locate_table import locate_table, refine_pose
from calibration.survey.solve_layout import solve_layout
from calibration.survey.survey_images import SurveyRequest as SurveyAsked
from models.camera import Camera, CameraPose
from models.errors import BadInput, TableNotVisible
from models.layout import Layout


@dataclass(frozen=True)
class Options:
    tables: Path
    real: Path | None
    draws: int


@lru_cache
def _calibrate_all(tables: Path) -> dict[str, tuple[Calibration, Camera]]:
    """Each camera as we calibrate it and as OpenCV does."""
    cameras = {}
    for name, described, views in rendered_scenes.read_boards(tables):
        start = time.perf_counter()
        ours = calibrate_camera(views, described.board, image_size=described.image_size)
        took = time.perf_counter() - start
        cameras[name] = (ours, opencv_baseline.calibrate(described, views))
        print(
            f"{name:14} {len(views)} views {took:5.1f} s  {ours.camera.model}: residual {ours.camera.rms_px:.3f} px,"
            f" unseen views {ours.camera.heldout_px:.3f} px = {ours.camera.heldout_mm:.3f} mm on the board;"
            f" not used: {len(ours.rejected)}"
        )
    return cameras


def measure_cameras(asked: Options) -> None:
    """Calibrating each camera of the set."""
    _calibrate_all(asked.tables)


def measure_stills(asked: Options) -> None:
    """Error of table points (mm, on a grid over the table): ours, then cv2.calibrateCamera + cv2.solvePnP."""
    cameras = _calibrate_all(asked.tables)
    print("                    ours                                       plain OpenCV")
    print("picture      rms    p95    max  stated  error/stated      rms    p95    max")
    for scene in chain(
        rendered_scenes.read_stills(asked.tables), rendered_scenes.read_recording(asked.tables, every=48)
    ):
        ours, theirs = cameras[scene.camera_name]
        pose = locate_table(scene.image, camera=ours.camera, layout=scene.layout)
        error = rendered_scenes.table_error(scene, camera=ours.camera, pose=pose)
        other = opencv_baseline.pose(scene, theirs, opencv_baseline.corners(scene, refinement="none"))
        usual = rendered_scenes.table_error(scene, camera=theirs, pose=other, doubted=False)
        print(
            f"{scene.name:9} {error.rms_mm:6.3f} {error.p95_mm:6.3f} {error.max_mm:6.3f}  {error.stated_mm:6.3f}"
            f"  {error.rms_mm / error.stated_mm:12.2f}   {usual.rms_mm:6.3f} {usual.p95_mm:6.3f} {usual.max_mm:6.3f}"
        )


def measure_corners(asked: Options) -> None:
    """Each way to find a fiducial's corners, through the true camera: against the true corners, and on the table.

    `bias` is the mean miss (px), `outward` the mean miss away from the marker's middle (px): the tone curve's shift.
    """
    scenes = list(rendered_scenes.read_stills(asked.tables))
    for refinement in opencv_baseline.REFINEMENTS:
        misses, outward, errors = [], [], []
        for scene in scenes:
            seen = opencv_baseline.corners(scene, refinement=refinement)
            for marker in scene.layout.fiducials.markers:
                if marker.id in seen:
                    true = projection.project(marker.corners_mm, camera=scene.camera, pose=scene.pose)
                    away = true - true.mean(axis=0)
                    miss = seen[marker.id] - true
                    misses.append(miss)
                    outward.append(np.sum(miss * away, axis=1) / np.linalg.norm(away, axis=1))
            pose = opencv_baseline.pose(scene, scene.camera, seen)
            errors.append(rendered_scenes.table_error(scene, camera=scene.camera, pose=pose, doubted=False).rms_mm)
        off = np.concatenate(misses)
        print(
            f"{refinement:9} corners: bias {off[:, 0].mean():+.3f} {off[:, 1].mean():+.3f}, outward"
            f" {np.mean(outward):+.3f}, rms {np.sqrt(np.mean(np.sum(off**2, axis=1))):.3f} px;"
            f" table {rms(errors):.3f} mm"
        )
    errors = []
    for scene in scenes:
        pose = locate_table(scene.image, camera=scene.camera, layout=scene.layout)
        errors.append(rendered_scenes.table_error(scene, camera=scene.camera, pose=pose, doubted=False).rms_mm)
    print(f"{'ours':9} all edges, the tone's shift solved for each marker; table {rms(errors):.3f} mm")


def measure_blur(asked: Options) -> None:
    """Error of table points against stated sigma, in pictures blurred further; true camera, places of tags exact."""
    scenes = [
        replace(scene, layout=_with_exact_layout(scene.layout)) for scene in rendered_scenes.read_stills(asked.tables)
    ]
    for blur_px in (0, 1, 2, 3, 4, 5, 6):
        errors, refused = [], 0
        for scene in scenes:
            image = np.asarray(cv2.GaussianBlur(scene.image, (0, 0), blur_px), np.uint8) if blur_px else scene.image
            try:
                pose = locate_table(image, camera=scene.camera, layout=scene.layout)
            except TableNotVisible:
                refused += 1
                continue
            errors.append(rendered_scenes.table_error(scene, camera=scene.camera, pose=pose))
        print(
            f"{blur_px} px more: {rms([error.rms_mm for error in errors]):.3f} mm (worst picture"
            f" {max(error.rms_mm for error in errors):.3f}), stated {rms([error.stated_mm for error in errors]):.3f};"
            f" error/stated {rms([error.rms_mm / error.stated_mm for error in errors]):.2f}; refused: {refused}"
        )


def _with_exact_layout(layout: Layout) -> Layout:
    return layout.model_copy(update={"fiducials": layout.fiducials.model_copy(update={"sigma_mm": 0.0})})


def measure_redraws(asked: Options) -> None:
    """Error over stated sigma of table points, over calibrations drawn anew; 1 is honest."""
    for sigma_mm in (0.1, 0.3):
        draws = [monte_carlo_calibration.draw_calibration(seed, sigma_mm=sigma_mm) for seed in range(asked.draws)]
        error, stated, by_lens = (
            np.array([getattr(draw, name) for draw in draws]) for name in ("error_mm2", "stated_mm2", "lens_mm2")
        )
        print(
            f"{asked.draws} draws, markers known to {sigma_mm} mm: error {np.sqrt(error.mean()):.4f} mm per axis,"
            f" stated {np.sqrt(stated.mean()):.4f} (of it the lens {np.sqrt(by_lens.mean()):.4f});"
            f" error/stated {np.sqrt(np.mean(error / stated)):.3f}"
        )


def measure_resurveys(asked: Options) -> None:
    """Error over stated sigma of the tags of layouts solved anew from four pictures; 1 is honest."""
    for ruler, scale in ((False, "the prints' size, known to 0.1 mm"), (True, "one length of 1.8 m, known to 0.3 mm")):
        draws = [monte_carlo_survey.draw_survey(seed, ruler=ruler) for seed in range(asked.draws)]
        error, stated = (
            np.array([getattr(draw, name) for draw in draws]) for name in ("place_error_mm2", "place_stated_mm2")
        )
        length = np.array([draw.length_error_mm / draw.length_sigma_mm for draw in draws])
        print(
            f"{asked.draws} draws, scale from {scale}: tags off by {np.sqrt(error.mean()):.3f} mm per axis, stated"
            f" {np.sqrt(stated.mean()):.3f}; error/stated {np.sqrt(np.mean(error / stated)):.3f};"
            f" of another long length {np.sqrt(np.mean(length**2)):.3f}"
        )


def measure_surveys(asked: Options) -> None:
    """Layouts solved from the stills that share one, with our own cameras: error of the tags' middles among themselves.

    The scale from the prints' size (80 mm, known to 0.1), then from one length between two tags, known to 0.3 mm.
    """
    found = _calibrate_all(asked.tables)
    for name, shared in rendered_scenes.group_by_layout(asked.tables).items():
        cameras = [found[camera][0].camera for camera in sorted({scene.camera_name for scene in shared})]
        pictures = [(scene.name, scene.image) for scene in shared]
        known = shared[0].layout.fiducials
        for ruler in (None, rendered_scenes.known_length(known, sigma_mm=0.3)):
            asked_for = SurveyAsked(known.dictionary, known.marker_mm, length=ruler)
            try:
                solved = solve_layout(pictures, cameras, asked_for)
            except BadInput as refused:
                print(f"{name}: {refused.detail}")
                break
            off = rendered_scenes.marker_errors_mm(solved.layout.fiducials, known)
            stated = np.sqrt(np.diag(solved.covariance).reshape(-1, 9)[:, :3].sum(axis=1))
            scale = "the prints" if ruler is None else "one length"
            print(f"{name}: scale by {scale}: tags off by {rms(off):.3f} mm, stated {rms(list(stated)):.3f}")


def measure_fusion(asked: Options) -> None:
    """Two cameras over 6 x 4 feet, drawn anew: merged error over stated sigma; alarms, and how often a bump is told."""
    draws = [monte_carlo_fusion.draw_fusion(seed) for seed in range(asked.draws)]
    error, stated, alone = (
        np.array([getattr(draw, name) for draw in draws]) for name in ("error_mm2", "stated_mm2", "alone_mm2")
    )
    print(
        f"{asked.draws} draws: bases seen by both are off by {np.sqrt(alone.mean()):.3f} mm per axis in one camera,"
        f" {np.sqrt(error.mean()):.3f} merged, stated {np.sqrt(stated.mean()):.3f};"
        f" error/stated {np.sqrt(np.mean(error / stated)):.3f};"
        f" false alarms {sum(draw.merged.overlap.is_alarming for draw in draws)}"
    )
    for bump_mm in (0.5, 1.0, 1.5, 2.0, 3.0):
        figures = [
            monte_carlo_fusion.draw_fusion(seed, bump_mm=bump_mm).merged.overlap.is_alarming
            for seed in range(asked.draws)
        ]
        print(f"one camera's places pushed aside by {bump_mm} mm: alarm in {np.mean(figures):.0%}")


def measure_speed(asked: Options) -> None:
    """Time to find the table in a frame, and to find it again near its last pose; steadiness of the latter."""
    cameras = _calibrate_all(asked.tables)
    times, again, still = [], [], []
    last = None
    for scene in rendered_scenes.read_recording(asked.tables, every=4):
        camera = cameras[scene.camera_name][0].camera
        start = time.perf_counter()
        pose = locate_table(scene.image, camera=camera, layout=scene.layout)
        middle = time.perf_counter()
        refine_pose(scene.image, pose, camera=camera, layout=scene.layout)
        times.append(middle - start)
        again.append(time.perf_counter() - middle)
        if last is not None and last[0] == scene.pose:
            still.append(
                rendered_scenes.table_error(
                    _with_pose(scene, last[1], camera), camera=camera, pose=pose, doubted=False
                ).max_mm
            )
        last = (scene.pose, pose)
    print(
        f"locate_table {1e3 * np.median(times):.0f} ms, refine_pose {1e3 * np.median(again):.0f} ms"
        f" (median of {len(times)} frames)"
    )
    print(
        f"between frames of an unmoved camera the table moves by {np.median(still):.3f} mm, at most {max(still):.3f} mm"
    )


def measure_photographs(asked: Options) -> None:
    """Photographs of other people with a published answer."""
    if asked.real is None:
        print("not asked for: --real names their folder")
    else:
        published_poses.compare(asked.real)


def _with_pose(scene: rendered_scenes.Scene, pose: CameraPose, camera: Camera) -> rendered_scenes.Scene:
    return replace(scene, camera=camera, pose=pose)


PARTS: dict[str, Callable[[Options], None]] = {
    "cameras": measure_cameras, "stills": measure_stills, "corners": measure_corners, "blurred": measure_blur,
    "surveys": measure_surveys, "merged": measure_fusion, "speed": measure_speed, "redrawn": measure_redraws,
    "resurveyed": measure_resurveys, "photographs": measure_photographs,
}  # fmt: skip


def main(
    tables: Annotated[Path, typer.Option(help="rendered tables with their truth")],
    real: Annotated[Path | None, typer.Option(help="photographs with published answers")] = None,
    only: Annotated[str, typer.Option(help="parts to run: " + ", ".join(PARTS))] = ",".join(PARTS),
    draws: int = 200,
) -> None:
    for part in only.split(","):
        print(f"\n== {part}: {(PARTS[part].__doc__ or '').strip()}")
        PARTS[part](Options(tables, real, draws))
