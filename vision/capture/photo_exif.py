"""EXIF of a photograph: which lens took it, how long it is in pixels, whether the picture was cropped or zoomed."""

from dataclasses import dataclass
from io import BytesIO
from typing import Any

import numpy as np
from PIL import ExifTags, Image

_FILM_DIAGONAL_MM = float(np.hypot(36, 24))
_WHOLE = (4 / 3, 3 / 2)  # shapes of sensors; other shapes are cut out of them
_SHAPE = 0.02
_WHOLE_SIGMA, _CUT_SIGMA = 0.04, 0.12
_FOCAL_FILM, _ZOOM, _FOCAL = ExifTags.Base.FocalLengthIn35mmFilm, ExifTags.Base.DigitalZoomRatio, 0x920A
_WIDE, _HIGH, _LENS = ExifTags.Base.ExifImageWidth, ExifTags.Base.ExifImageHeight, ExifTags.Base.LensModel


@dataclass(frozen=True)
class PhotoExif:
    """What a photograph's file says of how it was taken; None where it is silent."""

    focal_film_mm: float | None = None
    """As long as on 35 mm film, by the diagonal."""
    focal_mm: float | None = None
    zoom: float = 1.0
    """Digital."""
    lens: str | None = None
    taken_px: tuple[int, int] | None = None

    def lens_key(self) -> tuple[float | None, float | None, float, str | None]:
        """Equal in pictures that one lens took at one zoom."""
        return self.focal_film_mm, self.focal_mm, self.zoom, self.lens

    def is_cropped(self, size: tuple[int, int]) -> bool:
        """Whether somebody cut this picture after it was taken."""
        return self.taken_px is not None and abs(_shape(self.taken_px) / _shape(size) - 1) > _SHAPE

    def focal_px(self, size: tuple[int, int]) -> tuple[float, float] | None:
        """Focal length and its relative sigma; None when nothing tells of it, or the picture was cut."""
        if not self.focal_film_mm or self.zoom > 1.01 or self.is_cropped(size):
            return None
        is_whole = any(abs(_shape(size) / shape - 1) < _SHAPE for shape in _WHOLE)
        focal = self.focal_film_mm / _FILM_DIAGONAL_MM * float(np.hypot(*size))
        return focal, _WHOLE_SIGMA if is_whole else _CUT_SIGMA

    def describe_lens(self) -> str:
        """In a person's words."""
        parts = [self.lens or "", f"{self.focal_film_mm:g} mm" if self.focal_film_mm else ""]
        parts += [f"digital zoom {self.zoom:g}x"] if self.zoom > 1.01 else []
        return ", ".join(part for part in parts if part) or "a lens without a name"


def read_exif(data: bytes) -> PhotoExif:
    """What the file's EXIF says; nothing when it has none or it is broken."""
    try:
        tags: dict[int, Any] = Image.open(BytesIO(data)).getexif().get_ifd(ExifTags.IFD.Exif)
    except Exception:  # its readers raise what a broken header makes them
        return PhotoExif()
    wide, high, lens = _number(tags, _WIDE), _number(tags, _HIGH), tags.get(_LENS)
    return PhotoExif(
        focal_film_mm=_number(tags, _FOCAL_FILM),
        focal_mm=_number(tags, _FOCAL),
        zoom=_number(tags, _ZOOM) or 1.0,
        lens=lens.strip("\0 ") if isinstance(lens, str) else None,
        taken_px=(int(wide), int(high)) if wide and high else None,
    )


def _number(tags: dict[int, Any], tag: int) -> float | None:
    """A positive number, or nothing."""
    try:
        value = float(tags[tag])
    except (KeyError, TypeError, ValueError, ZeroDivisionError):
        return None
    return value if np.isfinite(value) and value > 0 else None


def _shape(size: tuple[int, int]) -> float:
    """Longer by shorter side, whichever way round it is held."""
    return max(size) / min(size)
