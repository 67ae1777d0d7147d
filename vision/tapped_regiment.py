"""Tapped regiment: the block of a ranked unit at whose corners, or front edge, a person points.

Its lattice is laid by the hand and by the sizes of its bases, drawn to the steps of the picture, and fitted member by
member as any block is. Where the front edge alone was pointed at both sides of it are tried; a short last rank is
tried in the middle and at both ends.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.arrays import Floats, Image
from calibration.view import View
from models.base import Base, RectBase
from models.errors import BadInput
from models.hint import RegimentHint
from models.tap import RegimentMeasurement, RegimentMember
from models.vocabulary import Point
from vision.candidates import Surface
from vision.facing.facing_estimate import Facing
from vision.hinted_bases import place_by_hand, place_prompt
from vision.measurement.base_fit import BaseFit, fit_base
from vision.prompted_fit import Prompt, StepPatch, footprint_of, sides_mm
from vision.ranked.block import Block, PlacedRect, axes_of
from vision.ranked.block_fit import fit_block
from vision.ranked.ranked_units import Place, member_fits
from vision.state_assembly import MeasuredBase

_GAP_MM, _MOST_GAP_MM = 0.5, 4.0  # between bases that hands push together, and as far as a unit is still one
_SEEN = 0.33  # of the usual rim of the unit: whoever shows less of it is not seen
_LEAST_STEPS = 0.1  # mean belief in the steps along the lattice from which they led it
_SHIFT_STEP_MM, _TURN_STEP_RAD = 1.0, math.radians(0.6)
_SEARCH_SIGMAS = 2.0
_MOST_TURN_RAD = math.radians(6.0)
_PRIOR_WEIGHT = 0.02  # of the hand, in belief, for each squared sigma
_MARGIN_MM = 10.0
_HAND_TURN_RAD = math.radians(3.0)
_ASKEW_RAD = math.radians(0.5)  # how far a figure may stand askew on its base


@dataclass(frozen=True)
class _Lattice:
    """Places of a unit's members: the middle of its front edge, where it faces, and how its ranks are filled."""

    front_mm: Floats
    facing_rad: float
    base: Base
    gaps_mm: tuple[float, float]  # between files, between ranks
    files: int
    count: int
    aside: float = 0.0  # of a short last rank, in files to the left of the middle

    def cells(self) -> list[tuple[int, int]]:
        """Rank and file of each member, the front rank first."""
        return [divmod(number, self.files) for number in range(self.count)]

    def offsets_mm(self) -> Floats:
        """From the middle of the front edge, ahead and to the left, (N, 2)."""
        wide, deep = sides_mm(self.base)
        pitch_aside, pitch_back = wide + self.gaps_mm[0], deep + self.gaps_mm[1]
        rows = []
        for rank, file in self.cells():
            size = min(self.files, self.count - rank * self.files)
            aside = (size - 1) / 2 - file + (self.aside if size < self.files else 0.0)
            rows.append((-deep / 2 - rank * pitch_back, aside * pitch_aside))
        return np.array(rows)

    def places_mm(self) -> Floats:
        """Middles of all members on the table, (N, 2)."""
        return np.asarray(self.offsets_mm() @ axes_of(self.facing_rad) + self.front_mm)

    def last_ranks(self) -> Iterator["_Lattice"]:
        """The same with its last rank in the middle, and at either end where it is short."""
        yield self
        lacking = -self.count % self.files
        if lacking and self.count > self.files:
            yield from (replace(self, aside=aside) for aside in (lacking / 2, -lacking / 2))


def regiment_bases(
    image: Image, hint: RegimentHint, *, unit: int, view: View, prefix: str = ""
) -> tuple[MeasuredBase, ...]:
    """Its members as bases of that unit; who shows no rim stands by hand. Raises: BadInput."""
    regiment, fits, seen, _ = fit_regiment(image, hint, view=view, prefix=prefix)
    facing_rad = _facing_rad(regiment, fits)
    return tuple(
        MeasuredBase(
            fit, Facing(facing_rad, math.hypot(fit.turn_sigma_rad, _ASKEW_RAD), False, "hand"),
            Place(unit, rank, file), placement="measured" if is_seen else "by-hand",
        )
        for (rank, file), fit, is_seen in zip(regiment.cells(), fits, seen, strict=True)
    )  # fmt: skip


def measure_regiment(image: Image, hint: RegimentHint, *, view: View) -> RegimentMeasurement:
    """Where the members stand. Raises: BadInput naming a corner off the table or the picture, or corners that hold no
    such unit."""
    regiment, fits, seen, is_measured = fit_regiment(image, hint, view=view)
    members = tuple(
        RegimentMember(
            rank=rank, file=file, at_mm=fit.at_mm, is_seen=is_seen, outline_px=_outline_px(fit, view),
            sigma_mm=math.sqrt(float(np.trace(fit.covariance_mm2)) / 2),
        )
        for (rank, file), fit, is_seen in zip(regiment.cells(), fits, seen, strict=True)
    )  # fmt: skip
    return RegimentMeasurement(
        base=hint.base, files=regiment.files, facing_deg=math.degrees(_facing_rad(regiment, fits)) % 360.0,
        members=members, is_measured=is_measured,
    )  # fmt: skip


def fit_regiment(
    image: Image, hint: RegimentHint, *, view: View, prefix: str = ""
) -> tuple[_Lattice, tuple[BaseFit, ...], tuple[bool, ...], bool]:
    """The unit's lattice, its members' fits, which of them show their rims, and whether rims led the block.

    Raises: BadInput.
    """
    corners, ground = _corners_mm(hint, view, prefix)
    laid = [each for start in _lattices(hint, corners) for each in start.last_ranks()]
    reach_mm = _SEARCH_SIGMAS * hint.sigma_mm + _MARGIN_MM
    everywhere = np.concatenate([lattice.places_mm() for lattice in laid])
    middle = (everywhere.min(axis=0) + everywhere.max(axis=0)) / 2
    spread = float(np.abs(everywhere - middle).max()) + max(sides_mm(hint.base)) + reach_mm
    patch = StepPatch(image, Prompt((float(middle[0]), float(middle[1])), ground, hint.sigma_mm), spread, view=view)
    scored = [_draw_to_steps(patch, lattice, hint.sigma_mm) for lattice in laid]
    steps, regiment = max(scored, key=lambda each: each[0])
    if steps < _LEAST_STEPS:
        return laid[0], _by_hand(laid[0], ground, hint.sigma_mm), (False,) * hint.count, False
    fits, rims = _fit_members(image, regiment, ground, view)
    usual = float(np.median(rims))
    return regiment, fits, tuple(bool(usual > 0 and rim >= _SEEN * usual) for rim in rims), True


def _corners_mm(hint: RegimentHint, view: View, prefix: str) -> tuple[Floats, Surface]:
    """The corners on the ground, (2 or 4, 2), and it. Raises: BadInput."""
    field = "corners_mm" if hint.corners_mm else "corners_px"
    placed = [
        place_prompt(
            at_mm=at if hint.corners_mm else None, at_px=None if hint.corners_mm else at, sigma_mm=hint.sigma_mm,
            view=view, field=f"{prefix}{field}.{number}",
        )
        for number, at in enumerate(hint.corners_mm or hint.corners_px)
    ]  # fmt: skip
    return np.array([each.at_mm for each in placed]), placed[0].ground


def _lattices(hint: RegimentHint, corners: Floats) -> Iterator[_Lattice]:
    """The lattices that these corners may mean. Raises: BadInput where they hold no such unit."""
    wide, deep = sides_mm(hint.base)
    edge = corners[1] - corners[0]
    width = float(np.linalg.norm(edge))
    files = min(hint.count, hint.files or max(1, round(width / (wide + _GAP_MM))))
    ranks = math.ceil(hint.count / files)
    _check_side(hint, width, files, wide, "front edge")
    across = np.array([edge[1], -edge[0]]) / max(width, 1e-9)
    if len(corners) == 2:
        gaps = (_gap_mm(width, files, wide), _GAP_MM)
        for ahead in (across, -across):
            yield _Lattice(corners.mean(axis=0), _angle(ahead), hint.base, gaps, files, hint.count)
        return
    toward = (corners[:2].mean(axis=0) - corners[2:].mean(axis=0)).astype(np.float64)
    depth = float(np.linalg.norm(toward))
    _check_side(hint, depth, ranks, deep, "side")
    rear = corners[3] - corners[2]
    sides = edge - rear if edge @ rear < 0 else edge + rear
    ahead = np.array([sides[1], -sides[0]]) * np.sign(sides[1] * toward[0] - sides[0] * toward[1])
    facing_rad = _angle(ahead / np.linalg.norm(ahead) * width + toward)
    gaps = _gap_mm((width + float(np.linalg.norm(rear))) / 2, files, wide), _gap_mm(depth, ranks, deep)
    lattice = _Lattice(corners[:2].mean(axis=0), facing_rad, hint.base, gaps, files, hint.count)
    back = (ranks * deep + (ranks - 1) * gaps[1]) / 2
    front = corners.mean(axis=0) + back * np.array([math.cos(facing_rad), math.sin(facing_rad)])
    yield replace(lattice, front_mm=front)


def _check_side(hint: RegimentHint, length_mm: float, count: int, side_mm: float, what: str) -> None:
    """Raises: BadInput where so many bases do not stand side by side along it."""
    spare = 3 * math.sqrt(2) * hint.sigma_mm
    least, most = count * side_mm - spare, count * side_mm + (count - 1) * _MOST_GAP_MM + spare
    if not least <= length_mm <= most:
        raise BadInput(
            f"the {what} is {length_mm:.0f} mm long, and {count} bases of {side_mm:g} mm are {count * side_mm:.0f}: "
            "another number of files, another size, or a corner elsewhere?",
            field="corners_mm" if hint.corners_mm else "corners_px", value=round(length_mm, 1),
        )  # fmt: skip


def _gap_mm(length_mm: float, count: int, side_mm: float) -> float:
    """Between so many bases along this length."""
    return float(np.clip((length_mm - count * side_mm) / max(1, count - 1), 0.0, _MOST_GAP_MM)) if count > 1 else 0.0


def _angle(direction: Floats) -> float:
    return math.atan2(float(direction[1]), float(direction[0]))


def _draw_to_steps(patch: StepPatch, lattice: _Lattice, sigma_mm: float) -> tuple[float, _Lattice]:
    """The lattice shifted and turned to where the picture's steps run along its members, and how far they do."""
    reach = np.arange(-_SEARCH_SIGMAS * sigma_mm, _SEARCH_SIGMAS * sigma_mm + 1e-6, _SHIFT_STEP_MM)
    shifts = np.stack(np.meshgrid(reach, reach), axis=-1).reshape(-1, 2)
    middle = lattice.places_mm().mean(axis=0)
    width_mm = max(lattice.files, 2) * sides_mm(lattice.base)[0]
    turn_sigma = sigma_mm * math.sqrt(2) / width_mm
    most = min(_MOST_TURN_RAD, _SEARCH_SIGMAS * turn_sigma)
    best = (-math.inf, lattice)
    for turn in np.arange(-most, most + 1e-9, _TURN_STEP_RAD):
        turned = replace(
            lattice, facing_rad=lattice.facing_rad + turn,
            front_mm=middle + (lattice.front_mm - middle) @ axes_of(float(turn)),
        )  # fmt: skip
        places = turned.places_mm()[None] + shifts[:, None]
        scores = patch.outline_scores(lattice.base, turned.facing_rad, places.reshape(-1, 2))
        hand = np.sum((shifts / sigma_mm) ** 2, axis=1) + (turn / turn_sigma) ** 2
        belief = scores.reshape(len(shifts), -1).mean(axis=1) - _PRIOR_WEIGHT * hand / 2
        number = int(belief.argmax())
        if belief[number] > best[0]:
            best = float(belief[number]), replace(turned, front_mm=turned.front_mm + shifts[number])
    return best


def _fit_members(
    image: Image, regiment: _Lattice, ground: Surface, view: View
) -> tuple[tuple[BaseFit, ...], Sequence[float]]:
    """Fits of all members, and how far each shows its rim."""
    places = [(float(x), float(y)) for x, y in regiment.places_mm()]
    if isinstance(base := regiment.base, RectBase):
        members = tuple(PlacedRect(base, at, regiment.facing_rad, ground) for at in places)
        cells = tuple((-rank, -file) for rank, file in regiment.cells())
        block = Block(members, cells, regiment.facing_rad, 0.0)
        fitted = fit_block(image, block, camera=view.camera, pose=view.pose)
        return tuple(member_fits(fitted)), fitted.rims.tolist()
    fits, rims = [], []
    for at, hand in zip(places, _by_hand(regiment, ground, _GAP_MM * 2), strict=True):
        fit = fit_base(
            image, start_mm=at, base=base, ground=ground, camera=view.camera, pose=view.pose,
            turn_rad=regiment.facing_rad, min_score=0.0,
        )  # fmt: skip
        is_there = fit is not None and math.dist(fit.at_mm, at) < min(sides_mm(base)) / 4
        fits.append(fit if fit is not None and is_there else hand)
        rims.append(fit.support if fit is not None and is_there else 0.0)
    return tuple(fits), rims


def _by_hand(regiment: _Lattice, ground: Surface, sigma_mm: float) -> tuple[BaseFit, ...]:
    """All members where the lattice puts them, with the hand's doubt."""
    fits = (
        place_by_hand(Prompt((float(x), float(y)), ground, sigma_mm), regiment.base) for x, y in regiment.places_mm()
    )
    return tuple(replace(fit, turn_rad=regiment.facing_rad, turn_sigma_rad=_HAND_TURN_RAD) for fit in fits)


def _facing_rad(regiment: _Lattice, fits: Sequence[BaseFit]) -> float:
    """Of the whole unit: as its rectangles are turned, on the whole, near where it was taken to face."""
    if not isinstance(regiment.base, RectBase):
        return regiment.facing_rad
    off = np.array([fit.turn_rad for fit in fits]) - regiment.facing_rad
    return regiment.facing_rad + float(np.median((off + math.pi / 4) % (math.pi / 2) - math.pi / 4))


def _outline_px(fit: BaseFit, view: View) -> tuple[Point, ...]:
    """The foot of a member in the picture."""
    outline = footprint_of(fit)
    seen = view.project(np.column_stack([outline, np.full(len(outline), fit.ground.surface_mm)]))
    return tuple((x, y) for x, y in np.round(seen, 2).tolist())
