"""Search of one surface: the best lattice about a place, in patches deskewed by its own edges."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import cv2
import numpy as np

from calibration.arrays import Floats, Floats32, Image
from models.base import RectBase
from models.camera import Camera, CameraPose
from vision.candidates import Candidate
from vision.ranked.block import Block, Patch, PlacedRect, corners_of, patch_around
from vision.ranked.block_splitting import merge_pair, split_block
from vision.ranked.edge_orientations import EdgeOrientation
from vision.ranked.lattice_search import (
    Lattice,
    LineSums,
    OrientedSize,
    align_staggered_lines,
    best_block,
    block_worth_mm,
    oriented_sizes,
)
from vision.ranked.line_evidence import ALONG_MM, LineMaps, detect_lines
from vision.ranked.member_completion import align_lattice, align_phase, complete_members, is_seen_as_several
from vision.rectification.rectify import rectification_maps, rectify

_REACH_RAD = np.radians(6.0)
_FEW_RAD = np.radians(2.0)  # by which lines of one angle differ: where most of them agree is looked for first
_NEAR_RAD = (np.radians(3.0), np.radians(2.0))  # and then their mean, so near, and nearer
_BIN_RAD = np.radians(0.2)
_FULL_STEP = 20.0  # grey levels per pixel; stronger steps count no more
UPRIGHT_PX_PER_MM = 1.25
_HALF_MM = 100.0  # of the patch first searched
_WITHIN_MM = 36.0  # of where edges agree, or half the diagonal of a longer base, the block must begin
_LARGE_MM = 100.0  # a longer side needs a larger patch
_FEW = 2  # bases, beside which a large one may still be what stands there
_AGAIN = 3  # rounds at one block, each with its angle set right by the one before
_CLOSE_RAD = np.radians(0.15)
_ALIKE_RAD = np.radians(1.0)  # angles that differ less are not worth another round
_MOSTLY = 2.0  # times those whom lines tell: the network tells most, and where the block lies
_SURE = 0.7  # the network, of a base of which no line tells
SEES = 0.3  # it thinks there may be one: worth another search
_ALL_ANGLES_RAD = np.radians(np.arange(-15.0, 15.1, 1.5))  # so far off it may tell how one is turned
_PROPOSED_MM, _PROPOSED_SHARE = 12.0, 0.2  # from where it was proposed, and of its longer side if that is more


class SkewEstimator(Protocol):
    """Estimates the skew in radians from the picture's x towards its y, within 6 degrees of the upright and of the
    level."""

    def __call__(self, upright: Image, *, px_per_mm: float) -> float: ...


def skew_of_lines(upright: Image, *, px_per_mm: float) -> float:
    """Skew of the edges that go on in a straight line: figures have edges too, which may all lean one way."""
    across, down = _gradients(upright)
    along = round(ALONG_MM * px_per_mm) | 1
    up, level = np.abs(cv2.blur(across, (1, along))), np.abs(cv2.blur(down, (along, 1)))
    is_up = np.abs(across) > np.abs(down)
    off, weight = _angle_errors(
        across, down, np.where(is_up, np.minimum(up, np.abs(across)), np.minimum(level, np.abs(down)))
    )
    return _trimmed_mean(_histogram_mode(off, weight), off, weight, _NEAR_RAD)


def skew_of_edges(upright: Image, *, px_per_mm: float) -> float:
    """Skew of most edges, however short: lines that are faint do not show from end to end."""
    across, down = _gradients(upright)
    off, weight = _angle_errors(across, down, np.hypot(across, down))
    return _trimmed_mean(0.0, off, weight, (_REACH_RAD, *_NEAR_RAD))


def _gradients(upright: Image) -> tuple[Floats32, Floats32]:
    grey = cv2.GaussianBlur(cv2.cvtColor(upright, cv2.COLOR_BGR2GRAY), (0, 0), 0.8)
    across, down = (np.asarray(cv2.Sobel(grey, cv2.CV_32F, dx, 1 - dx, scale=1 / 8), np.float32) for dx in (1, 0))
    return across, down


def _angle_errors(across: Floats32, down: Floats32, strength: Floats32) -> tuple[Floats, Floats]:
    """By how much each step misses the upright or the level, and how much it counts."""
    off = (np.arctan2(down, across) + np.pi / 4) % (np.pi / 2) - np.pi / 4
    return np.asarray(off, np.float64), np.asarray(np.minimum(strength, _FULL_STEP) ** 2, np.float64)


def _trimmed_mean(mean: float, off: Floats, weight: Floats, reaches_rad: Sequence[float]) -> float:
    for within in reaches_rad:
        near = weight * (np.abs(off - mean) < within)
        mean = float((near * off).sum() / max(near.sum(), 1e-6))
    return mean


def _histogram_mode(off: Floats, weight: Floats) -> float:
    """The angle that most agree on."""
    ends = np.arange(-2 * _REACH_RAD, 2 * _REACH_RAD + _BIN_RAD / 2, _BIN_RAD)
    counts, _ = np.histogram(off, bins=ends, weights=weight)
    few = np.arange(-3 * _FEW_RAD, 3 * _FEW_RAD + _BIN_RAD / 2, _BIN_RAD)
    smooth = np.convolve(counts, np.exp(-((few / _FEW_RAD) ** 2) / 2), "same")
    middle = (ends[1:] + ends[:-1]) / 2
    return float(middle[np.where(np.abs(middle) < _REACH_RAD, smooth, -1.0).argmax()])


@dataclass(frozen=True)
class DeskewedPatch:
    """What the eye sees of a patch."""

    patch: Patch
    picture: Image
    lines: LineMaps


@dataclass(frozen=True)
class Detection:
    """A block in an upright picture; `turn_rad` is where the depth of its members runs."""

    deskewed: DeskewedPatch
    lattice: Lattice

    @property
    def patch(self) -> Patch:
        return self.deskewed.patch

    @property
    def turn_rad(self) -> float:
        return self.patch.turn_rad + (np.pi / 2 if self.lattice.size.is_turned else 0.0)

    @property
    def at_mm(self) -> Floats:
        return self.patch.to_mm(np.array(list(self.lattice.cells.values())))

    @property
    def cells(self) -> list[tuple[int, int]]:
        """Columns along the members' depth, rows to its left."""
        return [(y, -x) if self.lattice.size.is_turned else (x, y) for x, y in self.lattice.cells]

    def corners_mm(self) -> Iterator[Floats]:
        for at in self.at_mm.tolist():
            yield corners_of(self.lattice.size.base, (at[0], at[1]), self.turn_rad, grown_mm=6.0)


@dataclass(frozen=True)
class SurfaceSearch:
    """Looks at one height of one picture, turned upright, for bases of these sizes."""

    image: Image
    camera: Camera
    pose: CameraPose
    z_mm: float
    sizes: tuple[OrientedSize, ...]

    def search_at(self, slant: EdgeOrientation) -> Detection | None:
        """The best block there, its angle set right by its own edges, of the smallest bases that lines part it into."""
        seen = self._deskew(self._search_small_and_large(slant))
        return self._split(seen) if seen is not None else None

    def search_proposed(self, proposed: Sequence[Candidate]) -> "Iterator[Detection]":
        """The best block where bases of these sizes were proposed, at one place and angle: as it was proposed, and of
        the smaller bases that lines part it into; where no line tells and the network is sure, a base where it was
        proposed, for the measuring to judge."""
        sizes = oriented_sizes([candidate.base for candidate in proposed if isinstance(candidate.base, RectBase)])
        longest_mm = max(max(size.wide_mm, size.tall_mm) for size in sizes)
        at, turn = np.array([proposed[0].at_mm]), proposed[0].turn_rad % (np.pi / 2)
        patch = _patch_around(at, turn, margin_mm=longest_mm)
        single = Lattice(sizes[0], {(0, 0): tuple(patch.to_px(at)[0].tolist())}, 0.0)
        off = _skew_of_lattice_rad(self._rectify_patch(patch), single, skew_of_edges)
        slant = EdgeOrientation(proposed[0].at_mm, turn + off, 0.0)
        upright = self._deskewed_patch(
            _patch_around(np.array([slant.at_mm]), slant.turn_rad, margin_mm=1.6 * longest_mm)
        )
        seen = self._deskew(_best_detection(upright, sizes, within_mm=_PROPOSED_MM))
        if seen is None and _is_backed_by_network(proposed):
            seen = self._deskew(self._search_all_angles(slant, sizes))
        if seen is not None:
            yield seen
            yield self._split(seen)
        elif proposed[0].network_score is not None and proposed[0].network_score.p_base > _SURE:
            yield Detection(upright, Lattice(sizes[0], {(0, 0): tuple(upright.patch.to_px(at)[0].tolist())}, 0.0))

    def _search_all_angles(self, slant: EdgeOrientation, sizes: tuple[OrientedSize, ...]) -> Detection | None:
        """The best block there at any angle near this one: of a lone base the network tells it roughly."""
        longest_mm = max(max(size.wide_mm, size.tall_mm) for size in sizes)
        within_mm, detections = max(_PROPOSED_MM, _PROPOSED_SHARE * longest_mm), []
        for off in _ALL_ANGLES_RAD:
            upright = self._deskewed_patch(
                _patch_around(np.array([slant.at_mm]), slant.turn_rad + off, margin_mm=longest_mm)
            )
            detections.append(_best_detection(upright, sizes, within_mm=within_mm))
        return max(
            (detection for detection in detections if detection is not None),
            key=lambda detection: detection.lattice.worth_mm,
            default=None,
        )

    def complete_block(self, block: Block, proposed: Sequence[Candidate]) -> Block:
        """The block with all whom the network sees in its order, worth the lines around all of them, and no less than
        before. Two that no line parts are one; where the network sees smaller ones, that is worth half."""
        whole = complete_members(align_phase(block, proposed), proposed)
        if len(whole.members) > _MOSTLY * len(block.members):
            whole = align_lattice(align_phase(whole, proposed), proposed)
        if len(whole.members) == len(block.members) != 2 and whole.worth_mm > 0:
            return whole
        base, at_mm = whole.members[0].base, np.array([member.at_mm for member in whole.members])
        size = OrientedSize(base, base.depth_mm, base.width_mm, is_turned=False)
        upright = self._deskewed_patch(_patch_around(at_mm, whole.turn_rad, margin_mm=_margin_mm(size)))
        places = map(tuple, upright.patch.to_px(at_mm).tolist())
        lattice = Lattice(size, dict(zip(whole.cells, places, strict=True)), 0.0)
        lattice = replace(lattice, worth_mm=max(block.worth_mm, block_worth_mm(LineSums(upright.lines), lattice)))
        merged = merge_pair(upright.picture, upright.lines, lattice, self.sizes)
        if merged.size == size:
            return replace(whole, worth_mm=merged.worth_mm)
        single = _single_base(Detection(upright, merged), whole)
        return replace(single, worth_mm=single.worth_mm / 2) if is_seen_as_several(single, proposed) else single

    def _split(self, seen: Detection) -> Detection:
        lines = seen.deskewed.lines
        return replace(
            seen,
            lattice=align_staggered_lines(
                LineSums(lines), split_block(seen.deskewed.picture, lines, seen.lattice, self.sizes)
            ),
        )

    def _deskew(self, seen: Detection | None) -> Detection | None:
        """The same block, its angle set right by its own edges: of two angles that they tell, that at which more is
        explained."""
        if seen is None:
            return None
        leans = [_skew_rad(seen, measure) for measure in (skew_of_lines, skew_of_edges)]
        deskewed = self._deskew_by(seen, skew_of_lines)
        if abs(leans[0] - leans[1]) < _ALIKE_RAD:
            return deskewed
        return max(deskewed, self._deskew_by(seen, skew_of_edges), key=lambda detection: detection.lattice.worth_mm)

    def _deskew_by(self, seen: Detection, measure: SkewEstimator) -> Detection:
        """The same block, its angle set right by what this measure tells."""
        for _ in range(_AGAIN):
            off = _skew_rad(seen, measure)
            if abs(off) < _CLOSE_RAD and _has_margin(seen):
                break
            upright = self._deskewed_patch(
                _patch_around(seen.at_mm, seen.patch.turn_rad + off, margin_mm=_margin_mm(seen.lattice.size))
            )
            again = best_block(upright.lines, (seen.lattice.size,), within_mm=1e3)
            if again is None:
                break
            seen = Detection(upright, again)
        return seen

    def _search_small_and_large(self, slant: EdgeOrientation) -> Detection | None:
        """The best block about there. A large base, whose sides lie far from its middle, is looked for where hardly any
        other is: what stands on it, or a part of its rim, may be taken for a small one."""
        seen = self._search_sizes(slant, self.sizes, half_mm=_HALF_MM)
        large = tuple(size for size in self.sizes if max(size.wide_mm, size.tall_mm) > _LARGE_MM)
        if not large or (seen is not None and len(seen.lattice.cells) > _FEW):
            return seen
        other = self._search_sizes(slant, large, half_mm=2 * max(_half_diagonal_mm(size) for size in large))
        return max(
            (detection for detection in (seen, other) if detection is not None),
            key=lambda detection: detection.lattice.worth_mm,
            default=None,
        )

    def _search_sizes(
        self, slant: EdgeOrientation, sizes: tuple[OrientedSize, ...], *, half_mm: float
    ) -> Detection | None:
        """The best block there with a base near to where edges agree: those of a long one lie far from its middle."""
        upright = self._deskewed_patch(_patch_around(np.array([slant.at_mm]), slant.turn_rad, margin_mm=half_mm))
        again = (
            _best_detection(upright, (size,), within_mm=max(_WITHIN_MM, _half_diagonal_mm(size))) for size in sizes
        )
        return max(
            (detection for detection in again if detection is not None),
            key=lambda detection: detection.lattice.worth_mm,
            default=None,
        )

    def _deskewed_patch(self, patch: Patch) -> DeskewedPatch:
        picture = self._rectify_patch(patch)
        return DeskewedPatch(patch, picture, detect_lines(picture, px_per_mm=patch.px_per_mm))

    def _rectify_patch(self, patch: Patch) -> Image:
        return rectify(self.image, rectification_maps(patch, camera=self.camera, pose=self.pose, z_mm=self.z_mm))


def _single_base(seen: Detection, block: Block) -> Block:
    """The one base that is seen where the block was, on its ground."""
    ((x, y),) = seen.at_mm.tolist()
    rect = PlacedRect(seen.lattice.size.base, (x, y), seen.turn_rad, block.members[0].ground)
    return Block((rect,), ((0, 0),), seen.turn_rad, seen.lattice.worth_mm)


def _is_backed_by_network(proposed: Sequence[Candidate]) -> bool:
    """Whether the network thinks that one of these is a base."""
    return any(candidate.network_score is not None and candidate.network_score.p_base > SEES for candidate in proposed)


def _best_detection(upright: DeskewedPatch, sizes: tuple[OrientedSize, ...], *, within_mm: float) -> Detection | None:
    lattice = best_block(upright.lines, sizes, within_mm=within_mm)
    return Detection(upright, lattice) if lattice is not None else None


def _half_diagonal_mm(size: OrientedSize) -> float:
    return math.hypot(size.wide_mm, size.tall_mm) / 2


def _patch_around(points_mm: Floats, turn_rad: float, *, margin_mm: float) -> Patch:
    return patch_around(points_mm, turn_rad=turn_rad, margin_mm=margin_mm, px_per_mm=UPRIGHT_PX_PER_MM)


def _margin_mm(size: OrientedSize) -> float:
    """Room for the block's outermost members, and for one more beside each."""
    return 1.6 * max(size.wide_mm, size.tall_mm) + 8.0


def _has_margin(seen: Detection) -> bool:
    """Whether the picture leaves room for another member on each side."""
    width, height = seen.patch.size_px
    xy = np.array(list(seen.lattice.cells.values()))
    room = 1.5 * seen.patch.px_per_mm * np.array([seen.lattice.size.wide_mm, seen.lattice.size.tall_mm])
    return bool((xy > room).all() and (xy < np.array([width, height]) - room).all())


def _skew_rad(seen: Detection, measure: SkewEstimator) -> float:
    """By which angle the block misses the upright, radians anticlockwise on the table."""
    return _skew_of_lattice_rad(seen.deskewed.picture, seen.lattice, measure)


def _skew_of_lattice_rad(upright: Image, lattice: Lattice, measure: SkewEstimator) -> float:
    xy = np.array(list(lattice.cells.values()))
    half = UPRIGHT_PX_PER_MM * np.array([lattice.size.wide_mm, lattice.size.tall_mm]) / 2 + 2
    (x0, y0), (x1, y1) = np.maximum(xy.min(axis=0) - half, 0).astype(int), (xy.max(axis=0) + half + 1).astype(int)
    return measure(upright[y0:y1, x0:x1], px_per_mm=UPRIGHT_PX_PER_MM)
