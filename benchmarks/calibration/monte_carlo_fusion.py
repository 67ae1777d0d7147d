"""Two cameras over a table of six by four feet, drawn anew: is the merged state's sigma the error that is made?"""

from dataclasses import dataclass

import numpy as np

from calibration.arrays import Floats, Mask
from models.base import RoundBase
from models.miniature import Miniature
from models.state import CommonMode, TableSize, TableState
from vision.camera_fusion import FusedState, fuse_states

WIDTH_MM, DEPTH_MM = 1828.8, 1219.2
BASES, OVERLAP_MM, OWN_MM = 30, 400.0, 0.2
SHIFT_MM, TURN_RAD, SCALE = 0.2, 2e-4, 2e-4  # of a camera's places, per sigma: along x and y, round, larger


@dataclass(frozen=True)
class Draw:
    """Squared errors and stated variances per axis of the bases that both cameras see, mm²; and what was merged."""

    error_mm2: float
    stated_mm2: float
    alone_mm2: float
    merged: FusedState


def draw_fusion(seed: int, *, bump_mm: float = 0.0) -> Draw:
    """Bases at random, each camera with its own errors; the second one's table was pushed aside by a bump."""
    random = np.random.default_rng(seed)
    places = _draw_places(random)
    half = WIDTH_MM / 2
    left = _state(random, places, places[:, 0] < half + OVERLAP_MM / 2, eye_mm=np.array([450.0, 610.0]))
    right = _state(
        random, places, places[:, 0] > half - OVERLAP_MM / 2, eye_mm=np.array([1380.0, 610.0]), bump_mm=bump_mm
    )
    merged = fuse_states(left, right)
    both = [id_ for id_, pair in merged.came_from.items() if None not in pair]
    by_id = {miniature.id: miniature for miniature in merged.state.miniatures}
    off = np.array([np.array(by_id[i].at_mm) - places[_number_of(merged.came_from[i][0])] for i in both])
    seen = {miniature.id: miniature for miniature in left.miniatures}
    alone = np.array([np.array(seen[i].at_mm) - places[_number_of(i)] for i in both])
    stated = [np.trace(np.array(by_id[i].covariance())) / 2 for i in both]
    return Draw(float(np.mean(off**2)), float(np.mean(stated)), float(np.mean(alone**2)), merged)


def _number_of(id_: str | None) -> int:
    assert id_ is not None
    return int(id_[1:])


def _draw_places(random: np.random.Generator) -> Floats:
    """Places of bases that stand clear of each other."""
    places: list[Floats] = []
    while len(places) < BASES:
        place = random.uniform([30, 30], [WIDTH_MM - 30, DEPTH_MM - 30])
        if all(np.linalg.norm(place - other) > 60 for other in places):
            places.append(place)
    return np.array(places)


def _state(
    random: np.random.Generator, places: Floats, shown: Mask, *, eye_mm: Floats, bump_mm: float = 0.0
) -> TableState:
    arm = places - eye_mm
    shared = np.stack(
        [
            np.tile([SHIFT_MM, 0.0], (len(places), 1)),
            np.tile([0.0, SHIFT_MM], (len(places), 1)),
            TURN_RAD * np.stack([-arm[:, 1], arm[:, 0]], axis=1),
            SCALE * arm,
        ]
    )
    seen = places + np.tensordot(random.normal(0, 1, 4), shared, axes=1) + random.normal(0, OWN_MM, places.shape)
    seen[:, 0] += bump_mm
    number = np.flatnonzero(shown)
    modes = tuple(
        CommonMode(name=f"pose-{k}", shift_mm={f"b{i}": (float(mode[i, 0]), float(mode[i, 1])) for i in number})
        for k, mode in enumerate(shared)
    )
    total = np.einsum("kni,knj->nij", shared, shared) + OWN_MM**2 * np.eye(2)
    miniatures = tuple(
        Miniature(
            id=f"b{i}",
            base=RoundBase(diameter_mm=(30, 40, 50)[i % 3]),
            at_mm=(float(seen[i, 0]), float(seen[i, 1])),
            covariance_mm2=((total[i, 0, 0], total[i, 0, 1]), (total[i, 1, 0], total[i, 1, 1])),
        )
        for i in number.tolist()
    )
    size = TableSize(width_mm=WIDTH_MM, depth_mm=DEPTH_MM)
    return TableState(edition="warmachine-prime", table=size, miniatures=miniatures, common_mm=modes)
