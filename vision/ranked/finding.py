"""Rectangular bases found as blocks: where straight edges agree on an angle, the block that explains them best.

A base that stands alone is a block of one. Where somebody else saw a rectangle, it is looked for one as well.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from models.base import Catalogue, RectBase
from models.camera import Camera, CameraPose
from models.layout import Layout
from models.words import Point
from vision.candidates import Box, Candidate, Picture
from vision.ground import GroundMap
from vision.ranked.advising import advised, clear_of_others, is_meant
from vision.ranked.blocks import Block, Placed, corners_of
from vision.ranked.joining import are_seen_in, in_order, in_phase, joined
from vision.ranked.lattice import Found, Size, Sums, best_block, in_step, sizes_of, worth_mm
from vision.ranked.leaning import Measure, lean_of_edges, lean_of_lines
from vision.ranked.lines import Lines, lines_of
from vision.ranked.parting import as_one, parted
from vision.ranked.patch import Patch, patch_around
from vision.ranked.rivals import apart
from vision.ranked.slants import PX_PER_MM, Slant, Slants, Steps, colour_steps, grey_steps
from vision.rectify import Window, straightened, window_maps
from vision.searching import HALF_RIM_MM, is_on, windows

Floats = NDArray[np.float64]

UPRIGHT_PX_PER_MM = 1.25
_HALF_MM = 100.0  # of the upright picture first looked at
_MARGIN_MM = 30.0  # around a block looked at again
_WITHIN_MM = 36.0  # of where edges agree, or half the diagonal of a longer base, the block must begin
_LARGE_MM = 100.0  # a longer side needs a larger picture
_FEW = 2  # bases, beside which a large one may still be what stands there
_EDGE_MM = 12.0  # from the table's own edge, whose line no base need have
_FORGET_MM = 25.0
_MOST_PICTURES = 70
# What is looked for, and by how many pixels of edge the best angle must outdo the others. Colours tell apart what is
# alike in brightness, but figures are of many, too: they come last.
_STEPS: tuple[tuple[Callable[[Picture], Steps], float], ...] = ((grey_steps, 14.0), (colour_steps, 28.0))
_AGAIN = 3  # looks at one block, each with its angle set right by the one before
_CLOSE_RAD = np.radians(0.15)
_ALIKE_RAD = np.radians(1.0)  # angles that differ less are not worth another look
_LEVEL_MM = 3.0  # ground no higher looks like the table's own
_SIDES_OF_A_PIECE = 2  # of a block: one may stand along an edge
_MOSTLY = 2.0  # times those whom lines tell: the network tells most, and where the block lies
_SURE = 0.7  # the network, of a base of which no line tells
_SEES = 0.3  # it thinks there may be one: worth more looks
_ASKEW_RAD = np.radians(np.arange(-15.0, 15.1, 1.5))  # so far off it may tell how one is turned
_PROPOSED_MM, _PROPOSED_SHARE = 12.0, 0.2  # from where it was proposed, and of its longer side if that is more


class BlockFinder:
    """Finds blocks of the catalogue's rectangles on every surface of the layout."""

    def __init__(self, catalogue: Catalogue, layout: Layout) -> None:
        self._sizes = sizes_of([base for base in catalogue.bases if isinstance(base, RectBase)])
        self._ground = GroundMap(layout)
        self._table: Box = (0.0, 0.0, *layout.table_mm)
        wide, deep = (side - 2 * _EDGE_MM for side in layout.table_mm)
        self._within = _EDGE_MM + np.array([[0.0, 0.0], [wide, 0.0], [wide, deep], [0.0, deep]])

    def find(
        self,
        image: Picture,
        *,
        camera: Camera,
        pose: CameraPose,
        boxes: tuple[Box, ...] | None = None,
        proposed: Sequence[Candidate] = (),
    ) -> tuple[Block, ...]:
        """The blocks, whole, those that explain most first; none overlap. `proposed`: what finders think
        stands there, rectangles and others."""
        return self.found(self.begun(image, camera=camera, pose=pose, boxes=boxes), proposed)

    def begun(
        self, image: Picture, *, camera: Camera, pose: CameraPose, boxes: tuple[Box, ...] | None = None
    ) -> "tuple[Sight, ...]":
        """What edges alone tell, surface by surface: that need not wait for other finders."""
        if not self._sizes:
            return ()
        sights: list[Sight] = []
        for surface_mm, window in windows(self._ground, table=self._table, boxes=boxes, px_per_mm=PX_PER_MM):
            if 0 < abs(surface_mm) < _LEVEL_MM:
                continue
            eye = _Eye(image, camera, pose, surface_mm + HALF_RIM_MM, self._sizes)
            whole = straightened(image, window_maps(window, camera=camera, pose=pose, z_mm=eye.z_mm))
            seen = self._seen(whole, window, eye)
            sights.append(
                Sight(surface_mm, eye, tuple(block for one in seen for block in self._blocks(one, surface_mm)))
            )
        return tuple(sights)

    def found(self, sights: "Sequence[Sight]", proposed: Sequence[Candidate]) -> tuple[Block, ...]:
        """The blocks that were seen, and those that stand where finders think."""
        found: list[Block] = []
        for surface_mm, eye in {sight.surface_mm: sight.eye for sight in sights}.items():
            places = _by_place(proposed, surface_mm)
            here = [one for alike in places for one in alike]
            known = [one for sight in sights if sight.surface_mm == surface_mm for one in sight.blocks]
            found += [eye.joined(one, here) for one in known]
            for alike in places:
                if not any(is_meant(one, alike) for block in found for one in block.members):
                    again = [block for seen in eye.look_where(alike) for block in self._blocks(seen, surface_mm)]
                    found += [eye.joined(one, here) for one in again]
        told = (clear_of_others(advised(one, proposed), proposed) for one in found)
        return apart([one for one in told if one is not None and not self._is_a_piece(one)])

    def _is_a_piece(self, block: Block) -> bool:
        """Whether the layout knows better whose lines these are: two sides of what the network sees no base in run
        along the edge of a piece of terrain."""
        if block.opinion is not None and block.opinion.is_it > _SEES:
            return False
        corners = block.corners_mm.tolist()
        sides = zip(corners, corners[1:] + corners[:1], strict=True)
        return sum(self._ground.runs_along((ax, ay), (bx, by)) for (ax, ay), (bx, by) in sides) >= _SIDES_OF_A_PIECE

    def _seen(self, picture: Picture, window: Window, eye: "_Eye") -> "list[_Seen]":
        """The blocks where edges agree, those first that are told by brightness."""
        seen: list[_Seen] = []
        looked: list[Slant] = []
        for steps, least in _STEPS:
            slants = Slants(steps(picture), window, inside_mm=self._within, least=least)
            for slant in looked:
                slants.forget(_disc(slant.at_mm, _FORGET_MM), slant.turn_rad)
            for one in seen:
                _forget(slants, one)
            for slant in islice(iter(slants.strongest, None), _MOST_PICTURES):
                looked.append(slant)
                found = eye.look(slant)
                slants.forget(_disc(slant.at_mm, _FORGET_MM), slant.turn_rad)
                if found is not None:
                    _forget(slants, found)
                    seen.append(found)
        return seen

    def _blocks(self, seen: "_Seen", surface_mm: float) -> Iterator[Block]:
        """The block, of those members that stand on this surface."""
        size, turn = seen.found.size, seen.turn_rad
        members, cells = [], []
        for cell, at in zip(seen.cells, seen.at_mm.tolist(), strict=True):
            ground = self._ground.under((at[0], at[1]))
            if is_on(self._table, (at[0], at[1])) and abs(ground.surface_mm - surface_mm) < _LEVEL_MM:
                members.append(Placed(size.base, (at[0], at[1]), turn, ground))
                cells.append(cell)
        if members:
            yield Block(tuple(members), tuple(cells), turn, seen.found.worth_mm * len(members) / len(seen.cells))


@dataclass(frozen=True)
class _Upright:
    """What the eye sees of a patch."""

    patch: Patch
    picture: Picture
    lines: Lines


@dataclass(frozen=True)
class _Seen:
    """A block in an upright picture; `turn_rad` is where the depth of its members runs."""

    upright: _Upright
    found: Found

    @property
    def patch(self) -> Patch:
        return self.upright.patch

    @property
    def turn_rad(self) -> float:
        return self.patch.turn_rad + (np.pi / 2 if self.found.size.is_turned else 0.0)

    @property
    def at_mm(self) -> Floats:
        return self.patch.to_mm(np.array(list(self.found.cells.values())))

    @property
    def cells(self) -> list[tuple[int, int]]:
        """Columns along the members' depth, rows to its left."""
        return [(y, -x) if self.found.size.is_turned else (x, y) for x, y in self.found.cells]

    def corners_mm(self) -> Iterator[Floats]:
        for at in self.at_mm.tolist():
            yield corners_of(self.found.size.base, (at[0], at[1]), self.turn_rad, grown_mm=6.0)


@dataclass(frozen=True)
class _Eye:
    """Looks at one height of one picture, turned upright, for bases of these sizes."""

    image: Picture
    camera: Camera
    pose: CameraPose
    z_mm: float
    sizes: tuple[Size, ...]

    def look(self, slant: Slant) -> _Seen | None:
        """The best block there, its angle set right by its own edges, of the smallest bases that lines part it into."""
        seen = self._righted(self._first(slant))
        return self._parted(seen) if seen is not None else None

    def look_where(self, proposed: Sequence[Candidate]) -> "Iterator[_Seen]":
        """The best block where bases of these sizes were proposed, at one place and angle: as it was proposed, and of
        the smaller bases that lines part it into; where no line tells and the network is sure, a base where it was
        proposed, for the measuring to judge."""
        sizes = sizes_of([one.base for one in proposed if isinstance(one.base, RectBase)])
        longest_mm = max(max(size.wide_mm, size.tall_mm) for size in sizes)
        at, turn = np.array([proposed[0].at_mm]), proposed[0].turn_rad % (np.pi / 2)
        patch = _around(at, turn, margin_mm=longest_mm)
        there = Found(sizes[0], {(0, 0): tuple(patch.to_px(at)[0].tolist())}, 0.0)
        off = _lean_within(self._picture(patch), there, lean_of_edges)
        slant = Slant(proposed[0].at_mm, turn + off, 0.0)
        upright = self._upright(_around(np.array([slant.at_mm]), slant.turn_rad, margin_mm=1.6 * longest_mm))
        seen = self._righted(_best(upright, sizes, within_mm=_PROPOSED_MM))
        if seen is None and _is_seen(proposed):
            seen = self._righted(self._askew(slant, sizes))
        if seen is not None:
            yield seen
            yield self._parted(seen)
        elif proposed[0].opinion is not None and proposed[0].opinion.is_it > _SURE:
            yield _Seen(upright, Found(sizes[0], {(0, 0): tuple(upright.patch.to_px(at)[0].tolist())}, 0.0))

    def _askew(self, slant: Slant, sizes: tuple[Size, ...]) -> _Seen | None:
        """The best block there at any angle near this one: of a lone base the network tells it roughly."""
        longest_mm = max(max(size.wide_mm, size.tall_mm) for size in sizes)
        within_mm, found = max(_PROPOSED_MM, _PROPOSED_SHARE * longest_mm), []
        for off in _ASKEW_RAD:
            upright = self._upright(_around(np.array([slant.at_mm]), slant.turn_rad + off, margin_mm=longest_mm))
            found.append(_best(upright, sizes, within_mm=within_mm))
        return max((one for one in found if one is not None), key=lambda one: one.found.worth_mm, default=None)

    def joined(self, block: Block, proposed: Sequence[Candidate]) -> Block:
        """The block with all whom the network sees in its order, worth the lines around all of them, and no less than
        before. Two that no line parts are one; where the network sees smaller ones, that is worth half."""
        whole = joined(in_phase(block, proposed), proposed)
        if len(whole.members) > _MOSTLY * len(block.members):
            whole = in_order(in_phase(whole, proposed), proposed)
        if len(whole.members) == len(block.members) != 2 and whole.worth_mm > 0:
            return whole
        base, at_mm = whole.members[0].base, np.array([one.at_mm for one in whole.members])
        size = Size(base, base.depth_mm, base.width_mm, is_turned=False)
        upright = self._upright(_around(at_mm, whole.turn_rad, margin_mm=_margin_mm(size)))
        places = map(tuple, upright.patch.to_px(at_mm).tolist())
        there = Found(size, dict(zip(whole.cells, places, strict=True)), 0.0)
        there = replace(there, worth_mm=max(block.worth_mm, worth_mm(Sums(upright.lines), there)))
        told = as_one(upright.picture, upright.lines, there, self.sizes)
        if told.size == size:
            return replace(whole, worth_mm=told.worth_mm)
        one = _lone(_Seen(upright, told), whole)
        return replace(one, worth_mm=one.worth_mm / 2) if are_seen_in(one, proposed) else one

    def _parted(self, seen: _Seen) -> _Seen:
        lines = seen.upright.lines
        return replace(seen, found=in_step(Sums(lines), parted(seen.upright.picture, lines, seen.found, self.sizes)))

    def _righted(self, seen: _Seen | None) -> _Seen | None:
        """The same block, its angle set right by its own edges: of two angles that they tell, that at which more is
        explained."""
        if seen is None:
            return None
        leans = [_lean(seen, measure) for measure in (lean_of_lines, lean_of_edges)]
        found = self._turned(seen, lean_of_lines)
        if abs(leans[0] - leans[1]) < _ALIKE_RAD:
            return found
        return max(found, self._turned(seen, lean_of_edges), key=lambda one: one.found.worth_mm)

    def _turned(self, seen: _Seen, measure: Measure) -> _Seen:
        """The same block, its angle set right by what this measure tells."""
        for _ in range(_AGAIN):
            off = _lean(seen, measure)
            if abs(off) < _CLOSE_RAD and _is_inside(seen):
                break
            upright = self._upright(
                _around(seen.at_mm, seen.patch.turn_rad + off, margin_mm=_margin_mm(seen.found.size))
            )
            again = best_block(upright.lines, (seen.found.size,), within_mm=1e3)
            if again is None:
                break
            seen = _Seen(upright, again)
        return seen

    def _first(self, slant: Slant) -> _Seen | None:
        """The best block about there. A large base, whose sides lie far from its middle, is looked for where hardly any
        other is: what stands on it, or a part of its rim, may be taken for a small one."""
        seen = self._begun(slant, self.sizes, half_mm=_HALF_MM)
        large = tuple(size for size in self.sizes if max(size.wide_mm, size.tall_mm) > _LARGE_MM)
        if not large or (seen is not None and len(seen.found.cells) > _FEW):
            return seen
        other = self._begun(slant, large, half_mm=2 * max(_half_diagonal_mm(size) for size in large))
        return max((one for one in (seen, other) if one is not None), key=lambda one: one.found.worth_mm, default=None)

    def _begun(self, slant: Slant, sizes: tuple[Size, ...], *, half_mm: float) -> _Seen | None:
        """The best block there with a base near to where edges agree: those of a long one lie far from its middle."""
        upright = self._upright(_around(np.array([slant.at_mm]), slant.turn_rad, margin_mm=half_mm))
        found = (_best(upright, (size,), within_mm=max(_WITHIN_MM, _half_diagonal_mm(size))) for size in sizes)
        return max((one for one in found if one is not None), key=lambda one: one.found.worth_mm, default=None)

    def _upright(self, patch: Patch) -> _Upright:
        picture = self._picture(patch)
        return _Upright(patch, picture, lines_of(picture, px_per_mm=patch.px_per_mm))

    def _picture(self, patch: Patch) -> Picture:
        return straightened(self.image, window_maps(patch, camera=self.camera, pose=self.pose, z_mm=self.z_mm))


@dataclass(frozen=True)
class Sight:
    """The blocks seen in one window of a surface, and what looks there again."""

    surface_mm: float
    eye: _Eye
    blocks: tuple[Block, ...]


def _forget(slants: Slants, seen: _Seen) -> None:
    for corners in seen.corners_mm():
        slants.forget(corners)


def _lone(seen: _Seen, block: Block) -> Block:
    """The one base that is seen where the block was, on its ground."""
    ((x, y),) = seen.at_mm.tolist()
    one = Placed(seen.found.size.base, (x, y), seen.turn_rad, block.members[0].ground)
    return Block((one,), ((0, 0),), seen.turn_rad, seen.found.worth_mm)


def _is_seen(proposed: Sequence[Candidate]) -> bool:
    """Whether the network thinks that one of these is a base."""
    return any(one.opinion is not None and one.opinion.is_it > _SEES for one in proposed)


def _by_place(proposed: Iterable[Candidate], surface_mm: float) -> list[list[Candidate]]:
    """The rectangles that stand on this surface: what one sight may be lies together."""
    places: dict[Point, list[Candidate]] = defaultdict(list)
    for one in proposed:
        if isinstance(one.base, RectBase) and abs(one.ground.surface_mm - surface_mm) < _LEVEL_MM:
            places[one.at_mm].append(one)
    return list(places.values())


def _best(upright: _Upright, sizes: tuple[Size, ...], *, within_mm: float) -> _Seen | None:
    found = best_block(upright.lines, sizes, within_mm=within_mm)
    return _Seen(upright, found) if found is not None else None


def _half_diagonal_mm(size: Size) -> float:
    return math.hypot(size.wide_mm, size.tall_mm) / 2


def _around(points_mm: Floats, turn_rad: float, *, margin_mm: float) -> Patch:
    return patch_around(points_mm, turn_rad=turn_rad, margin_mm=margin_mm, px_per_mm=UPRIGHT_PX_PER_MM)


def _margin_mm(size: Size) -> float:
    """Room for the block's outermost members, and for one more beside each."""
    return 1.6 * max(size.wide_mm, size.tall_mm) + 8.0


def _is_inside(seen: _Seen) -> bool:
    """Whether the picture leaves room for another member on each side."""
    width, height = seen.patch.size_px
    xy = np.array(list(seen.found.cells.values()))
    room = 1.5 * seen.patch.px_per_mm * np.array([seen.found.size.wide_mm, seen.found.size.tall_mm])
    return bool((xy > room).all() and (xy < np.array([width, height]) - room).all())


def _lean(seen: _Seen, measure: Measure) -> float:
    """By which angle the block misses the upright, radians anticlockwise on the table."""
    return _lean_within(seen.upright.picture, seen.found, measure)


def _lean_within(upright: Picture, found: Found, measure: Measure) -> float:
    xy = np.array(list(found.cells.values()))
    half = UPRIGHT_PX_PER_MM * np.array([found.size.wide_mm, found.size.tall_mm]) / 2 + 2
    (x0, y0), (x1, y1) = np.maximum(xy.min(axis=0) - half, 0).astype(int), (xy.max(axis=0) + half + 1).astype(int)
    return measure(upright[y0:y1, x0:x1], px_per_mm=UPRIGHT_PX_PER_MM)


def _disc(at_mm: Point, radius_mm: float) -> Floats:
    angle = np.arange(16) * (np.pi / 8)
    return np.asarray(np.column_stack([np.cos(angle), np.sin(angle)]) * radius_mm + at_mm)
