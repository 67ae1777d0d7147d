"""`tableside calibrate heights` as a script would use it."""

import json
from pathlib import Path
from typing import Any

from tests.api.cli.commands import run

EYES = ((450.0, 610.0, 1500.0), (1380.0, 620.0, 1450.0))
HILL = [[700, 500], [1100, 500], [1100, 800], [700, 800]]


def _written(path: Path, value: dict[str, Any]) -> Path:
    path.write_text(json.dumps(value))
    return path


def _layout(folder: Path) -> Path:
    marker = {"id": 0, "corners_mm": [[0, 80, 0], [80, 80, 0], [80, 0, 0], [0, 0, 0]]}
    fiducials = {"dictionary": "APRILTAG_36h11", "marker_mm": 80, "markers": [marker]}
    hill = {"id": "h1", "kind": "hill", "polygon_mm": HILL}
    return _written(folder / "layout.json", {"table_mm": [1828.8, 1219.2], "fiducials": fiducials, "terrain": [hill]})


def _write_view(folder: Path, number: int, at_mm: tuple[float, float], height_mm: float) -> tuple[Path, Path]:
    """A base as the eye sees it that takes it to stand on the table, and the eye's pose, looking straight down."""
    x, y, z = EYES[number]
    share = z / (z - height_mm)
    place = [x + (at_mm[0] - x) * share, y + (at_mm[1] - y) * share]
    base = {"id": "m1", "base": {"shape": "round", "diameter_mm": 30}, "at_mm": place, "sigma": {"at_mm": 0.2}}
    table = {"width_mm": 1828.8, "depth_mm": 1219.2}
    state = {"edition": "warmachine-prime", "table": table, "miniatures": [base]}
    pose = {
        "rotation": [[1, 0, 0], [0, -1, 0], [0, 0, -1]],
        "translation_mm": [-x, y, z],
        "covariance": [[0.0] * 6] * 6,
        "rms_px": 0,
        "rms_mm": 0,
        "markers": [0],
        "centre_mm": [x, y, z],
    }
    return _written(folder / f"state{number}.json", state), _written(folder / f"pose{number}.json", pose)


def test_the_hill_gets_its_height(tmp_path: Path) -> None:
    first, second = (_write_view(tmp_path, number, (900.0, 640.0), 25.4) for number in range(2))
    ended = run(
        *("calibrate", "heights", _layout(tmp_path), "--first", *first, "--second", *second),
        *("-o", tmp_path / "solved.json", "--json"),
    )
    (hill,) = json.loads((tmp_path / "solved.json").read_text())["terrain"]

    assert ended.code == 0
    assert (hill["surface_mm"], json.loads(ended.out)[0]["bases"]) == (25.4, 1)


def test_no_base_on_terrain_is_bad_input_and_nothing_is_written(tmp_path: Path) -> None:
    first, second = (_write_view(tmp_path, number, (300.0, 200.0), 0.0) for number in range(2))
    ended = run(
        *("calibrate", "heights", _layout(tmp_path), "--first", *first, "--second", *second),
        *("-o", tmp_path / "solved.json"),
    )

    assert (ended.code, ended.problem["field"]) == (2, "second")
    assert not (tmp_path / "solved.json").exists()
