"""Tables of nothing but coins, tokens and discs of bases' sizes: how many are taken for bases.

Now, and by their rims alone, without the network's opinion. The pictures are drawn from the seed, so the same command
prints the same figures.

    python -m benchmarks.detection.false_positives [--tables 16] [--seed 77001]
"""

from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np

from benchmarks.harness import run
from calibration.arrays import Image
from calibration.view import View
from models.base import Catalogue, RoundBase
from vision.detection.network.finder import NetworkFinder
from vision.locate import measure_and_select
from vision.selection.candidate_fits import fit_candidates
from vision.selection.non_maximum_suppression import select_bases
from vision.training.synthetic.camera_effects import develop
from vision.training.synthetic.clutter import coin, disc, token
from vision.training.synthetic.mat import any_mat
from vision.training.synthetic.renderer import Eye, Frame, light_scene, paint_slices
from vision.training.synthetic.solid import Slice
from vision.training.synthetic.table import SIDE_MM, camera_of, layout_of, pose_of

Random = np.random.Generator

PLAY = Catalogue(bases=tuple(RoundBase(diameter_mm=float(size)) for size in (30, 40, 50, 120)))
RADII_MM = (15.0, 20.0, 25.0)
APART_MM = 62.0
FINER, PX_PER_MM = 3, 1.4
FRAME = Frame(SIDE_MM, 24.0, FINER * PX_PER_MM)


def main(tables: int = 16, seed: int = 77001) -> None:
    counts = np.array([count_false_positives(np.random.default_rng([seed, number])) for number in range(tables)])
    things, now, alone = counts.sum(axis=0).tolist()
    print(f"{tables} tables, {things} coins, tokens and discs; taken for bases: {now}, by their rims alone {alone}")


def count_false_positives(random: Random) -> tuple[int, int, int]:
    """How many things lie on a table, and how many are taken for bases: now, and by their rims alone."""
    x, y = (SIDE_MM / 2 + random.uniform(-500, 500, 2)).tolist()
    eye, spots = Eye(x, y, 1500.0), _draw_spots(random)
    picture = _draw_picture(random, eye, [part for spot in spots for part in _draw_thing(random, spot)])
    camera, pose, layout = camera_of(eye, FRAME, len(picture), finer=FINER), pose_of(eye), layout_of(SIDE_MM, ())
    view = View(camera, pose, layout)
    candidates = NetworkFinder(PLAY, layout).find(picture, camera=camera, pose=pose)
    alone = [replace(fit, network_score=None) for fit in fit_candidates(picture, candidates, view=view)]
    now = measure_and_select(picture, candidates, view=view)
    return len(spots), len(now), len(select_bases(alone, table_mm=layout.table_mm))


def _draw_spots(random: Random) -> list[tuple[float, float]]:
    spots: list[tuple[float, float]] = []
    for _ in range(200):
        x, y = random.uniform(0, SIDE_MM, 2).tolist()
        if all(np.hypot(x - other[0], y - other[1]) > APART_MM for other in spots):
            spots.append((x, y))
    return spots


def _draw_thing(random: Random, spot: tuple[float, float]) -> Iterator[Slice]:
    kind = random.integers(3)
    if kind == 2:
        return disc(random, spot, radius_mm=float(random.choice(RADII_MM)))
    return (coin, token)[int(kind)](random, spot)


def _draw_picture(random: Random, eye: Eye, things: list[Slice]) -> Image:
    mat = any_mat(random, side_px=FRAME.side_px, px_per_mm=FRAME.px_per_mm)
    shot = light_scene(*paint_slices(mat, things, eye=eye, frame=FRAME), eye=eye, frame=FRAME, random=random)
    side_px = FRAME.side_px // FINER
    whole = shot[: side_px * FINER, : side_px * FINER]
    small = cv2.resize(whole, (side_px, side_px), interpolation=cv2.INTER_AREA)
    return develop(np.asarray(small, np.float32), random)


if __name__ == "__main__":
    run(main)
