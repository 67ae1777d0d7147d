"""Sizes that persons give are a ruler: where all are off by one factor it is the table's size that is wrong."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.arrays import Image
from calibration.view import View
from models.base import RoundBase
from models.camera import CameraPose
from models.hint import Hint
from models.layout import Layout, NoFiducials
from tests.vision import rendered
from vision.size_ruler import SizeRuler, doubt_sizes

EYE = rendered.Eye(focal_px=1300.0, size_px=(1248, 936), middle_px=(630.0, 460.0))
STOOD = tuple(
    rendered.Base((120.0 + 110 * k, 150.0 + 60 * (k % 2)), size, seed=k) for k, size in enumerate((40.0, 30.0, 50.0))
)
VIEW = View(EYE.camera(), EYE.pose(), rendered.layout())


@pytest.fixture(scope="module")
def picture() -> Image:
    return rendered.photograph(rendered.Scene(STOOD, eye=EYE))


def _view(factor: float) -> View:
    """The same picture of a table that is taken to be so many times as large."""
    moved = np.array(VIEW.pose.translation_mm) * factor
    pose = CameraPose.model_validate(
        VIEW.pose.model_dump()
        | {"translation_mm": moved.tolist(), "centre_mm": (np.array(VIEW.pose.centre_mm) * factor).tolist()}
    )
    width, depth = VIEW.table_mm
    return replace(VIEW, pose=pose, layout=Layout(table_mm=(width * factor, depth * factor), fiducials=NoFiducials()))


def _hints(factor: float, *, wrong: int | None = None) -> list[Hint]:
    sizes = [80.0 if number == wrong else stood.diameter_mm for number, stood in enumerate(STOOD)]
    return [
        Hint(at_mm=(x * factor, y * factor), base=RoundBase(diameter_mm=size), sigma_mm=2.0)
        for (x, y), size in zip([stood.at_mm for stood in STOOD], sizes, strict=True)
    ]


@pytest.mark.parametrize(("factor", "says"), [(1.0, ""), (1.1, "picture 1."), (0.9, "picture 0.")])
def test_a_table_that_is_off_by_a_tenth_is_said(picture: Image, factor: float, says: str) -> None:
    said = doubt_sizes(picture, _hints(factor), view=_view(factor))

    assert len(said) == (says != "")
    assert all("all 3 sizes" in sentence and says in sentence for sentence in said)


def test_one_base_of_a_wrong_size_makes_no_table_wrong(picture: Image) -> None:
    assert doubt_sizes(picture, _hints(1.0, wrong=1), view=VIEW) == ()


def test_one_size_alone_is_no_ruler(picture: Image) -> None:
    assert doubt_sizes(picture, _hints(1.1)[:1], view=_view(1.1)) == ()


def test_the_sentence_names_the_table_that_is_sold_so() -> None:
    says = SizeRuler(1.1, 4).sentence((838.2, 614.7))

    assert "762 x 559 mm" in says
    assert "30 x 22 inches" in says
