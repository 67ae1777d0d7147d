"""Fit settings: the numbers of the base fit, which the compiled kernel takes from here and none of which it says twice.

Two edges run round a base: the silhouette against the ground, and the inner edge of the rim against the basing. The
silhouette alone may vanish (a dark rim on a dark mat), and then the inner edge would be taken for it; so both are
fitted together. The width of the rim is the one length that no catalogue gives.

Where the camera sees a base's side, light may part the side from the top, and the side may hardly differ from the
ground: then a third step, the rim's own edge, shows and the foot does not. That is a second hypothesis, tried beside
the plain one.
"""

from dataclasses import dataclass

import numpy as np

from vision.measurement.edge_profiles import BLUR_PX, OFFSETS_MM, OUTWARD_MM, SMOOTH_ALONG_MM, STEP_MM
from vision.native import library
from vision.rectification.tone_curve import LEVELS

# How surely steps are believed.
HALF_CONFIDENCE = 28.0  # grey levels per pixel at which a step is half believed
SIDE_PX = 0.8  # a side that shows so wide below the rim may be told from its top
NOISE = 4.0  # what texture alone reaches


# The search for a first place.
@dataclass(frozen=True)
class SearchGrid:
    """Grid search: places and turns that are tried round a start, `reach_mm` each way."""

    reach_mm: float
    step_mm: float
    turns_rad: tuple[float, ...] = (0.0,)


def _turns_rad(*degrees: float) -> tuple[float, ...]:
    return tuple(np.radians(degrees).tolist())


ROUGH, FINE = SearchGrid(3.6, 0.4), SearchGrid(0.6, 0.1)
ROUGH_OVAL = SearchGrid(3.2, 0.8, _turns_rad(-5.0, -2.5, 0.0, 2.5, 5.0))
FINE_OVAL = SearchGrid(0.8, 0.2, _turns_rad(-1.0, -0.5, 0.0, 0.5, 1.0))
FINER_WIDTHS_MM = (-0.2, -0.1, 0.0, 0.1, 0.2)
NEARER_PER_MM = 1e-3  # of equals the nearer place is meant
INNER_SHARE = 0.85  # of the two edges in the search: either may be the one that can be seen
# Where a side may have a tone of its own, foot or rim must be believed by so much more than the foot alone: one of the
# two is often near a step. Chosen on own drawn tables: fine, coarse and slantwise.
SHADED_PRICE = 0.25
MIN_SCORE = 0.22  # a first search that finds less than this finds no base
# Which make it is the rim hardly tells: of two that are alike by less than this a base lies between where both put it.
# Chosen on own drawn tables, where taking the likelier one was right of 53 in a hundred.
LIKENESS = 0.06
CLOSE_PROFILE = 0.08  # makes whose first search is this close are both fitted to the end
SUPPORT_MM = 2.0  # the strongest step within about this far
ON_RIM_MM = 0.4  # speaks for the outline where it is this close

# The robust least squares from there on.
INNER_PRECISION = 0.5  # the inner edge is painted by hand
# In the last round a step is placed on strengths smoothed so far across it: a top of a few samples follows their noise
# and how they lie between the pixels (`benchmarks/detection/fit_lower_bound.py`).
SOFT_PX, MOST_SOFT_MM = 0.8, 0.5  # no more than that, or the two edges of a rim run into each other
SOFT_COLUMNS = 3  # it is still the same step within so many
AGREE_MM = 0.25  # and is believed to be noise alone about so far off: more is what lies beside it
WINDOWS_MM = (0.7, 0.5, 0.4, 0.4)  # one round of the fit after another looks nearer to what it expects
# Before looking: of the shift, of how far tone and blur move every edge of a base alike, of the inner edge, of the
# turn, of how far the rim of one base lies from the height of its make, and of its side from the slant.
SIGMAS = (10.0, 10.0, 0.1, 1.0, 0.1, 0.3, 0.4)
PEAK_SIGMA_MM = 0.35  # scatter of single rim points: texture, lip, paint
# How the doubt grows with the scatter about both edges: a fit that took the wrong edge for half of a rim shows by it.
# Chosen so that the 95 % ellipse holds 93 to 97 % of the bases on drawn tables, of clear and hidden rims alike. An oval
# is in more doubt: its turn gives way where a round base would scatter.
USUAL_SCATTER_MM, LEAST_SCATTER = 0.15, 0.6
DOUBT, SCATTER_POWER = 0.9, 6.5
OVAL_DOUBT, OVAL_SCATTER_POWER = 3.8, 3.5

# What tells a base from a token, a tree or a pattern of the mat that a circle happens to fit.
NEAR_MM = 0.3  # a step this near to an edge is its own
FAINT = 0.25  # share of the rim on which an edge may be hidden
SHADE_MM = 6.0  # along the rim: what changes more slowly is shading, and nothing that stands there
SHADE_COLUMNS = 25  # the same across it
BUSY_SHARE, BUSY_IN_MM = 0.75, 0.8  # of what lies further in than the inner edge by so much
GRAIN_IN_MM = 1.5
AROUND_OUT_MM, AROUND_TO_MM = 2.0, OUTWARD_MM - 1.0  # from the outer edge on, up to this offset


def _search_grid(search: SearchGrid) -> library.SearchGrid:
    return library.SearchGrid(search.reach_mm, search.step_mm, (*search.turns_rad,), len(search.turns_rad))


def _settings(*, is_round: bool) -> library.FitSettings:
    rough, fine = (ROUGH, FINE) if is_round else (ROUGH_OVAL, FINE_OVAL)
    doubt = (DOUBT, SCATTER_POWER) if is_round else (OVAL_DOUBT, OVAL_SCATTER_POWER)
    return library.FitSettings(
        OFFSETS_MM.ctypes.data, LEVELS.ctypes.data, len(OFFSETS_MM), STEP_MM, SMOOTH_ALONG_MM, BLUR_PX,
        _search_grid(rough), _search_grid(fine), FINER_WIDTHS_MM, len(FINER_WIDTHS_MM), 1 if is_round else 2,
        HALF_CONFIDENCE, INNER_SHARE, SIDE_PX, SHADED_PRICE, NEARER_PER_MM, LIKENESS, CLOSE_PROFILE,
        SOFT_PX, MOST_SOFT_MM, SOFT_COLUMNS, AGREE_MM, WINDOWS_MM, NOISE, INNER_PRECISION, PEAK_SIGMA_MM, SIGMAS,
        USUAL_SCATTER_MM, LEAST_SCATTER, *doubt, SUPPORT_MM, ON_RIM_MM,
        NEAR_MM, FAINT, SHADE_MM, BUSY_SHARE, BUSY_IN_MM, GRAIN_IN_MM, AROUND_OUT_MM, AROUND_TO_MM, SHADE_COLUMNS,
    )  # fmt: skip


ROUND_SETTINGS, OVAL_SETTINGS = _settings(is_round=True), _settings(is_round=False)
