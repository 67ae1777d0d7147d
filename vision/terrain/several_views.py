"""Terrain from several views: where pieces stand, which all pictures agree on, and how high they are."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import shapely

from calibration.arrays import Floats32, Image, Mask
from models.camera import Camera, CameraPose
from models.state import TableState
from models.terrain_proposal import KindGuess, ProposedTerrain
from vision.rectification.rectify import Window, rectify_table, table_window
from vision.terrain.background_model import PX_PER_MM, BackgroundDifference, background_difference
from vision.terrain.classification import ShapeAndTint, kind_guesses, outline_sigma_mm, weigh_by_height
from vision.terrain.proposals import black_mask, find_pieces
from vision.terrain.silhouette_height import MISFIT_SIGMA, Silhouette, SilhouetteFit, fit_silhouette

_SEEN_PX_PER_MM = 1.0
_FEWEST = 3  # views from which an outline can be agreed on
_SHARE = 25.0  # per cent of the views that may take a place for the mat where a piece stands
_MOST = 12  # views that are used: more tell the same again


@dataclass(frozen=True)
class TableView:
    """A picture of the table, by which camera and from where."""

    image: Image
    camera: Camera
    pose: CameraPose


@dataclass(frozen=True)
class TerrainLook:
    """What is proposed, and the table from straight above without what stands up: the middle of all pictures."""

    terrain: tuple[ProposedTerrain, ...]
    straight: Image


def propose_from_views(
    views: Sequence[TableView], state: TableState, *, sheets: Sequence[shapely.Polygon] = ()
) -> TerrainLook:
    """Proposes terrain with heights from pictures of a table at rest; what was seen from too few sides has none.

    `sheets`: printed pages that reach onto the table, which are neither mat nor terrain.
    """
    used = _spread(views)
    table_mm = (state.table.width_mm, state.table.depth_mm)
    straight = [
        rectify_table(view.image, camera=view.camera, pose=view.pose, table_mm=table_mm, px_per_mm=_SEEN_PX_PER_MM)
        for view in used
    ]
    for picture in straight:
        _black_out(picture, sheets, table_window(table_mm, px_per_mm=_SEEN_PX_PER_MM))
    size = _map_size(straight[0])
    hidden = [black_mask(picture, size) for picture in straight]
    differences = [
        background_difference(picture, _SEEN_PX_PER_MM, covered=black)
        for picture, black in zip(straight, hidden, strict=True)
    ]
    middle = _median(straight)
    agreed = BackgroundDifference(
        _agree([difference.fine for difference in differences], hidden),
        _agree([difference.coarse for difference in differences], hidden),
    )
    window = table_window(table_mm, px_per_mm=PX_PER_MM)
    unseen = black_mask(middle, size)
    pieces = list(find_pieces(middle, window, (agreed, unseen)))
    sights = [
        Silhouette(difference.mask, ~black, view.pose.centre_mm)
        for difference, black, view in zip(differences, hidden, used, strict=True)
    ]
    outlines = [outline for outline, _ in pieces]
    fits = [
        fit_silhouette(outline, sights, window, others=outlines[:k] + outlines[k + 1 :])
        for k, outline in enumerate(outlines)
    ]
    terrain = (
        _proposal(f"terrain-{k + 1}", outline, look, fit, used[0])
        for k, ((outline, look), fit) in enumerate(zip(pieces, fits, strict=True))
    )
    return TerrainLook(tuple(terrain), middle)


def _proposal(
    name: str, outline: shapely.Polygon, look: ShapeAndTint, fit: SilhouetteFit | None, view: TableView
) -> ProposedTerrain:
    """Of one view the outline leans away from it by what may stand up there; of several it does not."""
    sigma = outline_sigma_mm(look, slant=_slant(outline, view) if fit is None else 0.0)
    height_mm = None if fit is None else fit.height_mm
    return ProposedTerrain(
        id=name,
        polygon_mm=_corners(outline),
        sigma_mm=round(float(np.hypot(sigma, 0.0 if fit is None else MISFIT_SIGMA * fit.misfit_mm)), 1),
        kinds=_guesses(look, fit),
        height_mm=None if height_mm is None else round(height_mm, 1),
        height_sigma_mm=None if fit is None or height_mm is None else round(fit.sigma_mm, 1),
    )


def _guesses(look: ShapeAndTint, fit: SilhouetteFit | None) -> tuple[KindGuess, ...]:
    if fit is None or fit.height_mm is None:
        return kind_guesses(look)
    least, most = fit.height_mm - 2 * fit.sigma_mm, fit.height_mm + 2 * fit.sigma_mm
    return weigh_by_height(kind_guesses(look), least_mm=least, most_mm=most)


def _black_out(straight: Image, sheets: Sequence[shapely.Polygon], window: Window) -> None:
    """As if nobody had seen what lies under the sheets."""
    for sheet in sheets:
        corners = window.to_px(np.array(sheet.exterior.coords[:-1]))
        cv2.fillPoly(straight, [np.round(corners).astype(np.int32)], (0, 0, 0))


def _corners(outline: shapely.Polygon) -> tuple[tuple[float, float], ...]:
    return tuple((round(x, 1), round(y, 1)) for x, y in outline.exterior.coords[:-1])


def _slant(outline: shapely.Polygon, view: TableView) -> float:
    (x, y), (eye_x, eye_y, high) = outline.centroid.coords[0], view.pose.centre_mm
    return float(np.hypot(x - eye_x, y - eye_y)) / high


def _spread(views: Sequence[TableView]) -> list[TableView]:
    """At most so many, from all sides."""
    middle = np.mean([view.pose.centre_mm for view in views], axis=0)
    around = sorted(views, key=lambda view: float(np.arctan2(*(np.array(view.pose.centre_mm[:2]) - middle[:2]))))
    picked = np.unique(np.linspace(0, len(around) - 1, min(len(around), _MOST)).round().astype(int))
    return [around[k] for k in picked]


def _map_size(straight: Image) -> tuple[int, int]:
    scale = PX_PER_MM / _SEEN_PX_PER_MM
    return max(5, round(straight.shape[0] * scale)), max(5, round(straight.shape[1] * scale))


def _agree(maps: Sequence[Floats32], hidden: Sequence[Mask]) -> Floats32:
    """How unlike the mat each place is by all but the few views that take it most for mat."""
    stack = np.stack(maps)
    stack[np.stack(hidden)] = np.nan
    return _nan_percentile(stack, _SHARE)


def _nan_percentile(stack: Floats32, share: float) -> Floats32:
    """0 where nobody sees the place."""
    order = np.sort(stack, axis=0)  # NaN last
    count = np.sum(~np.isnan(stack), axis=0)
    at = np.minimum(np.floor(count * share / 100).astype(int), np.maximum(count - 1, 0))
    nearest = np.take_along_axis(order, at[None], axis=0)[0]
    return np.asarray(np.nan_to_num(nearest, nan=0.0), np.float32)


def _median(pictures: Sequence[Image]) -> Image:
    """Of each place the median of those who see it; black where nobody does. Row by row, or it takes much memory."""
    out = np.zeros_like(pictures[0])
    for row in range(len(out)):
        line = np.stack([picture[row] for picture in pictures]).astype(np.float32)
        line[(line == 0).all(axis=2)] = np.nan
        for k in range(3):
            order, count = np.sort(line[..., k], axis=0), np.sum(~np.isnan(line[..., k]), axis=0)
            out[row, :, k] = np.nan_to_num(np.take_along_axis(order, np.maximum(count - 1, 0)[None] // 2, axis=0)[0])
    return out
