"""Photographs of round things that other people took, with as much truth as they published."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from calibration.arrays import Floats, Image
from models.base import Catalogue, RoundBase
from vision.capture.image_decoding import decode_image
from vision.uncalibrated.ellipse_detection import detect_discs

EURO_MM = (16.25, 18.75, 19.75, 21.25, 22.25, 23.25, 24.25, 25.75)
_STONE_MM = 22.2
_HOLE_MM = 152.4
_SKIMAGE_COINS = 24


@dataclass(frozen=True)
class Photo:
    """A photograph, where its round things are, (N, 2) px, and how large where that is known."""

    name: str
    image: Image
    at_px: Floats
    sizes_mm: tuple[float, ...] | None


@dataclass(frozen=True)
class Album:
    """Photographs, what may lie on them, how near counts as found, and how good the truth is."""

    name: str
    photos: Iterable[Photo]
    catalogue: Catalogue
    found_mm: float
    truth: str


def read_albums(folder: Path) -> Iterator[Album]:
    """The sets whose truth allows a figure."""
    euros, stones, holes = (folder / name for name in ("coins/kaa-euro", "round/go-stones", "pieces/cornhole"))
    good = "sizes sure, centres good to about 1 mm"
    yield Album("coins/kaa-euro", _read_euros(euros), _catalogue_of(*EURO_MM, rim_mm=2.0), 5.0, good)
    good = "boxes drawn by hand, to about 2 px or 1.5 mm, in photographs stretched to a square; of one size"
    yield Album("round/go-stones", _read_stones(stones), _catalogue_of(_STONE_MM, rim_mm=0.5), 8.0, good)
    good = "the board's hole, the same circle for all photographs, good to 5-8 px or 10-16 mm; of one size"
    yield Album("pieces/cornhole", _read_holes(holes), _catalogue_of(_HOLE_MM, rim_mm=0.5), 60.0, good)


def unusable_sets(folder: Path) -> Iterator[tuple[str, str]]:
    """The sets of whose truth less is known, and what can be said of them nevertheless."""
    coins = len(detect_discs(_read_picture(folder / "coins" / "skimage" / "coins.png")))
    yield "coins/skimage", f"{coins} discs of {_SKIMAGE_COINS} coins; neither sizes nor centres are published"
    discs = sorted(
        2 * disc.radius_px for disc in detect_discs(_read_picture(folder / "coins" / "sick-calibrated" / "coins.bmp"))
    )
    told = ", ".join(f"{size / discs[-1] * 24.25:.2f}" for size in discs)
    yield (
        "coins/sick-calibrated",
        (
            f"coins of 19.75, 19.75 and 24.25 mm: {len(discs)} discs, as large as {told} mm if the largest is of 24.25;"
            " centres are not published"
        ),
    )
    yield (
        "round/draughts",
        f"{_count_unlabelled(folder / 'round' / 'draughts')} discs seen; how many there are nobody wrote down",
    )
    yield (
        "round/boofcv-shapes",
        f"{_count_unlabelled(folder / 'round' / 'boofcv-shapes')} discs seen; one disc, not written down",
    )
    yield (
        "round/opencv",
        f"{_count_unlabelled(folder / 'round' / 'opencv')} discs seen; smoke pictures, nothing written down",
    )
    yield "pieces/chess", "boxes around standing pieces, whose feet they hide: no place and no size of a foot is told"


def _catalogue_of(*sizes_mm: float, rim_mm: float) -> Catalogue:
    return Catalogue(bases=tuple(RoundBase(diameter_mm=size) for size in sizes_mm), rim_mm=rim_mm)


def _read_euros(home: Path) -> Iterator[Photo]:
    for photo in json.loads((home / "coins.json").read_text()):
        at_px = np.array([(coin["x"], coin["y"]) for coin in photo["coins"]], np.float64)
        sizes = tuple(float(coin["diameter_mm"]) for coin in photo["coins"])
        yield Photo(photo["photo"], _read_picture(home / photo["photo"]), at_px, sizes)


def _read_stones(home: Path) -> Iterator[Photo]:
    for path in sorted((home / "images").glob("*.jpg")):
        image = _read_picture(path)
        rows = [line.split() for line in (home / "labels" / f"{path.stem}.txt").read_text().splitlines()]
        share = np.array([[float(row[1]), float(row[2])] for row in rows])
        yield Photo(path.name, image, share * image.shape[1::-1] - 0.5, None)


def _read_holes(home: Path) -> Iterator[Photo]:
    for one in json.loads((home / "dataSet.json").read_text()):
        at_px = np.array([one["board"]["hole"]["center"]], np.float64)
        yield Photo(one["_reference"], _read_picture(home / one["_reference"]), at_px, None)


def _count_unlabelled(home: Path) -> str:
    files = sorted(path for path in home.iterdir() if path.suffix in (".jpg", ".png"))
    return ", ".join(f"{path.name} {len(detect_discs(_read_picture(path)))}" for path in files)


def _read_picture(path: Path) -> Image:
    return np.asarray(decode_image(path.read_bytes(), field="file", name=path.name), np.uint8)
