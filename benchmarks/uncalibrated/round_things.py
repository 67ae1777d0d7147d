"""Round things in photographs that others took, placed without camera file or layout: plane and scale from their sizes.

FOLDER holds the photographs with their published truth, as `coins/kaa-euro/coins.json` does. `told`: the true size is
among those that are told with a twentieth of probability or more. Of coins of one size only, the scale cannot be told:
those photographs are counted apart. How good each truth is stands beside its figures; a set whose truth allows no
figure is named with the reason. `--drawn N` counts on N drawn photographs of coins, of bases and of stones on boards
instead, of which everything is known and on which everything was tuned. `--weigh`
prints the weights of `vision/uncalibrated/ellipse_detection.py` that drawn photographs ask for.

    python -m benchmarks.uncalibrated.round_things FOLDER [--only NAME] [--overlays FOLDER]
    python -m benchmarks.uncalibrated.round_things --drawn 24 [--seed 77]
    python -m benchmarks.uncalibrated.round_things --weigh [--seed 77]
"""

import argparse
import math
import time
from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass, field
from pathlib import Path

import cv2
import numpy as np

from benchmarks.detection.fit_selection_weights import fit_logistic
from benchmarks.uncalibrated.photo_albums import EURO_MM, Album, Photo, read_albums, unusable_sets
from benchmarks.uncalibrated.synthetic_coins import draw_coin_shot
from benchmarks.uncalibrated.synthetic_stones import STONE_MM, draw_board_shot
from calibration.arrays import Floats, Image
from calibration.camera_model.projection import intersect_plane, project
from models.base import Catalogue, RoundBase
from models.errors import TableNotVisible
from vision.uncalibrated.ellipse_detection import Disc, detect_discs, detect_ellipses
from vision.uncalibrated.locate import UncalibratedTable, locate_uncalibrated

SETS = (
    ("euro", EURO_MM, 2.0),
    ("us", (17.91, 19.05, 21.21, 24.26, 30.61), 1.7),
    ("bases", (25, 28.5, 30, 32, 40, 50), 4.0),
)


@dataclass
class Tally:
    things: int = 0
    project: int = 0
    sized: int = 0  # of those found the ones whose size is known
    right: int = 0
    told: int = 0
    off_mm: list[float] = field(default_factory=list)

    def format_row(self) -> str:
        found = len(self.off_mm)
        rms = math.sqrt(sum(off**2 for off in self.off_mm) / max(found, 1))
        sized = self.sized or math.nan
        return (
            f"things {self.things:4d}  found {found / max(self.things, 1):.3f}"
            f"  false {(self.project - found) / max(self.project, 1):.3f}  size right {self.right / sized:.3f}"
            f"  told {self.told / sized:.3f}  centre RMS {rms:.2f} mm"
        )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.uncalibrated.round_things")
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--overlays", type=Path, help="where to write the pictures with what was found in them")
    parser.add_argument("--only", default="", help="albums whose name holds this")
    parser.add_argument("--drawn", type=int, default=0)
    parser.add_argument("--weigh", action="store_true")
    parser.add_argument("--seed", type=int, default=77)
    said = parser.parse_args()
    if said.weigh:
        print([round(weight, 2) for weight in fit_weights(said.seed).tolist()])
    elif said.drawn:
        for album in _draw_albums(said.seed, said.drawn):
            _score_album(album, None)
    elif said.folder is not None:
        for album in read_albums(said.folder):
            if said.only in album.name:
                _score_album(album, said.overlays)
        for name, why in () if said.only else unusable_sets(said.folder):
            print(f"{name}: {why}")
    else:
        parser.error("give FOLDER, --drawn or --weigh")


def _draw_albums(seed: int, count: int) -> Iterator[Album]:
    for name, sizes, rim_mm in SETS:
        shots = (draw_coin_shot(seed, number, sizes, width_px=2000, thick_mm=rim_mm) for number in range(count))
        photos = (
            Photo(f"{name} {number}", shot.image, shot.at_px, tuple(coin.diameter_mm for coin in shot.coins))
            for number, shot in enumerate(shots)
        )
        catalogue = Catalogue(bases=tuple(RoundBase(diameter_mm=size) for size in sizes), rim_mm=rim_mm)
        yield Album(f"drawn {name}", photos, catalogue, found_mm=5.0, truth="exact")
    boards = ((number, draw_board_shot(seed, number)) for number in range(count))
    stones = (Photo(f"stones {number}", board.image, board.at_px, None) for number, board in boards)
    catalogue = Catalogue(bases=(RoundBase(diameter_mm=STONE_MM),), rim_mm=0.5)
    yield Album("drawn stones", stones, catalogue, found_mm=5.0, truth="exact; of one size")


def _score_album(album: Album, overlays: Path | None) -> None:
    every, mixed = Tally(), Tally()
    for photo in album.photos:
        one, table = Tally(), None
        started = time.process_time()
        try:
            table = locate_uncalibrated(photo.image, catalogue=album.catalogue, edition="warmachine-prime")
        except TableNotVisible as problem:
            print(f"    {photo.name}: {problem}")
        took_s = time.process_time() - started
        for tally in (one, every, *((mixed,) if len(set(photo.sizes_mm or ())) > 1 else ())):
            _count(tally, table, photo, album.found_mm)
        others = table.other_scales if table else ()
        print(
            f"  {photo.name[:14]:14s} {one.format_row()}  {took_s:.1f} s of processor, other scales {others}",
            flush=True,
        )
        if overlays is not None:
            _draw_overlay(overlays / f"{album.name.replace('/', '-')}-{photo.name[:14]}.png", photo, table)
    print(f"{album.name:16s} {every.format_row()}; truth: {album.truth}")
    if 0 < mixed.things < every.things:
        print(f"{'  several sizes':16s} {mixed.format_row()}")


def _count(tally: Tally, table: UncalibratedTable | None, photo: Photo, found_mm: float) -> None:
    tally.things += len(photo.at_px)
    if table is None:
        return
    truth = intersect_plane(photo.at_px, camera=table.camera, pose=table.pose, z_mm=0)
    left = list(table.state.miniatures)
    tally.project += len(left)
    for k, at in enumerate(truth.tolist()):
        best = min(left, key=lambda one: math.dist(one.at_mm, at), default=None)
        if best is None or math.dist(best.at_mm, at) > found_mm:
            continue
        left.remove(best)
        tally.off_mm.append(math.dist(best.at_mm, at))
        if photo.sizes_mm:
            tally.sized += 1
            tally.right += table.sizes[best.id][0][0] == photo.sizes_mm[k]
            tally.told += photo.sizes_mm[k] in [size for size, _ in table.sizes[best.id]]


def _draw_overlay(path: Path, photo: Photo, table: UncalibratedTable | None) -> None:
    """The photograph: what was found in red with its size, every disc looked at in yellow, the truth in green."""
    picture = photo.image.copy()
    thick = max(1, max(picture.shape) // 700)
    for disc in detect_discs(photo.image):
        _draw_ring(picture, np.array([disc.at_px]), (0, 230, 230), thick, round(disc.radius_px))
    for one in table.state.miniatures if table else ():
        size = table.sizes[one.id][0][0] if table else 0.0
        turn = np.linspace(0, 2 * np.pi, 90)
        rim = np.column_stack(
            [np.cos(turn) * size / 2 + one.at_mm[0], np.sin(turn) * size / 2 + one.at_mm[1], 0 * turn]
        )
        if table:
            outline = project(rim, camera=table.camera, pose=table.pose)
            cv2.polylines(picture, [np.rint(outline).astype(np.int32)], True, (0, 0, 255), thick, cv2.LINE_AA)
            at = tuple(np.rint(outline.mean(axis=0)).astype(int).tolist())
            cv2.putText(picture, f"{size:g}", at, cv2.FONT_HERSHEY_SIMPLEX, 0.35 * thick, (255, 0, 255), thick)
    _draw_ring(picture, photo.at_px, (0, 200, 0), thick, 2 * thick)
    path.parent.mkdir(parents=True, exist_ok=True)
    shrunk = min(1.0, 1400 / max(picture.shape))
    cv2.imwrite(str(path), cv2.resize(picture, None, fx=shrunk, fy=shrunk, interpolation=cv2.INTER_AREA))


def _draw_ring(picture: Image, at_px: Floats, colour: tuple[int, int, int], thick: int, radius: int) -> None:
    for x, y in np.rint(at_px).astype(int).tolist():
        cv2.circle(picture, (x, y), radius, colour, thick, cv2.LINE_AA)


if __name__ == "__main__":
    main()


Scene = tuple[Image, Floats, Floats]  # a picture, where its things are, (N, 2) px, and how wide, (N,) px

_SETS = (((16.25, 18.75, 19.75, 21.25, 22.25, 23.25, 24.25, 25.75), 2.0), ((25.0, 28.5, 30.0, 32.0, 40.0, 50.0), 4.0))
_BOARDS, _SHOTS = 24, 16  # a board gives six times as many ellipses
_WIDTH_PX = 1200
_ON, _ON_SIZE = 0.1, (0.82, 1.2)  # of its width, and times as wide: so near an ellipse is the thing's,
_BESIDE, _BESIDE_SIZE = 0.3, (0.6, 1.45)  # and so near it is nobody's


@dataclass(frozen=True)
class LabelledEllipse:
    """An ellipse's traits, whether it is a thing's, and what it counts."""

    traits: tuple[float, ...]
    is_thing: bool
    counts: float


def fit_weights(seed: int) -> Floats:
    """The weights of the traits and, last, the odds without any."""
    known = [one for scene in _draw_scenes(seed) for one in _label_ellipses(*scene)]
    traits, counts = np.array([one.traits for one in known]), np.array([one.counts for one in known])
    return fit_logistic(traits, np.array([one.is_thing for one in known], np.float64), counts)


def _draw_scenes(seed: int) -> Iterator[Scene]:
    for number in range(_BOARDS):
        board = draw_board_shot(seed, number)
        yield board.image, board.at_px, np.full(len(board.at_px), board.wide_px)
    for sizes_mm, thick_mm in _SETS:
        for number in range(_SHOTS):
            shot = draw_coin_shot(seed, number, sizes_mm, width_px=_WIDTH_PX, thick_mm=thick_mm)
            yield shot.image, shot.at_px, shot.wide_px


def _label_ellipses(image: Image, at_px: Floats, wide_px: Floats) -> Iterable[LabelledEllipse]:
    found = list(detect_ellipses(image))
    things = [_match_thing(disc, at_px, wide_px) for disc, _ in found]
    for (_, traits), (thing, is_on) in zip(found, things, strict=True):
        if is_on:
            yield LabelledEllipse(astuple(traits), True, 1 / things.count((thing, True)))
        elif thing is None:
            yield LabelledEllipse(astuple(traits), False, 1.0)


def _match_thing(disc: Disc, at_px: Floats, wide_px: Floats) -> tuple[int | None, bool]:
    """The thing on or beside which this ellipse lies, and whether on it."""
    off_px = np.hypot(*(at_px - disc.at_px).T)
    nearest = int(off_px.argmin())
    off, size = off_px[nearest] / wide_px[nearest], 2 * disc.radius_px / wide_px[nearest]
    if off < _ON and _ON_SIZE[0] < size < _ON_SIZE[1]:
        return nearest, True
    if off < _BESIDE and _BESIDE_SIZE[0] < size < _BESIDE_SIZE[1]:
        return nearest, False
    return None, False
