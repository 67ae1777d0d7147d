"""Light on rendered tables: which bases a projector's light makes or hides, and which while the camera is on guard.

python -m benchmarks.detection.projected_light FOLDER [--only wm1,wf1] [--level 0.8]

Each picture is lit by rings as large as bases on bare ground and across bases, a ring of 8 inches, a corridor, and the
marks of the product; nothing is left out around figures. `unguarded` measures a lit frame, `guarded` the first frame
that the product's light gate lets through of a film that blinks, every third blink caught by a rolling shutter with its
light half gone, black never quite black. Both are held against the same frame without light: bases that are made, that
are hidden, and how far the others move.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from api.camera.light_gate import LightGate
from api.camera.protocol import LightMarks
from benchmarks.calibration.rendered_scenes import Scene, read_stills
from benchmarks.detection.rendered_tables import match_nearest
from benchmarks.harness import rms, run
from calibration.arrays import Floats, Floats32, Image
from calibration.projector.light_marks import MARK_MM, mark_places
from calibration.projector.projector_fit import Projector
from calibration.view import View
from models.base import EDITION_BASES, Catalogue
from models.miniature import Miniature
from models.vocabulary import EditionId
from tests.calibration.projector.light_scene import FULL_HD, lens
from tests.calibration.scene import pose_towards
from vision.capture.sources import Frame
from vision.locate import locate

FPS, EVERY, BLACK = 15.0, 9, 2  # frames a second, from blink to blink, and how many of them are black
WARM_UP = 2 * EVERY  # frames after which the gate knows how bright its marks are
POWER = 1.5  # of the projector's white over what lights the room
CONTRAST = 500.0  # of its white over its black
LINE_MM = 4.0
GAMMA, NOISE = 2.2, 1.2
EDITIONS: dict[str, EditionId] = {"wf": "warhammer-9"}


@dataclass(frozen=True)
class Change:
    """What light does to the bases of a picture."""

    made: int
    hidden: int
    moved_mm: tuple[float, ...]

    def __str__(self) -> str:
        return f"{self.made:5d} {self.hidden:6d} {rms(self.moved_mm):8.3f}"


class LitFilm:
    """Frames of one table under light that blinks, and the same without light."""

    def __init__(self, image: Image, light: Floats32, seed: int, *, power: float = POWER) -> None:
        linear = (image.astype(np.float32) / 255) ** GAMMA
        noise = np.random.default_rng(seed).normal(0, NOISE, image.shape).astype(np.float32)
        self.plain, self.lit, self.black = (
            np.clip(255 * np.clip(linear * (1 + power * shine), 0, 1) ** (1 / GAMMA) + noise, 0, 255).astype(np.uint8)
            for shine in (np.float32(0), light[:, :, None] + 1 / CONTRAST, np.float32(1 / CONTRAST))
        )

    def frame(self, index: int) -> Frame:
        phase, blink = index % EVERY, index // EVERY
        if phase >= BLACK:
            return Frame(index, index / FPS, self.lit)
        half = len(self.lit) // 2 if phase == 0 and blink % 3 == 2 else 0
        return Frame(index, index / FPS, np.concatenate([self.lit[:half], self.black[half:]]))


def light_on(scene: Scene, marks: Floats, *, level: float, seed: int) -> Floats32:
    """How much of its white the projector throws at each pixel of the picture, linear, (H, W)."""
    random, view = np.random.default_rng(seed), View(scene.camera, scene.pose, scene.layout)
    width, depth = scene.layout.table_mm
    places = random.uniform((80, 80), (width - 80, depth - 80), (12, 2))
    lines = [_ring(place, random.choice([15.0, 20.0, 25.0])) for place in places]
    lines += [_ring(np.array([width, depth]) / 2, 203.2)]
    ends = np.array([(0.2 * width, 0.3 * depth), (0.8 * width, 0.6 * depth)])
    lines += [ends + np.array(beside) for beside in ((0.0, 15.0), (0.0, -15.0))]
    page = np.zeros(scene.image.shape[:2], np.uint8)
    for line in lines:
        cv2.polylines(page, [_pixels(line, view)], False, round(255 * level), _width_px(line, view), cv2.LINE_AA)
    for mark in marks:
        cv2.fillPoly(page, [_pixels(_ring(mark, MARK_MM), view)], round(0.75 * 255), cv2.LINE_AA)
    return np.asarray((cv2.GaussianBlur(page, (0, 0), 1.0).astype(np.float32) / 255) ** GAMMA)


def _ring(middle: Floats, radius_mm: float) -> Floats:
    turns = np.linspace(0, 2 * np.pi, 181)
    return np.asarray(middle + radius_mm * np.column_stack([np.cos(turns), np.sin(turns)]))


def _pixels(line: Floats, view: View) -> Image:
    return np.asarray(np.round(view.project(np.column_stack([line, np.zeros(len(line))]))).astype(np.int32))


def _width_px(line: Floats, view: View) -> int:
    (slopes,) = view.project_jacobian(np.array([[*line[0], 0.0]]))
    return max(1, round(LINE_MM * float(np.sqrt(abs(np.linalg.det(slopes))))))


def first_dark(film: LitFilm, marks: Floats, view: View) -> Image:
    """The first frame after the warm-up that may be measured in, as the product's gate has it."""
    gate = LightGate()
    gate.watch(LightMarks(tuple((float(x), float(y)) for x, y in marks)))
    passed = [frame.image for frame in map(film.frame, range(WARM_UP + EVERY + BLACK)) if not gate.is_lit(frame, view)]
    return passed[-1]


def bases_in(image: Image, scene: Scene) -> tuple[Miniature, ...]:
    edition = EDITIONS.get(scene.name[:2], "warmachine-prime")
    catalogue = Catalogue(bases=EDITION_BASES[edition])
    view = View(scene.camera, scene.pose, scene.layout)
    return locate(image, view=view, catalogue=catalogue, edition=edition).miniatures


def change(before: Sequence[Miniature], after: Sequence[Miniature]) -> Change:
    left = list(after)
    pairs = list(match_nearest(before, left))
    moved = tuple(float(np.linalg.norm(np.subtract(one.at_mm, other.at_mm))) for one, other in pairs)
    return Change(len(left), len(before) - len(pairs), moved)


def light_tables(folder: Path, only: Sequence[str], level: float) -> Iterator[tuple[str, int, Change, Change]]:
    for seed, scene in enumerate(read_stills(folder)):
        if only and scene.name not in only:
            continue
        width, depth = scene.layout.table_mm
        pose = pose_towards((width / 2, -300.0, 2100.0), (width / 2, depth / 2 - 20, 0))
        projector = Projector(lens=lens(FULL_HD, throw=0.9), pose=pose, covariance=(), rms_mm=0, dots=0)
        marks = mark_places(projector, scene.layout.table_mm)
        film = LitFilm(scene.image, light_on(scene, marks, level=level, seed=seed), seed)
        guarded = first_dark(film, marks, View(scene.camera, scene.pose, scene.layout))
        before = bases_in(film.plain, scene)
        changes = [change(before, bases_in(image, scene)) for image in (film.lit, guarded)]
        yield scene.name, len(before), changes[0], changes[1]


def main(folder: Path, only: str = "", level: float = 0.8) -> None:
    print("              unguarded              guarded")
    print("table  bases   made hidden moved mm   made hidden moved mm")
    for name, count, unguarded, guarded in light_tables(folder, only.split(",") if only else (), level):
        print(f"{name:6s} {count:5d} {unguarded}  {guarded}", flush=True)


if __name__ == "__main__":
    run(main)
