"""Templates and tokens measured as the flat discs they are."""

import math

import numpy as np
import pytest

from models.state import TableSize, TableState
from models.terrain_proposal import ProposedDisc
from tests.vision import rendered
from vision.rectification.rectify import rectify_table
from vision.terrain.proposals import propose_from_above, propose_terrain

FLAT = rendered.Make(1.5, 0.0, 0.0)
TEMPLATE = rendered.Base((180.0, 250.0), 101.6, make=FLAT, rim=rendered.BONE, is_bare=True)
TOKEN = rendered.Base((420.0, 130.0), 34.0, make=FLAT, rim=rendered.RED, is_bare=True)
EYE = rendered.Eye()


@pytest.fixture(scope="module")
def found() -> tuple[ProposedDisc, ...]:
    picture = rendered.photograph(rendered.Scene((TEMPLATE, TOKEN), eye=EYE))
    size = TableSize(width_mm=rendered.TABLE_MM[0], depth_mm=rendered.TABLE_MM[1])
    state = TableState(edition="warmachine-prime", table=size)
    return tuple(
        one
        for one in propose_terrain(picture, state, camera=EYE.camera(), pose=EYE.pose())
        if isinstance(one, ProposedDisc)
    )


def test_each_is_found_as_what_it_is(found: tuple[ProposedDisc, ...]) -> None:
    assert sorted((one.what, round(one.diameter_mm)) for one in found) == [("template", 102), ("token", 34)]


@pytest.mark.parametrize("true", [TEMPLATE, TOKEN], ids=["template", "token"])
def test_its_centre_is_within_its_doubt(found: tuple[ProposedDisc, ...], true: rendered.Base) -> None:
    one = min(found, key=lambda disc: math.dist(disc.centre_mm, true.at_mm))

    assert math.dist(one.centre_mm, true.at_mm) < 3 * one.sigma_mm < 1.5


def test_a_template_has_its_printed_size_and_a_token_the_measured_one(found: tuple[ProposedDisc, ...]) -> None:
    by_kind = {one.what: one for one in found}

    assert by_kind["template"].diameter_mm == pytest.approx(101.6)
    assert by_kind["template"].diameter_sigma_mm == 0
    assert abs(by_kind["token"].diameter_mm - 34.0) < 3 * by_kind["token"].diameter_sigma_mm
    assert np.isfinite(by_kind["token"].sigma_mm)


def test_in_the_picture_that_phones_have_discs_are_found_as_well() -> None:
    picture = rendered.photograph(rendered.Scene((TEMPLATE, TOKEN), eye=EYE))
    straight = rectify_table(picture, camera=EYE.camera(), pose=EYE.pose(), table_mm=rendered.TABLE_MM, px_per_mm=1.0)
    size = TableSize(width_mm=rendered.TABLE_MM[0], depth_mm=rendered.TABLE_MM[1])
    state = TableState(edition="warmachine-prime", table=size)
    above = [one for one in propose_from_above(straight, state) if isinstance(one, ProposedDisc)]

    assert sorted(one.what for one in above) == ["template", "token"]
    for one in above:
        true = min((TEMPLATE, TOKEN), key=lambda base: math.dist(base.at_mm, one.centre_mm))
        assert math.dist(one.centre_mm, true.at_mm) < 3 * one.sigma_mm < 1.5
