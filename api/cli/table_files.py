"""Table files: the layout, the camera's pose over the table, or both."""

from dataclasses import dataclass
from pathlib import Path

from api.storage.files import load
from models.camera import CameraPose
from models.errors import BadInput, BadLayout
from models.layout import Layout, NoFiducials

_CORNERS = 4


@dataclass(frozen=True)
class TableFiles:
    """A layout, and the camera's pose over the table where that is known from outside."""

    layout: Layout
    pose: CameraPose | None = None


def read_table_files(layout: Path | None, pose: Path | None) -> TableFiles:
    """Layout and pose as the files say; a pose by tapped corners also says how large the table is.

    Raises: BadFile, BadInput.
    """
    known = load(CameraPose, pose, error=BadInput) if pose else None
    if layout is not None:
        return TableFiles(load(Layout, layout, error=BadLayout), known)
    if known is None:
        raise BadInput(
            "--layout is missing: it says how large the table is and where its fiducials lie;"
            " --pose POSE.json from `tableside calibrate corners` may stand instead",
            field="layout",
            value=None,
        )
    return TableFiles(Layout(table_mm=_table_mm(known), fiducials=NoFiducials()), known)


def _table_mm(pose: CameraPose) -> tuple[float, float]:
    """The far right of the places it was found by. Raises: BadInput when those are not a table's corners."""
    wide, deep = (max((place[axis] for place in pose.held_mm), default=0.0) for axis in (0, 1))
    if len(pose.held_mm) < _CORNERS or wide <= 0 or deep <= 0:
        raise BadInput(
            "this pose was not found by a table's corners and does not say how large the table is: give --layout too",
            field="pose",
            value=None,
        )
    return wide, deep
