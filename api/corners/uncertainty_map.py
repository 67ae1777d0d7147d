"""Uncertainty map: one sigma of every place on the table, in colours and in millimetres."""

import numpy as np

from calibration.pose.covariance_propagation import sigma_mm
from calibration.view import View
from models.layout import Marker

_CELLS = 24  # along the longer side
_EVERY = 4  # cells from one written number to the next
_SURE, _UNSURE = np.array([235, 244, 250]), np.array([200, 60, 30])
_TOO_MUCH_MM = 0.6  # coloured in full; a ruler of 1.6 mm is then no longer beaten by far
_RIM_MM = 160.0


def heat_map(view: View) -> str:
    """An SVG of the table in its own millimetres, far side up: one sigma of camera and lens, both axes together."""
    width, depth = view.table_mm
    step = max(width, depth) / _CELLS
    x, y = np.arange(step / 2, width, step), np.arange(step / 2, depth, step)
    grid = np.stack(np.meshgrid(x, y, [0.0]), axis=-1).reshape(-1, 3)
    sigma = sigma_mm(grid, view=view).reshape(len(y), len(x))
    cells = [_cell(x[j], y[i], step, sigma[i, j]) for i in range(len(y)) for j in range(len(x))]
    half = _EVERY // 2
    numbers = [
        _number(x[j], depth - y[i], step, sigma[i, j])
        for i in range(half, len(y), _EVERY)
        for j in range(half, len(x), _EVERY)
    ]
    drawn = [_marker(marker, seen=marker.id in view.pose.markers) for marker in view.markers]
    box = f"{-_RIM_MM:g} {-_RIM_MM:g} {width + 2 * _RIM_MM:g} {depth + 2 * _RIM_MM:g}"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" font-family="sans-serif" text-anchor="middle">',
            f"<title>One sigma of places on the table: {sigma.min():.2f} to {sigma.max():.2f} mm</title>",
            f'<g shape-rendering="crispEdges" transform="translate(0 {depth:g}) scale(1 -1)">',
            *cells,
            *drawn,
            "</g>",
            *numbers,
            "</svg>",
            "",
        ]
    )


def _cell(x: float, y: float, step: float, sigma: float) -> str:
    red, green, blue = np.round(_SURE + (_UNSURE - _SURE) * min(sigma / _TOO_MUCH_MM, 1)).astype(int)
    corner = f'x="{x - step / 2:.1f}" y="{y - step / 2:.1f}" width="{step:.1f}" height="{step:.1f}"'
    return f'<rect {corner} fill="rgb({red},{green},{blue})"/>'


def _number(x: float, y: float, step: float, sigma: float) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{0.7 * step:.1f}">{sigma:.2f}</text>'


def _marker(marker: Marker, *, seen: bool) -> str:
    points = " ".join(f"{x:g},{y:g}" for x, y, _ in marker.corners_mm)
    return f'<polygon points="{points}" fill="{"black" if seen else "none"}" stroke="black" stroke-width="4"/>'
