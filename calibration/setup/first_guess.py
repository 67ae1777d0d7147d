"""First guess: how the pages lie and where each picture was taken from, page by page through a rough lens."""

from collections import defaultdict
from collections.abc import Sequence

import cv2
import numpy as np

from calibration.arrays import Floats
from calibration.intrinsics.reprojection import BoardPoses, Lens
from calibration.setup.joint_adjustment import PAGE_VALUES, JointState, place_points
from calibration.setup.pages import PAGES, PageView

Rigid = Floats
"""(4, 4)."""


def guess_state(
    views: Sequence[PageView], lens: Lens, pictures: int, *, known: Floats | None = None
) -> JointState | None:
    """Pages chained through the pictures that share them, and poses on them; None when they do not hang together.

    `known` (P, 5) stands for the chain where the pages were solved before.
    """
    pages = None if known is None else dict(enumerate(known))
    if pages is None:
        seen = {(view.picture, view.page): pose for view in views if (pose := _page_pose(view, lens)) is not None}
        pages = _chain_pages(seen, _first_page(views))
    if pages is None:
        return None
    of_picture = ([v for v in views if v.picture == k and v.page in pages] for k in range(pictures))
    poses = [pose_on_pages(some, lens, pages) for some in of_picture]
    if any(pose is None for pose in poses):
        return None
    known_poses = [pose for pose in poses if pose is not None]
    rotations = np.array([pose[:3, :3] for pose in known_poses])
    return JointState(lens, BoardPoses(rotations, np.array([pose[:3, 3] for pose in known_poses])), _rebase(pages))


def _first_page(views: Sequence[PageView]) -> int:
    return min(view.page for view in views)


def _rebase(pages: dict[int, Floats]) -> Floats:
    """(P, 5); a page that no picture shows lies at the origin, and nothing hangs on it."""
    out = np.zeros((PAGES, PAGE_VALUES))
    for number, page in pages.items():
        out[number] = page
    return out


def _page_pose(view: PageView, lens: Lens) -> Rigid | None:
    """camera_from_page."""
    rays = lens.rays(view.seen_px)
    if not np.all(np.isfinite(rays)) or rays[:, 2].min() < 0.05:
        return None
    plane = (rays[:, :2] / rays[:, 2:]).astype(np.float64)
    done, turn, shift = cv2.solvePnP(view.points_mm, plane, np.eye(3), None, flags=cv2.SOLVEPNP_IPPE)
    return _rigid(np.asarray(turn, np.float64), np.asarray(shift, np.float64)) if done else None


def pose_on_pages(views: Sequence[PageView], lens: Lens, pages: dict[int, Floats]) -> Rigid | None:
    """camera_from_table, of all pages in the picture together."""
    if not views:
        return None
    points = np.concatenate([place_points(view.points_mm, pages[view.page]) for view in views])
    rays = lens.rays(np.concatenate([view.seen_px for view in views]))
    if not np.all(np.isfinite(rays)) or rays[:, 2].min() < 0.05:
        return None
    plane = rays[:, :2] / rays[:, 2:]
    done, turn, shift = cv2.solvePnP(points * [1.0, 1.0, 0.0], plane, np.eye(3), None, flags=cv2.SOLVEPNP_IPPE)
    if not done:
        return None
    turn, shift = cv2.solvePnPRefineLM(points, plane, np.eye(3), None, turn, shift)
    return _rigid(np.asarray(turn, np.float64), np.asarray(shift, np.float64))


def _chain_pages(seen: dict[tuple[int, int], Rigid], first: int) -> dict[int, Floats] | None:
    """Each page in the frame of the first, through pictures that show it beside one that is known."""
    steps: dict[tuple[int, int], list[Floats]] = defaultdict(list)
    for (picture, a), pose in seen.items():
        for (other, b), other_pose in seen.items():
            if other == picture and a != b:
                steps[a, b].append(_flat(np.linalg.inv(pose) @ other_pose))
    known = {first: np.zeros(PAGE_VALUES)}
    wanted = {page for _, page in seen}
    while len(known) < len(wanted):
        ways = [(len(seen_steps), a, b) for (a, b), seen_steps in steps.items() if a in known and b not in known]
        if not ways:
            return None
        _, a, b = max(ways)
        known[b] = _add(known[a], _middle(steps[a, b]))
    return known


def _flat(rigid: Rigid) -> Floats:
    """x, y, turn of a page beside another, what lifts or tilts it left out."""
    return np.array([rigid[0, 3], rigid[1, 3], np.arctan2(rigid[1, 0], rigid[0, 0]), 0.0, 0.0])


def _middle(some: Sequence[Floats]) -> Floats:
    all_ = np.array(some)
    turn = np.arctan2(np.median(np.sin(all_[:, 2])), np.median(np.cos(all_[:, 2])))
    return np.array([*np.median(all_[:, :2], axis=0), turn, 0.0, 0.0])


def _add(page: Floats, step: Floats) -> Floats:
    c, s = np.cos(page[2]), np.sin(page[2])
    x, y = page[0] + c * step[0] - s * step[1], page[1] + s * step[0] + c * step[1]
    return np.array([x, y, page[2] + step[2], 0.0, 0.0])


def _rigid(turn: Floats, shift: Floats) -> Rigid:
    out = np.eye(4)
    out[:3, :3] = cv2.Rodrigues(turn)[0]
    out[:3, 3] = np.ravel(shift)
    return out
