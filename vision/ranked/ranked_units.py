"""Ranked units: blocks classified and fitted, each member with its place in its unit.

Front edge: the posterior of a block's front, from paint on its edges and the shape of its formation.
"""

import math
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.arrays import Floats, Image
from calibration.view import View
from vision.candidates import SEEN, NetworkScore
from vision.facing.facing_estimate import Facing
from vision.measurement.base_distance import signed_distance_mm
from vision.measurement.base_fit import BaseFit
from vision.measurement.silhouette import RimProfile
from vision.ranked.block import STEPS, Block, PlacedRect, patch_around
from vision.ranked.block_fit import LATER_ROUNDS, FittedBlock, fit_block
from vision.ranked.member_completion import MIN_P_BASE
from vision.ranked.side_profiles import OFFSETS_MM, symmetry_turns
from vision.rectification.rectify import rectification_maps, rectify
from vision.rectification.search_windows import HALF_RIM_MM
from vision.rectification.tone_curve import tint_weighted, tone_mapped
from vision.selection.log_odds import log_odds

_SIGMA_RAD = math.radians(0.4)  # of plastic that is not quite square, and paint that is not quite straight
# Log odds that a block is one of bases, as `python -m benchmarks.detection.block_selection_weights --tables 60
# --rendered FOLDER` weighs them on own tables: of rims that show, what stands on the bases, how
# many they are and how large, and what is left. First where the picture alone speaks, then where the
# network was asked: that it is this base, and that it is something else, which speaks for a base of some size rather
# than for none.
_WEIGHTS = (3.77, 3.84, 1.66, 2.52)
_BIAS = -10.5
# Rims count more than that run says: .88 and more of them show of right sizes, .15 to .32 of wrong ones.
_FUSED_WEIGHTS = (6.4, 2.55, 1.91, 2.69, 5.37, 1.03)
_FUSED_BIAS = -12.14
_MIN_LOG_ODDS, _MIN_FUSED_LOG_ODDS = 0.0, 0.2
_BUSY_ENOUGH, _MANY = 10.0, 6  # more of these is no more evidence
_LEAST_BUSY = 1.5  # grey levels per pixel: a block with nothing on its bases is a card, or a roof
_SEES = 0.5  # so sure the network is of a round base, and surer than of the rectangle
MEET_MM = -2.0  # bases that reach so far into each other cannot both be there
_MOST_RIMS = 0.9  # no block of own tables showed more of them
_MOVES_MM = 4.0  # from where a base was found to where it is measured
# Of the usual in a block: whoever shows less of its rim is not there; of whom the network is sure, less of its rim and
# of its sides together: it also sees bases in bare places between others.
_THERE, _SEEN_THERE = 0.33, 0.7
# Whom the network does not see must show so much of its rim, however little the others do: of 10 such members on own
# photographic tables 8 were none, and of 9 that show more 3.
_DENIED_RIMS = 0.1
_LEAST_USUAL = 1e-6
_INNER = 0.45  # of a base, where what stands on it is looked for


@dataclass(frozen=True)
class Place:
    """A place in a unit: the unit's number in the picture; rank and file from 0, None while its front is not known."""

    unit: int
    rank: int | None
    file: int | None


@dataclass(frozen=True)
class RankedBase:
    """A rectangular base measured in a picture."""

    fit: BaseFit
    facing: Facing
    place: Place


def measure_blocks(
    image: Image, blocks: Sequence[Block], *, view: View, others: Sequence[BaseFit] = ()
) -> tuple[FittedBlock, ...]:
    """Classifies and fits blocks: those that are bases; `others`: round and oval bases, on which none need be tried."""
    fitted_blocks: list[FittedBlock] = []
    for block in blocks:
        sizes = (free for size in (block, *block.rivals) for free in _without_occupied(size, others))
        fitted = [likely for size in sizes if (likely := _fit_likely(image, size, view)) is not None]
        fitted_blocks += [max(fitted, key=lambda likely: likely.log_odds)] if fitted else []
    return tuple(fitted_blocks)


def _fit_likely(image: Image, block: Block, view: View) -> FittedBlock | None:
    """The fitted block; None where it is hardly one of bases."""
    busy = busyness(image, block, view=view)
    if busy <= _LEAST_BUSY or not _is_likely(block, busy, _MOST_RIMS):
        return None
    fitted = fit_occupied_block(image, block, view=view)
    rims = float(fitted.rims.mean())
    log_odds_of_bases = _block_log_odds(fitted.block, busy, rims)
    return replace(fitted, log_odds=log_odds_of_bases) if _is_likely(fitted.block, busy, rims) else None


def ranked_bases(blocks: Sequence[FittedBlock], others: Sequence[BaseFit]) -> tuple[RankedBase, ...]:
    """The members of these blocks, each with its place; `others`: round and oval bases.

    Where one of better odds stands no rectangle does, and nothing stays of a block most of which would stand on such.
    """
    stood = [(block, _occupied_members(block, others)) for block in blocks]
    free = [(block, taken) for block, taken in stood if sum(taken) * 2 <= len(taken)]
    return tuple(
        base
        for number, (block, taken) in enumerate(free)
        for base, is_taken in zip(_bases(block, number), taken, strict=True)
        if not is_taken
    )


def fit_occupied_block(image: Image, block: Block, *, view: View) -> FittedBlock:
    """Fits the block without its empty cells, whose sides are the neighbours' alone and where the network sees
    nobody."""
    fitted = fit_block(image, block, camera=view.camera, pose=view.pose)
    rims, sides = fitted.rims, fitted.support
    usual_rims, usual_sides = float(np.median(rims)), float(np.median(sides))
    shown = rims / max(usual_rims, _LEAST_USUAL) + sides / max(usual_sides, _LEAST_USUAL)
    opinions = [member.network_score.p_base if member.network_score is not None else None for member in block.members]
    is_seen = np.array([p_base is not None and p_base > MIN_P_BASE for p_base in opinions])
    is_denied = np.array([p_base is not None and p_base < SEEN for p_base in opinions]) & (rims < _DENIED_RIMS)
    present = np.flatnonzero(((rims >= _THERE * usual_rims) & ~is_denied) | (is_seen & (shown >= _SEEN_THERE))).tolist()
    if len(present) in (0, len(fitted.rims)):
        return fitted
    return fit_block(image, block.subset(present), camera=view.camera, pose=view.pose)


def _is_likely(block: Block, busy: float, rims: float) -> bool:
    """Whether these are bases, and no cards, tiles or boxes."""
    return _block_log_odds(block, busy, rims) > (_MIN_LOG_ODDS if block.network_score is None else _MIN_FUSED_LOG_ODDS)


def _block_log_odds(block: Block, busy: float, rims: float) -> float:
    """Log odds that it is one of bases, by all that is known of it."""
    traits, opinion = block_features(block, busy, rims), block.network_score
    if opinion is None:
        return sum(a * b for a, b in zip(_WEIGHTS, traits, strict=True)) + _BIAS + block.log_prior
    advised = *traits, opinion.p_base, opinion.p_other
    return sum(a * b for a, b in zip(_FUSED_WEIGHTS, advised, strict=True)) + _FUSED_BIAS + block.log_prior


def block_features(block: Block, busy: float, rims: float) -> tuple[float, ...]:
    """Features by which blocks of bases are told from others."""
    base = block.members[0].base
    size, many = math.log((base.width_mm + base.depth_mm) / 50.0), math.log(min(len(block.members), _MANY))
    return rims, math.log1p(min(busy, _BUSY_ENOUGH)), many, size


def busyness(image: Image, block: Block, *, view: View) -> float:
    """Mean gradient, grey levels per pixel, of what stands on the bases of the block."""
    steps = []
    for member in block.members:
        half = _INNER / 2 * np.array([member.base.depth_mm, member.base.width_mm])
        corners = np.array([[-1, -1], [1, 1]]) * half
        cos, sin = math.cos(member.turn_rad), math.sin(member.turn_rad)
        spots = corners @ np.array([[cos, sin], [-sin, cos]]) + member.at_mm
        patch = patch_around(spots, turn_rad=member.turn_rad, margin_mm=0.0, px_per_mm=1.0)
        z_mm = member.ground.surface_mm + HALF_RIM_MM
        inside = tone_mapped(rectify(image, rectification_maps(patch, camera=view.camera, pose=view.pose, z_mm=z_mm)))
        across, down = (cv2.Sobel(inside, cv2.CV_32F, dx, 1 - dx, scale=1 / 8) for dx in (1, 0))
        steps.append(float(np.sqrt((across**2 + down**2).sum(axis=2)).mean()))
    return float(np.median(steps))


def _occupied_members(fitted: FittedBlock, others: Sequence[BaseFit]) -> list[bool]:
    """For each member whether a round base of better odds than the block stands where it would."""
    better = [other for other in others if log_odds(other) > fitted.log_odds]
    return [any(signed_distance_mm(fit, other)[0] < MEET_MM for other in better) for fit in member_fits(fitted)]


def _without_occupied(block: Block, others: Sequence[BaseFit]) -> Iterator[Block]:
    """The block without those who stand, wherever nearby they prove to, on bases of which the network is surer; nothing
    where nobody is left."""
    free = [k for k, member in enumerate(block.members) if not _is_occupied(member, others)]
    if free:
        yield block.subset(free)


def _is_occupied(member: PlacedRect, others: Sequence[BaseFit]) -> bool:
    return any(
        _is_surer(other.network_score, member.network_score)
        and math.dist(member.at_mm, other.at_mm) < other.inradius_mm - _MOVES_MM
        for other in others
    )


def _is_surer(score: NetworkScore | None, rival: NetworkScore | None) -> bool:
    return score is not None and rival is not None and score.p_base > max(_SEES, rival.p_base)


def _bases(fitted: FittedBlock, number: int) -> list[RankedBase]:
    chances = front_posterior(fitted)
    quarter = certain_front(chances)
    places = _places(fitted, quarter, number)
    return [
        RankedBase(fit, _facing(fit, quarter, chances), place)
        for fit, place in zip(member_fits(fitted), places, strict=True)
    ]


def member_fits(fitted: FittedBlock) -> list[BaseFit]:
    """The members of a fitted block as fits of single bases."""
    base, ground = fitted.block.members[0].base, fitted.block.members[0].ground
    profile = RimProfile("straight", fitted.sides.profile.top_mm, fitted.sides.profile.inset_mm, (fitted.rim_width_mm,))
    return [
        BaseFit(
            base=base, at_mm=(float(at[0]), float(at[1])), profile=profile, ground=ground,
            covariance_mm2=covariance[:2, :2], support=float(support), strength=float(support), bias_mm=0.0,
            rim_width_mm=fitted.rim_width_mm, turn_rad=float(turn), turn_sigma_rad=float(np.sqrt(covariance[2, 2])),
        )
        for at, turn, covariance, support in zip(
            fitted.at_mm, fitted.turns_rad, fitted.covariance, fitted.support, strict=True
        )
    ]  # fmt: skip


def _facing(fit: BaseFit, quarter: int | None, chances: Floats) -> Facing:
    """Toward the front edge; while none is nearly sure, one facing for each edge that may be it, likeliest first."""
    sigma = math.hypot(fit.turn_sigma_rad, _SIGMA_RAD)
    if quarter is not None:
        return Facing(fit.turn_rad + quarter * math.pi / 2, sigma, False, "front-edge")
    order = [turn for turn in np.argsort(-chances, kind="stable").tolist() if chances[turn] > 0]
    ends = tuple(((fit.turn_rad + turn * math.pi / 2) % math.tau, float(chances[turn])) for turn in order)
    return Facing(ends[0][0], sigma, True, "edges", len(ends), ends)


def _places(fitted: FittedBlock, quarter: int | None, number: int) -> list[Place]:
    cells = fitted.block.cells
    if quarter is None:
        alone = 0 if len(cells) == 1 else None
        return [Place(number, alone, alone) for _ in cells]
    return [Place(number, rank, file) for rank, file in ranks_and_files(cells, quarter)]


Cell = tuple[int, int]

_FULL = 0.4  # of units whose rearmost rank is as long as the others
_HOLE = math.log(0.03)  # for each base that lacks elsewhere, or stands where none belongs
_SURE = 0.975  # the least probability of a front that is told as the one: that from which the referee says yes
_BAND_MM = (-1.3, -0.3)  # of the rim, from its top edge
# What each clue weighs, as `python -m benchmarks.detection.front_edge_weights` finds it on own tables: how surely the
# block was laid as painted there, on the last look; how far that edge's colour stands out; the shape; both kinds of
# paint together.
_FRONT_WEIGHTS = np.array([0.19, 0.47, 1.87, 2.86])
_MOST_ODDS = 6.0  # of the layers, for or against: sides err together
_MOST_FORMED = 1.9  # of the shape, against: hands hide bases too, so alone it never tells squares' front
_FAINT = 4.0  # contrast, on the scale of `tint_weighted`, that tells little
_FEW = 1.0  # bases at an edge, of which half is believed: one figure that hangs over a rim makes a contrast of its own
_BOTH = 3.0  # of the log of contrasts against the odds of the layers: the lesser counts,
_AGREE_FROM, _AGREE = 0.8, 1.6  # from none to all, as hardly anything but paint is seen by both


def formation_log_odds(cells: Collection[Cell]) -> Floats:
    """Log odds of this shape, (4,), by quarter turns of the front anticlockwise from where columns run.

    `cells`: columns ahead and rows to the left. One rank says nothing.

    Source: Warhammer 9th edition 1.61, "Forming Units", p. 11.
    """
    return np.array([_shape_log_odds(ranks_and_files(cells, quarter)) for quarter in range(4)])


def ranks_and_files(cells: Collection[Cell], quarter: int) -> list[Cell]:
    """Rank and file of each cell, from the front and from the left as a block sees it that faces this way."""
    turned = [_rotate_cell(cell, quarter) for cell in cells]
    front, left = max(ahead for ahead, _ in turned), max(aside for _, aside in turned)
    return [(front - ahead, left - aside) for ahead, aside in turned]


def _rotate_cell(cell: Cell, quarter: int) -> Cell:
    for _ in range(quarter % 4):
        cell = cell[1], -cell[0]
    return cell


def _shape_log_odds(places: Collection[Cell]) -> float:
    count = Counter(rank for rank, _ in places)
    last, files = max(count), 1 + max(file for _, file in places)
    if last == 0:
        return 0.0
    lacking = [files - count[rank] for rank in range(last)]
    wrong = min(lacking[0], count[0]) + sum(lacking[1:])  # a few before the front rank may be somebody else
    return wrong * _HOLE + math.log(_FULL if count[last] == files else 1 - _FULL)


def certain_front(posterior: Floats) -> int | None:
    """The front of this posterior (4,) that is nearly sure, if one is."""
    best = int(posterior.argmax())
    return best if posterior[best] >= _SURE else None


def front_posterior(fitted: FittedBlock) -> Floats:
    """Posterior of each front, (4,), in quarter turns anticlockwise from where the members' depth runs."""
    ways = list(symmetry_turns(fitted.block.members[0].base))
    odds = front_features(fitted) @ _FRONT_WEIGHTS
    log_odds = np.zeros(4)
    log_odds[ways] = np.exp(odds - odds.max())
    return np.asarray(log_odds / log_odds.sum())


def front_features(fitted: FittedBlock) -> Floats:
    """Features of each of `symmetry_turns` of its base, (turns, features)."""
    ways = list(symmetry_turns(fitted.block.members[0].base))
    layers = np.array([_log_odds_against_others(np.array(front.by_side)[ways]) for front in fitted.fronts])
    contrast = _log_contrast_of_rims(fitted)[ways]
    formed = formation_log_odds(fitted.block.cells)[ways]
    both = np.minimum(layers[-LATER_ROUNDS:].mean(axis=0), _BOTH * contrast)
    agreed = ((both - _AGREE_FROM) / (_AGREE - _AGREE_FROM)).clip(0.0, 1.0)
    shaped = (formed - formed.max()).clip(-_MOST_FORMED)
    return np.column_stack([layers[-1], contrast, shaped, agreed])


def _log_odds_against_others(each: Floats) -> Floats:
    """(ways,): the log odds of paint there against the likeliest else, paint elsewhere or none."""
    odds = np.append(each, 0.0)
    rivals = np.array([np.delete(odds, turn).max() for turn in range(len(each))])
    return np.asarray((each - rivals).clip(-_MOST_ODDS, _MOST_ODDS))


def _log_contrast_of_rims(fitted: FittedBlock) -> Floats:
    """(4,): the log by which the outermost rims of each way stand out more than those of the best other."""
    contrast = _contrasts(_rim_colours(fitted))
    believed, allowed = np.zeros(4), symmetry_turns(fitted.block.members[0].base)
    for turn in allowed:
        dx, dy = STEPS[turn]
        outermost = [(x + dx, y + dy) not in fitted.block.cells for x, y in fitted.block.cells]
        believed[turn] = np.median(contrast[outermost, turn]) * sum(outermost) / (sum(outermost) + _FEW)
    rivals = [max(believed[other] for other in allowed if other != turn) for turn in range(4)]
    return np.log((believed + _FAINT) / (np.array(rivals) + _FAINT))


def _rim_colours(fitted: FittedBlock) -> Floats:
    """(N, 4, C): the usual paint of each side's rim."""
    look = fitted.sides
    away = OFFSETS_MM - look.top_mm[..., None]
    band = (away >= _BAND_MM[0]) & (away <= _BAND_MM[1]) & look.is_part[..., None]
    share = band / np.maximum(band.sum(axis=-1, keepdims=True), 1)
    parts = np.einsum("nspo,nspoc->nspc", share, look.sampled_sides.colours)
    parts = tint_weighted(parts.reshape(-1, 3)).reshape(*parts.shape[:3], -1)
    parts[:, ~look.is_part] = np.nan
    return np.asarray(np.nanmedian(parts, axis=2))


def _contrasts(colours: Floats) -> Floats:
    """(N, 4): how far each side's rim differs in colour from the other three of its base."""
    others = np.stack([np.median(np.delete(colours, side, axis=1), axis=1) for side in range(4)], axis=1)
    return np.asarray(np.linalg.norm(colours - others, axis=2))
