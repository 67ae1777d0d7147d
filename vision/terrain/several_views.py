"""Terrain from several views: where pieces stand, which all pictures agree on, and how high they are.

Silhouette height: how high a piece of terrain is, by how far its top hides the mat behind it, seen from each side.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import shapely

from calibration.arrays import Floats, Floats32, Image, Indices, Mask
from models.camera import Camera, CameraPose
from models.state import TableState
from models.terrain_proposal import KindGuess, ProposedTerrain
from vision.rectification.rectify import Window, rectify_table, table_window
from vision.terrain.background_model import PX_PER_MM, BackgroundDifference, background_difference
from vision.terrain.classification import ShapeAndTint, kind_guesses, outline_sigma_mm, weigh_by_height
from vision.terrain.proposals import black_mask, find_pieces

_HIGHEST_MM, _STEP_MM = 160, 2
_HEIGHTS = np.arange(0, _HIGHEST_MM + 1, _STEP_MM)
_TAPERS = (0.0, 0.1, 0.2, 0.3)
_GROWN_MM = (0.0, 1.5, 3.0, 4.5)  # by which what is not mat may seem larger than it is, all round: soft edges
_LEAST_SLANT = 0.25  # mm aside for each mm up, below which a view tells little of heights

_USUAL_MM = 60.0  # that other pieces are high
_AROUND_MM = 16.0
_FLOOR_SIGMA_MM = 2.0  # a pixel of the maps, and shadows
MISFIT_SIGMA = 1.5  # errors of outlines and heights for each mm of misfit (`benchmarks.calibration.setup_terrain`)
_DRAWS = 40
_SURE_MM, _SURE = 8.0, 0.25  # a sigma beyond this, and beyond this share of the height, is no height


@dataclass(frozen=True)
class Silhouette:
    """What is not mat in one view, on the table's plane; where the view sees the table; and the eye, table mm."""

    mask: Mask
    seen: Mask
    eye_mm: tuple[float, float, float]


@dataclass(frozen=True)
class SilhouetteFit:
    """Top above the table, None where the views do not tell it; `misfit_mm` is how far the casts of the best height
    still lie from what is seen, along their edges: that much its outline may be wrong."""

    height_mm: float | None
    sigma_mm: float
    misfit_mm: float


def fit_silhouette(
    outline: shapely.Polygon, sights: Sequence[Silhouette], window: Window, *, others: Sequence[shapely.Polygon] = ()
) -> SilhouetteFit | None:
    """None where too few views slant enough."""
    foot = np.array(outline.exterior.coords[:-1])
    middle = foot.mean(axis=0)
    telling = [sight for sight in sights if _sight_slant(middle, sight) > _LEAST_SLANT]
    if len(telling) < _FEWEST:
        return None
    stack = np.stack([_costs(foot, sight, window, others) for sight in telling])  # views, shapes, heights
    best = _least(stack.sum(axis=0))
    misfit_mm = float(stack.sum(axis=0).min()) / len(telling) / outline.length
    random = np.random.default_rng(1)
    drawn = [_least(stack[random.integers(0, len(stack), len(stack))].sum(axis=0)) for _ in range(_DRAWS)]
    slant = float(np.mean([_sight_slant(middle, sight) for sight in telling]))
    sigma = float(np.hypot(np.std(drawn), max(_FLOOR_SIGMA_MM, MISFIT_SIGMA * misfit_mm / slant)))
    is_sure = sigma <= max(_SURE_MM, _SURE * best)
    return SilhouetteFit(best if is_sure else None, sigma, misfit_mm)


def _sight_slant(middle: Floats, sight: Silhouette) -> float:
    return float(np.hypot(*(middle - sight.eye_mm[:2]))) / sight.eye_mm[2]


def _least(cost: Floats) -> float:
    """The height at which the cost is least, between two steps."""
    shape, k = np.unravel_index(int(cost.argmin()), cost.shape)
    row = cost[shape]
    if not 0 < k < len(row) - 1:
        return float(_HEIGHTS[k])
    left, right = row[k - 1] - row[k], row[k + 1] - row[k]  # straight slopes on both sides
    return float(_HEIGHTS[k] + _STEP_MM * 0.5 * (left - right) / max(left, right, 1e-9))


def _costs(foot: Floats, sight: Silhouette, window: Window, others: Sequence[shapely.Polygon]) -> Floats:
    """(tapers and growths, heights): mm2 in which cast and sight differ."""
    place, corner = _around(foot, sight, window)
    counted = sight.seen[place] & ~_cast_others(others, sight, window)[place]
    is_piece = sight.mask[place]
    rows = []
    for taper in _TAPERS:
        first = _first_height(foot, sight, taper, window, corner, is_piece.shape)
        for grown_mm in _GROWN_MM:
            grown = _grow(first, grown_mm * window.px_per_mm)
            inside = np.bincount(grown[counted & is_piece], minlength=len(_HEIGHTS) + 1)
            outside = np.bincount(grown[counted & ~is_piece], minlength=len(_HEIGHTS) + 1)
            rows.append(inside.sum() - np.cumsum(inside)[:-1] + np.cumsum(outside)[:-1])
    return np.asarray(rows, np.float64) / window.px_per_mm**2


def _around(foot: Floats, sight: Silhouette, window: Window) -> tuple[tuple[slice, slice], Indices]:
    """The part of the maps in which the piece's cast may lie, and its first column and row."""
    ends = window.to_px(np.concatenate([foot, _top(foot, sight.eye_mm, float(_HIGHEST_MM), 0.0)]))
    around, (rows, columns) = _AROUND_MM * window.px_per_mm, sight.mask.shape
    left, top = np.maximum(np.floor(ends.min(axis=0) - around).astype(int), 0)
    right, bottom = np.minimum(np.ceil(ends.max(axis=0) + around).astype(int), [columns, rows])
    return np.s_[top:bottom, left:right], np.array([left, top])


def _grow(first: Image, by_px: float) -> Image:
    """The casts larger by so much, on a finer map; they are drawn half a pixel too large."""
    finer, more = 4, by_px - 0.5
    large = cv2.resize(first, None, fx=finer, fy=finer, interpolation=cv2.INTER_NEAREST)
    side = 2 * round(abs(more) * finer) + 1
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    grown = cv2.erode(large, disc) if more > 0 else cv2.dilate(large, disc)
    return np.asarray(grown[finer // 2 :: finer, finer // 2 :: finer])


def _first_height(
    foot: Floats, sight: Silhouette, taper: float, window: Window, corner: Indices, shape: tuple[int, ...]
) -> Image:
    """The first of the heights whose cast covers each place; their number where none does."""
    first = np.full(shape, len(_HEIGHTS), np.uint8)
    for k in range(len(_HEIGHTS) - 1, -1, -1):
        _fill_cast(first, foot, _top(foot, sight.eye_mm, float(_HEIGHTS[k]), taper), window, corner, k)
    return first


def _fill_cast(canvas: Image, foot: Floats, top: Floats, window: Window, corner: Indices, value: int) -> None:
    low, high = (np.round((window.to_px(ring) - corner) * 16).astype(np.int32) for ring in (foot, top))
    sides = [np.array([low[i - 1], low[i], high[i], high[i - 1]], np.int32) for i in range(len(low))]
    for polygon in (low, high, *sides):
        cv2.fillPoly(canvas, [polygon], [value], lineType=cv2.LINE_8, shift=4)


def _top(foot: Floats, eye_mm: tuple[float, float, float], height_mm: float, taper: float) -> Floats:
    """Where the top appears on the table's plane."""
    middle, eye = foot.mean(axis=0), np.array(eye_mm[:2])
    drawn_in = middle + (foot - middle) * (1 - taper)
    return np.asarray(eye + (drawn_in - eye) * eye_mm[2] / (eye_mm[2] - height_mm))


def _cast_others(others: Sequence[shapely.Polygon], sight: Silhouette, window: Window) -> Mask:
    """Where other pieces may hide the mat: what is seen there tells nothing of this one."""
    canvas = np.zeros(sight.mask.shape, np.uint8)
    for other in others:
        foot = np.array(other.exterior.coords[:-1])
        _fill_cast(canvas, foot, _top(foot, sight.eye_mm, _USUAL_MM, 0.0), window, np.zeros(2, int), 1)
    return canvas > 0


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
