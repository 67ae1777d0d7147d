"""Facings read from drawn rims, by the kind of mark: how many are told, how far off they are, how true their doubt is.

Tables are drawn from the seed, so the same command prints the same figures: half from above, half as slantwise as a
phone sees them. Every base is fitted from a place about a millimetre off. A rim is *in view* when enough of its marks
is in sight to tell a facing by, however faint they are; *both* are those told with two ends of a line and their
probabilities, as two ticks alone must be; *wrong* are those off by more than 15 degrees, *flips* by more than 135.

    python -m benchmarks.facings [--tables 40] [--seed 7] [--weigh]

With --weigh it prints the weights that these tables ask for. Those of `vision/rims` are of 260 such tables, some
drawn by an earlier state of this drawing, and of other seeds than the one that judges.
"""

import argparse
import math
from collections.abc import Iterator
from pprint import pprint

import numpy as np

from benchmarks.facings_weighed import Known, known, off_deg, weighed
from benchmarks.marked import Marked, MarkedTable, marked_table
from benchmarks.marked_paint import MARKINGS
from models.base import RoundBase
from vision.candidates import Ground
from vision.facing import Facing, facings_of
from vision.fit import RimFit, fit_rim
from vision.rims.changes import rim_of
from vision.rims.strip import unrolled

_START_MM, _FOUND_MM = 0.7, 1.0
_WRONG_DEG, _FLIP_DEG = 15.0, 135.0
_WITHIN = 1.96  # sigmas that 95 % stay within
Read = tuple[Marked, Facing | None]
Found = list[tuple[Marked, RimFit]]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.facings")
    parser.add_argument("--tables", type=int, default=40, help="of each view")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--weigh", action="store_true")
    said = parser.parse_args()
    tables = list(_fitted(said.seed, said.tables))
    if said.weigh:
        pprint(weighed([_known(table, found) for _, table, found in tables]), width=118, compact=True)
        return
    print(f"{'':24s}{'rims':>6s}{'in view':>9s}{'told':>7s}{'both':>7s}", end="")
    print(f"{'RMS':>7s}{'median':>8s}{'wrong':>7s}{'flips':>7s}{'95 %':>8s}")
    for is_slantwise, view in ((False, "above"), (True, "slantwise")):
        read = [one for slant, table, found in tables if slant == is_slantwise for one in _read(table, found)]
        for marking in MARKINGS:
            print(f"{view + ', ' + marking:24s}{_row([one for one in read if one[0].marking == marking])}")


def _fitted(seed: int, count: int) -> Iterator[tuple[bool, MarkedTable, Found]]:
    """Drawn tables and the bases on them that were fitted."""
    for number in range(count):
        for is_slantwise in (False, True):
            table = marked_table(seed, number, is_slantwise=is_slantwise)
            random = np.random.default_rng([seed, number, 9])
            fits = [(one, _fit(table, one, random)) for one in table.bases]
            found = [(one, fit) for one, fit in fits if fit and math.dist(fit.at_mm, one.at_mm) < _FOUND_MM]
            yield is_slantwise, table, found


def _fit(table: MarkedTable, one: Marked, random: np.random.Generator) -> RimFit | None:
    x, y = (np.array(one.at_mm) + random.normal(0, _START_MM, 2)).tolist()
    base = RoundBase(diameter_mm=one.diameter_mm)
    return fit_rim(
        table.picture, start_mm=(x, y), base=base, ground=Ground(0.0, 0.0), camera=table.camera, pose=table.pose
    )


def _read(table: MarkedTable, found: Found) -> list[Read]:
    fits = [fit for _, fit in found]
    facings = facings_of(table.picture, fits, camera=table.camera, pose=table.pose)
    return [(one, facing) for (one, _), facing in zip(found, facings, strict=True)]


def _known(table: MarkedTable, found: Found) -> list[Known]:
    return [
        known(rim_of(unrolled(table.picture, fit, camera=table.camera, pose=table.pose)), one) for one, fit in found
    ]


def _row(read: list[Read]) -> str:
    """Of the rims in view the shares that are told, and told with both ends; of all that are told, how far they are off
    in degrees. Of unmarked rims how many are told."""
    told = [(one, facing) for one, facing in read if facing and not facing.is_either_way]
    lines = [(one, facing) for one, facing in read if facing and facing.is_either_way]
    if read and read[0][0].marking == "none":
        return f"{len(read):6d}{'-':>9s}{len(told):7d}{len(lines):7d}"
    view = [facing for one, facing in read if one.is_in_view]
    shares = [_share([one is not None and one.is_either_way == both for one in view]) for both in (False, True)]
    return f"{len(read):6d}{len(view):9d}{shares[0]:7.2f}{shares[1]:7.2f}{_off(told, lines)}"


def _off(told: list[tuple[Marked, Facing]], lines: list[tuple[Marked, Facing]]) -> str:
    straight = np.array([off_deg(facing.facing_rad, one.facing_rad) for one, facing in told])
    aside = np.array([(off_deg(facing.facing_rad, one.facing_rad) + 90) % 180 - 90 for one, facing in lines])
    off = np.concatenate([straight, aside])
    sigmas = np.array([math.degrees(facing.sigma_rad) for _, facing in told + lines])
    near = np.abs(off) < _WRONG_DEG
    if not near.any():
        return f"{'-':>7s}{'-':>8s}{len(off):7d}{int((np.abs(straight) > _FLIP_DEG).sum()):7d}{'-':>8s}"
    rms, median = float(np.sqrt(np.mean(off[near] ** 2))), float(np.median(np.abs(off[near])))
    within = _share((np.abs(off[near]) < _WITHIN * sigmas[near]).tolist())
    flips = int((np.abs(straight) > _FLIP_DEG).sum())
    return f"{rms:7.2f}{median:8.2f}{int((~near).sum()):7d}{flips:7d}{within:8.3f}"


def _share(which: list[bool]) -> float:
    return sum(which) / len(which) if which else math.nan


if __name__ == "__main__":
    main()
