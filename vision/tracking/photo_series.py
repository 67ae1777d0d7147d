"""Photo series: single photographs of one table; who still lies where it lay keeps its name."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from calibration.arrays import Image
from calibration.image import check_size
from calibration.pose.image_sharpness import check_sharpness
from calibration.pose.locate_table import locate_table
from calibration.pose.picture_fitness import check_picture
from calibration.pose.pose_fitness import check_pose
from calibration.view import View
from models.base import Catalogue
from models.camera import Camera, CameraPose
from models.hint import Hint
from models.layout import Layout
from models.state import TableState
from models.vocabulary import EditionId
from vision.detection.network.finder import NetworkFinder
from vision.locate import sight, with_hints
from vision.state_assembly import MeasuredBase, assign_ids, state_of
from vision.tracking.linear_assignment import linear_assignment

_SAME_PLACE_MM = 6.0
_NEVER = 1e6


def locate_photo(
    image: Image,
    *,
    camera: Camera,
    layout: Layout,
    catalogue: Catalogue,
    edition: EditionId,
    pose: CameraPose | None = None,
    before: TableState | None = None,
    given: int = 0,
    hints: Sequence[Hint] = (),
) -> tuple[TableState, CameraPose]:
    """Locate the table in this photograph: its state, and the camera's pose, by the fiducials where it is not known.

    Nobody saw what moved since the one before, so what lies elsewhere has a new name.

    `hints`: where players said that a base stands. One that no rim bears out is left to them: it may have moved since.

    `given` is how many names were given so far; none of them is given again.

    Raises: TableNotVisible, TooBlurred, BadInput.
    """
    check_size(image, camera)
    view = View(camera, pose or locate_table(image, camera=camera, layout=layout), layout)
    check_sharpness(image, view=view)
    check_picture(image, view=view)
    if pose is not None:
        check_pose(image, view=view)
    finder = NetworkFinder(catalogue, layout)
    seen = sight(image, finder, catalogue=catalogue, view=view)
    if hints:
        hinted = with_hints(image, seen, hints, catalogue=catalogue, view=view)
        seen = replace(hinted, bases=tuple(base for base in hinted.bases if base.placement != "by-hand"))
    names = _match_names(seen.bases, before, given)
    state = state_of(names, view=view, edition=edition)
    return state.with_sightings(looked_for=catalogue.bases, unconfirmed=seen.unconfirmed()), view.pose


def _match_names(seen: tuple[MeasuredBase, ...], before: TableState | None, given: int) -> dict[str, MeasuredBase]:
    old = before.miniatures if before else ()
    cost = np.full((len(old), len(seen)), _NEVER)
    for i, track in enumerate(old):
        for k, now in enumerate(seen):
            if track.base == now.fit.base:
                cost[i, k] = min(_NEVER, float(np.hypot(*np.subtract(track.at_mm, now.fit.at_mm))))
    kept = {k: old[i].id for i, k in linear_assignment(cost) if cost[i, k] < _SAME_PLACE_MM} if cost.size else {}
    fresh = assign_ids(tuple(base for k, base in enumerate(seen) if k not in kept))
    new = {f"m{given + number}": base for number, base in enumerate(fresh.values(), start=1)}
    return {id_: seen[k] for k, id_ in kept.items()} | new
