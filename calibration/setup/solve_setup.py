"""Set-up solve: pictures of the pages on a table -> camera, layout and poses, how surely, and what to do better."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.arrays import Floats, Image
from calibration.blas_threads import with_one_blas_thread
from calibration.intrinsics.reprojection import Lens
from calibration.setup.first_guess import guess_state, pose_on_pages
from calibration.setup.joint_adjustment import JointSolution, JointState, Prior, adjust_jointly, place_points
from calibration.setup.known_parts import hold_lens, hold_pages
from calibration.setup.page_detection import PageView
from calibration.setup.picture_intake import Intake, check_hang_together, check_pages, read_pages
from calibration.setup.table_layout import TableFit, fit_table
from models.camera import Camera, CameraPose
from models.errors import BadInput
from models.layout import Layout

_FOCALS = (0.75, 1.0, 0.55, 1.4, 2.0, 0.4)  # of the picture's longer side, to start from
_TERMS = (0.15, 0.3, 0.002, 0.002, 0.3)  # usual sizes of k1, k2, p1, p2, k3
_USUAL_FOCAL, _USUAL_SPREAD = 0.9, 0.5  # of the longer side, where no EXIF tells it
_MIDDLE = 0.02  # of the longer side: how far a lens's middle usually lies from the picture's
_MOVED = 5.0  # times the usual noise, from which a page in a picture does not lie as in the others
_LEAST_MOVED_PX = 1.0
_MOST_MOVED = 10
_MOVED_SAYS = "does not lie as in the other pictures: it tells of the lens only"
_TWO_LENSES = 0.03  # no camera refocuses by so much: relative, of the focal length
_MOST_BREATHING = 0.02  # a lens that refocuses is longer or shorter by less
_LEAST_BREATHING = 1e-4
_TOLD_BREATHING = 5e-4  # from which somebody can do something about it
_SURE_BREATHING = 6.0  # sigmas of a ratio of variances
_SURE_FOCAL = 0.01  # relative sigma of the focal length from which the pictures tell too little of the lens


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


@dataclass(frozen=True)
class Setup:
    """The whole of a set-up: camera, layout with covariance, the pictures' poses, and remarks for the person."""

    camera: Camera
    layout: Layout
    poses: tuple[CameraPose, ...]
    pictures: tuple[str, ...]
    rms_px: float
    focal_sigma: float
    """Relative."""
    bends_mm: tuple[float, ...]
    """How far the middle of each page stands above its ends."""
    remarks: tuple[str, ...]
    marks_scale: float = 1.0
    """Of the printed millimetre, by the marks and the table's size."""


def solve_setup(
    pictures: Iterable[tuple[str, Image]],
    *,
    table_mm: tuple[float, float] | None = None,
    known: Known | None = None,
) -> Setup:
    """Solve lens, layout and poses from pictures of one size of the pages as they lie, in printed millimetres.

    Raises: BadInput naming the picture or page at fault, and what to do.
    """
    return solve_intake(read_pages(pictures), table_mm=table_mm, known=known)


def solve_intake(intake: Intake, *, table_mm: tuple[float, float] | None = None, known: Known | None = None) -> Setup:
    """The same from pictures whose pages were read, one by one as they came. Raises: BadInput."""
    setup = solve_views(intake.names, intake.views, intake.size, table_mm=table_mm, known=known)
    return replace(setup, remarks=(*intake.remarks, *setup.remarks))


@with_one_blas_thread
def solve_views(
    names: Sequence[str],
    views: Sequence[PageView],
    size: tuple[int, int],
    *,
    table_mm: tuple[float, float] | None = None,
    known: Known | None = None,
) -> Setup:
    """The same from pages that were found in the pictures of these names. Raises: BadInput."""
    known = known or Known()
    if known.layout is None:
        check_pages(views)
        check_hang_together(views)
    names, views, solution, remarks = _solve_without_moved(names, views, size, known)
    solution, breathing = _allow_breathing(views, solution, known.prior(size))
    _check_breathing(breathing)
    remarks = (*remarks, *_describe_breathing(breathing))
    if known.layout is not None:
        table = TableFit(known.layout, np.eye(4), np.zeros((0, 2)), (), 1.0)
    else:
        table = fit_table(solution, table_mm)
    return _describe(names, solution, table, size, (*remarks, *table.remarks), breathing=breathing)


def _allow_breathing(views: Sequence[PageView], solution: JointSolution, prior: Prior) -> tuple[JointSolution, float]:
    """The solution with a focal length a picture where the pictures ask for one, and how much they differ (sigma)."""
    loose = adjust_jointly(views, solution.state, prior, breathing=_MOST_BREATHING)
    if loose is None:
        return solution, 0.0
    before, after = (float(np.sum(np.concatenate(one.misses_px) ** 2)) for one in (solution, loose))
    pictures, corners = len(loose.focal_changes), sum(map(len, loose.misses_px))
    ratio = (before - after) / pictures / (after / max(2 * corners - pictures, 1))
    if ratio < 1 + _SURE_BREATHING * np.sqrt(2 / pictures):
        return solution, 0.0
    breathing = max(float(np.sqrt(np.mean(loose.focal_changes**2))), _LEAST_BREATHING)
    return adjust_jointly(views, loose.state, prior, breathing=breathing) or loose, breathing


def _check_breathing(breathing: float) -> None:
    """Raises: BadInput where no one lens took these pictures."""
    if breathing > _TWO_LENSES:
        raise BadInput(
            f"the pictures' focal lengths differ by {100 * breathing:.0f} %: are they of two phones, two zooms, or is "
            "one of another table? Take all of this table with one phone and one lens, without zooming",
            field="images",
            value=round(breathing, 3),
        )


def _describe_breathing(breathing: float) -> tuple[str, ...]:
    if breathing < _TOLD_BREATHING:
        return ()
    return (
        f"the camera refocused between the pictures (its focal length differs by {100 * breathing:.2f} %): lock the "
        "focus and take them anew for a surer table; what is said of doubt allows for it",
    )


def _solve_without_moved(
    names: Sequence[str], views: Sequence[PageView], size: tuple[int, int], known: Known
) -> tuple[list[str], list[PageView], JointSolution, tuple[str, ...]]:
    """The pictures and pages that are used, the solution, and what is said of it.

    A page that lies elsewhere in one picture, or is held up, stands by itself.
    Such a page tells of the lens all the same: it is a picture of its own, of one page and without a name.
    """
    names, views = list(names), list(views)
    remarks: list[str] = []
    for _ in range(_MOST_MOVED):
        solution = solve_lens(views, size, known, len(names))
        picture = _find_inconsistent(solution)
        if picture is None:
            return names, views, solution, tuple(remarks)
        moved = _find_moved(picture, views, solution)
        views = [one for one in views if one not in moved]
        if names[picture]:
            pages = " and ".join(str(one.page + 1) for one in moved)
            remarks.append(f"in {names[picture]} page {pages} {_MOVED_SAYS}")
            views += [replace(one, picture=len(names) + k) for k, one in enumerate(moved)]
            names += [""] * len(moved)
        names, views = _without_empty(names, views)
    raise BadInput(
        "the pages move from picture to picture, or the lens is a fisheye: lay the pages, take all pictures anew with "
        "an ordinary lens, or calibrate the camera with `tableside calibrate camera`",
        field="images",
    )


def _without_empty(names: list[str], views: list[PageView]) -> tuple[list[str], list[PageView]]:
    """The pictures that still show two pages, and pages by themselves, numbered anew."""
    counts = Counter(one.picture for one in views)
    kept = [k for k in range(len(names)) if counts[k] >= (2 if names[k] else 1)]
    if not any(names[k] for k in kept):
        raise BadInput("the pages moved between the pictures: lay them, and take all pictures anew", field="images")
    place = {picture: k for k, picture in enumerate(kept)}
    return [names[k] for k in kept], [replace(v, picture=place[v.picture]) for v in views if v.picture in place]


def solve_lens(views: Sequence[PageView], size: tuple[int, int], known: Known, count: int) -> JointSolution:
    """Lens, pages and poses of `count` pictures, from the focal length that serves best. Raises: BadInput."""
    prior = known.prior(size)
    best: JointSolution | None = None
    for start in known.first_lenses(size):
        guess = guess_state(views, start, count, known=prior.pages)
        found = None if guess is None else _adjust_in_steps(views, guess, prior)
        if found is not None and (best is None or _rms_px(found) < _rms_px(best)):
            best = found
        if best is not None and _rms_px(best) < 1.0:
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


def _rms_px(solution: JointSolution) -> float:
    return float(np.sqrt(np.mean(np.concatenate(solution.misses_px) ** 2)))


def _find_inconsistent(solution: JointSolution) -> int | None:
    """The picture whose corners are farthest from where all others say that the pages lie, if one is."""
    usual = float(np.median(solution.noise_px))
    off = [float(np.median(np.linalg.norm(misses, axis=1))) for misses in solution.misses_px]
    worst = int(np.argmax(off))
    return worst if off[worst] > max(_LEAST_MOVED_PX, _MOVED * usual) else None


def _find_moved(picture: int, views: Sequence[PageView], solution: JointSolution) -> list[PageView]:
    """The page without which the rest of the picture fits best; of two, nobody can tell which: both."""
    here = [one for one in views if one.picture == picture]
    if len(here) < 3:
        return here
    return [min(here, key=lambda out: _resection_px([one for one in here if one is not out], solution))]


def _resection_px(views: Sequence[PageView], solution: JointSolution) -> float:
    """What is left of these pages' corners in the pose that explains them best, lens and layout taken as right."""
    state = solution.state
    pages = {one.page: state.pages[one.page] for one in views}
    pose = pose_on_pages(views, state.lens, pages)
    if pose is None:
        return np.inf
    off = [
        one.seen_px - state.lens.project(place_points(one.points_mm, pages[one.page]) @ pose[:3, :3].T + pose[:3, 3])
        for one in views
    ]
    return float(np.sqrt(np.mean(np.concatenate(off) ** 2)))


def _describe(
    names: Sequence[str],
    solution: JointSolution,
    table: TableFit,
    size: tuple[int, int],
    remarks: tuple[str, ...],
    *,
    breathing: float,
) -> Setup:
    lens, sigma = solution.state.lens.values, np.sqrt(solution.covariance[0, 0])
    named = [k for k, name in enumerate(names) if name]
    names = [name for name in names if name]
    focal_sigma = float(sigma / lens[0])
    if focal_sigma > _SURE_FOCAL:
        remarks = (*remarks, _advise_tilt(focal_sigma))
    return Setup(
        camera=_camera(solution, size, names, breathing),
        layout=table.layout,
        poses=tuple(_pose(table, solution, k) for k in named),
        pictures=tuple(names),
        rms_px=_rms_px(solution),
        focal_sigma=focal_sigma,
        bends_mm=tuple(float(max(page[3:], key=abs)) for page in solution.state.pages),
        remarks=remarks,
        marks_scale=table.marks_scale,
    )


def _advise_tilt(focal_sigma: float) -> str:
    return (
        f"the focal length is known to {100 * focal_sigma:.1f} % only: add pictures from a lower angle, or one in "
        "which page 2 is held up tilted near the left edge, flat on a book"
    )


def _camera(solution: JointSolution, size: tuple[int, int], names: Sequence[str], breathing: float) -> Camera:
    """The next picture's focal length differs from that of all as those of the pictures do."""
    fx, fy, cx, cy, *dist = map(float, solution.state.lens.values)
    covariance = solution.lens_covariance().copy()
    covariance[:2, :2] += breathing**2 * np.outer((fx, fy), (fx, fy))
    return Camera(
        image_size=size,
        model="brown",
        K=((fx, 0.0, cx), (0.0, fy, cy), (0.0, 0.0, 1.0)),
        dist=tuple(dist),
        covariance=tuple(tuple(map(float, row)) for row in covariance),
        rms_px=_rms_px(solution),
        views=tuple(names),
    )


def _pose(table: TableFit, solution: JointSolution, picture: int) -> CameraPose:
    """camera_from_table in the frame of the table's corners."""
    poses = solution.state.poses
    rotation = poses.rotations[picture] @ table.pages_from_table[:3, :3]
    shift = poses.rotations[picture] @ table.pages_from_table[:3, 3] + poses.translations_mm[picture]
    lenses = len(solution.state.lens.values)
    first = lenses + 6 * picture
    covariance = solution.covariance[first : first + 6, first : first + 6]
    misses = solution.misses_px[picture]
    rms = float(np.sqrt(np.mean(misses**2)))
    depth = float(np.linalg.norm(shift))
    return CameraPose(
        rotation=_rows(rotation),
        translation_mm=(float(shift[0]), float(shift[1]), float(shift[2])),
        covariance=tuple(tuple(map(float, row)) for row in covariance),
        rms_px=rms,
        rms_mm=rms * depth / float(solution.state.lens.values[0]),
        markers=tuple(marker.id for marker in table.layout.fiducials.markers),
        centre_mm=_triple(-rotation.T @ shift),
    )


def _rows(matrix: Floats) -> tuple[tuple[float, float, float], ...]:
    return tuple(_triple(row) for row in matrix)


def _triple(values: Floats) -> tuple[float, float, float]:
    return float(values[0]), float(values[1]), float(values[2])
