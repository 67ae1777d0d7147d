"""What tells a base from a token, a tree or a pattern of the mat that a ring happens to fit.

Both edges of its rim go most of the way round, something busier than shading stands inside, and the ground around is
calm enough that this is no chance.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.profile import INWARD_MM, OFFSETS_MM, OUTWARD_MM, Edges, lengths

Floats = NDArray[np.float64]

NEAR_MM = 0.3  # a step this near to an edge is its own
FAINT = 0.25  # share of the rim on which an edge may be hidden
SHADE_MM = 6.0  # along the rim: what changes more slowly is shading, and nothing that stands there
SHADE_COLUMNS = 25  # the same across it
BUSY_SHARE, BUSY_IN_MM = 0.75, 0.8  # of what lies further in than the inner edge by so much
GRAIN_IN_MM = 1.5
AROUND_OUT_MM, AROUND_TO_MM = 2.0, OUTWARD_MM - 1.0  # from the outer edge on, up to this offset


@dataclass(frozen=True)
class Traits:
    """Of the rim `both`: how far a step is believed, 0 to 1, that three quarters of both its edges reach.

    In grey levels: `busy`, what a quarter of the inside changes by along the rim; `grain`, what half of it does across;
    `around`, what half of the ground outside does: a neighbour there is not its pattern.
    """

    both: float
    busy: float
    grain: float
    around: float


NOT_LOOKED_AT = Traits(0.0, 0.0, 0.0, 0.0)


def traits_of(edges: Edges, believed: Floats, *, outer_mm: Floats, inner_mm: Floats) -> Traits:
    """Of a rim whose edges lie at these offsets along the normals; `believed` is how far each step is."""
    both = np.minimum(_highest(believed, outer_mm), _highest(believed, inner_mm))
    along, across = _along(edges), lengths(edges.colours - _blurred(edges.colours, (SHADE_COLUMNS, 1)))
    return Traits(
        both=float(np.quantile(both, FAINT)),
        busy=_quantile(along[_inside(inner_mm - BUSY_IN_MM)], BUSY_SHARE),
        grain=_quantile(across[_inside(inner_mm - GRAIN_IN_MM)], 0.5),
        around=_quantile(across[_between(outer_mm + AROUND_OUT_MM, np.full(len(outer_mm), AROUND_TO_MM))], 0.5),
    )


def _highest(believed: Floats, at_mm: Floats) -> Floats:
    """The best belief near these offsets, one for each normal."""
    near = np.abs(OFFSETS_MM[None, :] - at_mm[:, None]) <= NEAR_MM + 1e-9
    return np.asarray(np.where(near, believed, 0.0).max(axis=1))


def _along(edges: Edges) -> NDArray[np.float32]:
    """How far each colour is from its mean over some way along the rim."""
    spacing_mm = float(np.linalg.norm(edges.outline.points_mm[1] - edges.outline.points_mm[0])) or 1.0
    wide = max(3, round(SHADE_MM / spacing_mm) | 1)
    closed = np.concatenate([edges.colours[-wide:], edges.colours, edges.colours[:wide]])
    return lengths((closed - _blurred(closed, (1, wide)))[wide:-wide])


def _blurred(colours: NDArray[np.float32], size: tuple[int, int]) -> NDArray[np.float32]:
    return np.asarray(cv2.blur(colours, size), np.float32)


def _inside(to_mm: Floats) -> NDArray[np.bool_]:
    return _between(np.full(len(to_mm), -INWARD_MM), to_mm)


def _between(from_mm: Floats, to_mm: Floats) -> NDArray[np.bool_]:
    """Which samples lie between two offsets, one of each for every normal."""
    return np.asarray((from_mm[:, None] - 1e-9 <= OFFSETS_MM) & (to_mm[:, None] + 1e-9 >= OFFSETS_MM))


def _quantile(values: NDArray[np.float32], share: float) -> float:
    return float(np.quantile(values, share)) if len(values) else 0.0
