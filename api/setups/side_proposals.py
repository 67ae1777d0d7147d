"""Side proposals: which side each base belongs to by its paint, for players to confirm or change."""

import cv2
import numpy as np

from api.errors import NoPicture
from api.setups.schemas import ProposedSide, ProposedSides
from models.base import RoundBase
from models.miniature import Miniature
from models.state import TableState
from models.vocabulary import Id
from vision.rectification.rectify import table_window
from vision.tracking.side_clustering import cluster_sides, describe_paint

_NAMES = ("near", "far")  # of sides that nobody has named yet: where they stand
_NONE = "All of them look alike, or there are too few to tell two armies apart."
_TWO = "Proposed by the paint of rims and miniatures. Tap whoever is on the wrong side."


def propose_sides(state: TableState, jpeg: bytes | None) -> ProposedSides:
    """The sides in this picture of the table from above. Raises: NoPicture."""
    if jpeg is None:
        raise NoPicture("The camera has sent no picture of the table yet.")
    picture = np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), np.uint8)
    size = (state.table.width_mm, state.table.depth_mm)
    window = table_window(size, px_per_mm=picture.shape[1] / size[0])
    standing = [m for m in state.miniatures if "removed" not in m.status]
    clusters = cluster_sides([describe_paint(picture, m.at_mm, _half_mm(m), window) for m in standing])
    if clusters is None:
        return ProposedSides(sides=(), unsure=tuple(m.id for m in standing), says=_NONE)
    near, far = sorted(([standing[k] for k in part] for part in (clusters.first, clusters.second)), key=_depth_mm)
    names = _choose_names(near, far)
    sides = tuple(ProposedSide(name=name, ids=_ids(of)) for name, of in zip(names, (near, far), strict=True))
    return ProposedSides(sides=sides, unsure=_ids([standing[k] for k in clusters.unsure]), says=_TWO)


def _half_mm(miniature: Miniature) -> float:
    base = miniature.base
    return base.radius_mm if isinstance(base, RoundBase) else min(base.width_mm, base.depth_mm) / 2


def _depth_mm(side: list[Miniature]) -> float:
    """How far from the near edge it stands on the whole."""
    return sum(m.at_mm[1] for m in side) / max(1, len(side))


def _choose_names(near: list[Miniature], far: list[Miniature]) -> tuple[str, str]:
    """The names the players gave already, each to those who mostly bear it; else where they stand."""
    known = sorted({m.side for m in (*near, *far) if m.side is not None})
    if len(known) != 2:
        return _NAMES
    first, second = known
    return (first, second) if _bear(near, first) + _bear(far, second) >= _bear(near, second) + _bear(far, first) else (
        second, first
    )  # fmt: skip


def _bear(side: list[Miniature], name: str) -> int:
    return sum(m.side == name for m in side)


def _ids(miniatures: list[Miniature]) -> tuple[Id, ...]:
    return tuple(m.id for m in miniatures)
