"""What a picture suggests of the table besides its bases: terrain, templates and tokens."""

import math
from collections.abc import Iterable, Iterator

import cv2
import numpy as np
import shapely
from numpy.typing import NDArray

from models.base import RoundBase
from models.camera import Camera, CameraPose
from models.miniature import Miniature
from models.proposal import Proposal, ProposedDisc, ProposedTerrain
from models.state import TableState
from models.words import Point
from vision.proposing.discs import disc_of, is_round
from vision.proposing.kinds import Look, guesses, is_card, look_of, sigma_mm
from vision.proposing.known import Outline, outline_of, outlines_of, still_open
from vision.proposing.mat import PX_PER_MM, Unlike, unlikeness
from vision.proposing.outlines import Blob, blobs, rounds, simple_px
from vision.proposing.overhead import overhead
from vision.rectify import Window, table_picture, table_window

Picture = NDArray[np.uint8]
Mask = NDArray[np.bool_]
Seen = tuple[Unlike, Mask]

_SEEN_PX_PER_MM = 1.0
_AROUND_MM = 3.0  # a base's rim leans this far over its foot
_ONE_DISC_MM = 10.0  # discs that lie nearer to each other are one


def proposals(image: Picture, state: TableState, *, camera: Camera, pose: CameraPose) -> tuple[Proposal, ...]:
    """Terrain, templates and tokens that the picture shows and the state does not hold."""
    table_mm = (state.table.width_mm, state.table.depth_mm)
    straight = table_picture(image, camera=camera, pose=pose, table_mm=table_mm, px_per_mm=_SEEN_PX_PER_MM)
    window, seen = _looked(straight, state)
    discs = _discs(image, seen, window, camera=camera, pose=pose)
    taken: list[Outline] = [*outlines_of(state), *map(outline_of, discs)]
    terrain = _terrain(straight, window, seen, pose.centre_mm)
    return (*_numbered(still_open(terrain, taken)), *discs)


def _discs(image: Picture, seen: Seen, window: Window, *, camera: Camera, pose: CameraPose) -> tuple[ProposedDisc, ...]:
    """Every disc once."""
    found: list[ProposedDisc] = []
    for blob in filter(is_round, rounds(*seen)):
        name = f"disc-{len(found) + 1}"
        disc = disc_of(image, blob, window=window, camera=camera, pose=pose, name=name)
        if disc is not None and all(math.dist(disc.centre_mm, one.centre_mm) > _ONE_DISC_MM for one in found):
            found.append(disc)
    return tuple(found)


def proposals_from_above(straight: Picture, state: TableState) -> tuple[Proposal, ...]:
    """The same of a picture of the whole table from straight above, as phones have it."""
    height_px, width_px = straight.shape[:2]
    camera, pose = overhead((width_px, height_px), (state.table.width_mm, state.table.depth_mm))
    return proposals(straight, state, camera=camera, pose=pose)


def _looked(straight: Picture, state: TableState) -> tuple[Window, Seen]:
    """How unlike the mat every place is, and where bases stand, in a window of that scale."""
    px_per_mm = straight.shape[1] / state.table.width_mm
    size = (max(5, round(side * PX_PER_MM / px_per_mm)) for side in straight.shape[:2])
    window = table_window((state.table.width_mm, state.table.depth_mm), px_per_mm=PX_PER_MM)
    size_px = tuple(size)
    bases = _bases(state.miniatures, window, size_px) | _unseen(straight, size_px)
    return window, (unlikeness(straight, px_per_mm, covered=bases), bases)


def _unseen(straight: Picture, shape: tuple[int, ...]) -> Mask:
    """What the camera does not see, which is black."""
    black = (straight == 0).all(axis=2).astype(np.uint8)
    return np.asarray(cv2.resize(black, shape[::-1], interpolation=cv2.INTER_NEAREST) > 0)


def _bases(miniatures: Iterable[Miniature], window: Window, shape: tuple[int, ...]) -> Mask:
    drawn = np.zeros(shape, np.uint8)
    for one in miniatures:
        base, (x, y) = one.base, window.to_px(np.array([one.at_mm]))[0]
        sides = (base.diameter_mm,) * 2 if isinstance(base, RoundBase) else (base.depth_mm, base.width_mm)
        long, wide = ((side + 2 * _AROUND_MM) * PX_PER_MM for side in sides)
        box = ((float(x), float(y)), (long, wide), -(one.facing_deg or 0.0))
        if base.shape == "rect":
            cv2.fillPoly(drawn, [np.round(cv2.boxPoints(box)).astype(np.int32)], 1)
        else:
            cv2.ellipse(drawn, box, 1, -1)
    return drawn > 0


def looks_in(straight: Picture, state: TableState) -> Iterator[tuple[shapely.Polygon, Look]]:
    """Outline and look of every piece, those that are known too."""
    window, seen = _looked(straight, state)
    return _pieces(straight, window, seen)


def _terrain(
    straight: Picture, window: Window, seen: Seen, eye_mm: tuple[float, float, float]
) -> Iterator[ProposedTerrain]:
    for outline, look in _pieces(straight, window, seen):
        yield _proposed(outline, look, eye_mm)


def _pieces(straight: Picture, window: Window, seen: Seen) -> Iterator[tuple[shapely.Polygon, Look]]:
    unlike, bases = seen
    small = np.asarray(cv2.resize(straight, bases.shape[::-1], interpolation=cv2.INTER_AREA), np.uint8)
    for blob in blobs(unlike, bases=bases):
        outline = _outline(blob, window)
        if outline is not None:
            yield outline, look_of(blob, small)


def _numbered(proposed: Iterable[ProposedTerrain]) -> Iterator[ProposedTerrain]:
    for k, one in enumerate(proposed):
        yield ProposedTerrain.model_validate(one.model_dump() | {"id": f"terrain-{k + 1}"})


def _proposed(outline: shapely.Polygon, look: Look, eye_mm: tuple[float, float, float]) -> ProposedTerrain:
    x, y = outline.centroid.coords[0]
    slant = float(np.hypot(x - eye_mm[0], y - eye_mm[1])) / eye_mm[2]
    corners: tuple[Point, ...] = tuple((round(a, 1), round(b, 1)) for a, b in outline.exterior.coords[:-1])
    return ProposedTerrain(id="terrain", polygon_mm=corners, sigma_mm=sigma_mm(look, slant=slant), kinds=guesses(look))


def _outline(blob: Blob, window: Window) -> shapely.Polygon | None:
    """Its simple outline on the table; None where little of it lies there."""
    table = shapely.box(window.x0_mm, window.y0_mm, window.x1_mm, window.y1_mm)
    whole = shapely.Polygon(window.to_mm(simple_px(blob))).buffer(0).intersection(table)
    parts = [part for part in getattr(whole, "geoms", [whole]) if isinstance(part, shapely.Polygon)]
    largest = max(parts, key=lambda part: part.area, default=None)
    if largest is None or largest.is_empty or is_card(largest):
        return None
    return shapely.Polygon(largest.exterior).simplify(0.5)
