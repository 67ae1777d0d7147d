"""A table that is fuller than any game: every base of it, never half of them in silence."""

import math

import numpy as np
import pytest

from models.base import Catalogue, RoundBase
from models.vocabulary import Point
from tests.vision import rendered
from vision.locate import locate

EYE = rendered.Eye(size_px=(1080, 780), middle_px=(540.0, 390.0), centre_mm=(300.0, 200.0, 700.0))
PAINTS = (rendered.RED, rendered.WHITE, rendered.STEEL)
SIZES = Catalogue(bases=(RoundBase(diameter_mm=25), RoundBase(diameter_mm=40)))
PITCH_MM, OUT_OF_LINE_MM, EDGE_MM = 26.5, 0.6, 18.0


def places() -> list[Point]:
    """Rows of three hundred bases, a little out of line; the nearest two all but touch."""
    dice = np.random.default_rng(9)
    width, depth = rendered.TABLE_MM
    across, away = (np.arange(EDGE_MM, side - EDGE_MM, PITCH_MM) for side in (width, depth))
    out = dice.uniform(-OUT_OF_LINE_MM, OUT_OF_LINE_MM, (len(across), len(away), 2))
    grid = np.stack(np.meshgrid(across, away, indexing="ij"), axis=-1) + out
    return [(float(x), float(y)) for x, y in grid.reshape(-1, 2)[:300]]


@pytest.mark.slow
def test_three_hundred_bases_are_all_found_with_their_size() -> None:
    stood = places()
    bases = tuple(rendered.Base(at, 25.0, seed=k % 7, paint=PAINTS[k % 3]) for k, at in enumerate(stood))
    state = locate(
        rendered.photograph(rendered.Scene(bases, eye=EYE)),
        view=EYE.view(),
        catalogue=SIZES,
        edition="warmachine-prime",
    )
    nearest = [min(math.dist(one.at_mm, at) for one in state.miniatures) for at in stood]

    assert len(stood) == len(state.miniatures) == 300
    assert max(nearest) < 1.0
    assert {one.base for one in state.miniatures} == {RoundBase(diameter_mm=25)}
