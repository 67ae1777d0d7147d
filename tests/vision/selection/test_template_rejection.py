"""What is in the middle of a wider circle is a template's disc, and no base."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.arrays import Image
from tests.vision import fits, rendered
from vision.candidates import NetworkScore
from vision.selection.template_rejection import is_template_disc

EYE = rendered.Eye(focal_px=1500.0).around((300.0, 200.0), reach_mm=90)
AT_MM = (300.0, 200.0)
CYAN, VIOLET, WHITE = (200.0, 190.0, 60.0), (180.0, 60.0, 120.0), rendered.WHITE


def _template(*discs: tuple[float, rendered.Colour]) -> Image:
    """Discs round one middle, the widest first: diameters in mm and colours."""
    picture = rendered.photograph(rendered.Scene((), eye=EYE))
    angle = np.linspace(0, 2 * np.pi, 240, endpoint=False)
    for diameter_mm, colour in discs:
        rim = np.column_stack([np.cos(angle), np.sin(angle)]) * diameter_mm / 2 + AT_MM
        outline = EYE.seen(np.column_stack([rim, np.full(len(rim), 1.0)]))
        cv2.fillPoly(picture, [np.rint(outline * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)
    return picture


def _is_of_template(picture: Image, *, sure: float | None = None, diameter_mm: float = 40.0) -> bool:
    opinion = None if sure is None else NetworkScore(sure, 0.0)
    fit = replace(fits.fit(AT_MM, diameter_mm=diameter_mm), network_score=opinion)
    return is_template_disc(picture, fit, view=EYE.view())


@pytest.mark.parametrize("sure", [None, 0.0, 0.3])
def test_the_inner_disc_of_a_template_is_no_base(sure: float | None) -> None:
    assert _is_of_template(_template((76.2, CYAN), (64.8, VIOLET), (38.1, WHITE)), sure=sure)


def test_a_disc_alone_is_judged_otherwise() -> None:
    assert not _is_of_template(_template((38.1, WHITE)))


@pytest.mark.parametrize("make", [rendered.LIPPED, rendered.SLOTTED])
@pytest.mark.parametrize("diameter_mm", [25.0, 40.0, 60.0])
def test_a_base_whose_rim_contrasts_with_all_around_is_one(diameter_mm: float, make: rendered.Make) -> None:
    base = rendered.Base(AT_MM, diameter_mm, rim=rendered.WHITE, make=make)

    assert not _is_of_template(rendered.photograph(rendered.Scene((base,), eye=EYE)), diameter_mm=diameter_mm)


def test_a_base_with_neighbours_all_round_is_one() -> None:
    angle = np.arange(6) * np.pi / 3
    places = np.column_stack([np.cos(angle), np.sin(angle)]) * 41.0 + AT_MM
    ring = [rendered.Base((x, y), 40.0, rim=rendered.WHITE) for x, y in places.tolist()]
    scene = rendered.Scene((rendered.Base(AT_MM, 40.0), *ring), eye=EYE)

    assert not _is_of_template(rendered.photograph(scene))


def test_what_the_network_sees_in_the_middle_of_a_template_is_a_base() -> None:
    assert not _is_of_template(_template((76.2, CYAN), (64.8, VIOLET), (38.1, WHITE)), sure=0.8)
