"""How far the pose from four tapped corners puts the table off, beside the pose from its fiducials.

    python benchmarks/calibration/mat_corners.py --tables FOLDER

Corners are tapped at their true places plus chance; a picture that shows fewer than four of them is named and left out.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from benchmarks.calibration.rendered_scenes import Error, Scene, read_stills, table_error
from benchmarks.harness import run
from calibration.camera_model import projection
from calibration.pose.locate_table import locate_table
from calibration.pose.mat_corners import TAP_PX, combine_poses, locate_by_corners
from calibration.pose.mat_sides import corners_mm
from models.camera import CameraPose


@dataclass(frozen=True)
class Row:
    """Of each way: the error and what it said of itself; `sides` that were seen, of all tries."""

    taps: list[Error]
    corners: list[Error]
    fiducials: Error
    both: list[Error]
    sides: int


def main(tables: Annotated[Path, typer.Option()], tries: int = 5) -> None:
    """Print one line a picture."""
    print(f"RMS over the table in mm (RMS said); taps off by {TAP_PX:g} px per axis, {tries} tries a picture")
    print(f"{'picture':9}{'taps alone':>18}{'and the sides':>18}{'fiducials':>18}{'both':>18}  sides seen")
    for scene in read_stills(tables):
        row = compare_poses(scene, tries=tries)
        if row is None:
            print(f"{scene.name:9} a corner is not in the picture")
            continue
        cells = [
            _format_errors(row.taps),
            _format_errors(row.corners),
            _format_errors([row.fiducials]),
            _format_errors(row.both),
        ]
        print(f"{scene.name:9}{''.join(f'{cell:>18}' for cell in cells)}  {row.sides} of {4 * tries}")


def compare_poses(scene: Scene, *, tries: int) -> Row | None:
    """What each way makes of one picture; None when it does not show all corners."""
    table_mm = scene.layout.table_mm
    true = projection.project(corners_mm(table_mm), camera=scene.camera, pose=scene.pose)
    if np.any((true < 12) | (true > np.array(scene.camera.image_size) - 13)):
        return None
    plain = np.full_like(scene.image, 128)
    by_fiducials = locate_table(scene.image, camera=scene.camera, layout=scene.layout)
    taps, corners, both, sides = [], [], [], 0
    for number in range(tries):
        tapped = true + np.random.default_rng(number).normal(0, TAP_PX, true.shape)
        alone = locate_by_corners(plain, tapped.tolist(), camera=scene.camera, table_mm=table_mm)
        tapped_pose = locate_by_corners(scene.image, tapped.tolist(), camera=scene.camera, table_mm=table_mm)
        taps.append(_error(scene, alone.pose))
        corners.append(_error(scene, tapped_pose.pose))
        both.append(_error(scene, combine_poses(tapped_pose.pose, by_fiducials, table_mm=table_mm).pose))
        sides += len(tapped_pose.sides)
    return Row(taps, corners, _error(scene, by_fiducials), both, sides)


def _error(scene: Scene, pose: CameraPose) -> Error:
    return table_error(scene, camera=scene.camera, pose=pose)


def _format_errors(errors: list[Error]) -> str:
    rms, said = (np.sqrt(np.mean([getattr(error, name) ** 2 for error in errors])) for name in ("rms_mm", "stated_mm"))
    return f"{rms:.3f} ({said:.3f})"


if __name__ == "__main__":
    run(main)
