"""Facings read from drawn rims, by the kind of mark: how many are told, how far off they are, how true their doubt is.

Tables are drawn from the seed, so the same command prints the same figures: half from above, half as slantwise as a
phone sees them. Every base is fitted from a place about a millimetre off. A rim is *in view* when enough of its marks
is in sight to tell a facing by, however faint they are; *open* are those told with several facings and the probability
of each, as two ticks alone must be; *of told* is the RMS of what is told, RMS and median are those of what is told and
of the nearest of what is open; *wrong* are those told that are off by more than 15 degrees, *flips* by more than 135,
and *none* those open of which no facing is right. Below stands how often what is said with a probability is so, and of
how many rims what stands on the base covers the front half more than the rear: all that it tells of two ends.

    python -m benchmarks.detection.facing_accuracy [--tables 40] [--seed 7] [--finest 1.9] [--coarsest 1.3]
    python -m benchmarks.detection.facing_accuracy --weigh

With --weigh it writes the weights by which sights are told, and prints those of the clues and of the looks: they are of
tables of other seeds than those that judge, of which a part is as coarse as a table in full HD, and one seen closer.
"""

import math
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np

import vision.facing.paint_classifier as told_sights
from benchmarks.detection.facing_weights import fit_marking_weights, fit_paint_classifier, fit_similarity_weights
from benchmarks.detection.marked_tables import MARKINGS, SCALES, MarkedBase, MarkedTable, draw_marked_table
from benchmarks.harness import rms, run
from calibration.view import View
from models.base import RoundBase
from vision.facing.facing_estimate import Facing, estimate_facings
from vision.facing.marking_patterns import Rim
from vision.facing.unwrapped_rim import unwrap_rim
from vision.measurement.base_fit import BaseFit, fit_base
from vision.rectification.ground_height import Ground
from vision.rectification.tone_curve import as_ratios
from vision.training.synthetic.table import SIDE_MM, layout_of

# What is learnt from: seeds, how many tables of each view, and between how many pixels a millimetre.
_TAUGHT = ((31, 100, SCALES), (33, 100, SCALES), (34, 60, (0.6, 1.4)), (35, 30, (1.9, 3.5)))
_WEIGHTS = Path(told_sights.__file__).parent / "paint_classifier.npz"
_START_MM, _FOUND_MM = 0.7, 1.0
_WRONG_DEG, _FLIP_DEG = 15.0, 135.0
_WITHIN = 1.96  # sigmas that 95 % stay within
_SAID = (0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98, 1.0)
Read = tuple[MarkedBase, Facing | None]
Found = list[tuple[MarkedBase, BaseFit]]


def main(
    tables: int = 40, seed: int = 7, coarsest: float = SCALES[0], finest: float = SCALES[1], weigh: bool = False
) -> None:
    if weigh:
        print_weights([fits for taught, count, scales in _TAUGHT for fits in _draw_fits(taught, count, scales)])
        return
    drawn = list(_draw_fits(seed, tables, (coarsest, finest)))
    print_accuracy([(is_slantwise, one) for is_slantwise, table, found in drawn for one in _read_facings(table, found)])


def print_weights(tables: list[tuple[bool, MarkedTable, Found]]) -> None:
    """The weights that these tables ask for: those of sights written where they are read, those of clues and of looks
    printed."""
    untold = [list(_labelled_rims(table, found)) for _, table, found in tables if found]
    layers = fit_paint_classifier([one for rims in untold for one in rims], seed=1)
    np.savez_compressed(_WEIGHTS, *(one.astype(np.float16) for one in layers))
    told_sights.weights.cache_clear()
    known = [_with_classes(rims) for rims in untold]
    for row in fit_marking_weights([one for rims in known for one in rims]):
        print(tuple(round(float(weight), 2) for weight in row))
    print("looks", tuple(round(float(weight), 2) for weight in fit_similarity_weights(known)))


def _with_classes(rims: list[tuple[Rim, MarkedBase]]) -> list[tuple[Rim, MarkedBase]]:
    """These rims with what is seen on them."""
    seen = told_sights.classify_paint([(rim.ratios, rim.strip.rim_width_mm) for rim, _ in rims])
    return [(Rim(rim.strip, rim.ratios, own), truth) for (rim, truth), own in zip(rims, seen, strict=True)]


def print_accuracy(read: list[tuple[bool, Read]]) -> None:
    print(f"{'':24s}{'rims':>6s}{'in view':>9s}{'told':>7s}{'open':>7s}", end="")
    print(f"{'of told':>9s}{'RMS':>7s}{'median':>8s}{'wrong':>7s}{'flips':>7s}{'none':>6s}{'95 %':>8s}")
    for is_slantwise, view in ((False, "above"), (True, "slantwise")):
        for marking in MARKINGS:
            of_kind = [one for slant, one in read if slant == is_slantwise and one[0].marking == marking]
            print(f"{view + ', ' + marking:24s}{_format_row(of_kind)}")
    said = [(p, _is_right(one, rad)) for _, (one, facing) in read if facing for rad, p in facing.alternatives]
    for low, high in pairwise(_SAID):
        some = [one for one in said if low < one[0] <= high]
        if some:
            said_p, is_p = (float(np.mean([one[k] for one in some])) for k in (0, 1))
            print(f"said {said_p:5.3f}   is {is_p:5.3f}   of {len(some)}")
    for is_slantwise, view in ((False, "above"), (True, "slantwise")):
        sides = [_forward_cover(one) for slant, (one, _) in read if slant == is_slantwise and not all(one.seen)]
        print(
            f"{view}: of {len(sides)} rims the front half is covered more in {_share([side > 0 for side in sides]):.2f}"
        )


def off_deg(a_rad: float, b_rad: float) -> float:
    return (math.degrees(a_rad - b_rad) + 180) % 360 - 180


def _draw_fits(
    seed: int, count: int, scales: tuple[float, float] = SCALES
) -> Iterator[tuple[bool, MarkedTable, Found]]:
    """Drawn tables and the bases on them that were fitted."""
    for number in range(count):
        for is_slantwise in (False, True):
            table = draw_marked_table(seed, number, is_slantwise=is_slantwise, scales=scales)
            random = np.random.default_rng([seed, number, 9])
            fits = [(one, _fit(table, one, random)) for one in table.bases]
            found = [(one, fit) for one, fit in fits if fit and math.dist(fit.at_mm, one.at_mm) < _FOUND_MM]
            yield is_slantwise, table, found


def _fit(table: MarkedTable, one: MarkedBase, random: np.random.Generator) -> BaseFit | None:
    x, y = (np.array(one.at_mm) + random.normal(0, _START_MM, 2)).tolist()
    base = RoundBase(diameter_mm=one.diameter_mm)
    return fit_base(
        table.picture, start_mm=(x, y), base=base, ground=Ground(0.0, 0.0), camera=table.camera, pose=table.pose
    )


def _read_facings(table: MarkedTable, found: Found) -> list[Read]:
    fits = [fit for _, fit in found]
    facings = estimate_facings(table.picture, fits, view=View(table.camera, table.pose, layout_of(SIDE_MM, ())))
    return [(one, facing) for (one, _), facing in zip(found, facings, strict=True)]


def _labelled_rims(table: MarkedTable, found: Found) -> Iterator[tuple[Rim, MarkedBase]]:
    """The rims, of which nothing is told yet."""
    for one, fit in found:
        strip = unwrap_rim(table.picture, fit, camera=table.camera, pose=table.pose)
        yield Rim(strip, as_ratios(strip.rings), np.zeros((strip.count, 0))), one


def _forward_cover(one: MarkedBase) -> float:
    """By how much more of the rim is covered in front than behind."""
    ahead = np.cos(np.arange(len(one.seen)) * math.tau / len(one.seen))
    return float(ahead @ ~np.array(one.seen))


def _is_right(one: MarkedBase, facing_rad: float) -> bool:
    return one.marking != "none" and abs(off_deg(facing_rad, one.facing_rad)) < _WRONG_DEG


def _format_row(read: list[Read]) -> str:
    """Of the rims in view the shares that are told, and told with several facings; of all that are told, how far they
    are off in degrees. Of unmarked rims how many are told."""
    told = [(one, facing) for one, facing in read if facing and not facing.is_ambiguous]
    open_ = [(one, facing) for one, facing in read if facing and facing.is_ambiguous]
    if not read or read[0][0].marking == "none":
        return f"{len(read):6d}{'-':>9s}{len(told):7d}{len(open_):7d}"
    view = [facing for one, facing in read if one.is_in_view]
    shares = [_share([one is not None and one.is_ambiguous == both for one in view]) for both in (False, True)]
    return f"{len(read):6d}{len(view):9d}{shares[0]:7.2f}{shares[1]:7.2f}{_format_errors(told, open_)}"


def _format_errors(told: list[tuple[MarkedBase, Facing]], open_: list[tuple[MarkedBase, Facing]]) -> str:
    straight = np.array([off_deg(facing.facing_rad, one.facing_rad) for one, facing in told])
    nearest = [min((off_deg(rad, one.facing_rad) for rad, _ in facing.hypotheses), key=abs) for one, facing in open_]
    off = np.concatenate([straight, nearest])
    sigmas = np.array([math.degrees(facing.sigma_rad) for _, facing in told + open_])
    near = np.abs(off) < _WRONG_DEG
    wrong, flips = int((np.abs(straight) >= _WRONG_DEG).sum()), int((np.abs(straight) > _FLIP_DEG).sum())
    counted = f"{wrong:7d}{flips:7d}{int((np.abs(nearest) >= _WRONG_DEG).sum()):6d}"
    if not near.any():
        return f"{'-':>9s}{'-':>7s}{'-':>8s}{counted}{'-':>8s}"
    of_told, whole, median = rms(straight[near[: len(told)]]), rms(off[near]), float(np.median(np.abs(off[near])))
    within = _share((np.abs(off[near]) < _WITHIN * sigmas[near]).tolist())
    return f"{of_told:9.2f}{whole:7.2f}{median:8.2f}{counted}{within:8.3f}"


def _share(which: list[bool]) -> float:
    return sum(which) / len(which) if which else math.nan


if __name__ == "__main__":
    run(main)
