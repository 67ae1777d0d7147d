"""Lens solve: the pages in all pictures -> one lens, how the pages lie and the poses, from what is known before.

Known parts: a lens or a page layout that was solved before, as prior of the joint adjustment.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.arrays import Floats
from calibration.intrinsics.reprojection import Lens
from calibration.setup.first_guess import guess_state
from calibration.setup.joint_adjustment import (
    PAGE_VALUES,
    JointSolution,
    JointState,
    Prior,
    adjust_jointly,
    place_points,
)
from calibration.setup.pages import PAGES, PageView, setup_pages
from models.camera import Camera
from models.errors import BadCamera, BadInput, BadLayout
from models.layout import Layout

_FOCALS = (0.75, 1.0, 0.55, 1.4, 2.0, 0.4)  # of the picture's longer side, to start from
_TERMS = (0.15, 0.3, 0.002, 0.002, 0.3)  # usual sizes of k1, k2, p1, p2, k3
_USUAL_FOCAL, _USUAL_SPREAD = 0.9, 0.5  # of the longer side, where no EXIF tells it
_MIDDLE = 0.02  # of the longer side: how far a lens's middle usually lies from the picture's
_MOST_DRAWN_IN = 0.66  # of its distance from the middle without distortion: an equidistant fisheye at 56 degrees
GOOD_PX = 1.0  # left of all corners, below which lens and pages explain them


@dataclass(frozen=True)
class FocalPrior:
    """What a picture's EXIF says of the lens: focal length in px of that picture, and how surely."""

    focal_px: float
    sigma: float = 0.05
    """Relative."""


@dataclass(frozen=True)
class Known:
    """What is known before the pictures: EXIF's focal length, a a camera or layout that was solved before."""

    focal: FocalPrior | None = None
    camera: Camera | None = None
    layout: Layout | None = None

    def prior(self, size: tuple[int, int]) -> Prior:
        """Raises: BadInput when camera or layout cannot stand here."""
        if self.camera is not None and self.camera.image_size != size:
            wide, high = self.camera.image_size
            raise BadInput(
                f"the camera file is of pictures of {wide} x {high}, these are {size[0]} x {size[1]}",
                field="camera",
                value=list(size),
            )
        prior = lens_prior(size, self.focal)
        prior = prior if self.camera is None else hold_lens(prior, self.camera)
        return prior if self.layout is None else hold_pages(prior, self.layout)

    def first_lenses(self, size: tuple[int, int]) -> list[Lens]:
        """Where to start from."""
        if self.camera is not None:
            return [Lens(self.prior(size).values, np.zeros(9, bool))]
        focals = [share * max(size) for share in _FOCALS]
        return [_first_lens(size, focal) for focal in ([self.focal.focal_px] if self.focal else focals)]


def lens_prior(size: tuple[int, int], focal: FocalPrior | None) -> Prior:
    """Usual lenses: a middle near the picture's, distortion of usual size, and what EXIF says of the focal length."""
    width, height = size
    middle = [(width - 1) / 2, (height - 1) / 2]
    usual = FocalPrior(_USUAL_FOCAL * max(size), _USUAL_SPREAD) if focal is None else focal
    about, sure = usual.focal_px, usual.focal_px * usual.sigma
    values = np.array([about, about, *middle, *np.zeros(5)])
    return Prior(values, np.array([sure, np.inf, *([_MIDDLE * max(size)] * 2), *_TERMS]))


def _first_lens(size: tuple[int, int], focal_px: float) -> Lens:
    values = np.array([focal_px, focal_px, (size[0] - 1) / 2, (size[1] - 1) / 2, *np.zeros(5)])
    return Lens(values, np.zeros(9, bool))


def solve_lens(
    views: Sequence[PageView], size: tuple[int, int], known: Known, count: int, *, starts: int | None = None
) -> JointSolution:
    """Lens, pages and poses of `count` pictures, from the focal length that serves best. Raises: BadInput.

    `starts`: how many focal lengths to start from at most.
    """
    prior = known.prior(size)
    best: JointSolution | None = None
    for start in known.first_lenses(size)[:starts]:
        guess = guess_state(views, start, count, known=prior.pages)
        solution = None if guess is None else _adjust_in_steps(views, guess, prior)
        if solution is not None and (best is None or rms_px(solution) < rms_px(best)):
            best = solution
        if best is not None and rms_px(best) < GOOD_PX:
            break
    if best is None:
        raise BadInput(
            "no lens explains these pictures: is it one camera, do all pages lie flat, and does each picture show two "
            "pages that another shows too?",
            field="images",
        )
    return best


def _adjust_in_steps(views: Sequence[PageView], guess: JointState, prior: Prior) -> JointSolution | None:
    """Places and focal length first, then the whole lens."""
    few = np.zeros(len(guess.lens.values), bool)
    few[:2] = True
    first = adjust_jointly(views, replace(guess, lens=replace(guess.lens, free=few)), prior)
    if first is None:
        return None
    every = replace(first.state.lens, free=np.ones_like(few))
    return adjust_jointly(views, replace(first.state, lens=every), prior)


def rms_px(solution: JointSolution) -> float:
    return float(np.sqrt(np.mean(np.concatenate(solution.misses_px) ** 2)))


def check_angle(views: Sequence[PageView], solution: JointSolution) -> None:
    """Pass a lens that five terms describe wherever it saw a page. Raises: BadInput for a fisheye that they do not."""
    values = solution.state.lens.values
    seen = np.concatenate([view.seen_px for view in views])
    away = np.linalg.norm((seen - values[2:4]) / values[:2], axis=1)
    rays = solution.state.lens.rays(seen)
    across = np.linalg.norm(rays[:, :2], axis=1) / np.maximum(rays[:, 2], 1e-6)
    if np.all(away > _MOST_DRAWN_IN * across):  # NaN, where no ray is seen so far out, is not
        return
    raise BadInput(
        "the lens is a fisheye, and the pages are seen too far from the middle of its picture: take all pictures from "
        "farther away, with the table in the middle third, or with an ordinary lens",
        field="images",
    )


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
