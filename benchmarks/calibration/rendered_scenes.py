"""Rendered tables with their exact truth, and how far a calibration puts their points off."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from benchmarks.harness import align
from calibration.arrays import Floats, Image
from calibration.camera_model import projection
from calibration.pose.covariance_propagation import sigma_mm
from calibration.survey.known_lengths import Length, TagPoint
from calibration.view import View
from models.board import BoardFile
from models.camera import Camera, CameraPose
from models.layout import Fiducials, Layout


@dataclass(frozen=True)
class Scene:
    """One picture of a table, and what is true of it."""

    name: str
    image: Image
    camera_name: str
    camera: Camera
    pose: CameraPose
    layout: Layout


@dataclass(frozen=True)
class Error:
    """How far points of the table are put from where they are, and how far they were said to be (RMS), in mm."""

    rms_mm: float
    p95_mm: float
    max_mm: float
    stated_mm: float


def read_stills(folder: Path) -> Iterator[Scene]:
    for path in sorted(folder.glob("*.jpg")):
        truth = json.loads(path.with_suffix(".json").read_text())
        image = np.asarray(cv2.imread(str(path)), np.uint8)
        yield _scene(path.stem, image, truth, truth["camera"])


def read_recording(folder: Path, *, every: int) -> Iterator[Scene]:
    """Every so many frames of the recording."""
    truth = json.loads((folder / "game.json").read_text())
    film = cv2.VideoCapture(str(folder / "game.mp4"))
    for number, frame in enumerate(truth["frames"]):
        seen, image = film.read()
        if seen and number % every == 0:
            camera = truth["camera_poses"][frame["pose"]]
            yield _scene(f"game {number:3d}", np.asarray(image, np.uint8), truth, camera)


def group_by_layout(folder: Path) -> dict[str, list[Scene]]:
    """Stills whose markers lie in the same places, by their names; and those of them from above, by theirs."""
    found: dict[str, list[Scene]] = {}
    for scene in read_stills(folder):
        key = next((k for k, known in found.items() if known[0].layout.fiducials == scene.layout.fiducials), scene.name)
        found.setdefault(key, []).append(scene)
    groups = [group for group in found.values() if len(group) > 2]
    above = [[scene for scene in group if scene.camera_name != "phone"] for group in groups]
    return {", ".join(scene.name for scene in group): group for group in groups + above}


def known_length(known: Fiducials, *, sigma_mm: float) -> Length:
    """The distance of the first and the third marker's middles, exact but not taken to be."""
    first, third = (np.mean(known.markers[i].corners_mm, axis=0) for i in (0, 2))
    ends = TagPoint(known.markers[0].id), TagPoint(known.markers[2].id)
    return Length(*ends, float(np.linalg.norm(third - first)), sigma_mm)


def marker_errors_mm(surveyed: Fiducials, known: Fiducials) -> list[float]:
    """How far each marker's middle lies off once the whole was turned and shifted to where it is."""
    true = {marker.id: np.array(marker.corners_mm) for marker in known.markers}
    here = np.concatenate([marker.corners_mm for marker in surveyed.markers])
    target = np.concatenate([true[marker.id] for marker in surveyed.markers])
    off = (align(here, target) - target).reshape(-1, 4, 3).mean(axis=1)
    return [float(far) for far in np.linalg.norm(off, axis=1)]


def read_boards(folder: Path) -> Iterator[tuple[str, BoardFile, list[tuple[str, Image]]]]:
    """The calibration views of each camera."""
    for described in sorted(folder.glob("charuco/*/board.json")):
        views = [(path.name, _grey(path)) for path in sorted(described.parent.glob("view*.jpg"))]
        yield described.parent.name, BoardFile.model_validate_json(described.read_bytes()), views


def table_error(scene: Scene, *, camera: Camera, pose: CameraPose, doubted: bool = True) -> Error:
    """The points of a grid on the table that the picture shows, through the true camera and back through this one."""
    width, depth = scene.layout.table_mm
    grid = np.stack(np.meshgrid(np.linspace(0, width, 25), np.linspace(0, depth, 25), [0.0]), axis=-1).reshape(-1, 3)
    seen = projection.project(grid, camera=scene.camera, pose=scene.pose)
    shown = np.all((seen > 0) & (seen < np.array(scene.camera.image_size) - 1), axis=1)
    back = projection.intersect_plane(seen[shown], camera=camera, pose=pose, z_mm=0)
    off = np.linalg.norm(back - grid[shown, :2], axis=1)
    stated = _stated_mm(grid[shown], camera, pose, scene.layout) if doubted else float("nan")
    return Error(float(np.sqrt(np.mean(off**2))), float(np.quantile(off, 0.95)), float(off.max()), stated)


def _stated_mm(grid: Floats, camera: Camera, pose: CameraPose, layout: Layout) -> float:
    each = sigma_mm(grid, view=View(camera, pose, layout))
    return float(np.sqrt(np.mean(each**2)))


def _scene(name: str, image: Image, truth: dict[str, Any], camera: dict[str, Any]) -> Scene:
    layout = Layout(table_mm=truth["table_mm"], fiducials=truth["fiducials"])
    return Scene(name, image, truth["camera_name"], _camera(camera), _pose(camera), layout)


def _camera(truth: dict[str, Any]) -> Camera:
    return Camera(
        image_size=truth["image_size"],
        model="brown",
        K=truth["K"],
        dist=truth["dist_k1k2p1p2k3"],
        covariance=np.zeros((9, 9)).tolist(),
        rms_px=0,
    )


def _pose(truth: dict[str, Any]) -> CameraPose:
    return CameraPose(
        rotation=truth["R_table_to_camera"],
        translation_mm=truth["t_mm"],
        covariance=np.zeros((6, 6)).tolist(),
        rms_px=0,
        rms_mm=0,
        markers=(),
        centre_mm=truth["camera_centre_mm"],
    )


def _grey(path: Path) -> Image:
    return np.asarray(cv2.imread(str(path), cv2.IMREAD_GRAYSCALE), np.uint8)
