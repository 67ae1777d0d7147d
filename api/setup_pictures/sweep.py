"""Sweep of pictures: photographs or frames of a video for the set-up, as the sensor gave them, with their EXIF."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from api.storage.files import read_bytes
from calibration.arrays import Image
from calibration.image import to_gray
from models.errors import BadFile, BadInput
from vision.capture.image_decoding import decode_image, decode_unrotated
from vision.capture.photo_exif import PhotoExif, read_exif
from vision.capture.sources import is_video, read_frames

_MOST_FRAMES = 24
_EVERY_S = 0.6  # of a video, of which the sharpest frame is used


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
        sharp, name = _sharpness(gray), f"{path.name} at {frame.t_s:.1f} s"
        stretch = int(frame.t_s / _EVERY_S)
        if stretch not in best or sharp > best[stretch][0]:
            best[stretch] = sharp, SweepPicture(name, gray)
            progress(name)
    sharpest = [best[k][1] for k in sorted(best)]
    picked = np.unique(np.linspace(0, len(sharpest) - 1, min(len(sharpest), _MOST_FRAMES)).round().astype(int))
    return tuple(sharpest[k] for k in picked)


def _sharpness(gray: Image) -> float:
    return float(cv2.Laplacian(gray, cv2.CV_32F).var())
