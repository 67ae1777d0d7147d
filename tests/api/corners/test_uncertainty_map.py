"""The picture of how surely places are known."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from api.corners.pose_from_taps import heat_map
from calibration.view import View
from models.camera import CameraPose
from tests.calibration import scene

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def pose() -> CameraPose:
    """Surer of its height than of its place; marker 3 was hidden."""
    covariance = np.diag([2e-4, 2e-4, 5e-5, 0.1, 0.1, 0.3]) ** 2
    return scene.pose_at((610.0, 395.0, 900.0)).model_copy(
        update={"covariance": tuple(map(tuple, covariance)), "markers": (0, 1, 2)}
    )


def _drawn(pose: CameraPose) -> ElementTree.Element:
    return ElementTree.fromstring(heat_map(View(scene.camera(), pose, scene.layout())))


def test_the_whole_table_is_coloured(pose: CameraPose) -> None:
    cells = _drawn(pose).findall(f".//{SVG}rect")
    area = sum(float(cell.attrib["width"]) * float(cell.attrib["height"]) for cell in cells)

    assert area == pytest.approx(1200 * 800)


def test_numbers_stand_on_it_within_what_the_title_says(pose: CameraPose) -> None:
    drawn = _drawn(pose)
    low, high = map(float, re.findall(r"\d+\.\d+", drawn.findtext(f"{SVG}title") or ""))
    numbers = [float(text.text or "nan") for text in drawn.findall(f"{SVG}text")]

    assert len(numbers) == 24
    assert low <= min(numbers) < max(numbers) <= high


def test_a_hidden_marker_is_drawn_hollow(pose: CameraPose) -> None:
    fills = [polygon.attrib["fill"] for polygon in _drawn(pose).findall(f".//{SVG}polygon")]

    assert fills == ["black", "black", "black", "none"]
