"""Pages that moved: pages or whole pictures that do not lie as in the others are set apart, and named."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from calibration.setup.first_guess import pose_on_pages
from calibration.setup.focus_breathing import allow_breathing
from calibration.setup.joint_adjustment import JointSolution, place_points
from calibration.setup.lens_solve import GOOD_PX, Known, check_angle, rms_px, solve_lens
from calibration.setup.page_detection import PageView
from calibration.setup.picture_consensus import Foreign, find_foreign, say_foreign
from models.errors import BadInput

_MOVED = 5.0  # times the usual noise, from which a page in a picture does not lie as in the others
_LEAST_MOVED_PX = 1.0
_MOST_MOVED = 10
_WORSE = 1.5  # times what is left of each page by itself: a picture of this table is at 1.05, by its corners' noise
_WITNESSES = 3  # pictures that tell how the pages lie here
_MOVED_SAYS = "does not lie as in the other pictures: it tells of the lens only"
_ALL_MOVED_SAY = "do not lie as in the other pictures: they tell of the lens only"


def leave_out_foreign(
    names: Sequence[str], views: Sequence[PageView], size: tuple[int, int], known: Known
) -> tuple[list[str], list[PageView], tuple[str, ...]]:
    """The pictures without those of another table, and what is said of these. Raises: BadInput."""
    names, views = list(names), list(views)
    if not _is_doubtful(names, views, size, known):
        return names, views, ()
    alone = replace(known, layout=None)
    foreign = find_foreign(names, views, lambda of_one: _solve_alone(of_one, size, alone))
    foreign = _take_moved_for_foreign(foreign, names, views, size, known)
    views = [view for view in views if view.picture not in foreign.pictures]
    names, views, moved = _set_apart(names, views, foreign.moved)
    return names, views, (*foreign.pictures.values(), *moved)


def _take_moved_for_foreign(
    foreign: Foreign, names: Sequence[str], views: Sequence[PageView], size: tuple[int, int], known: Known
) -> Foreign:
    """The same; a picture of which a page seems to have moved is foreign when its other pages do not lie as here.

    Alone a picture tells within half a millimetre how pages lie. With the lens and the pages of all others it tells
    much better: of another table, where two pages may by chance lie nearly as here, no two lie exactly so.
    """
    doubtful = {view.picture for view in foreign.moved}
    here = [view for view in views if view.picture not in doubtful | foreign.pictures.keys()]
    if not doubtful or len({view.picture for view in here}) < _WITNESSES:
        return foreign
    solution = _solve_numbered(here, size, known)
    if solution is None:
        return foreign
    pictures = dict(foreign.pictures)
    for picture in doubtful:
        rest = [view for view in views if view.picture == picture and view not in foreign.moved]
        known_pages = len({view.page for view in rest} & {view.page for view in here})
        if known_pages == len(rest) >= 2 and _lies_otherwise(rest, solution):
            pictures[picture] = say_foreign(names[picture], {view.page for view in views if view.picture == picture})
    return Foreign(pictures, tuple(view for view in foreign.moved if view.picture not in pictures))


def _solve_numbered(views: Sequence[PageView], size: tuple[int, int], known: Known) -> JointSolution | None:
    """These pictures' solution, numbered anew; None where they have none."""
    place = {picture: k for k, picture in enumerate(sorted({view.picture for view in views}))}
    numbered = [replace(view, picture=place[view.picture]) for view in views]
    try:
        return solve_lens(numbered, size, known, len(place))
    except BadInput:
        return None


def _lies_otherwise(rest: Sequence[PageView], solution: JointSolution) -> bool:
    """Whether these pages fit much worse together than each by itself, in a picture that is no part of the solution."""
    alone = float(np.sqrt(np.mean([_resection_px([view], solution) ** 2 for view in rest])))
    return _resection_px(rest, solution) > _WORSE * alone


def _is_doubtful(names: Sequence[str], views: Sequence[PageView], size: tuple[int, int], known: Known) -> bool:
    """Whether these pictures do not agree on one lens and one way that the pages lie."""
    try:
        solution = solve_lens(views, size, known, len(names), starts=1)
    except BadInput:
        return True
    if rms_px(solution) > GOOD_PX or _find_inconsistent(solution) is not None:
        return True
    return allow_breathing(views, solution, known.prior(size))[1] > 0


def _solve_alone(views: Sequence[PageView], size: tuple[int, int], known: Known) -> JointSolution | None:
    """None where no lens explains the picture, or hardly one: then it tells nothing of the pages."""
    try:
        solution = solve_lens(views, size, known, 1)
        check_angle(views, solution)
    except BadInput:
        return None
    return solution


def solve_without_moved(
    names: Sequence[str], views: Sequence[PageView], size: tuple[int, int], known: Known
) -> tuple[list[str], list[PageView], JointSolution, tuple[str, ...]]:
    """The pictures and pages that are used, the solution, and what is said of it.

    A page that lies elsewhere in one picture, or is held up, stands by itself.
    Such a page tells of the lens all the same: it is a picture of its own, of one page and without a name.
    """
    names, views = list(names), list(views)
    remarks: tuple[str, ...] = ()
    for _ in range(_MOST_MOVED):
        solution = solve_lens(views, size, known, len(names))
        check_angle(views, solution)
        picture = _find_inconsistent(solution)
        if picture is None:
            return names, views, solution, remarks
        names, views, moved = _set_apart(names, views, _find_moved(picture, views, solution))
        remarks = (*remarks, *moved)
    raise BadInput(
        "the pages move from picture to picture: lay them, let nobody touch them, and take all pictures anew",
        field="images",
    )


def _set_apart(
    names: Sequence[str], views: Sequence[PageView], moved: Sequence[PageView]
) -> tuple[list[str], list[PageView], tuple[str, ...]]:
    """Each of these pages as a picture of its own, and what is said of it; one that was so already is left out."""
    names, views = list(names), [view for view in views if view not in moved]
    pages: dict[str, list[int]] = {}
    for view in moved:
        if names[view.picture]:
            pages.setdefault(names[view.picture], []).append(view.page)
            views.append(replace(view, picture=len(names)))
            names.append("")
    return *_without_empty(names, views), tuple(_describe_moved(name, some) for name, some in pages.items())


def _describe_moved(name: str, pages: Sequence[int]) -> str:
    if len(pages) == 1:
        return f"in {name} page {pages[0] + 1} {_MOVED_SAYS}"
    return f"in {name} pages {' and '.join(str(page + 1) for page in pages)} {_ALL_MOVED_SAY}"


def _without_empty(names: list[str], views: list[PageView]) -> tuple[list[str], list[PageView]]:
    """The pictures that still show two pages, and pages by themselves, numbered anew."""
    counts = Counter(view.picture for view in views)
    kept = [k for k in range(len(names)) if counts[k] >= (2 if names[k] else 1)]
    if not any(names[k] for k in kept):
        raise BadInput("the pages moved between the pictures: lay them, and take all pictures anew", field="images")
    place = {picture: k for k, picture in enumerate(kept)}
    return [names[k] for k in kept], [replace(v, picture=place[v.picture]) for v in views if v.picture in place]


def _find_inconsistent(solution: JointSolution) -> int | None:
    """The picture whose corners are farthest from where all others say that the pages lie, if one is."""
    usual = float(np.median(solution.noise_px))
    off = [float(np.median(np.linalg.norm(misses, axis=1))) for misses in solution.misses_px]
    worst = int(np.argmax(off))
    return worst if off[worst] > max(_LEAST_MOVED_PX, _MOVED * usual) else None


def _find_moved(picture: int, views: Sequence[PageView], solution: JointSolution) -> list[PageView]:
    """The page without which the rest of the picture fits best; of two, nobody can tell which: both."""
    here = [view for view in views if view.picture == picture]
    if len(here) < 3:
        return here
    return [min(here, key=lambda out: _resection_px([view for view in here if view is not out], solution))]


def _resection_px(views: Sequence[PageView], solution: JointSolution) -> float:
    """What is left of these pages' corners in the pose that explains them best, lens and layout taken as right."""
    state = solution.state
    pages = {view.page: state.pages[view.page] for view in views}
    pose = pose_on_pages(views, state.lens, pages)
    if pose is None:
        return np.inf
    off = [
        view.seen_px - state.lens.project(place_points(view.points_mm, pages[view.page]) @ pose[:3, :3].T + pose[:3, 3])
        for view in views
    ]
    return float(np.sqrt(np.mean(np.concatenate(off) ** 2)))
