"""Terrain of a set-up: outlines and heights proposed from drawn sweeps, beside the truth.

python -m benchmarks.calibration.setup_terrain [--tables 20] [--seed 9000] [--pictures 12]

Each table is drawn from the seed with six pieces and seen by a phone that walks around it; poses are those of the draw,
off by as much as solved ones are. `outline` is the RMS distance of the proposed outline from the piece's foot, `height`
the error of its top; `/sigma` the RMS of errors over what was stated. A piece is found from an overlap (intersection
over union) of 0.5, a wall or hedge of 0.25. Trees stand on their ground as they like: of a forest the outline counts.
"""

import math
import time
from collections import defaultdict
from dataclasses import dataclass, field

import cv2
import numpy as np
import shapely

from benchmarks.detection.terrain_proposals import LEAST_IOU, USUAL_IOU
from benchmarks.harness import rms, run
from calibration.arrays import Floats, Image
from calibration.camera_model import projection
from models.camera import CameraPose
from models.state import TableSize, TableState
from models.terrain_proposal import ProposedTerrain
from tests.calibration.setup.sweeps import phone, walk_around
from vision.terrain.several_views import TableView, propose_from_views
from vision.training.synthetic.full_table import Piece, TableDensity, draw_pieces
from vision.training.synthetic.mat import any_mat
from vision.training.synthetic.renderer import RIM_MM, Eye, Frame, light_scene, paint_slices

SIDE_MM = 1219.2
LENS = phone(focal=1210.0, size=(1600, 1200), dist=(0.0,) * 5)
_FRAME = Frame(SIDE_MM, 24.0, 1.3)
_POSE_MM = 0.3


@dataclass
class Tally:
    """What became of the pieces of one kind."""

    truths: int = 0
    outline_mm: list[float] = field(default_factory=list)
    outline_ratio: list[float] = field(default_factory=list)
    height_mm: list[float] = field(default_factory=list)
    height_ratio: list[float] = field(default_factory=list)
    right: int = 0

    def format_row(self) -> str:
        seen = len(self.outline_mm)
        figures = " ".join(
            f"{rms(ones):8.2f}" for ones in (self.outline_mm, self.outline_ratio, self.height_mm, self.height_ratio)
        )
        median = float(np.median(np.abs(self.height_mm))) if self.height_mm else math.nan
        return f"{self.truths:6d} {seen:5d} {figures} {median:8.2f} {seen - len(self.height_mm):8d} {self.right:6d}"


def draw_views(seed: int, pictures: int) -> tuple[tuple[Piece, ...], list[TableView]]:
    """What stands there, and what the phone sees of it."""
    random = np.random.default_rng([seed, 43])
    pieces = tuple(draw_pieces(random, TableDensity(side_mm=SIDE_MM)))
    slices = [part for piece in pieces for part in piece.slices]
    mat = any_mat(random, side_px=_FRAME.side_px, px_per_mm=_FRAME.px_per_mm)
    views = []
    for pose in walk_around((SIDE_MM, SIDE_MM), pictures=pictures, seed=seed):
        eye = Eye(*pose.centre_mm)
        colours, heights = paint_slices(mat, slices, eye=eye, frame=_FRAME)
        lit = light_scene(colours, heights, eye=eye, frame=_FRAME, random=np.random.default_rng([seed, 44]))
        views.append(TableView(_photograph(np.clip(lit, 0, 255), pose, random), LENS, _solved(pose, random)))
    return pieces, views


def _photograph(canvas: Floats, pose: CameraPose, random: np.random.Generator) -> Image:
    """The plane of the rims through the phone's lens."""
    side = SIDE_MM
    corners = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float64)
    seen_px = projection.project(np.column_stack([corners, np.full(4, RIM_MM)]), camera=LENS, pose=pose)
    warp = cv2.getPerspectiveTransform(_FRAME.to_px(corners).astype(np.float32), seen_px.astype(np.float32))
    picture = cv2.warpPerspective(canvas.astype(np.float32), warp, LENS.image_size, flags=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(picture, (0, 0), 0.7)
    return np.asarray(np.clip(soft + random.normal(0, 2.0, soft.shape), 0, 255), np.uint8)


def _solved(pose: CameraPose, random: np.random.Generator) -> CameraPose:
    shift = np.array(pose.translation_mm) + random.normal(0, _POSE_MM, 3)
    centre = -np.array(pose.rotation).T @ shift
    return CameraPose.model_validate(
        dict(pose) | {"translation_mm": tuple(shift.tolist()), "centre_mm": tuple(centre.tolist())}
    )


def score(pieces: tuple[Piece, ...], proposals: tuple[ProposedTerrain, ...], tallies: dict[str, Tally]) -> int:
    """Adds to the tallies; how many proposals are none of the pieces."""
    left = list(proposals)
    for piece in pieces:
        outline = shapely.Polygon(piece.outline_mm).buffer(0)
        best = max(left, key=lambda proposal: _iou(outline, proposal), default=None)
        for name in ("all", piece.kind):
            tallies[name].truths += 1
        if best is None or _iou(outline, best) < LEAST_IOU.get(piece.kind, USUAL_IOU):
            continue
        left.remove(best)
        for name in ("all", piece.kind):
            _count(tallies[name], piece, outline, best)
    return len(left)


def _count(tally: Tally, piece: Piece, outline: shapely.Polygon, best: ProposedTerrain) -> None:
    rim, seen = outline.exterior, shapely.Polygon(best.polygon_mm).exterior
    places = [seen.interpolate(share, normalized=True) for share in np.linspace(0, 1, 100, endpoint=False)]
    off = rms([place.distance(rim) for place in places])
    tally.outline_mm.append(off)
    tally.outline_ratio.append(off / best.sigma_mm)
    tally.right += bool(best.kinds) and best.kinds[0].kind == piece.kind
    if best.height_mm is not None and best.height_sigma_mm is not None and piece.kind != "forest":
        error = best.height_mm - max(part.z_mm for part in piece.slices)
        tally.height_mm.append(error)
        tally.height_ratio.append(error / best.height_sigma_mm)


def _iou(outline: shapely.Polygon, proposed: ProposedTerrain) -> float:
    other = shapely.Polygon(proposed.polygon_mm)
    return float(outline.intersection(other).area / max(outline.union(other).area, 1e-9))


def main(tables: int = 20, seed: int = 9000, pictures: int = 12) -> None:
    tallies: dict[str, Tally] = defaultdict(Tally)
    state = TableState(edition="open", table=TableSize(width_mm=SIDE_MM, depth_mm=SIDE_MM))
    extra, spent_s = 0, 0.0
    for number in range(seed, seed + tables):
        pieces, views = draw_views(number, pictures)
        began_s = time.process_time()
        look = propose_from_views(views, state)
        spent_s += time.process_time() - began_s
        extra += score(pieces, look.terrain, tallies)
    print(f"{'':10} pieces found  outline   /sigma   height   /sigma   median  unknown  kind first")
    for name, tally in sorted(tallies.items()):
        print(f"{name:10} {tally.format_row()}")
    print(f"proposed where no piece is: {extra} on {tables} tables")
    print(f"processor time of a table: {spent_s / tables:.1f} s")


if __name__ == "__main__":
    run(main)
