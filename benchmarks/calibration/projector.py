"""Light on a table: rings that a projector draws, beside where they should lie, over rendered tables of 6 x 4 ft.

python -m benchmarks.calibration.projector [--draws 10] [--seed 1] [--wide 1920] [--raised]

Each table is drawn from the seed: camera, projector beside the table (1080p, oblique, its lens bent), lamp and both
tone curves; markers lie off their written places by the layout's sigma. The product sees the pictures and the written
layout alone. `error` is the RMS distance of the drawn rings from the true ones, `/sigma` that over what was stated.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from time import process_time

import numpy as np

from benchmarks.harness import rms, run
from calibration.arrays import Floats
from calibration.pose.locate_table import locate_table
from calibration.projector.dot_pattern import DotPattern, read_dots
from calibration.projector.projector_fit import Projector, solve_projector
from calibration.view import View
from models.layout import LayoutTerrain
from tests.calibration.projector.light_scene import FULL_HD, LightScene, pattern_page

RINGS_MM = (((380, 300), 203.2), ((914, 610), 304.8), ((1480, 880), 254.0), ((500, 900), 152.4))
HILL = LayoutTerrain(
    id="hill", kind="hill", polygon_mm=((1150, 180), (1550, 180), (1550, 480), (1150, 480)), surface_mm=50.0
)


@dataclass(frozen=True)
class Drawn:
    """One calibrated table: errors of the points of rings (N, 2) mm, and what they were stated to be, RMS."""

    errors_mm: Floats
    stated_mm: float
    projector: Projector
    spent_s: float


def calibrate(scene: LightScene) -> Projector:
    """As the product does, from the pictures that the camera takes of the pattern."""
    pattern = DotPattern(FULL_HD)
    pictures = [scene.photograph(pattern_page(pattern, number)) for number in range(pattern.pictures)]
    pose = locate_table(pictures[0], camera=scene.view.camera, layout=scene.written)
    dots = read_dots(pattern, [picture[:, :, 1] for picture in pictures])
    return solve_projector(dots, FULL_HD, view=View(scene.view.camera, pose, scene.written))


def draw_rings(scene: LightScene, projector: Projector) -> tuple[Floats, float]:
    """How far their light falls from where they should lie, and how far that was stated to be."""
    turns = np.linspace(0, 2 * np.pi, 72, endpoint=False)
    rim = np.column_stack([np.cos(turns), np.sin(turns)])
    points = np.concatenate([np.array(middle) + radius * rim for middle, radius in RINGS_MM])
    places = np.column_stack([points, np.zeros(len(points))])
    pixels = projector.project(places)
    is_lit = np.all((pixels > 0) & (pixels < np.array(FULL_HD) - 1), axis=1)
    errors = scene.true_light_mm(pixels[is_lit]) - points[is_lit]
    stated = projector.covariance_mm2(places[is_lit])
    return errors, float(np.sqrt(np.trace(stated, axis1=1, axis2=2).mean()))


def draw_tables(draws: int, seed: int, size_px: tuple[int, int], *, is_raised: bool) -> Iterator[Drawn]:
    for number in range(seed, seed + draws):
        scene = LightScene.draw(number, size_px=size_px, terrain=(HILL,) if is_raised else ())
        began_s = process_time()
        projector = calibrate(scene)
        yield Drawn(*draw_rings(scene, projector), projector, process_time() - began_s)


def main(draws: int = 10, seed: int = 1, wide: int = 1920, raised: bool = False) -> None:
    errors, ratios = [], []
    print("table   dots  residual    error    worst   stated   /sigma")
    for number, drawn in enumerate(draw_tables(draws, seed, (wide, wide * 9 // 16), is_raised=raised), seed):
        lengths = np.linalg.norm(drawn.errors_mm, axis=1)
        errors.append(rms(lengths))
        ratios.append(rms(lengths) / drawn.stated_mm)
        print(
            f"{number:5d} {drawn.projector.dots:6d} {drawn.projector.rms_mm:9.3f} {errors[-1]:8.3f}"
            f" {lengths.max():8.3f} {drawn.stated_mm:8.3f} {ratios[-1]:8.2f}",
            flush=True,
        )
    print(f"all: error {rms(errors):.3f} mm RMS, {max(errors):.3f} at worst; error / sigma {rms(ratios):.2f}")


if __name__ == "__main__":
    run(main)
