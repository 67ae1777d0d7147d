"""Block splitting: a block of large bases is split into smaller ones where lines part them along every seam.

Where rims are thin or the picture is soft, the lines between neighbours are too weak to pay for one base more each, and
a few large bases explain what is left. So lattices of smaller ones are laid over the same ground, and believed where
each line between them, but for one of several that figures may hide, runs from end to end. So are two that stand alone:
else they are one base. Such a line keeps its colours all the way, however weak they are (seam evidence); figures that
stand in a row are strong lines on the whole, but of many colours and with gaps between.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np

from calibration.arrays import Floats, Floats32, Image
from vision.ranked.lattice_search import FAINT, Cell, Lattice, LineSums, OrientedSize, search_blocks
from vision.ranked.line_evidence import LineMaps
from vision.rectification.tone_curve import tone_mapped

_TONES = tone_mapped(np.arange(256, dtype=np.uint8))
_SHARE = 0.9  # of a side: the corners are left out
_MOST = 0.3  # of a line may be hidden, or of other colours
_BESIDE_MM = 7.0  # as far as that is looked for which a line must outdo
_NEAR_PX = 1  # that the line may be off its place
_APART_PX = 4  # from it, where beside begins
_OF_BESIDE = 0.9  # of what is found there
_REACH_PX = 2  # of a step or stripe
_SMALLER = 0.7  # of the area of a base, at most
_COVERS = 0.8  # of the ground of the larger ones
# What parts bases (`python -m benchmarks.detection.block_splitting_limits`): so many grey levels clearer than what is
# found beside it,
_LEAST_CLARITY = 1.2
_LEAST_MM = 50.0  # and so long, of all that run one way:
_FOR_EACH_UNCLEAR = 5  # lines that run one way: figures may hide one, hardly two of so many
_LONG_MM = 100.0  # shorter ones must be clearer in proportion, as what stands on one base may look so too


class SeamEvidence:
    """Seams between neighbours in a deskewed patch."""

    def __init__(self, upright: Image, *, px_per_mm: float) -> None:
        self._upright, self._px_per_mm = upright, px_per_mm

    def clarity(self, middles_px: Floats, length_mm: float, *, is_up: bool) -> float:
        """Contrast, in grey levels, of the line through all these places (N, 2), as long at each, over what is found
        beside it."""
        tones = self._tones if is_up else self._tones.transpose(1, 0, 2)
        at = middles_px if is_up else middles_px[:, ::-1]
        along = _consistent_strength(
            _steps_and_stripes(_sample_along(tones, at, _SHARE * length_mm * self._px_per_mm, self._off_px))
        )
        middle = self._off_px
        here = float(along[middle - _NEAR_PX : middle + _NEAR_PX + 1].max())
        flanks = np.delete(along, slice(middle - _APART_PX + 1, middle + _APART_PX))
        return here - max(0.0, float(np.quantile(flanks, _OF_BESIDE)))

    @cached_property
    def _tones(self) -> Floats32:
        return np.asarray(cv2.GaussianBlur(cv2.LUT(self._upright, _TONES), (0, 0), 0.6), np.float32)

    @property
    def _off_px(self) -> int:
        return round(_BESIDE_MM * self._px_per_mm)


def _sample_along(tones: Floats32, at: Floats, length_px: float, off_px: int) -> Floats32:
    """(pixels along all the lines, columns about them, 3)."""
    height, width = tones.shape[:2]
    rows = np.rint(at[:, 1:] + np.arange(round(length_px)) - length_px / 2).astype(int).clip(0, height - 1)
    offsets = np.arange(-off_px - _REACH_PX, off_px + _REACH_PX + 1)
    columns = (np.rint(at[:, :1]).astype(int) + offsets).clip(0, width - 1)
    return np.asarray(tones[rows[:, :, None], columns[:, None, :]]).reshape(-1, len(offsets), 3)


def _steps_and_stripes(seen: Floats32) -> Floats32:
    """(.., columns but for the outermost, 6): steps and stripes at each, with their sign."""
    step = 0.5 * (seen[:, 3:-1] - seen[:, 1:-3])
    stripe = 0.7 * seen[:, 2:-2] - 0.35 * (seen[:, :-4] + seen[:, 4:])
    return np.concatenate([step, stripe], axis=2)


def _consistent_strength(steps: Floats32) -> Floats:
    """For each column how much of the usual step all but a few of its pixels share."""
    usual = np.median(steps, axis=0)
    size = np.linalg.norm(usual, axis=1)
    share = np.einsum("nks,ks->nk", steps, usual / np.maximum(size, 1e-6)[:, None])
    return np.asarray(np.quantile(share, _MOST, axis=0), np.float64)


@dataclass(frozen=True, eq=False)
class Seam:
    """A seam: the line at which two columns of a block meet, or two rows (not `is_up`)."""

    is_up: bool
    side_mm: float  # of a base
    at_px: Floats  # its middle between each two bases, (N, 2)
    evidence: SeamEvidence

    @property
    def length_mm(self) -> float:
        return self.side_mm * len(self.at_px)

    @cached_property
    def clarity(self) -> float:
        return self.evidence.clarity(self.at_px, self.side_mm, is_up=self.is_up)


def split_block(picture: Image, lines: LineMaps, block: Lattice, sizes: Sequence[OrientedSize]) -> Lattice:
    """Splits the block into the smallest bases that lines part all its bases into; the same block, where they do
    not."""
    ways = sorted(overlay_smaller_bases(picture, lines, block, sizes), key=lambda split: -len(split[0].cells))
    return next((split for split, seams in ways if are_clear(seams, clarity=_LEAST_CLARITY)), block)


def merge_pair(picture: Image, lines: LineMaps, block: Lattice, sizes: Sequence[OrientedSize]) -> Lattice:
    """Merges two bases into the one they make together, where no line parts them; all other blocks stay as they are.

    What stands on one base may look like a line, too. Where there is no such size, they are worth half: hardly both are
    there.
    """
    seams = list(_seams_of(SeamEvidence(picture, px_per_mm=lines.px_per_mm), block)) if len(block.cells) == 2 else []
    if not seams or seams[0].clarity > _LEAST_CLARITY:
        return block
    wide = block.size.wide_mm * (2 if seams[0].is_up else 1)
    tall = block.size.tall_mm * (1 if seams[0].is_up else 2)
    whole = next((size for size in sizes if (size.wide_mm, size.tall_mm) == (wide, tall)), None)
    if whole is None:
        return replace(block, worth_mm=block.worth_mm / 2)
    x, y = np.mean(list(block.cells.values()), axis=0).tolist()
    return Lattice(whole, {(0, 0): (x, y)}, block.worth_mm)


def are_clear(seams: Sequence[Seam], *, clarity: float) -> bool:
    """Whether all of these seams part bases, if those do that are so clear; of those that run one way all but one in
    five."""
    ways = [[seam for seam in seams if seam.is_up == is_up] for is_up in (True, False)]
    return all(_are_all_clear(parallel, clarity) for parallel in ways if parallel)


def _are_all_clear(seams: Sequence[Seam], clarity: float) -> bool:
    long_mm = sum(seam.length_mm for seam in seams)
    felt = [seam.clarity * min(1.0, long_mm / _LONG_MM) for seam in seams]
    unclear = sum(clarity_of_seam <= clarity for clarity_of_seam in felt)
    return long_mm >= _LEAST_MM and unclear <= len(seams) // _FOR_EACH_UNCLEAR


def overlay_smaller_bases(
    picture: Image, lines: LineMaps, block: Lattice, sizes: Sequence[OrientedSize]
) -> Iterator[tuple[Lattice, tuple[Seam, ...]]]:
    """Lattices of smaller bases that cover most of this block, each with the seams between them."""
    sums, seams = LineSums(lines), SeamEvidence(picture, px_per_mm=lines.px_per_mm)
    reach_mm = _reach_mm(block, lines.px_per_mm)
    for size in sizes:
        if _area(size) > _SMALLER * _area(block.size):
            continue
        for lattice in search_blocks(sums, size, within_mm=reach_mm, limits=FAINT):
            if len(lattice.cells) > 1 and _covered_share(block, lattice, lines.px_per_mm) > _COVERS:
                more = len(lattice.cells) * _area(size) / len(block.cells) / _area(block.size)
                yield replace(lattice, worth_mm=more * block.worth_mm), tuple(_seams_of(seams, lattice))


def _seams_of(seams: SeamEvidence, block: Lattice) -> Iterator[Seam]:
    for is_up, side_mm in ((True, block.size.tall_mm), (False, block.size.wide_mm)):
        places: dict[int, list[Floats]] = defaultdict(list)
        for (column, row), at in block.cells.items():
            neighbour: Cell = (column + 1, row) if is_up else (column, row + 1)
            if neighbour in block.cells:
                places[column if is_up else row].append(np.add(at, block.cells[neighbour]) / 2)
        for at_px in places.values():
            yield Seam(is_up, side_mm, np.array(at_px), seams)


def _area(size: OrientedSize) -> float:
    return size.wide_mm * size.tall_mm


def _reach_mm(block: Lattice, px_per_mm: float) -> float:
    """How far it extends at most from its middle, either way."""
    spread_mm = np.ptp(_at_mm(block, px_per_mm), axis=0)
    return float((spread_mm + np.array([block.size.wide_mm, block.size.tall_mm])).max()) / 2


def _covered_share(block: Lattice, other: Lattice, px_per_mm: float) -> float:
    """Which share of the block's ground the other's bases stand on."""
    away = np.abs(_at_mm(block, px_per_mm)[:, None] - _at_mm(other, px_per_mm)[None])
    sides, others = (np.array([lattice.size.wide_mm, lattice.size.tall_mm]) for lattice in (block, other))
    shared = np.minimum((sides + others) / 2 - away, np.minimum(sides, others)).clip(0)
    return float(shared.prod(axis=2).sum() / (len(block.cells) * sides.prod()))


def _at_mm(block: Lattice, px_per_mm: float) -> Floats:
    return np.array(list(block.cells.values())) / px_per_mm
