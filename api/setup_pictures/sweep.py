"""Sweep of pictures: photographs or frames of a video for the set-up, as the sensor gave them, with their EXIF."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from api.corners.pose_from_taps import heat_map
from api.storage.files import read_bytes
from calibration.arrays import Floats, Image
from calibration.image import to_gray
from calibration.pose.covariance_propagation import sigma_mm
from calibration.pose.locate_table import locate_table
from calibration.setup.solve_setup import Setup
from calibration.view import View
from models.camera import CameraPose
from models.errors import BadFile, BadInput, TableNotVisible, TablesideError
from vision.capture.image_decoding import decode_image, decode_unrotated
from vision.capture.photo_exif import PhotoExif, read_exif
from vision.capture.sources import is_video, read_frames

_MOST_FRAMES = 24
_EVERY_S = 0.6  # of a video, of which the sharpest frame is used
_TAPE_MM = 1.6  # what players' rulers are good to
_FEET_MM = 304.8


@dataclass(frozen=True)
class SweepPicture:
    """A grey picture, and the focal length (px, relative sigma) that its EXIF tells."""

    name: str
    gray: Image
    focal: tuple[float, float] | None = None


def read_sweep(paths: Sequence[Path], *, progress: Callable[[str], None] = lambda _: None) -> tuple[SweepPicture, ...]:
    """Photographs, or the sharpest frames of one video.

    Raises: BadFile for a file that is none or given twice; BadInput for pictures of two lenses, and for cropped ones.
    """
    videos = [path for path in paths if is_video(path)]
    if videos:
        if len(paths) > 1:
            raise BadInput("give pictures, or one video alone", field="images", value=str(videos[0]))
        return _read_video(videos[0], progress)
    return join_photographs([(_name(path, paths), read_bytes(path)) for path in paths], progress=progress)


def join_photographs(
    files: Sequence[tuple[str, bytes]], *, progress: Callable[[str], None] = lambda _: None
) -> tuple[SweepPicture, ...]:
    """The pictures in these files, by name. Raises: BadFile, BadInput."""
    pictures: list[SweepPicture] = []
    first: tuple[str, PhotoExif] | None = None
    for name, data in files:
        progress(name)
        decode_image(data, field="images", name=name)
        gray = to_gray(decode_unrotated(data))
        exif, size = read_exif(data), (gray.shape[1], gray.shape[0])
        first = first or (name, exif)
        _check_lens(name, exif, first)
        if exif.is_cropped(size):
            raise BadInput(
                f"{name} was cut after it was taken: give it as the camera wrote it", field="images", value=name
            )
        pictures.append(SweepPicture(name, gray, exif.focal_px(size)))
    return tuple(pictures)


def lens_of(data: bytes) -> str:
    """What EXIF says of the lens, in words that are equal where the lens and its zoom are; empty where it is silent."""
    exif = read_exif(data)
    return "" if exif == PhotoExif(taken_px=exif.taken_px) else exif.describe_lens()


def _check_lens(name: str, exif: PhotoExif, first: tuple[str, PhotoExif]) -> None:
    if exif.lens_key() != first[1].lens_key():
        raise BadInput(
            f"{name} was taken with {exif.describe_lens()}, {first[0]} with {first[1].describe_lens()}: take all with "
            "one phone, one lens and without zooming",
            field="images",
            value=name,
        )


def _name(path: Path, paths: Sequence[Path]) -> str:
    """The file's name, in full when two files share one. Raises: BadFile for a file given twice."""
    if sum(path.resolve() == other.resolve() for other in paths) > 1:
        raise BadFile(f"{path} is given twice", field="images", value=str(path))
    return path.name if sum(path.name == other.name for other in paths) == 1 else str(path)


def _read_video(path: Path, progress: Callable[[str], None]) -> tuple[SweepPicture, ...]:
    """The sharpest frame of each stretch."""
    best: dict[int, tuple[float, SweepPicture]] = {}
    for frame in read_frames(path):
        gray = to_gray(frame.image)
        sharp, name = float(cv2.Laplacian(gray, cv2.CV_32F).var()), f"{path.name} at {frame.t_s:.1f} s"
        stretch = int(frame.t_s / _EVERY_S)
        if stretch not in best or sharp > best[stretch][0]:
            best[stretch] = sharp, SweepPicture(name, gray)
            progress(name)
    sharpest = [best[k][1] for k in sorted(best)]
    picked = np.unique(np.linspace(0, len(sharpest) - 1, min(len(sharpest), _MOST_FRAMES)).round().astype(int))
    return tuple(sharpest[k] for k in picked)


@dataclass(frozen=True)
class Doubt:
    """One sigma of a place in the middle and at the worst corner, in the picture that tells most, and its map."""

    middle_mm: float
    corners_mm: float
    sentence: str
    svg: str


def first_doubt(setup: Setup, sweep: Sequence[SweepPicture]) -> Doubt:
    """The same of the first of these in which the table is found: what is asked after each picture may not take long.

    Raises: TableNotVisible.
    """
    *others, last = sweep
    for picture in others:
        try:
            return doubt_of(setup, (picture,))
        except TableNotVisible:
            continue
    return doubt_of(setup, (last,))


def doubt_of(setup: Setup, sweep: Sequence[SweepPicture]) -> Doubt:
    """What a picture like the best of those given leaves in doubt. Raises: TableNotVisible."""
    pictures = {picture.name: picture for picture in sweep}
    names = [name for name in setup.pictures if name in pictures]
    poses = [pose for name in names if (pose := _locate(pictures[name], setup)) is not None]
    if not poses:
        raise TableNotVisible("with this lens and layout the table is found in none of the pictures: take them anew")
    best = min(poses, key=lambda pose: float(_sigmas(setup, pose).max()))
    middle, *corners = _sigmas(setup, best)
    worst = float(max(corners))
    svg = heat_map(View(setup.camera, best, setup.layout))
    return Doubt(float(middle), worst, _say(float(middle), worst, setup.layout.fiducials.scale_sigma), svg)


def doubt_of_view(view: View) -> Doubt:
    """What a pose leaves in doubt that was solved in one picture, without printed pages."""
    middle, *corners = sigma_mm(_places(view.table_mm), view=view)
    worst = float(max(corners))
    return Doubt(float(middle), worst, _say(float(middle), worst, 0.0), heat_map(view))


def _locate(picture: SweepPicture, setup: Setup) -> CameraPose | None:
    try:
        return locate_table(picture.gray, camera=setup.camera, layout=setup.layout)
    except TablesideError:
        return None


def _sigmas(setup: Setup, pose: CameraPose) -> Floats:
    return sigma_mm(_places(setup.layout.table_mm), view=View(setup.camera, pose, setup.layout))


def _places(table_mm: tuple[float, float]) -> Floats:
    width, depth = table_mm
    return np.array([[width / 2, depth / 2, 0], [0, 0, 0], [width, 0, 0], [width, depth, 0], [0, depth, 0]], np.float64)


def _say(middle_mm: float, corner_mm: float, scale_sigma: float) -> str:
    beats = ": better than a tape" if corner_mm < _TAPE_MM else ": no better than a tape from one end to the other"
    scale = (
        f"; the print's scale may add {scale_sigma * _FEET_MM:.1f} mm in each foot"
        if scale_sigma * _FEET_MM > 0.1
        else ""
    )
    return (
        f"Places on this table are good to {middle_mm:.2f} mm in the middle and {corner_mm:.2f} mm at the far corners"
        f"{beats}{scale}."
    )
