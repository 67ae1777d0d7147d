"""Single photographs of one table, each from wherever somebody stands: who still lies where it lay keeps its name."""

import numpy as np

from calibration.clearness import check_sharp
from calibration.picture import check_size
from calibration.table import locate_table
from models.base import Catalogue
from models.camera import Camera, CameraPose
from models.layout import Layout
from models.state import TableState
from models.words import EditionId
from vision.assigning import cheapest_pairs
from vision.locating import SeenBase, every_finder, named, seen_in, state_of
from vision.pictures import Picture

_SAME_PLACE_MM = 6.0
_NEVER = 1e6


def photographed(
    image: Picture,
    *,
    camera: Camera,
    layout: Layout,
    catalogue: Catalogue,
    edition: EditionId,
    before: TableState | None = None,
    given: int = 0,
) -> tuple[TableState, CameraPose]:
    """The table in this photograph, and where it was taken from.

    Nobody saw what moved since the one before, so what lies elsewhere has a new name.

    `given` is how many names were given so far; none of them is given again.

    Raises: TableNotVisible, TooBlurred, BadInput.
    """
    check_size(image, camera)
    pose = locate_table(image, camera=camera, layout=layout)
    check_sharp(image, layout=layout, camera=camera, pose=pose)
    finder = every_finder(catalogue, layout)
    seen = seen_in(image, finder, catalogue=catalogue, camera=camera, pose=pose, layout=layout)
    names = _named_as_before(seen, before, given)
    return state_of(names, camera=camera, pose=pose, layout=layout, edition=edition), pose


def _named_as_before(seen: tuple[SeenBase, ...], before: TableState | None, given: int) -> dict[str, SeenBase]:
    old = before.miniatures if before else ()
    cost = np.full((len(old), len(seen)), _NEVER)
    for i, one in enumerate(old):
        for k, now in enumerate(seen):
            if one.base == now.fit.base:
                cost[i, k] = min(_NEVER, float(np.hypot(*np.subtract(one.at_mm, now.fit.at_mm))))
    kept = {k: old[i].id for i, k in cheapest_pairs(cost) if cost[i, k] < _SAME_PLACE_MM} if cost.size else {}
    fresh = named(tuple(one for k, one in enumerate(seen) if k not in kept))
    new = {f"m{given + number}": one for number, one in enumerate(fresh.values(), start=1)}
    return {id_: seen[k] for k, id_ in kept.items()} | new
