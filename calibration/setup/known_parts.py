"""Known parts: a lens or a page layout that was solved before, as prior of the joint adjustment."""

from dataclasses import replace

import numpy as np

from calibration.arrays import Floats
from calibration.setup.joint_adjustment import PAGE_VALUES, Prior, place_points
from calibration.setup.pages import PAGES, setup_pages
from models.camera import Camera
from models.errors import BadCamera, BadLayout
from models.layout import Layout

_FLOOR_MM = 0.005  # no page's place is known better, whatever a covariance says
_BEND_UNIT_MM = 1e-2
_LENS_VALUES = 9


def hold_lens(prior: Prior, camera: Camera) -> Prior:
    """The prior with this lens in place of a usual one. Raises: BadCamera for a lens of another model."""
    values = np.array([camera.K[0][0], camera.K[1][1], camera.K[0][2], camera.K[1][2], *camera.dist])
    if camera.model not in ("brown", "pinhole2") or len(values) > _LENS_VALUES:
        raise BadCamera("the set-up solves Brown-Conrady lenses only", field="model", value=camera.model)
    full = np.zeros(_LENS_VALUES)
    full[: len(values)] = values
    covariance = np.eye(_LENS_VALUES) * 1e-12
    size = len(camera.covariance)
    covariance[:size, :size] += np.array(camera.covariance)
    return replace(prior, values=full, lens_whitening=_whitening(covariance))


def hold_pages(prior: Prior, layout: Layout) -> Prior:
    """The prior with the pages where this layout has them. Raises: BadLayout when it is not of a set-up."""
    pages = page_values(layout)
    covariance = np.eye(PAGE_VALUES * PAGES) * _FLOOR_MM**2
    turns = np.arange(PAGES) * PAGE_VALUES + 2
    covariance[turns, turns] = (_FLOOR_MM / 100) ** 2
    if layout.fiducials.covariance_mm2 is not None:
        back = _values_by_middles(pages)
        covariance += back @ np.array(layout.fiducials.covariance_mm2) @ back.T
    return replace(prior, pages=pages, pages_whitening=_whitening(covariance))


def page_values(layout: Layout) -> Floats:
    """How the pages lie (P, 5) in a layout that a set-up made. Raises: BadLayout."""
    corners = {marker.id: np.array(marker.corners_mm) for marker in layout.fiducials.markers}
    if not all(id_ in corners for page in setup_pages() for id_ in page.marker_ids):
        raise BadLayout("the layout is not one of `tableside setup`", field="fiducials.markers", value=len(corners))
    return np.array([_fit_page(k, corners) for k in range(PAGES)])


def _fit_page(number: int, corners: dict[int, Floats]) -> Floats:
    page = setup_pages()[number]
    known = page.markers_mm.reshape(-1, 3)
    lies = np.concatenate([corners[id_] for id_ in page.marker_ids])
    a, b = known[:, :2] - known[:, :2].mean(axis=0), lies[:, :2] - lies[:, :2].mean(axis=0)
    turn = np.arctan2(np.sum(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]), np.sum(a * b))
    c, s = np.cos(turn), np.sin(turn)
    shift = lies[:, :2].mean(axis=0) - np.array([[c, -s], [s, c]]) @ known[:, :2].mean(axis=0)
    flat = np.array([*shift, turn, 0.0, 0.0])
    rise = [place_points(known, flat + np.eye(PAGE_VALUES)[k])[:, 2] - known[:, 2] for k in (3, 4)]
    flat[3:] = np.linalg.lstsq(np.stack(rise, axis=1), lies[:, 2], rcond=None)[0]
    return flat


def _values_by_middles(pages: Floats) -> Floats:
    """d all pages' values / d the markers' middles, (5P, 3M), by least squares."""
    blocks = []
    for number, page in enumerate(pages):
        middles = setup_pages()[number].markers_mm.mean(axis=1)
        steps = np.diag([1e-2, 1e-2, 1e-4, _BEND_UNIT_MM, _BEND_UNIT_MM])
        columns = [np.ravel(place_points(middles, page + d) - place_points(middles, page)) / d.sum() for d in steps]
        blocks.append(np.linalg.pinv(np.stack(columns, axis=1)))
    out = np.zeros((PAGE_VALUES * PAGES, sum(block.shape[1] for block in blocks)))
    row = column = 0
    for block in blocks:
        out[row : row + len(block), column : column + block.shape[1]] = block
        row, column = row + len(block), column + block.shape[1]
    return out


def _whitening(covariance: Floats) -> Floats:
    """W with W.T W the inverse of the covariance."""
    scale = np.sqrt(np.diag(covariance))
    values, vectors = np.linalg.eigh(covariance / np.outer(scale, scale))
    return np.asarray((vectors / np.sqrt(np.maximum(values, 1e-10))).T / scale)
