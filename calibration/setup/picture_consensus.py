"""Picture consensus: which pictures are of another table, by how each of them alone has the pages lie.

A picture of two pages or more tells how they lie towards each other, and how surely, without any other picture. The
pictures that most others agree with, within their doubt, are of the table. In each picture a page lies as there when
enough of its pairs with other pages do; a picture with fewer than two such pages was taken elsewhere.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from calibration.arrays import Floats
from calibration.setup.joint_adjustment import PAGE_VALUES, JointSolution
from calibration.setup.page_detection import PageView
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
