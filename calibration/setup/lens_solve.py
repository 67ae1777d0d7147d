"""Lens solve: the pages in all pictures -> one lens, how the pages lie and the poses, from what is known before."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.intrinsics.reprojection import Lens
from calibration.setup.first_guess import guess_state
from calibration.setup.joint_adjustment import JointSolution, JointState, Prior, adjust_jointly
from calibration.setup.known_parts import hold_lens, hold_pages
from calibration.setup.page_detection import PageView
from models.camera import Camera
from models.errors import BadInput
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
