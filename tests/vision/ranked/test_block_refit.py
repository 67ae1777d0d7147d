"""Rectangular bases are measured once more where they are known to stand, alone or with their whole block."""

import math
from dataclasses import replace

import numpy as np
import pytest

from models.base import catalogue_of
from tests.vision import regiments
from tests.vision.regiments import Stood, regiment
from vision.capture.sources import Frame
from vision.locate import merge_ranked
from vision.measurement.base_fit import BaseFit
from vision.state_assembly import MeasuredBase
from vision.tracking.association import Appearance, Track
from vision.tracking.remeasure_sweep import RemeasureSweep, block_around

UNIT = regiment((160.0, 220.0), 40.0, ranks=2, files=3)
LONE = Stood((232.0, 262.0), 85.0, (25.0, 25.0), is_marked=True)  # a few millimetres beside the unit
ALL = [*UNIT, LONE]
PLAIN: Appearance = np.zeros((1, 3), np.float32)


@pytest.fixture(scope="module")
def standing() -> dict[str, Track]:
    blocks = regiments.blocks_in(regiments.photograph(ALL), catalogue_of(("warhammer-9",)))
    seen = merge_ranked((), blocks)
    return {id_of(one): Track(id_of(one), one, PLAIN) for one in seen}


def id_of(seen: MeasuredBase) -> str:
    return str(min(range(len(ALL)), key=lambda k: math.dist(ALL[k].at_mm, seen.fit.at_mm)))


def _swept(stood: list[Stood], standing: dict[str, Track]) -> set[str]:
    """Whom two rounds of looks find elsewhere."""
    sweep, picture = RemeasureSweep(), regiments.photograph(stood)
    looks = [
        sweep.remeasure_next(Frame(k, float(k), picture), standing, view=regiments.view())
        for k in range(3 * len(standing))
    ]
    return {id_ for found in looks for id_ in found}


def test_the_sweep_finds_nobody_elsewhere_while_all_stand_where_they_stood(standing: dict[str, Track]) -> None:
    assert set(standing) == {str(k) for k in range(len(ALL))}
    assert _swept(ALL, standing) == set()


def test_the_sweep_finds_a_lone_square_that_was_pushed_beside_its_unit(standing: dict[str, Track]) -> None:
    pushed = replace(LONE, at_mm=(LONE.at_mm[0] + 2.2, LONE.at_mm[1]))

    assert _swept([*UNIT, pushed], standing) == {str(len(UNIT))}


def test_a_block_is_made_of_those_who_join_in_line(standing: dict[str, Track]) -> None:
    fits: list[BaseFit] = [one.seen.fit for one in standing.values()]
    first, alone = standing["0"].seen.fit, standing[str(len(UNIT))].seen.fit

    assert len(block_around(first, fits).members) == len(UNIT)
    assert len(block_around(alone, fits).members) == 1
