"""Terrain proposals: terrain, templates and tokens that a picture shows besides its bases.

Disc fit: flat discs that are no bases, templates and tokens, fitted in the camera's own pixels.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

import cv2
import numpy as np
import shapely

from calibration.arrays import Floats, Image, Mask
from models.base import RoundBase
from models.camera import Camera, CameraPose
from models.miniature import Miniature
from models.shape import OutlineFields
from models.state import TableState
from models.terrain_proposal import Proposal, ProposedDisc, ProposedTerrain
from models.unit_conversion import inches
from models.vocabulary import Point
from vision.measurement.edge_profiles import OFFSETS_MM, EdgeProfiles, measure_edge_profiles
from vision.measurement.silhouette import RimProfile, disc_silhouette
from vision.rectification.rectify import Window, rectify_table, table_window
from vision.terrain.background_model import PX_PER_MM, BackgroundDifference, background_difference
from vision.terrain.classification import ShapeAndTint, is_card, kind_guesses, outline_sigma_mm, shape_and_tint
from vision.terrain.segmentation import Blob, segment_pieces, segment_rounds, simplify_outline

_KNOWN = 0.4  # of the smaller of two outlines: what shares more of it is the same piece; of the larger, for discs

Outline = Sequence[tuple[float, ...]]
Proposed = TypeVar("Proposed", bound=ProposedTerrain | ProposedDisc)
USUAL_HEIGHT_MM = 1500.0  # where nobody says how high the camera hangs
MatDifference = tuple[BackgroundDifference, Mask]

_SEEN_PX_PER_MM = 1.0
_FEWEST_CORNERS = 3  # of an outline
_AROUND_MM = 3.0  # a base's rim leans this far over its foot
_ONE_DISC_MM = 10.0  # discs that lie nearer to each other are one


def propose_terrain(image: Image, state: TableState, *, camera: Camera, pose: CameraPose) -> tuple[Proposal, ...]:
    """Proposes terrain, templates and tokens that the picture shows and the state does not hold."""
    table_mm = (state.table.width_mm, state.table.depth_mm)
    straight = rectify_table(image, camera=camera, pose=pose, table_mm=table_mm, px_per_mm=_SEEN_PX_PER_MM)
    window, seen = compare_with_mat(straight, state)
    discs = _discs(image, seen, window, camera=camera, pose=pose)
    taken: list[Outline] = [*terrain_outlines(state), *map(outline_of, discs)]
    terrain = _terrain_proposals(straight, window, seen, pose.centre_mm)
    return (*_number_pieces(drop_known(terrain, taken)), *discs)


def _discs(
    image: Image, seen: MatDifference, window: Window, *, camera: Camera, pose: CameraPose
) -> tuple[ProposedDisc, ...]:
    """Every disc once."""
    discs: list[ProposedDisc] = []
    for blob in filter(is_round, segment_rounds(*seen)):
        name = f"disc-{len(discs) + 1}"
        disc = fit_disc(image, blob, window=window, camera=camera, pose=pose, name=name)
        if disc is not None and all(math.dist(disc.centre_mm, other.centre_mm) > _ONE_DISC_MM for other in discs):
            discs.append(disc)
    return tuple(discs)


def propose_from_above(straight: Image, state: TableState) -> tuple[Proposal, ...]:
    """Proposes the same from a picture of the whole table from straight above, as phones have it."""
    height_px, width_px = straight.shape[:2]
    camera, pose = overhead_camera((width_px, height_px), (state.table.width_mm, state.table.depth_mm))
    return propose_terrain(straight, state, camera=camera, pose=pose)


def compare_with_mat(straight: Image, state: TableState) -> tuple[Window, MatDifference]:
    """How unlike the mat every place is, and where bases stand, in a window of that scale."""
    px_per_mm = straight.shape[1] / state.table.width_mm
    size = (max(5, round(side * PX_PER_MM / px_per_mm)) for side in straight.shape[:2])
    window = table_window((state.table.width_mm, state.table.depth_mm), px_per_mm=PX_PER_MM)
    size_px = tuple(size)
    bases = _base_mask(state.miniatures, window, size_px) | black_mask(straight, size_px)
    return window, (background_difference(straight, px_per_mm, covered=bases), bases)


def black_mask(straight: Image, shape: tuple[int, ...]) -> Mask:
    """What the camera does not see, which is black."""
    black = (straight == 0).all(axis=2).astype(np.uint8)
    return np.asarray(cv2.resize(black, shape[::-1], interpolation=cv2.INTER_NEAREST) > 0)


def _base_mask(miniatures: Iterable[Miniature], window: Window, shape: tuple[int, ...]) -> Mask:
    drawn = np.zeros(shape, np.uint8)
    for miniature in miniatures:
        base, (x, y) = miniature.base, window.to_px(np.array([miniature.at_mm]))[0]
        sides = (base.diameter_mm,) * 2 if isinstance(base, RoundBase) else (base.depth_mm, base.width_mm)
        long, wide = ((side + 2 * _AROUND_MM) * PX_PER_MM for side in sides)
        box = ((float(x), float(y)), (long, wide), -(miniature.facing_deg or 0.0))
        if base.shape == "rect":
            cv2.fillPoly(drawn, [np.round(cv2.boxPoints(box)).astype(np.int32)], 1)
        else:
            cv2.ellipse(drawn, box, 1, -1)
    return drawn > 0


def _terrain_proposals(
    straight: Image, window: Window, seen: MatDifference, eye_mm: tuple[float, float, float]
) -> Iterator[ProposedTerrain]:
    for outline, look in find_pieces(straight, window, seen):
        yield _to_proposal(outline, look, eye_mm)


def find_pieces(straight: Image, window: Window, seen: MatDifference) -> Iterator[tuple[shapely.Polygon, ShapeAndTint]]:
    unlike, bases = seen
    small = np.asarray(cv2.resize(straight, bases.shape[::-1], interpolation=cv2.INTER_AREA), np.uint8)
    for blob in segment_pieces(unlike, bases=bases):
        outline = _simple_outline(blob, window)
        if outline is not None:
            yield outline, shape_and_tint(blob, small)


def _number_pieces(proposed: Iterable[ProposedTerrain]) -> Iterator[ProposedTerrain]:
    for k, candidate in enumerate(proposed):
        yield ProposedTerrain.model_validate(candidate.model_dump() | {"id": f"terrain-{k + 1}"})


def _to_proposal(outline: shapely.Polygon, look: ShapeAndTint, eye_mm: tuple[float, float, float]) -> ProposedTerrain:
    x, y = outline.centroid.coords[0]
    slant = float(np.hypot(x - eye_mm[0], y - eye_mm[1])) / eye_mm[2]
    corners: tuple[Point, ...] = tuple((round(a, 1), round(b, 1)) for a, b in outline.exterior.coords[:-1])
    return ProposedTerrain(
        id="terrain", polygon_mm=corners, sigma_mm=outline_sigma_mm(look, slant=slant), kinds=kind_guesses(look)
    )


def _simple_outline(blob: Blob, window: Window) -> shapely.Polygon | None:
    """Its simple outline on the table; None where little of it lies there."""
    table = shapely.box(window.x0_mm, window.y0_mm, window.x1_mm, window.y1_mm)
    corners = window.to_mm(simplify_outline(blob))
    if len(corners) < _FEWEST_CORNERS:  # a strip or a spot
        return None
    whole = shapely.Polygon(corners).buffer(0).intersection(table)
    parts = [part for part in getattr(whole, "geoms", [whole]) if isinstance(part, shapely.Polygon)]
    largest = max(parts, key=lambda part: part.area, default=None)
    if largest is None or largest.is_empty or is_card(largest):
        return None
    return shapely.Polygon(largest.exterior).simplify(0.5)


def _zero_matrix(numbers: int) -> tuple[tuple[float, ...], ...]:
    return ((0.0,) * numbers,) * numbers


def overhead_camera(size_px: tuple[int, int], table_mm: tuple[float, float]) -> tuple[Camera, CameraPose]:
    """Nominal camera: it hangs over the middle of the table, as high as cameras usually do, and what lies on the table
    appears where it is; `size_px` is the width and height of the picture of the whole table."""
    (wide_px, tall_px), (width, depth) = size_px, table_mm
    focal = (USUAL_HEIGHT_MM * wide_px / width, USUAL_HEIGHT_MM * tall_px / depth)
    camera = Camera(
        image_size=size_px,
        model="pinhole2",
        K=((focal[0], 0.0, (wide_px - 1) / 2), (0.0, focal[1], (tall_px - 1) / 2), (0.0, 0.0, 1.0)),
        dist=(0.0,) * 4,  # OpenCV wants four terms at least
        covariance=_zero_matrix(8),
        rms_px=0.0,
    )
    pose = CameraPose(
        rotation=((1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, -1.0)),
        translation_mm=(-width / 2, depth / 2, USUAL_HEIGHT_MM),
        covariance=_zero_matrix(6),
        rms_px=0.0,
        rms_mm=0.0,
        markers=(),
        centre_mm=(width / 2, depth / 2, USUAL_HEIGHT_MM),
    )
    return camera, pose


def terrain_outlines(state: TableState) -> Iterator[list[Point]]:
    """Outlines of the terrain that the state holds."""
    for piece in state.terrain:
        yield from _outline_of(piece)


def disc_outlines(state: TableState) -> Iterator[list[Point]]:
    """Outlines of the effects and the objectives that the state holds."""
    for effect in state.effects:
        yield from _outline_of(effect)
    for objective in state.objectives:
        if objective.at_mm is not None:
            yield _circle(objective.at_mm, objective.diameter_mm)


def _outline_of(piece: OutlineFields) -> Iterator[list[Point]]:
    if piece.polygon_mm is not None:
        yield list(piece.polygon_mm)
    elif piece.centre_mm is not None and piece.diameter_mm is not None:
        yield _circle(piece.centre_mm, piece.diameter_mm)
    elif piece.line_mm is not None and piece.thickness_mm is not None:
        yield list(shapely.LineString(piece.line_mm).buffer(piece.thickness_mm / 2).exterior.coords)


def _circle(centre: Point, diameter_mm: float) -> list[Point]:
    return list(shapely.Point(centre).buffer(diameter_mm / 2).exterior.coords)


def drop_known(proposed: Iterable[Proposed], known: Iterable[Outline]) -> Iterator[Proposed]:
    """Drops the proposals that are one of these outlines."""
    shapes = [shapely.Polygon(outline) for outline in known]
    for candidate in proposed:
        outline = shapely.Polygon(outline_of(candidate))
        of = max if isinstance(candidate, ProposedDisc) else min  # a token may lie on a hill, and is no hill
        if not any(_overlap_area(outline, shape) > _KNOWN * of(outline.area, shape.area) for shape in shapes):
            yield candidate


def outline_of(proposed: ProposedTerrain | ProposedDisc) -> list[Point]:
    """The outline of a proposal."""
    if isinstance(proposed, ProposedTerrain):
        return list(proposed.polygon_mm)
    return _circle(proposed.centre_mm, proposed.diameter_mm)


def _overlap_area(a: shapely.Polygon, b: shapely.Polygon) -> float:
    return float(a.intersection(b).area)


TEMPLATES_MM = tuple(inches(size) for size in (3.0, 4.0, 5.0))
_FLAT = RimProfile("flat", top_mm=1.5, inset_mm=0.0, rim_widths_mm=())
_TOKEN_MM = (20.0, 62.0)
_SAME_MM = 1.5  # a disc this near to a template's size is one
_NEAR_MM = 4.0  # the seen blob is this good
_POINTS = 180
_LEAST_STEP = 4.0  # grey levels per pixel
_ON_MM = 0.5
_LEAST_SHARE = 0.75  # of the rim that must lie on the circle
# per axis: shadow and printed rings draw the circle aside (drawn tables, `benchmarks.detection.terrain_proposals`)
_EDGE_SIGMA_MM = 0.35
_THICK_SIGMA_MM = 0.7  # cardboard or acrylic: what stands higher is seen farther out


def is_round(blob: Blob) -> bool:
    """Whether it may be a disc: as wide as long, and filling its box as a circle does."""
    return blob.short_mm > 0.85 * blob.long_mm and abs(blob.fills * blob.long_mm / blob.short_mm - np.pi / 4) < 0.1


def fit_disc(
    image: Image, blob: Blob, *, window: Window, camera: Camera, pose: CameraPose, name: str
) -> ProposedDisc | None:
    """Fits a disc to this blob; None where it is none, or none of a size that templates and tokens have."""
    middle = window.to_mm((blob.outline_px.min(axis=0) + blob.outline_px.max(axis=0))[None] / 2)[0]
    radius = (blob.long_mm + blob.short_mm) / 4
    for _ in range(2):
        edges = _edges(image, middle, radius, camera=camera, pose=pose)
        fitted = _fit_circle(edges)
        if fitted is None:
            return None
        state, share, spread = fitted
        middle, radius = middle + state[:2], radius + float(state[2])
    slant = float(np.hypot(*(middle - pose.centre_mm[:2]))) / pose.centre_mm[2]
    sigma = math.hypot(spread * math.sqrt(2 / _POINTS) * 2, _EDGE_SIGMA_MM, _THICK_SIGMA_MM * slant)
    return None if share < _LEAST_SHARE else _to_disc(middle, radius, sigma, name)


def _to_disc(middle: Floats, radius: float, sigma: float, name: str) -> ProposedDisc | None:
    """A template where its size is that of one, a token where it is as small as those."""
    size = 2 * radius
    nearest = min(TEMPLATES_MM, key=lambda template: abs(template - size))
    is_template = abs(nearest - size) < _SAME_MM
    if not is_template and not _TOKEN_MM[0] <= size <= _TOKEN_MM[1]:
        return None
    return ProposedDisc(
        what="template" if is_template else "token",
        id=name,
        centre_mm=(round(float(middle[0]), 2), round(float(middle[1]), 2)),
        diameter_mm=nearest if is_template else round(size, 2),
        sigma_mm=round(sigma, 2),
        diameter_sigma_mm=0.0 if is_template else round(2 * sigma, 2),
    )


def _edges(image: Image, middle: Floats, radius: float, *, camera: Camera, pose: CameraPose) -> EdgeProfiles:
    outline = disc_silhouette(
        (float(middle[0]), float(middle[1])), radius_mm=radius, profile=_FLAT, ground_mm=0.0,
        camera_mm=np.array(pose.centre_mm), count=_POINTS,
    )  # fmt: skip
    return measure_edge_profiles(image, outline, ground_mm=0.0, camera=camera, pose=pose)


def _fit_circle(edges: EdgeProfiles) -> tuple[Floats, float, float] | None:
    """Shift and growth that put the circle on the outermost strong steps, the share of the rim on it, their scatter."""
    offset = np.array(list(_outermost_edges(edges)))
    rows = np.column_stack([edges.silhouette.normals, np.ones(len(offset))])
    known = np.isfinite(offset)
    if known.sum() < _LEAST_SHARE * len(offset) * 0.8:
        return None
    state, weight = np.array([0.0, 0.0, float(np.median(offset[known]))]), np.zeros(len(offset))
    for _ in range(8):
        left = np.where(known, offset - rows @ state, np.inf)
        weight = 1 / (1 + (left / 0.4) ** 2) * known
        moved = (rows * weight[:, None]).T
        state = np.linalg.solve(moved @ rows + 1e-6 * np.eye(3), moved @ np.where(known, offset, 0.0))
    left = np.where(known, offset - rows @ state, np.inf)
    on = np.abs(left) < _ON_MM
    return state, float(on.mean()), float(np.std(left[on])) if on.any() else _ON_MM


def _outermost_edges(edges: EdgeProfiles) -> Iterator[float]:
    """Of each normal the offset of the outermost step that is half as strong as its strongest; NaN where none is."""
    near = np.abs(OFFSETS_MM) <= _NEAR_MM
    for row in np.where(near, edges.strength, 0.0):
        peaks = np.flatnonzero((row[1:-1] >= row[:-2]) & (row[1:-1] > row[2:]) & (row[1:-1] > _LEAST_STEP)) + 1
        strong = peaks[row[peaks] >= 0.5 * row[peaks].max()] if len(peaks) else peaks
        yield float(OFFSETS_MM[strong[-1]]) if len(strong) else float("nan")
