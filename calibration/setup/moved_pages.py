"""Pages that moved: pages or whole pictures that do not lie as in the others are set apart, and named.

Picture consensus: which pictures are of another table, by how each of them alone has the pages lie.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from calibration.arrays import Floats
from calibration.setup.first_guess import pose_on_pages
from calibration.setup.focus_breathing import allow_breathing
from calibration.setup.joint_adjustment import PAGE_VALUES, JointSolution, place_points
from calibration.setup.lens_solve import GOOD_PX, Known, check_angle, rms_px, solve_lens
from calibration.setup.pages import PageView
from models.errors import BadInput

SolveAlone = Callable[[Sequence[PageView]], JointSolution | None]
"""Lens and pages of one picture whose pages are numbered from 0 without gaps; None where nothing fits."""

_FAR = 25.0  # squared sigmas from which two pictures do not show a pair of pages alike
_FLOOR = np.diag([0.5, 0.5, 0.002]) ** 2  # mm, mm, rad: paper is not flat, and no lens is quite as its model
_ENOUGH = 0.4  # of a page's pairs: a half where one of three pages moved, a third where tables differ in width alone
_WHOLE = 3  # pages of a picture of which one may have moved


@dataclass(frozen=True)
class Foreign:
    """Pictures of another table with what is said of each, and pages that moved in pictures of this one."""

    pictures: dict[int, str]
    moved: tuple[PageView, ...]


@dataclass(frozen=True)
class _Pair:
    """How one page lies beside another: x, y mm and turn rad, and their covariance (3, 3)."""

    lies: Floats
    covariance: Floats

    def is_near(self, other: "_Pair") -> bool:
        off = self.lies - other.lies
        off[2] = np.arctan2(np.sin(off[2]), np.cos(off[2]))
        return bool(off @ np.linalg.solve(self.covariance + other.covariance + _FLOOR, off) < _FAR)


_Layout = Mapping[tuple[int, int], _Pair]
"""Of one picture, its pairs of pages."""


def find_foreign(names: Sequence[str], views: Sequence[PageView], solve_alone: SolveAlone) -> Foreign:
    """What does not lie as in most pictures; often nothing.

    Raises: BadInput where about as many pictures are of one table as of another.
    """
    layouts = _read_layouts(names, views, solve_alone)
    apart = {picture: _find_apart(picture, layouts) for picture in layouts}
    if not any(apart.values()):
        return Foreign({}, ())
    centre = min(layouts, key=lambda picture: (len(apart[picture]), -len(layouts[picture])))
    others = apart[centre]
    if 2 * len(others) >= len(layouts):
        _check_two_tables(names, others, apart)
        return Foreign({}, ())
    here = {picture: layout for picture, layout in layouts.items() if picture not in others}
    return _judge(names, views, layouts, here)


def _judge(
    names: Sequence[str], views: Sequence[PageView], layouts: Mapping[int, _Layout], here: Mapping[int, _Layout]
) -> Foreign:
    """Every picture beside those of this table."""
    pictures, moved = {}, list[PageView]()
    for picture, layout in layouts.items():
        off = _pages_off(layout, [other for number, other in here.items() if number != picture])
        pages = {page for pair in layout for page in pair}
        if len(pages) - len(off) < 2:
            pictures[picture] = say_foreign(names[picture], pages)
        else:
            moved += [view for view in views if view.picture == picture and view.page in off]
    return Foreign(pictures, tuple(moved))


def _pages_off(layout: _Layout, others: Iterable[_Layout]) -> set[int]:
    """The pages of which too few pairs lie as in the others."""
    alike: dict[int, list[bool]] = {}
    for other in others:
        for pair in layout.keys() & other.keys():
            is_near = layout[pair].is_near(other[pair])
            for page in pair:
                alike.setdefault(page, []).append(is_near)
    return {page for page, some in alike.items() if sum(some) < _ENOUGH * len(some)}


def _find_apart(picture: int, layouts: Mapping[int, _Layout]) -> list[int]:
    """The pictures that share pages with this one, of which fewer than two lie alike."""
    return [other for other, layout in layouts.items() if other != picture and _is_apart(layouts[picture], layout)]


def _is_apart(layout: _Layout, other: _Layout) -> bool:
    shared = {page for pair in layout.keys() & other.keys() for page in pair}
    return bool(shared) and len(shared - _pages_off(layout, [other])) < 2


def _check_two_tables(names: Sequence[str], others: Sequence[int], apart: Mapping[int, Sequence[int]]) -> None:
    """Raises: BadInput where those that disagree with most agree with each other."""
    second = min(others, key=lambda picture: len(set(others) & set(apart[picture])))
    elsewhere = [picture for picture in others if picture not in apart[second]]
    here = [picture for picture in apart if picture not in others]
    if min(len(here), len(elsewhere)) < 2 or not any(set(apart[picture]) & set(elsewhere) for picture in here):
        return
    first, other = (", ".join(names[picture] for picture in some) for some in (here, elsewhere))
    raise BadInput(
        f"the pages lie one way in {first}, and another in {other}: are they of two tables, or were the pages laid "
        "anew? Leave out those that are not of this table",
        field="images",
        value=len(elsewhere),
    )


def say_foreign(name: str, pages: set[int]) -> str:
    """What is said of a picture of another table that shows these pages."""
    if len(pages) >= _WHOLE:
        return f"{name} shows the pages lying differently, as on another table: left out"
    shown = " and ".join(str(page + 1) for page in sorted(pages))
    return f"{name} shows pages {shown} lying differently towards each other than the others do: left out"


def _read_layouts(names: Sequence[str], views: Sequence[PageView], solve_alone: SolveAlone) -> dict[int, _Layout]:
    """Of every named picture that tells one."""
    layouts: dict[int, _Layout] = {}
    for picture, name in enumerate(names):
        here = [view for view in views if view.picture == picture]
        if name and len(here) > 1 and (pairs := _read_pairs(here, solve_alone)):
            layouts[picture] = pairs
    return layouts


def _read_pairs(views: Sequence[PageView], solve_alone: SolveAlone) -> dict[tuple[int, int], _Pair]:
    pages = sorted(view.page for view in views)
    solution = solve_alone([replace(view, picture=0, page=pages.index(view.page)) for view in views])
    if solution is None:
        return {}
    lies, covariance = solution.state.pages, solution.pages_covariance()
    return {(pages[a], pages[b]): _pair(lies, covariance, a, b) for a, b in combinations(range(len(pages)), 2)}


def _pair(lies: Floats, covariance: Floats, a: int, b: int) -> _Pair:
    """Page b in the frame of page a."""
    c, s = np.cos(lies[a, 2]), np.sin(lies[a, 2])
    back = np.array([[c, s], [-s, c]])
    x, y = back @ (lies[b, :2] - lies[a, :2])
    slope = np.zeros((3, len(covariance)))
    first, second = PAGE_VALUES * a, PAGE_VALUES * b
    slope[:2, first : first + 2], slope[:2, second : second + 2] = -back, back
    slope[:2, first + 2] = y, -x
    slope[2, first + 2], slope[2, second + 2] = -1.0, 1.0
    return _Pair(np.array([x, y, lies[b, 2] - lies[a, 2]]), slope @ covariance @ slope.T)


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
