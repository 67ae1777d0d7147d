"""A table may be told by its layout, by where the camera hangs over it, or by both."""

from pathlib import Path

import pytest

from api.cli.table_options import read_table_files
from models.camera import CameraPose
from models.errors import BadInput
from tests.vision import rendered

WIDE_MM, DEEP_MM = 610.0, 420.0
CORNERS = ((0.0, 0.0, 0.0), (WIDE_MM, 0.0, 0.0), (WIDE_MM, DEEP_MM, 0.0), (0.0, DEEP_MM, 0.0))


def _pose(folder: Path, held_mm: tuple[tuple[float, float, float], ...]) -> Path:
    pose = CameraPose.model_validate(rendered.Eye().pose().model_dump() | {"held_mm": held_mm})
    path = folder / "pose.json"
    path.write_text(pose.model_dump_json())
    return path


def test_tapped_corners_say_how_large_the_table_is(tmp_path: Path) -> None:
    place = read_table_files(None, _pose(tmp_path, CORNERS))

    assert place.layout.table_mm == (WIDE_MM, DEEP_MM)
    assert place.layout.fiducials.markers == ()
    assert place.pose is not None


def test_a_layout_says_more_than_the_corners(tmp_path: Path) -> None:
    (tmp_path / "layout.json").write_text(rendered.layout().model_dump_json(exclude_none=True))
    place = read_table_files(tmp_path / "layout.json", _pose(tmp_path, CORNERS))

    assert place.layout == rendered.layout()
    assert place.pose is not None


def test_a_pose_that_no_corners_were_tapped_for_needs_a_layout(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="give --layout too") as wrong:
        read_table_files(None, _pose(tmp_path, ()))

    assert wrong.value.field == "pose"


def test_neither_is_too_little() -> None:
    with pytest.raises(BadInput, match="may stand instead") as wrong:
        read_table_files(None, None)

    assert wrong.value.field == "layout"
