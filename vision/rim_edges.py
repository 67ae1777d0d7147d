"""Where the edges of a rim lie along the normals of its outline, and how far a step there is believed."""

import numpy as np
from numpy.typing import NDArray

from vision.profile import Edges

Floats = NDArray[np.float64]

HALF_FELT = 28.0  # grey levels per pixel at which a step is half believed
SIDE_PX = 0.8  # a side that shows so wide below the rim may be told from its top


def moves_of(edges: Edges, centre: Floats) -> Floats:
    """How far each point of the outline moves outward for a millimetre of x and of y, and a radian of turn."""
    arm, normals = edges.outline.points_mm - centre, edges.outline.normals
    return np.column_stack([normals, arm[:, 0] * normals[:, 1] - arm[:, 1] * normals[:, 0]])


def felt(strength: Floats | NDArray[np.float32]) -> Floats:
    """How far a step is believed, 0 to 1."""
    return np.asarray(strength / (strength + HALF_FELT))


def shows_side(edges: Edges) -> NDArray[np.bool_]:
    """On which normals the foot shows so far below the rim that either edge may be seen by itself."""
    return np.asarray(edges.outline.rim_mm < -SIDE_PX * edges.mm_per_px)


def inner_edge_mm(edges: Edges, lip_mm: float) -> Floats:
    """Where the inner edge of the rim lies along each normal, from the outline."""
    return np.asarray(edges.outline.rim_mm - lip_mm * edges.outline.rim_growth)
